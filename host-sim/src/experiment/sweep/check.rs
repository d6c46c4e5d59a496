//! Whether the files of a sweep are whole and agree.

use std::{fs, path::Path};

use super::{
    PLAN, Plan,
    merge::{incomplete, shard_of},
    run::read_all,
    store::{Run, Store},
    tables::Tables,
};
use crate::{error::Result, manifest::Manifest, text_file::io_error};

/// How many runs a sweep has, and what is wrong with them or with the tables made of them; nothing where the folder holds no sweep.
///
/// # Errors
/// When its plan is none, or a file cannot be read.
pub(crate) fn check(dir: &Path) -> Result<Option<(usize, Vec<String>)>> {
    let held = Manifest::read(dir)?.filter(Manifest::is_sweep);
    let Some(held) = held else {
        return Ok(None);
    };
    let plan = Plan::read(&dir.join(PLAN))?;
    let shard = shard_of(&held);
    let runs: Vec<Run> = Run::all(&plan, shard).collect();
    let (rows, missing) = read_all(&Store::new(dir, &plan), &runs);
    if !missing.is_empty() {
        return Ok(Some((runs.len(), vec![incomplete(&plan, &missing)])));
    }
    let mut problems = Vec::new();
    for (name, content) in Tables::new(&plan, &rows)?.files() {
        let file = dir.join(name);
        match fs::read_to_string(&file) {
            Ok(text) if text == content => {}
            Ok(_) => problems.push(format!("{name} is not what the runs come to")),
            Err(_) if !file.exists() => problems.push(format!("{name} is missing")),
            Err(error) => return Err(io_error(&file, error)),
        }
    }
    Ok(Some((runs.len(), problems)))
}
