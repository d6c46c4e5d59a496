//! The tables of a run, from its files or from what the simulator holds in memory.

use std::path::Path;

use serde::Deserialize;

use super::totals::Totals;
use crate::{
    engine::{Story, System, metrics::Metrics},
    error::{Error, Result},
    files::{self, Job, Move, Operation, OutageRow, Piece, Replica, Reservation},
    output::{
        self, JOBS, METRICS, MOVES, OPERATIONS, OUTAGES, PIECES, REPLICAS, RESERVATIONS, RunInfo,
    },
};

/// The tables of a run; nothing for a file that is missing.
pub(super) struct Tables<'a> {
    pub(super) jobs: Option<Vec<Job<'a>>>,
    pub(super) reservations: Option<Vec<Reservation>>,
    pub(super) operations: Option<Vec<Operation>>,
    pub(super) moves: Option<Vec<Move>>,
    pub(super) replicas: Option<Vec<Replica>>,
    pub(super) outages: Option<Vec<OutageRow>>,
    pub(super) pieces: Option<Vec<Piece>>,
    pub(super) totals: Option<Totals>,
}

/// A workload that nobody named.
const UNNAMED: &str = "in memory";

impl Tables<'static> {
    /// Reads the files in `dir`.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        Ok(Self {
            jobs: files::read(&dir.join(JOBS))?,
            reservations: files::read(&dir.join(RESERVATIONS))?,
            operations: files::read(&dir.join(OPERATIONS))?,
            moves: files::read(&dir.join(MOVES))?,
            replicas: files::read(&dir.join(REPLICAS))?,
            outages: files::read(&dir.join(OUTAGES))?,
            pieces: files::read(&dir.join(PIECES))?,
            totals: Totals::read(&dir.join(METRICS))?,
        })
    }

    /// What would be written and read.
    ///
    /// # Errors
    /// [`Error::Internal`] when the figures cannot be read back, which is a defect.
    pub(super) fn of(system: &System, story: &Story, metrics: &Metrics) -> Result<Self> {
        let Story {
            outcomes, operated, ..
        } = story;
        let info = RunInfo {
            system: system.clone(),
            workload: UNNAMED.to_owned(),
            seed: 0,
        };
        let totals = output::metrics::entries(&info, metrics, story);
        // The rows do not say how many they are.
        let mut jobs = Vec::with_capacity(outcomes.len() + operated.len());
        jobs.extend(output::jobs::rows(UNNAMED, story, system));
        let mut reservations = Vec::with_capacity(outcomes.len());
        reservations.extend(output::reservations::rows(system, story));
        let operations = || output::operations::rows(operated).collect();
        let moves = || output::operations::moves(&story.moves, system.sites > 1).collect();
        let broken = |error: serde_json::Error| Error::Internal(error.to_string());
        let totals = serde_json::to_value(totals).map_err(broken)?;
        Ok(Self {
            jobs: Some(jobs),
            reservations: Some(reservations),
            operations: (!story.is_plain()).then(operations),
            moves: output::tells_moves(system, story).then(moves),
            replicas: (system.redundancy).map(|_| output::reservations::replicas(story).collect()),
            outages: (system.outages).then(|| output::operations::outages(&story.gone).collect()),
            pieces: (system.preempt).map(|_| output::operations::pieces(&story.pieces).collect()),
            totals: Some(Totals::deserialize(totals).map_err(broken)?),
        })
    }
}
