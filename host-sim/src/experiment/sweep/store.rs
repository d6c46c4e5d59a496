//! Finished runs: a file for each, whole or not at all, with a hash that tells whether it still is what was written.

use std::path::Path;

use twox_hash::XxHash3_64;

use super::{grid::Shard, plan::Plan};
use crate::{
    error::Result,
    manifest::{Manifest, SWEEP},
    text_file,
};

/// The folder of finished runs.
const POINTS: &str = "points";

/// Which run: a point, counted from 0, and a replication, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) point: usize,
    pub(super) replication: u32,
}

impl Run {
    /// The runs of a plan that belong to a shard, in the order of their rows.
    pub(super) fn all(plan: &Plan, shard: Shard) -> impl Iterator<Item = Self> + use<'_> {
        let points = 0..plan.grid().points().unwrap_or_default();
        let points = points.filter(move |point| shard.has(*point) && plan.has(*point));
        points.flat_map(|point| {
            (1..=plan.replications).map(move |replication| Self { point, replication })
        })
    }

    /// Its file in the result folder.
    pub(super) fn file(self) -> String {
        format!("{POINTS}/{:05}-{:04}.csv", self.point, self.replication)
    }

    /// What a person calls it.
    pub(super) fn describe(self, plan: &Plan) -> String {
        let values = plan.at(self.point).filter(|(setting, _)| setting.is_axis);
        let values = values.map(|(setting, value)| format!("{} {}, ", setting.key, value.value));
        let values: String = values.collect();
        format!("{} ({values}replication {})", self.file(), self.replication)
    }
}

/// The finished runs in a result folder.
pub(super) struct Store<'a> {
    dir: &'a Path,
    /// What all runs have in common: a file of another plan is none of this one.
    plan: String,
}

impl<'a> Store<'a> {
    /// The runs of a plan, made by this version of the program.
    pub(super) fn new(dir: &'a Path, plan: &Plan) -> Self {
        let Manifest {
            options, version, ..
        } = Manifest::new(SWEEP, plan.experiment(), Vec::new());
        let options = serde_json::Map::from_iter(options);
        Self {
            dir,
            plan: format!("{version} {}", serde_json::Value::from(options)),
        }
    }

    /// Makes the folder, without what was being written when a sweep was killed.
    pub(super) fn prepare(&self) -> Result<()> {
        text_file::prepare_folder(&self.dir.join(POINTS))
    }

    /// The row of a finished run; nothing where there is none, or a damaged one.
    pub(super) fn read(&self, run: Run) -> Option<String> {
        let text = text_file::read(&self.dir.join(run.file())).ok()?;
        let (row, hash) = text.trim_end_matches('\n').rsplit_once('\n')?;
        let row = format!("{row}\n");
        (text == self.content(run, &row) && !hash.is_empty()).then_some(row)
    }

    /// Keeps the row of a finished run.
    pub(super) fn write(&self, run: Run, row: &str) -> Result<()> {
        let file = self.dir.join(run.file());
        text_file::write(&file, |out| {
            out.write_all(self.content(run, row).as_bytes())
        })
    }

    fn content(&self, run: Run, row: &str) -> String {
        let hash = XxHash3_64::oneshot(format!("{}\n{}\n{row}", self.plan, run.file()).as_bytes());
        format!("{row}{hash:016x}\n")
    }
}
