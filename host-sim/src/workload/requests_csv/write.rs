//! Writing requests, with operations or without.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{COLUMNS, OPERATION_COLUMNS};
use crate::{
    error::Result,
    operation::{Operation, Script},
    request::{Demand, JobRequest},
    text_file,
};

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

/// Writes a script as plain text: with the columns of operations where it has some, and without its best-effort jobs, for which there
/// are no rows.
///
/// # Errors
/// What `out` reports.
pub fn write_script_to(out: &mut (impl Write + ?Sized), script: &Script) -> io::Result<()> {
    if script.is_plain() {
        return write_to(out, script.demands.iter().filter_map(Demand::request));
    }
    let [columns, more] = [COLUMNS.join(","), OPERATION_COLUMNS.join(",")];
    writeln!(out, "{columns},{more}")?;
    let mut operations = script.operations.iter().peekable();
    for (index, demand) in script.demands.iter().enumerate() {
        while let Some(operation) = operations.next_if(|operation| operation.after <= index) {
            write_operation(out, operation)?;
        }
        write_demand(out, demand)?;
    }
    operations.try_for_each(|operation| write_operation(out, operation))
}

fn write_demand(out: &mut (impl Write + ?Sized), demand: &Demand) -> io::Result<()> {
    let Some(r) = demand.request() else {
        return Ok(());
    };
    let (op, ttl) = match demand {
        Demand::Hold(hold) => ("hold", hold.ttl),
        _ => ("reserve", None),
    };
    writeln!(
        out,
        "{},{},{},{},{},{},{op},,{}",
        r.job_id,
        r.arrival,
        r.ready,
        r.duration,
        r.deadline,
        r.pes,
        cell(ttl),
    )
}

fn write_operation(out: &mut (impl Write + ?Sized), operation: &Operation) -> io::Result<()> {
    let [ready, duration, deadline, pes] = operation.action.cells().map(cell);
    writeln!(
        out,
        "{},{},{ready},{duration},{deadline},{pes},{},{},",
        operation.job_id,
        operation.arrival,
        operation.action.name(),
        operation.target,
    )
}

fn cell(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
