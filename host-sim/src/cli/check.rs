//! `bookahead check`: whether the files of runs keep every promise.

use std::{
    collections::HashMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{
    basics::{Basics, OUT},
    screen,
};
use crate::{
    check::{self, Checked, Violation},
    error::{Error, Result},
    experiment::{CLAIMS, sweep},
    report::words::{grouped, plural},
    result_folder,
};

/// How many violations of a kind are listed, and of how many kinds.
const LISTED: usize = 3;
const KINDS: usize = 20;

/// Check the files of a result folder against each other
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Check {
    /// A folder with results, or a folder of such folders
    #[arg(value_name = "DIR", default_value = OUT)]
    dir: PathBuf,
}

const MORE: &str = "\
Every accepted job starts exactly when promised, is over when promised, inside its window, on exactly its number of PEs, with at \
least half of what it asked for where the strategy reduces; best-effort jobs delay none, start after their submission and end by \
their estimates; an operation on a reservation changes what it asks for and nothing else, and only where there is room; no PE serves \
two jobs at once; counts, rates and sums are those of the tables, and settings those of the experiment. Reads jobs.csv, \
reservations.csv, metrics.json and experiment.json, all other tables that are there, and of a sweep samples.csv, summary.csv and differences.csv; knows nothing of the scheduler, so seed and threads change nothing. Not judged is whether a start is the one \
that the policy takes, nor what a reproduction concludes (claims.csv). Exit status 1 if anything is violated, or one of several folders cannot be judged.

Examples:
  bookahead check
  bookahead check results";

impl Check {
    /// Judges the files of the folder, or of each experiment in it, and prints what is wrong with them.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let experiments = result_folder::experiments(&self.dir)?;
        let (mut wrong, mut unread) = (Vec::new(), 0);
        for dir in &experiments {
            match judge(dir, basics) {
                Ok(found) => wrong.extend(found),
                Err(error) if experiments.len() == 1 => return Err(error),
                // The others are judged all the same.
                Err(error) => {
                    screen::note(&format!("error: {error}"));
                    unread += 1;
                }
            }
        }
        if experiments.len() > 1 {
            screen::line(&format!(
                "{}: {} with violations, {unread} that cannot be judged",
                plural(experiments.len(), "folder"),
                wrong.len(),
            ))?;
        }
        if unread > 0 {
            wrong.push(format!("{} cannot be judged", plural(unread, "folder")));
        }
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(Error::Violated(wrong.join("; "))),
        }
    }
}

/// Prints what is wrong with an experiment, and sums it up if there is anything.
fn judge(dir: &Path, basics: &Basics) -> Result<Option<String>> {
    let shown = dir.display();
    let bar = basics.progress().busy(&format!("checking {shown}"));
    if let Some((runs, problems)) = sweep::check(dir)? {
        drop(bar);
        if problems.is_empty() {
            let runs = plural(runs, "run");
            screen::line(&format!("{shown}: a sweep of {runs}, 0 violations"))?;
            return Ok(None);
        }
        return Ok(Some(format!("{shown}: {}", problems.join("; "))));
    }
    let tell = |run: usize, of: usize| {
        if of > 1 {
            bar.say(format!("checking {shown}: run {run} of {of}"));
        }
    };
    let runs = basics
        .pool(1)?
        .install(|| check::folder_telling(dir, &tell))?;
    drop(bar);
    screen::results(|out| runs.iter().try_for_each(|run| print(dir, run, out)))?;
    // Of a reproduction.
    if dir.join(CLAIMS).exists() {
        screen::note(&format!(
            "{shown}: {CLAIMS}, evidence.csv and figures.csv are not judged; only making them again shows whether they came out so"
        ));
    }
    let violations: usize = runs.iter().map(|run| run.violations.len()).sum();
    Ok((violations > 0).then(|| format!("{shown}: {}", plural(violations, "violation"))))
}

fn print(dir: &Path, run: &Checked, out: &mut dyn Write) -> io::Result<()> {
    let violations = run.violations.len();
    let folder = match run.folder.as_str() {
        "" => dir.to_owned(),
        name => dir.join(name),
    };
    let others = [
        (run.best_effort, "best-effort job"),
        (run.operations, "operation"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: String = others
        .map(|(count, what)| format!(", {}", plural(*count, what)))
        .collect();
    writeln!(
        out,
        "{}: {}{}, {}",
        folder.display(),
        plural(run.requests, "request"),
        others,
        plural(violations, "violation")
    )?;
    list(&run.violations, out)
}

/// Writes the first violations of each kind, in the order in which they were found: one lost row makes thousands of others.
fn list(violations: &[Violation], out: &mut dyn Write) -> io::Result<()> {
    let mut kinds: Vec<Vec<&Violation>> = Vec::new();
    let mut places = HashMap::new();
    for violation in violations {
        let place = *places.entry(kind(violation)).or_insert(kinds.len());
        match kinds.get_mut(place) {
            Some(known) => known.push(violation),
            None => kinds.push(vec![violation]),
        }
    }
    for kind in kinds.iter().take(KINDS) {
        for violation in kind.iter().take(LISTED) {
            writeln!(out, "  {violation}")?;
        }
        if let more @ 1.. = kind.len().saturating_sub(LISTED) {
            writeln!(out, "  and {} more of this kind", grouped(more))?;
        }
    }
    let others = kinds.iter().skip(KINDS);
    match others.len() {
        0 => Ok(()),
        kinds => writeln!(
            out,
            "  and {} more of {}",
            grouped(others.map(Vec::len).sum()),
            plural(kinds, "other kind")
        ),
    }
}

/// What several violations have in common: the words, without the numbers.
fn kind(violation: &Violation) -> (bool, String) {
    let is_number = |c: char| c.is_ascii_digit() || "-.,".contains(c);
    let words = violation.problem.split(is_number);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    (violation.job_id.is_some(), words.join("0"))
}
