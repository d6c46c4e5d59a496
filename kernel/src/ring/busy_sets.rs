//! Which processing elements are busy in each slot, with the union of every 8 slots.

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    lane::{Column, fold, lane},
};

/// Busy sets and the union of every 8 slots.
pub(crate) struct BusySets<'a, C> {
    pub(crate) rows: &'a mut [C],
    pub(crate) any: &'a mut [C],
}

/// Slots per union.
pub(crate) const GROUP: usize = 8;

impl<C: Column> BusySets<'_, C> {
    /// Adds `set` throughout `places`, which lie in one column and count from the first, or takes it out. O(places). Once in the
    /// program, however many calls there are.
    #[inline(never)]
    pub(crate) fn write(&mut self, places: Range<usize>, set: C, busy: bool) {
        // Nobody else has members of what is taken out, so groups wholly inside need no second look at their slots.
        let inner = places.start.div_ceil(GROUP)..places.end / GROUP;
        let rows = self.rows.get_mut(places.clone()).unwrap_or_default();
        let unions = self.any.get_mut(inner).unwrap_or_default();
        for stretch in [rows, unions] {
            if busy {
                stretch.iter_mut().for_each(|row| *row = row.join(set));
            } else {
                stretch.iter_mut().for_each(|row| *row = row.and_not(set));
            }
        }
        self.refresh_union(places.start / GROUP);
        self.refresh_union(places.end.wrapping_sub(1) / GROUP);
    }

    /// Whether the unions are what the slots say.
    pub(crate) fn unions_hold(&self, columns: usize, storage: usize) -> bool {
        (0..columns).all(|number| {
            let column = self.view(number, storage);
            let (groups, _) = column.rows.as_chunks::<GROUP>();
            let unions = groups.iter().map(|rows| fold(rows, 0..GROUP));
            unions.eq(column.any.iter().copied())
        })
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
            rows: lane(self.rows, number, storage),
            any: lane(self.any, number, storage / GROUP),
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
    /// What is busy at some time of `places`. O(places / 8).
    pub(crate) fn union(&self, places: Range<usize>) -> C {
        let groups = places.start.div_ceil(GROUP)..places.end / GROUP;
        if groups.is_empty() {
            return fold(self.rows, places);
        }
        let head = fold(self.rows, places.start..groups.start.wrapping_mul(GROUP));
        let tail = fold(self.rows, groups.end.wrapping_mul(GROUP)..places.end);
        head.join(fold(self.any, groups)).join(tail)
    }

    /// The last of `offsets` where something is busy that is not in `set`. O(offsets / 8).
    pub(crate) fn last_conflict(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        set: C,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let places = axis.last_unit(&rest, BLOCK);
            let mut end = places.end;
            while end > places.start {
                let group = end.wrapping_sub(1) / GROUP;
                let start = group.wrapping_mul(GROUP).max(places.start);
                if self.group_exceeds(group, set) {
                    let slots = self.rows.get(start..end).unwrap_or_default();
                    if let Some(found) = slots.iter().rposition(|row| !row.and_not(set).is_idle()) {
                        let behind = places.end.wrapping_sub(start.wrapping_add(found));
                        return Some(rest.end.wrapping_sub(behind));
                    }
                }
                end = start;
            }
            rest.end = rest.end.wrapping_sub(places.len());
        }
        None
    }

    /// The first of `offsets` where something is busy that is not in `set`. O(offsets / 8).
    pub(crate) fn first_conflict(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        set: C,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let places = axis.first_unit(&rest, BLOCK);
            let mut start = places.start;
            while start < places.end {
                let group = start / GROUP;
                let end = group.wrapping_add(1).wrapping_mul(GROUP).min(places.end);
                if self.group_exceeds(group, set) {
                    let slots = self.rows.get(start..end).unwrap_or_default();
                    if let Some(found) = slots.iter().position(|row| !row.and_not(set).is_idle()) {
                        let ahead = start.wrapping_add(found).wrapping_sub(places.start);
                        return Some(rest.start.wrapping_add(ahead));
                    }
                }
                start = end;
            }
            rest.start = rest.start.wrapping_add(places.len());
        }
        None
    }

    fn group_exceeds(&self, group: usize, set: C) -> bool {
        self.any
            .get(group)
            .is_some_and(|union| !union.and_not(set).is_idle())
    }
}
