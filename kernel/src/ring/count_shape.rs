//! Windows over busy counts.

use core::ops::Range;

use super::{
    shape::{Field, Shape},
    sweep::Sweep,
};

/// Windows over busy counts: what is free throughout is what the busiest slot leaves.
pub(crate) struct CountShape<'r> {
    field: Field<'r>,
    sweep: Sweep<'r, u16>,
    /// The busiest slot of the window slid to.
    peak: u16,
}

impl<'r> CountShape<'r> {
    pub(crate) const fn new(field: Field<'r>, sweep: Sweep<'r, u16>) -> Self {
        Self {
            field,
            sweep,
            peak: 0,
        }
    }
}

impl Shape for CountShape<'_> {
    fn last_blocked(&mut self, _start: usize, _limit: u32) -> Option<usize> {
        // The counts are within the limit, and they are all there is to know.
        None
    }

    fn busy_of_fit(&self, start: usize) -> u32 {
        let Field { axis, counts, .. } = self.field;
        let offsets = start..start.saturating_add(self.sweep.duration);
        u32::from(counts.peak(axis, offsets))
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
        let Field { axis, counts, .. } = self.field;
        counts.at(axis.place(offset)) > self.peak
    }

    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize> {
        let Field { axis, counts, .. } = self.field;
        let end = start.saturating_add(self.sweep.duration);
        let before = counts.last_above(axis, within.start..start, self.peak);
        let behind = counts.first_above(axis, end..within.end, self.peak);
        before.map_or(within.start, |slot| slot.saturating_add(1))..behind.unwrap_or(within.end)
    }
}
