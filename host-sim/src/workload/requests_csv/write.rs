//! Writing requests, with operations or without.

use std::{
    io::{self, Write},
    path::Path,
};

use super::{COLUMNS, KINDS, OPERATION_COLUMNS, TRAIT_COLUMNS};
use crate::{
    arrivals::Demands,
    error::Result,
    layout::{self, Asks},
    operation::{Operation, Script},
    request::{BestEffortRequest, Demand, JobRequest},
    text_file,
};

/// Writes a script, compressed if the name ends in `.gz`.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) if the file cannot be written; then none appears.
pub fn write(file: &Path, script: &Script) -> Result<()> {
    Table::of(&script.demands, &script.operations)?.write(file)
}

/// Writes a script as plain text: with the columns that its rows need.
///
/// # Errors
/// What `out` reports.
pub fn write_to(out: &mut (impl Write + ?Sized), script: &Script) -> io::Result<()> {
    let table = Table::of(&script.demands, &script.operations);
    table.map_err(io::Error::other)?.write_to(out)
}

/// Demands, which need not lie in memory, and operations on their reservations as a table.
pub struct Table<'a> {
    demands: &'a dyn Demands,
    operations: &'a [Operation],
    columns: Columns,
}

impl<'a> Table<'a> {
    /// With the columns that the rows need, which are found by going through all of them.
    ///
    /// # Errors
    /// Whatever is wrong with the demands.
    pub fn of(demands: &'a dyn Demands, operations: &'a [Operation]) -> Result<Self> {
        let mut columns = Columns {
            operations: !operations.is_empty(),
            traits: [false; TRAIT_COLUMNS.len()],
            placing: [false; layout::COLUMNS.len()],
        };
        for demand in demands.each()? {
            columns.add(&demand?);
        }
        Ok(Self {
            demands,
            operations,
            columns,
        })
    }

    /// Writes it, compressed if the name ends in `.gz`.
    ///
    /// # Errors
    /// [`Error::Io`](crate::error::Error::Io) if the file cannot be written; then none appears.
    pub fn write(&self, file: &Path) -> Result<()> {
        text_file::write(file, |out| self.write_to(out))
    }

    /// Writes it as plain text.
    ///
    /// # Errors
    /// What `out` reports, and whatever is wrong with the demands.
    pub fn write_to(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let columns = self.columns;
        writeln!(out, "{}", columns.header())?;
        let mut operations = self.operations.iter().peekable();
        let demands = self.demands.each().map_err(io::Error::other)?;
        for (index, demand) in demands.enumerate() {
            while let Some(operation) = operations.next_if(|operation| operation.after <= index) {
                columns.operation(out, operation)?;
            }
            columns.demand(out, &demand.map_err(io::Error::other)?)?;
        }
        operations.try_for_each(|operation| columns.operation(out, operation))
    }
}

/// Which columns there are beside those of every table: each that a row needs.
#[derive(Clone, Copy)]
struct Columns {
    operations: bool,
    traits: [bool; TRAIT_COLUMNS.len()],
    placing: [bool; layout::COLUMNS.len()],
}

impl Columns {
    /// Adds those that the row of a demand needs.
    fn add(&mut self, demand: &Demand) {
        let (request, queued) = match demand {
            Demand::BestEffort(job) => (None, Some(job)),
            _ => (demand.request(), None),
        };
        let asks = |trait_of: fn(&JobRequest) -> bool| request.is_some_and(trait_of);
        let waits = |trait_of: fn(&BestEffortRequest) -> bool| queued.is_some_and(trait_of);
        let traits = [
            queued.is_some(),
            demand.user().is_some(),
            asks(|request| request.shortest.is_some()),
            asks(|request| !request.flexible),
            demand.run() != demand.duration(),
            asks(|request| request.impatient),
            waits(|job| job.pinned),
            waits(|job| job.min_run.is_some()),
        ];
        self.operations |= matches!(demand, Demand::Hold(_));
        for (there, has) in self.traits.iter_mut().zip(traits) {
            *there |= has;
        }
        let cells = demand.asks().map(Asks::cells).unwrap_or_default();
        for (there, cell) in self.placing.iter_mut().zip(cells) {
            *there |= !cell.is_empty();
        }
    }

    fn header(self) -> String {
        let mut names = COLUMNS.to_vec();
        names.extend(OPERATION_COLUMNS.iter().filter(|_| self.operations));
        let traits = TRAIT_COLUMNS.into_iter().zip(self.traits);
        let placing = layout::COLUMNS.into_iter().zip(self.placing);
        let others = traits.chain(placing);
        names.extend(others.filter_map(|(name, there)| there.then_some(name)));
        names.join(",")
    }

    fn demand(self, out: &mut (impl Write + ?Sized), demand: &Demand) -> io::Result<()> {
        let [_, best_effort] = KINDS;
        match demand {
            Demand::Reserve(request) => self.request(out, request, "reserve,,"),
            Demand::Hold(hold) => {
                let op = format!("hold,,{}", cell(hold.ttl));
                self.request(out, &hold.request, &op)
            }
            Demand::BestEffort(job) => {
                let BestEffortRequest {
                    job_id,
                    arrival,
                    pes,
                    estimate,
                    run,
                    window: _,
                    pinned,
                    min_run,
                    user,
                    asks,
                } = job;
                write!(out, "{job_id},{arrival},,{estimate},,{pes}")?;
                self.op(out, ",,")?;
                let none = String::new;
                self.traits(
                    out,
                    [
                        best_effort.to_owned(),
                        cell(*user),
                        none(),
                        none(),
                        run.to_string(),
                        none(),
                        u64::from(!pinned).to_string(),
                        cell(*min_run),
                    ],
                    asks.as_deref(),
                )
            }
        }
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
            impatient,
            user,
            ref asks,
            // What is written is made by models and logs, which know neither.
            principal: _,
            needs: _,
        } = *request;
        write!(
            out,
            "{job_id},{arrival},{ready},{duration},{deadline},{pes}"
        )?;
        self.op(out, op)?;
        let [reservation, _] = KINDS;
        let [flexible, wait] = [flexible, !impatient].map(|yes| u64::from(yes).to_string());
        let kind = reservation.to_owned();
        self.traits(
            out,
            [
                kind,
                cell(user),
                cell(shortest),
                flexible,
                run.to_string(),
                wait,
                String::new(),
                String::new(),
            ],
            asks.as_deref(),
        )
    }

    fn operation(self, out: &mut (impl Write + ?Sized), operation: &Operation) -> io::Result<()> {
        let [ready, duration, deadline, pes] = operation.action.cells().map(cell);
        let (job_id, arrival) = (operation.job_id, operation.arrival);
        write!(
            out,
            "{job_id},{arrival},{ready},{duration},{deadline},{pes}"
        )?;
        let op = format!("{},{},", operation.action.name(), operation.target);
        self.op(out, &op)?;
        self.traits(out, Default::default(), None)
    }

    /// The cells of operations.
    fn op(self, out: &mut (impl Write + ?Sized), cells: &str) -> io::Result<()> {
        match self.operations {
            true => write!(out, ",{cells}"),
            false => Ok(()),
        }
    }

    /// The cells of traits and of what is asked for, and the end of the row.
    fn traits(
        self,
        out: &mut (impl Write + ?Sized),
        cells: [String; TRAIT_COLUMNS.len()],
        asks: Option<&Asks>,
    ) -> io::Result<()> {
        let asked = asks.map_or_else(Default::default, Asks::cells);
        let traits = cells.iter().zip(self.traits);
        let all = traits.chain(asked.iter().zip(self.placing));
        let there = all.filter(|(_, there)| *there);
        for (cell, _) in there {
            write!(out, ",{cell}")?;
        }
        writeln!(out)
    }
}

fn cell(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
