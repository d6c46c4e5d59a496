//! `bookahead report`: the HTML report of a result folder once more.

use std::{fs, path::PathBuf};

use clap::Args;

use super::{basics::Basics, screen};
use crate::{error::Result, report, text_file::io_error};

/// Build the HTML report of a result folder again
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Report {
    /// A folder with results of replay, simulate or reproduce
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Folder for the report [default: the result folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    basics: Basics,
}

const MORE: &str = "\
It needs the files of the folder and nothing else, so seed and threads change nothing.

Example:
  bookahead report bookahead-out";

impl Report {
    /// Does it.
    pub(super) fn run(&self) -> Result<()> {
        let out = self.out.as_ref().unwrap_or(&self.dir);
        if let Some(out) = &self.out {
            fs::create_dir_all(out).map_err(|source| io_error(out, source))?;
        }
        let report = self
            .basics
            .pool(1)?
            .install(|| report::build_into(&self.dir, out))?;
        screen::line(&format!("report: {}", report.display()))
    }
}
