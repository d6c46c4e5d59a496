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
    part: "49 parts of fifteen days",
};
const BLUE_HORIZON: PaperLog = PaperLog {
    file: "SDSC-BLUE-2000-4-filtered.swf.gz",
    part: "the first two weeks",
};

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
        let of_one = [PaperId::Netto, PaperId::Sulistio].map(Paper::One);
        if self.workload.is_some() && !of_one.contains(&self.paper) {
            return Err(Error::Usage(
                "--workload is only for netto or sulistio, one of them at a time; li, pujiyanta and xiao make their own jobs".to_owned(),
            ));
        }
        let [sp2, blue_horizon] = self.logs()?;
        // Where it is, it calibrates `xiao`.
        let calibrating = SP2.find();
        let out = basics.out();
        let one = |paper, out: &Path| {
            let log = match paper {
                PaperId::Netto => &sp2,
                PaperId::Sulistio => &blue_horizon,
                PaperId::Xiao => &calibrating,
                PaperId::Li | PaperId::Pujiyanta => &None,
            };
            self.one(paper, log.as_deref(), out, basics)
        };
        basics.pool(usize::MAX)?.install(|| match self.paper {
            Paper::One(paper) => one(paper, out),
            Paper::Strategies => strategies::reproduce(self.quick, out, basics),
            Paper::All => {
                let runs = PaperId::ALL.map(|paper| format!("{}/{SAMPLE}", paper.name()));
                basics.claim(out, runs.to_vec(), [])?;
                for paper in PaperId::ALL {
                    one(paper, &out.join(paper.name()))?;
                }
                strategies::reproduce(self.quick, &out.join(STRATEGIES), basics)?;
                screen::line(&format!("reports: {}", report::build(out)?.display()))
            }
        })
    }

    /// The logs of `netto` and `sulistio`, which are read before anything is begun.
    fn logs(&self) -> Result<[Option<PathBuf>; 2]> {
        let log = |paper, log: PaperLog| {
            let needed = [Paper::One(paper), Paper::All].contains(&self.paper);
            let file = self.workload.clone().or_else(|| log.find());
            let file = file.filter(|_| needed);
            if let Some(file) = &file {
                Log::read(file)?
                    .records()
                    .try_for_each(|record| record.map(drop))?;
            }
            Ok(file)
        };
        Ok([
            log(PaperId::Netto, SP2)?,
            log(PaperId::Sulistio, BLUE_HORIZON)?,
        ])
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
        let workload = match paper {
            PaperId::Netto => SP2.words(&done.workload, log.is_some()),
            PaperId::Sulistio => BLUE_HORIZON.words(&done.workload, log.is_some()),
            PaperId::Li | PaperId::Pujiyanta | PaperId::Xiao => done.workload.clone(),
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
        "checked: {} runs, no promise broken",
        done.runs_checked
    ))?;
    for (what, file) in [("claims", "claims.csv"), ("report", report::FILE)] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}
