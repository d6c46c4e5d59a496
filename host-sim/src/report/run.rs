//! One run as the report reads it.

use std::{
    collections::{BTreeSet, HashMap},
    panic::resume_unwind,
    path::{Path, PathBuf},
    thread,
};

use super::{
    excerpt::Excerpt,
    jobs::{Job, Jobs},
    metrics_file::MetricsFile,
    requests::Requests,
};
use crate::{
    engine::{
        Cause,
        rounding::{Losses, distorts},
    },
    error::Result,
    files::{self, LARGEST, Move, Operation, OutageRow, PrincipalRow, Reservation},
    layout::Layout,
    output::{JOBS, METRICS, MOVES, OPERATIONS, OUTAGES, PRINCIPALS, RESERVATIONS},
    rule::Rule,
};

/// One run: a stream of requests under one policy and binding.
pub(super) struct Run {
    path: PathBuf,
    /// Name of its folder, empty for the result folder itself.
    pub(super) folder: String,
    /// Shortest name that tells it from the other runs.
    pub(super) label: String,
    pub(super) metrics: Option<MetricsFile>,
    /// The layout of the machine.
    pub(super) layout: Option<Layout>,
    /// What all jobs and all requests come to. There may be more of them than fit into memory, so the few rows that are shown are read again.
    pub(super) jobs: Option<Jobs>,
    pub(super) requests: Option<Requests>,
    pub(super) moves: Option<Moves>,
    pub(super) operations: Option<Vec<Operation>>,
    pub(super) outages: Option<Vec<OutageRow>>,
    pub(super) rules: Vec<Rule>,
    pub(super) principals: Vec<PrincipalRow>,
}

impl Run {
    /// The jobs that ran in an excerpt, and others, in the order of their rows.
    pub(super) fn jobs_of<'a>(
        &'a self,
        jobs: &'a Jobs,
        excerpt: &Excerpt,
    ) -> Result<impl Iterator<Item = Result<Job>> + use<'a>> {
        jobs.of_excerpt(&self.path.join(JOBS), self.layout.as_ref(), excerpt)
    }

    /// The requests of these numbers.
    pub(super) fn requests_of(&self, wanted: &BTreeSet<u64>) -> Result<HashMap<u64, Reservation>> {
        match &self.requests {
            Some(requests) => requests.of_numbers(&self.path, wanted),
            None => Ok(HashMap::new()),
        }
    }
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
    pub(super) fn of(&self, job_id: u64) -> Vec<&Move> {
        let moves = self.made.iter();
        moves.filter(|row| row.job_id == job_id).collect()
    }
}

// timing.json is left out on purpose: it differs between equal runs, and equal runs give equal reports.
/// Reads a run from its folder, and notes which files are missing there.
pub(super) fn read(dir: &Path, name: &str, missing: &mut Vec<String>) -> Result<Run> {
    let metrics = MetricsFile::read(&dir.join(METRICS))?;
    let layout = metrics.as_ref().and_then(MetricsFile::layout);
    let rules = metrics.as_ref().map(MetricsFile::rules);
    let lost = metrics.as_ref().and_then(losses);
    // Reading is all that takes long.
    let (jobs, requests) = thread::scope(|threads| {
        let jobs = threads.spawn(|| Jobs::read(&dir.join(JOBS), layout.as_ref()));
        let requests = Requests::read(dir, lost);
        (jobs.join(), requests)
    });
    let jobs = jobs.unwrap_or_else(|panic| resume_unwind(panic));
    let run = Run {
        path: dir.to_owned(),
        folder: name.to_owned(),
        label: name.to_owned(),
        jobs: jobs?,
        metrics,
        layout,
        requests: requests?,
        moves: moves(&dir.join(MOVES))?,
        operations: files::read(&dir.join(OPERATIONS))?,
        outages: files::read(&dir.join(OUTAGES))?,
        rules: rules.unwrap_or_default(),
        principals: files::read(&dir.join(PRINCIPALS))?.unwrap_or_default(),
    };
    let there = [
        (JOBS, run.jobs.is_some()),
        (RESERVATIONS, run.requests.is_some()),
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

/// What to count of requests that are lost to rounding: where they distort what is said, whether shorter slots would lose less.
fn losses(metrics: &MetricsFile) -> Option<Losses> {
    let [lost, count] = ["lost_to_rounding", "requests"].map(|entry| metrics.count(entry));
    let slot_seconds = metrics.number("slot_seconds")?;
    distorts(lost?, count?).then(|| Losses::below(slot_seconds as u32))
}

fn moves(file: &Path) -> Result<Option<Moves>> {
    let rows: Option<Vec<Move>> = files::read(file)?;
    // What gets processing elements to itself where it lay on top of others stays where it is.
    let stays = |row: &Move| row.cause == Cause::OverlayBooked.name();
    let moves = |rows: Vec<Move>| rows.into_iter().filter(|row| !stays(row)).collect();
    let made: Option<Vec<Move>> = rows.map(moves);
    Ok(made.map(|made| Moves {
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
