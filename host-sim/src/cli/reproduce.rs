//! `bookahead reproduce`: the experiments of the papers.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{
    basics::{Basics, OUT},
    screen,
};
use crate::{
    error::{Error, Result},
    experiment::{Reproduced, li, sulistio},
    report,
};

/// Repeat the experiments of a paper and judge its claims
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Reproduce {
    /// The paper: li (advance reservation for parallel jobs with deadlines, 2014), sulistio (elastic reservations beside best-effort
    /// jobs, 2007), or all, each in a folder of its own
    #[arg(default_value = "li", value_parser = paper)]
    paper: Paper,
    /// sulistio: the log whose first two weeks are simulated, in the Standard Workload Format, plain or gzip [default:
    /// SDSC-BLUE-2000-4-filtered.swf.gz in the folder that BOOKAHEAD_TRACES names; without that, a synthetic workload]
    #[arg(long, value_name = "FILE")]
    workload: Option<PathBuf>,
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
  bookahead reproduce li --out li-results
  bookahead reproduce sulistio --workload SDSC-BLUE-2000-4.2-cln.swf.gz";

/// The log of `sulistio` in a folder of logs.
const BLUE_HORIZON: &str = "SDSC-BLUE-2000-4-filtered.swf.gz";

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paper {
    Li,
    Sulistio,
    All,
}

fn paper(name: &str) -> std::result::Result<Paper, String> {
    let expected = "expected li, sulistio or all";
    match name {
        "li" => Ok(Paper::Li),
        "sulistio" => Ok(Paper::Sulistio),
        "all" => Ok(Paper::All),
        "netto" | "xiao" | "pujiyanta" => Err(format!("not available in this version, {expected}")),
        _ => Err(expected.to_owned()),
    }
}

impl Reproduce {
    /// Does it.
    pub(super) fn run(&self) -> Result<()> {
        if self.paper == Paper::Li && self.workload.is_some() {
            return Err(Error::Usage(
                "--workload is only for sulistio; li makes its own jobs".to_owned(),
            ));
        }
        let pool = self.basics.pool(usize::MAX)?;
        pool.install(|| match self.paper {
            Paper::Li => self.li(&self.out),
            Paper::Sulistio => self.sulistio(&self.out),
            Paper::All => {
                self.li(&self.out.join("li"))?;
                self.sulistio(&self.out.join("sulistio"))
            }
        })
    }

    fn li(&self, out: &Path) -> Result<()> {
        let (seed, progress) = (self.basics.seed, self.basics.progress());
        self.say("li", &li::reproduce(self.quick, seed, out, &progress)?, out)
    }

    fn sulistio(&self, out: &Path) -> Result<()> {
        let (seed, progress) = (self.basics.seed, self.basics.progress());
        let log = self.workload.clone().or_else(blue_horizon);
        let done = sulistio::reproduce(log.as_deref(), self.quick, seed, out, &progress)?;
        self.say("sulistio", &done, out)?;
        if log.is_none() {
            screen::line(&format!(
                "name a log with --workload, or a folder that has {BLUE_HORIZON} with BOOKAHEAD_TRACES, for jobs that are not synthetic"
            ))?;
        }
        Ok(())
    }

    fn say(&self, paper: &str, done: &Reproduced, out: &Path) -> Result<()> {
        screen::line(&format!(
            "{paper}, seed {}: {}",
            self.basics.seed, done.verdicts
        ))?;
        screen::line(&format!("workload: {}", done.workload))?;
        screen::line(&format!(
            "checked: {} runs, no promise broken",
            done.runs_checked
        ))?;
        for (what, file) in [("claims", "claims.csv"), ("report", report::FILE)] {
            screen::line(&format!("{what}: {}", out.join(file).display()))?;
        }
        Ok(())
    }
}

/// The paper's log, where the folder of logs has it.
fn blue_horizon() -> Option<PathBuf> {
    let folder = std::env::var_os("BOOKAHEAD_TRACES")?;
    let file = Path::new(&folder).join(BLUE_HORIZON);
    file.is_file().then_some(file)
}
