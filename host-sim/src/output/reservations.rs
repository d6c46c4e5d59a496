//! reservations.csv: every request with its decision; start and end are the promise made at acceptance.

use std::path::Path;

use bookahead::Money;
use serde::Serialize;

use super::write_csv;
use crate::{
    engine::{Outcome, Placed, Story, Strategy, System},
    error::Result,
    request::Demand,
};

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
    // Where a strategy can reduce: what was granted.
    #[serde(skip_serializing_if = "Option::is_none")]
    granted_duration: Option<Cell<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    granted_pes: Option<Cell<u64>>,
    // Where there are prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<Cell<String>>,
    // Where there are holds or operations.
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<Cell<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_start: Option<Cell<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed_at: Option<Cell<u64>>,
}

/// A cell of a column that not every table has; empty for a refused request.
type Cell<T> = Option<T>;

impl Row {
    fn new(outcome: &Outcome, system: &System, moves: bool) -> Option<Self> {
        let (request, decision) = outcome.reservation()?;
        let placed = decision.ok();
        let reduces = matches!(system.strategy, Strategy::Elastic(_));
        let (op, ttl) = match &outcome.demand {
            Demand::Hold(hold) => ("hold", hold.ttl),
            _ => ("reserve", None),
        };
        // Nothing fixes a start before it has come.
        let final_start = moves.then(|| placed.map(Placed::final_start));
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
            start: placed.map(|placed| placed.start),
            end: placed.map(|placed| placed.end),
            slowdown: outcome.slowdown().map(|slowdown| format!("{slowdown:.6}")),
            granted_duration: reduces
                .then(|| placed.map(|placed| placed.granted(request.duration))),
            granted_pes: reduces.then(|| placed.map(Placed::granted_pes)),
            price: system
                .has_prices()
                .then(|| placed.map(|placed| money(placed.price))),
            op: moves.then_some(op),
            ttl: moves.then_some(ttl),
            final_start,
            fixed_at: final_start,
        })
    }
}

/// Units with all six decimals.
fn money(price: Money) -> String {
    let micro = price.get();
    format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000)
}

pub(super) fn write(file: &Path, system: &System, story: &Story) -> Result<()> {
    let moves = !story.is_plain();
    let rows = story.outcomes.iter();
    write_csv(
        file,
        rows.filter_map(|outcome| Row::new(outcome, system, moves)),
    )
}
