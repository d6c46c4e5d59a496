//! `bookahead explain`: why a job was decided as it was.

use std::path::PathBuf;

use clap::Args;

use super::{
    basics::{Basics, OUT},
    screen, values,
};
use crate::{
    error::{Error, Result},
    explain,
    manifest::Manifest,
    result_folder,
};

/// Say why a job was placed where it was, or refused
#[derive(Args, Debug)]
#[command(after_help = MORE, allow_missing_positional = true)]
pub(super) struct Explain {
    /// A folder with results of replay or simulate; of several runs, each is explained
    #[arg(value_name = "DIR", default_value = OUT)]
    dir: PathBuf,
    /// The number of the job
    #[arg(value_name = "JOB", value_parser = values::whole::<u64>(0..=u64::MAX))]
    job: u64,
}

const MORE: &str = "\
It reads the files of the run and knows nothing of the scheduler: what was booked when the job was decided, where in its window there was \
room, who had the rest, what became of the job later, and a drawing of all that.

Examples:
  bookahead explain 17
  bookahead explain bookahead-out/pe-worst-fit-early 17";

impl Explain {
    /// Explains the job in each run of the folder.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        if Manifest::read(&self.dir)?.is_some_and(|held| held.is_sweep()) {
            return Err(Error::Usage(format!(
                "{}: a sweep keeps no jobs, expected a folder of simulate or replay",
                self.dir.display()
            )));
        }
        let runs = result_folder::runs(&self.dir)?;
        if runs.is_empty() {
            return Err(Error::Usage(format!(
                "{}: no run there",
                self.dir.display()
            )));
        }
        let several = runs.len() > 1;
        for (number, run) in runs.iter().enumerate() {
            let busy = basics
                .progress()
                .busy(&format!("reading {}", run.path.display()));
            let text = explain::of_job(&run.path, self.job)?;
            drop(busy);
            let gap = if number > 0 { "\n" } else { "" };
            let heading = if several {
                format!("{gap}{}\n", run.path.display())
            } else {
                String::new()
            };
            screen::line(&format!("{heading}{}", text.trim_end()))?;
        }
        Ok(())
    }
}
