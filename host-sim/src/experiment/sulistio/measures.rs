//! What a run is judged by.
//!
//! Source: `sulistio`, section 4.1.

use super::points::{NODES, SLOT, TWO_WEEKS};
use crate::{
    engine::{Outcome, Placed},
    request::Demand,
};

/// The widest of each class of sizes.
pub(super) const WIDTHS: [u64; 6] = [1, 4, 8, 16, 32, 64];

/// The figures of one run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// Node-seconds used in the two weeks by those that there are.
    pub(super) utilisation: f64,
    /// The same up to the end of the last job.
    pub(super) utilisation_to_end: f64,
    /// Requests to reserve that got nothing.
    pub(super) rejections: f64,
    /// Reservations that are shorter or narrower than asked.
    pub(super) reduced: f64,
    /// What the reservations pay ($).
    pub(super) revenue: f64,
    /// What the reduced ones among them pay ($).
    pub(super) reduced_revenue: f64,
    /// Mean time from submission to start of the jobs without a reservation (h).
    pub(super) wait: f64,
    /// Slot edges in the two weeks at which the number of busy nodes changes.
    pub(super) changes: f64,
    /// Mean size of the change from a slot to the next.
    pub(super) swing: f64,
    /// Standard deviation of the number of busy nodes over the slots of the two weeks.
    pub(super) deviation: f64,
    /// Requests to reserve, by class of size.
    pub(super) asked: [u32; WIDTHS.len()],
    /// Those that got something.
    pub(super) accepted: [u32; WIDTHS.len()],
}

impl Cell {
    /// The figures of `outcomes`, which begin at second 0.
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let mut cell = Self {
            utilisation: used(outcomes, TWO_WEEKS) / machine(TWO_WEEKS),
            utilisation_to_end: 0.0,
            rejections: 0.0,
            reduced: 0.0,
            revenue: 0.0,
            reduced_revenue: 0.0,
            wait: mean_wait(outcomes) / 3_600.0,
            changes: 0.0,
            swing: 0.0,
            deviation: 0.0,
            asked: [0; WIDTHS.len()],
            accepted: [0; WIDTHS.len()],
        };
        let placed = outcomes
            .iter()
            .filter_map(|outcome| outcome.fate.as_ref().ok());
        let end = placed.map(Placed::finish).max().unwrap_or(0);
        cell.utilisation_to_end = used(outcomes, end) / machine(end).max(1.0);
        for outcome in outcomes {
            cell.count(outcome);
        }
        let busy = busy(outcomes);
        let steps = || busy.windows(2).map(|pair| pair[0].abs_diff(pair[1]));
        cell.changes = steps().filter(|step| *step > 0).count() as f64;
        cell.swing = steps().map(f64::from).sum::<f64>() / (busy.len() - 1) as f64;
        cell.deviation = deviation(&busy);
        cell
    }

    fn count(&mut self, outcome: &Outcome) {
        let Demand::Reserve(request) = &outcome.demand else {
            return;
        };
        let class = WIDTHS.iter().position(|widest| request.pes <= *widest);
        let class = class.unwrap_or(WIDTHS.len() - 1);
        self.asked[class] += 1;
        let Ok(placed) = &outcome.fate else {
            self.rejections += 1.0;
            return;
        };
        self.accepted[class] += 1;
        let price = placed.price.get() as f64 / 1e6;
        self.revenue += price;
        if placed.is_less_than(request) {
            self.reduced += 1.0;
            self.reduced_revenue += price;
        }
    }

    /// Accepted by asked, of the classes from `class` on; not a number where nobody asked.
    pub(super) fn acceptance_from(&self, class: usize) -> f64 {
        let sum = |counts: &[u32]| f64::from(counts[class..].iter().sum::<u32>());
        sum(&self.accepted) / sum(&self.asked)
    }

    /// The same of one class.
    pub(super) fn acceptance_in(&self, class: usize) -> f64 {
        f64::from(self.accepted[class]) / f64::from(self.asked[class])
    }
}

/// Node-seconds from 0 to `end` (s).
fn machine(end: u64) -> f64 {
    f64::from(NODES) * end as f64
}

/// Node-seconds used up to `end` (s).
fn used(outcomes: &[Outcome], end: u64) -> f64 {
    let placed = outcomes
        .iter()
        .filter_map(|outcome| outcome.fate.as_ref().ok());
    let used = placed.map(|placed| {
        let seconds = placed.finish().min(end).saturating_sub(placed.began);
        seconds * placed.width()
    });
    used.sum::<u64>() as f64
}

/// From submission to start of the jobs without a reservation (s).
fn mean_wait(outcomes: &[Outcome]) -> f64 {
    let waits = outcomes.iter().filter_map(|outcome| match &outcome.demand {
        Demand::BestEffort(job) => {
            let placed = outcome.fate.as_ref().ok()?;
            Some(placed.began.saturating_sub(job.arrival) as f64)
        }
        Demand::Reserve(_) | Demand::Hold(_) => None,
    });
    let (sum, count) = waits.fold((0.0, 0_u32), |(sum, count), wait| (sum + wait, count + 1));
    sum / f64::from(count.max(1))
}

fn deviation(counts: &[u32]) -> f64 {
    let slots = counts.len() as f64;
    let mean = counts.iter().copied().map(f64::from).sum::<f64>() / slots;
    let squares = counts
        .iter()
        .map(|&count| (f64::from(count) - mean).powi(2));
    (squares.sum::<f64>() / slots).sqrt()
}

/// Busy nodes in each slot of the two weeks; a job that ends inside a slot keeps it.
pub(super) fn busy(outcomes: &[Outcome]) -> Vec<u32> {
    let slots = (TWO_WEEKS / SLOT) as usize;
    let mut busy = vec![0; slots];
    for placed in outcomes
        .iter()
        .filter_map(|outcome| outcome.fate.as_ref().ok())
    {
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

    use super::{Cell, busy};
    use crate::{
        engine::{Outcome, Placed},
        experiment::sulistio::points::{NODES, TWO_WEEKS},
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
            changed: None,
        }
    }

    fn reserve(pes: u64, fate: Result<Placed, bookahead::Error>) -> Outcome {
        let request = JobRequest {
            job_id: 1,
            arrival: 0,
            ready: 600,
            duration: 900,
            deadline: 3_600,
            pes,
            run: 900,
        };
        Outcome {
            demand: Demand::Reserve(request),
            fate,
        }
    }

    fn best_effort(arrival: u64, fate: Placed) -> Outcome {
        let job = BestEffortRequest {
            job_id: 2,
            arrival,
            pes: 1,
            estimate: 600,
            run: 450,
        };
        Outcome {
            demand: Demand::BestEffort(job),
            fate: Ok(fate),
        }
    }

    #[test]
    fn a_run_is_measured() {
        let outcomes = [
            reserve(4, Ok(placed(600, 1_500, 900, 3, 12))),
            reserve(4, Ok(placed(1_500, 2_100, 600, 3, 8))),
            reserve(64, Err(Refusal::NoRoom.into())),
            best_effort(100, placed(3_700, 4_300, 450, 0, 0)),
            best_effort(100, placed(TWO_WEEKS - 300, TWO_WEEKS + 300, 600, 0, 0)),
        ];
        let cell = Cell::of(&outcomes);
        assert_eq!((cell.rejections, cell.reduced), (1.0, 1.0));
        assert_eq!((cell.revenue, cell.reduced_revenue), (20.0, 8.0));
        assert_eq!(
            (cell.asked, cell.accepted),
            ([0, 2, 0, 0, 0, 1], [0, 2, 0, 0, 0, 0])
        );
        let used = 900 * 4 + 600 * 4 + 450;
        let machine = |seconds: u64| f64::from(NODES) * seconds as f64;
        assert_eq!(cell.utilisation, f64::from(used + 300) / machine(TWO_WEEKS));
        assert_eq!(
            cell.utilisation_to_end,
            f64::from(used + 600) / machine(TWO_WEEKS + 300)
        );
        let waits = (3_600 + TWO_WEEKS - 400) as f64 / 2.0;
        assert!((cell.wait - waits / 3_600.0).abs() < 1e-9);
    }

    #[test]
    fn busy_nodes_are_counted_slot_by_slot() {
        let outcomes = [
            reserve(4, Ok(placed(600, 1_500, 900, 3, 12))),
            best_effort(0, placed(1_200, 1_800, 450, 1, 0)),
        ];
        assert_eq!(busy(&outcomes)[..7], [0, 0, 4, 4, 6, 2, 0]);
        let cell = Cell::of(&outcomes);
        // Up by 4 and 2, down by 4 and 2.
        assert_eq!(cell.changes, 4.0);
        assert_eq!(cell.swing, 12.0 / 4_031.0);
    }
}
