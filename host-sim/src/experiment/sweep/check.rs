//! Whether the files of a sweep are whole and agree.

use std::path::Path;

use super::{
    Plan,
    merge::{incomplete, shard_of},
    run::read_all,
    runs::store,
    tables::Tables,
};
use crate::{error::Result, experiment::store::Run, manifest::Manifest, text_file};

/// How many runs a sweep has, and what is wrong with them or with the tables made of them; nothing where the folder holds no sweep.
///
/// # Errors
/// When its plan is none, or a file cannot be read.
pub(crate) fn check(dir: &Path) -> Result<Option<(usize, Vec<String>)>> {
    let held = Manifest::read(dir)?.filter(Manifest::is_sweep);
    let Some(held) = held else {
        return Ok(None);
    };
    let plan = Plan::of(dir, &held)?;
    let shard = shard_of(&held);
    let runs: Vec<Run> = Run::all(&plan, shard).collect();
    let (rows, missing) = read_all(&store(dir, &plan), &runs);
    if !missing.is_empty() {
        return Ok(Some((runs.len(), vec![incomplete(&plan, &missing)])));
    }
    let mut problems = Vec::new();
    for (name, content) in Tables::new(&plan, &rows)?.files() {
        let file = dir.join(name);
        match text_file::read_if_there(&file)? {
            Some(text) if text == content => {}
            Some(_) => problems.push(format!("{name} is not what the runs come to")),
            None => problems.push(format!("{name} is missing")),
        }
    }
    Ok(Some((runs.len(), problems)))
}
