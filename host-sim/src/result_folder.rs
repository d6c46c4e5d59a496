//! Which folders hold the results of runs.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{
    error::{Error, Result},
    output::{JOBS, METRICS, RESERVATIONS},
    text_file::io_error,
};

/// Subfolders by name, so that nothing depends on the order in which the system lists them.
pub(crate) fn subfolders(dir: &Path) -> Result<Vec<PathBuf>> {
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

/// Whether a subfolder holds anything of a run.
pub(crate) fn holds_a_run(dir: &Path) -> bool {
    is_a_run(dir) || dir.join(METRICS).is_file()
}

/// Whether a result folder is itself a run; a metrics.json alone may also be that of an experiment.
pub(crate) fn is_a_run(dir: &Path) -> bool {
    [JOBS, RESERVATIONS]
        .iter()
        .any(|name| dir.join(name).is_file())
}
