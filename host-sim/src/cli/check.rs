//! `bookahead check`: whether the files of runs keep every promise.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{basics::Basics, screen};
use crate::{
    check::{self, Checked},
    error::{Error, Result},
    experiment::sweep,
    report::words::plural,
};

/// How many violations of a run are listed.
const LISTED: usize = 10;

/// Check the files of a result folder against each other
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Check {
    /// A folder with results of replay or simulate
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

const MORE: &str = "\
Every accepted job starts exactly when promised, is over when promised, inside its window, on exactly its number of PEs, with at \
least half of what it asked for where the strategy reduces; best-effort jobs delay none, start after their submission and end by \
their estimates; an operation on a reservation changes what it asks for and nothing else, and only where there is room; no PE serves \
two jobs at once; counts, rates and sums are those of the tables, and settings those of the experiment. Reads jobs.csv, \
reservations.csv, metrics.json, experiment.json and, where they are there, operations.csv, moves.csv and settings.json; knows nothing of the scheduler, so seed and threads change nothing. Exit status 1 if anything is violated.

Example:
  bookahead check bookahead-out";

impl Check {
    /// Judges the files of the folder and prints what is wrong with them.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        if let Some((runs, problems)) = sweep::check(&self.dir)? {
            return self.sweep(runs, &problems);
        }
        let runs = basics.pool(1)?.install(|| check::folder(&self.dir))?;
        screen::results(|out| runs.iter().try_for_each(|run| self.print(run, out)))?;
        let violations: usize = runs.iter().map(|run| run.violations.len()).sum();
        match violations {
            0 => Ok(()),
            _ => Err(Error::Violated(format!(
                "{}: {}",
                self.dir.display(),
                plural(violations, "violation")
            ))),
        }
    }

    fn sweep(&self, runs: usize, problems: &[String]) -> Result<()> {
        let dir = self.dir.display();
        match problems.is_empty() {
            true => screen::line(&format!(
                "{dir}: a sweep of {}, 0 violations",
                plural(runs, "run")
            )),
            false => Err(Error::Violated(format!("{dir}: {}", problems.join("; ")))),
        }
    }

    fn print(&self, run: &Checked, out: &mut dyn Write) -> io::Result<()> {
        let violations = run.violations.len();
        let folder = match run.folder.as_str() {
            "" => self.dir.clone(),
            name => self.dir.join(name),
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
        for violation in run.violations.iter().take(LISTED) {
            writeln!(out, "  {violation}")?;
        }
        match violations.checked_sub(LISTED) {
            Some(more @ 1..) => writeln!(out, "  and {more} more"),
            _ => Ok(()),
        }
    }
}
