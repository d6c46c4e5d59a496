//! What a run is judged by.

use std::collections::BTreeMap;

use bookahead::Money;

use super::{Operated, Outcome, Placed, Story, outcome::Stretch, story::placed};

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
    /// Accepted requests that were granted less time or fewer PEs than they asked for.
    pub reduced: usize,
    /// What the reservations cost.
    pub revenue: Money,
    /// The jobs of the queue.
    pub best_effort: BestEffort,
    /// Operations by name, each that occurs.
    pub operations: BTreeMap<&'static str, Decided>,
}

/// How often an operation was to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Decided {
    /// Done.
    pub accepted: usize,
    /// Not done.
    pub refused: usize,
}

/// The figures of the best-effort jobs of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct BestEffort {
    /// Jobs submitted.
    pub submitted: usize,
    /// Jobs that ran; the others can never run.
    pub started: usize,
    /// Mean time from submission to start (s); 0 when none started.
    pub waiting_time: f64,
    /// Jobs that were stopped at the end of their estimate.
    pub overran: usize,
    /// What they cost.
    pub revenue: Money,
}

impl Metrics {
    /// The figures of `outcomes` on a machine of `pes` processing elements.
    #[must_use]
    pub fn of(outcomes: &[Outcome], pes: u16) -> Self {
        Self::with_operations(outcomes, &[], pes)
    }

    /// The same of all that became of a script.
    #[must_use]
    pub fn of_story(story: &Story, pes: u16) -> Self {
        Self::with_operations(&story.outcomes, &story.operated, pes)
    }

    pub(crate) fn with_operations(outcomes: &[Outcome], operated: &[Operated], pes: u16) -> Self {
        let used = || placed(outcomes, operated).flat_map(Placed::used);
        let booked = || placed(outcomes, operated).flat_map(Placed::booked);
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
                placed.granted_pes() as f64 * placed.granted(request.duration) as f64
            })
            .sum();
        let slowdowns: f64 = outcomes.iter().filter_map(Outcome::slowdown).sum();
        Self {
            requests: asked().count(),
            accepted: accepted().count(),
            acceptance_rate: ratio(accepted().count() as f64, asked().count() as f64),
            accepted_work_rate: ratio(granted_work, asked_work),
            average_slowdown: ratio(slowdowns, accepted().count() as f64),
            utilization: utilization(outcomes, pes, used),
            booked_utilization: utilization(outcomes, pes, booked),
            refusals,
            reduced: accepted()
                .filter(|(request, placed)| placed.is_less_than(request))
                .count(),
            revenue: sum(accepted().map(|(_, placed)| placed.price)),
            best_effort: BestEffort::of(outcomes),
            operations: operations(operated),
        }
    }
}

impl BestEffort {
    fn of(outcomes: &[Outcome]) -> Self {
        let jobs = || outcomes.iter().filter_map(Outcome::best_effort);
        let ran = || jobs().filter_map(|(job, fate)| Some((job, fate.ok()?)));
        let waited: f64 = ran()
            .map(|(job, placed)| (placed.began - job.arrival) as f64)
            .sum();
        Self {
            submitted: jobs().count(),
            started: ran().count(),
            waiting_time: ratio(waited, ran().count() as f64),
            overran: ran().filter(|(job, _)| job.run > job.estimate).count(),
            revenue: sum(ran().map(|(_, placed)| placed.price)),
        }
    }
}

fn sum(prices: impl Iterator<Item = Money>) -> Money {
    Money::new(prices.map(Money::get).fold(0, u64::saturating_add))
}

fn operations(operated: &[Operated]) -> BTreeMap<&'static str, Decided> {
    let mut operations: BTreeMap<_, Decided> = BTreeMap::new();
    for done in operated {
        let name = done.operation.action.name();
        let decided = operations.entry(name).or_default();
        match done.decision {
            Ok(()) => decided.accepted += 1,
            Err(_) => decided.refused += 1,
        }
    }
    operations
}

/// PE-seconds of the stretches by those of the machine, up to the last end of these.
fn utilization<Stretches>(outcomes: &[Outcome], pes: u16, stretches: impl Fn() -> Stretches) -> f64
where
    Stretches: Iterator<Item = Stretch>,
{
    let arrivals = outcomes.iter().map(|outcome| outcome.demand.arrival());
    let last = stretches().map(|stretch| stretch.end).max();
    let length = last
        .zip(arrivals.min())
        .map_or(0, |(last, first)| last.saturating_sub(first));
    let busy: f64 = stretches()
        .map(|stretch| stretch.pes as f64 * (stretch.end - stretch.start) as f64)
        .sum();
    ratio(busy, f64::from(pes) * length as f64)
}

/// 0 for nothing by nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
