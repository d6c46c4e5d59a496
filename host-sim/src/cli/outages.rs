//! Options about what breaks promises: processing elements that leave and come back or are not there by rules, and jobs that take longer than was booked.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{machine::Size, values};
use crate::{
    arrivals::Outline,
    engine::System,
    error::{Error, Result},
    layout::Layout,
    outage::Notice,
    rule::Rule,
    workload::{failures::Failures, outages_csv},
};

/// Whether processing elements may leave, when they do, and whether jobs may take longer.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Failures and overruns")]
pub(super) struct OutageOptions {
    /// Failures and maintenance: nodes that leave and come back, or PEs where there is no --layout; docs/outages.md describes the file
    #[arg(long, value_name = "FILE.csv")]
    outages: Option<PathBuf>,
    /// Draw failures: the mean time from the return of a node to its next failure in seconds; without a --layout, each PE is a node
    #[arg(long, value_name = "SECONDS", value_parser = values::positive)]
    mtbf: Option<f64>,
    /// With --mtbf: the mean time from a failure to the return in seconds, exponential; none takes longer than can be booked ahead
    #[arg(long, value_name = "SECONDS", value_parser = values::positive)]
    mttr: Option<f64>,
    /// With --mtbf: the shape of the Weibull distribution of the time to the next failure [default: 1, which is exponential]
    #[arg(long, value_name = "SHAPE", value_parser = values::positive)]
    failure_shape: Option<f64>,
    /// Let jobs go on that run longer than was booked, as those of logs do: whoever is in the way then is placed again or loses the promise. Without it they are stopped
    #[arg(long)]
    pub(super) overrun: bool,
    /// Leave out PEs again and again, as for weekly maintenance and office hours; docs/outages.md describes the file
    #[arg(long, value_name = "FILE.toml")]
    rules: Option<PathBuf>,
}

impl OutageOptions {
    /// Paths are relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        for file in [&mut self.outages, &mut self.rules].into_iter().flatten() {
            *file = folder.join(&*file);
        }
    }

    /// The files.
    pub(super) fn files(&self) -> [Option<&Path>; 2] {
        [&self.outages, &self.rules].map(|file| file.as_deref())
    }

    /// What is drawn has both means, and nothing is drawn beside a file.
    fn check(&self) -> Result<()> {
        let drawn = [
            ("--mttr", self.mttr.is_some()),
            ("--failure-shape", self.failure_shape.is_some()),
        ];
        let problem = match (self.mtbf, values::first_given(drawn)) {
            (Some(_), _) if self.outages.is_some() => {
                "--mtbf draws failures beside those of --outages; say one of them"
            }
            (Some(_), _) if self.mttr.is_none() => {
                "--mtbf says when nodes fail, and nothing when they are back; say --mttr"
            }
            (None, Some(option)) => {
                return Err(Error::Usage(format!("{option} is only for --mtbf")));
            }
            _ => return Ok(()),
        };
        Err(Error::Usage(problem.to_owned()))
    }

    /// Lets processing elements of a machine of this size leave, where that is said.
    pub(super) fn on(&self, systems: &mut [System], size: Size) -> Result<()> {
        self.check()?;
        let rules = match self.rules.as_deref() {
            Some(file) => {
                values::must_be_there("--rules", file)?;
                Rule::read(file, size.pes, size.slot_seconds)?
            }
            None => Vec::new(),
        };
        for system in systems {
            system.outages = self.outages.is_some() || self.mtbf.is_some();
            system.overrun = self.overrun;
            system.rules.clone_from(&rules);
            system.check()?;
        }
        Ok(())
    }

    /// What the file says, where there is one.
    pub(super) fn read(&self, size: Size, layout: Option<&Layout>) -> Result<Vec<Notice>> {
        match &self.outages {
            Some(file) => outages_csv::read(file, size.pes, layout),
            None => Ok(Vec::new()),
        }
    }

    /// What becomes known of outages on a machine of this size, to which this arrives.
    pub(super) fn notices(
        &self,
        outline: &Outline,
        size: Size,
        layout: Option<&Layout>,
        seed: u64,
    ) -> Result<Vec<Notice>> {
        self.check()?;
        let (Some(mtbf), Some(mttr)) = (self.mtbf, self.mttr) else {
            return self.read(size, layout);
        };
        let failures = Failures {
            mtbf,
            mttr,
            shape: self.failure_shape.unwrap_or(1.0),
        };
        let first = outline.first_arrival.unwrap_or(0);
        let last = outline.last_deadline.unwrap_or(0);
        let singles;
        let layout = match layout {
            Some(layout) => layout,
            None => {
                singles = Layout::of_single(size.pes);
                &singles
            }
        };
        // A failure inside a slot counts from its end on, and a return inside a slot too.
        let longest = u64::from(size.slots.saturating_sub(1)) * u64::from(size.slot_seconds);
        if longest == 0 {
            return Err(Error::Usage(
                "--mtbf: with a single slot, nothing can be away; say --slots".to_owned(),
            ));
        }
        failures.draw(layout, seed, [first, last], longest)
    }
}
