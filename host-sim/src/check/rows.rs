//! The rows that are checked, as the files state them.

use std::path::Path;

use crate::{
    error::Result,
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
}

impl Promise {
    /// (wait + duration) / duration, with wait from ready to `start`; in floats, since any numbers may stand in a file.
    pub(super) fn slowdown_from(&self, start: u64) -> f64 {
        let duration = self.duration as f64;
        (start.saturating_sub(self.ready) as f64 + duration) / duration
    }
}

/// A row of jobs.csv.
pub(super) struct Job {
    pub(super) job_id: u64,
    /// Whether it was queued; the others were reserved.
    pub(super) best_effort: bool,
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

pub(super) fn jobs(file: &Path) -> Result<Option<Vec<Job>>> {
    table::read(file, &JOB, |row| {
        Ok(Job {
            job_id: row.whole("job_id")?,
            best_effort: row.one_of("profile", &["reservation", "best-effort"])? == "best-effort",
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
