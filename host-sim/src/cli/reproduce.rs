//! `bookahead reproduce`: the experiments of the papers.

use std::path::{Path, PathBuf};

use clap::{
    Args,
    builder::{PossibleValue, TypedValueParser},
};

use super::{
    basics::Basics,
    screen,
    values::{self, Named},
};
use crate::{
    error::{Error, Result},
    experiment::{Reproduced, SAMPLE, li, sulistio},
    report,
    workload::swf::Log,
};

/// Repeat the experiments of a paper and judge its claims
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Reproduce {
    /// The paper
    #[arg(default_value = "li", value_parser = papers())]
    paper: Paper,
    /// sulistio: the log whose first two weeks are simulated, in the Standard Workload Format, plain or gzip [default:
    /// SDSC-BLUE-2000-4-filtered.swf.gz in the folder that BOOKAHEAD_TRACES names; without that, a synthetic workload]
    #[arg(long, value_name = "FILE")]
    workload: Option<PathBuf>,
    /// Fewer jobs, points and replications: minutes become seconds, intervals become wider
    #[arg(long)]
    quick: bool,
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
    /// One that this version cannot repeat yet.
    ToCome,
}

fn papers() -> impl TypedValueParser<Value = Paper> {
    values::one_of(vec![
        values::named(
            "li",
            "reservations for parallel jobs with deadlines, 2014",
            Paper::Li,
        ),
        values::named(
            "sulistio",
            "elastic reservations beside best-effort jobs, 2007",
            Paper::Sulistio,
        ),
        values::named("all", "each in a folder of its own", Paper::All),
        to_come("netto"),
        to_come("xiao"),
        to_come("pujiyanta"),
    ])
}

fn to_come(name: &'static str) -> Named<Paper> {
    (PossibleValue::new(name).hide(true), Paper::ToCome)
}

impl Reproduce {
    /// Does it.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        if self.paper == Paper::Li && self.workload.is_some() {
            return Err(Error::Usage(
                "--workload is only for sulistio; li makes its own jobs".to_owned(),
            ));
        }
        let log = self.log()?;
        let log = log.as_deref();
        let out = basics.out();
        basics.pool(usize::MAX)?.install(|| match self.paper {
            Paper::Li => self.li(out, basics),
            Paper::ToCome => Err(Error::Usage(
                "this paper is not available in this version; li and sulistio are".to_owned(),
            )),
            Paper::Sulistio => self.sulistio(out, log, basics),
            Paper::All => {
                basics.claim(
                    out,
                    vec![format!("li/{SAMPLE}"), format!("sulistio/{SAMPLE}")],
                )?;
                self.li(&out.join("li"), basics)?;
                self.sulistio(&out.join("sulistio"), log, basics)
            }
        })
    }

    /// The log of `sulistio`, which is read before anything is begun.
    fn log(&self) -> Result<Option<PathBuf>> {
        if !matches!(self.paper, Paper::Sulistio | Paper::All) {
            return Ok(None);
        }
        let log = self.workload.clone().or_else(blue_horizon);
        if let Some(log) = &log {
            Log::read(log)?
                .records()
                .try_for_each(|record| record.map(drop))?;
        }
        Ok(log)
    }

    fn li(&self, out: &Path, basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let done = li::reproduce(self.quick, basics.seed(), out, &basics.progress())?;
        say("li", &done, &done.workload, out, basics)
    }

    fn sulistio(&self, out: &Path, log: Option<&Path>, basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let done = sulistio::reproduce(log, self.quick, basics.seed(), out, &basics.progress())?;
        let workload = &done.workload;
        let workload = match log {
            Some(_) => format!("the first two weeks of {workload}"),
            None => format!(
                "{workload}; name a log with --workload, or a folder that has {BLUE_HORIZON} with BOOKAHEAD_TRACES"
            ),
        };
        say("sulistio", &done, &workload, out, basics)
    }
}

fn say(paper: &str, done: &Reproduced, workload: &str, out: &Path, basics: &Basics) -> Result<()> {
    screen::line(&format!(
        "{paper}, seed {}: {}",
        basics.seed(),
        done.verdicts
    ))?;
    screen::line(&format!("workload: {workload}"))?;
    screen::line(&format!(
        "checked: {} runs, no promise broken",
        done.runs_checked
    ))?;
    for (what, file) in [("claims", "claims.csv"), ("report", report::FILE)] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}

/// The paper's log, where the folder of logs has it.
fn blue_horizon() -> Option<PathBuf> {
    let folder = std::env::var_os("BOOKAHEAD_TRACES")?;
    let file = Path::new(&folder).join(BLUE_HORIZON);
    file.is_file().then_some(file)
}
