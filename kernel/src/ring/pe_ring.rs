//! The ring that knows which processing elements are busy: early binding.

use core::ops::Range;

use super::{
    axis::Axis,
    counts::Counts,
    edges::{Edge, Edges},
    lane::{Column, lane, lane_mut},
    shape::{Booked, Busy, Field, Ring, RingOps, Scan, Shape},
    sweep::{Stacks, Sweep},
};
use crate::{Pe, Slot, Violation, Window};

/// A circular array of busy sets, stored column by column, each column contiguous in time. Processing elements are named when a
/// reservation is made, the lowest-numbered of those free throughout.
///
/// Invariants: the slots ahead hold the disjoint unions of the bookings that cover them, everything else is empty; the counts
/// are the sizes of the sets; an edge bit is set exactly where a slot's set differs from (lacks a member of) that of the slot
/// before; every 8 slots' union is that of its slots; a row's set is what its reservation has booked.
///
/// Source: `li`, section 4 (the records), here one slot at a time.
pub struct PeRing<'a, C> {
    pub(crate) axis: &'a mut Axis,
    pub(crate) counts: Counts<'a>,
    pub(crate) edges: Edges<'a>,
    pub(crate) busy: BusySets<'a, C>,
    /// The set of each ledger row.
    pub(crate) sets: &'a mut [C],
    /// Scratch: what is busy at some time of the window at hand, or what is chosen from the rest; one element per column.
    pub(crate) joined: &'a mut [C],
    pub(crate) stacks: Stacks<'a, C>,
}

/// Busy sets and the union of every 8 slots.
pub(crate) struct BusySets<'a, C> {
    pub(crate) rows: &'a mut [C],
    pub(crate) any: &'a mut [C],
}

/// Slots per union.
const GROUP: usize = 8;

impl<C: Column> BusySets<'_, C> {
    /// Adds `set` throughout `places` of column `number`. O(places).
    fn add(&mut self, number: usize, storage: usize, places: Range<usize>, set: C) {
        let any = lane_mut(self.any, number, storage / GROUP);
        let groups = places.start / GROUP..places.end.div_ceil(GROUP);
        for union in any.get_mut(groups).unwrap_or_default() {
            *union = union.join(set);
        }
        let rows = lane_mut(self.rows, number, storage);
        for row in rows.get_mut(places).unwrap_or_default() {
            *row = row.join(set);
        }
    }

    /// Takes `set` out throughout `places` of column `number`. O(places).
    fn remove(&mut self, number: usize, storage: usize, places: Range<usize>, set: C) {
        let rows = lane_mut(self.rows, number, storage);
        for row in rows.get_mut(places.clone()).unwrap_or_default() {
            *row = row.and_not(set);
        }
        // Nobody else has members of `set` while it is booked, so groups wholly inside need no second look at their slots.
        let inner = places.start.div_ceil(GROUP)..places.end / GROUP;
        let any = lane_mut(self.any, number, storage / GROUP);
        for union in any.get_mut(inner.clone()).unwrap_or_default() {
            *union = union.and_not(set);
        }
        for group in [places.start / GROUP, places.end / GROUP] {
            if !inner.contains(&group) {
                self.refresh_union(number, storage, group);
            }
        }
    }

    /// Wipes `places` of every column. O(places).
    fn wipe(&mut self, columns: usize, storage: usize, places: Range<usize>) {
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

    fn refresh_union(&mut self, number: usize, storage: usize, group: usize) {
        let from = group.wrapping_mul(GROUP);
        let rows = lane(self.rows, number, storage).get(from..from.wrapping_add(GROUP));
        let any = lane_mut(self.any, number, storage / GROUP).get_mut(group);
        if let (Some(rows), Some(any)) = (rows, any) {
            *any = rows.iter().fold(C::NONE, |union, row| union.join(*row));
        }
    }

    fn view(&self, number: usize, storage: usize) -> ColumnView<'_, C> {
        ColumnView {
            rows: lane(self.rows, number, storage),
            any: lane(self.any, number, storage / GROUP),
        }
    }
}

/// One column: its rows and its unions.
#[derive(Clone, Copy)]
struct ColumnView<'r, C> {
    rows: &'r [C],
    any: &'r [C],
}

impl<C: Column> ColumnView<'_, C> {
    /// What is busy at some time of `places`. O(places / 8).
    #[inline]
    fn union(&self, places: Range<usize>) -> C {
        let groups = places.start.div_ceil(GROUP)..places.end / GROUP;
        if groups.is_empty() {
            return fold(self.rows, places);
        }
        let head = fold(self.rows, places.start..groups.start.wrapping_mul(GROUP));
        let tail = fold(self.rows, groups.end.wrapping_mul(GROUP)..places.end);
        head.join(fold(self.any, groups)).join(tail)
    }

    /// The last of `places` where something is busy that is not in `set`. O(places / 8).
    fn last_conflict(&self, places: Range<usize>, set: C) -> Option<usize> {
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
    fn first_conflict(&self, places: Range<usize>, set: C) -> Option<usize> {
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

#[inline]
fn fold<C: Column>(rows: &[C], places: Range<usize>) -> C {
    let rows = rows.get(places).unwrap_or_default();
    rows.iter().fold(C::NONE, |union, row| union.join(*row))
}

impl<'a, C: Column> PeRing<'a, C> {
    fn columns(&self) -> usize {
        self.joined.len()
    }

    fn storage(&self) -> usize {
        self.counts.storage()
    }

    /// Marks `set`, given column by column and free throughout `offsets`, as busy. O(offsets x columns).
    fn take(&mut self, offsets: Range<usize>, set: &[C]) {
        let storage = self.storage();
        let all = self.axis.places(offsets.clone(), storage);
        let members = members(set);
        for places in all {
            for (number, part) in set.iter().enumerate() {
                if !part.is_idle() {
                    self.busy.add(number, storage, places.clone(), *part);
                }
            }
            self.counts.add(places, members);
        }
        self.refresh_edges(offsets);
    }

    /// The opposite of [`Self::take`]. O(offsets x columns).
    fn give(&mut self, offsets: Range<usize>, set: &[C]) {
        let storage = self.storage();
        let all = self.axis.places(offsets.clone(), storage);
        let members = members(set);
        for places in all {
            if places.is_empty() {
                continue;
            }
            for (number, part) in set.iter().enumerate() {
                if !part.is_idle() {
                    self.busy.remove(number, storage, places.clone(), *part);
                }
            }
            self.counts.subtract(places, members);
        }
        self.refresh_edges(offsets);
    }

    fn refresh_edges(&mut self, offsets: Range<usize>) {
        if !offsets.is_empty() {
            self.refresh_edge(offsets.start);
            self.refresh_edge(offsets.end);
        }
    }

    fn refresh_edge(&mut self, offset: usize) {
        if offset < self.axis.slots() {
            let edge = self.edge(offset);
            self.edges
                .set(self.axis.place(offset, self.storage()), edge);
        }
    }

    fn edge(&self, offset: usize) -> Edge {
        let Some(before) = offset.checked_sub(1) else {
            return Edge::NONE;
        };
        let storage = self.storage();
        let here = self.axis.place(offset, storage);
        let before = self.axis.place(before, storage);
        let mut edge = Edge::NONE;
        for number in 0..self.columns() {
            let rows = lane(self.busy.rows, number, storage);
            if let (Some(here), Some(before)) = (rows.get(here), rows.get(before)) {
                edge.change |= here != before;
                edge.release |= !before.and_not(*here).is_idle();
            }
        }
        edge
    }

    /// Leaves in `joined` the lowest-numbered `pes` of what is free throughout `offsets`.
    fn select(&mut self, offsets: Range<usize>, pes: u16) {
        let storage = self.storage();
        let machine = usize::from(self.axis.pes().get());
        let [early, late] = self.axis.places(offsets, storage);
        let mut wanted = u32::from(pes);
        for (number, chosen) in self.joined.iter_mut().enumerate() {
            let column = self.busy.view(number, storage);
            let busy = column.union(early.clone()).join(column.union(late.clone()));
            *chosen = column_mask::<C>(machine, number)
                .and_not(busy)
                .keep_lowest(wanted);
            wanted = wanted.saturating_sub(chosen.busy());
        }
    }

    fn set_of(&self, row: usize) -> &[C] {
        lane(self.sets, row, self.columns())
    }
}

fn members<C: Column>(set: &[C]) -> u16 {
    set.iter()
        .fold(0, |sum, part| sum.saturating_add(part.busy() as u16))
}

/// The processing elements of column `number` that a machine of `machine` has.
fn column_mask<C: Column>(machine: usize, number: usize) -> C {
    C::lowest(machine.saturating_sub(number.saturating_mul(C::BITS)))
}

impl<C: Column> Ring for PeRing<'_, C> {
    /// Column by column, as many as the ring has.
    type Pes = [C];

    fn add(&mut self, window: Window, pes: &[C]) {
        if let Some(offsets) = self.axis.ahead(window) {
            self.take(offsets, pes);
        }
    }

    fn remove(&mut self, window: Window, pes: &[C]) {
        if let Some(offsets) = self.axis.ahead(window) {
            self.give(offsets, pes);
        }
    }
}

impl<C: Column> RingOps for PeRing<'_, C> {
    fn axis(&self) -> &Axis {
        self.axis
    }

    fn counts(&self) -> &Counts<'_> {
        &self.counts
    }

    fn edges(&self) -> &Edges<'_> {
        &self.edges
    }

    fn scan(&mut self, reach: usize, duration: usize) -> Scan<'_, impl Shape> {
        Scan {
            field: Field {
                axis: self.axis,
                counts: &self.counts,
                edges: &self.edges,
            },
            shape: PeShape {
                any: self.busy.any,
                joined: self.joined,
                sweep: Sweep::new(self.axis, self.busy.rows, self.stacks.reborrow(), duration),
                allowance: reach.saturating_mul(ALLOWANCE),
                known: (usize::MAX, 0),
            },
        }
    }

    fn book(&mut self, row: usize, offsets: Range<usize>, pes: u16) -> bool {
        self.select(offsets.clone(), pes);
        if members(self.joined) != pes {
            return false;
        }
        let columns = self.columns();
        let set = lane_mut(self.sets, row, columns);
        for (part, chosen) in set.iter_mut().zip(self.joined.iter()) {
            *part = *chosen;
        }
        self.with_set(row, |ring, set| ring.take(offsets, set));
        true
    }

    fn free(&mut self, row: usize, offsets: Range<usize>, _pes: u16) {
        self.with_set(row, |ring, set| ring.give(offsets, set));
    }

    fn bind(&mut self, _row: usize, _pes: u16) {
        // Bound since it was booked.
    }

    fn unbind(&mut self, row: usize) {
        lane_mut(self.sets, row, self.joined.len()).fill(C::NONE);
    }

    fn next_pe(&self, row: usize, from: usize) -> Option<Pe> {
        let first = from.checked_div(C::BITS)?;
        for (number, part) in self.set_of(row).iter().enumerate().skip(first) {
            let base = number.wrapping_mul(C::BITS);
            if let Some(member) = part.next_member(from.saturating_sub(base)) {
                return u16::try_from(base.wrapping_add(member)).ok().map(Pe::new);
            }
        }
        None
    }

    fn pass(&mut self, to: Slot) {
        let storage = self.storage();
        let slots = self.axis.slots();
        let passed = to
            .since(self.axis.now())
            .map_or(slots, |span| slots.min(span.get() as usize));
        for places in self.axis.places(0..passed, storage) {
            self.busy.wipe(self.joined.len(), storage, places.clone());
            self.counts.wipe(places.clone());
            self.edges.wipe(places);
        }
        self.axis.pass(to, passed, storage);
        // `now` has no slot before it; the first slot that has come into view has.
        self.edges.set(self.axis.place(0, storage), Edge::NONE);
        self.refresh_edge(slots.saturating_sub(passed));
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        let storage = self.storage();
        let columns = self.columns();
        // Unite the bookings anew, in scratch memory.
        self.stacks.suffixes.fill(C::NONE);
        for booked in bookings {
            let set = lane(self.sets, booked.row, columns);
            if members(set) != booked.pes {
                return Err(Violation::Binding);
            }
            for (number, part) in set.iter().enumerate() {
                let union = lane_mut(self.stacks.suffixes, number, storage);
                for places in self.axis.places(booked.offsets.clone(), storage) {
                    for row in union.get_mut(places).unwrap_or_default() {
                        if !row.and(*part).is_idle() {
                            return Err(Violation::Occupancy);
                        }
                        *row = row.join(*part);
                    }
                }
            }
        }
        if self.stacks.suffixes != self.busy.rows {
            return Err(Violation::Occupancy);
        }
        self.verify_summaries()
    }
}

impl<C: Column> PeRing<'_, C> {
    /// Runs `action` with the set of `row`, which lies aside in scratch memory meanwhile.
    fn with_set(&mut self, row: usize, action: impl FnOnce(&mut Self, &[C])) {
        // Columns fit a fixed buffer only where their number is known, so the sets' slice is taken out instead.
        let sets = core::mem::take(&mut self.sets);
        action(self, lane(sets, row, self.joined.len()));
        self.sets = sets;
    }

    fn verify_summaries(&self) -> Result<(), Violation> {
        let storage = self.storage();
        let machine = usize::from(self.axis.pes().get());
        for offset in 0..storage {
            let place = self.axis.place(offset, storage);
            let mut busy = 0_u32;
            for number in 0..self.columns() {
                let row = lane(self.busy.rows, number, storage).get(place);
                let row = row.copied().ok_or(Violation::Summary)?;
                if !row.and_not(column_mask(machine, number)).is_idle() {
                    return Err(Violation::TooManyBusy);
                }
                busy = busy.wrapping_add(row.busy());
            }
            if busy != u32::from(self.counts.at(place)) {
                return Err(Violation::Summary);
            }
            let covered = offset < self.axis.slots();
            let edge = if covered {
                self.edge(offset)
            } else {
                Edge::NONE
            };
            if self.edges.get(place) != edge {
                return Err(Violation::Edge);
            }
        }
        for number in 0..self.columns() {
            let column = self.busy.view(number, storage);
            for (group, union) in column.any.iter().enumerate() {
                let from = group.wrapping_mul(GROUP);
                if fold(column.rows, from..from.wrapping_add(GROUP)) != *union {
                    return Err(Violation::Summary);
                }
            }
        }
        if self.counts.summaries_hold() {
            Ok(())
        } else {
            Err(Violation::Summary)
        }
    }
}

/// How many rows per slot of the stretch it covers a search may read by single windows before it turns to the sweep, whose cost is linear
/// in the worst case.
const ALLOWANCE: usize = 3;

/// Windows over busy sets.
struct PeShape<'r, C> {
    any: &'r [C],
    /// What is busy at some time of the window joined last.
    joined: &'r mut [C],
    sweep: Sweep<'r, C>,
    /// Rows that may still be read by single windows.
    allowance: usize,
    /// The window looked at last, and how many are busy in it.
    known: (usize, u32),
}

impl<C: Column> PeShape<'_, C> {
    fn column(&self, number: usize) -> ColumnView<'_, C> {
        let storage = self.sweep.storage();
        ColumnView {
            rows: lane(self.sweep.rows, number, storage),
            any: lane(self.any, number, storage / GROUP),
        }
    }
}

impl<C: Column> PeShape<'_, C> {
    /// Joins one window by the unions of 8. If there is too much in it even without its first group of slots, that settles all
    /// the starts in the group, and if in its second half, half a window. O(duration / 8 x columns).
    fn probe(&mut self, start: usize, limit: u32) -> Option<usize> {
        if self.known.0 != start {
            self.join_window(start);
            self.known = (start, busy(self.joined));
        }
        if self.known.1 <= limit {
            return None;
        }
        if busy(self.sweep.scratch()) <= limit {
            return Some(start);
        }
        let end = start.saturating_add(self.sweep.duration);
        let core = self.behind_first_group(start);
        let half = start.saturating_add(self.sweep.duration / 2);
        if half <= core {
            return Some(core);
        }
        self.join(half..end);
        Some(if busy(self.joined) > limit {
            half
        } else {
            core
        })
    }

    /// Where the first group of the window at `start` ends, or the window.
    fn behind_first_group(&self, start: usize) -> usize {
        let into_group = self.sweep.axis.place(start, self.sweep.storage()) % GROUP;
        let ahead = GROUP.wrapping_sub(into_group).min(self.sweep.duration);
        start.saturating_add(ahead)
    }

    /// Leaves in `joined` what is busy at some time of the window at `start`, and in the sweep's scratch memory the same without the
    /// window's first group. All columns are read before anything is counted, so that the processor can wait for several at a time.
    fn join_window(&mut self, start: usize) {
        let storage = self.sweep.storage();
        let core = self.behind_first_group(start);
        let end = start.saturating_add(self.sweep.duration);
        let axis = self.sweep.axis;
        // Groups do not straddle the end of the arrays.
        let [head, _] = axis.places(start..core, storage);
        let [early, late] = axis.places(core..end, storage);
        let (rows, cores) = self.sweep.rows_and_scratch();
        let columns = self.joined.iter_mut().zip(cores);
        for (number, (joined, core)) in columns.enumerate() {
            let column = ColumnView {
                rows: lane(rows, number, storage),
                any: lane(self.any, number, storage / GROUP),
            };
            *core = column.union(early.clone());
            if !late.is_empty() {
                *core = core.join(column.union(late.clone()));
            }
            *joined = core.join(fold(column.rows, head.clone()));
        }
    }

    /// Leaves in `joined` what is busy at some time of `offsets`.
    fn join(&mut self, offsets: Range<usize>) {
        let storage = self.sweep.storage();
        let [early, late] = self.sweep.axis.places(offsets, storage);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let column = ColumnView {
                rows: lane(self.sweep.rows, number, storage),
                any: lane(self.any, number, storage / GROUP),
            };
            *joined = column.union(early.clone());
            if !late.is_empty() {
                *joined = joined.join(column.union(late.clone()));
            }
        }
    }
}

fn busy<C: Column>(set: &[C]) -> u32 {
    set.iter()
        .fold(0, |sum, part| sum.wrapping_add(part.busy()))
}

impl<C: Column> Busy for PeShape<'_, C> {
    fn last_blocked(&mut self, start: usize, limit: u32) -> Option<usize> {
        let price = (self.sweep.duration / GROUP).saturating_add(GROUP);
        if let Some(left) = self.allowance.checked_sub(price) {
            self.allowance = left;
            return self.probe(start, limit);
        }
        self.sweep.slide_to(start);
        self.known = (start, self.sweep.busy(start));
        (self.known.1 > limit).then(|| self.sweep.last_start_above(start, limit))
    }

    fn busy_of_fit(&self, _start: usize) -> u32 {
        self.known.1
    }
}

impl<C: Column> Shape for PeShape<'_, C> {
    const COUNTS_DECIDE: bool = false;

    /// By the unions of 8. O(duration / 8 x columns).
    fn busy_in(&mut self, start: usize) -> u32 {
        self.join_window(start);
        self.known = (start, busy(self.joined));
        self.known.1
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        self.sweep.slide_to(start);
        let mut busy = 0_u32;
        for (number, joined) in self.joined.iter_mut().enumerate() {
            *joined = self.sweep.joined(number, start);
            busy = busy.wrapping_add(joined.busy());
        }
        busy
    }

    fn last_start_above(&self, start: usize, limit: u32) -> usize {
        self.sweep.last_start_above(start, limit)
    }

    fn conflicts(&self, offset: usize) -> bool {
        let storage = self.sweep.storage();
        let place = self.sweep.axis.place(offset, storage);
        self.joined.iter().enumerate().any(|(number, joined)| {
            let row = lane(self.sweep.rows, number, storage).get(place);
            row.is_some_and(|row| !row.and_not(*joined).is_idle())
        })
    }

    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize> {
        let storage = self.sweep.storage();
        let axis = self.sweep.axis;
        let end = start.saturating_add(self.sweep.duration);
        let mut rectangle = within;
        for (number, joined) in self.joined.iter().enumerate() {
            let column = self.column(number);
            // Later columns need to be looked at only as far as the earlier ones are free.
            let [early, late] = axis.places(rectangle.start..start, storage);
            let before = column
                .last_conflict(late, *joined)
                .or_else(|| column.last_conflict(early, *joined));
            if let Some(place) = before {
                rectangle.start = axis.offset_of(place, storage).saturating_add(1);
            }
            let [early, late] = axis.places(end..rectangle.end, storage);
            let behind = column
                .first_conflict(early, *joined)
                .or_else(|| column.first_conflict(late, *joined));
            if let Some(place) = behind {
                rectangle.end = axis.offset_of(place, storage);
            }
        }
        rectangle
    }
}
