//! Which processing elements are busy in each slot, with the union of every 8 slots.

use core::ops::Range;

use super::{
    axis::Axis,
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
        let [early, late] = axis.places(offsets.clone());
        let wrap = offsets.end.wrapping_sub(late.len());
        if let Some(place) = self.last_place(late, set) {
            return Some(wrap.wrapping_add(place));
        }
        let first = early.start;
        let place = self.last_place(early, set)?;
        Some(offsets.start.wrapping_add(place.wrapping_sub(first)))
    }

    fn last_place(&self, places: Range<usize>, set: C) -> Option<usize> {
        let mut end = places.end;
        while end > places.start {
            let group = end.wrapping_sub(1) / GROUP;
            let start = group.wrapping_mul(GROUP).max(places.start);
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

    /// The first of `offsets` where something is busy that is not in `set`. O(offsets / 8).
    pub(crate) fn first_conflict(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        set: C,
    ) -> Option<usize> {
        let [early, late] = axis.places(offsets.clone());
        let (first, wrap) = (early.start, offsets.start.wrapping_add(early.len()));
        if let Some(place) = self.first_place(early, set) {
            return Some(offsets.start.wrapping_add(place.wrapping_sub(first)));
        }
        let place = self.first_place(late, set)?;
        Some(wrap.wrapping_add(place))
    }

    fn first_place(&self, places: Range<usize>, set: C) -> Option<usize> {
        let mut start = places.start;
        while start < places.end {
            let group = start / GROUP;
            let end = group.wrapping_add(1).wrapping_mul(GROUP).min(places.end);
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
