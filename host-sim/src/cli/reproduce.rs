//! `bookahead reproduce`: the experiments of the papers.

use std::path::PathBuf;

use clap::Args;

use super::{
    basics::{Basics, OUT},
    screen,
};
use crate::{error::Result, experiment::li, report};

/// Repeat the experiments of a paper and judge its claims
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Reproduce {
    /// The paper: li (advance reservation for parallel jobs with deadlines, 2014)
    #[arg(default_value = "li", value_parser = paper)]
    paper: Paper,
    /// Fewer jobs, points and replications: minutes become seconds, intervals become wider
    #[arg(long)]
    quick: bool,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
    #[command(flatten)]
    basics: Basics,
}

const EXAMPLES: &str = "Examples:
  bookahead reproduce --quick
  bookahead reproduce li --out li-results";

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, Debug)]
enum Paper {
    Li,
}

fn paper(name: &str) -> std::result::Result<Paper, String> {
    match name {
        "li" => Ok(Paper::Li),
        "netto" | "sulistio" | "xiao" | "pujiyanta" | "all" => {
            Err("not available in this version, expected li".to_owned())
        }
        _ => Err("expected li".to_owned()),
    }
}

impl Reproduce {
    /// Does it.
    pub(super) fn run(&self) -> Result<()> {
        let Paper::Li = self.paper;
        let seed = self.basics.seed;
        let progress = self.basics.progress();
        let pool = self.basics.pool(usize::MAX)?;
        let verdicts = pool.install(|| li::reproduce(self.quick, seed, &self.out, &progress))?;
        screen::line(&format!("li, seed {seed}: {verdicts}"))?;
        screen::line(&format!(
            "claims: {}",
            self.out.join("claims.csv").display()
        ))?;
        screen::line(&format!(
            "report: {}",
            self.out.join(report::FILE).display()
        ))
    }
}
