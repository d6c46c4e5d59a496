//! `bookahead report`: the HTML report of a result folder once more.

use std::{fs, path::PathBuf};

use clap::Args;

use super::{
    basics::{Basics, OUT},
    screen,
};
use crate::{
    error::{Error, Result},
    report, result_folder,
    text_file::io_error,
};

/// Build the HTML report of a result folder again
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Report {
    /// A folder with results of replay, simulate or reproduce
    #[arg(value_name = "DIR", default_value = OUT)]
    dir: PathBuf,
}

const MORE: &str = "\
It needs the files of the folder and nothing else. Exit status 1 if runs of the experiment are missing; the report is written all \
the same.

Examples:
  bookahead report
  bookahead report results";

impl Report {
    /// Builds the report of the folder anew.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let out = basics.given_out().unwrap_or(&self.dir);
        if basics.given_out().is_some() {
            fs::create_dir_all(out).map_err(|source| io_error(out, source))?;
        }
        let bar = basics
            .progress()
            .busy(&format!("reading {}", self.dir.display()));
        let report = basics
            .pool(1)?
            .install(|| report::build_into(&self.dir, out))?;
        drop(bar);
        screen::line(&format!("report: {}", report.display()))?;
        let unfinished = result_folder::unfinished(&self.dir)?;
        match unfinished.count {
            0 => Ok(()),
            _ => Err(Error::Violated(format!(
                "{}: {unfinished}",
                self.dir.display()
            ))),
        }
    }
}
