//! The shards of a sweep become the sweep.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    iter,
    path::{Path, PathBuf},
};

use super::{
    PLAN, Plan, Shard,
    run::{begin, finish},
    runs::store,
    tables::row_and_time,
};
use crate::{
    error::{Error, Result},
    experiment::store::{Run, Store},
    manifest::{Manifest, Other},
    result_folder::Missing,
};

/// Merges the shards in `dirs` into `out`: the tables of the sweep in one piece.
///
/// # Errors
/// [`Error::Usage`] for folders that are no shards of one sweep; [`Error::Violated`] names what is missing, or differs between them.
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
    let stores = dirs.iter().zip(&shards);
    let stores = stores.map(|(dir, (_, held))| store(Store::look, dir, plan, shard_of(held)));
    let stores: Vec<Store> = stores.collect::<Result<_>>()?;
    agree(plan, dirs, &stores)?;
    let mut finished = in_order(&stores).map(|(run, _)| run).peekable();
    let missing = Run::all(plan, Shard::WHOLE).filter(|run| {
        // A run may be in several shards.
        while finished.next_if(|finished| finished < run).is_some() {}
        finished.peek() != Some(run)
    });
    let mut missing = missing.peekable();
    if missing.peek().is_some() {
        let absent = absent(shards.iter().map(|(_, manifest)| manifest));
        let absent = Some(absent.join(", ")).filter(|absent| !absent.is_empty());
        let absent = absent.map(|absent| format!("not among the folders: {absent}"));
        let damage = stores.iter().flat_map(Store::damage);
        let text = [Missing::of(missing, |run| run.describe(plan)).to_string()]
            .into_iter()
            .chain(absent);
        let text: Vec<String> = text.chain(damage).collect();
        return Err(Error::Violated(text.join("\n")));
    }
    let mut merged = begin(plan, Shard::WHOLE, out, other, &|_| ())?;
    let mut last = None;
    for (run, shard) in in_order(&stores) {
        if !merged.has(run) && last.replace(run) != Some(run) {
            merged.append(run, &stores[shard].read(run)?.unwrap_or_default())?;
        }
    }
    finish(plan, &mut merged, out)?;
    Ok(merged.len())
}

/// The runs of all shards in order, each with the number of its shard.
fn in_order(stores: &[Store]) -> impl Iterator<Item = (Run, usize)> {
    let mut runs: Vec<_> = stores.iter().map(Store::runs).collect();
    let first = runs.iter_mut().enumerate();
    let first = first.filter_map(|(shard, runs)| Some(Reverse((runs.next()?, shard))));
    let mut next: BinaryHeap<_> = first.collect();
    iter::from_fn(move || {
        let Reverse((run, shard)) = next.pop()?;
        let after = runs.get_mut(shard).and_then(Iterator::next);
        next.extend(after.map(|run| Reverse((run, shard))));
        Some((run, shard))
    })
}

/// Whether a run that is in several shards is the same in all of them.
fn agree(plan: &Plan, dirs: &[PathBuf], stores: &[Store]) -> Result<()> {
    let mut last: Option<(Run, usize)> = None;
    for (run, shard) in in_order(stores) {
        if let Some((_, before)) = last.filter(|last| last.0 == run) {
            let [a, b] = [before, shard].map(|shard| stores[shard].read(run));
            let (a, b) = (a?.unwrap_or_default(), b?.unwrap_or_default());
            if row_and_time(&a).0 != row_and_time(&b).0 {
                let [a, b] = [before, shard].map(|shard| dirs[shard].display());
                return Err(Error::Violated(format!(
                    "{a} and {b} have different results of {}: make one of them again",
                    run.describe(plan)
                )));
            }
        }
        last = Some((run, shard));
    }
    Ok(())
}

fn shard(dir: &Path) -> Result<(Plan, Manifest)> {
    let held = Manifest::read(dir)?.filter(Manifest::is_sweep);
    let held =
        held.ok_or_else(|| Error::Usage(format!("{}: holds no shard of a sweep", dir.display())))?;
    let plan = Plan::of(dir, &held)?;
    match held.plan_hash() == Some(&plan.hash()) {
        true => Ok((plan, held)),
        false => Err(Error::Usage(format!(
            "{}: its {PLAN} is not the plan of its runs",
            dir.display()
        ))),
    }
}

/// What shards of one sweep have in common.
fn experiment(manifest: &Manifest) -> (Option<&String>, &str) {
    (manifest.plan_hash(), &manifest.version)
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Plan, Run, Shard, Store, agree, in_order, store};

    const PLAN: &str = "measures = [\"utilization\"]\n[run]\njobs = [1, 2, 3]\n";

    #[test]
    fn shards_may_have_a_run_in_common_if_they_agree_on_it() {
        let plan = Plan::parse(Path::new("plan.toml"), PLAN.to_owned()).unwrap();
        let shard = |runs: &[(usize, &str)]| {
            let dir = tempfile::tempdir().unwrap();
            let mut store = store(Store::open, dir.path(), &plan, Shard::WHOLE).unwrap();
            for (point, kept) in runs {
                let run = Run {
                    point: *point,
                    replication: 1,
                };
                store.append(run, kept).unwrap();
            }
            store.settle().unwrap();
            store
        };
        let dirs = ["a", "b"].map(PathBuf::from);
        // Times always differ.
        let alike = [
            shard(&[(2, "x\n1"), (0, "y\n1")]),
            shard(&[(1, "z\n1"), (2, "x\n2")]),
        ];
        agree(&plan, &dirs, &alike).unwrap();
        let order: Vec<(usize, usize)> = in_order(&alike)
            .map(|(run, shard)| (run.point, shard))
            .collect();
        assert_eq!(order, [(0, 0), (1, 1), (2, 0), (2, 1)]);
        let other = [shard(&[(2, "x\n1")]), shard(&[(2, "w\n1")])];
        assert_eq!(
            agree(&plan, &dirs, &other).unwrap_err().to_string(),
            "a and b have different results of point 2, replication 1 (jobs 3): make one of them again"
        );
    }
}
