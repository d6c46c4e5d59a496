//! What the jobs of models and logs ask of a machine with a layout: neither says on how many nodes they run.
//!
//! A job of so many processors asks for as many of the scarce kind (`gpu`, or else the last one): up to a node's number on one node, more as whole nodes.
//! Of the other kinds it gets the same share of each node, rounded up. The partition of a log's job is that of the layout with the same number.

use std::{path::Path, sync::Arc};

use super::Job;
use crate::{
    error::Result,
    layout::{Asks, Layout, PerGroup},
    request::{Demand, Hold},
    text_file::input_error,
};

/// Jobs ask node by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByNode {
    /// The level of which one block holds a job on several nodes, and whether it has to.
    pub within: Option<(String, bool)>,
}

/// Lets the demand of a job ask for what it needs of the machine: a partition, where a log says one, and node by node.
///
/// # Errors
/// [`Error::Input`](crate::error::Error::Input) for a partition that the layout does not have, with the file of the log.
pub fn place(
    demand: &mut Demand,
    (log, job): (&Path, &Job),
    layout: &Layout,
    by_node: Option<&ByNode>,
) -> Result<()> {
    let partition = partition(log, layout, job)?;
    if by_node.is_none() && partition.is_none() {
        return Ok(());
    }
    let (pes, asked) = match demand {
        Demand::Reserve(request) | Demand::Hold(Hold { request, .. }) => {
            (&mut request.pes, &mut request.asks)
        }
        Demand::BestEffort(job) => (&mut job.pes, &mut job.asks),
    };
    let mut asks = Asks {
        partition: partition.unwrap_or_default().to_owned(),
        ..Asks::default()
    };
    if let Some(by_node) = by_node {
        by_node.ask(&mut asks, layout, *pes);
        *pes = asks.pes(layout).unwrap_or(*pes);
    }
    *asked = Some(Arc::new(asks));
    Ok(())
}

/// The name of the partition of a job, where both know partitions.
fn partition<'l>(log: &Path, layout: &'l Layout, job: &Job) -> Result<Option<&'l str>> {
    let Some(number) = job
        .partition
        .filter(|number| *number > 0 && !layout.partitions.is_empty())
    else {
        return Ok(None);
    };
    let partition = layout.partitions.get(number as usize - 1);
    let partition = partition.ok_or_else(|| {
        let problem = format!(
            "found {number} of job {}, expected 1 to {}, as the layout has",
            job.id,
            layout.partitions.len()
        );
        input_error(log, None, Some("partition"), problem)
    })?;
    Ok(Some(&partition.name))
}

impl ByNode {
    fn ask(&self, asks: &mut Asks, layout: &Layout, pes: u64) {
        let scarce = &layout.kinds[layout.scarce()];
        let whole = u64::from(scarce.per_group);
        let nodes = pes.div_ceil(whole);
        let share = pes.min(whole);
        let kinds = layout.kinds.iter().map(|kind| {
            let of_each = (u64::from(kind.per_group) * share).div_ceil(whole);
            (kind.name.clone(), of_each)
        });
        asks.per_group = Some(PerGroup::Kinds(kinds.collect()));
        asks.groups = Some(nodes);
        if nodes > 1 {
            asks.within = self.within.clone();
        }
    }
}
