//! Which processing elements are busy in each slot, with the union of every 8 slots.

use core::ops::Range;

use super::lane::{Column, lane, lane_mut};

/// Busy sets and the union of every 8 slots.
pub(crate) struct BusySets<'a, C> {
    pub(crate) rows: &'a mut [C],
    pub(crate) any: &'a mut [C],
}

/// Slots per union.
pub(crate) const GROUP: usize = 8;

impl<C: Column> BusySets<'_, C> {
    /// Adds `set` throughout `places` of column `number`, or takes it out. O(places).
    pub(crate) fn write(
        &mut self,
        number: usize,
        storage: usize,
        places: Range<usize>,
        set: C,
        busy: bool,
    ) {
        let changed = |row: C| {
            if busy {
                row.join(set)
            } else {
                row.and_not(set)
            }
        };
        let rows = lane_mut(self.rows, number, storage);
        for row in rows.get_mut(places.clone()).unwrap_or_default() {
            *row = changed(*row);
        }
        // Nobody else has members of `set` while it is booked, so groups wholly inside need no second look at their slots.
        let inner = places.start.div_ceil(GROUP)..places.end / GROUP;
        let any = lane_mut(self.any, number, storage / GROUP);
        for union in any.get_mut(inner.clone()).unwrap_or_default() {
            *union = changed(*union);
        }
        for group in [places.start / GROUP, places.end / GROUP] {
            if !inner.contains(&group) {
                self.refresh_union(number, storage, group);
            }
        }
    }

    /// Wipes `places` of every column. O(places).
    pub(crate) fn wipe(&mut self, columns: usize, storage: usize, places: Range<usize>) {
        for number in 0..columns {
            let rows = lane_mut(self.rows, number, storage);
            rows.get_mut(places.clone())
                .unwrap_or_default()
                .fill(C::NONE);
            for group in places.start / GROUP..places.end.div_ceil(GROUP) {
                self.refresh_union(number, storage, group);
            }
        }
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

    fn refresh_union(&mut self, number: usize, storage: usize, group: usize) {
        let from = group.wrapping_mul(GROUP);
        let rows = lane(self.rows, number, storage).get(from..from.wrapping_add(GROUP));
        let any = lane_mut(self.any, number, storage / GROUP).get_mut(group);
        if let (Some(rows), Some(any)) = (rows, any) {
            *any = rows.iter().fold(C::NONE, |union, row| union.join(*row));
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

    /// The last of `places` where something is busy that is not in `set`. O(places / 8).
    pub(crate) fn last_conflict(&self, places: Range<usize>, set: C) -> Option<usize> {
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

    /// The first of `places` where something is busy that is not in `set`. O(places / 8).
    pub(crate) fn first_conflict(&self, places: Range<usize>, set: C) -> Option<usize> {
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

pub(crate) fn fold<C: Column>(rows: &[C], places: Range<usize>) -> C {
    let rows = rows.get(places).unwrap_or_default();
    rows.iter().fold(C::NONE, |union, row| union.join(*row))
}
