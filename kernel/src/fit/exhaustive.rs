//! The search for the policies that must examine every candidate.

use core::ops::Range;

use super::{Candidates, Job};
use crate::{
    policy::Policy,
    ring::{Count, CountScan, PlainScan, Profile, SlidingWindow},
};

/// Returns the best start under `policy`, the earliest of equals.
///
/// Sets: O(window x columns) for the joins, and over wide columns O(columns x log duration) for each skip. Counts, on devices and for few starts:
/// O(window + candidates x duration / 64). Policies that measure the rectangle add one rectangle per candidate.
pub(crate) fn best<N: Count>(
    profile: Profile<'_, N>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
    policy: Policy,
) -> Option<usize> {
    let objective = Objective::new(profile, job, policy);
    best_of::<PlainScan, N>(profile, sliding, job, objective, 0, Candidates::next)
}

/// As [`best`], of the candidates that `next` returns. The counts of a start are checked before its window is looked at, but for starts less
/// than `stride` slots behind one that was checked.
pub(super) fn best_of<S: CountScan, N: Count>(
    profile: Profile<'_, N>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
    mut objective: Objective,
    stride: usize,
    next: impl Fn(&mut Candidates, Profile<'_, N>, &Job) -> Option<usize>,
) -> Option<usize> {
    let max_busy = job.max_busy;
    let mut candidates = Candidates::new(job);
    let mut best = None;
    // The counts up to here are known to be within the bound.
    let mut checked = job.ready;
    let mut check = job.ready;
    while let Some(start) = next(&mut candidates, profile, job) {
        let window = job.window(start);
        if start >= check {
            let Profile { axis, counts, .. } = profile;
            let unchecked = checked.max(start)..window.end;
            checked = window.end;
            check = start.saturating_add(stride);
            if let Some(blocked) = counts.last_above::<S>(axis, unchecked, N::of(max_busy)) {
                candidates.skip_to_behind(blocked);
                continue;
            }
        }
        let busy = sliding.slide_to(start);
        if busy > max_busy {
            candidates.skip_to_behind(sliding.last_start_above(start, max_busy));
            continue;
        }
        if objective.prefers::<N>(window, busy, sliding) {
            best = Some(start);
            if objective.best == objective.perfect {
                break;
            }
        }
    }
    best
}

/// The quantity by which a policy compares feasible starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// The number of processing elements free throughout.
    Free,
    /// The length of the rectangle.
    Length,
    /// The product of both.
    Area,
}

/// Compares feasible starts in order of time.
pub(super) struct Objective {
    pub(super) measure: Measure,
    /// Whether less is better.
    pub(super) smallest: bool,
    pub(super) machine: u32,
    pub(super) slots: usize,
    /// The measure of the best start so far.
    pub(super) best: u64,
    /// The best measure that is possible.
    pub(super) perfect: u64,
    pub(super) last: LastRectangle,
}

impl Objective {
    pub(super) fn new<N>(profile: Profile<'_, N>, job: &Job, policy: Policy) -> Self {
        let measure = match policy {
            Policy::PeBestFit | Policy::PeWorstFit | Policy::FirstFit => Measure::Free,
            Policy::DurationBestFit | Policy::DurationWorstFit => Measure::Length,
            Policy::PeDurationBestFit | Policy::PeDurationWorstFit => Measure::Area,
        };
        let smallest = !matches!(
            policy,
            Policy::PeWorstFit | Policy::DurationWorstFit | Policy::PeDurationWorstFit
        );
        let machine = profile.axis.width();
        let slots = profile.axis.slots();
        let (best, perfect) = if smallest {
            let beyond = area(slots, machine).saturating_add(1);
            (beyond, measure.of(job.duration, job.pes))
        } else {
            // Small devices save the code, and go on when everything is free.
            (0, u64::MAX)
        };
        Self {
            measure,
            smallest,
            machine,
            slots,
            best,
            perfect,
            last: LastRectangle::default(),
        }
    }

    /// Returns whether the window, in which `busy` are busy at some time, is better than all before it, and if so, records its measure.
    pub(super) fn prefers<N: Count>(
        &mut self,
        window: Range<usize>,
        busy: u32,
        sliding: &mut dyn SlidingWindow,
    ) -> bool {
        let free = self.machine.saturating_sub(busy);
        let measured = if self.measure == Measure::Free {
            u64::from(free)
        } else if self.last.holds(&window, free) {
            return false;
        } else {
            let within = if self.smallest {
                self.while_smaller::<N>(&window, free)
            } else {
                let conflicts = |offset| sliding.conflicts(offset);
                self.last.bounds(&window, self.slots, conflicts)
            };
            let most = self.measure.of(within.len(), free);
            if within.len() < window.len() || !self.smallest && most <= self.best {
                return false;
            }
            let rectangle = sliding.rectangle(window, within);
            let measured = self.measure.of(rectangle.len(), free);
            self.last = LastRectangle { rectangle, free };
            measured
        };
        self.improves(measured)
    }

    /// Returns whether a start of this measure is better than all before it, and if so, records its measure.
    pub(super) fn improves(&mut self, measured: u64) -> bool {
        let better = if self.smallest {
            measured < self.best
        } else {
            measured > self.best
        };
        if better {
            self.best = measured;
        }
        better
    }

    /// Returns a range that contains every rectangle around `window` that would be better, and one slot more on each side, so that a
    /// rectangle that is too long can be recognised; empty when no rectangle can be better.
    pub(super) fn while_smaller<N: Count>(&self, window: &Range<usize>, free: u32) -> Range<usize> {
        let unit = self.measure.of(1, free);
        let longest = N::quotient(self.best.saturating_sub(1), unit as u32);
        let longest = usize::try_from(longest)
            .unwrap_or(usize::MAX)
            .min(self.slots);
        if longest < window.len() {
            return 0..0;
        }
        let len = longest.saturating_add(1);
        window.end.saturating_sub(len)..window.start.saturating_add(len).min(self.slots)
    }
}

impl Measure {
    pub(super) fn of(self, length: usize, free: u32) -> u64 {
        match self {
            Self::Free => u64::from(free),
            Self::Length => length as u64,
            Self::Area => area(length, free),
        }
    }
}

/// Returns the area of a rectangle: less than 2^63, since there are at most 2^32 slots and 2^31 - 1 units.
const fn area(length: usize, free: u32) -> u64 {
    (length as u64).wrapping_mul(free as u64)
}

/// The rectangle that was examined last. Neighbouring candidates often share it and then need not be examined again.
#[derive(Default)]
pub(super) struct LastRectangle {
    pub(super) rectangle: Range<usize>,
    pub(super) free: u32,
}

impl LastRectangle {
    /// Returns whether it is also the rectangle of `window`, in which `free` are free: the window lies in it and has as many free.
    pub(super) fn holds(&self, window: &Range<usize>, free: u32) -> bool {
        self.free == free
            && self.rectangle.start <= window.start
            && window.end <= self.rectangle.end
    }

    /// Returns a range that contains the rectangle of `window`, bounded by conflicts in the slots next to the window and next to the last
    /// rectangle.
    pub(super) fn bounds(
        &self,
        window: &Range<usize>,
        slots: usize,
        conflicts: impl Fn(usize) -> bool,
    ) -> Range<usize> {
        let mut bounds = 0..slots;
        // For a rectangle that begins at 0 this wraps to an offset that the check below rejects.
        let before = self.rectangle.start.wrapping_sub(1);
        for slot in [window.start.wrapping_sub(1), before] {
            if slot < window.start && conflicts(slot) {
                bounds.start = slot.saturating_add(1);
                break;
            }
        }
        for slot in [window.end, self.rectangle.end] {
            if (window.end..slots).contains(&slot) && conflicts(slot) {
                bounds.end = slot;
                break;
            }
        }
        bounds
    }
}
