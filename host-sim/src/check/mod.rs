//! Checks a run without the kernel: its files against each other, or what the simulator holds in memory, by the same rules.
//!
//! What a run must satisfy:
//! 1. jobs.csv and reservations.csv tell of the same requests in the same order, with the same decisions. Rows are in order of arrival,
//!    and every job occurs once.
//! 2. An accepted request is promised slot edges inside [ready, deadline] that hold the duration it was granted; that and its PEs are
//!    what was asked, or at least half of it where the strategy reduces, or whole slots between the shortest and the longest length where both were
//!    asked for; a rigid one starts at the first edge from ready on. Its price is
//!    that of the slots booked, and only where slots have one.
//! 3. It starts exactly at its promised start, is over by its promised end, and its derived times follow from these.
//! 4. It has exactly the processing elements it was granted, all of which the machine has.
//! 5. A refused request has a reason and empty cells otherwise. Where the row itself decides (too wide, too long, ready in the past, no
//!    duration or PEs, a window that is too short or beyond the horizon, lost to rounding, held for no time, after the end of time), it has
//!    just the reason that comes first; any other request is accepted, or refused for want of room, or for a limit on moves where enough
//!    reservations could have been moved to reach it.
//! 6. No processing element is used by two jobs at once.
//! 7. The counts, rates and sums of metrics.json are those of the tables.
//! 8. A best-effort job starts on a slot edge after its submission, is over by its estimate, and has exactly its number of
//!    processing elements; one that can never run has the reason that its row deserves, and every other one runs.
//! 9. The queue is served as its discipline says. First come, first served: the first job starts as soon as it fits for its whole
//!    estimate beside everything booked then, and none before it. EASY: so may a later job, if the earliest start of the first one, its
//!    shadow, is then no later. Nothing happens inside a slot. First is who has the highest key, where a priority orders the queue, and then who came first; keys are those
//!    of the priority, unless a file gave them.
//!
//! Where there are holds or operations, which operations.csv and moves.csv tell, the promise of rules 3 and 4 is what it has become:
//! 10. An operation is accepted only on a reservation that has been made and is not over, and is refused as `unknown-target` or
//!     `ended-target` only if that is so. A hold that is not confirmed in time never runs, nor does what is cancelled before its start.
//! 11. An accepted operation changes exactly what it asks for, from the booking that the ones before it left, inside the window that the
//!     reservation then has; moves.csv has a row for each booking it changes, and no other rows.
//! 12. Whatever is booked, at acceptance, by an operation or when a best-effort job starts, fits onto the machine for all its time beside
//!     everything that is booked then, and ends within the slots that can be booked ahead. Booked are windows that were promised, less the
//!     ends known by then, with the changes made so far; a running best-effort job is booked for its estimate. An early end is known from
//!     the first slot edge after it.
//! 13. A job that is narrowed while it runs keeps the rest to its end; what it gives back, when and how many, is in its metadata.
//!
//! A strategy that moves reservations by itself keeps every promise through all moves:
//! 17. It moves only what is flexible, has been made and has not started, before its start is fixed, as a whole and inside its own window, not
//!     into the past; from where it stood, as the rows before it left it. A newcomer is the cause of one transaction, whether others were juggled
//!     or shifted for it, at its arrival, that moves no more than the limit; a replanning has as its cause what gave something back then. A window that was suggested is as long as the one asked
//!     for, and earlier by no more than the settings allow.
//!
//! Of several sites, and of reservations on top of others:
//! 18. Rules 2 to 5, 8, 9, 12 and 14 hold at each site by itself; what is refused, every site had to refuse. Everything accepted is at one site,
//!     whose processing elements it uses.
//! 19. Only what lies on top of others, with at least the probability that the settings demand, may start late or be stopped, and its row
//!     says so; all others keep rule 3. What starts late is waited for, or compensated instead of paid, or cancelled there and then, as the
//!     settings say. For whoever comes later, its processing elements are taken, as are those of the ones below it.
//!
//! 20. With copies, replicas.csv tells of each where it was booked, of different sites and of as many as were asked for. One is used; the others
//!     were given back when it started, or when they could not start on time. Until then rule 12 counts them, and rule 14 says nothing.
//!
//! On a machine with a layout, which metrics.json has:
//! 21. Every processing element that is used exists, and `groups` says in which groups they lie. What a job has serves what its row asks: eligible
//!     groups, so much from each, one block where it has to be one, or exactly these from the ready time on. What is moved for a newcomer by relocating
//!     has not started and stays where it is in time.
//!
//! Where processing elements may leave, which outages.csv tells:
//! 22. A part of an outage takes what was to leave, on slot edges of its window that come no sooner than it was known; rule 6 counts it as a job. What was to
//!     leave and has not is another outage's, or in maintenance that of a job which ran before. A promise is broken only by an outage that was known then and meets what was booked, and
//!     in maintenance only before its start; what is moved for one has not started and stays inside its window. Its counts are those of the other tables.
//!
//! Where jobs take longer than was booked, and get that time by force:
//! 25. Only what runs goes on so; by itself, where the settings allow it, at the end of its booking. A promise is broken only by a job that is given more time then, which meets what was booked, and before its start; what is moved for one has not started
//!     and stays inside its window.
//!
//! Where rules leave out processing elements, which metrics.json tells:
//! 26. Rules 6, 12 and 14 count what they take, from the edge on at which they are known. A promise is broken only by a rule that becomes known then and takes something while it is booked;
//!     what is moved for one has not started and stays inside its window.
//!
//! Where requests wait that found no room:
//! 23. Who may wait is refused for good only where no room can come. A late promise is made on a slot edge behind the arrival and by the latest start, and is a
//!     promise as any other from then on. Where something was given back before its booked end, and where the slots that can be booked ahead reach the end of its window, a waiting
//!     request that has room is promised it, in the order of keys and then of arrival; by first fit, at the first start. So nobody is given up who had room before. Keys are those of the
//!     priority, unless a file gave them. With early binding this is known where nothing moves.
//!
//! Where jobs of the queue end for reservations:
//! 27. A job that does so has run for its minimum and may be ended, at the start of a reservation that was accepted at that time. It comes back to the queue, in the order of
//!     keys and submission, and each of its runs is a job of its own by rules 6, 8, 9 and 12. Its booking ends later again only where time left room. That those end who lose the least work
//!     is not judged.
//!
//! A job of the queue that has a window:
//! 24. It is queued from its ready time on, starts by its latest start, and is removed at the first edge behind that, for which it must have had no turn.
//!
//! 28. schedule.csv is the sum of jobs.csv, and the users of users.csv together have asked for, got and used what the tables say.
//!
//! Where quotas or resources decide with the machine, which metrics.json has:
//! 29. Whenever something was decided, all that was booked was within each resource and each quota, at once and in each period. Who refused for want of room had none in the
//!     whole window, and whoever comes before it in the order of the machine, the resources and the quotas from the principal up had some; nobody is named where each had some. Who refused for its
//!     size has less than was asked for. With late binding, where it is known how much of the machine was free, the start is the first that all allow, and where nobody is named there is none.
//!     principals.csv is the sum of the tables.
//!
//! And of the whole:
//! 14. With late binding, where the number of free PEs decides, a request is refused for want of room only if its window has none; or if it would
//!     be in the way of another, where that is the rule. Of a range of lengths, no slot more than was granted has room; what lies on top of
//!     others may have been granted any of them.
//! 15. The settings in metrics.json are all there and possible, the workload is that of the jobs, and what experiment.json says of them, or
//!     settings.json beside the sample of a reproduction, is the same.
//! 16. No job is interrupted. Files do not tell real run times, so only runs in memory are judged by this.
//!
//! The files do not tell in which order operations and other rows of the same second came. So the sums of rule 12 are taken when such a
//! second is over, and of rules 9 and 14 nothing is said about it, nor about one in which the strategy moves reservations. With early binding, rule 9 needs the PEs of everything that is booked,
//! which files do not tell where operations move bookings; then only the order of first come, first served and rule 12 are checked.

mod agreement;
mod bands;
mod best_effort;
mod bookings;
mod entries;
mod execution;
mod extras;
mod findings;
mod interruptions;
mod joint;
mod judging;
mod known;
mod limits;
mod operations;
mod order;
mod outages;
mod overlap;
mod overlays;
mod pe_sets;
mod pieces;
mod placing;
mod profile;
mod promises;
mod queue;
mod refusals;
mod replicas;
mod room;
mod rules;
mod service;
mod settings;
mod sites;
mod summaries;
mod tables;
mod totals;
mod waiting;

use std::path::Path;

pub use findings::Violation;
pub(crate) use joint::Book;
pub(crate) use known::{Amount, Extent, Known, Machine, Mover, Other, PerGroup, TooShort};

use crate::{
    engine::{Outcome, Story, System, metrics::Metrics},
    error::{Error, Result},
    files::{Job, Reservation},
    manifest::Manifest,
    output::{Checkpoints, JOBS, MOVES, OPERATIONS, RESERVATIONS},
    result_folder::{self, Run},
};
use findings::Findings;
use judging::Judged;
use operations::{Followed, Histories};
use settings::Settings;
use tables::Tables;

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

impl Checked {
    /// Of a run that has left nothing.
    fn missing(folder: String, goes_on: bool) -> Self {
        let problem = match goes_on {
            true => "this run is not finished: the same command goes on from its checkpoint",
            false => "nothing of this run is there, so the experiment is not finished",
        };
        Self {
            folder,
            requests: 0,
            best_effort: 0,
            operations: 0,
            violations: vec![Violation {
                job_id: None,
                problem: problem.to_owned(),
            }],
        }
    }
}

/// Checks the runs of the experiment in a result folder; where experiment.json names none, the run in the folder and those in its
/// subfolders.
///
/// # Errors
/// [`Error::Usage`] when there is no run; [`Error::Input`] with file, line and field for a malformed file; [`Error::Io`] when
/// a file cannot be read.
pub fn folder(dir: &Path) -> Result<Vec<Checked>> {
    folder_telling(dir, &|_, _| {})
}

/// As [`folder`]. Calls `tell` before each run with its number, counted from 1, and how many there are.
pub(crate) fn folder_telling(dir: &Path, tell: &dyn Fn(usize, usize)) -> Result<Vec<Checked>> {
    let runs = result_folder::runs(dir)?;
    let manifest = Manifest::read(dir)?;
    let count = runs.len();
    let checked = runs.into_iter().enumerate().map(|(index, one)| {
        tell(index + 1, count);
        match one.has_begun() {
            true => run(dir, manifest.as_ref(), one),
            false => Ok(Checked::missing(one.name, Checkpoints::are_in(&one.path))),
        }
    });
    let runs: Vec<Checked> = checked.collect::<Result<_>>()?;
    if runs.is_empty() {
        return Err(Error::Usage(format!(
            "{}: nothing to check: expected {JOBS} and {RESERVATIONS} of a run there or in its subfolders",
            dir.display()
        )));
    }
    Ok(runs)
}

/// Checks a run in memory: its outcomes become the rows that [`folder`] reads from files, and the same rules judge them.
///
/// ```
/// use bookahead_sim::{check, engine::{self, Binding, Strategy, System}, request::{Demand, JobRequest}};
///
/// let job = JobRequest { job_id: 1, arrival: 0, ready: 60, duration: 90, deadline: 600, pes: 2, run: 90, flexible: true, ..JobRequest::default() };
/// let strategy = Strategy::Fit(bookahead::Policy::FirstFit);
/// let system = System::new(4, 64, 60, strategy, Binding::Early);
/// let mut outcomes = engine::run(&system, &[Demand::Reserve(job)], &|| {})?;
/// assert_eq!(check::outcomes(&system, &outcomes), []);
/// if let Ok(placed) = &mut outcomes[0].decision {
///     placed.began += 60;
/// }
/// assert_eq!(check::outcomes(&system, &outcomes)[0].to_string(), "job 1: starts at 120, promised 60");
/// # Ok::<(), bookahead_sim::error::Error>(())
/// ```
#[must_use]
pub fn outcomes(system: &System, outcomes: &[Outcome]) -> Vec<Violation> {
    story(system, &outcomes.to_vec().into())
}

/// As [`outcomes`], of all that became of a script.
#[must_use]
pub fn story(system: &System, story: &Story) -> Vec<Violation> {
    measured(system, story, &Metrics::on(system, story))
}

/// As [`story`], with the figures that are told of the run.
#[must_use]
pub fn measured(system: &System, story: &Story, metrics: &Metrics) -> Vec<Violation> {
    let judged = Tables::of(system, story, metrics).and_then(|tables| tables.judge_kept(None));
    match judged {
        Ok(Judged { mut found, .. }) => {
            interruptions::check(&story.outcomes, system.overrun, &mut found);
            found.0
        }
        Err(defect) => vec![Violation {
            job_id: None,
            problem: defect.to_string(),
        }],
    }
}

fn run(dir: &Path, manifest: Option<&Manifest>, run: Run) -> Result<Checked> {
    let path = &run.path;
    let mut tables = Tables::beside_rows(path)?;
    let judged = match tables.need_rows() {
        true => None,
        false => tables.judge_rows(path)?,
    };
    let mut judged = match judged {
        Some(judged) => judged,
        None => {
            tables.keep_rows(path)?;
            tables.judge_kept(Some(path))?
        }
    };
    let (requests, best_effort) = (judged.sums.requests, judged.sums.queued);
    let found = &mut judged.found;
    // Sums of tables that are wrong are wrong, too.
    if found.0.is_empty() {
        summaries::check(path, &tables, judged.sums, found)?;
    }
    if let Some(manifest) = manifest {
        agreement::check(dir, manifest, &run, found)?;
    }
    Ok(Checked {
        folder: run.name,
        requests: requests as usize,
        best_effort: best_effort as usize,
        operations: tables.operations.as_ref().map_or(0, Vec::len),
        violations: judged.found.0,
    })
}

impl Tables<'_> {
    /// What became of the reservations; nothing where nothing can be done to them. `told` says whether a
    /// request tells of operations.
    fn follow(
        &self,
        (reservations, told): (&[Reservation], bool),
        jobs: &[Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) -> Option<Histories> {
        // What lies on top of others is moved by time alone, which is judged by itself.
        let by_time = settings.overlays()
            && self.operations.is_none()
            && self.moves.iter().flatten().all(overlays::is_booked);
        if by_time || settings.preemptions.is_some() {
            return None;
        }
        let there = [
            (OPERATIONS, self.operations.is_some()),
            (MOVES, self.moves.is_some()),
        ];
        let juggles = settings.moves() || settings.relocates() || settings.displaces();
        let operates = told || there.iter().any(|file| file.1) && !juggles;
        if !operates && !juggles {
            return None;
        }
        let needed = |file: &&(&str, bool)| !file.1 && (operates || file.0 == MOVES);
        for (name, _) in there.iter().filter(needed) {
            let problem = match operates {
                true => format!("{name} is missing, although there are operations"),
                false => format!("{name} is missing, although reservations are moved"),
            };
            found.add(None, problem);
        }
        let followed = Followed {
            reservations,
            operations: match (&self.operations, operates) {
                (Some(operations), _) => operations,
                (None, true) => return None,
                (None, false) => &[],
            },
            moves: self.moves.as_ref()?,
            outages: self.outages.as_deref().unwrap_or_default(),
            jobs,
        };
        Some(operations::follow(&followed, settings, found))
    }
}
