//! Writing requests, with operations or without.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{COLUMNS, OPERATION_COLUMNS, TRAIT_COLUMNS};
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
    let requests: Vec<&JobRequest> = requests.into_iter().collect();
    let columns = Columns::of(&requests, false);
    writeln!(out, "{}", columns.header())?;
    let mut requests = requests.into_iter();
    requests.try_for_each(|request| columns.request(out, request, ""))
}

/// Writes a script as plain text: with the columns of operations where it has some, and without its best-effort jobs, for which there
/// are no rows.
///
/// # Errors
/// What `out` reports.
pub fn write_script_to(out: &mut (impl Write + ?Sized), script: &Script) -> io::Result<()> {
    let requests = || script.demands.iter().filter_map(Demand::request);
    if script.is_plain() {
        return write_to(out, requests());
    }
    let columns = Columns::of(&requests().collect::<Vec<_>>(), true);
    writeln!(out, "{}", columns.header())?;
    let mut operations = script.operations.iter().peekable();
    for (index, demand) in script.demands.iter().enumerate() {
        while let Some(operation) = operations.next_if(|operation| operation.after <= index) {
            columns.operation(out, operation)?;
        }
        let op = match demand {
            Demand::Hold(hold) => format!(",hold,,{}", cell(hold.ttl)),
            _ => ",reserve,,".to_owned(),
        };
        if let Some(request) = demand.request() {
            columns.request(out, request, &op)?;
        }
    }
    operations.try_for_each(|operation| columns.operation(out, operation))
}

/// Which columns there are beside those of every table: each that a row needs.
#[derive(Clone, Copy)]
struct Columns {
    operations: bool,
    traits: [bool; TRAIT_COLUMNS.len()],
}

impl Columns {
    fn of(requests: &[&JobRequest], operations: bool) -> Self {
        let open = requests.iter().any(|request| request.shortest.is_some());
        let strict = requests.iter().any(|request| !request.flexible);
        let shorter = |request: &&JobRequest| request.run != request.duration;
        Self {
            operations,
            traits: [open, strict, requests.iter().any(shorter)],
        }
    }

    fn header(self) -> String {
        let mut names = COLUMNS.to_vec();
        names.extend(OPERATION_COLUMNS.iter().filter(|_| self.operations));
        let traits = TRAIT_COLUMNS.into_iter().zip(self.traits);
        names.extend(traits.filter_map(|(name, there)| there.then_some(name)));
        names.join(",")
    }

    /// A request, with what the columns of operations say of it.
    fn request(
        self,
        out: &mut (impl Write + ?Sized),
        request: &JobRequest,
        op: &str,
    ) -> io::Result<()> {
        let JobRequest {
            job_id,
            arrival,
            ready,
            duration,
            shortest,
            deadline,
            pes,
            run,
            flexible,
        } = *request;
        write!(
            out,
            "{job_id},{arrival},{ready},{duration},{deadline},{pes}{op}"
        )?;
        let flexible = u64::from(flexible).to_string();
        self.traits(out, [cell(shortest), flexible, run.to_string()])
    }

    fn operation(self, out: &mut (impl Write + ?Sized), operation: &Operation) -> io::Result<()> {
        let [ready, duration, deadline, pes] = operation.action.cells().map(cell);
        write!(
            out,
            "{},{},{ready},{duration},{deadline},{pes},{},{},",
            operation.job_id,
            operation.arrival,
            operation.action.name(),
            operation.target,
        )?;
        self.traits(out, Default::default())
    }

    /// The cells of traits, and the end of the row.
    fn traits(
        self,
        out: &mut (impl Write + ?Sized),
        cells: [String; TRAIT_COLUMNS.len()],
    ) -> io::Result<()> {
        let there = cells.iter().zip(self.traits).filter(|(_, there)| *there);
        for (cell, _) in there {
            write!(out, ",{cell}")?;
        }
        writeln!(out)
    }
}

fn cell(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
