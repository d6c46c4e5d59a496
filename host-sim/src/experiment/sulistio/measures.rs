//! What is measured in each run.
//!
//! Source: `sulistio`, section 4.1.

use super::points::{NODES, SLOT, TWO_WEEKS};
use crate::experiment::{Measure, Run};
use crate::{
    engine::{Outcome, Placed},
    request::JobRequest,
    statistics::Limits,
};

/// The widest of each class of sizes.
pub(super) const WIDTHS: [u64; 6] = [1, 4, 8, 16, 32, 64];
/// The class from which a job is wide: more than half of the nodes.
pub(super) const WIDE: usize = WIDTHS.len() - 1;

/// Node-seconds used in the two weeks by those that there are.
pub(super) const UTILISATION: Measure =
    Measure::new("utilisation over two weeks", Limits::SHARE, |run| {
        run.used_until(TWO_WEEKS) as f64 / machine(TWO_WEEKS)
    });
/// The same up to the end of the last job.
pub(super) const UTILISATION_TO_END: Measure = Measure::new("utilisation", Limits::SHARE, |run| {
    let end = run.end();
    run.used_until(end) as f64 / machine(end).max(1.0)
});
/// Requests to reserve that got nothing.
pub(super) const REJECTIONS: Measure = Measure::new("requests rejected", Limits::AMOUNT, |run| {
    count(run, |_, placed| placed.is_none())
});
/// Requests to reserve that got something.
pub(super) const ACCEPTED: Measure = Measure::new("requests accepted", Limits::AMOUNT, |run| {
    count(run, |_, placed| placed.is_some())
});
/// Reservations that are shorter or narrower than asked.
pub(super) const REDUCED: Measure = Measure::new("reservations reduced", Limits::AMOUNT, |run| {
    count(run, is_reduced)
});
/// What the reservations pay.
pub(super) const REVENUE: Measure =
    Measure::new("revenue of reservations", Limits::AMOUNT, |run| {
        dollars(run, |_, placed| placed.is_some())
    });
/// What the reduced ones among them pay.
pub(super) const REDUCED_REVENUE: Measure =
    Measure::new("revenue of reduced reservations", Limits::AMOUNT, |run| {
        dollars(run, is_reduced)
    });
/// Mean time from submission to start of the jobs without a reservation.
pub(super) const WAIT: Measure = Measure::new("wait of non-AR jobs", Limits::AMOUNT, |run| {
    mean_wait(run.outcomes) / 3_600.0
});
/// Slot edges in the two weeks at which the number of busy nodes changes.
pub(super) const CHANGES: Measure = Measure::new("changes in two weeks", Limits::AMOUNT, |run| {
    let busy = busy(run.outcomes);
    busy.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64
});
/// Mean size of the change from a slot to the next.
pub(super) const SWING: Measure = Measure::new("mean size of a step", Limits::AMOUNT, |run| {
    let busy = busy(run.outcomes);
    let steps = busy
        .windows(2)
        .map(|pair| f64::from(pair[0].abs_diff(pair[1])));
    steps.sum::<f64>() / (busy.len() - 1) as f64
});
/// Requests for more than half of the nodes.
pub(super) const ASKED_WIDE: Measure = Measure::new("wide jobs", Limits::AMOUNT, |run| {
    count(run, |request, _| class(request) == WIDE)
});
/// The share of the requests that take a single slot and cannot be shortened.
pub(super) const ONE_SLOT: Measure = Measure::new("requests of one slot", Limits::SHARE, |run| {
    let short = count(run, |request, _| request.duration <= SLOT);
    short / count(run, |_, _| true)
});
/// The share accepted of each class of sizes; not a number where nobody asked.
pub(super) const ACCEPTED_OF: [Measure; WIDTHS.len()] = [
    Measure::new("share accepted of class 0", Limits::SHARE, share::<0>),
    Measure::new("share accepted of class 1", Limits::SHARE, share::<1>),
    Measure::new("share accepted of class 2", Limits::SHARE, share::<2>),
    Measure::new("share accepted of class 3", Limits::SHARE, share::<3>),
    Measure::new("share accepted of class 4", Limits::SHARE, share::<4>),
    Measure::new("share accepted of class 5", Limits::SHARE, share::<5>),
];

/// All of them.
pub(super) const MEASURES: [Measure; 12 + WIDTHS.len()] = {
    let [a, b, c, d, e, f] = ACCEPTED_OF;
    [
        UTILISATION,
        UTILISATION_TO_END,
        REJECTIONS,
        ACCEPTED,
        REDUCED,
        REVENUE,
        REDUCED_REVENUE,
        WAIT,
        CHANGES,
        SWING,
        ASKED_WIDE,
        ONE_SLOT,
        a,
        b,
        c,
        d,
        e,
        f,
    ]
};

fn share<const CLASS: usize>(run: &Run) -> f64 {
    let accepted = count(run, |request, placed| {
        class(request) == CLASS && placed.is_some()
    });
    accepted / count(run, |request, _| class(request) == CLASS)
}

fn class(request: &JobRequest) -> usize {
    let class = WIDTHS.iter().position(|widest| request.pes <= *widest);
    class.unwrap_or(WIDE)
}

fn is_reduced(request: &JobRequest, placed: Option<&Placed>) -> bool {
    placed.is_some_and(|placed| placed.is_less_than(request))
}

fn requests<'a>(run: &'a Run) -> impl Iterator<Item = (&'a JobRequest, Option<&'a Placed>)> {
    let reservations = run.outcomes.iter().filter_map(Outcome::reservation);
    reservations.map(|(request, decision)| (request, decision.ok()))
}

fn count(run: &Run, which: impl Fn(&JobRequest, Option<&Placed>) -> bool) -> f64 {
    requests(run)
        .filter(|(request, placed)| which(request, *placed))
        .count() as f64
}

fn dollars(run: &Run, which: impl Fn(&JobRequest, Option<&Placed>) -> bool) -> f64 {
    let paid = requests(run).filter(|(request, placed)| which(request, *placed));
    let prices = paid.filter_map(|(_, placed)| Some(placed?.price.get() as f64 / 1e6));
    // From a positive zero: the sum of nothing is not -0.
    prices.fold(0.0, |sum, price| sum + price)
}

/// Node-seconds from 0 to `end` (s).
fn machine(end: u64) -> f64 {
    f64::from(NODES) * end as f64
}

/// From submission to start of the jobs without a reservation (s).
fn mean_wait(outcomes: &[Outcome]) -> f64 {
    let ran = outcomes.iter().filter_map(Outcome::best_effort);
    let waits = ran.filter_map(|(job, decision)| {
        Some(decision.ok()?.began.saturating_sub(job.arrival) as f64)
    });
    let (sum, count) = waits.fold((0.0, 0_u32), |(sum, count), wait| (sum + wait, count + 1));
    sum / f64::from(count.max(1))
}

/// Busy nodes in each slot of the two weeks; a job that ends inside a slot keeps it.
pub(super) fn busy(outcomes: &[Outcome]) -> Vec<u32> {
    let slots = (TWO_WEEKS / SLOT) as usize;
    let mut busy = vec![0; slots];
    for placed in outcomes.iter().flat_map(|outcome| &outcome.decision) {
        let slot = |seconds: u64| (seconds as usize).min(slots);
        let (from, to) = (
            slot(placed.began / SLOT),
            slot(placed.finish().div_ceil(SLOT)),
        );
        for count in &mut busy[from..to] {
            *count += placed.width() as u32;
        }
    }
    busy
}

#[cfg(test)]
mod tests {
    use bookahead::{Money, Refusal};

    use super::{
        ACCEPTED_OF, ASKED_WIDE, CHANGES, ONE_SLOT, REDUCED, REDUCED_REVENUE, REJECTIONS, REVENUE,
        SWING, UTILISATION, UTILISATION_TO_END, WAIT, busy,
    };
    use crate::experiment::{
        Measure,
        sulistio::{
            points::{NODES, TWO_WEEKS},
            systems::systems,
        },
    };
    use crate::{
        engine::{Outcome, Placed},
        request::{BestEffortRequest, Demand, JobRequest},
    };

    fn placed(start: u64, end: u64, ran: u64, last: u16, dollars: u64) -> Placed {
        Placed {
            start,
            end,
            began: start,
            ran,
            pes: vec![(0, last)],
            price: Money::new(dollars * 1_000_000),
            ..Placed::default()
        }
    }

    fn reserve(pes: u64, placed: Option<Placed>) -> Outcome {
        let request = JobRequest {
            job_id: 1,
            arrival: 0,
            ready: 600,
            duration: 900,
            deadline: 3_600,
            pes,
            run: 900,
            flexible: true,
            ..JobRequest::default()
        };
        Outcome {
            demand: Demand::Reserve(request),
            decision: placed.ok_or(Refusal::NoRoom.into()),
        }
    }

    fn best_effort(arrival: u64, decision: Placed) -> Outcome {
        let job = BestEffortRequest {
            job_id: 2,
            arrival,
            pes: 1,
            estimate: 600,
            run: 450,
            ..BestEffortRequest::default()
        };
        Outcome {
            demand: Demand::BestEffort(job),
            decision: Ok(decision),
        }
    }

    fn of(measure: &Measure, outcomes: &[Outcome]) -> f64 {
        measure.of_story(&systems()[0], &outcomes.to_vec().into())
    }

    #[test]
    fn a_run_is_measured() {
        let outcomes = [
            reserve(4, Some(placed(600, 1_500, 900, 3, 12))),
            reserve(4, Some(placed(1_500, 2_100, 600, 3, 8))),
            reserve(64, None),
            best_effort(100, placed(3_700, 4_300, 450, 0, 0)),
            best_effort(100, placed(TWO_WEEKS - 300, TWO_WEEKS + 300, 600, 0, 0)),
        ];
        let of = |measure| of(measure, &outcomes);
        assert_eq!([&REJECTIONS, &REDUCED, &ASKED_WIDE].map(of), [1.0; 3]);
        assert_eq!([&REVENUE, &REDUCED_REVENUE].map(of), [20.0, 8.0]);
        assert_eq!(of(&ONE_SLOT), 0.0);
        assert_eq!([&ACCEPTED_OF[1], &ACCEPTED_OF[5]].map(of), [1.0, 0.0]);
        assert!(of(&ACCEPTED_OF[0]).is_nan());
        let used = 900 * 4 + 600 * 4 + 450;
        let machine = |seconds: u64| f64::from(NODES) * seconds as f64;
        assert_eq!(of(&UTILISATION), f64::from(used + 300) / machine(TWO_WEEKS));
        assert_eq!(
            of(&UTILISATION_TO_END),
            f64::from(used + 600) / machine(TWO_WEEKS + 300)
        );
        let waits = (3_600 + TWO_WEEKS - 400) as f64 / 2.0;
        assert!((of(&WAIT) - waits / 3_600.0).abs() < 1e-9);
    }

    #[test]
    fn busy_nodes_are_counted_slot_by_slot() {
        let outcomes = [
            reserve(4, Some(placed(600, 1_500, 900, 3, 12))),
            best_effort(0, placed(1_200, 1_800, 450, 1, 0)),
        ];
        assert_eq!(busy(&outcomes)[..7], [0, 0, 4, 4, 6, 2, 0]);
        // Up by 4 and 2, down by 4 and 2.
        assert_eq!(of(&CHANGES, &outcomes), 4.0);
        assert_eq!(of(&SWING, &outcomes), 12.0 / 4_031.0);
    }
}
