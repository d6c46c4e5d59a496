//! A sweep: checks its plan whole, makes what is not finished yet, and writes the tables.

use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

use rayon::prelude::*;
use serde_json::Value as Json;

use super::{
    PLAN, Program, SAMPLES, SUMMARY, Shard,
    plan::{Placed, Plan, Setting, Value},
    runs,
    tables::{self, Tables, Times},
};
use crate::{
    error::{Error, Result},
    experiment::store::{self, Run, Store},
    manifest::{Manifest, Other, SWEEP},
    output::{self, Timing},
    progress::Progress,
    report::{
        self,
        words::{grouped, plural, time},
    },
    text_file,
};

/// More points than anybody wants; a plan with more is a mistake.
const MOST_POINTS: usize = 1_000_000;

/// A plan whose options exist and go together at every point.
pub(crate) struct Sweep<'a, P: Program> {
    plan: Plan,
    program: &'a P,
    /// The options of each point that is not left out.
    points: BTreeMap<usize, P::Options>,
}

/// Where the results of a sweep go, and how much of it is made.
pub(crate) struct Destination<'a> {
    pub(crate) out: &'a Path,
    /// The share of the points to make.
    pub(crate) shard: Shard,
    /// What may happen to another experiment in the folder.
    pub(crate) other: Other,
    pub(crate) progress: Progress,
    /// Where remarks go.
    pub(crate) say: &'a (dyn Fn(&str) + Sync),
}

impl<'a, P: Program> Sweep<'a, P> {
    /// Checks the plan.
    ///
    /// # Errors
    /// Whatever is wrong with options, values, combinations or measures, each with file, line, key and what is allowed.
    pub(crate) fn new(mut plan: Plan, program: &'a P) -> Result<Self> {
        let errors = plan
            .settings
            .iter()
            .flat_map(|setting| wrong_values(&plan, setting, program));
        Error::unless_empty(errors.collect())?;
        let count = plan.grid().points().filter(|count| *count <= MOST_POINTS);
        let Some(count) = count else {
            let most = grouped(MOST_POINTS);
            let problem = format!("the axes have more than {most} combinations, expected fewer");
            return Err(plan.error(plan.run_line, "run", problem));
        };
        let checked: Vec<(usize, Result<P::Options>)> = (0..count)
            .into_par_iter()
            .filter(|point| plan.has(*point))
            .map(|point| (point, checked_point(&plan, point, program)))
            .collect();
        let mut errors: Vec<Error> = Vec::new();
        let mut points = BTreeMap::new();
        for (point, options) in checked {
            match options {
                Ok(options) => drop(points.insert(point, options)),
                Err(error) if errors.iter().any(|e| e.to_string() == error.to_string()) => {}
                Err(error) => errors.push(error),
            }
        }
        Error::unless_empty(errors)?;
        if points.is_empty() {
            let problem = "every point is left out, expected some to be run".to_owned();
            return Err(plan.error(plan.run_line, "run", problem));
        }
        plan.inputs = hashes(points.values().flat_map(|options| program.inputs(options)))?;
        Ok(Self {
            plan,
            program,
            points,
        })
    }

    /// The options of all points.
    pub(crate) fn points(&self) -> impl Iterator<Item = &P::Options> {
        self.points.values()
    }

    /// Makes the folder that of this sweep, with nothing finished in it but what was.
    ///
    /// # Errors
    /// When there is another experiment, or a file cannot be written.
    pub(crate) fn claim(&self, out: &Path, other: Other) -> Result<()> {
        begin(&self.plan, Shard::WHOLE, out, other).map(drop)
    }

    /// Makes the runs that are not finished, in parallel, and then the tables and the report. Returns how many there are.
    ///
    /// # Errors
    /// When a run fails or a file cannot be written. What was finished is kept.
    pub(crate) fn run(&self, to: &Destination<'_>) -> Result<usize> {
        let Destination { out, say, .. } = *to;
        let runs: Vec<Run> = Run::all(&self.plan, to.shard).collect();
        let store = begin(&self.plan, to.shard, out, to.other)?;
        let finished = runs.par_iter().map(|run| store.read(*run).is_some());
        let finished: Vec<bool> = finished.collect();
        let open = runs.iter().zip(finished).filter(|(_, finished)| !finished);
        let open: Vec<Run> = open.map(|(run, _)| *run).collect();
        say(&self.size(to.shard, runs.len(), open.len()));
        let mut times = Times::default();
        times.read(out);
        let bar = to.progress.bar("sweep", open.len() as u64);
        let make = |run: &Run| -> Result<(Run, Timing)> {
            let (row, timing) = self.row(*run)?;
            store.write(*run, &row)?;
            bar.tick();
            Ok((*run, timing))
        };
        if let Some((first, others)) = open.split_first() {
            let begin = Instant::now();
            let mut made = vec![make(first)?];
            if !others.is_empty() {
                say(&estimate(begin.elapsed(), others.len()));
            }
            let others: Result<Vec<_>> = others.par_iter().map(make).collect();
            made.extend(others?);
            for (run, timing) in &made {
                times.add(&self.plan, *run, timing);
            }
        }
        drop(bar);
        let rows = read_all(&store, &runs);
        match rows.1.as_slice() {
            [] => finish(&self.plan, &rows.0, &times, out).map(|()| runs.len()),
            [run, ..] => Err(Error::Internal(format!("{}: gone", run.file()))),
        }
    }

    fn row(&self, run: Run) -> Result<(String, Timing)> {
        let options = self.points.get(&run.point);
        let options = options.ok_or_else(|| Error::Internal("no such point".to_owned()))?;
        let seed = self.plan.seed_of(run.replication);
        let (metrics, timing) = self
            .program
            .run(options, seed)
            .map_err(|error| match error {
                Error::Usage(problem) => {
                    Error::Usage(format!("{}: {problem}", run.describe(&self.plan)))
                }
                other => other,
            })?;
        let row = tables::row(&self.plan, run, &metrics, self.program)?;
        Ok((row, timing))
    }

    fn size(&self, shard: Shard, runs: usize, open: usize) -> String {
        let points = plural(self.points.len(), "point");
        let replications = plural(self.plan.replications as usize, "replication");
        let share = match shard.is_part() {
            true => format!(", of which shard {shard} has"),
            false => ":".to_owned(),
        };
        let finished = match runs - open {
            0 => String::new(),
            finished => format!(", {} of them finished before", grouped(finished)),
        };
        format!(
            "{points} of {replications}{share} {}{finished}",
            plural(runs, "run")
        )
    }
}

/// What tells the content of files from others, each file once.
fn hashes<'f>(files: impl Iterator<Item = &'f Path>) -> Result<Vec<String>> {
    let mut known: Vec<&Path> = Vec::new();
    for file in files {
        if !known.contains(&file) {
            known.push(file);
        }
    }
    known.iter().map(|file| store::hash(file)).collect()
}

/// What may be printed and is in no file: other machines take other times.
fn estimate(one: Duration, others: usize) -> String {
    let threads = rayon::current_num_threads();
    let rest = one.as_secs_f64() * others as f64 / threads as f64;
    format!(
        "the first run took {}: about {} for the others on {}",
        time(one.as_secs_f64()),
        time(rest),
        plural(threads, "thread")
    )
}

/// Makes the folder that of this sweep. Nothing looks finished from then on that is not; finished runs stay.
pub(super) fn begin<'a>(
    plan: &Plan,
    shard: Shard,
    out: &'a Path,
    other: Other,
) -> Result<Store<'a>> {
    let mut options = plan.experiment();
    if shard.is_part() {
        options.insert("shard".to_owned(), shard.to_string().into());
    }
    let runs = Run::all(plan, shard).map(Run::file);
    Manifest::new(SWEEP, options, runs.collect()).claim(out, other)?;
    let store = runs::store(out, plan);
    store.prepare()?;
    for name in [report::FILE, SUMMARY, SAMPLES] {
        output::remove(&out.join(name))?;
    }
    text_file::write(&out.join(PLAN), |file| file.write_all(plan.text.as_bytes()))?;
    Ok(store)
}

/// The rows of the finished runs, and the runs that have none.
pub(super) fn read_all(store: &Store<'_>, runs: &[Run]) -> (Vec<(Run, String)>, Vec<Run>) {
    let read = runs
        .par_iter()
        .map(|run| store.read(*run).map(|row| (*run, row)).ok_or(*run));
    read.partition_map(|row| match row {
        Ok(row) => rayon::iter::Either::Left(row),
        Err(run) => rayon::iter::Either::Right(run),
    })
}

/// Writes the tables and the reports.
pub(super) fn finish(plan: &Plan, rows: &[(Run, String)], times: &Times, out: &Path) -> Result<()> {
    Tables::new(plan, rows)?.write(out)?;
    times.write(plan, rows, out)?;
    report::build(out).map(drop)
}

fn wrong_values<P: Program>(plan: &Plan, setting: &Setting, program: &P) -> Vec<Error> {
    let Setting { key, line, .. } = setting;
    let option = setting.option();
    let Some(kind) = program.kind(&option).filter(|_| !key.contains('-')) else {
        return vec![plan.error(Some(*line), key, unknown(key, program))];
    };
    let wrong = |value: &Placed<Value>| {
        let problem = match &value.value {
            Value::Flag(_) if !kind.is_flag => {
                Some(format!("found {}, expected a value", value.value))
            }
            Value::Text(_) if !kind.takes_value => {
                Some(format!("found {}, expected true or false", value.value))
            }
            Value::Text(text) if kind.is_list && (text == "all" || text.contains(',')) => {
                Some(format!(
                    "found {text:?}, expected one value, or a list such as [\"a\", \"b\"] with each value of an axis"
                ))
            }
            value => program.check(&option, value).err(),
        };
        problem.map(|problem| plan.error(Some(value.line), key, problem))
    };
    setting.values.iter().filter_map(wrong).collect()
}

fn unknown<P: Program>(key: &str, program: &P) -> String {
    if key == "seed" {
        return "unknown, expected the seed at the top of the plan, before [run]".to_owned();
    }
    let mut keys: Vec<String> = program.names();
    keys.iter_mut()
        .for_each(|name| *name = name.replace('-', "_"));
    keys.sort();
    format!("unknown, expected one of {}", keys.join(", "))
}

fn checked_point<P: Program>(plan: &Plan, point: usize, program: &P) -> Result<P::Options> {
    let given: Vec<(String, Value)> = plan
        .at(point)
        .map(|(setting, value)| (setting.option(), value.value.clone()))
        .collect();
    let folder = plan.file.parent().unwrap_or(Path::new(""));
    let options = program
        .options(&given, folder)
        .map_err(|error| placed(plan, point, error))?;
    let outline = program.outline(&options)?;
    let errors = plan.measures.iter().filter_map(|measure| {
        let problem = wrong_measure(&measure.value, &outline, program)?;
        Some(plan.error(Some(measure.line), "measures", problem))
    });
    Error::unless_empty(errors.collect())?;
    Ok(options)
}

/// What is wrong with the options of a point, at the first of them that the message names.
fn placed(plan: &Plan, point: usize, error: Error) -> Error {
    let Error::Usage(problem) = error else {
        return error;
    };
    let named = plan.at(point).filter_map(|(setting, value)| {
        let option = format!("--{}", setting.option());
        let words = problem.match_indices(&option);
        let ends = |at: usize| {
            !problem[at + option.len()..].starts_with(|c: char| c == '-' || c.is_alphanumeric())
        };
        let at = words.map(|(at, _)| at).find(|at| ends(*at))?;
        Some((at, setting.key.as_str(), value.line))
    });
    match named.min() {
        Some((_, key, line)) => plan.error(Some(line), key, problem),
        None => plan.error(plan.run_line, "run", problem),
    }
}

fn wrong_measure<P: Program>(measure: &str, outline: &Json, program: &P) -> Option<String> {
    let reason = measure.strip_prefix("refusals.");
    match tables::find(outline, measure) {
        Some(Json::Number(_) | Json::Null) => None,
        Some(Json::Object(_)) => Some(format!(
            "found {measure}, which is a group, expected one of its keys, such as {measure}.{}",
            if measure == "refusals" {
                "no-room"
            } else {
                "p50"
            }
        )),
        Some(_) => Some(format!("found {measure}, which is no number")),
        None if reason.is_some_and(|reason| program.is_reason(reason)) => None,
        None => {
            let mut names = Vec::new();
            numbers("", outline, &mut names);
            let names = names.join(", ");
            Some(format!(
                "found {measure}, expected a number of metrics.json: {names}, refusals.REASON"
            ))
        }
    }
}

/// The names of all numbers.
fn numbers(prefix: &str, value: &Json, names: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        match value {
            Json::Number(_) | Json::Null => names.push(format!("{prefix}{key}")),
            value => numbers(&format!("{prefix}{key}."), value, names),
        }
    }
}
