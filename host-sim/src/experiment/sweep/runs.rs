//! The runs of a plan, and where they are kept.

use std::path::Path;

use super::{grid::Shard, plan::Plan};
use crate::{
    experiment::store::{Run, Store},
    manifest::{Manifest, SWEEP},
};

impl Run {
    /// The runs of a plan that belong to a shard, in the order of their rows.
    pub(super) fn all(plan: &Plan, shard: Shard) -> impl Iterator<Item = Self> + use<'_> {
        let points = 0..plan.grid().points().unwrap_or_default();
        let points = points.filter(move |point| shard.has(*point) && plan.has(*point));
        points.flat_map(|point| {
            (1..=plan.replications).map(move |replication| Self { point, replication })
        })
    }

    /// What a person calls it.
    pub(super) fn describe(self, plan: &Plan) -> String {
        let values = plan.at(self.point).filter(|(setting, _)| setting.is_axis);
        let values = values.map(|(setting, value)| format!("{} {}, ", setting.key, value.value));
        let values: String = values.collect();
        format!("{} ({values}replication {})", self.file(), self.replication)
    }
}

/// The finished runs of a plan, made by this version of the program.
pub(super) fn store<'a>(dir: &'a Path, plan: &Plan) -> Store<'a> {
    let Manifest {
        options, version, ..
    } = Manifest::new(SWEEP, plan.experiment(), Vec::new());
    let options = serde_json::Map::from_iter(options);
    Store::new(
        dir,
        format!("{version} {}", serde_json::Value::from(options)),
    )
}
