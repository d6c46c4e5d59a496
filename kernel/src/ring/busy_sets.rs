//! The busy processing elements of each slot, with the union of every 8 slots.

use core::ops::Range;

use super::axis::Axis;
use crate::column::{Column, chunk, fold};

/// Busy sets and the union of every 8 slots.
pub(crate) struct BusySets<'a, C> {
    pub(crate) rows: &'a mut [C],
    pub(crate) any: &'a mut [C],
}

/// Slots per union.
pub(crate) const GROUP: usize = 8;

impl<C: Column> BusySets<'_, C> {
    /// Adds `set` to the slots at `indices`, or removes it. The indices lie in one column and count from the first column's first slot.
    /// O(indices). Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(crate) fn write(&mut self, indices: Range<usize>, set: C, busy: bool) {
        // No other reservation holds members of a set that is removed, so the unions of groups wholly inside can be written directly.
        let inner = indices.start.div_ceil(GROUP)..indices.end / GROUP;
        let rows = self.rows.get_mut(indices.clone()).unwrap_or_default();
        let unions = self.any.get_mut(inner).unwrap_or_default();
        for growing in [rows, unions] {
            if busy {
                growing.iter_mut().for_each(|row| *row = row.join(set));
            } else {
                growing.iter_mut().for_each(|row| *row = row.and_not(set));
            }
        }
        self.refresh_ends(indices);
    }

    /// Gives the slots at `indices`, as of [`Self::write`], this set and no other. O(indices).
    #[cfg(feature = "outages")]
    pub(crate) fn fill(&mut self, indices: Range<usize>, set: C) {
        let inner = indices.start.div_ceil(GROUP)..indices.end / GROUP;
        let rows = self.rows.get_mut(indices.clone()).unwrap_or_default();
        rows.fill(set);
        let unions = self.any.get_mut(inner).unwrap_or_default();
        unions.fill(set);
        self.refresh_ends(indices);
    }

    /// Returns whether the unions agree with the slots.
    pub(crate) fn unions_hold(&self, columns: usize, storage: usize) -> bool {
        (0..columns).all(|number| {
            let column = self.view(number, storage);
            let (groups, _) = column.rows.as_chunks::<GROUP>();
            let unions = groups.iter().map(|rows| fold(rows, 0..GROUP));
            unions.eq(column.any.iter().copied())
        })
    }

    /// Computes the unions again of which perhaps only a part lies in `indices`.
    fn refresh_ends(&mut self, indices: Range<usize>) {
        let [first, last] = [indices.start, indices.end.wrapping_sub(1)].map(|index| index / GROUP);
        self.refresh_union(first);
        if last != first {
            self.refresh_union(last);
        }
    }

    fn refresh_union(&mut self, group: usize) {
        let from = group.wrapping_mul(GROUP);
        let union = fold(self.rows, from..from.wrapping_add(GROUP));
        if let Some(any) = self.any.get_mut(group) {
            *any = union;
        }
    }

    pub(crate) fn view(&self, number: usize, storage: usize) -> ColumnView<'_, C> {
        ColumnView {
            rows: chunk(self.rows, number, storage),
            any: chunk(self.any, number, storage / GROUP),
        }
    }
}

/// One column: its rows and its unions.
#[derive(Clone, Copy)]
pub(crate) struct ColumnView<'r, C> {
    pub(crate) rows: &'r [C],
    pub(crate) any: &'r [C],
}

impl<C: Column> ColumnView<'_, C> {
    /// Returns what is busy in any of the slots at `indices`. O(indices / 8).
    pub(crate) fn union(&self, indices: Range<usize>) -> C {
        let groups = indices.start.div_ceil(GROUP)..indices.end / GROUP;
        if groups.is_empty() {
            return fold(self.rows, indices);
        }
        let head = fold(self.rows, indices.start..groups.start.wrapping_mul(GROUP));
        let tail = fold(self.rows, groups.end.wrapping_mul(GROUP)..indices.end);
        head.join(fold(self.any, groups)).join(tail)
    }

    /// Returns the last of `offsets` where something is busy that is not in `set`. O(offsets / 8).
    pub(crate) fn last_conflict(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        set: C,
    ) -> Option<usize> {
        let [early, late] = axis.indices(offsets.clone());
        let wrap = offsets.end.wrapping_sub(late.len());
        if let Some(index) = self.last_index(late, set) {
            return Some(wrap.wrapping_add(index));
        }
        let first = early.start;
        let index = self.last_index(early, set)?;
        Some(offsets.start.wrapping_add(index.wrapping_sub(first)))
    }

    fn last_index(&self, indices: Range<usize>, set: C) -> Option<usize> {
        let mut end = indices.end;
        while end > indices.start {
            let group = end.wrapping_sub(1) / GROUP;
            let start = group.wrapping_mul(GROUP).max(indices.start);
            if self.group_exceeds(group, set) {
                let slots = self.rows.get(start..end).unwrap_or_default();
                if let Some(found) = slots.iter().rposition(|row| !row.and_not(set).is_idle()) {
                    return Some(start.wrapping_add(found));
                }
            }
            end = start;
        }
        None
    }

    /// Returns the first of `offsets` where something is busy that is not in `set`. O(offsets / 8).
    pub(crate) fn first_conflict(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        set: C,
    ) -> Option<usize> {
        let [early, late] = axis.indices(offsets.clone());
        let (first, wrap) = (early.start, offsets.start.wrapping_add(early.len()));
        if let Some(index) = self.first_index(early, set) {
            return Some(offsets.start.wrapping_add(index.wrapping_sub(first)));
        }
        let index = self.first_index(late, set)?;
        Some(wrap.wrapping_add(index))
    }

    fn first_index(&self, indices: Range<usize>, set: C) -> Option<usize> {
        let mut start = indices.start;
        while start < indices.end {
            let group = start / GROUP;
            let end = group.wrapping_add(1).wrapping_mul(GROUP).min(indices.end);
            if self.group_exceeds(group, set) {
                let slots = self.rows.get(start..end).unwrap_or_default();
                if let Some(found) = slots.iter().position(|row| !row.and_not(set).is_idle()) {
                    return Some(start.wrapping_add(found));
                }
            }
            start = end;
        }
        None
    }

    fn group_exceeds(&self, group: usize, set: C) -> bool {
        self.any
            .get(group)
            .is_some_and(|union| !union.and_not(set).is_idle())
    }
}
