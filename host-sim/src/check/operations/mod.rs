//! Follows every reservation through the operations on it and the moves of its strategy. Rules 10 to 12, and 17.

mod effect;
mod history;
mod moves;

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use super::{
    findings::Findings,
    settings::{Settings, Slots},
};
use crate::{
    files::{Booking, Job, Move, Operation, OutageRow, Reservation},
    operation::Action,
};
use effect::{Effect, effect};
pub(super) use history::{Change, Ended, History};
use moves::Moves;
pub(super) use moves::{Movers, displacer, goes_on};

impl fmt::Display for Booking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{} on {}", self.start, self.end, Width(self.pes))
    }
}

/// A number of processing elements in words.
struct Width(u64);

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 PE"),
            pes => write!(f, "{pes} PEs"),
        }
    }
}

/// The tables that are followed.
pub(super) struct Followed<'a> {
    pub(super) reservations: &'a [Reservation],
    pub(super) operations: &'a [Operation],
    pub(super) moves: &'a [Move],
    pub(super) outages: &'a [OutageRow],
    pub(super) jobs: &'a [Job<'a>],
}

/// What became of the reservations.
pub(super) struct Histories {
    /// Those of requests, then second parts of splits, each in order.
    histories: Vec<History>,
    /// Where each of them stands.
    places: HashMap<u64, usize>,
    requests: usize,
    /// What gave something back because of which reservations were moved, and when.
    left: Vec<(u64, u64)>,
}

impl Histories {
    /// The reservation of a job.
    pub(super) fn of(&self, job_id: u64) -> Option<&History> {
        self.histories.get(*self.places.get(&job_id)?)
    }

    fn reservation(&mut self, job_id: u64) -> Option<&mut History> {
        self.histories.get_mut(*self.places.get(&job_id)?)
    }

    /// Notes that `job_id` must have given something back at `time`; said to be so until everything is over.
    fn left(&mut self, job_id: u64, time: u64) -> bool {
        self.left.push((job_id, time));
        true
    }

    pub(super) fn histories(&self) -> &[History] {
        &self.histories
    }

    /// Second parts of splits.
    pub(super) fn parts(&self) -> &[History] {
        &self.histories[self.requests..]
    }
}

/// Follows operations and moves in their order; what operations changed must be what moves.csv says.
pub(super) fn follow(
    tables: &Followed<'_>,
    settings: &Settings,
    found: &mut Findings,
) -> Histories {
    let movers = Movers::of(tables.operations);
    let operated = || tables.moves.iter().filter(|row| movers.is_operation(row));
    let mut follower = Follower::new(tables, operated(), settings, found);
    let sorted = tables.operations.is_sorted_by_key(|row| row.time);
    if !sorted {
        found.add(None, "operations.csv is not in order of time".to_owned());
    }
    let mut moves = Moves::new(tables, &movers, settings);
    for operation in tables.operations {
        moves.until(operation, &mut follower.histories, settings, found);
        follower.operation(operation, found);
        moves.after(operation, &mut follower.histories, settings, found);
    }
    moves.rest(&mut follower.histories, settings, found);
    for row in operated() {
        let known = row
            .cause_job_id
            .is_some_and(|id| follower.heard.contains(&id));
        found.require(row.job_id, known, || {
            let cause = row
                .cause_job_id
                .map_or("nobody".to_owned(), |id| id.to_string());
            format!("moves.csv: moved by {cause}, which is no accepted operation")
        });
    }
    let mut histories = follower.histories;
    for history in &mut histories.histories {
        history.let_pass(follower.slots);
    }
    let queued = tables.jobs.iter().filter(|job| job.is_best_effort());
    let ended: HashMap<u64, u64> = queued
        .filter_map(|job| {
            let [start, finish] = job.ran()?;
            // One that ends at once keeps its first slot.
            let first = start.saturating_add(follower.slots.0);
            Some((job.job_id, follower.slots.up(finish).max(first)))
        })
        .collect();
    for (job_id, time) in &histories.left {
        let reserved = histories
            .of(*job_id)
            .is_some_and(|history| history.frees_at(*time));
        found.require(*job_id, reserved || ended.get(job_id) == Some(time), || {
            format!("moves.csv: others moved at {time} because of it, when it gave nothing back")
        });
    }
    histories
}

struct Follower<'a> {
    histories: Histories,
    settings: &'a Settings,
    slots: Slots,
    moves: HashMap<u64, Vec<&'a Move>>,
    /// Numbers of rows so far, requests and operations.
    names: HashSet<u64>,
    /// Accepted operations so far.
    heard: HashSet<u64>,
    /// Jobs that ended by themselves.
    over: HashMap<u64, u64>,
}

/// How an operation finds its target.
enum Target {
    Unknown,
    /// Made in the same second, so that it may have been unknown.
    New(usize),
    Over,
    Alive(usize),
}

impl<'a> Follower<'a> {
    /// With the moves that operations made.
    fn new(
        tables: &Followed<'a>,
        operated: impl Iterator<Item = &'a Move>,
        settings: &'a Settings,
        found: &mut Findings,
    ) -> Self {
        let over = over(tables);
        let mut histories = Vec::new();
        let mut places = HashMap::new();
        for promise in tables.reservations {
            let Some(mut history) = History::of(promise, settings) else {
                continue;
            };
            history.over = over.get(&history.job_id).copied();
            let double = places.insert(history.job_id, histories.len()).is_some();
            found.require(history.job_id, !double, || {
                "occurs twice, so that nobody knows which one operations are about".to_owned()
            });
            let timed = promise.is_hold() || promise.ttl.flatten().is_none();
            found.require(history.job_id, timed, || {
                "has a time to live without being held".to_owned()
            });
            histories.push(history);
        }
        let mut moves: HashMap<u64, Vec<&Move>> = HashMap::new();
        for row in operated {
            if let Some(cause) = row.cause_job_id {
                moves.entry(cause).or_default().push(row);
            }
        }
        Self {
            histories: Histories {
                requests: histories.len(),
                histories,
                places,
                left: Vec::new(),
            },
            settings,
            slots: settings.slots(),
            moves,
            names: tables.reservations.iter().map(|row| row.job_id).collect(),
            heard: HashSet::new(),
            over,
        }
    }

    fn target(&self, operation: &Operation) -> Target {
        let place = self.histories.places.get(&operation.target);
        let Some((place, history)) =
            place.and_then(|&at| Some((at, self.histories.histories.get(at)?)))
        else {
            return Target::Unknown;
        };
        let now = self.slots.down(operation.time);
        match history.submitted {
            made if made > operation.time => Target::Unknown,
            _ if history.is_over(now, self.slots) => Target::Over,
            made if made == operation.time => Target::New(place),
            _ => Target::Alive(place),
        }
    }

    fn operation(&mut self, operation: &Operation, found: &mut Findings) {
        let (id, target) = (operation.job_id, operation.target);
        found.require(id, self.names.insert(id), || {
            "operates, but its number is that of another row".to_owned()
        });
        let stated = &*operation.reason;
        found.require(
            id,
            operation.is_accepted() == stated.is_empty(),
            || match operation.is_accepted() {
                true => "accepted with a reason for refusal".to_owned(),
                false => "refused without a reason".to_owned(),
            },
        );
        let aim = self.target(operation);
        if !operation.is_accepted() {
            let right = match aim {
                Target::Unknown => stated == "unknown-target",
                Target::New(_) => stated != "ended-target",
                Target::Over => stated == "ended-target",
                Target::Alive(_) => stated != "unknown-target" && stated != "ended-target",
            };
            let state = match aim {
                Target::Unknown => "unknown",
                Target::Over => "over",
                Target::New(_) | Target::Alive(_) => "alive",
            };
            found.require(id, right || stated == "end-of-time", || {
                format!("refused for {stated:?}, but job {target} is {state} then")
            });
            return;
        }
        self.heard.insert(id);
        match aim {
            Target::Unknown => {
                found.add(
                    Some(id),
                    format!("accepted, but there is no job {target} then"),
                );
            }
            Target::Over => {
                found.add(Some(id), format!("accepted, but job {target} is over then"));
            }
            Target::New(place) | Target::Alive(place) => self.accepted(operation, place, found),
        }
    }

    /// Does to the target what was asked, and compares the moves.
    fn accepted(&mut self, operation: &Operation, place: usize, found: &mut Findings) {
        let rows = self.moves.remove(&operation.job_id).unwrap_or_default();
        let Some(history) = self.histories.histories.get_mut(place) else {
            return;
        };
        let Effect { moved, part } = effect(
            operation,
            history,
            &rows,
            self.slots,
            self.settings.is_rigid(),
            found,
        );
        compare(operation, &rows, &moved, found);
        if let Some(mut part) = part {
            part.over = self.over.get(&part.job_id).copied();
            let place = self.histories.histories.len();
            self.histories.places.insert(part.job_id, place);
            self.histories.histories.push(part);
        }
    }
}

/// Finishes in jobs.csv that no operation explains. A job that is stopped at the second of its finish did not end by itself.
fn over(tables: &Followed<'_>) -> HashMap<u64, u64> {
    let mut stops: HashMap<u64, u64> = HashMap::new();
    for operation in tables.operations.iter().filter(|row| row.is_accepted()) {
        let second = match operation.action() {
            Some(Action::Cancel) => operation.time,
            Some(Action::Complete { at }) => at.unwrap_or(operation.time),
            _ => continue,
        };
        let stop = stops.entry(operation.target).or_insert(second);
        *stop = second.min(*stop);
    }
    for job in tables.jobs {
        if let Some((_, second)) = job.metadata.broken() {
            let stop = stops.entry(job.job_id).or_insert(second);
            *stop = second.min(*stop);
        }
    }
    let finishes = tables.jobs.iter().filter(|job| !job.is_best_effort());
    finishes
        .filter_map(|job| Some((job.job_id, job.finish_time?)))
        .filter(|(job_id, finish)| stops.get(job_id).is_none_or(|stop| finish < stop))
        .collect()
}

/// What an operation must have moved.
struct Moved {
    job_id: u64,
    old: Option<Booking>,
    new: Booking,
}

fn compare(operation: &Operation, rows: &[&Move], expected: &[Moved], found: &mut Findings) {
    let id = operation.job_id;
    let name = &*operation.op;
    if rows.len() != expected.len() {
        let problem = format!(
            "{name}: moves.csv has {} rows of it, expected {}",
            rows.len(),
            expected.len()
        );
        found.add(Some(id), problem);
    }
    for (row, expected) in rows.iter().zip(expected) {
        found.expect(id, "time in moves.csv", row.time, operation.time);
        found.expect(id, "cause in moves.csv", &*row.cause, name);
        found.expect(id, "job moved in moves.csv", row.job_id, expected.job_id);
        let old = |booking: Option<Booking>| {
            booking.map_or("nothing".to_owned(), |booking| booking.to_string())
        };
        found.require(id, row.before() == expected.old, || {
            let (row, expected) = (old(row.before()), old(expected.old));
            format!("{name}: moves.csv says from {row}, but booked was {expected}")
        });
        found.require(id, row.after() == expected.new, || {
            let (row, expected) = (row.after(), expected.new);
            format!("{name}: moves.csv says to {row}, expected {expected}")
        });
    }
}
