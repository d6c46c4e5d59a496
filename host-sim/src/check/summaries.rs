//! schedule.csv and users.csv against sums over the tables. Rule 28.

use std::path::Path;

use serde_json::Value;

use super::{findings::Findings, joint, tables::Tables};
use crate::{
    error::Result,
    files::{self, Job, OutageRow, Piece, Reservation, Schedule, Summing, User},
    output::{SCHEDULE, USERS},
};

/// How far means may be apart that are taken of numbers with six decimals.
const ROUNDING: f64 = 2e-6;

/// What these files say, as the rows of the other tables tell it.
#[derive(Default)]
pub(super) struct Sums {
    schedule: Summing,
    pub(super) requests: u64,
    pub(super) accepted: u64,
    /// Best-effort jobs.
    pub(super) queued: u64,
    used: u64,
}

impl Sums {
    /// The next row of one table or of both.
    pub(super) fn row(&mut self, job: Option<&Job<'_>>, row: Option<&Reservation>) {
        self.requests += u64::from(row.is_some());
        self.accepted += u64::from(row.is_some_and(Reservation::is_accepted));
        if let Some(job) = job {
            self.schedule.add(job);
            self.queued += u64::from(job.is_best_effort());
            self.used = self.used.saturating_add(job.pe_seconds());
        }
    }
}

/// Checks what is there: folders of older versions have neither.
pub(super) fn check(
    dir: &Path,
    tables: &Tables<'_>,
    mut sums: Sums,
    found: &mut Findings,
) -> Result<()> {
    let Some(totals) = &tables.totals else {
        return Ok(());
    };
    let pieces = tables.pieces.iter().flatten().map(Piece::pe_seconds);
    let pieces = pieces.fold(0, u64::saturating_add);
    sums.schedule.add_use(pieces);
    if let Some(rows) = files::read::<Schedule>(&dir.join(SCHEDULE))? {
        let away = tables.outages.iter().flatten().map(OutageRow::pe_seconds);
        let away = away.fold(0, u64::saturating_add);
        let expected = sums.schedule.row(totals.settings.all_pes(), away);
        match rows.as_slice() {
            [row] => same_row(row, &expected, found),
            rows => found.add(
                None,
                format!("{SCHEDULE}: found {} rows, expected 1", rows.len()),
            ),
        }
    }
    let reservations = tables.reservations.as_deref().unwrap_or_default();
    let jobs = tables.jobs.as_deref().unwrap_or_default();
    joint::principals(dir, (reservations, jobs), &totals.settings, found)?;
    if let Some(users) = files::read::<User>(&dir.join(USERS))? {
        let used = sums.used.saturating_add(pieces);
        type Column = fn(&User) -> u64;
        let columns: [(&str, Column, u64); 4] = [
            ("requests", |user| user.requests, sums.requests),
            ("accepted", |user| user.accepted, sums.accepted),
            ("best_effort", |user| user.best_effort, sums.queued),
            ("used_pe_seconds", |user| user.used_pe_seconds, used),
        ];
        for (column, of, expected) in columns {
            let sum = users.iter().map(of).fold(0, u64::saturating_add);
            if sum != expected {
                let problem =
                    format!("{USERS}, {column}: found {sum} together, expected {expected}");
                found.add(None, problem);
            }
        }
        // Folders of older versions do not say it.
        let expected = files::fairness(&users);
        if let (Some(said), Some(expected)) = (totals.fairness, expected)
            && (said - expected).abs() > ROUNDING
        {
            let problem = format!("metrics.json, fairness: found {said}, expected {expected}");
            found.add(None, problem);
        }
    }
    Ok(())
}

/// Compares cell by cell; which version wrote the row is its own affair.
fn same_row(row: &Schedule, expected: &Schedule, found: &mut Findings) {
    let cells = |row: &Schedule| serde_json::to_value(row).unwrap_or_default();
    let (row, expected) = (cells(row), cells(expected));
    for (name, expected) in expected.as_object().into_iter().flatten() {
        let cell = &row[name];
        let near = match (number(cell), number(expected)) {
            (Some(cell), Some(expected)) => {
                (cell - expected).abs() <= ROUNDING * expected.abs().max(1.0)
            }
            _ => cell == expected,
        };
        if !near && name != "batsim_version" {
            found.add(
                None,
                format!("{SCHEDULE}, {name}: found {cell}, expected {expected}"),
            );
        }
    }
}

fn number(cell: &Value) -> Option<f64> {
    cell.as_f64().or_else(|| cell.as_str()?.parse().ok())
}
