//! `bookahead sweep` and `bookahead merge`: parameter grids.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Instant,
};

use bookahead::{Refusal, UsageError};
use clap::{
    Args, Command, FromArgMatches,
    error::{ContextKind, ContextValue, ErrorKind},
};
use serde::Deserialize;
use serde_json::Value as Json;

use super::{
    basics::Basics,
    doubts::{Doubts, Refused},
    sbatch::Sbatch,
    screen,
    simulate::Simulate,
    sweep_table,
};
use crate::{
    arrivals::{Arrivals, Outline},
    check,
    engine::{self, Reason, Story, System},
    error::{Error, Result},
    experiment::sweep::{self, Destination, Kind, Plan, Program, Sampled, Shard, Value},
    manifest::Manifest,
    operation::Script,
    output::{self, RunInfo, Timing},
    report::{
        self,
        differences::{self, DIFFERENCES},
        words::{Setting, plural},
    },
    several::Refuser,
};

/// Run simulate over a grid of its options, with replications
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Sweep {
    /// The plan
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// The share of the points to run: number I of N, counted from 1; merge puts the shards together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    sbatch: Sbatch,
}

const MORE: &str = "\
A plan says what to measure and sets long options of simulate, with _ for -; a list is an axis, and every combination of the axes is \
a point:

  seed = 1
  replications = 10
  measures = [\"acceptance_rate\", \"refusals.no-room\"]  # keys of metrics.json

  [run]
  workload = \"lublin\"              # a file is looked for beside the plan
  jobs = 2000
  umed = [5, 7, 9]
  policy = [\"first-fit\", \"pe-worst-fit\"]

compare = \"policy\" above [run] has differences.csv and the report say how the values of that axis differ, pair by pair (on the same requests, unless the axis is about jobs or requests); with \
parts = \"skip\" beside it, the values of that one are parts of a log, and the intervals are over these.

A table [[exclude]] behind [run] leaves out the points that have its values, such as strategy = \"overlay\" and binding = \"early\". \
In a list, false is a run without the option, such as quota = [false, \"limits.toml\"], and without what says more of it, such as mttr of mtbf. An option that only some strategies of the plan have is nothing to the others; where it is an axis, [[exclude]] says which one of their points is run.

Replication k has the seed of the plan + k - 1 at every point, so that points differ in nothing else. Results are samples.csv, \
summary.csv (means with 95 % confidence intervals) and report.html. What is finished is kept in the result folder: the same command \
goes on where a sweep was cut short. Threads and shards change no byte. Every run is judged as check judges result files; a violation ends the sweep.

Examples:
  bookahead sweep plan.toml --out grid
  bookahead sweep plan.toml --shard 1/2 --out one
  bookahead sweep plan.toml --shard 2/2 --out two
  bookahead merge one two --out grid
  bookahead sweep plan.toml --sbatch --tasks 8 --out grid";

/// Put the shards of a sweep together
#[derive(Args, Debug)]
#[command(after_help = MERGE)]
pub(super) struct Merge {
    /// Folders of shards
    #[arg(value_name = "SHARD-DIR", required = true)]
    shards: Vec<PathBuf>,
}

const MERGE: &str = "\
The result has the bytes of the sweep in one piece. Exit status 1 if a run is missing, which is named; nothing is written then.

Example:
  bookahead merge one two --out grid";

impl Sweep {
    /// Runs the points of the plan that are not finished, and writes the tables.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let plan = Plan::read(&self.plan)?;
        plan.check_seed(basics.given_seed())?;
        self.sbatch.check()?;
        if self.sbatch.sbatch {
            return self.as_jobs(plan, basics);
        }
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        run(plan, shard, basics.out(), basics)?;
        written(basics)
    }
}

impl Sweep {
    /// Leaves the runs to Slurm.
    fn as_jobs(&self, plan: Plan, basics: &Basics) -> Result<()> {
        if self.shard.is_some() {
            let problem = "--shard: with --sbatch every job of the array has a shard of its own";
            return Err(Error::Usage(problem.to_owned()));
        }
        let program = Simulations::new();
        let sweep = sweep::Sweep::new(plan.clone(), &program)?;
        let from = (self.plan.as_path(), &plan);
        self.sbatch.run(from, &sweep, basics)
    }
}

/// Makes a whole sweep. Returns how many runs it has.
pub(super) fn make(plan: Plan, out: &Path, basics: &Basics) -> Result<usize> {
    run(plan, Shard::WHOLE, out, basics)
}

fn run(plan: Plan, shard: Shard, out: &Path, basics: &Basics) -> Result<usize> {
    let program = Simulations::new();
    let runs = compare(&program, plan, shard, out, basics);
    // Of those that were made before an error, too.
    program.doubts.warn();
    runs
}

/// Runs a program as a plan says, and writes the tables.
pub(super) fn compare<P: Program>(
    program: &P,
    plan: Plan,
    shard: Shard,
    out: &Path,
    basics: &Basics,
) -> Result<usize> {
    let sweep = sweep::Sweep::new(plan, program)?;
    let destination = Destination {
        out,
        shard,
        other: basics.other(),
        progress: basics.progress(),
        say: &|text| basics.note(text),
    };
    let pool = basics.pool(sweep.at_a_time)?;
    pool.install(|| sweep.run(&destination))
}

impl Merge {
    /// Puts the shards together and writes the tables.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let busy = basics.progress().busy("putting the shards together");
        let runs = sweep::merge(&self.shards, basics.out(), basics.other())?;
        drop(busy);
        basics.note(&format!(
            "{} merged; warnings are told where runs are made, not here",
            plural(runs, "run")
        ));
        written(basics)
    }
}

/// Shows what the sweep comes to, and where it is.
pub(super) fn written(basics: &Basics) -> Result<()> {
    let out = basics.out();
    if let Some(manifest) = Manifest::read(out)? {
        if let Some(summary) = report::sweep::read(out, &manifest)? {
            let heading = match summary.has_intervals() {
                true => "means over replications",
                false => "one replication of each point",
            };
            basics.table(|out| sweep_table::print(heading, &summary, sweep::SUMMARY, out))?;
        }
        let differences = differences::read(out, &manifest)?.unwrap_or_default();
        let plan = Plan::of(out, &manifest)?;
        if let Some(axis) = plan.compares()
            && let Some((first, summary)) = differences::from_first(&differences, axis)
        {
            let heading = format!("differences from {first}, pair by pair");
            basics.table(|out| sweep_table::print(&heading, &summary, DIFFERENCES, out))?;
        }
    }
    for (what, file) in [
        ("samples", sweep::SAMPLES),
        ("summary", sweep::SUMMARY),
        ("report", report::FILE),
    ] {
        screen::line(&format!("{what}: {}", out.join(file).display()))?;
    }
    Ok(())
}

/// `simulate` by its options.
struct Simulations {
    command: Command,
    /// Copies of it, each of which one thread at a time parses with: to make one takes longer than to parse.
    copies: Mutex<Vec<Command>>,
    doubts: Doubts,
}

/// A simulation whose options go together.
struct Simulation {
    options: Simulate,
    system: System,
    /// How many of its kind fit into memory.
    at_a_time: usize,
    /// Options that say nothing here, and why.
    idle: Vec<String>,
}

/// Options that say nothing without another one.
const NEEDS: [(&str, &str); 10] = [
    ("mttr", "mtbf"),
    ("failure-shape", "mtbf"),
    ("min-run", "preempt"),
    ("price-factor", "price"),
    ("prefer", "layout"),
    ("relocate", "layout"),
    ("by-node", "layout"),
    ("within", "layout"),
    ("within", "by-node"),
    ("redundancy", "sites"),
];

impl Simulations {
    fn new() -> Self {
        let command = Command::new("simulate")
            .no_binary_name(true)
            .disable_help_flag(true);
        let mut command = Simulate::augment_args(command);
        command.build();
        Self {
            command,
            copies: Mutex::default(),
            doubts: Doubts::new(Setting::Key),
        }
    }

    fn parse(&self, given: &[(String, Value)]) -> std::result::Result<Simulate, clap::Error> {
        let arguments = given.iter().filter_map(|(name, value)| match value {
            Value::Flag(false) => None,
            Value::Flag(true) => Some(format!("--{name}")),
            Value::Text(text) => Some(format!("--{name}={text}")),
        });
        let copies = || self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = copies().pop();
        let mut copy = copy.unwrap_or_else(|| self.command.clone());
        let matches = copy.try_get_matches_from_mut(arguments);
        copies().push(copy);
        Simulate::from_arg_matches(&matches?)
    }
}

impl Program for Simulations {
    type Options = Simulation;

    fn names(&self) -> Vec<String> {
        let names = self
            .command
            .get_arguments()
            .filter_map(|option| option.get_long());
        names.map(str::to_owned).collect()
    }

    fn kind(&self, name: &str) -> Option<Kind> {
        let mut options = self.command.get_arguments();
        let option = options.find(|option| option.get_long() == Some(name))?;
        let takes_value = option.get_action().takes_values();
        let values = option.get_num_args();
        Some(Kind {
            is_flag: !takes_value || values.is_some_and(|values| values.min_values() == 0),
            takes_value,
            is_list: option.get_value_delimiter().is_some(),
        })
    }

    fn check(&self, name: &str, value: &Value) -> std::result::Result<(), String> {
        let error = self.parse(&[(name.to_owned(), value.clone())]).err();
        // Whether it goes together with others is another question.
        let problem = error.and_then(|error| what_is_expected(&error));
        let found = match value {
            Value::Text(text) if text.is_empty() => "nothing".to_owned(),
            value => value.to_string(),
        };
        problem.map_or(Ok(()), |problem| Err(format!("found {found}, {problem}")))
    }

    fn options(&self, given: &[(String, Value)], folder: &Path) -> Result<Simulation> {
        // Where a plan has a run without an option, so is what says more of it.
        let is_off = |name: &str| given.contains(&(name.to_owned(), Value::Flag(false)));
        let is_idle = |name: &str| {
            NEEDS
                .into_iter()
                .find(|(idle, needed)| *idle == name && is_off(needed))
        };
        let idle = given.iter().filter_map(|(name, _)| is_idle(name));
        let idle = idle.map(|(idle, needed)| format!("--{idle} is only for --{needed}"));
        let idle: Vec<String> = idle.collect();
        let given: Vec<_> = given
            .iter()
            .filter(|(name, _)| is_idle(name).is_none())
            .cloned()
            .collect();
        let mut options = self.parse(&given).map_err(|error| {
            let text = error.to_string();
            let said = text.split("\n\n").next().unwrap_or_default();
            let said: Vec<&str> = said
                .split_whitespace()
                .skip_while(|word| *word == "error:")
                .collect();
            Error::Usage(said.join(" "))
        })?;
        options.relative_to(folder);
        let (systems, at_a_time) = options.check()?;
        match <[System; 1]>::try_from(systems) {
            Ok([system]) => Ok(Simulation {
                options,
                system,
                at_a_time,
                idle,
            }),
            Err(_) => Err(Error::Usage(
                "--strategy and --policy name several systems, expected one at each point"
                    .to_owned(),
            )),
        }
    }

    fn idle(&self, options: &Simulation) -> Vec<String> {
        let own = options.options.idle();
        own.chain(options.idle.iter().cloned()).collect()
    }

    fn inputs<'o>(&'o self, options: &'o Simulation) -> Vec<&'o Path> {
        options.options.files().collect()
    }

    fn at_a_time(&self, options: &Simulation) -> usize {
        options.at_a_time
    }

    fn bytes(&self, options: &Simulation) -> u64 {
        let bytes = options.system.bytes(&Arrivals::NONE);
        bytes.map_or(u64::MAX, |bytes| bytes as u64)
    }

    fn outline(&self, options: &Simulation) -> Result<Json> {
        numbers(&options.system, String::new(), 0, &Story::default())
    }

    fn counts(&self, options: &Simulation, measure: &str) -> bool {
        counts(&options.system, measure)
    }

    fn run(&self, options: &Simulation, sampled: &Sampled<'_>) -> Result<(Json, Timing)> {
        let input = options.options.prepare(sampled.seed())?;
        self.doubts.log(input.requests.jobs.losses.as_ref());
        let script = input.script()?;
        // The one of the options, with the seed of the replication.
        let system = input.systems.into_iter().next();
        let system = system.unwrap_or_else(|| options.system.clone());
        measured(
            &system,
            (&script, &self.doubts),
            input.requests.jobs.name,
            sampled,
        )
    }
}

/// Whether a measure counts refusals for a reason that there is, or by somebody who may refuse in a run of such a system.
pub(super) fn counts(system: &System, measure: &str) -> bool {
    match measure.split_once('.') {
        Some(("refusals", name)) => is_reason(name),
        Some(("refused_by", name)) if system.joins() => {
            let by = match name {
                "none" => "",
                name => name,
            };
            !name.is_empty() && Refuser::parse(by, &system.quotas, &system.resources).is_some()
        }
        _ => false,
    }
}

fn is_reason(name: &str) -> bool {
    let json = Json::from(name);
    Refusal::deserialize(&json).is_ok()
        || UsageError::deserialize(&json).is_ok()
        || name == Reason::LostToRounding.name()
}

/// What metrics.json says of a run that is judged as check judges files, and how fast it went.
pub(super) fn measured(
    system: &System,
    (script, doubts): (&Script, &Doubts),
    workload: String,
    sampled: &Sampled<'_>,
) -> Result<(Json, Timing)> {
    let begin = Instant::now();
    let story = engine::replay(system, script, &|| {})?;
    let timing = Timing::new(story.outcomes.len(), begin.elapsed());
    broken(&check::story(system, &story))?;
    let metrics = numbers(system, workload, sampled.seed(), &story)?;
    let count = |number: &Json| number.as_u64().unwrap_or(0) as usize;
    let [refusals, queued] = ["refusals", "best_effort_refusals"].map(|key| &metrics[key]);
    let all = refusals.as_object().into_iter().flatten();
    let refused = Refused::of(
        |reason| count(&refusals[reason]),
        |reason| count(&queued[reason]),
        count(&metrics["lost_to_rounding"]),
        all.map(|(_, number)| count(number)).sum(),
    );
    let outline = Outline::of_all(&script.demands, system.longer());
    let arrivals = Arrivals::of(script, &outline);
    doubts.see(system, &arrivals, refused, Some(sampled))?;
    Ok((metrics, timing))
}

/// What metrics.json says of a run, with nothing where it only says something of users.
fn numbers(system: &System, workload: String, seed: u64, story: &Story) -> Result<Json> {
    let mut metrics = output::metrics(&info(system.clone(), workload, seed), story)?;
    if let Json::Object(entries) = &mut metrics {
        entries.entry("fairness").or_insert(Json::Null);
        if !system.quotas.is_empty() {
            entries.entry("principal_fairness").or_insert(Json::Null);
        }
    }
    Ok(metrics)
}

/// An error for a run in which something is wrong: nothing that it shows is worth reading.
fn broken(found: &[check::Violation]) -> Result<()> {
    match found {
        [] => Ok(()),
        [first, ..] => Err(Error::Violated(format!(
            "{}, the first: {first}",
            plural(found.len(), "violation")
        ))),
    }
}

pub(super) fn info(system: System, workload: String, seed: u64) -> RunInfo {
    RunInfo {
        system,
        workload,
        seed,
    }
}

/// What an option takes, if the error is about a value of it.
fn what_is_expected(error: &clap::Error) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidValue => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(names)) if names.is_empty() => {
                Some("expected a value, or false for a run without the option".to_owned())
            }
            Some(ContextValue::Strings(names)) => {
                let names = names.iter().filter(|name| *name != "all");
                let names: Vec<&str> = names.map(String::as_str).collect();
                Some(format!("expected one of {}", names.join(", ")))
            }
            _ => Some("expected another value".to_owned()),
        },
        ErrorKind::ValueValidation => {
            let source = std::error::Error::source(error);
            Some(source.map_or_else(|| error.to_string(), ToString::to_string))
        }
        _ => None,
    }
}
