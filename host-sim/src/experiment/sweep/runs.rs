//! The runs of a plan, and where they are kept.

use std::path::Path;

use super::{grid::Shard, plan::Plan};
use crate::{
    error::Result,
    experiment::store::{IsRun, Run, Store},
};

impl Run {
    /// The runs of a plan that belong to a shard, in the order of their rows.
    pub(super) fn all(plan: &Plan, shard: Shard) -> impl Iterator<Item = Self> + use<'_> {
        plan.points(shard).flat_map(|point| {
            (1..=plan.replications).map(move |replication| Self { point, replication })
        })
    }

    /// What a person calls it.
    pub(super) fn describe(self, plan: &Plan) -> String {
        let values = plan.at(self.point).filter(|(setting, _)| setting.is_axis);
        let values: Vec<String> = values
            .map(|(setting, value)| format!("{} {}", setting.key, value.value))
            .collect();
        match values.is_empty() {
            true => self.to_string(),
            false => format!("{self} ({})", values.join(", ")),
        }
    }
}

/// A run of a plan, as the program that makes it is told of it.
pub(crate) struct Sampled<'a> {
    pub(super) run: Run,
    pub(super) plan: &'a Plan,
}

impl Sampled<'_> {
    /// The seed of its replication.
    pub(crate) fn seed(&self) -> u64 {
        self.plan.seed_of(self.run.replication)
    }

    /// Where it stands among the runs of its plan.
    pub(crate) fn order(&self) -> (usize, u32) {
        (self.run.point, self.run.replication)
    }

    /// The keys of a plan and the values by which it differs from the others.
    pub(crate) fn place(&self) -> String {
        let values = self.plan.at(self.run.point);
        let values = values.filter(|(setting, _)| setting.is_axis);
        let values = values.map(|(setting, value)| format!("{} = {}", setting.key, value.value));
        let seed = format!("seed = {}", self.seed());
        let all: Vec<String> = values.chain([seed]).collect();
        all.join(", ")
    }
}

/// Opens the finished runs of a shard in a folder, made by this version of the program.
pub(super) fn store(
    open: fn(&Path, &str, IsRun<'_>) -> Result<Store>,
    dir: &Path,
    plan: &Plan,
    shard: Shard,
) -> Result<Store> {
    let experiment = format!("{} {}", env!("CARGO_PKG_VERSION"), plan.hash());
    open(dir, &experiment, &|run| {
        (1..=plan.replications).contains(&run.replication) && plan.has(run.point, shard)
    })
}
