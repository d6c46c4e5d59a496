//! `bookahead` without a sub-command: a short demonstration.

use std::path::PathBuf;

use bookahead::Policy;
use clap::Args;

use super::{
    basics::{Basics, OUT},
    batch::Batch,
    jobs::{self, UMED},
    machine::Size,
    requests,
};
use crate::{
    engine::{Binding, Strategy},
    error::Result,
    workload::{reserve::Factors, six_class::Reconstruction},
};

/// A day and a half of minutes holds the longest window that the factors make of a job of three hours.
const SIZE: Size = Size {
    pes: 1024,
    slots: 2048,
    slot_seconds: 60,
};

/// What can be changed about the demonstration.
#[derive(Args, Debug)]
pub(super) struct Demo {
    /// Jobs of the demonstration
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: u32,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    #[command(flatten)]
    basics: Basics,
}

impl Demo {
    /// Shows it.
    pub(super) fn run(&self) -> Result<()> {
        let basics = &self.basics;
        basics.note(
            "Seven ways to choose among the starts that a reservation could have, on the same requests.\n\
             Try also: bookahead --help\n",
        );
        let jobs = jobs::lanl_cm5(
            UMED,
            Reconstruction::LogSample,
            basics.seed,
            self.jobs as usize,
        )?;
        let systems = Policy::ALL.map(|policy| SIZE.system(Strategy::Fit(policy), Binding::Early));
        Batch {
            basics,
            out: &self.out,
            script: requests::make(&Factors::default(), &jobs, basics)?.into(),
            workload: jobs.name,
            // Seven books of this size take a few megabytes.
            at_a_time: systems.len(),
            systems: systems.to_vec(),
        }
        .run()
        .map(drop)
    }
}
