//! The command as a user runs it: every sub-command, what it says of wrong input, and that equal runs give equal bytes.

mod ask;
mod bad_input;
mod bands;
mod cases;
mod check;
mod check_agreement;
mod check_alarms;
mod check_bookings;
mod check_limits;
mod check_queue;
mod check_service;
mod check_settings;
mod equal_bytes;
mod explain;
mod folders;
mod gzip;
#[cfg(unix)]
mod interrupt;
mod juggle;
mod kinds;
mod layout;
mod lengths;
mod lies;
mod manual;
mod operations;
mod options;
mod outages;
mod overlay;
mod overruns;
mod preempting;
mod refusals;
mod replications;
mod reproduce;
#[cfg(unix)]
mod resume;
mod rounding;
mod rules;
#[cfg(unix)]
mod sbatch;
mod several;
mod shift;
mod stores;
mod sub_commands;
mod summaries;
mod sweep;
mod traces;
mod waiting;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use assert_cmd::Command;

/// The command, without the user's colours.
fn bookahead() -> Command {
    let mut command = Command::cargo_bin("bookahead").unwrap();
    command.env_remove("NO_COLOR");
    command
}

/// Runs it with these arguments in `dir` and expects this exit status; gives the standard output and the error output.
#[track_caller]
fn ends(dir: &Path, arguments: &str, status: i32) -> [String; 2] {
    let mut command = bookahead();
    let command = command.current_dir(dir).args(arguments.split_whitespace());
    let ended = command.assert().code(status);
    let output = ended.get_output().clone();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

/// Runs it with these arguments in `dir` and expects success; gives the standard output.
#[track_caller]
fn succeed(dir: &Path, arguments: &str) -> String {
    let [output, _] = ends(dir, arguments, 0);
    output
}

/// Runs it with these arguments in `dir` and expects success; gives the error output.
#[track_caller]
fn told(dir: &Path, arguments: &str) -> String {
    fail(dir, arguments, 0)
}

/// Runs it and expects this exit status; gives the error output.
#[track_caller]
fn fail(dir: &Path, arguments: &str, status: i32) -> String {
    let [_, told] = ends(dir, arguments, status);
    told
}

#[track_caller]
fn assert_says(text: &str, words: &str) {
    assert!(text.contains(words), "no {words} in {text}");
}

#[track_caller]
fn assert_begins(text: &str, words: &str) {
    assert!(text.starts_with(words), "no {words} first in {text}");
}

/// The entries of a JSON file.
#[track_caller]
fn json(file: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Mean of three samples, and half of their 95 % interval by Student's t, whose quantile is that of two degrees of freedom.
fn estimate_of_three(samples: &[f64]) -> [f64; 2] {
    assert_eq!(samples.len(), 3);
    let mean = samples.iter().sum::<f64>() / 3.0;
    let squares = samples.iter().map(|one| (one - mean).powi(2));
    let deviation = (squares.sum::<f64>() / 2.0 / 3.0).sqrt();
    [mean, 4.302_652_729_9 * deviation]
}

/// An empty folder.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

const HEADER: &str = "job_id,arrival,ready,duration,deadline,pes\n";

/// Writes requests.csv with these rows.
fn write_requests(dir: &Path, rows: &str) {
    fs::write(dir.join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
}

/// All files below a folder by path, but for what measures time, which runs.bin does, too.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            let inner = files(&path);
            found.extend(
                inner
                    .into_iter()
                    .map(|(file, bytes)| (name.join(file), bytes)),
            );
        } else if !["timing.json", "timing.csv", "timing.html", "runs.bin"]
            .map(Path::new)
            .contains(&&*name)
        {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

/// How many runs the file in a folder holds whole: frames of a number (u64), a length (u32), as many bytes and a checksum (u64) behind a header of 16 bytes.
fn kept(dir: &Path) -> usize {
    frames(&fs::read(dir.join("runs.bin")).unwrap_or_default()).len()
}

/// Where the frames of such a file begin and end, by their numbers alone.
fn frames(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut begin = 16;
    while let Some(length) = bytes.get(begin + 8..begin + 12) {
        let end = begin + 20 + u32::from_le_bytes(length.try_into().unwrap()) as usize;
        if end > bytes.len() {
            break;
        }
        found.push(begin..end);
        begin = end;
    }
    found
}

/// The names of a folder's files, those about speed excepted.
fn names(dir: &Path) -> Vec<String> {
    let files = files(dir);
    let names = files.keys().map(|file| file.to_string_lossy().into_owned());
    names.collect()
}
