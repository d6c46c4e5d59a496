//! Requests as CSV: one header line with the columns of [`COLUMNS`], then whole numbers, times in seconds.
//!
//! Columns are found by name, in any order; others are ignored. LF or CRLF, a byte order mark and gzip are taken. Rows
//! must be in order of arrival. A request that is well formed but cannot be granted is no error here: refusing it by name is
//! the scheduler's business. The real run time is no column; it is taken to be the duration.

use std::{
    io::{self, Write},
    path::Path,
};

use csv::StringRecord;

use crate::{
    error::Result,
    request::JobRequest,
    text_file::{self, input_error},
};

/// The columns in the order in which they are written.
pub const COLUMNS: [&str; 6] = ["job_id", "arrival", "ready", "duration", "deadline", "pes"];

const ARRIVAL: usize = 1;

/// Reads all requests of a file.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) if it cannot be read; [`Error::Input`](crate::error::Error::Input) with line and column if something in it is wrong.
pub fn read(file: &Path) -> Result<Vec<JobRequest>> {
    parse_text(file, &text_file::read(file)?)
}

/// Reads all requests in `bytes`; `file` is named in errors.
///
/// # Errors
/// As [`read`].
pub fn parse(file: &Path, bytes: Vec<u8>) -> Result<Vec<JobRequest>> {
    parse_text(file, &text_file::decode(file, bytes)?)
}

fn parse_text(file: &Path, text: &str) -> Result<Vec<JobRequest>> {
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
    let columns = Columns::find(file, line, &header)?;
    let mut requests: Vec<JobRequest> = Vec::new();
    while let Some((line, row)) = rows.next()? {
        let request = columns.request(file, line, &row)?;
        if let Some(last) = requests
            .last()
            .filter(|last| request.arrival < last.arrival)
        {
            let problem = format!(
                "found {} after {}, expected rows in order of arrival",
                request.arrival, last.arrival
            );
            return Err(input_error(
                file,
                Some(line),
                Some(COLUMNS[ARRIVAL]),
                problem,
            ));
        }
        requests.push(request);
    }
    if requests.is_empty() {
        return Err(input_error(
            file,
            None,
            None,
            "found a header and no row, expected at least one request".to_owned(),
        ));
    }
    Ok(requests)
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

/// Where in a row each of [`COLUMNS`] stands.
struct Columns {
    places: [usize; COLUMNS.len()],
    width: usize,
}

impl Columns {
    fn find(file: &Path, line: u64, header: &StringRecord) -> Result<Self> {
        let mut places = [0; COLUMNS.len()];
        for (place, name) in places.iter_mut().zip(COLUMNS) {
            let mut found = header.iter().enumerate().filter(|(_, cell)| *cell == name);
            let problem = match (found.next(), found.next()) {
                (Some((index, _)), None) => {
                    *place = index;
                    continue;
                }
                (None, _) => format!(
                    "found no such column in the header, expected {}",
                    COLUMNS.join(",")
                ),
                (Some(_), Some(_)) => {
                    "found the column twice in the header, expected it once".to_owned()
                }
            };
            return Err(input_error(file, Some(line), Some(name), problem));
        }
        Ok(Self {
            places,
            width: header.len(),
        })
    }

    fn request(&self, file: &Path, line: u64, row: &StringRecord) -> Result<JobRequest> {
        if row.len() != self.width {
            let problem = format!(
                "found {} cells, expected {} as in the header",
                row.len(),
                self.width
            );
            return Err(input_error(file, Some(line), None, problem));
        }
        let mut values = [0; COLUMNS.len()];
        for ((value, place), name) in values.iter_mut().zip(self.places).zip(COLUMNS) {
            let cell = row.get(place).unwrap_or_default();
            *value = whole_number(cell).ok_or_else(|| {
                let problem = format!("found {cell:?}, expected a whole number of 0 or more");
                input_error(file, Some(line), Some(name), problem)
            })?;
        }
        let [job_id, arrival, ready, duration, deadline, pes] = values;
        Ok(JobRequest {
            job_id,
            arrival,
            ready,
            duration,
            deadline,
            pes,
            run: duration,
        })
    }
}

/// Digits only: Rust's own parser would also take `+5`.
fn whole_number(cell: &str) -> Option<u64> {
    cell.parse()
        .ok()
        .filter(|_| cell.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Writes requests, compressed if the name ends in `.gz`.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) if the file cannot be written; then none appears.
pub fn write<'a>(file: &Path, requests: impl IntoIterator<Item = &'a JobRequest>) -> Result<()> {
    text_file::write(file, |out| write_to(out, requests))
}

/// Writes requests as plain text.
///
/// # Errors
/// What `out` reports.
pub fn write_to<'a>(
    out: &mut (impl Write + ?Sized),
    requests: impl IntoIterator<Item = &'a JobRequest>,
) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    for r in requests {
        writeln!(
            out,
            "{},{},{},{},{},{}",
            r.job_id, r.arrival, r.ready, r.duration, r.deadline, r.pes
        )?;
    }
    Ok(())
}
