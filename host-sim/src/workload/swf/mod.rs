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
    borrow::Borrow,
    fs,
    io::{self, Cursor, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use self::line::LineReader;
use crate::{
    error::{Error, Result},
    text_file::{self, Lines, input_error},
};

/// A record and the line it stands on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbered {
    /// Line of the file.
    pub line: u64,
    /// What it says.
    pub record: Record,
}

/// A log, of which the comments are in memory; its records are read as they are asked for, as often as they are.
#[derive(Clone, Debug)]
pub struct Log {
    file: PathBuf,
    source: Source,
    header: Header,
}

/// Where the lines of a log are.
#[derive(Clone, Debug)]
enum Source {
    /// In its file.
    File,
    /// In memory, where they cannot be read a second time.
    Bytes(Arc<[u8]>),
}

impl Source {
    fn lines(&self, file: &Path) -> Result<Lines<'static>> {
        match self {
            Self::File => Lines::open(file),
            Self::Bytes(bytes) => Lines::new(file, Cursor::new(bytes.clone())),
        }
    }
}

impl Log {
    /// Reads the comments of a log; the content decides whether it is gzip.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read;
    /// [`Error::Input`] if it is broken gzip, has a record that is not UTF-8 or a line of more than 1 MiB, or has no record.
    pub fn read(file: impl Into<PathBuf>) -> Result<Self> {
        let file = file.into();
        match fs::metadata(&file).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            // A pipe says everything once.
            true => Self::parse(file.clone(), text_file::bytes(&file)?),
            false => Self::of(file, Source::File),
        }
    }

    /// The log in `bytes`; `file` is named in errors.
    ///
    /// # Errors
    /// As [`Log::read`].
    pub fn parse(file: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Self> {
        Self::of(file.into(), Source::Bytes(bytes.into()))
    }

    fn of(file: PathBuf, source: Source) -> Result<Self> {
        let mut lines = source.lines(&file)?;
        let (mut comments, mut has_records) = (Vec::new(), false);
        while let Some((_, line)) = lines.next(comment_in_utf8)? {
            match line.starts_with(';') {
                // The end of a line leaves a carriage return that is one of several.
                true => comments.push(line.trim_end_matches('\r').to_owned()),
                false => has_records |= is_record(line),
            }
        }
        if !has_records {
            let problem = "found no job record, expected at least one line of 18 numbers";
            return Err(input_error(&file, None, None, problem.to_owned()));
        }
        Ok(Self {
            file,
            source,
            header: Header { lines: comments },
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
    pub fn records(&self) -> impl Iterator<Item = Result<Numbered>> + use<> {
        Records {
            file: self.file.clone(),
            lines: None,
            source: self.source.clone(),
            last_submit: 0.0,
        }
    }
}

/// The records of a log.
struct Records {
    file: PathBuf,
    source: Source,
    /// Nothing before the first is asked for.
    lines: Option<Lines<'static>>,
    last_submit: f64,
}

impl Records {
    fn record(&mut self) -> Result<Option<Numbered>> {
        let lines = match &mut self.lines {
            Some(lines) => lines,
            None => self.lines.insert(self.source.lines(&self.file)?),
        };
        while let Some((line, text)) = lines.next(comment_in_utf8)? {
            if is_record(text) {
                let file = &self.file;
                let record = LineReader { file, line }.record(text, self.last_submit)?;
                self.last_submit = record.submit_time.max(self.last_submit);
                return Ok(Some(Numbered { line, record }));
            }
        }
        Ok(None)
    }
}

impl Iterator for Records {
    type Item = Result<Numbered>;

    fn next(&mut self) -> Option<Self::Item> {
        self.record().transpose()
    }
}

/// Turns a comment into UTF-8: those of old logs are often in Latin-1, and comments are kept, not judged.
fn comment_in_utf8(line: &mut Vec<u8>) {
    if line.starts_with(b";") {
        // The first 256 characters of Unicode are those of Latin-1.
        let text: String = line.iter().copied().map(char::from).collect();
        *line = text.into_bytes();
    }
}

fn is_record(line: &str) -> bool {
    !line.starts_with(';') && !line.trim().is_empty()
}

/// Writes a log, compressed if the name ends in `.gz`.
///
/// # Errors
/// [`Error::Io`] if the file cannot be written; then none appears.
pub fn write<R: Borrow<Record>>(
    file: &Path,
    header: &Header,
    records: impl IntoIterator<Item = R>,
) -> Result<()> {
    text_file::write(file, |out| write_to(out, header, records))
}

/// Writes a log as plain text.
///
/// # Errors
/// What `out` reports.
pub fn write_to<R: Borrow<Record>>(
    out: &mut (impl Write + ?Sized),
    header: &Header,
    records: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    for line in header.lines() {
        writeln!(out, "{line}")?;
    }
    for record in records {
        writeln!(out, "{}", record.borrow())?;
    }
    Ok(())
}
