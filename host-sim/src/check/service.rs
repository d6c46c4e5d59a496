//! metrics.json against the tables: how well accepted reservations were served, and what rounding to slots cost. Rule 7.

use std::{
    cmp::Ordering,
    io::{self, Read, Write},
    path::Path,
};

use serde::Deserialize;

use super::{
    entries::{near, ratio, same},
    findings::Findings,
    operations::Histories,
};
use crate::{
    files::{Job, Reservation},
    sorting::{Record, Sorter},
};

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

/// Numbers of which mean and percentiles are taken.
pub(super) struct Numbers {
    sum: f64,
    sorter: Sorter<Number>,
}

/// A number in the order of [`f64::total_cmp`].
#[derive(Clone)]
struct Number(f64);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Record for Number {
    fn size(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.0.to_bits().write(out)
    }

    fn read(from: &mut impl Read) -> io::Result<Self> {
        u64::read(from).map(|bits| Self(f64::from_bits(bits)))
    }
}

impl Numbers {
    /// Where there is a folder, they are sorted in files there.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            sum: 0.0,
            sorter: Sorter::new(folder),
        }
    }

    pub(super) fn add(&mut self, number: f64) {
        self.sum += number;
        self.sorter.add(Number(number));
    }

    fn mean(&self) -> Option<f64> {
        ratio(self.sum, self.sorter.count() as f64)
    }

    /// By nearest rank: the least of the numbers that at least so many in a hundred of them do not exceed.
    fn percentiles<const N: usize>(self, percents: [usize; N]) -> io::Result<[Option<f64>; N]> {
        let count = self.sorter.count();
        let ranks = percents.map(|percent| (percent * count).div_ceil(100));
        let mut found = [None; N];
        for (rank, number) in (1..).zip(self.sorter.sorted()?) {
            let number = number?;
            for (found, _) in found.iter_mut().zip(ranks).filter(|(_, one)| *one == rank) {
                *found = Some(number.0);
            }
        }
        Ok(found)
    }
}

/// How accepted reservations were served. It follows from the times: columns are cut at six decimals.
pub(super) struct Served {
    requests: u64,
    accepted: u64,
    lost: u64,
    slowdown: Numbers,
    bounded_slowdown: Numbers,
    /// Of those that ran for some time.
    stretch: Numbers,
    waiting: Numbers,
}

impl Served {
    /// Nobody so far. Where there is a folder, numbers are sorted in files there.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        let none = || Numbers::new(folder);
        Self {
            requests: 0,
            accepted: 0,
            lost: 0,
            slowdown: none(),
            bounded_slowdown: none(),
            stretch: none(),
            waiting: none(),
        }
    }

    /// The next request, and the job that it became.
    pub(super) fn row(
        &mut self,
        row: &Reservation,
        job: Option<&Job<'_>>,
        histories: Option<&Histories>,
    ) {
        self.requests += 1;
        self.lost += u64::from(row.reason == "lost-to-rounding");
        if !row.is_accepted() {
            return;
        }
        self.accepted += 1;
        let start = match histories {
            Some(histories) => histories
                .of(row.job_id)
                .map(|history| history.booking.start),
            None => row.last_start(),
        };
        if let (Some(start), Some(job)) = (start, job) {
            self.add(row, start, job);
        }
    }

    /// One that was booked from `start` on in the end.
    fn add(&mut self, row: &Reservation, start: u64, job: &Job<'_>) {
        let waiting = row.waiting_from(start);
        let duration = row.judged_duration() as f64;
        let bounded = (waiting + duration) / duration.max(BOUND);
        self.waiting.add(waiting);
        self.slowdown.add(row.slowdown_from(start));
        self.bounded_slowdown.add(bounded.max(1.0));
        let Some([began, finish]) = job.ran() else {
            return;
        };
        let ran = finish.saturating_sub(began);
        if ran > 0 {
            let turnaround = finish.saturating_sub(row.arrival);
            self.stretch.add(turnaround as f64 / ran as f64);
        }
    }
}

impl Service {
    /// # Errors
    /// What the file system reports about sorted numbers.
    pub(super) fn check(&self, served: Served, found: &mut Findings) -> io::Result<()> {
        same(
            "lost_to_rounding",
            &self.lost_to_rounding,
            &served.lost,
            found,
        );
        let others = served.requests - served.lost;
        let entry = self.acceptance_rate_after_rounding;
        let rate = ratio(served.accepted as f64, others as f64);
        near("acceptance_rate_after_rounding", entry, rate, found);
        let mean = served.slowdown.mean();
        near("average_slowdown", self.average_slowdown, mean, found);
        let percentiles = &self.slowdown_percentiles;
        percentiles.check("slowdown_percentiles", served.slowdown, found)?;
        let mean = served.bounded_slowdown.mean();
        near("bounded_slowdown", self.bounded_slowdown, mean, found);
        let percentiles = &self.bounded_slowdown_percentiles;
        let numbers = served.bounded_slowdown;
        percentiles.check("bounded_slowdown_percentiles", numbers, found)?;
        self.stretch.check("stretch", served.stretch, found)?;
        self.waiting.check("waiting", served.waiting, found)
    }
}

impl Distribution {
    fn check(&self, name: &str, numbers: Numbers, found: &mut Findings) -> io::Result<()> {
        near(&format!("{name}, mean"), self.mean, numbers.mean(), found);
        self.percentiles.check(name, numbers, found)
    }
}

impl Percentiles {
    /// # Errors
    /// What the file system reports about sorted numbers.
    pub(super) fn check(
        &self,
        name: &str,
        numbers: Numbers,
        found: &mut Findings,
    ) -> io::Result<()> {
        let entries = [self.p50, self.p90, self.p99];
        let percents = [50, 90, 99];
        let numbers = numbers.percentiles(percents)?;
        for ((percent, entry), number) in percents.into_iter().zip(entries).zip(numbers) {
            near(&format!("{name}, p{percent}"), entry, number, found);
        }
        Ok(())
    }
}
