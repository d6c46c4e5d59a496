//! The files of a run: jobs.csv, reservations.csv, metrics.json and timing.json; with holds or operations also operations.csv and
//! moves.csv, with copies at several sites replicas.csv, with outages outages.csv, with jobs that end for reservations pieces.csv; and what sums
//! them up: schedule.csv, and users.csv where the input names users.
//!
//! Equal runs give equal bytes, timing.json excepted. Every file is whole or absent, and metrics.json is written last, so a
//! folder that has one holds a finished run.

pub(crate) mod jobs;
pub(crate) mod metrics;
pub(crate) mod operations;
pub(crate) mod reservations;
mod timing;
mod users;

use std::{fs, io, path::Path};

use bookahead::Money;
use serde::Serialize;

pub(crate) use metrics::limits;
pub use timing::Timing;

use crate::{
    engine::{Outcome, Story, System, metrics::Metrics},
    error::{Error, Result},
    files::{
        self, Job, Move, Operation, OutageRow, Piece, Replica, Reservation, Row, Schedule, Summing,
        User,
    },
    text_file::{self, io_error},
};

/// Batsim's job table.
pub const JOBS: &str = "jobs.csv";
/// Every request with its decision.
pub const RESERVATIONS: &str = "reservations.csv";
/// Every operation with its decision.
pub const OPERATIONS: &str = "operations.csv";
/// What operations changed.
pub const MOVES: &str = "moves.csv";
/// The copies of reservations that are booked at several sites.
pub const REPLICAS: &str = "replicas.csv";
/// What outages took.
pub const OUTAGES: &str = "outages.csv";
/// Runs of jobs that were ended for reservations.
pub const PIECES: &str = "pieces.csv";
/// Batsim's summary of its job table.
pub const SCHEDULE: &str = "schedule.csv";
/// What each user asked for and got.
pub const USERS: &str = "users.csv";
/// Figures and settings.
pub const METRICS: &str = "metrics.json";
/// What was set in every run of a reproduction.
pub const SETTINGS: &str = "settings.json";
/// How fast it went, the one file that differs between equal runs.
pub const TIMING: &str = "timing.json";

/// What was run on what.
#[derive(Clone, Debug)]
pub struct RunInfo {
    /// The system simulated.
    pub system: System,
    /// A name of the workload.
    pub workload: String,
    /// The seed of everything random in it.
    pub seed: u64,
}

/// Money in units, as far as floats go.
pub(crate) fn units(money: Money) -> f64 {
    money.get() as f64 / 1e6
}

/// Makes `dir` if need be, and whatever is in it no finished run: an interrupted run must not look like one. Files of other
/// names stay.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be made or a file not removed.
pub fn prepare(dir: &Path) -> Result<()> {
    text_file::prepare_folder(dir)?;
    // The files of operations too, which a run without any does not replace.
    for name in [
        METRICS, TIMING, OPERATIONS, MOVES, REPLICAS, OUTAGES, PIECES, USERS,
    ] {
        remove(&dir.join(name))?;
    }
    Ok(())
}

/// Removes a file if it is there.
pub(crate) fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(file, error)),
        _ => Ok(()),
    }
}

/// Writes jobs.csv, reservations.csv and, last, metrics.json into `dir`, and returns the figures.
///
/// ```
/// use bookahead_sim::{engine::{self, Binding, Strategy, System}, output, request::{Demand, JobRequest}};
///
/// let job = JobRequest { job_id: 1, arrival: 0, ready: 60, duration: 90, deadline: 600, pes: 2, run: 90, flexible: true, ..JobRequest::default() };
/// let strategy = Strategy::Fit(bookahead::Policy::FirstFit);
/// let system = System::new(4, 64, 60, strategy, Binding::Early);
/// let outcomes = engine::run(&system, &[Demand::Reserve(job)], &|| {})?;
/// let dir = tempfile::tempdir().unwrap();
/// let info = output::RunInfo { system, workload: "example".into(), seed: 1 };
/// assert_eq!(output::write_run(dir.path(), &info, &outcomes)?.accepted, 1);
/// let reservations = std::fs::read_to_string(dir.path().join(output::RESERVATIONS)).unwrap();
/// assert!(reservations.ends_with("1,0,60,90,600,2,accepted,,60,180,1.000000\n"));
/// # Ok::<(), bookahead_sim::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if a file cannot be written; there is no metrics.json then.
pub fn write_run(dir: &Path, info: &RunInfo, outcomes: &[Outcome]) -> Result<Metrics> {
    write_story(dir, info, &Story::from(outcomes.to_vec()))
}

/// As [`write_run`], of all that became of a script: with holds or operations in it also operations.csv and moves.csv.
///
/// # Errors
/// As [`write_run`].
pub fn write_story(dir: &Path, info: &RunInfo, story: &Story) -> Result<Metrics> {
    prepare(dir)?;
    let mut sums = Summing::default();
    let jobs = jobs::rows(&info.workload, story, &info.system).inspect(|job| sums.add(job));
    files::write(&dir.join(JOBS), Job::COLUMNS, jobs)?;
    let reservations = reservations::rows(&info.system, story);
    files::write(&dir.join(RESERVATIONS), Reservation::COLUMNS, reservations)?;
    if !story.is_plain() {
        let operations = operations::rows(&story.operated);
        files::write(&dir.join(OPERATIONS), Operation::COLUMNS, operations)?;
    }
    if tells_moves(&info.system, story) {
        let moves = operations::moves(&story.moves, info.system.sites > 1);
        files::write(&dir.join(MOVES), Move::COLUMNS, moves)?;
    }
    if info.system.redundancy.is_some() {
        let replicas = reservations::replicas(story);
        files::write(&dir.join(REPLICAS), Replica::COLUMNS, replicas)?;
    }
    if info.system.outages {
        let outages = operations::outages(&story.gone);
        files::write(&dir.join(OUTAGES), OutageRow::COLUMNS, outages)?;
    }
    if info.system.preempt.is_some() {
        let pieces = operations::pieces(&story.pieces);
        files::write(&dir.join(PIECES), Piece::COLUMNS, pieces)?;
    }
    let users = users::rows(story);
    if !users.is_empty() {
        files::write(&dir.join(USERS), User::COLUMNS, users)?;
    }
    let metrics = Metrics::on(&info.system, story);
    let ended = metrics
        .preemptions
        .map_or(0, |ended| ended.preempted_pe_seconds);
    let away = metrics
        .outages
        .and_then(|outages| outages.outage_pe_seconds);
    sums.add_use(ended);
    let pes = u64::from(info.system.pes) * u64::from(info.system.sites);
    let schedule = sums.row(pes, away.unwrap_or(0));
    files::write(&dir.join(SCHEDULE), Schedule::COLUMNS, [schedule])?;
    metrics::write(&dir.join(METRICS), info, &metrics, story)?;
    Ok(metrics)
}

/// Whether bookings can change in a run after they have been made: by operations, because the strategy moves them, or because something that cannot wait takes their places.
pub(crate) fn has_moves(system: &System, story: &Story) -> bool {
    let moves = system.moving().is_some() || system.relocates();
    moves || story.may_break(system) || !story.is_plain()
}

/// Whether moves.csv is there.
pub(crate) fn tells_moves(system: &System, story: &Story) -> bool {
    let by_time = system.strategy.overlay().is_some() || system.preempt.is_some();
    by_time || has_moves(system, story)
}

/// What metrics.json says of a run, without writing anything.
///
/// # Errors
/// [`Error::Internal`] if it cannot be said in JSON, which is a defect.
pub fn metrics(info: &RunInfo, story: &Story) -> Result<serde_json::Value> {
    let metrics = Metrics::on(&info.system, story);
    metrics::value(info, &metrics, story)
        .map_err(|error| Error::Internal(format!("metrics.json: {error}")))
}

/// Writes timing.json into `dir`.
///
/// # Errors
/// [`Error::Io`] if it cannot be written.
pub fn write_timing(dir: &Path, timing: &Timing) -> Result<()> {
    write_json(&dir.join(TIMING), timing)
}

fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    text_file::write(file, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

/// Rows as CSV.
pub(crate) fn csv_text(rows: &[Vec<String>]) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail, and the rows of a table are equally long.
        let _ = table.write_record(row);
    }
    String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
}
