//! Options about requests that wait for room, and about who is first among them and in the queue.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;

use crate::{
    engine::{Priority, System},
    error::{Error, Result},
    workload::keys_csv,
};

/// Whether requests wait that find no room, and in which order.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Queue and waiting")]
pub(super) struct WaitOptions {
    /// Let requests wait that are refused for want of room or lie beyond what can be booked ahead: they are promised room when there is some,
    /// or given up when their latest start has passed; docs/waiting.md describes it
    #[arg(long)]
    wait: bool,
    /// With --wait and --queue: which request and which job is first. age: whoever came first; size: whoever asks for the most PEs; user: whose user had been
    /// given the fewest PE-minutes when it came; or a file of keys with the columns user,key or job_id,key, the highest first and 0 for all
    /// others. Equal ones by age [default: age]
    #[arg(long, value_name = "age|size|user|FILE.csv", value_parser = order)]
    priority: Option<Order>,
    /// Count deadlines that were kept and missed in metrics.json also where no request waits
    #[arg(long)]
    deadlines: bool,
}

/// A priority by its name, or a file with keys.
#[derive(Clone, Debug)]
enum Order {
    Named(Priority),
    File(PathBuf),
}

impl WaitOptions {
    /// Paths are relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        if let Some(Order::File(file)) = &mut self.priority {
            *file = folder.join(&*file);
        }
    }

    /// The file of keys.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.priority {
            Some(Order::File(file)) => Some(file),
            _ => None,
        }
    }

    /// Lets requests wait, where that is said, and orders them and a queue, where it is there.
    pub(super) fn on(&self, systems: &mut [System], queued: bool) -> Result<()> {
        let priority = match &self.priority {
            Some(_) if !self.wait && !queued => {
                return Err(Error::Usage(
                    "--priority is only for --wait and --queue".to_owned(),
                ));
            }
            None => Priority::Age,
            Some(Order::Named(priority)) => priority.clone(),
            Some(Order::File(file)) => Priority::Given(Arc::new(keys_csv::read(file)?)),
        };
        for system in systems {
            system.wait = self.wait.then(|| priority.clone());
            let order = Some(&priority).filter(|order| queued && **order != Priority::Age);
            system.queue_order = order.cloned();
            system.deadlines |= self.deadlines;
            system.check()?;
        }
        Ok(())
    }
}

/// A name, or else a file.
fn order(text: &str) -> std::result::Result<Order, String> {
    let mut named = Priority::NAMED.into_iter();
    if let Some(priority) = named.find(|priority| priority.name() == text) {
        return Ok(Order::Named(priority));
    }
    match text.ends_with(".csv") {
        true => Ok(Order::File(text.into())),
        false => Err("expected age, size, user or a file of keys such as keys.csv".to_owned()),
    }
}
