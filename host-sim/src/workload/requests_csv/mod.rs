//! Requests as CSV: one header line with the columns of [`COLUMNS`], then whole numbers, times in seconds.
//!
//! Columns are found by name, in any order; others are ignored. LF or CRLF, a byte order mark and gzip are taken. Rows
//! must be in order of arrival. A request that is well formed but cannot be granted is no error here: refusing it by name is
//! the scheduler's business.
//!
//! A row of the `kind` `best-effort` is a job for the queue, which has no ready time and no deadline; the others are requests to reserve. `user` is the
//! number of the user whose it is. Four columns may say more of a request: `duration_min`, the shortest length that is of use, where the longest that fits is granted;
//! `flexible`, 1 or 0; `run_time`, how long the job really runs; and `wait`, 1 or 0, whether it waits for room where requests may. Where there is no such
//! column or an empty cell, a request has one length, is flexible and waits, and its job runs for its duration. Two columns are about jobs for the queue, where
//! reservations may end them: `preemptible`, 1 or 0, and `min_run`, how long such a job runs at least before that.
//!
//! On a machine with a layout, seven more columns say which processing elements a request asks for: `partition`, `exclude`, `groups`, `per_group`,
//! `within`, `prefer`, `on`; see [`Asks`](crate::layout::Asks). Without a layout nobody knows what they mean, and they are ignored as others.
//!
//! Where there are quotas, `principal` names whose a request is; without such a column or with an empty cell, that is the `user`, if the number is the name of a
//! principal, and else nobody. Where there are resources beside the machine, `needs` says how much of them a request needs: `licence=2 bandwidth=5`.
//!
//! A column `op` turns rows into operations on reservations, with a column `target` for the job that each is about; a hold may have a
//! time to live in a column `ttl`. An operation has a job_id of its own, and the cells that it does not use are empty or 0.

mod row;
mod write;

use std::path::Path;

use csv::StringRecord;

pub use write::{Table, write, write_to};

use self::row::{Columns, ScriptRow};
use super::numbers::Numbers;
use crate::{
    error::Result,
    layout::Layout,
    operation::{Operation, Script},
    several::{self, Principal, Resource},
    text_file::{self, input_error},
};

/// The columns in the order in which they are written.
pub const COLUMNS: [&str; 6] = ["job_id", "arrival", "ready", "duration", "deadline", "pes"];

const ARRIVAL: usize = 1;

/// The columns of operations, in the order in which they are written.
const OPERATION_COLUMNS: [&str; 3] = ["op", "target", "ttl"];

/// The words for what a row asks for, beside an empty cell for the first.
const KINDS: [&str; 2] = ["reservation", "best-effort"];

/// The columns that say more of a request, in the order in which they are written.
const TRAIT_COLUMNS: [&str; 8] = [
    "kind",
    "user",
    "duration_min",
    "flexible",
    "run_time",
    "wait",
    "preemptible",
    "min_run",
];

/// What the requests of a file are for. Columns about what is not there mean nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'m> {
    /// The layout of the machine.
    pub layout: Option<&'m Layout>,
    /// Whose quotas requests are charged to.
    pub quotas: &'m [Principal],
    /// What there is beside the machine.
    pub resources: &'m [Resource],
}

impl Asked<'_> {
    /// Which of the columns about several books are read.
    fn reads(&self) -> [bool; several::COLUMNS.len()] {
        [!self.quotas.is_empty(), !self.resources.is_empty()]
    }
}

/// Reads all rows of a file.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) if it cannot be read; [`Error::Input`](crate::error::Error::Input) with line and column if something in it is wrong.
pub fn read(file: &Path) -> Result<Script> {
    read_on(file, Asked::default())
}

/// As [`read`], for a machine with a layout, with quotas or with resources beside it.
///
/// # Errors
/// As [`read`].
pub fn read_on(file: &Path, asked: Asked<'_>) -> Result<Script> {
    parse_text(file, &text_file::read(file)?, asked)
}

/// The columns of a file that nobody reads, and those of `unused` that it has: most are meant as they stand, and some are misspelt.
///
/// # Errors
/// As [`read`].
pub fn ignored(file: &Path, asked: Asked<'_>, unused: &[&str]) -> Result<Vec<String>> {
    let text = text_file::read(file)?;
    let header = Rows::new(file, &text).next()?;
    let placing = asked.layout.map(|_| crate::layout::COLUMNS);
    let beside = several::COLUMNS.into_iter().zip(asked.reads());
    let beside = beside.filter(|(_, read)| *read);
    let known = [&COLUMNS[..], &OPERATION_COLUMNS, &TRAIT_COLUMNS];
    let known: Vec<&str> = known
        .into_iter()
        .flatten()
        .copied()
        .chain(placing.into_iter().flatten())
        .chain(beside.map(|(name, _)| name))
        .collect();
    let names = header.iter().flat_map(|(_, header)| header.iter());
    let ignored = names.filter(|name| !known.contains(name) || unused.contains(name));
    Ok(ignored.map(str::to_owned).collect())
}

/// Reads all rows in `bytes`; `file` is named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(file: &Path, bytes: Vec<u8>) -> Result<Script> {
    let bytes = text_file::decompress(file, &bytes[..])?;
    parse_text(file, &text_file::text(file, bytes)?, Asked::default())
}

fn parse_text(file: &Path, text: &str, asked: Asked<'_>) -> Result<Script> {
    let mut rows = Rows::new(file, text);
    let Some((line, header)) = rows.next()? else {
        return Err(input_error(
            file,
            None,
            None,
            format!(
                "found an empty file, expected the header {}",
                COLUMNS.join(",")
            ),
        ));
    };
    let columns = Columns::find(file, line, &header, asked)?;
    let mut script = Script::default();
    // The first row with the number of another, which is told when nothing else is wrong.
    let (mut numbers, mut repeated) = (Numbers::default(), None);
    let mut last = 0;
    while let Some((line, row)) = rows.next()? {
        let (job_id, arrival) = match columns.row(file, line, &row)? {
            ScriptRow::Demand(demand) => {
                let name = (demand.job_id(), demand.arrival());
                script.demands.push(demand);
                name
            }
            ScriptRow::Operation(operation) => {
                let after = script.demands.len();
                script.operations.push(Operation { after, ..operation });
                (operation.job_id, operation.arrival)
            }
        };
        if arrival < last {
            let problem =
                format!("found {arrival} after {last}, expected rows in order of arrival");
            return Err(input_error(
                file,
                Some(line),
                Some(COLUMNS[ARRIVAL]),
                problem,
            ));
        }
        last = arrival;
        if !numbers.insert(job_id) {
            repeated.get_or_insert((job_id, line));
        }
    }
    check_whole(file, &script, repeated)?;
    Ok(script)
}

/// What no single row can show.
fn check_whole(file: &Path, script: &Script, repeated: Option<(u64, u64)>) -> Result<()> {
    if script.demands.is_empty() {
        let found = match script.operations.is_empty() {
            true => "found a header and no row",
            false => "found operations only",
        };
        let problem = format!("{found}, expected at least one request");
        return Err(input_error(file, None, None, problem));
    }
    match repeated {
        Some((job_id, line)) => {
            let problem =
                format!("found {job_id} a second time, expected a number of its own for each row");
            Err(input_error(file, Some(line), Some(COLUMNS[0]), problem))
        }
        None => Ok(()),
    }
}

/// The rows of a text with the lines they start on.
struct Rows<'a> {
    file: &'a Path,
    text: &'a str,
    reader: csv::Reader<&'a [u8]>,
}

impl<'a> Rows<'a> {
    fn new(file: &'a Path, text: &'a str) -> Self {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        Self { file, text, reader }
    }

    fn next(&mut self) -> Result<Option<(u64, StringRecord)>> {
        let before = self.reader.position().clone();
        // The reader stands behind the last cell, which may be in front of a line end and of blank lines.
        let skipped = self.text.as_bytes().iter().skip(before.byte() as usize);
        let line_ends = skipped
            .take_while(|byte| matches!(byte, b'\r' | b'\n'))
            .filter(|&&byte| byte == b'\n')
            .count();
        let line = before.line() + line_ends as u64;
        let mut row = StringRecord::new();
        match self.reader.read_record(&mut row) {
            Ok(true) => Ok(Some((line, row))),
            Ok(false) => Ok(None),
            Err(error) => Err(input_error(
                self.file,
                Some(line),
                None,
                format!("found {error}, expected a row of CSV"),
            )),
        }
    }
}
