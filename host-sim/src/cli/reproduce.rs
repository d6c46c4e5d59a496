//! `bookahead reproduce`: the experiments of the papers.

use std::path::{Path, PathBuf};

use clap::{Args, builder::TypedValueParser};

use super::{basics::Basics, screen, strategies, traces, values};
use crate::{
    error::{Error, Result},
    experiment::{self, PaperId, Reproduced, SAMPLE},
    manifest::{ALL, STRATEGIES},
    report::{self, words::plural},
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

const EXAMPLES: &str = "\
Samples are kept in the result folder as soon as they are made: the same command goes on where a reproduction was cut short, and what is \
finished is not made again.

Examples:
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
    part: "parts of fifteen days, 49 at most,",
};
const BLUE_HORIZON: PaperLog = PaperLog {
    file: "SDSC-BLUE-2000-4-filtered.swf.gz",
    part: "the first two weeks",
};

/// The log that a paper simulates.
const fn simulated(paper: PaperId) -> Option<PaperLog> {
    match paper {
        PaperId::Netto => Some(SP2),
        PaperId::Sulistio => Some(BLUE_HORIZON),
        PaperId::Li | PaperId::Pujiyanta | PaperId::Xiao => None,
    }
}

/// What can be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paper {
    One(PaperId),
    Strategies,
    All,
}

fn papers() -> impl TypedValueParser<Value = Paper> {
    values::one_of(vec![
        values::named(
            "li",
            "reservations for parallel jobs with deadlines, 2014",
            Paper::One(PaperId::Li),
        ),
        values::named(
            "netto",
            "flexible reservations that are juggled until they start, 2007",
            Paper::One(PaperId::Netto),
        ),
        values::named(
            "pujiyanta",
            "reservations that are shifted to the left and right, 2022",
            Paper::One(PaperId::Pujiyanta),
        ),
        values::named(
            "sulistio",
            "elastic reservations beside best-effort jobs, 2007",
            Paper::One(PaperId::Sulistio),
        ),
        values::named(
            "xiao",
            "reservations on top of others that will probably end early, on several sites",
            Paper::One(PaperId::Xiao),
        ),
        values::named(
            STRATEGIES,
            "all strategies on the same requests: what the papers have in common",
            Paper::Strategies,
        ),
        values::named(ALL, "each in a folder of its own", Paper::All),
    ])
}

impl Reproduce {
    /// Runs the experiments of the paper, or goes on with them, and says what becomes of the claims.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let takes_log = matches!(self.paper, Paper::One(paper) if simulated(paper).is_some());
        if self.workload.is_some() && !takes_log {
            return Err(Error::Usage(
                "--workload is only for netto or sulistio, one of them at a time; li, pujiyanta and xiao make their own jobs".to_owned(),
            ));
        }
        let papers: &[PaperId] = match &self.paper {
            Paper::One(paper) => std::slice::from_ref(paper),
            Paper::Strategies => &[],
            Paper::All => &PaperId::ALL,
        };
        // They are read before anything is begun.
        let logs = papers.iter().map(|paper| self.log(*paper));
        let logs: Vec<Option<PathBuf>> = logs.collect::<Result<_>>()?;
        let papers = || {
            papers
                .iter()
                .copied()
                .zip(logs.iter().map(Option::as_deref))
        };
        let out = basics.out();
        basics.pool(usize::MAX)?.install(|| match self.paper {
            Paper::One(_) => {
                papers().try_for_each(|(paper, log)| self.one(paper, log, out, basics))
            }
            Paper::Strategies => strategies::reproduce(self.quick, out, basics),
            Paper::All => {
                let runs = PaperId::ALL.map(|paper| format!("{}/{SAMPLE}", paper.name()));
                basics.claim(out, runs.to_vec(), [])?;
                for (paper, log) in papers() {
                    self.one(paper, log, &out.join(paper.name()), basics)?;
                }
                strategies::reproduce(self.quick, &out.join(STRATEGIES), basics)?;
                screen::line(&format!("reports: {}", report::build(out)?.display()))
            }
        })
    }

    /// The log that a paper uses, where there is one; one that is simulated is known to be whole.
    fn log(&self, paper: PaperId) -> Result<Option<PathBuf>> {
        let Some(log) = simulated(paper) else {
            // It calibrates.
            return Ok(SP2.find().filter(|_| paper == PaperId::Xiao));
        };
        let named = self.workload.clone().map(|file| match file.exists() {
            true => file,
            // As what a quick reproduction says of the full one names it.
            false => traces::find(&file).unwrap_or(file),
        });
        let file = named.or_else(|| log.find());
        if let Some(file) = &file {
            let log = Log::read(file)?;
            log.records().try_for_each(|record| record.map(drop))?;
        }
        Ok(file)
    }

    /// One paper with the log that it uses, where there is one.
    fn one(&self, paper: PaperId, log: Option<&Path>, out: &Path, basics: &Basics) -> Result<()> {
        let content = log.map(experiment::hash).transpose()?;
        let content = content.map(|hash| ("log", hash));
        let was_begun = basics.claim(out, vec![SAMPLE.to_owned()], content)?;
        let before = match was_begun {
            true => experiment::finished(paper, out)?,
            false => None,
        };
        let done = match before {
            Some(done) => {
                basics.note(&format!("{}: finished before", done.paper));
                done
            }
            None => {
                let kept = experiment::kept(out)?;
                if was_begun && kept > 0 {
                    let samples = plural(kept, "sample");
                    basics.note(&format!("{}: {samples} finished before", paper.name()));
                }
                let (seed, progress) = (basics.seed(), basics.progress());
                experiment::reproduce(paper, log, self.quick, seed, out, &progress)?
            }
        };
        let workload = match simulated(paper) {
            Some(simulated) => simulated.words(&done.workload, log.is_some()),
            None => done.workload.clone(),
        };
        say(&done, &workload, out, basics)
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

fn say(done: &Reproduced, workload: &str, out: &Path, basics: &Basics) -> Result<()> {
    let (paper, seed) = (done.paper, basics.seed());
    screen::line(&format!("{paper}: {}", done.citation))?;
    screen::line(&format!("{paper}, seed {seed}: {}", done.verdicts))?;
    screen::line(&done.extent)?;
    screen::line(&format!("workload: {workload}"))?;
    screen::line(&format!(
        "checked: {} runs, no contradiction in what they wrote",
        done.runs_checked
    ))?;
    for (what, file) in [("claims", "claims.csv"), ("report", report::FILE)] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}
