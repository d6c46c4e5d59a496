//! `bookahead reproduce`: the experiments of the papers.

use std::path::{Path, PathBuf};

use clap::{Args, builder::TypedValueParser};

use super::{basics::Basics, screen, strategies, traces, values};
use crate::{
    error::{Error, Result},
    experiment::{Reproduced, SAMPLE, li, netto, pujiyanta, sulistio, xiao},
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
    /// netto, sulistio: the log that is simulated, in the Standard Workload Format, plain or gzip [default:
    /// SDSC-SP2-1998-4-filtered.swf.gz or SDSC-BLUE-2000-4-filtered.swf.gz in the folder that BOOKAHEAD_TRACES names; without that, a
    /// synthetic workload]
    #[arg(long, value_name = "FILE")]
    workload: Option<PathBuf>,
    /// Fewer jobs, points and replications: minutes become seconds, intervals become wider
    #[arg(long)]
    quick: bool,
}

const EXAMPLES: &str = "Examples:
  bookahead reproduce --quick
  bookahead reproduce li --out li-results
  bookahead reproduce netto --workload SDSC-SP2-1998-4.2-cln.swf.gz
  bookahead reproduce pujiyanta
  bookahead reproduce xiao --quick
  bookahead reproduce sulistio --workload SDSC-BLUE-2000-4.2-cln.swf.gz";

/// A log that a paper uses.
#[derive(Clone, Copy)]
struct PaperLog {
    /// Its name in a folder of logs.
    file: &'static str,
    /// What is used of it.
    part: &'static str,
}

const SP2: PaperLog = PaperLog {
    file: "SDSC-SP2-1998-4-filtered.swf.gz",
    part: "49 parts of fifteen days",
};
const BLUE_HORIZON: PaperLog = PaperLog {
    file: "SDSC-BLUE-2000-4-filtered.swf.gz",
    part: "the first two weeks",
};

/// A paper whose experiments can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paper {
    Li,
    Netto,
    Pujiyanta,
    Sulistio,
    Xiao,
    Strategies,
    All,
}

fn papers() -> impl TypedValueParser<Value = Paper> {
    values::one_of(vec![
        values::named(
            "li",
            "reservations for parallel jobs with deadlines, 2014",
            Paper::Li,
        ),
        values::named(
            "netto",
            "flexible reservations that are juggled until they start, 2007",
            Paper::Netto,
        ),
        values::named(
            "pujiyanta",
            "reservations that are shifted to the left and right, 2022",
            Paper::Pujiyanta,
        ),
        values::named(
            "sulistio",
            "elastic reservations beside best-effort jobs, 2007",
            Paper::Sulistio,
        ),
        values::named(
            "xiao",
            "reservations on top of others that will probably end early, on several sites",
            Paper::Xiao,
        ),
        values::named(
            "strategies",
            "all strategies on the same requests: what the papers have in common",
            Paper::Strategies,
        ),
        values::named("all", "each in a folder of its own", Paper::All),
    ])
}

impl Reproduce {
    /// Does it.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let of_one = matches!(self.paper, Paper::Netto | Paper::Sulistio);
        if self.workload.is_some() && !of_one {
            return Err(Error::Usage(
                "--workload is only for netto or sulistio, one of them at a time; li, pujiyanta and xiao make their own jobs".to_owned(),
            ));
        }
        let logs = self.logs()?;
        let out = basics.out();
        basics.pool(usize::MAX)?.install(|| match self.paper {
            Paper::Li => self.li(out, basics),
            Paper::Pujiyanta => self.pujiyanta(out, basics),
            Paper::Netto => self.netto(out, &logs, basics),
            Paper::Sulistio => self.sulistio(out, &logs, basics),
            Paper::Xiao => self.xiao(out, basics),
            Paper::Strategies => strategies::reproduce(self.quick, out, basics),
            Paper::All => {
                let runs = ["li", "netto", "pujiyanta", "sulistio", "xiao"];
                let runs = runs.map(|paper| format!("{paper}/{SAMPLE}"));
                basics.claim(out, runs.to_vec())?;
                self.li(&out.join("li"), basics)?;
                self.netto(&out.join("netto"), &logs, basics)?;
                self.pujiyanta(&out.join("pujiyanta"), basics)?;
                self.sulistio(&out.join("sulistio"), &logs, basics)?;
                self.xiao(&out.join("xiao"), basics)?;
                strategies::reproduce(self.quick, &out.join("strategies"), basics)
            }
        })
    }

    /// The logs of `netto` and `sulistio`, which are read before anything is begun.
    fn logs(&self) -> Result<[Option<PathBuf>; 2]> {
        let log = |paper, log: PaperLog| {
            let needed = [paper, Paper::All].contains(&self.paper);
            let file = self.workload.clone().or_else(|| log.find());
            let file = file.filter(|_| needed);
            if let Some(file) = &file {
                Log::read(file)?
                    .records()
                    .try_for_each(|record| record.map(drop))?;
            }
            Ok(file)
        };
        Ok([log(Paper::Netto, SP2)?, log(Paper::Sulistio, BLUE_HORIZON)?])
    }

    fn li(&self, out: &Path, basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let done = li::reproduce(self.quick, basics.seed(), out, &basics.progress())?;
        say("li", &done, &done.workload, out, basics)
    }

    fn pujiyanta(&self, out: &Path, basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let done = pujiyanta::reproduce(self.quick, basics.seed(), out, &basics.progress())?;
        say("pujiyanta", &done, &done.workload, out, basics)
    }

    /// The log of `netto`, where it is, calibrates.
    fn xiao(&self, out: &Path, basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let (seed, progress) = (basics.seed(), basics.progress());
        let log = SP2.find();
        let done = xiao::reproduce(log.as_deref(), self.quick, seed, out, &progress)?;
        say("xiao", &done, &done.workload, out, basics)
    }

    fn netto(&self, out: &Path, [log, _]: &[Option<PathBuf>; 2], basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let (seed, progress) = (basics.seed(), basics.progress());
        let done = netto::reproduce(log.as_deref(), self.quick, seed, out, &progress)?;
        let workload = SP2.words(&done.workload, log.is_some());
        say("netto", &done, &workload, out, basics)
    }

    fn sulistio(&self, out: &Path, [_, log]: &[Option<PathBuf>; 2], basics: &Basics) -> Result<()> {
        basics.claim(out, vec![SAMPLE.to_owned()])?;
        let (seed, progress) = (basics.seed(), basics.progress());
        let done = sulistio::reproduce(log.as_deref(), self.quick, seed, out, &progress)?;
        let workload = BLUE_HORIZON.words(&done.workload, log.is_some());
        say("sulistio", &done, &workload, out, basics)
    }
}

impl PaperLog {
    /// The log, where the folder of logs has it.
    fn find(self) -> Option<PathBuf> {
        traces::find(Path::new(self.file))
    }

    /// What was simulated.
    fn words(self, workload: &str, is_log: bool) -> String {
        let Self { file, part } = self;
        match is_log {
            true => format!("{part} of {workload}"),
            false => format!(
                "{workload}; name a log with --workload, or a folder that has {file} with BOOKAHEAD_TRACES"
            ),
        }
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
