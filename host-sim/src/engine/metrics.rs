//! What a run is judged by.

use std::collections::BTreeMap;

use super::{Outcome, Placed};

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// Requests to reserve that were decided.
    pub requests: usize,
    /// Requests accepted.
    pub accepted: usize,
    /// Accepted requests by requests.
    pub acceptance_rate: f64,
    /// The same weighted by PEs x duration, what was granted by what was asked.
    pub accepted_work_rate: f64,
    /// Mean slowdown of the accepted; 0 when there are none.
    pub average_slowdown: f64,
    /// PE-seconds really used, by best-effort jobs too, by PE-seconds from the first arrival to the last end.
    pub utilization: f64,
    /// The same with the booked windows.
    pub booked_utilization: f64,
    /// Refusals by the name of the reason.
    pub refusals: BTreeMap<&'static str, usize>,
}

impl Metrics {
    /// The figures of `outcomes` on a machine of `pes` processing elements.
    #[must_use]
    pub fn of(outcomes: &[Outcome], pes: u16) -> Self {
        let asked = || outcomes.iter().filter_map(Outcome::reservation);
        let accepted = || outcomes.iter().filter_map(Outcome::accepted);
        let mut refusals = BTreeMap::new();
        for reason in asked().filter_map(|(_, decision)| decision.err()) {
            *refusals.entry(reason.name()).or_insert(0) += 1;
        }
        let asked_work: f64 = asked()
            .map(|(request, _)| request.pes as f64 * request.duration as f64)
            .sum();
        let granted_work: f64 = accepted()
            .map(|(request, placed)| {
                placed.width() as f64 * placed.granted(request.duration) as f64
            })
            .sum();
        let slowdowns: f64 = outcomes.iter().filter_map(Outcome::slowdown).sum();
        Self {
            requests: asked().count(),
            accepted: accepted().count(),
            acceptance_rate: ratio(accepted().count() as f64, asked().count() as f64),
            accepted_work_rate: ratio(granted_work, asked_work),
            average_slowdown: ratio(slowdowns, accepted().count() as f64),
            utilization: utilization(outcomes, pes, Placed::finish),
            booked_utilization: utilization(outcomes, pes, |placed| placed.end),
            refusals,
        }
    }
}

/// PE-seconds used by those of the machine, each kind of utilisation up to the last end that it speaks of.
fn utilization(outcomes: &[Outcome], pes: u16, end: fn(&Placed) -> u64) -> f64 {
    let placed = || {
        outcomes
            .iter()
            .filter_map(|outcome| outcome.fate.as_ref().ok())
    };
    let first = outcomes
        .iter()
        .map(|outcome| outcome.demand.arrival())
        .min();
    let last = placed().map(end).max();
    let length = last
        .zip(first)
        .map_or(0, |(last, first)| last.saturating_sub(first));
    let busy: f64 = placed()
        .map(|placed| placed.width() as f64 * (end(placed) - placed.start) as f64)
        .sum();
    ratio(busy, f64::from(pes) * length as f64)
}

/// 0 for nothing by nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
