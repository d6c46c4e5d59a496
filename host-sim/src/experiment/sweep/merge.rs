//! The shards of a sweep become the sweep.

use std::path::{Path, PathBuf};

use super::{
    PLAN, Plan, Shard,
    run::{begin, finish},
    runs::store,
    tables::Times,
};
use crate::{
    error::{Error, Result},
    experiment::store::{Run, Store},
    manifest::{Manifest, Other},
    report::words::plural,
};

/// Missing runs that a message names.
const NAMED: usize = 10;

/// Merges the shards in `dirs` into `out`: the bytes of the sweep in one piece.
///
/// # Errors
/// [`Error::Usage`] for folders that are no shards of one sweep; [`Error::Violated`] names what is missing.
pub(crate) fn merge(dirs: &[PathBuf], out: &Path, other: Other) -> Result<usize> {
    let shards = dirs.iter().map(|dir| shard(dir));
    let shards: Vec<(Plan, Manifest)> = shards.collect::<Result<_>>()?;
    let Some((plan, first)) = shards.first() else {
        return Err(Error::Usage("no folders of shards were named".to_owned()));
    };
    for (dir, (_, other)) in dirs.iter().zip(&shards) {
        if experiment(other) != experiment(first) {
            let (dir, first) = (dir.display(), dirs[0].display());
            return Err(Error::Usage(format!(
                "{dir}: holds another sweep than {first}, or one of another version"
            )));
        }
    }
    let stores: Vec<Store<'_>> = dirs.iter().map(|dir| store(dir, plan)).collect();
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for run in Run::all(plan, Shard::WHOLE) {
        match stores.iter().find_map(|store| store.read(run)) {
            Some(row) => rows.push((run, row)),
            None => missing.push(run),
        }
    }
    if !missing.is_empty() {
        let mut text = incomplete(plan, &missing);
        let absent = absent(shards.iter().map(|(_, manifest)| manifest));
        if !absent.is_empty() {
            text += &format!("\nnot among the folders: {}", absent.join(", "));
        }
        return Err(Error::Violated(text));
    }
    let kept = begin(plan, Shard::WHOLE, out, other)?;
    rows.iter()
        .try_for_each(|(run, row)| kept.write(*run, row))?;
    let mut times = Times::default();
    dirs.iter().for_each(|dir| times.read(dir));
    finish(plan, &rows, &times, out)?;
    Ok(rows.len())
}

fn shard(dir: &Path) -> Result<(Plan, Manifest)> {
    let held = Manifest::read(dir)?.filter(Manifest::is_sweep);
    let held =
        held.ok_or_else(|| Error::Usage(format!("{}: holds no shard of a sweep", dir.display())))?;
    let plan = Plan::of(dir, &held)?;
    let mut whole = held.options.clone();
    whole.remove("shard");
    if whole != plan.experiment() {
        return Err(Error::Usage(format!(
            "{}: its {PLAN} is not the plan of its runs",
            dir.display()
        )));
    }
    Ok((plan, held))
}

/// What shards of one sweep have in common.
fn experiment(manifest: &Manifest) -> (Vec<(&String, &serde_json::Value)>, &str) {
    let options = manifest.options.iter().filter(|(name, _)| *name != "shard");
    (options.collect(), &manifest.version)
}

/// The shards that nobody has named.
fn absent<'a>(manifests: impl Iterator<Item = &'a Manifest>) -> Vec<String> {
    let named: Vec<Shard> = manifests.map(shard_of).collect();
    let all = named.first().into_iter().flat_map(|shard| shard.siblings());
    let absent = all.filter(|shard| !named.contains(shard));
    absent.map(|shard| format!("shard {shard}")).collect()
}

/// The share of the points that a manifest lists.
pub(super) fn shard_of(manifest: &Manifest) -> Shard {
    let shard = manifest
        .options
        .get("shard")
        .and_then(|shard| shard.as_str());
    shard
        .and_then(|shard| shard.parse().ok())
        .unwrap_or(Shard::WHOLE)
}

pub(super) fn incomplete(plan: &Plan, missing: &[Run]) -> String {
    let mut text = format!("not finished, {} missing:", plural(missing.len(), "run"));
    for run in missing.iter().take(NAMED) {
        text += &format!("\n  {}", run.describe(plan));
    }
    if let Some(more @ 1..) = missing.len().checked_sub(NAMED) {
        text += &format!("\n  and {more} more");
    }
    text
}
