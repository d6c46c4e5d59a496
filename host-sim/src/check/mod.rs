//! Checks the files of runs against each other, without the kernel: every promise kept, no processing element used twice.
//!
//! What a run must satisfy:
//! 1. jobs.csv and reservations.csv tell of the same requests in the same order, with the same decisions.
//! 2. An accepted request is promised slot edges inside [ready, deadline] that hold the duration it was granted; that and its PEs are
//!    what was asked, or at least half of it where the strategy reduces; a rigid one starts at the first edge from ready on. Its price is
//!    that of the slots booked, and only where slots have one.
//! 3. It starts exactly at its promised start, is over by its promised end, and its derived times follow from these.
//! 4. It has exactly the processing elements it was granted, all of which the machine has.
//! 5. A refused request has a reason and empty cells otherwise.
//! 6. No processing element is used by two jobs at once.
//! 7. The counts, rates and sums of metrics.json are those of the tables.
//! 8. A best-effort job starts on a slot edge after its submission, is over by its estimate, and has exactly its number of
//!    processing elements; one that can never run has a reason. With rules 3 and 6, none delays a reservation.
//! 9. The queue has a discipline. First come, first served: no best-effort job starts before one that came earlier.
//!
//! Where there are holds or operations, which operations.csv and moves.csv tell, the promise of rules 3 and 4 is what it has become:
//! 10. An operation is accepted only on a reservation that has been made and is not over, and is refused as `unknown-target` or
//!     `ended-target` only if that is so. A hold that is not confirmed in time never runs, nor does what is cancelled before its start.
//! 11. An accepted operation changes exactly what it asks for, from the booking that the ones before it left, inside the window that the
//!     reservation then has; moves.csv has a row for each booking it changes, and no other rows.
//! 12. What is booked at any time fits onto the machine from then on.
//! 13. A job that is narrowed while it runs keeps the rest to its end; what it gives back, when and how many, is in its metadata.

mod best_effort;
mod extras;
mod follow;
mod overlap;
mod pair;
mod ran;
mod rows;
mod totals;

use std::{fmt, path::Path};

use crate::{
    error::{Error, Result},
    output::{JOBS, METRICS, MOVES, OPERATIONS, RESERVATIONS},
    result_folder::{holds_a_run, is_a_run, subfolders},
};
use follow::{Story, Tables};
use rows::{Job, Promise};
use totals::{Machine, Totals};

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The job concerned, where it is one.
    pub job_id: Option<u64>,
    /// What was found and what was expected.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job_id) = self.job_id {
            write!(f, "job {job_id}: ")?;
        }
        f.write_str(&self.problem)
    }
}

/// What is wrong with one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Name of its folder, empty for the result folder itself.
    pub folder: String,
    /// Requests to reserve in it.
    pub requests: usize,
    /// Best-effort jobs in it.
    pub best_effort: usize,
    /// Operations on reservations in it.
    pub operations: usize,
    /// Everything found wrong, in the order of the rules.
    pub violations: Vec<Violation>,
}

/// Checks the run in a result folder and those in its subfolders.
///
/// # Errors
/// [`Error::Usage`] when there is no run; [`Error::Input`] with file, line and field for a malformed file; [`Error::Io`] when
/// a file cannot be read.
pub fn folder(dir: &Path) -> Result<Vec<Checked>> {
    let mut runs = Vec::new();
    let inner = subfolders(dir)?;
    if is_a_run(dir) {
        runs.push(run(dir, String::new())?);
    }
    for path in inner.iter().filter(|path| holds_a_run(path)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        runs.push(run(path, name.into_owned())?);
    }
    if runs.is_empty() {
        return Err(Error::Usage(format!(
            "{}: nothing to check: expected {JOBS} and {RESERVATIONS} of a run there or in its subfolders",
            dir.display()
        )));
    }
    Ok(runs)
}

fn run(dir: &Path, folder: String) -> Result<Checked> {
    let jobs = rows::jobs(&dir.join(JOBS))?;
    let promises = rows::promises(&dir.join(RESERVATIONS))?;
    let totals = Totals::read(&dir.join(METRICS))?;
    let there = [
        (JOBS, jobs.is_some()),
        (RESERVATIONS, promises.is_some()),
        (METRICS, totals.is_some()),
    ];
    let mut found = Findings::default();
    for (name, _) in there.iter().filter(|file| !file.1) {
        found.add(
            None,
            format!("{name} is missing, so the run is not finished"),
        );
    }
    let requests = promises.as_ref().map_or(0, Vec::len);
    let queued = jobs.iter().flatten().filter(|job| job.best_effort);
    let best_effort = queued.count();
    let operations = rows::operations(&dir.join(OPERATIONS))?;
    let moves = rows::moves(&dir.join(MOVES))?;
    let count = operations.as_ref().map_or(0, Vec::len);
    if let (Some(jobs), Some(promises), Some(totals)) = (jobs, promises, totals) {
        let machine = &totals.machine;
        let changes = Changes { operations, moves };
        let story = changes.follow(&promises, &jobs, machine, &mut found);
        pair::check(&promises, &jobs, story.as_ref(), machine, &mut found);
        overlap::check(&jobs, &mut found);
        best_effort::check(&jobs, machine, &mut found);
        let operations = changes.operations.unwrap_or_default();
        totals.check(&promises, &jobs, story.as_ref(), &mut found);
        totals.check_operations(story.is_some(), &operations, &mut found);
    }
    Ok(Checked {
        folder,
        requests,
        best_effort,
        operations: count,
        violations: found.0,
    })
}

/// The tables of operations, where there are some.
struct Changes {
    operations: Option<Vec<rows::Operation>>,
    moves: Option<Vec<rows::Move>>,
}

impl Changes {
    /// What became of the reservations; nothing where nothing can be done to them.
    fn follow(
        &self,
        promises: &[Promise],
        jobs: &[Job],
        machine: &Machine,
        found: &mut Findings,
    ) -> Option<Story> {
        let told = promises.iter().any(|row| row.final_start.is_some());
        let there = [
            (OPERATIONS, self.operations.is_some()),
            (MOVES, self.moves.is_some()),
        ];
        if !told && there.iter().all(|file| !file.1) {
            return None;
        }
        for (name, _) in there.iter().filter(|file| !file.1) {
            found.add(
                None,
                format!("{name} is missing, although there are operations"),
            );
        }
        let tables = Tables {
            promises,
            operations: self.operations.as_ref()?,
            moves: self.moves.as_ref()?,
            jobs,
        };
        Some(follow::follow(&tables, machine, found))
    }
}

/// What was found so far.
#[derive(Default)]
struct Findings(Vec<Violation>);

impl Findings {
    fn add(&mut self, job_id: Option<u64>, problem: String) {
        self.0.push(Violation { job_id, problem });
    }

    /// Notes a value of a job that is not what it must be.
    fn expect<T: PartialEq + fmt::Debug>(
        &mut self,
        job_id: u64,
        what: &str,
        found: T,
        expected: T,
    ) {
        if found != expected {
            self.add(
                Some(job_id),
                format!("{what}: found {found:?}, expected {expected:?}"),
            );
        }
    }

    /// Notes a condition of a job that does not hold.
    fn require(&mut self, job_id: u64, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.add(Some(job_id), problem());
        }
    }
}
