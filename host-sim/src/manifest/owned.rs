//! The files of an experiment that another one would take the place of.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::Deserialize;

use super::{FILE, HERE, Manifest, RESULTS, STRATEGIES};
use crate::{
    error::{Error, Result},
    output::{self, TIMING},
    text_file::{self, io_error},
};

/// What an experiment has in its folder.
#[derive(Default)]
pub(super) struct Owned {
    /// Files in the order in which they are removed: whatever is left looks unfinished.
    files: Vec<PathBuf>,
    /// Folders inside its own.
    folders: BTreeSet<PathBuf>,
}

impl Owned {
    /// Of the experiment whose manifest lies in `dir`.
    pub(super) fn of(manifest: &Manifest, dir: &Path) -> Result<Self> {
        let mut owned = Self::default();
        owned.results(dir);
        for run in manifest.listed().iter().filter(|run| *run != HERE) {
            let path = dir.join(run);
            let parent = path.parent().filter(|parent| *parent != dir);
            owned.folders.extend(parent.map(Path::to_owned));
            if path.is_dir() {
                owned.results(&path);
                owned.folders.insert(path);
            } else {
                owned.files.extend(Some(path).filter(|file| file.exists()));
            }
        }
        if manifest.has_all_papers() {
            owned.folders.insert(dir.join(STRATEGIES));
        }
        // A folder may be an experiment by itself.
        for folder in owned.folders.clone() {
            if let Some(inner) = Manifest::read(&folder)? {
                let inner = Self::of(&inner, &folder)?;
                owned.files.extend(inner.files);
                owned.folders.extend(inner.folders);
            }
        }
        // Last, so that an experiment half removed is known for what it is.
        owned.files.push(dir.join(FILE));
        Ok(owned)
    }

    fn results(&mut self, folder: &Path) {
        let results = RESULTS.iter().map(|name| folder.join(name));
        self.files.extend(results.filter(|file| file.exists()));
    }

    /// Whether one of them has this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.ends_with(name))
    }

    /// Removes them, and the folders in which nothing else is.
    pub(super) fn remove(self) -> Result<()> {
        self.files
            .iter()
            .try_for_each(|file| output::remove(file))?;
        // Inner folders first.
        for folder in self.folders.into_iter().rev() {
            if folder.is_dir() {
                text_file::clear_partial(&folder)?;
            }
            // One that holds something else stays.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// Files in the folder that are none of these.
    pub(super) fn strangers(&self, dir: &Path) -> Result<Vec<PathBuf>> {
        let files: BTreeSet<&PathBuf> = self.files.iter().collect();
        let mut strangers = Vec::new();
        let mut folders = vec![dir.to_owned()];
        while let Some(folder) = folders.pop() {
            for path in listing(&folder)? {
                match path.is_dir() && !path.is_symlink() {
                    true => folders.push(path),
                    false if files.contains(&path) || text_file::is_partial(&path) => {}
                    false => strangers.push(path),
                }
            }
        }
        Ok(strangers)
    }

    /// How long its runs took, as they say (s).
    pub(super) fn recorded(&self) -> Result<f64> {
        #[derive(Deserialize)]
        struct Recorded {
            wall_seconds: f64,
        }
        let timings = self.files.iter().filter(|file| file.ends_with(TIMING));
        let seconds = timings.map(|file| {
            let text = text_file::read(file)?;
            let recorded: std::result::Result<Recorded, _> = serde_json::from_str(&text);
            Ok(recorded.map_or(0.0, |recorded| recorded.wall_seconds))
        });
        seconds.sum()
    }

    /// How long it took from its first file to its last (s): what was cut short records nothing.
    pub(super) fn between(&self) -> f64 {
        let written = |file: &PathBuf| fs::metadata(file).and_then(|file| file.modified()).ok();
        let times: Vec<SystemTime> = self.files.iter().filter_map(written).collect();
        let (first, last) = (times.iter().min(), times.iter().max());
        let between = first
            .zip(last)
            .map(|(first, last)| last.duration_since(*first));
        between.map_or(0.0, |time| time.unwrap_or_default().as_secs_f64())
    }
}

/// Gives a folder the first name of its own with a number that is free, and returns it.
pub(super) fn set_aside(dir: &Path) -> Result<PathBuf> {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let names = (1_u32..).map(|number| dir.with_file_name(format!("{name}.{number}")));
    let free = names
        .into_iter()
        .find(|path| path.symlink_metadata().is_err());
    let free = free.ok_or_else(|| Error::Internal(format!("{name}: no number is free")))?;
    fs::rename(dir, &free).map_err(|error| io_error(dir, error))?;
    Ok(free)
}

fn listing(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).and_then(|entries| {
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        paths.collect::<io::Result<Vec<PathBuf>>>()
    });
    let mut paths = entries.map_err(|error| io_error(folder, error))?;
    paths.sort();
    Ok(paths)
}
