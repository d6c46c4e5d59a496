//! The tables of a run as rows. One definition of each row serves those that write it and those that read it.

mod ahead;
mod cells;
mod claim;
mod columns;
mod difference;
mod job;
mod operation;
mod outage;
mod piece;
mod principal;
mod replica;
mod reservation;
mod schedule;
mod stretches;
mod summary;
mod table;
mod text;
mod user;

use std::{
    fmt, io,
    marker::PhantomData,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};

pub(crate) use ahead::Ahead;
pub(crate) use cells::{
    Bit, CANCELLED, Cell, Decimal, EXPIRED, GivenBack, KILLED, LARGEST, Metadata, PeRanges, Price,
    STOPPED,
};
pub(crate) use claim::{ClaimRow, EvidenceRow, FigureRow, Verdict};
pub(crate) use difference::Difference;
pub(crate) use job::{Job, Profile};
pub(crate) use operation::{Booking, Move, Operation};
pub(crate) use outage::OutageRow;
pub(crate) use piece::Piece;
pub(crate) use principal::{PrincipalRow, principal_fairness};
pub(crate) use replica::Replica;
pub(crate) use reservation::{Decision, Kind, Reservation};
pub(crate) use schedule::{Schedule, Summing};
pub(crate) use stretches::Stretches;
pub(crate) use summary::SummaryRow;
pub(crate) use table::{Mark, Table, compressed};
pub(crate) use user::{User, fairness};

use self::text::Text;
use crate::{
    error::{Error, Result},
    text_file::{self, ShortLines, io_error},
};

/// A row of a table.
pub(crate) trait Row: Serialize + DeserializeOwned {
    /// The columns that every such table has.
    const COLUMNS: &'static [&'static str];

    /// Checks cells against each other; names a column that is wrong, and what was expected there.
    fn check(&self) -> std::result::Result<(), (&'static str, String)> {
        Ok(())
    }
}

/// Writes a table. The header comes from the fields of the rows, or from `columns` where there are no rows.
pub(crate) fn write<R: Serialize>(
    file: &Path,
    columns: &'static [&'static str],
    rows: impl IntoIterator<Item = R>,
) -> Result<()> {
    let mut table = Table::new(file, columns)?;
    rows.into_iter().try_for_each(|row| table.add(row))?;
    table.finish()
}

/// Reads every row of a table of a run, or nothing when there is no such file. Columns that are not known are left alone.
pub(crate) fn read<R: Row>(file: &Path) -> Result<Option<Vec<R>>> {
    let lines = Lines::of_run(file, R::COLUMNS)?;
    lines
        .map(|lines| first(lines, usize::MAX, |line| line.row()))
        .transpose()
}

/// Reads every line of a table that has at least these columns, or nothing when there is no such file.
pub(crate) fn read_lines<T>(
    file: &Path,
    columns: &[&str],
    each: impl FnMut(&TableRow<'_>) -> Result<T>,
) -> Result<Option<Vec<T>>> {
    first_lines(file, columns, usize::MAX, each)
}

/// As [`read_lines`], of so many lines at most.
pub(crate) fn first_lines<T>(
    file: &Path,
    columns: &[&str],
    most: usize,
    each: impl FnMut(&TableRow<'_>) -> Result<T>,
) -> Result<Option<Vec<T>>> {
    let lines = Lines::open(file, columns)?;
    lines.map(|lines| first(lines, most, each)).transpose()
}

fn first<T>(
    mut lines: Lines,
    most: usize,
    mut each: impl FnMut(&TableRow<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut rows = Vec::new();
    while rows.len() < most
        && let Some(line) = lines.next()?
    {
        rows.push(each(&line)?);
    }
    Ok(rows)
}

/// The lines of a table, one after the other: only one of them is in memory.
pub(crate) struct Lines {
    file: PathBuf,
    is_compressed: bool,
    reader: csv::Reader<ShortLines<Text>>,
    header: csv::StringRecord,
    record: csv::StringRecord,
}

impl Lines {
    /// Those of a table that has at least these columns, or nothing when there is no such file.
    pub(crate) fn open(file: &Path, columns: &[&str]) -> Result<Option<Self>> {
        let source = match Text::open(file) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_error(file, error)),
        };
        let is_compressed = source.is_compressed();
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::Headers)
            .from_reader(ShortLines::new(source));
        let header = reader.headers().map_err(|e| csv_error(file, e))?.clone();
        let missing = |column: &&&str| !header.iter().any(|name| name == **column);
        if let Some(column) = columns.iter().find(missing) {
            let problem = "found no such column in the header".to_owned();
            return Err(text_file::input_error(file, Some(1), Some(column), problem));
        }
        Ok(Some(Self {
            file: file.to_owned(),
            is_compressed,
            reader,
            header,
            record: csv::StringRecord::new(),
        }))
    }

    /// As [`open`](Self::open), of a table of a run, which may be compressed under a name of its own.
    fn of_run(file: &Path, columns: &[&str]) -> Result<Option<Self>> {
        match Self::open(file, columns)? {
            None => Self::open(&compressed(file), columns),
            lines => Ok(lines),
        }
    }

    /// Goes on with the one that begins there.
    fn seek(&mut self, position: csv::Position) -> Result<()> {
        let failed = |error| csv_error(&self.file, error);
        // What lies between would be decompressed twice, since some of it has been read already.
        let is_ahead = position.byte() >= self.reader.position().byte();
        if !(self.is_compressed && is_ahead) {
            return self.reader.seek(position).map_err(failed);
        }
        while self.reader.position().byte() < position.byte() {
            if !self.reader.read_record(&mut self.record).map_err(failed)? {
                break;
            }
        }
        Ok(())
    }

    /// The next one.
    pub(crate) fn next(&mut self) -> Result<Option<TableRow<'_>>> {
        let read = self.reader.read_record(&mut self.record);
        let there = read.map_err(|e| csv_error(&self.file, e))?;
        // A reader that trims would copy every record twice.
        if self.record.iter().any(has_edge) {
            self.record.trim();
        }
        Ok(there.then_some(TableRow {
            file: &self.file,
            header: &self.header,
            record: &self.record,
        }))
    }
}

/// Whether white space may be around a cell.
fn has_edge(cell: &str) -> bool {
    let may_be = |byte: &u8| *byte <= b' ' || !byte.is_ascii();
    let [first, last] = [cell.as_bytes().first(), cell.as_bytes().last()];
    first.is_some_and(may_be) || last.is_some_and(may_be)
}

/// The rows of a table, one after the other. Nothing follows one that cannot be read.
pub(crate) struct Rows<R> {
    lines: Option<Lines>,
    /// Whether cells are in the order of the row's fields, so that nobody has to look for them by name.
    in_order: bool,
    row: PhantomData<R>,
}

impl<R: Row> Rows<R> {
    /// Those of a file, or nothing when there is no such file.
    pub(crate) fn open(file: &Path) -> Result<Option<Self>> {
        let lines = Lines::of_run(file, R::COLUMNS)?;
        let fields = columns::of::<R>().iter();
        Ok(lines.map(|lines| Self {
            in_order: lines
                .header
                .iter()
                .eq(fields.copied().take(lines.header.len())),
            lines: Some(lines),
            row: PhantomData,
        }))
    }

    /// Where the last one stands in the file.
    fn position(&self) -> Option<&csv::Position> {
        self.lines.as_ref()?.record.position()
    }

    /// Goes on from there.
    fn seek(&mut self, position: csv::Position) -> Result<()> {
        self.lines
            .as_mut()
            .map_or(Ok(()), |lines| lines.seek(position))
    }
}

impl<R: Row> Iterator for Rows<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let line = self.lines.as_mut()?.next();
        let row = |line: TableRow<'_>| match self.in_order {
            true => line.read(None),
            false => line.row(),
        };
        let row = line.and_then(|line| line.map(row).transpose());
        if !matches!(row, Ok(Some(_))) {
            self.lines = None;
        }
        row.transpose()
    }
}

/// One line of a table.
pub(crate) struct TableRow<'a> {
    file: &'a Path,
    header: &'a csv::StringRecord,
    record: &'a csv::StringRecord,
}

impl TableRow<'_> {
    /// The cell of a column, empty where there is no such column.
    pub(crate) fn cell(&self, column: &str) -> &str {
        let at = self.header.iter().position(|name| name == column);
        at.and_then(|at| self.record.get(at)).unwrap_or_default()
    }

    /// Whether there is such a column.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.header.iter().any(|name| name == column)
    }

    /// What is wrong with a header that has none of several columns.
    pub(crate) fn lacks(&self, expected: &str) -> Error {
        let header: Vec<&str> = self.header.iter().collect();
        let problem = format!("found {:?}, expected {expected}", header.join(","));
        text_file::input_error(self.file, Some(1), None, problem)
    }

    /// The columns that are none of the row's, each with its cell.
    pub(crate) fn others<R: Row>(&self) -> Vec<(String, String)> {
        let cells = self.header.iter().zip(self.record);
        let others = cells.filter(|(name, _)| !R::COLUMNS.contains(name));
        others
            .map(|(name, cell)| (name.to_owned(), cell.to_owned()))
            .collect()
    }

    /// The cells of the row's columns.
    pub(crate) fn row<R: Row>(&self) -> Result<R> {
        self.read(Some(self.header))
    }

    /// By name, or in their order.
    fn read<R: Row>(&self, header: Option<&csv::StringRecord>) -> Result<R> {
        let row: R = self
            .record
            .deserialize(header)
            .map_err(|error| self.misread::<R>(error))?;
        row.check()
            .map_err(|(column, expected)| self.wrong(column, &expected))?;
        Ok(row)
    }

    /// Names the cell that cannot be read: cells are read in order, so that the same error comes up as soon as the line reaches it.
    fn misread<R: Row>(&self, error: csv::Error) -> Error {
        let expected = expectation(&error);
        let reaches = |columns: &usize| {
            let first = |record: &csv::StringRecord| -> csv::StringRecord {
                record.iter().take(*columns).collect()
            };
            let read = first(self.record).deserialize::<R>(Some(&first(self.header)));
            read.is_err_and(|error| expectation(&error) == expected)
        };
        let columns = (1..=self.header.len()).find(reaches);
        let column = columns.and_then(|columns| self.header.get(columns - 1));
        self.wrong(column.unwrap_or_default(), &expected)
    }

    /// Its number in the file, from 1 on.
    pub(crate) fn number(&self) -> Option<u64> {
        self.record.position().map(csv::Position::line)
    }

    pub(crate) fn wrong(&self, column: &str, expected: &str) -> Error {
        let line = self.number();
        let problem = format!("found {:?}, expected {expected}", self.cell(column));
        let column = Some(column).filter(|column| self.header.iter().any(|name| name == *column));
        text_file::input_error(self.file, line, column, problem)
    }
}

/// What was expected of a cell that cannot be read; types of ours say it themselves.
fn expectation(error: &csv::Error) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
        return error.to_string();
    };
    match err.kind() {
        csv::DeserializeErrorKind::ParseInt(_) => "a whole number of 0 or more".to_owned(),
        csv::DeserializeErrorKind::ParseFloat(_) => "a number".to_owned(),
        csv::DeserializeErrorKind::Message(expected) => expected.clone(),
        other => other.to_string(),
    }
}

/// Words of a column in a sentence.
fn one_of(words: &[&str]) -> impl fmt::Display {
    format!("one of {}", words.join(", "))
}

fn csv_error(file: &Path, error: csv::Error) -> Error {
    let line = error.position().map(csv::Position::line);
    let problem = match error.into_kind() {
        csv::ErrorKind::Io(source) => return io_error(file, source),
        csv::ErrorKind::Utf8 { err, .. } => format!("found no text in UTF-8: {err}"),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("found {len} cells, expected {expected_len} as in the header"),
        other => format!("{other:?}"),
    };
    text_file::input_error(file, line, None, problem)
}
