//! The ring of busy sets, for early binding.

use core::{marker::PhantomData, ops::Range};

use super::{
    axis::Axis,
    bare::Ring,
    busy_sets::BusySets,
    counts::Counts,
    edges::{Edge, Edges},
    far_unions::FarUnions,
    growing_sets::GrowingSets,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{Occupancy, Relocation, SetParts, SlotWriter},
    overlaid::Overlaid,
    placing::Placing,
    planning::Planning,
    profile::Profile,
    ruled::Ruled,
    scan::{NativeScan, Scan},
    search::{Booked, RingSearch},
    sliding_sets::{Measure, Number, SlidingSets},
    sliding_window::{BulkWindow, SlidingView},
    sweep::Stacks,
};
use crate::column::{Column, busy, chunk, chunk_mut, from_base};
use crate::{
    error::Error,
    pe::Pe,
    time::{Slot, Window},
    violation::Violation,
};

/// A circular array of busy sets, stored column by column, each column contiguous in time. A reservation is bound to processing
/// elements when it is made: to the lowest-numbered of those free throughout.
///
/// Invariants: covered slots hold the disjoint unions of the bookings that cover them, all other slots are empty; the counts
/// are the sizes of the sets; a change bit is set exactly where a slot's set differs from that of the slot before, a release bit
/// where it lacks a member of it; each union of 8 slots agrees with its slots; a row's set is what its reservation has booked.
///
/// Source: `li`, section 4 (the records), here one slot at a time.
pub struct PeRing<'a, C, S = NativeScan> {
    pub(crate) axis: &'a mut Axis,
    pub(crate) counts: Counts<'a>,
    pub(crate) edges: Edges<'a>,
    pub(crate) busy: BusySets<'a, C>,
    /// The set of each ledger row.
    pub(crate) sets: &'a mut [C],
    /// Scratch memory: what is busy at some time of the current window, or the set chosen from what is free; one element per column.
    pub(crate) joined: &'a mut [C],
    pub(crate) stacks: Stacks<'a, C>,
    pub(crate) scan: PhantomData<S>,
}

impl<C: Column, S: Scan> PeRing<'_, C, S> {
    fn columns(&self) -> usize {
        self.joined.len()
    }

    fn storage(&self) -> usize {
        self.axis.storage()
    }

    /// Marks `set`, given column by column, throughout `offsets`: as busy, in which case it must be free there, or as free, in which case
    /// it must be busy. O(offsets x columns).
    pub(super) fn write(&mut self, offsets: Range<usize>, set: &[C], busy: bool) {
        debug_assert!(
            self.can_write(offsets.clone(), set, busy),
            "what becomes busy was free, and what becomes free was busy"
        );
        let members = crate::column::busy(set) as u16;
        for (number, part) in set.iter().enumerate() {
            if !part.is_idle() {
                self.write_column(number, offsets.clone(), *part, busy);
            }
        }
        S::write(&mut self.counts, self.axis, offsets.clone(), members, busy);
        self.refresh_edges(offsets);
    }

    /// Returns whether `set` can be marked: all of it is free throughout `offsets` to become busy, or busy to become free.
    pub(super) fn can_write(&self, mut offsets: Range<usize>, set: &[C], busy: bool) -> bool {
        let storage = self.storage();
        offsets.all(|offset| {
            let index = self.axis.index(offset);
            set.iter().enumerate().all(|(number, part)| {
                let row = chunk(self.busy.rows, number, storage).get(index);
                row.is_some_and(|row| {
                    let there = row.and(*part);
                    if busy {
                        there.is_idle()
                    } else {
                        there == *part
                    }
                })
            })
        })
    }

    /// Gives the slots of `offsets` this set, with so many members, and no other, but for their edges. O(offsets x columns).
    #[cfg(feature = "outages")]
    pub(super) fn fill(&mut self, offsets: Range<usize>, set: &[C], members: u32) {
        for (number, part) in set.iter().enumerate() {
            let base = number.wrapping_mul(self.storage());
            for indices in self.axis.indices(offsets.clone()) {
                if !indices.is_empty() {
                    self.busy.fill(from_base(base, indices), *part);
                }
            }
        }
        S::fill(&mut self.counts, self.axis, offsets, members as u16);
    }

    fn write_column(&mut self, number: usize, offsets: Range<usize>, set: C, busy: bool) {
        let base = number.wrapping_mul(self.storage());
        for indices in self.axis.indices(offsets) {
            if !indices.is_empty() {
                self.busy.write(from_base(base, indices), set, busy);
            }
        }
    }

    /// Stores in `joined` what is busy at some time of `offsets`. O(offsets / 8 x columns).
    #[cfg(any(feature = "placement", all(feature = "plan", feature = "journal")))]
    pub(super) fn join_busy(&mut self, offsets: Range<usize>) {
        let storage = self.storage();
        let [early, late] = self.axis.indices(offsets);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let column = self.busy.view(number, storage);
            *joined = column.union(early.clone()).join(column.union(late.clone()));
        }
    }

    /// Stores in `joined` what is free throughout `offsets`. O(offsets / 8 x columns).
    fn join(&mut self, offsets: Range<usize>) {
        let storage = self.storage();
        let machine = self.axis.width() as usize;
        let [early, late] = self.axis.indices(offsets);
        for (number, free) in self.joined.iter_mut().enumerate() {
            let column = self.busy.view(number, storage);
            let busy = column.union(early.clone()).join(column.union(late.clone()));
            *free = column_mask::<C>(machine, number).and_not(busy);
        }
    }

    /// Reduces `joined` to its `pes` lowest-numbered members.
    fn keep_lowest(&mut self, pes: u32) {
        let mut wanted = pes;
        for chosen in self.joined.iter_mut() {
            *chosen = chosen.keep_lowest(wanted);
            wanted = wanted.saturating_sub(chosen.busy());
        }
    }

    /// Reduces `joined`, which holds what is free, to `pes` members of which `row` had as many as possible: the lowest-numbered of what
    /// it had, or all of that and the lowest-numbered others. Clears `joined` if what `row` would keep is not free.
    fn keep_own(&mut self, row: usize, pes: u32) {
        let columns = self.columns();
        let own = chunk(self.sets, row, columns);
        let mut wanted = pes;
        let mut others = wanted.saturating_sub(busy(own));
        let mut missing = false;
        for (chosen, own) in self.joined.iter_mut().zip(own) {
            let kept = own.keep_lowest(wanted);
            wanted = wanted.saturating_sub(kept.busy());
            missing |= !kept.and_not(*chosen).is_idle();
            let more = chosen.and_not(kept).keep_lowest(others);
            others = others.saturating_sub(more.busy());
            *chosen = kept.join(more);
        }
        if missing {
            self.joined.fill(C::NONE);
        }
    }

    /// As [`Occupancy::claim`], without those in a set.
    #[cfg(feature = "outages")]
    pub(super) fn claim_not(
        &mut self,
        row: usize,
        offsets: Range<usize>,
        pes: u32,
        set: &[C],
    ) -> bool {
        self.join(offsets.clone());
        for (free, part) in self.joined.iter_mut().zip(set) {
            *free = free.and_not(*part);
        }
        self.keep_lowest(pes);
        self.take_joined(row, offsets, pes)
    }

    /// Books the set in `joined` for `row`, if it has `pes` members; returns whether it has.
    pub(super) fn take_joined(&mut self, row: usize, offsets: Range<usize>, pes: u32) -> bool {
        if busy(self.joined) != pes {
            return false;
        }
        let columns = self.columns();
        let set = chunk_mut(self.sets, row, columns);
        for (part, chosen) in set.iter_mut().zip(self.joined.iter()) {
            *part = *chosen;
        }
        self.restore(row, offsets, pes);
        true
    }
}

/// Returns the members of column `number` that exist on a machine of `machine` processing elements.
pub(super) fn column_mask<C: Column>(machine: usize, number: usize) -> C {
    C::lowest(machine.saturating_sub(number.saturating_mul(C::BITS)))
}

impl<C: Column, S: Scan> Ring for PeRing<'_, C, S> {
    /// A set, column by column, with as many columns as the ring has.
    type Pes = [C];

    fn add(&mut self, window: Window, pes: &[C]) -> Result<(), Error> {
        self.write(self.axis.ahead(window)?, pes, true);
        Ok(())
    }

    fn remove(&mut self, window: Window, pes: &[C]) -> Result<(), Error> {
        self.write(self.axis.ahead(window)?, pes, false);
        Ok(())
    }
}

impl<C: Column, S: Scan> Occupancy for PeRing<'_, C, S> {
    fn axis(&self) -> &Axis {
        self.axis
    }

    fn claim(&mut self, row: usize, offsets: Range<usize>, pes: u32) -> bool {
        self.join(offsets.clone());
        self.keep_lowest(pes);
        self.take_joined(row, offsets, pes)
    }

    fn release(&mut self, row: usize, offsets: Range<usize>, _pes: u32) {
        self.with_set(row, |ring, set| ring.write(offsets, set, false));
    }

    fn forget(&mut self, row: usize) {
        self.set_mut(row).fill(C::NONE);
    }

    fn bind(&mut self, _row: usize, _pes: u32) {
        // With early binding it was bound when it was booked.
    }

    fn unbind(&mut self, _row: usize, _pes: u32) {
        // The set of the row states what it holds.
    }

    fn move_now(&mut self, to: Slot) {
        self.move_now_to(to);
    }
}

impl<C: Column, S: Scan> Placing for PeRing<'_, C, S> {
    type Class = ();
}

impl<C: Column, S: Scan> Overlaid for PeRing<'_, C, S> {}

impl<C: Column, S: Scan> Planning for PeRing<'_, C, S> {
    #[cfg(feature = "plan")]
    fn is_like(&self, other: &Self) -> bool {
        self.axis.is_like(other.axis) && self.columns() == other.columns()
    }

    #[cfg(feature = "plan")]
    fn copy_slots(&mut self, other: &Self, offsets: Range<usize>) {
        let storage = self.storage();
        for offset in offsets {
            let (here, there) = (self.axis.index(offset), other.axis.index(offset));
            let slot = offset..offset.saturating_add(1);
            let mut changed = false;
            for number in 0..self.columns() {
                let own = chunk(self.busy.rows, number, storage).get(here);
                let others = chunk(other.busy.rows, number, storage).get(there);
                let (Some(own), Some(others)) = (own.copied(), others.copied()) else {
                    continue;
                };
                for (part, busy) in [(own.and_not(others), false), (others.and_not(own), true)] {
                    if !part.is_idle() {
                        self.write_column(number, slot.clone(), part, busy);
                        let members = part.busy() as u16;
                        S::write(&mut self.counts, self.axis, slot.clone(), members, busy);
                        changed = true;
                    }
                }
            }
            if changed {
                self.refresh_edges(slot);
            }
        }
    }

    #[cfg(feature = "plan")]
    fn is_booked_on(&self, set: &[C], offsets: Range<usize>) -> bool {
        // Most are planned where nothing is booked.
        let last = self
            .counts
            .last_above::<S>(self.axis, offsets.clone(), 0)
            .map(|last| offsets.start..last.saturating_add(1));
        last.is_some_and(|booked| !self.can_write(booked, set, true))
    }

    #[cfg(feature = "plan")]
    fn is_busier(&self, here: usize, other: &Self, there: usize) -> bool {
        let storage = self.storage();
        let (here, there) = (self.axis.index(here), other.axis.index(there));
        (0..self.columns()).any(|number| {
            let own = chunk(self.busy.rows, number, storage).get(here);
            let others = chunk(other.busy.rows, number, storage).get(there);
            matches!((own, others), (Some(own), Some(other)) if !own.and_not(*other).is_idle())
        })
    }
}

impl<C: Column, S: Scan> Ruled for PeRing<'_, C, S> {}

impl<C: Column, S: Scan> SetParts for PeRing<'_, C, S> {
    type Part = C;
}

impl<C: Column, S: Scan> Relocation for PeRing<'_, C, S> {
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, fixed: bool) -> bool {
        self.join(offsets.clone());
        self.keep_own(row, pes);
        if self.take_joined(row, offsets.clone(), pes) {
            return true;
        }
        !fixed && self.claim(row, offsets, pes)
    }

    fn restore(&mut self, row: usize, offsets: Range<usize>, _pes: u32) {
        self.with_set(row, |ring, set| ring.write(offsets, set, true));
    }

    fn set(&self, row: usize) -> &[C] {
        chunk(self.sets, row, self.columns())
    }

    fn set_mut(&mut self, row: usize) -> &mut [C] {
        let columns = self.columns();
        chunk_mut(self.sets, row, columns)
    }

    fn shares(&self, row: usize, other: usize) -> bool {
        let mut parts = self.set(row).iter().zip(self.set(other));
        parts.any(|(own, other)| !own.and(*other).is_idle())
    }
}

impl<C: Column, S: Scan> SlotWriter for PeRing<'_, C, S> {
    fn edge(&self, offset: usize) -> Edge {
        let Some(before) = offset.checked_sub(1) else {
            return Edge::NONE;
        };
        let storage = self.storage();
        let here = self.axis.index(offset);
        let before = self.axis.index(before);
        let mut edge = Edge::NONE;
        for number in 0..self.columns() {
            let rows = chunk(self.busy.rows, number, storage);
            if let (Some(here), Some(before)) = (rows.get(here), rows.get(before)) {
                edge.change |= here != before;
                edge.release |= !before.and_not(*here).is_idle();
            }
        }
        edge
    }

    fn set_edge(&mut self, index: usize, edge: Edge) {
        self.edges.set(index, edge);
    }

    fn next_busy(&self, offsets: Range<usize>) -> Option<Range<usize>> {
        S::next_busy(&self.counts, self.axis, offsets)
    }

    fn clear(&mut self, offsets: Range<usize>) {
        for number in 0..self.columns() {
            self.write_column(number, offsets.clone(), C::lowest(C::BITS), false);
        }
        S::fill(&mut self.counts, self.axis, offsets, 0);
    }

    fn clear_edges(&mut self, offsets: Range<usize>) {
        self.edges.wipe(self.axis, offsets);
    }

    fn move_axis(&mut self, to: Slot, passed: usize) {
        self.axis.move_now(to, passed);
    }
}

impl<C: Column, S: Scan> RingSearch for PeRing<'_, C, S> {
    type Scan = S;

    fn counts(&self) -> &Counts<'_> {
        &self.counts
    }

    fn edges(&self) -> &Edges<'_> {
        &self.edges
    }

    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow> {
        self.sliding_sets((duration, reach), Number)
    }

    const COUNTS_DECIDE: bool = false;

    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow> {
        self.growing_sets()
    }

    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe> {
        let first = from.checked_div(C::BITS)?;
        for (number, part) in self.set(row).iter().enumerate().skip(first) {
            let base = number.wrapping_mul(C::BITS);
            let part = match held {
                true => *part,
                false => C::lowest(C::BITS).and_not(*part),
            };
            if let Some(member) = part.next_member(from.saturating_sub(base)) {
                return u16::try_from(base.wrapping_add(member)).ok().map(Pe::new);
            }
        }
        None
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        let machine = self.axis.width() as usize;
        self.verify_on(bookings, |number| column_mask(machine, number))
    }
}

impl<C: Column, S: Scan> PeRing<'_, C, S> {
    /// As [`RingSearch::verify`], on a machine whose column of each number has the processing elements that `existing` returns.
    pub(super) fn verify_on<B>(
        &mut self,
        bookings: B,
        existing: impl Fn(usize) -> C,
    ) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        let storage = self.storage();
        let columns = self.columns();
        // Build the union of the bookings again, in scratch memory.
        self.stacks.suffixes.fill(C::NONE);
        for booked in bookings {
            let set = chunk(self.sets, booked.row, columns);
            if busy(set) != booked.pes {
                return Err(Violation::Binding);
            }
            for (number, part) in set.iter().enumerate() {
                let union = chunk_mut(self.stacks.suffixes, number, storage);
                for indices in self.axis.indices(booked.offsets.clone()) {
                    for row in union.get_mut(indices).unwrap_or_default() {
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
        self.verify_summaries(existing)
    }

    /// As [`RingSearch::sliding_window`]. Inlined, as that is.
    #[inline(always)]
    pub(super) fn sliding_sets<M: Measure<C>>(
        &mut self,
        lengths: (usize, usize),
        measure: M,
    ) -> SlidingView<'_, SlidingSets<'_, C, S, M>> {
        SlidingView {
            profile: Profile {
                axis: self.axis,
                counts: &self.counts,
                edges: &self.edges,
            },
            sliding: SlidingSets::<C, S, M>::new(
                self.axis,
                &self.counts,
                &self.busy,
                self.joined,
                self.stacks.reborrow(),
                lengths,
                measure,
            ),
        }
    }

    /// As [`RingSearch::growing_window`].
    #[inline(always)]
    pub(super) fn growing_sets(&mut self) -> GrowingView<'_, GrowingSets<'_, C>> {
        GrowingView {
            profile: Profile {
                axis: self.axis,
                counts: &self.counts,
                edges: &self.edges,
            },
            growing: GrowingSets {
                axis: self.axis,
                rows: self.busy.rows,
                any: self.busy.any,
                joined: self.joined,
                candidate: self.stacks.prefix,
                busy: 0,
                far: FarUnions::new(self.stacks.suffixes),
            },
        }
    }

    /// Runs `action` with the set of `row`. Meanwhile the sets are moved out of the ring, so that `action` can change the ring.
    fn with_set(&mut self, row: usize, action: impl FnOnce(&mut Self, &[C])) {
        let sets = core::mem::take(&mut self.sets);
        action(self, chunk(sets, row, self.joined.len()));
        self.sets = sets;
    }

    pub(super) fn verify_summaries(&self, existing: impl Fn(usize) -> C) -> Result<(), Violation> {
        let storage = self.storage();
        for offset in 0..storage {
            let index = self.axis.index(offset);
            let mut busy = 0_u32;
            for number in 0..self.columns() {
                let row = chunk(self.busy.rows, number, storage).get(index);
                let row = row.copied().ok_or(Violation::Summary)?;
                if !row.and_not(existing(number)).is_idle() {
                    return Err(Violation::TooManyBusy);
                }
                busy = busy.wrapping_add(row.busy());
            }
            if busy != u32::from(self.counts.at(index)) {
                return Err(Violation::Summary);
            }
            let covered = offset < self.axis.slots();
            let edge = if covered {
                self.edge(offset)
            } else {
                Edge::NONE
            };
            if self.edges.get(index) != edge {
                return Err(Violation::Edge);
            }
        }
        if S::summaries_hold(&self.counts) && self.busy.unions_hold(self.columns(), storage) {
            Ok(())
        } else {
            Err(Violation::Summary)
        }
    }
}
