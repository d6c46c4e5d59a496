//! `bookahead replay`: the requests of a CSV file, first come first decided.

use std::path::PathBuf;

use clap::Args;

use super::{
    basics::{Basics, OUT},
    batch::Batch,
    jobs::file_name,
    machine::{self, Size, Strategies},
};
use crate::{error::Result, request::Demand, workload::requests_csv};

/// Decide the requests of a CSV file in their order
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Replay {
    /// The requests
    #[arg(long, value_name = "FILE.csv")]
    requests: PathBuf,
    /// PEs of the machine
    #[arg(long, value_name = "N", value_parser = machine::pes())]
    pes: u16,
    /// Slots that can be booked ahead
    #[arg(long, value_name = "N", value_parser = machine::slots())]
    slots: u32,
    /// Length of a slot in seconds
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = machine::slot_seconds())]
    slot_seconds: u32,
    #[command(flatten)]
    strategies: Strategies,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    #[command(flatten)]
    basics: Basics,
}

const MORE: &str = "\
The file has a header line job_id,arrival,ready,duration,deadline,pes and rows of whole numbers in order of arrival, times in \
seconds; other columns are ignored. A request that cannot be met is refused with a reason, which is no error.

Examples:
  bookahead replay --requests mine.csv --pes 64 --slots 1440 --policy pe-worst-fit --slot-seconds 60
  bookahead generate --jobs 500 --out mine.csv && bookahead replay --requests mine.csv --pes 1024 --slots 90000";

impl Replay {
    /// Does it.
    pub(super) fn run(&self) -> Result<()> {
        let requests = requests_csv::read(&self.requests)?;
        let demands: Vec<Demand> = requests.into_iter().map(Demand::Reserve).collect();
        let systems = self.strategies.systems(Size {
            pes: self.pes,
            slots: self.slots,
            slot_seconds: self.slot_seconds,
        })?;
        Batch {
            basics: &self.basics,
            out: &self.out,
            workload: file_name(&self.requests),
            at_a_time: self.strategies.memory.books_at_a_time(&systems, &demands)?,
            systems,
            demands,
        }
        .run()
        .map(drop)
    }
}
