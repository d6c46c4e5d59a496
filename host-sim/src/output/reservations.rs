//! reservations.csv: every request with its decision; start and end are the promise made at acceptance.

use std::path::Path;

use serde::Serialize;

use super::write_csv;
use crate::{engine::Outcome, error::Result};

/// Columns by name and in order.
#[derive(Serialize)]
struct Row {
    job_id: u64,
    arrival: u64,
    ready: u64,
    duration: u64,
    deadline: u64,
    pes: u64,
    decision: &'static str,
    reason: &'static str,
    start: Option<u64>,
    end: Option<u64>,
    slowdown: Option<String>,
}

impl Row {
    fn new(outcome: &Outcome) -> Option<Self> {
        let (request, decision) = outcome.reservation()?;
        Some(Self {
            job_id: request.job_id,
            arrival: request.arrival,
            ready: request.ready,
            duration: request.duration,
            deadline: request.deadline,
            pes: request.pes,
            decision: match decision {
                Ok(_) => "accepted",
                Err(_) => "refused",
            },
            reason: decision.err().map_or("", |reason| reason.name()),
            start: decision.ok().map(|placed| placed.start),
            end: decision.ok().map(|placed| placed.end),
            slowdown: outcome.slowdown().map(|slowdown| format!("{slowdown:.6}")),
        })
    }
}

pub(super) fn write(file: &Path, outcomes: &[Outcome]) -> Result<()> {
    write_csv(file, outcomes.iter().filter_map(Row::new))
}
