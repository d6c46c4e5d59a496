//! The policies that must look at every candidate.

use core::ops::Range;

use super::{Candidates, Job};
use crate::ring::{Scan, Shape};

/// A feasible start under judgement.
pub(crate) struct Feasible {
    start: usize,
    duration: usize,
    /// How many are free throughout.
    free: u64,
    /// The ring.
    slots: usize,
}

impl Feasible {
    /// A stretch around the window that holds every rectangle of up to `len` slots.
    fn within(&self, len: usize) -> Range<usize> {
        let end = self.start.saturating_add(self.duration);
        end.saturating_sub(len)..self.start.saturating_add(len).min(self.slots)
    }
}

/// What a policy makes of a feasible start.
pub(crate) enum Verdict {
    /// Better than all before.
    Better,
    /// Not better.
    NoBetter,
    /// Better than all before, and nothing can be better still.
    Best,
}

/// A policy that judges feasible starts in order of time.
pub(crate) trait Judge {
    fn judge(&mut self, start: &Feasible, shape: &mut impl Shape) -> Verdict;
}

/// The start that `judge` likes best, the earliest of equals.
///
/// O(window x columns) for the joins and O(columns x log duration) for each leap, plus one rectangle per candidate where the policy
/// wants it.
pub(crate) fn survey<S: Shape>(
    scan: &mut Scan<'_, S>,
    job: &Job,
    judge: &mut impl Judge,
) -> Option<usize> {
    let machine = u32::from(scan.field.axis.pes().get());
    let slots = scan.field.axis.slots();
    let limit = u32::from(job.limit);
    let mut candidates = Candidates::new(job);
    let mut best = None;
    // Up to here the counts are known to be within the limit.
    let mut checked = job.ready;
    while let Some(start) = candidates.next(scan.field, job) {
        let window = job.window(start);
        let unchecked = checked.max(start)..window.end;
        checked = window.end;
        if let Some(blocked) = scan
            .field
            .counts
            .last_above(scan.field.axis, unchecked, job.limit)
        {
            candidates.skip_to_behind(blocked);
            continue;
        }
        let busy = scan.shape.slide_to(start);
        if busy > limit {
            candidates.skip_to_behind(scan.shape.last_start_above(start, limit));
            continue;
        }
        let feasible = Feasible {
            start,
            duration: job.duration,
            free: u64::from(machine.saturating_sub(busy)),
            slots,
        };
        match judge.judge(&feasible, &mut scan.shape) {
            Verdict::NoBetter => {}
            Verdict::Better => best = Some(start),
            Verdict::Best => return Some(start),
        }
    }
    best
}

/// PE best fit.
pub(crate) struct FewestFree {
    wanted: u64,
    fewest: Option<u64>,
}

impl FewestFree {
    pub(crate) const fn new(job: &Job) -> Self {
        Self {
            wanted: job.pes as u64,
            fewest: None,
        }
    }
}

impl Judge for FewestFree {
    fn judge(&mut self, start: &Feasible, _shape: &mut impl Shape) -> Verdict {
        if self.fewest.is_some_and(|fewest| fewest <= start.free) {
            return Verdict::NoBetter;
        }
        self.fewest = Some(start.free);
        if start.free == self.wanted {
            Verdict::Best
        } else {
            Verdict::Better
        }
    }
}

/// What a rectangle is measured by.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Length,
    Area,
}

impl Measure {
    /// What a rectangle of length 1 measures.
    const fn unit(self, free: u64) -> u64 {
        match self {
            Self::Length => 1,
            Self::Area => free,
        }
    }
}

/// The rectangle looked at last. Its neighbours often share it, and then need no second look.
#[derive(Default)]
struct Seen {
    rectangle: Range<usize>,
    free: u64,
}

impl Seen {
    /// As many are free in the window of `start`, which lies in the rectangle, as in the rectangle: so they are the same.
    fn again(&self, start: &Feasible) -> bool {
        self.free == start.free
            && self.rectangle.start <= start.start
            && start.start.saturating_add(start.duration) <= self.rectangle.end
    }

    fn look(&mut self, start: &Feasible, shape: &mut impl Shape, within: Range<usize>) -> usize {
        self.rectangle = shape.rectangle(start.start, within);
        self.free = start.free;
        self.rectangle.len()
    }

    /// A stretch that holds the rectangle of `start`, as far as the slots beside the one seen last and beside the window tell.
    fn bounds(&self, start: &Feasible, shape: &impl Shape) -> Range<usize> {
        let end = start.start.saturating_add(start.duration);
        let mut bounds = 0..start.slots;
        let before = [
            start.start.checked_sub(1),
            self.rectangle.start.checked_sub(1),
        ];
        for slot in before.into_iter().flatten() {
            if slot < start.start && shape.conflicts(slot) {
                bounds.start = slot.saturating_add(1);
                break;
            }
        }
        for slot in [end, self.rectangle.end] {
            if (end..start.slots).contains(&slot) && shape.conflicts(slot) {
                bounds.end = slot;
                break;
            }
        }
        bounds
    }
}

/// Duration best fit and PE-duration best fit.
pub(crate) struct Smallest {
    measure: Measure,
    smallest: Option<u64>,
    seen: Seen,
}

impl Smallest {
    pub(crate) fn new(measure: Measure) -> Self {
        Self {
            measure,
            smallest: None,
            seen: Seen::default(),
        }
    }
}

impl Judge for Smallest {
    fn judge(&mut self, start: &Feasible, shape: &mut impl Shape) -> Verdict {
        if self.seen.again(start) {
            return Verdict::NoBetter;
        }
        let unit = self.measure.unit(start.free);
        // The longest rectangle that would still be better; there is no need to look any further.
        let longest = match self.smallest {
            None => start.slots,
            Some(smallest) => {
                let longest = smallest
                    .saturating_sub(1)
                    .checked_div(unit)
                    .unwrap_or_default();
                usize::try_from(longest).unwrap_or(usize::MAX)
            }
        };
        if longest < start.duration {
            return Verdict::NoBetter;
        }
        // One slot more, so that too long a rectangle shows.
        let within = start.within(longest.saturating_add(1));
        let len = self.seen.look(start, shape, within);
        if len > longest {
            return Verdict::NoBetter;
        }
        self.smallest = Some((len as u64).saturating_mul(unit));
        Verdict::Better
    }
}

/// Duration worst fit and PE-duration worst fit.
pub(crate) struct Largest {
    measure: Measure,
    largest: u64,
    seen: Seen,
}

impl Largest {
    pub(crate) fn new(measure: Measure) -> Self {
        Self {
            measure,
            largest: 0,
            seen: Seen::default(),
        }
    }

    fn size(&self, start: &Feasible, len: usize) -> u64 {
        (len as u64).saturating_mul(self.measure.unit(start.free))
    }
}

impl Judge for Largest {
    fn judge(&mut self, start: &Feasible, shape: &mut impl Shape) -> Verdict {
        if self.seen.again(start) {
            return Verdict::NoBetter;
        }
        // What bounded the rectangle seen last often bounds this one too.
        let within = self.seen.bounds(start, shape);
        if self.size(start, within.len()) <= self.largest {
            return Verdict::NoBetter;
        }
        let len = self.seen.look(start, shape, within);
        let size = self.size(start, len);
        if size <= self.largest {
            return Verdict::NoBetter;
        }
        self.largest = size;
        Verdict::Better
    }
}
