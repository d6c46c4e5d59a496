//! From the text of a line to a record, or to what is wrong with it.

use std::path::Path;

use super::record::{FIELDS, Record};
use crate::{
    error::{Error, Result},
    text_file::input_error,
};

/// Whole numbers up to here are exact in a field that may have a fraction.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A line being parsed: the place that errors name.
pub(super) struct LineReader<'a> {
    pub(super) file: &'a Path,
    pub(super) line: u64,
}

impl LineReader<'_> {
    /// The record in `text`, submitted no earlier than `last_submit`.
    pub(super) fn record(&self, text: &str, last_submit: f64) -> Result<Record> {
        let columns = text.split_ascii_whitespace().count();
        if columns != FIELDS.len() {
            let first_missing = FIELDS.get(columns).copied();
            return Err(self.error(
                first_missing,
                format!("found {columns} columns, expected {}", FIELDS.len()),
            ));
        }
        let mut cells = FIELDS.into_iter().zip(text.split_ascii_whitespace());
        let mut next = || {
            cells
                .next()
                .ok_or_else(|| Error::Internal("a column counted before is gone".to_owned()))
        };
        let record = Record {
            job_number: self.known(next()?)?,
            submit_time: self.number(next()?)?,
            wait_time: self.number(next()?)?,
            run_time: self.number(next()?)?,
            allocated_processors: self.integer(next()?)?,
            average_cpu_time: self.number(next()?)?,
            used_memory: self.number(next()?)?,
            requested_processors: self.integer(next()?)?,
            requested_time: self.number(next()?)?,
            requested_memory: self.number(next()?)?,
            status: self.integer(next()?)?,
            user: self.integer(next()?)?,
            group: self.integer(next()?)?,
            executable: self.integer(next()?)?,
            queue: self.integer(next()?)?,
            partition: self.integer(next()?)?,
            preceding_job: self.integer(next()?)?,
            think_time: self.number(next()?)?,
        };
        self.check_submit(&record, last_submit)?;
        Ok(record)
    }

    fn check_submit(&self, record: &Record, last_submit: f64) -> Result<()> {
        let submit = record.submit_time;
        let problem = if submit < 0.0 {
            if record.is_partial() {
                return Ok(());
            }
            format!("found {submit}, expected a time of 0 or later")
        } else if submit < last_submit {
            format!("found {submit} after {last_submit}, expected jobs in order of submission")
        } else {
            return Ok(());
        };
        Err(self.error(Some("submit time"), problem))
    }

    /// A whole number that may not be unknown.
    fn known(&self, (field, cell): (&str, &str)) -> Result<u64> {
        cell.parse()
            .ok()
            .filter(|_| is_decimal(cell))
            .ok_or_else(|| self.unexpected(field, cell, "a whole number of 0 or more"))
    }

    fn integer(&self, (field, cell): (&str, &str)) -> Result<i64> {
        cell.parse()
            .ok()
            .filter(|&value| is_decimal(cell) && value >= -1)
            .ok_or_else(|| self.unexpected(field, cell, "a whole number of 0 or more, or -1"))
    }

    fn number(&self, (field, cell): (&str, &str)) -> Result<f64> {
        cell.parse()
            .ok()
            .filter(|&value| {
                is_decimal(cell) && (value >= 0.0 || value == -1.0) && value <= LARGEST_EXACT
            })
            // Adding zero turns -0 into 0, which is written without a sign.
            .map(|value: f64| value + 0.0)
            .ok_or_else(|| self.unexpected(field, cell, "a number from 0 to 2^53, or -1"))
    }

    fn unexpected(&self, field: &str, found: &str, expected: &str) -> Error {
        self.error(Some(field), format!("found {found:?}, expected {expected}"))
    }

    fn error(&self, field: Option<&str>, problem: String) -> Error {
        input_error(self.file, Some(self.line), field, problem)
    }
}

/// Plain decimal notation: the number parsers of Rust also take `+5`, `inf` and `1e9`.
fn is_decimal(cell: &str) -> bool {
    let digits = cell.strip_prefix('-').unwrap_or(cell);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}
