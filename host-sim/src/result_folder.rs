//! Which folders hold the results of runs.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

use crate::{
    error::{Error, Result},
    files,
    manifest::{self, HERE, Manifest},
    output::{JOBS, METRICS, RESERVATIONS},
    report::words::{grouped, plural},
    text_file::io_error,
};

/// A run that is in a result folder, or should be.
pub(crate) struct Run {
    /// Name of its folder, empty for the result folder itself.
    pub(crate) name: String,
    /// Its folder.
    pub(crate) path: PathBuf,
}

impl Run {
    /// Whether anything of it is there.
    pub(crate) fn has_begun(&self) -> bool {
        is_a_run(&self.path) || self.is_finished()
    }

    /// Whether its last file has been written.
    pub(crate) fn is_finished(&self) -> bool {
        // That of a reproduction is a file.
        self.path.is_file() || self.path.join(METRICS).is_file()
    }
}

/// The runs that belong to a result folder: those of its experiment, or whatever is there where no experiment is named. A subfolder
/// with nothing in it is a run that has not begun.
pub(crate) fn runs(dir: &Path) -> Result<Vec<Run>> {
    let subfolders = subfolders(dir)?;
    if let Some(manifest) = Manifest::read(dir)? {
        let runs = manifest.listed().iter().map(|run| Run {
            name: if run == HERE { "" } else { run }.to_owned(),
            path: Manifest::path(dir, run),
        });
        return Ok(runs.collect());
    }
    let mut runs = Vec::new();
    if is_a_run(dir) {
        runs.push(Run {
            name: String::new(),
            path: dir.to_owned(),
        });
    }
    for path in subfolders {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let run = Run { name, path };
        if run.has_begun() || is_empty(&run.path)? {
            runs.push(run);
        }
    }
    Ok(runs)
}

/// The experiments in a folder: itself, or those in its subfolders where it is none and holds no run.
pub(crate) fn experiments(dir: &Path) -> Result<Vec<PathBuf>> {
    let is_one = |dir: &Path| dir.join(manifest::FILE).is_file();
    let subfolders = subfolders(dir)?;
    if is_one(dir) || is_a_run(dir) || !subfolders.iter().any(|folder| is_one(folder)) {
        return Ok(vec![dir.to_owned()]);
    }
    let within = subfolders
        .into_iter()
        .filter(|folder| is_one(folder) || is_a_run(folder));
    Ok(within.collect())
}

/// Runs that are not finished: the first by their names, and how many there are.
#[derive(Default)]
pub(crate) struct Missing {
    pub(crate) named: Vec<String>,
    pub(crate) count: usize,
}

impl Missing {
    pub(crate) fn of<T>(runs: impl Iterator<Item = T>, name: impl Fn(T) -> String) -> Self {
        /// Runs that are named.
        const NAMED: usize = 10;
        let mut missing = Self::default();
        for run in runs {
            missing.count += 1;
            if missing.named.len() < NAMED {
                missing.named.push(name(run));
            }
        }
        missing
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "not finished, {} missing:", plural(self.count, "run"))?;
        for run in &self.named {
            writeln!(f, "  {run}")?;
        }
        if let more @ 1.. = self.count - self.named.len() {
            writeln!(f, "  and {} more", grouped(more))?;
        }
        f.write_str("the same command that began them makes what is missing")
    }
}

/// The runs that are not finished.
pub(crate) fn unfinished(dir: &Path) -> Result<Missing> {
    #[cfg(feature = "cli")]
    if let Some(missing) = crate::experiment::sweep::missing(dir)? {
        return Ok(missing);
    }
    let runs = runs(dir)?.into_iter().filter(|run| !run.is_finished());
    let shown = |run: Run| match run.name.as_str() {
        "" => HERE.to_owned(),
        _ => run.name,
    };
    Ok(Missing::of(runs, shown))
}

/// Subfolders by name, so that nothing depends on the order in which the system lists them.
fn subfolders(dir: &Path) -> Result<Vec<PathBuf>> {
    let listing = fs::read_dir(dir).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            Error::Usage(format!("{}: no such folder", dir.display()))
        }
        _ => io_error(dir, error),
    })?;
    let mut found = Vec::new();
    for entry in listing {
        let path = entry.map_err(|error| io_error(dir, error))?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a result folder is itself a run; a metrics.json alone may also be that of an experiment.
pub(crate) fn is_a_run(dir: &Path) -> bool {
    [JOBS, RESERVATIONS]
        .iter()
        .map(|name| dir.join(name))
        .any(|file| file.is_file() || files::compressed(&file).is_file())
}

fn is_empty(dir: &Path) -> Result<bool> {
    let mut listing = fs::read_dir(dir).map_err(|source| io_error(dir, source))?;
    Ok(listing.next().is_none())
}
