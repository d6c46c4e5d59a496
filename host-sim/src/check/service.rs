//! metrics.json against the tables: how well accepted reservations were served, and what rounding to slots cost. Rule 7.

use serde::Deserialize;

use super::{
    entries::{near, ratio, same},
    findings::Findings,
    operations::Histories,
};
use crate::files::{Job, Profile, Reservation};

/// The shortest duration that a bounded slowdown divides by (s).
const BOUND: f64 = 10.0;

/// Entries about requests that were lost to rounding, and about waiting times and ratios.
#[derive(Deserialize)]
pub(super) struct Service {
    lost_to_rounding: u64,
    acceptance_rate_after_rounding: Option<f64>,
    average_slowdown: Option<f64>,
    slowdown_percentiles: Percentiles,
    bounded_slowdown: Option<f64>,
    bounded_slowdown_percentiles: Percentiles,
    stretch: Distribution,
    waiting: Distribution,
}

#[derive(Deserialize)]
struct Distribution {
    mean: Option<f64>,
    #[serde(flatten)]
    percentiles: Percentiles,
}

#[derive(Deserialize)]
pub(super) struct Percentiles {
    p50: Option<f64>,
    p90: Option<f64>,
    p99: Option<f64>,
}

impl Service {
    pub(super) fn check(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        histories: Option<&Histories>,
        found: &mut Findings,
    ) {
        self.check_rounding(reservations, found);
        let mut served = Served::of(reservations, jobs, histories);
        mean(
            "average_slowdown",
            self.average_slowdown,
            &served.slowdown,
            found,
        );
        let percentiles = &self.slowdown_percentiles;
        percentiles.check("slowdown_percentiles", &mut served.slowdown, found);
        mean(
            "bounded_slowdown",
            self.bounded_slowdown,
            &served.bounded_slowdown,
            found,
        );
        let percentiles = &self.bounded_slowdown_percentiles;
        let numbers = &mut served.bounded_slowdown;
        percentiles.check("bounded_slowdown_percentiles", numbers, found);
        self.stretch.check("stretch", &mut served.stretch, found);
        self.waiting.check("waiting", &mut served.waiting, found);
    }

    fn check_rounding(&self, reservations: &[Reservation], found: &mut Findings) {
        let lost = |row: &&Reservation| row.reason == "lost-to-rounding";
        let lost = reservations.iter().filter(lost).count();
        same(
            "lost_to_rounding",
            &self.lost_to_rounding,
            &(lost as u64),
            found,
        );
        let accepted = reservations.iter().filter(|row| row.is_accepted()).count();
        let others = reservations.len() - lost;
        let entry = self.acceptance_rate_after_rounding;
        let rate = ratio(accepted as f64, others as f64);
        near("acceptance_rate_after_rounding", entry, rate, found);
    }
}

/// How accepted reservations were served, a number for each in their order. They follow from the times: columns are cut at six decimals.
#[derive(Default)]
struct Served {
    slowdown: Vec<f64>,
    bounded_slowdown: Vec<f64>,
    /// Of those that ran for some time.
    stretch: Vec<f64>,
    waiting: Vec<f64>,
}

impl Served {
    fn of(reservations: &[Reservation], jobs: &[Job<'_>], histories: Option<&Histories>) -> Self {
        let mut served = Self::default();
        let reserved = jobs
            .iter()
            .filter(|job| job.profile == Profile::Reservation);
        for (row, job) in reservations.iter().zip(reserved) {
            let start = match histories {
                Some(histories) => histories
                    .of(row.job_id)
                    .map(|history| history.booking.start),
                None => row.last_start(),
            };
            if let Some(start) = start.filter(|_| row.is_accepted()) {
                served.add(row, start, job);
            }
        }
        served
    }

    /// One that was booked from `start` on in the end.
    fn add(&mut self, row: &Reservation, start: u64, job: &Job<'_>) {
        let waiting = row.waiting_from(start);
        let duration = row.judged_duration() as f64;
        let bounded = (waiting + duration) / duration.max(BOUND);
        self.waiting.push(waiting);
        self.slowdown.push(row.slowdown_from(start));
        self.bounded_slowdown.push(bounded.max(1.0));
        let Some([began, finish]) = job.ran() else {
            return;
        };
        let ran = finish.saturating_sub(began);
        if ran > 0 {
            let turnaround = finish.saturating_sub(row.arrival);
            self.stretch.push(turnaround as f64 / ran as f64);
        }
    }
}

fn mean(name: &str, entry: Option<f64>, numbers: &[f64], found: &mut Findings) {
    let mean = ratio(numbers.iter().sum(), numbers.len() as f64);
    near(name, entry, mean, found);
}

impl Distribution {
    fn check(&self, name: &str, numbers: &mut [f64], found: &mut Findings) {
        mean(&format!("{name}, mean"), self.mean, numbers, found);
        self.percentiles.check(name, numbers, found);
    }
}

impl Percentiles {
    /// By nearest rank: the least of the numbers that at least so many in a hundred of them do not exceed.
    pub(super) fn check(&self, name: &str, numbers: &mut [f64], found: &mut Findings) {
        for (percent, entry) in [(50, self.p50), (90, self.p90), (99, self.p99)] {
            let rank = (percent * numbers.len()).div_ceil(100);
            let number = rank.checked_sub(1).map(|at| {
                let (_, number, _) = numbers.select_nth_unstable_by(at, f64::total_cmp);
                *number
            });
            near(&format!("{name}, p{percent}"), entry, number, found);
        }
    }
}
