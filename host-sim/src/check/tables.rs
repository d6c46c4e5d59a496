//! The tables of a run, from its files or from what the simulator holds in memory.

use std::path::Path;

use serde::Deserialize;

use super::{settings::Settings, totals::Totals};
use crate::{
    engine::{Story, System, metrics::Metrics},
    error::{Error, Result},
    files::{self, Job, Move, Operation, OutageRow, Piece, Replica, Reservation},
    output::{
        self, JOBS, Kinds, METRICS, MOVES, OPERATIONS, OUTAGES, PIECES, REPLICAS, RESERVATIONS,
        RunInfo, Sums,
    },
};

/// The tables of a run; nothing for a file that is missing, or whose rows are not kept.
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
        let mut tables = Self::beside_rows(dir)?;
        tables.keep_rows(dir)?;
        Ok(tables)
    }

    /// Reads all files in `dir` but those with a row for each job.
    pub(super) fn beside_rows(dir: &Path) -> Result<Self> {
        Ok(Self {
            jobs: None,
            reservations: None,
            operations: files::read(&dir.join(OPERATIONS))?,
            moves: files::read(&dir.join(MOVES))?,
            replicas: files::read(&dir.join(REPLICAS))?,
            outages: files::read(&dir.join(OUTAGES))?,
            pieces: files::read(&dir.join(PIECES))?,
            totals: Totals::read(&dir.join(METRICS))?,
        })
    }

    /// Reads these as well.
    pub(super) fn keep_rows(&mut self, dir: &Path) -> Result<()> {
        self.jobs = files::read(&dir.join(JOBS))?;
        self.reservations = files::read(&dir.join(RESERVATIONS))?;
        Ok(())
    }

    /// Whether these have to be kept: what other tables tell is about any of them, and so are some settings.
    pub(super) fn need_rows(&self) -> bool {
        let others = [
            self.operations.is_some(),
            self.moves.is_some(),
            self.replicas.is_some(),
            self.outages.is_some(),
            self.pieces.is_some(),
        ];
        let settings = self.totals.as_ref().map(|totals| &totals.settings);
        others.contains(&true) || settings.is_some_and(Settings::need_rows)
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
        let sums = Sums::of(system, story);
        let totals = output::metrics::entries(&info, metrics, &sums);
        let jobs = output::jobs::rows(UNNAMED, story, system);
        // The rows do not say how many they are.
        let mut reservations = Vec::with_capacity(outcomes.len());
        reservations.extend(output::reservations::rows(system, story));
        let operations = || operated.iter().map(output::operations::row).collect();
        let several = system.sites > 1;
        let moved = |moved| output::operations::moved(moved, several);
        let moves = || story.moves.iter().map(moved).collect();
        let kinds = Kinds::of(system, story);
        let broken = |error: serde_json::Error| Error::Internal(error.to_string());
        let totals = serde_json::to_value(totals).map_err(broken)?;
        Ok(Self {
            jobs: Some(jobs),
            reservations: Some(reservations),
            operations: (!kinds.plain).then(operations),
            moves: kinds.tells_moves(system).then(moves),
            replicas: (system.redundancy).map(|_| {
                let outcomes = outcomes.iter();
                outcomes.flat_map(output::reservations::replicas).collect()
            }),
            outages: (system.outages).then(|| {
                let gone = story.gone.iter();
                gone.map(output::operations::outage).collect()
            }),
            pieces: (system.preempt).map(|_| {
                let pieces = story.pieces.iter();
                pieces.map(output::operations::piece).collect()
            }),
            totals: Some(Totals::deserialize(totals).map_err(broken)?),
        })
    }
}
