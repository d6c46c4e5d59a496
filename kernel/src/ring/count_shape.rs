//! Windows over busy counts.

use core::ops::Range;

use super::{
    shape::{Busy, Field, Shape},
    sweep::Sweep,
};

/// Windows judged by their counts alone: what is busy in them at some time is at least what is busy in their busiest slot.
pub(crate) struct ByCounts<'r> {
    field: Field<'r>,
    duration: usize,
}

impl<'r> ByCounts<'r> {
    pub(crate) const fn new(field: Field<'r>, duration: usize) -> Self {
        Self { field, duration }
    }

    fn peak(&self, start: usize) -> u32 {
        let Field { axis, counts, .. } = self.field;
        let offsets = start..start.saturating_add(self.duration);
        let [early, late] = axis.places(offsets, counts.storage());
        u32::from(counts.peak(early).max(counts.peak(late)))
    }
}

impl Busy for ByCounts<'_> {
    fn last_blocked(&mut self, _start: usize, _limit: u32) -> Option<usize> {
        // The counts are within the limit, and nothing else is looked at.
        None
    }

    fn busy_of_fit(&self, start: usize) -> u32 {
        self.peak(start)
    }
}

/// Windows over busy counts: what is free throughout is what the busiest slot leaves.
pub(crate) struct CountShape<'r> {
    by_counts: ByCounts<'r>,
    sweep: Sweep<'r, u16>,
    /// The busiest slot of the window slid to.
    peak: u16,
}

impl<'r> CountShape<'r> {
    pub(crate) const fn new(field: Field<'r>, sweep: Sweep<'r, u16>) -> Self {
        Self {
            by_counts: ByCounts::new(field, sweep.duration),
            sweep,
            peak: 0,
        }
    }
}

impl Busy for CountShape<'_> {
    fn last_blocked(&mut self, start: usize, limit: u32) -> Option<usize> {
        self.by_counts.last_blocked(start, limit)
    }

    fn busy_of_fit(&self, start: usize) -> u32 {
        self.by_counts.busy_of_fit(start)
    }
}

impl Shape for CountShape<'_> {
    fn more_busy_than_counts_tell(&mut self, _start: usize) -> Option<u32> {
        None
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        self.sweep.slide_to(start);
        self.peak = self.sweep.joined(0, start);
        u32::from(self.peak)
    }

    fn last_start_above(&self, start: usize, limit: u32) -> usize {
        self.sweep.last_start_above(start, limit)
    }

    fn conflicts(&self, offset: usize) -> bool {
        let Field { axis, counts, .. } = self.by_counts.field;
        counts.at(axis.place(offset, counts.storage())) > self.peak
    }

    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize> {
        let Field { axis, counts, .. } = self.by_counts.field;
        let end = start.saturating_add(self.sweep.duration);
        let before = counts.last_above(axis, within.start..start, self.peak);
        let behind = counts.first_above(axis, end..within.end, self.peak);
        before.map_or(within.start, |slot| slot.saturating_add(1))..behind.unwrap_or(within.end)
    }
}
