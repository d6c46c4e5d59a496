//! `bookahead` without a sub-command: a short demonstration.

use std::env;

use bookahead::Policy;
use clap::Args;

use super::{
    basics::Basics,
    batch::{Batch, TableOptions},
    jobs::{self, UMED},
    machine::Size,
    requests::Requests,
    values,
};
use crate::{
    arrivals::Arrivals,
    engine::{Binding, Strategy},
    error::Result,
    workload::{lublin::six_class::Reconstruction, reserve::Factors},
};

/// A day and a half holds the longest window that the factors make of a job of three hours. Of the slots that divide an hour, those of
/// 20 seconds are the longest that lose less than one request in a hundred to rounding: 79 of 10,000, where minutes lose 256.
const SIZE: Size = Size {
    pes: 1024,
    slots: 6144,
    slot_seconds: 20,
};

const JOBS: u32 = 10_000;

/// What can be changed about the demonstration.
#[derive(Args, Debug)]
pub(super) struct Demo {
    /// Jobs of the demonstration [default: 10,000]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=u32::MAX.into()))]
    pub(super) jobs: Option<u32>,
}

impl Demo {
    /// Shows it.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        // As it was called, since a clone has no `bookahead` in the path.
        let program = env::args_os().next().unwrap_or_default();
        basics.note(&format!(
            "Seven ways to choose among the starts that a reservation could have, on the same requests.\nTry also: {} --help\n",
            program.display()
        ));
        let jobs = jobs::lanl_cm5(
            UMED,
            Reconstruction::LogSample,
            basics.seed(),
            self.jobs.unwrap_or(JOBS) as usize,
        )?;
        let systems = Policy::ALL.map(|policy| SIZE.system(Strategy::Fit(policy), Binding::Early));
        let requests = Requests::of(jobs, Factors::default(), basics.seed());
        let outline = requests.outline(None)?;
        Batch {
            checkpoint: None,
            tables: TableOptions::default(),
            basics,
            workload: &requests.jobs.name,
            arrivals: Arrivals {
                demands: &requests,
                outline: &outline,
                operations: &[],
                notices: &[],
            },
            // Seven books of this size take a few megabytes.
            at_a_time: systems.len(),
            systems: &systems,
        }
        .run()
        .map(drop)
    }
}
