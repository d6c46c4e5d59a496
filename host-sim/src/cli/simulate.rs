//! `bookahead simulate`: requests from a model or a log, run under one or more strategies.

use std::path::PathBuf;

use clap::Args;

use super::{
    basics::{Basics, OUT},
    batch::Batch,
    jobs::{JobSource, Jobs},
    machine::{self, MOST_PES, Size, Strategies},
    requests::{self, FactorOptions},
};
use crate::error::{Error, Result};

/// Make requests from a model or a log and run them
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Simulate {
    #[command(flatten)]
    source: JobSource,
    #[command(flatten)]
    factors: FactorOptions,
    /// PEs of the machine [default: those of the log's header; lublin 1024 (lanl-cm5) or 128; poisson 128]
    #[arg(long, value_name = "N", value_parser = machine::pes())]
    pes: Option<u16>,
    /// Slots that can be booked ahead
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = machine::slots())]
    slots: u32,
    /// Length of a slot in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = machine::slot_seconds())]
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
Every job becomes a reservation request with random lead time and slack. With one policy and one binding the results lie in \
the result folder itself, with several in one subfolder each. Equal options give equal files, timing.json excepted.

Examples:
  bookahead simulate --policy all --binding all
  bookahead simulate --workload poisson --jobs 2000 --mean-gap 120 --policy pe-worst-fit
  bookahead simulate --workload SDSC-SP2.swf.gz --slot-seconds 300 --slots 8640 --duration requested";

impl Simulate {
    /// Does it.
    pub(super) fn run(&self) -> Result<()> {
        let jobs = self.source.load(&self.basics)?;
        let size = Size {
            pes: self.pes(&jobs)?,
            slots: self.slots,
            slot_seconds: self.slot_seconds,
        };
        let demands = requests::make(&self.factors.factors(), &jobs, &self.basics)?;
        let systems = self.strategies.systems(size);
        Batch {
            basics: &self.basics,
            out: &self.out,
            workload: jobs.name,
            at_a_time: self.strategies.memory.books_at_a_time(&systems, &demands)?,
            systems,
            demands,
        }
        .run()
        .map(drop)
    }

    fn pes(&self, jobs: &Jobs) -> Result<u16> {
        if let Some(pes) = self.pes {
            return Ok(pes);
        }
        let name = &jobs.name;
        let known = jobs.pes.ok_or_else(|| {
            Error::Usage(format!(
                "{name}: the header names no MaxProcs, so --pes is needed"
            ))
        })?;
        u16::try_from(known).ok().filter(|pes| *pes > 0).ok_or_else(|| {
            Error::Usage(format!(
                "{name}: the header says {known} processors, expected 1 to {MOST_PES}; say --pes"
            ))
        })
    }
}
