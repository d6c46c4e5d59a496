//! The longest range around a window during which everything free in it stays free.

use core::ops::Range;

use super::{Measure, SlidingSets};
use crate::column::Column;
use crate::ring::{
    busy_sets::GROUP,
    far_unions::{FAR, offsets_of, split},
    scan::Scan,
};

/// How many slots a rectangle grows by at first.
const STRETCH: usize = 32;

impl<C: Column, S: Scan, M: Measure<C>> SlidingSets<'_, C, S, M> {
    /// Returns the rectangle of the current window, which begins with the last one where all that is free in the window was free in that one's.
    pub(super) fn known_rectangle(
        &mut self,
        window: Range<usize>,
        within: Range<usize>,
    ) -> Range<usize> {
        let mut inner = window;
        self.widen_to_known(&mut inner, &within);
        let rectangle = self.outwards(inner, within);
        self.know(rectangle.clone());
        rectangle
    }

    /// Grows `inner` in stretches that double, each over all columns: what one column leaves free for long, another mostly does not.
    fn outwards(&mut self, mut inner: Range<usize>, mut within: Range<usize>) -> Range<usize> {
        let mut stretch = STRETCH;
        // Each round doubles the stretch, and the last one reaches both ends.
        while inner != within {
            let outer = inner.start.saturating_sub(stretch).max(within.start)
                ..inner.end.saturating_add(stretch).min(within.end);
            let grown = if stretch < 2 * FAR {
                self.grown(&inner, outer.clone())
            } else {
                self.far.reach(self.axis, self.any, &outer);
                self.grown_far(&inner, outer.clone())
            };
            // A side that has met a conflict grows no further.
            if grown.start > outer.start {
                within.start = grown.start;
            }
            if grown.end < outer.end {
                within.end = grown.end;
            }
            inner = grown;
            stretch = stretch.saturating_mul(2);
        }
        inner
    }

    /// Widens `inner` by the last rectangle, as far as it lies `within`, if all that is free in the current window was free in that one's.
    fn widen_to_known(&mut self, inner: &mut Range<usize>, within: &Range<usize>) {
        let known = self.known.start.max(within.start)..self.known.end.min(within.end);
        if known.start > inner.end || known.end < inner.start {
            return;
        }
        let behind_windows = self.joined.len().wrapping_mul(GROUP);
        let sets = self.sweep.spare().get(behind_windows..);
        let mut parts = self.joined.iter().zip(sets.unwrap_or_default());
        if parts.all(|(joined, known)| known.and_not(*joined).is_idle()) {
            *inner = inner.start.min(known.start)..inner.end.max(known.end);
        }
    }

    /// Remembers a range during which everything free in the current window is free.
    fn know(&mut self, rectangle: Range<usize>) {
        self.known = rectangle;
        let behind_windows = self.joined.len().wrapping_mul(GROUP);
        let sets = self.sweep.spare_mut().get_mut(behind_windows..);
        for (known, joined) in sets.unwrap_or_default().iter_mut().zip(self.joined.iter()) {
            *known = *joined;
        }
    }

    /// Returns the longest range in `outer` around `inner` during which everything free in the window stays free.
    pub(super) fn grown(&self, inner: &Range<usize>, outer: Range<usize>) -> Range<usize> {
        let axis = self.axis;
        let mut grown = outer;
        for (number, joined) in self.joined.iter().enumerate() {
            let column = self.column(number);
            // Later columns are examined only as far as the earlier ones are free.
            let before = column.last_conflict(axis, grown.start..inner.start, *joined);
            if let Some(slot) = before {
                grown.start = slot.saturating_add(1);
            }
            let behind = column.first_conflict(axis, inner.end..grown.end, *joined);
            if let Some(slot) = behind {
                grown.end = slot;
            }
        }
        grown
    }
}

/// Far from a window, the unions of many slots decide.
impl<C: Column, S: Scan, M: Measure<C>> SlidingSets<'_, C, S, M> {
    /// As [`Self::grown`], once the unions have been reached.
    fn grown_far(&self, inner: &Range<usize>, outer: Range<usize>) -> Range<usize> {
        let mut grown = outer;
        for (number, joined) in self.joined.iter().enumerate() {
            if let Some(slot) = self.last_conflict(number, grown.start..inner.start, *joined) {
                grown.start = slot.saturating_add(1);
            }
            if let Some(slot) = self.first_conflict(number, inner.end..grown.end, *joined) {
                grown.end = slot;
            }
        }
        grown
    }

    /// Returns the last of `offsets` where column `number` has something busy that is not in `set`.
    fn last_conflict(&self, number: usize, offsets: Range<usize>, set: C) -> Option<usize> {
        let column = self.column(number);
        let find = |offsets| column.last_conflict(self.axis, offsets, set);
        let [before, far, behind] = split(self.axis, &offsets);
        find(behind)
            .or_else(|| {
                let conflict = |union: &C| !union.and_not(set).is_idle();
                let found = self
                    .far
                    .of(self.axis, number, &far)
                    .iter()
                    .rposition(conflict)?;
                find(offsets_of(self.axis, far.start.wrapping_add(found)))
            })
            .or_else(|| find(before))
    }

    /// Returns the first of `offsets` where column `number` has something busy that is not in `set`.
    fn first_conflict(&self, number: usize, offsets: Range<usize>, set: C) -> Option<usize> {
        let column = self.column(number);
        let find = |offsets| column.first_conflict(self.axis, offsets, set);
        let [before, far, behind] = split(self.axis, &offsets);
        find(before)
            .or_else(|| {
                let conflict = |union: &C| !union.and_not(set).is_idle();
                let found = self
                    .far
                    .of(self.axis, number, &far)
                    .iter()
                    .position(conflict)?;
                find(offsets_of(self.axis, far.start.wrapping_add(found)))
            })
            .or_else(|| find(behind))
    }
}
