//! What users would have been told of when their jobs start, as they came, and how often that was right.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

use bookahead::{Span, StartBand, StartBands};
use serde::Serialize;

use super::distribution::{Distribution, rate};

/// How often a band is to be right, per mille.
const SHARES: [u16; 4] = [500, 800, 900, 950];

/// The share of which one job is told.
pub(crate) const TOLD: u16 = 800;

/// How many waits of each doubling are remembered.
const LAST: usize = 256;

/// A job of a queue that plans; in slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlannedWait {
    /// From when on it may start.
    pub(crate) asked: u64,
    /// The start for which it was planned then.
    pub(crate) planned: u64,
    /// When it started.
    pub(crate) began: u64,
}

impl PlannedWait {
    /// Of these seconds, where all but the first are slot edges; nothing of a job whose plan ends beyond what can be booked: it was not planned as it came.
    pub(crate) fn of(
        [asked, planned, began, estimate]: [u64; 4],
        slot: u64,
        slots: u64,
    ) -> Option<Self> {
        let [asked, estimate] = [asked, estimate].map(|seconds| seconds.div_ceil(slot));
        let [planned, began] = [planned, began].map(|second| second / slot);
        let inside = planned.checked_sub(asked)?.checked_add(estimate)? <= slots;
        inside.then_some(Self {
            asked,
            planned,
            began,
        })
    }

    fn planned_wait(&self) -> Span {
        span(self.planned.saturating_sub(self.asked))
    }

    fn waited(&self) -> Span {
        span(self.began.saturating_sub(self.asked))
    }
}

fn span(slots: u64) -> Span {
    Span::new(u32::try_from(slots).unwrap_or(u32::MAX))
}

/// Goes through jobs in the order in which they came, and says of each what is known at its slot: from the jobs that started in earlier ones.
pub(crate) fn told<'j>(
    jobs: &'j [PlannedWait],
    mut each: impl FnMut(&'j PlannedWait, &StartBands<LAST>),
) {
    let mut bands = Box::new(StartBands::new());
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|job| jobs.get(*job).map(|job| job.asked));
    let mut waiting = BinaryHeap::new();
    for (job, wait) in order
        .into_iter()
        .filter_map(|job| Some((job, jobs.get(job)?)))
    {
        while let Some(&Reverse((began, other))) = waiting.peek()
            && began < wait.asked
        {
            waiting.pop();
            let other: Option<&PlannedWait> = jobs.get(other);
            if let Some(other) = other {
                bands.note(other.planned_wait(), other.waited());
            }
        }
        each(wait, &bands);
        waiting.push(Reverse((wait.began, job)));
    }
}

/// The band of one job in slots, if enough is known for it.
pub(crate) fn of_one(jobs: &[PlannedWait], one: &PlannedWait) -> Option<StartBand> {
    let mut found = None;
    told(jobs, |job, bands| {
        if std::ptr::eq(job, one) {
            found = bands.band(job.planned_wait(), TOLD);
        }
    });
    found
}

/// How often bands of one share were right, of jobs that were planned to wait.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BandCount {
    /// Jobs of which enough was known to say one.
    pub told: usize,
    /// Those that started inside it.
    pub kept: usize,
    /// Those that started inside it / all of which one was said.
    pub kept_rate: Option<f64>,
    /// The median width (s).
    pub median_width: Option<f64>,
}

/// The same by the shares in a hundred.
pub type BandCounts = BTreeMap<String, BandCount>;

/// Of slots of so many seconds.
pub(crate) fn counts(jobs: &[PlannedWait], slot: u64) -> BandCounts {
    let mut all = SHARES.map(|share| (share, 0, Vec::new()));
    told(jobs, |job, bands| {
        if job.planned_wait() == Span::ZERO {
            return;
        }
        for (share, kept, widths) in &mut all {
            if let Some(band) = bands.band(job.planned_wait(), *share) {
                *kept += usize::from(band.holds(job.waited()));
                let width = band.latest.get().saturating_sub(band.earliest.get());
                widths.push(slot as f64 * f64::from(width));
            }
        }
    });
    let count = |(share, kept, widths): (u16, usize, Vec<f64>)| {
        let told = widths.len();
        let count = BandCount {
            told,
            kept,
            kept_rate: rate(kept as f64, told as f64),
            median_width: Distribution::of(widths.into_iter()).percentiles.p50,
        };
        ((share / 10).to_string(), count)
    };
    all.into_iter().map(count).collect()
}
