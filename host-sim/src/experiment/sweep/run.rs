//! A sweep: checks its plan whole, makes what is not finished yet, and writes the tables.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rayon::prelude::*;
use serde_json::Value as Json;

use super::{
    PLAN, Program, SAMPLES, SUMMARY, Shard,
    plan::{KEYS, Placed, Plan, Setting, Value},
    runs::{self, Sampled},
    tables,
};
use crate::{
    error::{Error, Result},
    experiment::store::{self, Run, Store},
    manifest::{Manifest, Other, Runs, SWEEP},
    output,
    progress::Progress,
    report::{
        self,
        differences::DIFFERENCES,
        words::{grouped, plural, time},
    },
    text_file, toml_text,
};

/// More points than anybody wants; a plan with more is a mistake.
const MOST_POINTS: usize = 1_000_000;

/// A plan whose options exist and go together at every point.
pub(crate) struct Sweep<'a, P: Program> {
    plan: Plan,
    program: &'a P,
    /// How many points are not left out.
    pub(crate) points: usize,
    /// How many runs fit into memory at a time.
    pub(crate) at_a_time: usize,
    /// The point that needs most, the last of these, and its options.
    largest: (usize, P::Options),
}

/// What is known of some points; their options are made again for each run, since a million of them would not fit into memory.
struct Checked<O> {
    points: usize,
    at_a_time: usize,
    /// How many bytes the point takes that needs most, and its options.
    largest: Option<(u64, (usize, O))>,
    /// Files that are read, in the order in which points name them.
    inputs: Vec<PathBuf>,
    /// What is wrong at each of them: measures that none of them has, and options without an effect on any. Nothing where no options are right.
    everywhere: Option<Wrong>,
    errors: Vec<Error>,
}

/// What is to be said of lines and keys of the plan.
type Wrong = BTreeMap<(u64, String), Error>;

impl<O> Checked<O> {
    fn nothing() -> Self {
        Self {
            points: 0,
            at_a_time: usize::MAX,
            largest: None,
            inputs: Vec::new(),
            everywhere: None,
            errors: Vec::new(),
        }
    }

    fn of<P: Program<Options = O>>(plan: &Plan, point: usize, program: &P) -> Self {
        let mut checked = Self {
            points: 1,
            ..Self::nothing()
        };
        match checked_point(plan, point, program) {
            Ok((options, everywhere)) => {
                checked.everywhere = Some(everywhere);
                checked.at_a_time = program.at_a_time(&options);
                let inputs = program.inputs(&options).into_iter();
                checked.inputs = inputs.map(Path::to_owned).collect();
                checked.largest = Some((program.bytes(&options), (point, options)));
            }
            Err(error) => checked.errors.push(error),
        }
        checked
    }

    /// These points and then those.
    fn and(mut self, other: Self) -> Self {
        for input in other.inputs {
            if !self.inputs.contains(&input) {
                self.inputs.push(input);
            }
        }
        for error in other.errors {
            if !self
                .errors
                .iter()
                .any(|e| e.to_string() == error.to_string())
            {
                self.errors.push(error);
            }
        }
        let both = self.largest.into_iter().chain(other.largest);
        let everywhere = match (self.everywhere, other.everywhere) {
            (Some(everywhere), Some(mut other)) => {
                let both = everywhere.into_iter().filter_map(|(place, here)| {
                    let there = other.remove(&place)?;
                    // Of two points, what the one says that knows more of it.
                    let knows_more = here.to_string().len() >= there.to_string().len();
                    Some((place, if knows_more { here } else { there }))
                });
                Some(both.collect())
            }
            (everywhere, other) => everywhere.or(other),
        };
        Self {
            everywhere,
            points: self.points + other.points,
            at_a_time: self.at_a_time.min(other.at_a_time),
            largest: both.max_by_key(|(bytes, _)| *bytes),
            ..self
        }
    }
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
        let checked = (0..count)
            .into_par_iter()
            .filter(|point| plan.has(*point, Shard::WHOLE))
            .map(|point| Checked::of(&plan, point, program))
            .reduce(Checked::nothing, Checked::and);
        let everywhere = checked.everywhere.into_iter();
        let everywhere = everywhere.flat_map(BTreeMap::into_values);
        Error::unless_empty(checked.errors.into_iter().chain(everywhere).collect())?;
        let Some((_, largest)) = checked.largest else {
            let problem = "every point is left out, expected some to be run".to_owned();
            return Err(plan.error(plan.run_line, "run", problem));
        };
        let inputs = checked.inputs.iter().map(|file| store::hash(file));
        plan.inputs = inputs.collect::<Result<_>>()?;
        Ok(Self {
            plan,
            program,
            points: checked.points,
            at_a_time: checked.at_a_time,
            largest,
        })
    }

    /// Makes the folder that of this sweep, with nothing finished in it but what was.
    ///
    /// # Errors
    /// When there is another experiment, or a file cannot be written.
    pub(crate) fn claim(&self, out: &Path, other: Other) -> Result<()> {
        begin(&self.plan, Shard::WHOLE, out, other, &|_| ()).map(drop)
    }

    /// Makes the first run of the point that needs most, and keeps nothing of it.
    ///
    /// # Errors
    /// When the run fails.
    pub(crate) fn pilot(&self) -> Result<()> {
        let (point, options) = &self.largest;
        let run = Run {
            point: *point,
            replication: 1,
        };
        self.made(run, options).map(drop)
    }

    /// Makes the runs that are not finished, in parallel, and then the tables and the report. Returns how many there are.
    ///
    /// # Errors
    /// When a run fails or a file cannot be written. What was finished is kept.
    pub(crate) fn run(&self, to: &Destination<'_>) -> Result<usize> {
        let Destination {
            out, say, shard, ..
        } = *to;
        let mut store = begin(&self.plan, shard, out, to.other, say)?;
        let runs = Run::all(&self.plan, shard).count();
        let open = runs - store.len();
        say(&self.size(shard, runs, open));
        let bar = to.progress.bar("sweep", open as u64);
        let make = |run: Run, options: &P::Options| -> Result<()> {
            store.append(run, &self.made(run, options)?)?;
            bar.tick();
            Ok(())
        };
        let first = Run::all(&self.plan, shard).find(|run| !store.has(*run));
        if let Some(first) = first {
            let begin = Instant::now();
            make(first, &self.options(first.point)?)?;
            if open > 1 {
                say(&estimate(begin.elapsed(), open - 1));
            }
            let is_open = |run: &Run| *run != first && !store.has(*run);
            let points = (first.point..self.plan.size()).into_par_iter();
            let points = points.filter(|point| self.plan.has(*point, shard));
            points.try_for_each(|point| {
                let runs =
                    (1..=self.plan.replications).map(|replication| Run { point, replication });
                if !runs.clone().any(|run| is_open(&run)) {
                    return Ok(());
                }
                let options = self.options(point)?;
                let runs = (1..=self.plan.replications).into_par_iter();
                let runs = runs.map(|replication| Run { point, replication });
                runs.filter(is_open).try_for_each(|run| make(run, &options))
            })?;
        }
        drop(bar);
        finish(&self.plan, &mut store, out)?;
        Ok(runs)
    }

    fn options(&self, point: usize) -> Result<P::Options> {
        options(&self.plan, point, self.program)
    }

    /// Makes a run, and gives what is kept of it.
    fn made(&self, run: Run, options: &P::Options) -> Result<String> {
        let plan = &self.plan;
        let (metrics, timing) =
            self.program
                .run(options, &Sampled { run, plan })
                .map_err(|error| match error {
                    Error::Usage(problem) => {
                        Error::Usage(format!("{}: {problem}", run.describe(&self.plan)))
                    }
                    Error::Violated(problem) => {
                        Error::Violated(format!("{}: {problem}", run.describe(&self.plan)))
                    }
                    other => other,
                })?;
        let row = tables::row(plan, run, &metrics, (self.program, options))?;
        Ok(tables::kept(&row, &timing))
    }

    fn size(&self, shard: Shard, runs: usize, open: usize) -> String {
        let points = plural(self.points, "point");
        let replications = plural(self.plan.replications as usize, "replication");
        let share = match shard.is_part() {
            true => format!(", of which shard {shard} has"),
            false => ":".to_owned(),
        };
        let finished = match runs - open {
            0 => String::new(),
            finished => format!(
                ", {} of them finished before (the warnings at the end are not about those)",
                grouped(finished)
            ),
        };
        format!(
            "{points} of {replications}{share} {}{finished}",
            plural(runs, "run")
        )
    }
}

/// What may be printed and is in no file: other machines take other times.
fn estimate(one: Duration, others: usize) -> String {
    let threads = rayon::current_num_threads();
    let rest = one.as_secs_f64() * others as f64 / threads as f64;
    format!(
        "the first run took {}: about {} for the others on {}, if they take as long",
        time(one.as_secs_f64()),
        time(rest),
        plural(threads, "thread")
    )
}

/// Makes the folder that of this sweep. Nothing looks finished from then on that is not; finished runs stay, and what is damaged is told to `say`.
pub(super) fn begin(
    plan: &Plan,
    shard: Shard,
    out: &Path,
    other: Other,
    say: &(dyn Fn(&str) + Sync),
) -> Result<Store> {
    let mut options = plan.experiment();
    if shard.is_part() {
        options.insert("shard".to_owned(), shard.to_string().into());
    }
    let runs = Runs::Counted {
        number_of_runs: Run::all(plan, shard).count(),
        plan_hash: plan.hash(),
    };
    Manifest::with(SWEEP, options, runs).claim(out, other)?;
    let store = runs::store(Store::open, out, plan, shard)?;
    store
        .damage()
        .for_each(|damage| say(&format!("{damage}; what is missing is made again")));
    for name in [report::FILE, DIFFERENCES, SUMMARY, SAMPLES] {
        output::remove(&out.join(name))?;
    }
    text_file::write(&out.join(PLAN), |file| file.write_all(plan.text.as_bytes()))?;
    Ok(store)
}

/// Writes the tables and the reports.
pub(super) fn finish(plan: &Plan, store: &mut Store, out: &Path) -> Result<()> {
    store.settle()?;
    tables::write(plan, store, out)?;
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
            Value::Flag(true) if !kind.is_flag => Some(
                "found true, expected a value, or false for a run without the option".to_owned(),
            ),
            Value::Text(_) if !kind.takes_value => {
                Some(format!("found {}, expected true or false", value.value))
            }
            Value::Text(text) if kind.is_list && (text == "all" || text.contains(',')) => {
                Some(format!(
                    "found {text:?}, expected one value, or a list such as [\"a\", \"b\"] that names each value of an axis; bookahead simulate --help has the names"
                ))
            }
            value => program.check(&option, value).err(),
        };
        problem.map(|problem| plan.error(Some(value.line), key, problem))
    };
    setting.values.iter().filter_map(wrong).collect()
}

fn unknown<P: Program>(key: &str, program: &P) -> String {
    if KEYS.contains(&key) {
        return format!("unknown, expected {key} at the top of the plan, before [run]");
    }
    let mut keys: Vec<String> = program.names();
    keys.iter_mut()
        .for_each(|name| *name = name.replace('-', "_"));
    keys.sort();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    toml_text::unknown(key, "", &keys)
}

fn options<P: Program>(plan: &Plan, point: usize, program: &P) -> Result<P::Options> {
    let given: Vec<(String, Value)> = plan
        .at(point)
        .map(|(setting, value)| (setting.option(), value.value.clone()))
        .collect();
    let folder = plan.file.parent().unwrap_or(Path::new(""));
    program
        .options(&given, folder)
        .map_err(|error| placed(plan, point, error))
}

/// The options of a point, and what is wrong there that need not be wrong at others: measures that it does not have, options without an effect.
fn checked_point<P: Program>(
    plan: &Plan,
    point: usize,
    program: &P,
) -> Result<(P::Options, Wrong)> {
    let options = options(plan, point, program)?;
    let outline = program.outline(&options)?;
    let (mut here, mut errors) = (Wrong::new(), Vec::new());
    for problem in program.idle(&options) {
        let Some((setting, line)) = concerned(plan, point, &problem) else {
            errors.push(plan.error(plan.run_line, "run", problem));
            continue;
        };
        let key = setting.key.as_str();
        if plan.alike(key, point) > 1 {
            let problem = format!(
                "{problem}; without it, points that differ in it only are one: leave out all but one of them by [[exclude]]"
            );
            errors.push(plan.error(Some(line), key, problem));
        }
        let error = plan.error(Some(setting.line), key, problem);
        here.insert((setting.line, key.to_owned()), error);
    }
    for Placed { value, line } in &plan.measures {
        let wrong = |problem| plan.error(Some(*line), "measures", problem);
        match tables::find(&outline, value) {
            Some(found) => errors.extend(no_number(value, found).map(wrong)),
            None if program.counts(&options, value) => {}
            None => {
                let mut names = Vec::new();
                numbers("", &outline, &mut names);
                // What does not occur has no key.
                let groups = ["refusals.REASON", "refused_by.WHO"];
                let group = |text: &&str| {
                    text.split('.')
                        .next()
                        .is_some_and(|group| outline.get(group).is_some())
                };
                names.extend(groups.into_iter().filter(group).map(str::to_owned));
                let names = names.join(", ");
                let problem = format!("found {value}, expected a number of metrics.json: {names}");
                here.insert((*line, value.clone()), wrong(problem));
            }
        }
    }
    Error::unless_empty(errors)?;
    Ok((options, here))
}

/// What is wrong with the options of a point, at the first of them that the message names.
fn placed(plan: &Plan, point: usize, error: Error) -> Error {
    let Error::Usage(problem) = error else {
        return error;
    };
    match concerned(plan, point, &problem) {
        Some((setting, line)) => plan.error(Some(line), &setting.key, problem),
        None => plan.error(plan.run_line, "run", problem),
    }
}

/// The first setting whose option a message names, and the line of its value at a point.
fn concerned<'p>(plan: &'p Plan, point: usize, problem: &str) -> Option<(&'p Setting, u64)> {
    let named = plan.at(point).filter_map(|(setting, value)| {
        let option = format!("--{}", setting.option());
        let words = problem.match_indices(&option);
        let ends = |at: usize| {
            !problem[at + option.len()..].starts_with(|c: char| c == '-' || c.is_alphanumeric())
        };
        let at = words.map(|(at, _)| at).find(|at| ends(*at))?;
        Some((at, setting, value.line))
    });
    let first = named.min_by_key(|(at, setting, _)| (*at, setting.key.as_str()));
    first.map(|(_, setting, line)| (setting, line))
}

/// Why what metrics.json has by the name of a measure is none.
fn no_number(measure: &str, found: &Json) -> Option<String> {
    match found {
        Json::Number(_) | Json::Null => None,
        Json::Object(_) => Some(format!(
            "found {measure}, which is a group, expected one of its keys, such as {measure}.{}",
            match measure {
                "refusals" => "no-room",
                "refused_by" => "machine",
                _ => "p50",
            }
        )),
        _ => Some(format!("found {measure}, which is no number")),
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
