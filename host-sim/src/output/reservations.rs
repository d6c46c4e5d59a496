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

impl From<&Outcome> for Row {
    fn from(outcome: &Outcome) -> Self {
        let request = &outcome.request;
        let promise = outcome.decision.as_ref();
        Self {
            job_id: request.job_id,
            arrival: request.arrival,
            ready: request.ready,
            duration: request.duration,
            deadline: request.deadline,
            pes: request.pes,
            decision: match promise {
                Ok(_) => "accepted",
                Err(_) => "refused",
            },
            reason: promise.err().map_or("", |reason| reason.name()),
            start: promise.ok().map(|reserved| reserved.start),
            end: promise.ok().map(|reserved| reserved.end),
            slowdown: outcome.slowdown().map(|slowdown| format!("{slowdown:.6}")),
        }
    }
}

pub(super) fn write(file: &Path, outcomes: &[Outcome]) -> Result<()> {
    write_csv(file, outcomes.iter().map(Row::from))
}
