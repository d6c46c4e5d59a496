//! operations.csv: every operation with its decision, and moves.csv: what they changed.

use std::path::Path;

use super::write_table;
use crate::{
    engine::{Operated, Story, outcome::Stretch},
    error::Result,
};

const COLUMNS: [&str; 10] = [
    "job_id", "time", "op", "target", "decision", "reason", "ready", "duration", "deadline", "pes",
];

/// Writes operations.csv. The cells behind the reason are what was asked for.
pub(super) fn write(file: &Path, story: &Story) -> Result<()> {
    write_table(file, &COLUMNS, story.operated.iter().map(row))
}

fn row(done: &Operated) -> Vec<String> {
    let operation = &done.operation;
    let (decision, reason) = match done.decision {
        Ok(()) => ("accepted", ""),
        Err(reason) => ("refused", reason.name()),
    };
    let mut row = vec![
        operation.job_id.to_string(),
        operation.arrival.to_string(),
        operation.action.name().to_owned(),
        operation.target.to_string(),
        decision.to_owned(),
        reason.to_owned(),
    ];
    row.extend(operation.action.cells().map(cell));
    row
}

const MOVES: [&str; 10] = [
    "time",
    "job_id",
    "old_start",
    "new_start",
    "cause_job_id",
    "cause",
    "old_end",
    "new_end",
    "old_pes",
    "new_pes",
];

/// Writes moves.csv: the changes of each operation one behind the other. What a split makes has no old booking.
pub(super) fn write_moves(file: &Path, story: &Story) -> Result<()> {
    write_table(file, &MOVES, story.operated.iter().flat_map(moves))
}

fn moves(done: &Operated) -> impl Iterator<Item = Vec<String>> {
    let operation = &done.operation;
    done.moves.iter().map(|moved| {
        let old = |part: fn(Stretch) -> u64| cell(moved.from.map(part));
        let new = moved.to;
        vec![
            operation.arrival.to_string(),
            moved.job_id.to_string(),
            old(|old| old.start),
            new.start.to_string(),
            operation.job_id.to_string(),
            operation.action.name().to_owned(),
            old(|old| old.end),
            new.end.to_string(),
            old(|old| old.pes),
            new.pes.to_string(),
        ]
    })
}

fn cell(number: Option<u64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}
