//! Several files in one input: each begins behind a line `=== NAME`.

use std::{fs, path::Path};

use tempfile::TempDir;

/// The files of a folder with results, of runs in it, and of reproductions.
pub const NAMES: [&str; 13] = [
    "jobs.csv",
    "reservations.csv",
    "metrics.json",
    "operations.csv",
    "moves.csv",
    "claims.csv",
    "figures.csv",
    "a/jobs.csv",
    "a/reservations.csv",
    "a/metrics.json",
    "b/jobs.csv",
    "b/reservations.csv",
    "b/metrics.json",
];

/// A folder with the files of `bundle`; what stands under any other name is left out.
///
/// # Panics
///
/// When the folder cannot be written.
#[must_use]
pub fn unpack(bundle: &[u8]) -> TempDir {
    let dir = folder();
    let mut file = None;
    let mut content = Vec::new();
    for line in bundle.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(b"=== ") {
            Some(name) => {
                write(dir.path(), file, &content);
                content.clear();
                let name = name.trim_ascii();
                file = NAMES.into_iter().find(|known| known.as_bytes() == name);
            }
            None => content.extend_from_slice(line),
        }
    }
    write(dir.path(), file, &content);
    dir
}

fn write(dir: &Path, name: Option<&str>, content: &[u8]) {
    let Some(name) = name else {
        return;
    };
    let path = dir.join(name);
    let parent = path.parent().expect("it lies in the folder");
    fs::create_dir_all(parent).expect("the folder can be written");
    fs::write(path, content).expect("the folder can be written");
}

/// An empty folder that goes away again, in memory where the system has files in memory.
///
/// # Panics
///
/// When it cannot be made.
#[must_use]
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a temporary folder can be made")
}
