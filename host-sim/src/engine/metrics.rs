//! What a run is judged by.

use std::collections::BTreeMap;

use super::{Outcome, Reserved};

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// Requests decided.
    pub requests: usize,
    /// Requests accepted.
    pub accepted: usize,
    /// Accepted requests by requests.
    pub acceptance_rate: f64,
    /// The same weighted by PEs x duration.
    pub accepted_work_rate: f64,
    /// Mean slowdown of the accepted; 0 when there are none.
    pub average_slowdown: f64,
    /// PE-seconds really used by PE-seconds from the first arrival to the last end.
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
        let reserved = || {
            outcomes
                .iter()
                .filter_map(|outcome| Some((outcome, outcome.decision.as_ref().ok()?)))
        };
        let accepted = reserved().count();
        let mut refusals = BTreeMap::new();
        for reason in outcomes
            .iter()
            .filter_map(|outcome| outcome.decision.as_ref().err())
        {
            *refusals.entry(reason.name()).or_insert(0) += 1;
        }
        let work = |outcome: &Outcome| outcome.request.pes as f64 * outcome.request.duration as f64;
        let asked: f64 = outcomes.iter().map(work).sum();
        let granted: f64 = reserved().map(|(outcome, _)| work(outcome)).sum();
        let slowdowns: f64 = outcomes.iter().filter_map(Outcome::slowdown).sum();
        // PE-seconds of the machine, each utilisation up to the end that it speaks of.
        let used = |end: fn(&Reserved) -> u64| {
            let first = outcomes.iter().map(|outcome| outcome.request.arrival).min();
            let last = reserved().map(|(_, reserved)| end(reserved)).max();
            let length = last
                .zip(first)
                .map_or(0, |(last, first)| last.saturating_sub(first));
            let busy: f64 = reserved()
                .map(|(outcome, reserved)| {
                    outcome.request.pes as f64 * (end(reserved) - reserved.start) as f64
                })
                .sum();
            ratio(busy, f64::from(pes) * length as f64)
        };
        Self {
            requests: outcomes.len(),
            accepted,
            acceptance_rate: ratio(accepted as f64, outcomes.len() as f64),
            accepted_work_rate: ratio(granted, asked),
            average_slowdown: ratio(slowdowns, accepted as f64),
            utilization: used(Reserved::finish),
            booked_utilization: used(|reserved| reserved.end),
            refusals,
        }
    }
}

/// 0 for nothing by nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
