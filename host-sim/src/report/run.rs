//! One run as the report reads it.

use std::{collections::BTreeSet, path::Path};

use super::metrics_file::MetricsFile;
use crate::{
    error::Result,
    files::{self, LARGEST, Move, Operation, OutageRow, PrincipalRow, Row},
    layout::Layout,
    outage::Breaker,
    output::{JOBS, METRICS, MOVES, OPERATIONS, OUTAGES, PRINCIPALS, RESERVATIONS},
    rule::Rule,
};

/// One run: a stream of requests under one policy and binding.
pub(super) struct Run {
    /// Name of its folder, empty for the result folder itself.
    pub(super) folder: String,
    /// Shortest name that tells it from the other runs.
    pub(super) label: String,
    pub(super) metrics: Option<MetricsFile>,
    /// The layout of the machine.
    pub(super) layout: Option<Layout>,
    pub(super) jobs: Option<Vec<Job>>,
    pub(super) reservations: Option<Vec<Reservation>>,
    pub(super) moves: Option<Moves>,
    pub(super) operations: Option<Vec<Operation>>,
    pub(super) outages: Option<Vec<OutageRow>>,
    pub(super) rules: Vec<Rule>,
    pub(super) principals: Vec<PrincipalRow>,
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
    /// In which nodes they lie, on a machine with a layout.
    pub(super) groups: Option<String>,
    /// What broke its promise while it ran, and when.
    pub(super) broken: Option<(Breaker, u64)>,
    /// Where these are drawn: node by node on a machine with a layout, else by number.
    pub(super) rows: Vec<(u32, u32)>,
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
}

/// What moves.csv comes to.
pub(super) struct Moves {
    /// Moves made, in their order.
    pub(super) made: Vec<Move>,
    /// Reservations moved at least once.
    pub(super) reservations: usize,
}

impl Moves {
    /// What happened to a reservation.
    pub(super) fn of(&self, id: &str) -> Vec<&Move> {
        let job_id = id.parse().ok();
        let moves = self.made.iter();
        moves.filter(|row| Some(row.job_id) == job_id).collect()
    }
}

// timing.json is left out on purpose: it differs between equal runs, and equal runs give equal reports.
/// Reads a run from its folder, and notes which files are missing there.
pub(super) fn read(dir: &Path, name: &str, missing: &mut Vec<String>) -> Result<Run> {
    let metrics = MetricsFile::read(&dir.join(METRICS))?;
    let layout = metrics.as_ref().and_then(MetricsFile::layout);
    let rules = metrics.as_ref().map(MetricsFile::rules);
    let run = Run {
        folder: name.to_owned(),
        label: name.to_owned(),
        jobs: jobs(&dir.join(JOBS), layout.as_ref())?,
        metrics,
        layout,
        reservations: reservations(&dir.join(RESERVATIONS))?,
        moves: moves(&dir.join(MOVES))?,
        operations: files::read(&dir.join(OPERATIONS))?,
        outages: files::read(&dir.join(OUTAGES))?,
        rules: rules.unwrap_or_default(),
        principals: files::read(&dir.join(PRINCIPALS))?.unwrap_or_default(),
    };
    let there = [
        (JOBS, run.jobs.is_some()),
        (RESERVATIONS, run.reservations.is_some()),
        (METRICS, run.metrics.is_some()),
    ];
    for (file, _) in there.iter().filter(|f| !f.1) {
        missing.push(match name {
            "" => (*file).to_owned(),
            _ => format!("{name}/{file}"),
        });
    }
    Ok(run)
}

fn jobs(file: &Path, layout: Option<&Layout>) -> Result<Option<Vec<Job>>> {
    let ran = |row: files::Job<'_>| {
        let pes = row.allocated_resources.clone();
        let [start, finish] = row.ran()?;
        Some(Job {
            id: row.job_id.to_string(),
            best_effort: row.is_best_effort(),
            submitted: number(row.submission_time),
            start: number(start),
            // That it is not over before it starts is for the checker to say.
            finish: number(finish.max(start)),
            groups: row.groups.map(|groups| groups.to_string()),
            broken: row.metadata.broken(),
            rows: match layout {
                Some(layout) => layout.group_by_group(&pes).0,
                None => pes.0.clone(),
            },
            pes: pes.0,
        })
    };
    let mut jobs = Vec::new();
    let there = files::read_lines(file, files::Job::COLUMNS, |line| {
        jobs.extend(ran(line.row()?));
        Ok(())
    })?;
    Ok(there.map(|_| jobs))
}

fn reservations(file: &Path) -> Result<Option<Vec<Reservation>>> {
    let asked = |row: files::Reservation| Reservation {
        id: row.job_id.to_string(),
        arrival: number(row.arrival),
        ready: number(row.ready),
        duration: number(row.duration),
        deadline: number(row.deadline),
        pes: number(row.pes),
        accepted: row.is_accepted(),
        reason: row.reason.into_owned(),
        slowdown: row.slowdown.map(|slowdown| slowdown.0),
    };
    files::read_lines(file, files::Reservation::COLUMNS, |line| {
        Ok(asked(line.row()?))
    })
}

fn moves(file: &Path) -> Result<Option<Moves>> {
    let rows: Option<Vec<Move>> = files::read(file)?;
    Ok(rows.map(|made| Moves {
        reservations: made
            .iter()
            .map(|row| row.job_id)
            .collect::<BTreeSet<_>>()
            .len(),
        made,
    }))
}

/// A number as plots take it.
pub(super) fn number(cell: u64) -> f64 {
    (cell as f64).min(LARGEST)
}
