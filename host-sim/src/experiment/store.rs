//! Finished runs: a file for each, whole or not at all, with a hash that tells whether it still is what was written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use twox_hash::XxHash3_64;

use crate::{
    error::Result,
    manifest::{POINTS, is_point},
    output, text_file,
};

/// Which run: a point, counted from 0, and a replication, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) point: usize,
    pub(super) replication: u32,
}

impl Run {
    /// Its file in the result folder.
    pub(super) fn file(self) -> String {
        format!("{POINTS}/{:05}-{:04}.csv", self.point, self.replication)
    }
}

/// The finished runs in a result folder.
pub(super) struct Store<'a> {
    dir: &'a Path,
    /// What all runs have in common: a file of another experiment is none of this one.
    experiment: String,
}

impl<'a> Store<'a> {
    /// The runs of an experiment.
    pub(super) fn new(dir: &'a Path, experiment: String) -> Self {
        Self { dir, experiment }
    }

    /// Makes the folder, without what was being written when an experiment was killed.
    pub(super) fn prepare(&self) -> Result<()> {
        text_file::prepare_folder(&self.dir.join(POINTS))
    }

    /// The rows of a finished run; nothing where there are none, or damaged ones.
    pub(super) fn read(&self, run: Run) -> Option<String> {
        let text = text_file::read(&self.dir.join(run.file())).ok()?;
        let (rows, hash) = text.trim_end_matches('\n').rsplit_once('\n')?;
        let rows = format!("{rows}\n");
        (text == self.content(run, &rows) && !hash.is_empty()).then_some(rows)
    }

    /// Keeps the rows of a finished run.
    pub(super) fn write(&self, run: Run, rows: &str) -> Result<()> {
        let file = self.dir.join(run.file());
        text_file::write(&file, |out| {
            out.write_all(self.content(run, rows).as_bytes())
        })
    }

    fn content(&self, run: Run, rows: &str) -> String {
        let hash =
            XxHash3_64::oneshot(format!("{}\n{}\n{rows}", self.experiment, run.file()).as_bytes());
        format!("{rows}{hash:016x}\n")
    }
}

/// How many runs are kept in a result folder.
pub(super) fn count(dir: &Path) -> usize {
    files(&dir.join(POINTS)).count()
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    files.filter(|file| is_point(file))
}

/// Removes all runs that are kept in a result folder.
pub(super) fn clear(dir: &Path) -> Result<()> {
    let folder = dir.join(POINTS);
    files(&folder).try_for_each(|file| output::remove(&file))?;
    // A folder that holds something else stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// What tells the content of a file from others.
pub(crate) fn hash(file: &Path) -> Result<String> {
    Ok(format!(
        "{:016x}",
        XxHash3_64::oneshot(&text_file::bytes(file)?)
    ))
}
