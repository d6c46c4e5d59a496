//! Standard Workload Format, version 2: the format of the Parallel Workloads Archive, plain or gzip.
//!
//! A log is text: comment lines that start with `;` (the header, `; Key: value`), then one line per job with 18 numbers
//! separated by blanks, in order of submission. -1 stands for "unknown". Times and amounts of memory may have a fraction,
//! counts and identifiers may not. All 18 fields are kept, so that a log read and written again has equal records.
//!
//! ```
//! use bookahead_sim::workload::swf::Log;
//!
//! let text = "; MaxProcs: 128\n1 0 -1 60 4 12.5 -1 4 90 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
//! let log = Log::parse("tiny.swf", text.into())?;
//! assert_eq!(log.header().number("MaxProcs"), Some(128));
//! let first = log.records().next().expect("one record")?;
//! assert_eq!((first.line, first.record.average_cpu_time), (2, 12.5));
//! # Ok::<(), bookahead_sim::error::Error>(())
//! ```

mod header;
mod line;
mod record;

pub use header::Header;
pub use record::{FIELDS, Record};

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use self::line::LineReader;
use crate::{
    error::{Error, Result},
    text_file::{self, input_error},
};

/// A record and the line it stands on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbered {
    /// Line of the file.
    pub line: u64,
    /// What it says.
    pub record: Record,
}

/// A log in memory; its records are parsed as they are asked for.
#[derive(Clone, Debug)]
pub struct Log {
    file: PathBuf,
    text: String,
    header: Header,
}

impl Log {
    /// Reads a log; the content decides whether it is gzip.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read;
    /// [`Error::Input`] if it is broken gzip, has a record that is not UTF-8 or a line of more than 1 MiB, or has no record.
    pub fn read(file: impl Into<PathBuf>) -> Result<Self> {
        let file = file.into();
        let bytes = text_file::bytes(&file)?;
        Self::from_bytes(file, bytes)
    }

    /// The log in `bytes`; `file` is named in errors.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn parse(file: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self> {
        let file = file.into();
        let bytes = text_file::decompress(&file, &bytes[..])?;
        Self::from_bytes(file, bytes)
    }

    fn from_bytes(file: PathBuf, bytes: Vec<u8>) -> Result<Self> {
        let text = text_file::text(&file, comments_in_utf8(bytes))?;
        if !text.lines().any(is_record) {
            let problem = "found no job record, expected at least one line of 18 numbers";
            return Err(input_error(&file, None, None, problem.to_owned()));
        }
        let lines = text
            .lines()
            .filter(|line| line.starts_with(';'))
            // `lines` leaves a carriage return that no line feed follows, or that is one of several.
            .map(|line| line.trim_end_matches('\r').to_owned())
            .collect();
        Ok(Self {
            file,
            text,
            header: Header { lines },
        })
    }

    /// The error that a job has the number of another one.
    pub(super) fn repeated(&self, numbered: &Numbered) -> Error {
        let number = numbered.record.job_number;
        let problem =
            format!("found {number} a second time, expected a number of its own for each job");
        input_error(&self.file, Some(numbered.line), Some(FIELDS[0]), problem)
    }

    /// The comment lines.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The records in order, each an error if its line is wrong: columns, numbers, negatives other than -1, or a submission
    /// before the one above it.
    pub fn records(&self) -> impl Iterator<Item = Result<Numbered>> {
        let mut last_submit = 0.0;
        (1..)
            .zip(self.text.lines())
            .filter(|(_, text)| is_record(text))
            .map(move |(line, text)| {
                let file = &self.file;
                let record = LineReader { file, line }.record(text, last_submit)?;
                last_submit = record.submit_time.max(last_submit);
                Ok(Numbered { line, record })
            })
    }
}

/// The same with comments in UTF-8: those of old logs are often in Latin-1, and comments are kept, not judged.
fn comments_in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    if str::from_utf8(&bytes).is_ok() {
        return bytes;
    }
    let mut converted = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b";") && str::from_utf8(line).is_err() {
            // The first 256 characters of Unicode are those of Latin-1.
            let text: String = line.iter().copied().map(char::from).collect();
            converted.extend(text.into_bytes());
        } else {
            converted.extend(line);
        }
    }
    converted
}

fn is_record(line: &str) -> bool {
    !line.starts_with(';') && !line.trim().is_empty()
}

/// Writes a log, compressed if the name ends in `.gz`.
///
/// # Errors
/// [`Error::Io`] if the file cannot be written; then none appears.
pub fn write<'a>(
    file: &Path,
    header: &Header,
    records: impl IntoIterator<Item = &'a Record>,
) -> Result<()> {
    text_file::write(file, |out| write_to(out, header, records))
}

/// Writes a log as plain text.
///
/// # Errors
/// What `out` reports.
pub fn write_to<'a>(
    out: &mut (impl Write + ?Sized),
    header: &Header,
    records: impl IntoIterator<Item = &'a Record>,
) -> io::Result<()> {
    for line in header.lines() {
        writeln!(out, "{line}")?;
    }
    for record in records {
        writeln!(out, "{record}")?;
    }
    Ok(())
}
