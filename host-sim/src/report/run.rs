//! One run as the report reads it.

use std::{collections::BTreeSet, path::Path};

use super::metrics_file::MetricsFile;
use crate::{error::Result, table};

/// One run: a stream of requests under one policy and binding.
pub(super) struct Run {
    /// Name of its folder, empty for the result folder itself.
    pub(super) folder: String,
    /// Shortest name that tells it from the other runs.
    pub(super) label: String,
    pub(super) metrics: Option<MetricsFile>,
    pub(super) jobs: Option<Vec<Job>>,
    pub(super) reservations: Option<Vec<Reservation>>,
    pub(super) moves: Option<Moves>,
}

/// An accepted job of jobs.csv with what it really used.
pub(super) struct Job {
    pub(super) id: String,
    /// Whether it was queued; the others were reserved.
    pub(super) best_effort: bool,
    pub(super) submitted: f64,
    pub(super) start: f64,
    pub(super) finish: f64,
    /// Inclusive intervals of PE numbers.
    pub(super) pes: Vec<(u32, u32)>,
}

/// A row of reservations.csv.
pub(super) struct Reservation {
    pub(super) id: String,
    pub(super) arrival: f64,
    pub(super) ready: f64,
    pub(super) duration: f64,
    pub(super) deadline: f64,
    pub(super) pes: f64,
    pub(super) accepted: bool,
    pub(super) reason: String,
    pub(super) slowdown: Option<f64>,
    /// Whether a promise was broken, where the strategy can break one.
    pub(super) violated: Option<bool>,
}

/// What moves.csv comes to.
pub(super) struct Moves {
    /// Moves made.
    pub(super) made: usize,
    /// Reservations moved at least once.
    pub(super) reservations: usize,
}

// timing.json is left out on purpose: it differs between equal runs, and equal runs give equal reports.
/// Reads a run from its folder, and notes which files are missing there.
pub(super) fn read(dir: &Path, name: &str, missing: &mut Vec<String>) -> Result<Run> {
    let run = Run {
        folder: name.to_owned(),
        label: name.to_owned(),
        metrics: MetricsFile::read(&dir.join("metrics.json"))?,
        jobs: jobs(&dir.join("jobs.csv"))?,
        reservations: reservations(&dir.join("reservations.csv"))?,
        moves: moves(&dir.join("moves.csv"))?,
    };
    let there = [
        ("jobs.csv", run.jobs.is_some()),
        ("reservations.csv", run.reservations.is_some()),
        ("metrics.json", run.metrics.is_some()),
    ];
    for (file, _) in there.iter().filter(|f| !f.1) {
        missing.push(match name {
            "" => (*file).to_owned(),
            _ => format!("{name}/{file}"),
        });
    }
    Ok(run)
}

fn jobs(file: &Path) -> Result<Option<Vec<Job>>> {
    let needed = [
        "job_id",
        "submission_time",
        "success",
        "starting_time",
        "finish_time",
        "allocated_resources",
    ];
    let rows = table::read(file, &needed, |row| {
        if row.one_of("success", &["0", "1"])? == "0" {
            return Ok(None);
        }
        let start = row.number("starting_time")?;
        let finish = row.number("finish_time")?;
        if finish < start {
            return Err(row.wrong("finish_time", "a time not before starting_time"));
        }
        Ok(Some(Job {
            id: row.text("job_id").to_owned(),
            best_effort: row.text("profile") == "best-effort",
            submitted: row.number("submission_time")?,
            start,
            finish,
            pes: row.intervals("allocated_resources")?,
        }))
    })?;
    Ok(rows.map(|rows| rows.into_iter().flatten().collect()))
}

fn reservations(file: &Path) -> Result<Option<Vec<Reservation>>> {
    let needed = [
        "job_id", "arrival", "ready", "duration", "deadline", "pes", "decision", "reason",
        "slowdown",
    ];
    table::read(file, &needed, |row| {
        Ok(Reservation {
            id: row.text("job_id").to_owned(),
            arrival: row.number("arrival")?,
            ready: row.number("ready")?,
            duration: row.number("duration")?,
            deadline: row.number("deadline")?,
            pes: row.number("pes")?,
            accepted: row.one_of("decision", &["accepted", "refused"])? == "accepted",
            reason: row.text("reason").to_owned(),
            slowdown: row.optional_number("slowdown")?,
            violated: match row.text("violated") {
                "" => None,
                _ => Some(
                    ["1", "true"].contains(&row.one_of("violated", &["0", "1", "false", "true"])?),
                ),
            },
        })
    })
}

fn moves(file: &Path) -> Result<Option<Moves>> {
    let moved = table::read(file, &["job_id"], |row| Ok(row.text("job_id").to_owned()))?;
    Ok(moved.map(|moved| Moves {
        made: moved.len(),
        reservations: moved.iter().collect::<BTreeSet<_>>().len(),
    }))
}
