//! Whether the files of a sweep are whole and agree.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::Path,
};

use super::{Plan, Shard, merge::shard_of, runs::store, tables};
use crate::{
    error::Result,
    experiment::store::{Run, Store},
    manifest::Manifest,
    result_folder::Missing,
    text_file::io_error,
};

/// How many runs a sweep has, and what is wrong with them or with the tables made of them; nothing where the folder holds no sweep.
///
/// # Errors
/// When its plan is none, or a file cannot be read.
pub(crate) fn check(dir: &Path) -> Result<Option<(usize, Vec<String>)>> {
    let Some((plan, shard, store)) = held(dir)? else {
        return Ok(None);
    };
    let runs = Run::all(&plan, shard).count();
    let mut problems: Vec<String> = store.damage().collect();
    if store.len() < runs {
        let missing = Run::all(&plan, shard).filter(|run| !store.has(*run));
        let missing = Missing::of(missing, |run| run.describe(&plan));
        problems.insert(0, missing.to_string());
        return Ok(Some((runs, problems)));
    }
    for (name, table) in tables::common(&plan) {
        let file = dir.join(name);
        let held = match File::open(&file) {
            Ok(held) => held,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                problems.push(format!("{name} is missing"));
                continue;
            }
            Err(error) => return Err(io_error(&file, error)),
        };
        let mut same = Same {
            held: BufReader::new(held),
            is_same: true,
        };
        let compared = table(&plan, &store, &mut same).and_then(|()| same.held.read(&mut [0]));
        if compared.map_err(|error| io_error(&file, error))? > 0 || !same.is_same {
            problems.push(format!("{name} is not what the runs come to"));
        }
    }
    Ok(Some((runs, problems)))
}

/// The runs of a sweep that are not finished; nothing where the folder holds no sweep.
///
/// # Errors
/// When its plan is none, or a file cannot be read.
pub(crate) fn missing(dir: &Path) -> Result<Option<Missing>> {
    let held = held(dir)?;
    Ok(held.map(|(plan, shard, store)| {
        let missing = Run::all(&plan, shard).filter(|run| !store.has(*run));
        Missing::of(missing, |run| run.describe(&plan))
    }))
}

/// The sweep in a folder, as it is.
fn held(dir: &Path) -> Result<Option<(Plan, Shard, Store)>> {
    let Some(held) = Manifest::read(dir)?.filter(Manifest::is_sweep) else {
        return Ok(None);
    };
    let (plan, shard) = (Plan::of(dir, &held)?, shard_of(&held));
    let store = store(Store::look, dir, &plan, shard)?;
    Ok(Some((plan, shard, store)))
}

/// Compares what is written with what a file holds.
struct Same {
    held: BufReader<File>,
    is_same: bool,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut held = Vec::new();
        (&mut self.held)
            .take(bytes.len() as u64)
            .read_to_end(&mut held)?;
        self.is_same &= held == bytes;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
