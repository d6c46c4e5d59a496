//! The rows that are checked, as the files state them.

use std::path::Path;

use crate::{
    error::Result,
    operation::{Action, CELLS},
    table::{self, Row},
};

/// A row of reservations.csv.
pub(super) struct Promise {
    pub(super) job_id: u64,
    pub(super) arrival: u64,
    pub(super) ready: u64,
    pub(super) duration: u64,
    pub(super) deadline: u64,
    pub(super) pes: u64,
    pub(super) accepted: bool,
    pub(super) reason: String,
    /// Booked start and end.
    pub(super) booked: [Option<u64>; 2],
    pub(super) slowdown: Option<f64>,
    /// Seconds and processing elements granted, of what was asked; all of it where the strategy cannot reduce.
    pub(super) granted: [u64; 2],
    pub(super) price: Option<f64>,
    /// Whether it was held at first, and for how many seconds; until its start where no number says so.
    pub(super) held: bool,
    pub(super) ttl: Option<u64>,
    /// The start in the end, and when it was fixed; where operations may move it.
    pub(super) final_start: Option<u64>,
    pub(super) fixed_at: Option<u64>,
}

impl Promise {
    /// (wait + duration) / duration, with wait from ready to `start`, which another window may have put before it; in floats, since any
    /// numbers may stand in a file.
    pub(super) fn slowdown_from(&self, start: u64) -> f64 {
        let wait = start.saturating_sub(self.ready) as f64;
        let ahead = self.ready.saturating_sub(start) as f64;
        let duration = self.duration as f64;
        (wait - ahead + duration) / duration
    }
}

/// A row of jobs.csv.
pub(super) struct Job {
    pub(super) job_id: u64,
    /// Whether it was queued; the others were reserved.
    pub(super) best_effort: bool,
    /// Whether it is the second part of a reservation that was split.
    pub(super) split: bool,
    pub(super) submitted: u64,
    pub(super) requested_pes: u64,
    pub(super) requested_time: u64,
    pub(super) success: bool,
    pub(super) final_state: String,
    /// Start and finish.
    pub(super) ran: [Option<u64>; 2],
    /// Execution, waiting and turnaround time.
    pub(super) derived: [Option<u64>; 3],
    pub(super) stretch: Option<f64>,
    pub(super) pes: Vec<(u32, u32)>,
    pub(super) metadata: String,
    /// Processing elements that it gave back while it ran, with the second until which it had them; part of the metadata.
    pub(super) given_back: Vec<GivenBack>,
}

/// Processing elements that a running job gave back.
pub(super) struct GivenBack {
    /// Until when it had them.
    pub(super) until: u64,
    /// Inclusive intervals.
    pub(super) pes: Vec<(u32, u32)>,
}

impl Job {
    /// How many processing elements it kept to its end.
    pub(super) fn width(&self) -> u64 {
        width(&self.pes)
    }
}

/// How many numbers lie in inclusive ranges.
pub(super) fn width(ranges: &[(u32, u32)]) -> u64 {
    let counts = ranges.iter();
    counts
        .map(|(first, last)| u64::from(last - first) + 1)
        .sum()
}

const PROMISE: [&str; 11] = [
    "job_id", "arrival", "ready", "duration", "deadline", "pes", "decision", "reason", "start",
    "end", "slowdown",
];

pub(super) fn promises(file: &Path) -> Result<Option<Vec<Promise>>> {
    table::read(file, &PROMISE, |row| {
        Ok(Promise {
            job_id: row.whole("job_id")?,
            arrival: row.whole("arrival")?,
            ready: row.whole("ready")?,
            duration: row.whole("duration")?,
            deadline: row.whole("deadline")?,
            pes: row.whole("pes")?,
            accepted: row.one_of("decision", &["accepted", "refused"])? == "accepted",
            reason: row.text("reason").to_owned(),
            booked: cells(row, ["start", "end"])?,
            slowdown: row.optional_number("slowdown")?,
            granted: [
                row.optional_whole("granted_duration")?
                    .map_or_else(|| row.whole("duration"), Ok)?,
                row.optional_whole("granted_pes")?
                    .map_or_else(|| row.whole("pes"), Ok)?,
            ],
            price: row.optional_number("price")?,
            held: row.one_of("op", &["", "reserve", "hold"])? == "hold",
            ttl: row.optional_whole("ttl")?,
            final_start: row.optional_whole("final_start")?,
            fixed_at: row.optional_whole("fixed_at")?,
        })
    })
}

const JOB: [&str; 17] = [
    "job_id",
    "workload_name",
    "profile",
    "submission_time",
    "requested_number_of_resources",
    "requested_time",
    "success",
    "final_state",
    "starting_time",
    "execution_time",
    "finish_time",
    "waiting_time",
    "turnaround_time",
    "stretch",
    "allocated_resources",
    "consumed_energy",
    "metadata",
];

const PROFILES: [&str; 3] = ["reservation", "split", "best-effort"];

pub(super) fn jobs(file: &Path) -> Result<Option<Vec<Job>>> {
    table::read(file, &JOB, |row| {
        Ok(Job {
            job_id: row.whole("job_id")?,
            best_effort: row.one_of("profile", &PROFILES)? == "best-effort",
            split: row.text("profile") == "split",
            submitted: row.whole("submission_time")?,
            requested_pes: row.whole("requested_number_of_resources")?,
            requested_time: row.whole("requested_time")?,
            success: row.one_of("success", &["0", "1"])? == "1",
            final_state: row.text("final_state").to_owned(),
            ran: cells(row, ["starting_time", "finish_time"])?,
            derived: cells(row, ["execution_time", "waiting_time", "turnaround_time"])?,
            stretch: row.optional_number("stretch")?,
            pes: row.intervals("allocated_resources")?,
            metadata: row.text("metadata").to_owned(),
            given_back: given_back(row)?,
        })
    })
}

/// The parts of the metadata such as "gave back 2-3 5 at 120"; whatever else is said there is left alone.
fn given_back(row: &Row) -> Result<Vec<GivenBack>> {
    let parts = row.text("metadata").split("; ");
    parts
        .filter_map(|part| part.strip_prefix("gave back "))
        .map(|part| {
            let read = || {
                let (pes, until) = part.rsplit_once(" at ")?;
                Some(GivenBack {
                    until: until.parse().ok()?,
                    pes: table::intervals(pes)?,
                })
            };
            read().ok_or_else(|| row.wrong("metadata", "a part such as \"gave back 2-3 5 at 120\""))
        })
        .collect()
}

/// A row of operations.csv.
pub(super) struct Operation {
    pub(super) job_id: u64,
    pub(super) time: u64,
    pub(super) target: u64,
    pub(super) action: Action,
    pub(super) accepted: bool,
    pub(super) reason: String,
}

const OPERATION: [&str; 10] = [
    "job_id", "time", "op", "target", "decision", "reason", "ready", "duration", "deadline", "pes",
];

pub(super) fn operations(file: &Path) -> Result<Option<Vec<Operation>>> {
    table::read(file, &OPERATION, |row| {
        Ok(Operation {
            job_id: row.whole("job_id")?,
            time: row.whole("time")?,
            target: row.whole("target")?,
            action: action(row)?,
            accepted: row.one_of("decision", &["accepted", "refused"])? == "accepted",
            reason: row.text("reason").to_owned(),
        })
    })
}

/// What is done, with a number in each cell that it uses and in no other.
fn action(row: &Row) -> Result<Action> {
    let name = row.one_of("op", &Action::NAMES)?;
    let asked = cells(row, CELLS)?;
    let action = Action::from_cells(name, asked.map(Option::unwrap_or_default));
    let action = action.ok_or_else(|| row.wrong("op", "a known operation"))?;
    let all = CELLS.iter().zip(asked).zip(action.cells());
    for ((column, asked), used) in all {
        match (asked, used) {
            (Some(_), None) => return Err(row.wrong(column, "an empty cell")),
            (None, Some(_)) => return Err(row.wrong(column, "a whole number of 0 or more")),
            _ => {}
        }
    }
    Ok(action)
}

/// What is booked: from when to when, and on how many processing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Booking {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) pes: u64,
}

/// A row of moves.csv.
pub(super) struct Move {
    pub(super) time: u64,
    pub(super) job_id: u64,
    /// Nothing for what a split has made.
    pub(super) old: Option<Booking>,
    pub(super) new: Booking,
    pub(super) cause_job_id: Option<u64>,
    pub(super) cause: String,
}

const MOVE: [&str; 10] = [
    "time",
    "job_id",
    "old_start",
    "new_start",
    "cause_job_id",
    "cause",
    "old_end",
    "new_end",
    "old_pes",
    "new_pes",
];

pub(super) fn moves(file: &Path) -> Result<Option<Vec<Move>>> {
    table::read(file, &MOVE, |row| {
        let old = match cells(row, ["old_start", "old_end", "old_pes"])? {
            [None, None, None] => None,
            _ => Some(Booking {
                start: row.whole("old_start")?,
                end: row.whole("old_end")?,
                pes: row.whole("old_pes")?,
            }),
        };
        Ok(Move {
            time: row.whole("time")?,
            job_id: row.whole("job_id")?,
            old,
            new: Booking {
                start: row.whole("new_start")?,
                end: row.whole("new_end")?,
                pes: row.whole("new_pes")?,
            },
            cause_job_id: row.optional_whole("cause_job_id")?,
            cause: row.text("cause").to_owned(),
        })
    })
}

fn cells<const N: usize>(row: &Row, columns: [&str; N]) -> Result<[Option<u64>; N]> {
    let mut cells = [None; N];
    for (cell, column) in cells.iter_mut().zip(columns) {
        *cell = row.optional_whole(column)?;
    }
    Ok(cells)
}
