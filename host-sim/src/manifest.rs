//! experiment.json: which experiment a result folder holds, and which runs belong to it.
//!
//! It is written before anything else, so that a folder whose experiment was cut short says what is missing. One folder holds one
//! experiment, and files that are nobody's experiment are never overwritten.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    text_file::{self, io_error},
};

/// Name of the file.
pub(crate) const FILE: &str = "experiment.json";

/// A run that lies in the result folder itself.
pub(crate) const HERE: &str = ".";

/// The sub-command of a sweep, in one piece, in shards or merged.
pub(crate) const SWEEP: &str = "sweep";

/// Files of results by name, what summarises others first: an experiment that is being removed looks unfinished from the beginning.
const RESULTS: [&str; 16] = [
    "report.html",
    "metrics.json",
    "summary.csv",
    "samples.csv",
    "claims.csv",
    "evidence.csv",
    "figures.csv",
    "settings.json",
    "timing.json",
    "timing.html",
    "timing.csv",
    "plan.toml",
    "operations.csv",
    "moves.csv",
    "reservations.csv",
    "jobs.csv",
];

/// An experiment and the runs that belong to it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct Manifest {
    /// The sub-command.
    pub(crate) command: String,
    /// Its options by their long names, but for those that change no result.
    pub(crate) options: BTreeMap<String, Value>,
    /// Version of this program.
    pub(crate) version: String,
    /// The results, folders or files, relative to this folder; [`HERE`] where it is the folder itself.
    pub(crate) runs: Vec<String>,
}

/// What may happen to another experiment in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Refused,
    Replaced,
}

impl Manifest {
    /// An experiment of this version.
    pub(crate) fn new(command: &str, options: BTreeMap<String, Value>, runs: Vec<String>) -> Self {
        Self {
            command: command.to_owned(),
            options,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runs,
        }
    }

    /// The manifest of a folder, or nothing when it has none.
    pub(crate) fn read(dir: &Path) -> Result<Option<Self>> {
        let file = dir.join(FILE);
        let Some(text) = text_file::read_if_there(&file)? else {
            return Ok(None);
        };
        let manifest: Self = serde_json::from_str(&text).map_err(|error| Error::Input {
            file: file.clone(),
            line: Some(error.line() as u64),
            field: None,
            problem: format!("expected the manifest of an experiment: {error}"),
        })?;
        match manifest.runs.iter().find(|run| !is_inside(run)) {
            None => Ok(Some(manifest)),
            Some(run) => Err(Error::Input {
                file,
                line: None,
                field: Some("runs".to_owned()),
                problem: format!("found {run:?}, expected a name inside the folder"),
            }),
        }
    }

    /// Whether its runs are the points of a sweep.
    pub(crate) fn is_sweep(&self) -> bool {
        self.command == SWEEP
    }

    /// Whether both are the same experiment.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.command, &self.options, &self.runs) == (&other.command, &other.options, &other.runs)
    }

    /// The folder or file of a run.
    pub(crate) fn path(dir: &Path, run: &str) -> PathBuf {
        match run {
            HERE => dir.to_owned(),
            run => dir.join(run),
        }
    }

    /// Makes the folder this experiment's: whatever it holds of another one is gone then, or the folder is refused.
    pub(crate) fn claim(&self, dir: &Path, other: Other) -> Result<()> {
        if dir.is_file() {
            return Err(Error::Usage(format!(
                "{}: found a file, expected a folder for results",
                dir.display()
            )));
        }
        match Self::read(dir)? {
            None => self.refuse_strangers(dir)?,
            Some(held) if self.is_same(&held) => {}
            Some(held) if other == Other::Replaced => held.remove(dir)?,
            Some(held) => {
                return Err(Error::Usage(format!(
                    "{}: holds another experiment ({} of version {}{}), which would be lost: say --force to replace it, or another --out",
                    dir.display(),
                    held.command,
                    held.version,
                    self.differences(&held),
                )));
            }
        }
        text_file::prepare_folder(dir)?;
        text_file::write(&dir.join(FILE), |out| {
            serde_json::to_writer_pretty(&mut *out, self)?;
            writeln!(out)
        })
    }

    /// The options in which another experiment of the same command differs, in words.
    fn differences(&self, other: &Self) -> String {
        let names: BTreeSet<&String> = self.options.keys().chain(other.options.keys()).collect();
        let differ = |name: &&String| self.options.get(*name) != other.options.get(*name);
        let names = names.into_iter().filter(differ).map(String::as_str);
        let names: Vec<&str> = names.collect();
        match self.command == other.command && !names.is_empty() {
            true => format!(", different in {}", names.join(", ")),
            false => String::new(),
        }
    }

    /// Files of these names that no experiment of ours has made belong to somebody else.
    fn refuse_strangers(&self, dir: &Path) -> Result<()> {
        let folders = self.runs.iter().map(|run| Self::path(dir, run));
        let mut folders: Vec<PathBuf> = folders.collect();
        folders.push(dir.to_owned());
        let files = folders
            .iter()
            .flat_map(|folder| RESULTS.map(|name| folder.join(name)));
        match files.into_iter().find(|file| file.exists()) {
            None => Ok(()),
            Some(file) => Err(Error::Usage(format!(
                "{}: is there, and no {FILE} in {} says that it is a result of this program, so it is not overwritten: move it away, or \
                 say another --out",
                file.display(),
                dir.display(),
            ))),
        }
    }

    /// Removes all results of this experiment, and their folders where nothing else is in them.
    fn remove(&self, dir: &Path) -> Result<()> {
        for name in RESULTS {
            remove_file(&dir.join(name))?;
        }
        let mut folders = BTreeSet::new();
        for run in self.runs.iter().filter(|run| *run != HERE) {
            let path = dir.join(run);
            if path.is_dir() {
                for name in RESULTS {
                    remove_file(&path.join(name))?;
                }
                text_file::clear_partial(&path)?;
                folders.insert(path.clone());
            } else {
                remove_file(&path)?;
            }
            folders.extend(
                path.parent()
                    .filter(|parent| *parent != dir)
                    .map(Path::to_owned),
            );
        }
        // Inner folders first.
        for folder in folders.into_iter().rev() {
            // A folder may be an experiment by itself.
            if let Some(inner) = Self::read(&folder)? {
                inner.remove(&folder)?;
            }
            // One that holds something else stays.
            let _ = fs::remove_dir(folder);
        }
        // Last, so that an experiment half removed is known for what it is.
        remove_file(&dir.join(FILE))
    }
}

fn is_inside(run: &str) -> bool {
    let inside = |part| matches!(part, Component::Normal(_));
    run == HERE || (!run.is_empty() && Path::new(run).components().all(inside))
}

fn remove_file(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(file, error)),
        _ => Ok(()),
    }
}
