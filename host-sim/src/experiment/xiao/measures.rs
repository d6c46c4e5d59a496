//! What is measured in each run.
//!
//! Source: `xiao`, section 5.

use crate::experiment::{Measure, Run};
use crate::statistics::Limits;

/// What is used from the first arrival to the last.
pub(super) const UTILISATION: Measure = Measure::new("utilisation", Limits::PERCENT, used);
/// Requests to reserve that are refused.
pub(super) const REJECTED: Measure =
    Measure::new("reservations rejected", Limits::PERCENT, |run| {
        100.0 * (1.0 - run.metrics.acceptance_rate.unwrap_or(f64::NAN))
    });
/// Violations by the reservations accepted.
pub(super) const VIOLATED: Measure =
    Measure::new("reservations violated", Limits::PERCENT, |run| {
        percent(run.metrics.overlays.violations(), run.metrics.accepted)
    });
/// The same; not a number in runs without overlays, where nothing can be violated.
pub(super) const VIOLATED_IF_ANY: Measure = Measure::new(
    "reservations violated where some are overlays",
    Limits::PERCENT,
    |run| {
        let overlays = &run.metrics.overlays;
        match overlays.accepted {
            0 => f64::NAN,
            _ => percent(overlays.violations(), run.metrics.accepted),
        }
    },
);
/// Violations by the reservations on top of others; not a number where there are none.
pub(super) const VIOLATED_OVERLAYS: Measure =
    Measure::new("overlays violated", Limits::PERCENT, |run| {
        let overlays = &run.metrics.overlays;
        percent(overlays.violations(), overlays.accepted)
    });
/// What their probabilities promise; not a number where there are none.
pub(super) const PROMISED: Measure =
    Measure::new("overlays to be violated", Limits::PERCENT, |run| {
        100.0
            * run
                .metrics
                .overlays
                .promised_violation_rate
                .unwrap_or(f64::NAN)
    });
/// How long other jobs wait.
pub(super) const WAITING: Measure =
    Measure::new("waiting time of other jobs", Limits::AMOUNT, |run| {
        run.metrics.best_effort.waiting_time.unwrap_or(f64::NAN) / 60.0
    });
/// The share of the reservations accepted that lie on top of others.
pub(super) const OVERLAYS: Measure = Measure::new(
    "overlays by reservations accepted",
    Limits::PERCENT,
    |run| percent(run.metrics.overlays.accepted, run.metrics.accepted),
);

/// All of them.
pub(super) const MEASURES: [Measure; 8] = [
    UTILISATION,
    REJECTED,
    VIOLATED,
    VIOLATED_IF_ANY,
    VIOLATED_OVERLAYS,
    PROMISED,
    WAITING,
    OVERLAYS,
];

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}

fn used(run: &Run) -> f64 {
    let arrivals = || run.outcomes.iter().map(|outcome| outcome.demand.arrival());
    let (first, last) = (arrivals().min().unwrap_or(0), arrivals().max().unwrap_or(0));
    let placed = run
        .outcomes
        .iter()
        .filter_map(|outcome| outcome.decision.as_ref().ok());
    let used = placed.map(|placed| {
        let seconds = placed.finish().min(last).saturating_sub(placed.began);
        seconds * placed.width()
    });
    let all = f64::from(run.system.all_pes()) * (last - first) as f64;
    100.0 * used.sum::<u64>() as f64 / all
}
