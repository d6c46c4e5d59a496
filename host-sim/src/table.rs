//! CSV files read by column name; whatever is wrong is reported with file, line and field.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader},
    path::Path,
};

use crate::{
    error::{Error, Result},
    text_file::io_error,
};

/// A larger number counts as this one: it would leave nothing to see in a plot, and sums without meaning.
pub(crate) const LARGEST: f64 = 1e18;

/// One line of a CSV file, its cells found by column name.
pub(crate) struct Row<'a> {
    file: &'a Path,
    columns: &'a HashMap<String, usize>,
    record: &'a csv::StringRecord,
}

impl Row<'_> {
    /// The cell of a column, empty when the file has no such column.
    pub(crate) fn text(&self, column: &str) -> &str {
        self.columns
            .get(column)
            .and_then(|&at| self.record.get(at))
            .unwrap_or_default()
            .trim()
    }

    /// The cell as a number, or nothing when it is empty.
    pub(crate) fn optional_number(&self, column: &str) -> Result<Option<f64>> {
        let text = self.text(column);
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number.clamp(-LARGEST, LARGEST))),
            _ => Err(self.wrong(column, "a number")),
        }
    }

    /// The cell as a number.
    pub(crate) fn number(&self, column: &str) -> Result<f64> {
        self.optional_number(column)?
            .ok_or_else(|| self.wrong(column, "a number"))
    }

    /// The line of the file it starts on, counted from 1.
    pub(crate) fn line(&self) -> Option<u64> {
        self.record.position().map(csv::Position::line)
    }

    /// The error that says this cell is not what it should be.
    pub(crate) fn wrong(&self, column: &str, expected: &str) -> Error {
        Error::Input {
            file: self.file.to_owned(),
            line: self.line(),
            field: Some(column.to_owned()),
            problem: format!("{:?} found, {expected} expected", self.text(column)),
        }
    }
}

/// Reads every line of a CSV file, or nothing when there is no such file. Columns beyond `needed` are left alone.
pub(crate) fn read<T>(
    file: &Path,
    needed: &[&str],
    mut each: impl FnMut(&Row) -> Result<T>,
) -> Result<Option<Vec<T>>> {
    let source = match File::open(file) {
        Ok(source) => BufReader::new(source),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io_error(file, error)),
    };
    let mut reader = csv::Reader::from_reader(source);
    let columns = columns(
        file,
        needed,
        reader.headers().map_err(|e| csv_error(file, e))?,
    )?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| csv_error(file, e))?;
        rows.push(each(&Row {
            file,
            columns: &columns,
            record: &record,
        })?);
    }
    Ok(Some(rows))
}

fn columns(
    file: &Path,
    needed: &[&str],
    header: &csv::StringRecord,
) -> Result<HashMap<String, usize>> {
    let columns: HashMap<String, usize> = header
        .iter()
        .enumerate()
        .map(|(at, name)| (name.trim().to_owned(), at))
        .collect();
    match needed.iter().find(|&&name| !columns.contains_key(name)) {
        None => Ok(columns),
        Some(name) => Err(Error::Input {
            file: file.to_owned(),
            line: Some(1),
            field: Some((*name).to_owned()),
            problem: "no such column in the header line".to_owned(),
        }),
    }
}

fn csv_error(file: &Path, error: csv::Error) -> Error {
    let line = error.position().map(csv::Position::line);
    let problem = match error.into_kind() {
        csv::ErrorKind::Io(source) => return io_error(file, source),
        csv::ErrorKind::Utf8 { err, .. } => format!("not UTF-8 text: {err}"),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} cells found, {expected_len} expected as in the header line"),
        other => format!("{other:?}"),
    };
    Error::Input {
        file: file.to_owned(),
        line,
        field: None,
        problem,
    }
}
