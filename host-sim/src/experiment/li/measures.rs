//! What is measured in each run.

use crate::experiment::{Measure, Run};
use crate::request::JobRequest;
use crate::statistics::Limits;

pub(super) const ACCEPTANCE: Measure = Measure::new("acceptance rate", Limits::SHARE, |run| {
    run.metrics.acceptance_rate.unwrap_or(f64::NAN)
});
/// The same weighted by PEs x duration.
pub(super) const WORK: Measure = Measure::new("accepted work rate", Limits::SHARE, |run| {
    run.metrics.accepted_work_rate.unwrap_or(f64::NAN)
});
pub(super) const SLOWDOWN: Measure = Measure::new("average slowdown", Limits::FACTOR, |run| {
    run.metrics.slowdown.mean.unwrap_or(f64::NAN)
});
/// Mean time from ready to start of the accepted.
pub(super) const WAIT: Measure = Measure::new("mean wait", Limits::AMOUNT, |run| {
    let waits = run.outcomes.iter().filter_map(|outcome| {
        let (request, placed) = outcome.accepted()?;
        Some(placed.start.saturating_sub(request.ready) as f64)
    });
    waits.sum::<f64>() / run.metrics.accepted.max(1) as f64
});
/// Share of the requests that do not fit between the slot edges of their own window.
pub(super) const TOO_SHORT: Measure =
    Measure::new("window too short in slots", Limits::SHARE, |run| {
        run.metrics.lost_to_rounding as f64 / run.metrics.requests.max(1) as f64
    });
pub(super) const SIZE: Measure = Measure::new("mean size", Limits::AMOUNT, |run| {
    mean(run, |request| request.pes)
});
pub(super) const DURATION: Measure = Measure::new("mean duration", Limits::AMOUNT, |run| {
    mean(run, |request| request.duration)
});
/// Work asked for by work that the machine can do between the first arrival and the last.
pub(super) const LOAD: Measure = Measure::new("offered load", Limits::AMOUNT, |run| {
    let arrivals = || requests(run).map(|request| request.arrival);
    let length = arrivals().max().unwrap_or(0) - arrivals().min().unwrap_or(0);
    let work: f64 = requests(run)
        .map(|request| (request.pes * request.duration) as f64)
        .sum();
    work / (f64::from(run.system.pes) * length.max(1) as f64)
});
/// Requests that the paper's model does not allow, and jobs that were interrupted; the checker cannot know either from a run's files.
pub(super) const BREACHES: Measure = Measure::new(
    "requests against the model and interrupted jobs",
    Limits::AMOUNT,
    |run| {
        let against = |request: &&JobRequest| {
            request.ready < request.arrival || request.deadline < request.ready + request.duration
        };
        let accepted = run.outcomes.iter().filter_map(|outcome| outcome.accepted());
        let interrupted = accepted.filter(|(request, placed)| placed.ran != request.run);
        (requests(run).filter(against).count() + interrupted.count()) as f64
    },
);

fn requests<'a>(run: &'a Run) -> impl Iterator<Item = &'a JobRequest> {
    run.outcomes
        .iter()
        .filter_map(|outcome| outcome.demand.request())
}

fn mean(run: &Run, value: fn(&JobRequest) -> u64) -> f64 {
    let sum: f64 = requests(run).map(|request| value(request) as f64).sum();
    sum / requests(run).count().max(1) as f64
}

/// All of them.
pub(super) const MEASURES: [Measure; 9] = [
    ACCEPTANCE, WORK, SLOWDOWN, WAIT, TOO_SHORT, SIZE, DURATION, LOAD, BREACHES,
];
