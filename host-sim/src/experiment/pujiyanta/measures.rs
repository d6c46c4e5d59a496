//! What is measured in each run.
//!
//! The paper takes the utilisation over a sliding window of 12 slots and does not say from when to when. Nobody reserves the first slots from
//! afar, and nobody new comes behind the last request: here windows begin in slot 24 at the earliest, the latest earliest start of
//! the first request, and end with the slot of the last request.
//!
//! Source: `pujiyanta`, sections II and III.

use super::points::{AHEAD, NODES, SLOT, WINDOW};
use crate::engine::{Outcome, Placed};
use crate::experiment::Measure;
use crate::statistics::Limits;

/// The mean over all windows.
pub(super) const UTILISATION: Measure = Measure::new("utilisation", Limits::PERCENT, |run| {
    mean(&sliding(run.outcomes, AHEAD as usize))
});
/// The same from the first slot on.
pub(super) const FROM_THE_FIRST: Measure = Measure::new(
    "utilisation from the first slot on",
    Limits::PERCENT,
    |run| mean(&sliding(run.outcomes, 0)),
);
/// Jobs that are submitted.
pub(super) const JOBS: Measure =
    Measure::new("jobs", Limits::AMOUNT, |run| run.outcomes.len() as f64);
/// Requests to reserve that are accepted.
pub(super) const ACCEPTED: Measure = Measure::new("requests accepted", Limits::PERCENT, |run| {
    100.0 * run.metrics.acceptance_rate.unwrap_or(f64::NAN)
});
/// Moves by the requests accepted.
pub(super) const MOVES: Measure =
    Measure::new("moves for a request accepted", Limits::AMOUNT, |run| {
        run.metrics.rearranged.moves as f64 / run.metrics.accepted as f64
    });

/// All of them.
pub(super) const MEASURES: [Measure; 5] = [UTILISATION, FROM_THE_FIRST, JOBS, ACCEPTED, MOVES];

/// Busy nodes in each slot up to that of the last request.
pub(super) fn busy(outcomes: &[Outcome]) -> Vec<u64> {
    let slots = outcomes
        .iter()
        .map(|outcome| outcome.demand.arrival() / SLOT + 1);
    let mut busy = vec![0; slots.max().unwrap_or(0) as usize];
    let placed = outcomes.iter().flat_map(|outcome| &outcome.decision);
    for used in placed.flat_map(Placed::used) {
        let slots = used.start / SLOT..used.end / SLOT;
        for slot in slots {
            if let Some(busy) = busy.get_mut(slot as usize) {
                *busy += used.pes;
            }
        }
    }
    busy
}

/// The utilisation of each window from a slot on (%).
pub(super) fn sliding(outcomes: &[Outcome], from: usize) -> Vec<f64> {
    let busy = busy(outcomes);
    let all = f64::from(NODES) * WINDOW as f64;
    let windows = busy.get(from..).unwrap_or_default().windows(WINDOW);
    windows
        .map(|window| 100.0 * window.iter().sum::<u64>() as f64 / all)
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::{NODES, SLOT, WINDOW, busy, sliding};
    use crate::experiment::pujiyanta::systems::{FIRST_FIT, systems};
    use crate::{
        engine::run,
        request::{Demand, JobRequest},
    };

    #[test]
    fn windows_slide_over_what_is_busy_until_the_last_request() {
        let job = |job_id, arrival, ready, duration| {
            Demand::Reserve(JobRequest {
                job_id,
                arrival: arrival * SLOT,
                ready: ready * SLOT,
                duration: duration * SLOT,
                deadline: (ready + duration) * SLOT,
                pes: u64::from(NODES) / 2,
                run: duration * SLOT,
                flexible: true,
                ..JobRequest::default()
            })
        };
        let jobs = [job(1, 0, 1, 2), job(2, 0, 2, 3), job(3, 12, 12, 9)];
        let outcomes = run(&systems()[FIRST_FIT], &jobs, &|| {}).unwrap();
        assert_eq!(
            busy(&outcomes),
            [0, 15, 30, 15, 15, 0, 0, 0, 0, 0, 0, 0, 15]
        );
        let all = 30.0 * WINDOW as f64;
        assert_eq!(sliding(&outcomes, 0), [7_500.0 / all, 9_000.0 / all]);
        assert_eq!(sliding(&outcomes, 1), [9_000.0 / all]);
        assert!(sliding(&outcomes, 2).is_empty());
    }
}
