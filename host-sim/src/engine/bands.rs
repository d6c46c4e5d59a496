//! What users would have been told of when their jobs start, as they came, and how often that was right.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, VecDeque},
};

use bookahead::{Span, StartBand, StartBands};
use serde::{Deserialize, Serialize};

use super::distribution::{Distribution, rate};
use crate::saved::{Saved, Saving, put, saves, take};

/// How many shares are looked at.
pub(super) const SHARES: usize = 4;

/// How often a band is to be right, per mille.
const PER_MILLE: [u16; SHARES] = [500, 800, 900, 950];

/// The share of which one job is told.
const TOLD: u16 = 800;

/// How many waits of each doubling are remembered.
const LAST: usize = 256;

/// A job of a queue that plans; in slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PlannedWait {
    /// From when on it may start.
    pub(crate) asked: u64,
    /// The start for which it was planned then.
    pub(crate) planned: u64,
    /// When it started.
    began: u64,
}

impl PlannedWait {
    /// Of these seconds, where all but the first and the last are slot edges; nothing of a job whose plan ends beyond what can be booked: it was not planned as it came.
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

    fn planned_wait(self) -> Span {
        span(self.planned.saturating_sub(self.asked))
    }

    fn waited(self) -> Span {
        span(self.began.saturating_sub(self.asked))
    }
}

fn span(slots: u64) -> Span {
    Span::new(u32::try_from(slots).unwrap_or(u32::MAX))
}

/// Jobs in the order in which they come, those of a slot in the order of their submission, and what is known as each comes: how long those waited that started in
/// earlier slots. It keeps the jobs that have not come and those that have not started, and what is remembered.
#[derive(Default)]
pub(crate) struct Bands {
    jobs: usize,
    /// By when they come.
    coming: BinaryHeap<Reverse<(u64, usize, PlannedWait)>>,
    /// By when they start, those of a slot in the order in which they came.
    waiting: BinaryHeap<Reverse<(u64, usize, PlannedWait)>>,
    came: usize,
    known: Known,
}

/// What is remembered: the bands, and the waits that they were made of, planned and real ones, by doublings.
#[derive(Default)]
struct Known {
    bands: Box<StartBands<LAST>>,
    noted: BTreeMap<u32, VecDeque<(Span, Span)>>,
}

impl Known {
    fn note(&mut self, planned: Span, waited: Span) {
        self.bands.note(planned, waited);
        let Some(doubling) = planned.get().checked_ilog2() else {
            return;
        };
        let noted = self.noted.entry(doubling).or_default();
        noted.push_back((planned, waited));
        if noted.len() > LAST {
            noted.pop_front();
        }
    }
}

/// Bands made of the waits that they remember are what they were.
impl Saved for Known {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        put(&self.noted, to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        let noted: BTreeMap<u32, Vec<(Span, Span)>> = take(from)?;
        for (planned, waited) in noted.into_values().flatten() {
            self.note(planned, waited);
        }
        Ok(())
    }
}

impl Saved for Bands {
    saves!(jobs coming waiting came; known);
}

impl Bands {
    /// The next job that was submitted; its number among them.
    pub(crate) fn submitted(&mut self, job: PlannedWait) -> usize {
        let number = self.jobs;
        self.coming.push(Reverse((job.asked, number, job)));
        self.jobs += 1;
        number
    }

    /// The next job that comes before a slot: its number among those submitted, the job, and what is known then.
    pub(crate) fn next_before(
        &mut self,
        slot: u64,
    ) -> Option<(usize, PlannedWait, &StartBands<LAST>)> {
        let Reverse((asked, number, job)) = *self.coming.peek()?;
        if asked >= slot {
            return None;
        }
        self.coming.pop();
        while let Some(Reverse((began, _, other))) = self.waiting.peek()
            && *began < asked
        {
            self.known.note(other.planned_wait(), other.waited());
            self.waiting.pop();
        }
        self.waiting.push(Reverse((job.began, self.came, job)));
        self.came += 1;
        Some((number, job, &self.known.bands))
    }

    /// What the user of a job was told, by its number among those submitted, if enough was known.
    pub(crate) fn of_one(mut self, wanted: usize) -> Option<StartBand> {
        while let Some((number, job, known)) = self.next_before(u64::MAX) {
            if number == wanted {
                return known.band(job.planned_wait(), TOLD);
            }
        }
        None
    }
}

/// Counts how often bands are right.
#[derive(Default)]
pub(super) struct Counting {
    bands: Bands,
    told: [usize; SHARES],
    kept: [usize; SHARES],
}

impl Saved for Counting {
    saves!(told kept; bands);
}

impl Counting {
    /// The next job, which arrived in a slot of so many seconds; `width` takes the width of each band (s), with its share's number.
    pub(super) fn add(
        &mut self,
        job: PlannedWait,
        arrival: u64,
        slot: u64,
        width: impl FnMut(usize, f64),
    ) {
        self.count(arrival.div_ceil(slot), slot, width);
        self.bands.submitted(job);
    }

    /// Those that come before a slot.
    pub(super) fn count(&mut self, before: u64, slot: u64, mut width: impl FnMut(usize, f64)) {
        while let Some((_, job, known)) = self.bands.next_before(before) {
            if job.planned_wait() == Span::ZERO {
                continue;
            }
            let counts = self.told.iter_mut().zip(&mut self.kept).zip(PER_MILLE);
            for (share, ((told, kept), per_mille)) in counts.enumerate() {
                if let Some(band) = known.band(job.planned_wait(), per_mille) {
                    *told += 1;
                    *kept += usize::from(band.holds(job.waited()));
                    let slots = band.latest.get().saturating_sub(band.earliest.get());
                    width(share, slot as f64 * f64::from(slots));
                }
            }
        }
    }

    /// What was counted, with how wide the bands were.
    pub(super) fn finish(&self, widths: [Distribution; SHARES]) -> BandCounts {
        let counts = self.told.into_iter().zip(self.kept).zip(widths);
        counts
            .zip(PER_MILLE)
            .map(|(((told, kept), widths), per_mille)| {
                let count = BandCount {
                    told,
                    kept,
                    kept_rate: rate(kept as f64, told as f64),
                    median_width: widths.percentiles.p50,
                };
                ((per_mille / 10).to_string(), count)
            })
            .collect()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn job(asked: u64, planned: u64, began: u64) -> PlannedWait {
        PlannedWait {
            asked,
            planned,
            began,
        }
    }

    #[test]
    fn those_that_start_together_are_noted_in_the_order_in_which_they_came() {
        let mut bands = Bands::default();
        // The second comes to the queue first.
        for job in [job(5, 7, 8), job(3, 5, 8), job(9, 10, 11), job(11, 12, 13)] {
            bands.submitted(job);
        }
        let mut order = Vec::new();
        let mut expected = StartBands::new();
        for (planned, waited) in [(2, 5), (2, 3)] {
            expected.note(Span::new(planned), Span::new(waited));
        }
        while let Some((number, job, known)) = bands.next_before(12) {
            order.push(number);
            // Who starts in this slot is not known yet.
            let nothing = StartBands::new();
            assert!(
                *known
                    == if job.asked < 9 {
                        nothing
                    } else {
                        expected.clone()
                    }
            );
        }
        assert_eq!(order, [1, 0, 2, 3]);
        assert_eq!(bands.of_one(9), None);
    }
}
