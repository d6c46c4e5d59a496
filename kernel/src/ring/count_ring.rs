//! The ring of busy counts, for late binding.

use core::{marker::PhantomData, ops::Range};

use super::{
    axis::Axis,
    bare::Ring,
    count::{Count, Width},
    counts::Counts,
    edges::{Edge, Edges},
    growing_counts::GrowingCounts,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{Occupancy, Relocation, SetParts, SlotWriter},
    overlaid::Overlaid,
    placing::Placing,
    planning::Planning,
    ruled::Ruled,
    scan::{NativeScan, Scan},
    search::{Booked, RingSearch},
    sliding_counts::SlidingCounts,
    sliding_window::{BulkWindow, SlidingView},
};
#[cfg(feature = "outages")]
use crate::{error::UsageError, ledger::Row, pe::has, rule::Absent};
use crate::{
    error::{Error, Refusal},
    pe::{Pe, PeCount},
    time::{Slot, Window},
    violation::Violation,
};

/// A circular array of busy counts. A job is bound to processing elements when it starts: to the lowest-numbered free ones.
///
/// Invariants: covered slots hold the sums of the bookings that cover them, all other slots are 0; a change bit is set exactly where
/// a slot's count differs from that of the slot before, a release bit where it is less; a block's peak agrees with its slots;
/// `owner` gives the running job of each processing element, where they have numbers.
///
/// Source: `sulistio`, section 2.3 (the array of slots); what is searched for in it is `li`'s.
pub struct CountRing<'a, S = NativeScan, N = u16> {
    pub(crate) axis: &'a mut Axis,
    pub(crate) counts: Counts<'a, N>,
    pub(crate) edges: Edges<'a>,
    /// For each processing element, 1 + the row of the job that runs on it, or 0; empty where they have no numbers.
    pub(crate) owner: &'a mut [u32],
    pub(crate) scan: PhantomData<S>,
}

impl<S: Scan, N: Width> CountRing<'_, S, N> {
    /// Marks `pes` more as busy throughout `offsets`, where so many must be free, or `pes` fewer. O(offsets).
    pub(super) fn write(&mut self, offsets: Range<usize>, pes: u32, busy: bool) {
        debug_assert!(
            self.can_write(offsets.clone(), pes, busy),
            "what becomes busy was free, and what becomes free was busy"
        );
        S::write(
            &mut self.counts,
            self.axis,
            offsets.clone(),
            N::of(pes),
            busy,
        );
        self.refresh_edges(offsets);
    }
}

impl<S: Scan, N: Width> CountRing<'_, S, N> {
    /// Returns whether `pes` processing elements are free throughout `offsets`. O(offsets), 64 at a time.
    pub(super) fn has_room(&self, offsets: Range<usize>, pes: u32) -> bool {
        let max_busy = self.axis.width().checked_sub(pes);
        max_busy.is_some_and(|max_busy| {
            let blocked = self
                .counts
                .last_above::<S>(self.axis, offsets, N::of(max_busy));
            blocked.is_none()
        })
    }

    /// Returns whether `pes` can be marked: so many are free throughout `offsets` to become busy, or busy to become free.
    pub(super) fn can_write(&self, mut offsets: Range<usize>, pes: u32, busy: bool) -> bool {
        let most = self.axis.width();
        offsets.all(|offset| {
            let count = self.counts.at(self.axis.index(offset)).get();
            if busy {
                most.checked_sub(pes)
                    .is_some_and(|max_busy| count <= max_busy)
            } else {
                count >= pes
            }
        })
    }
}

/// Returns a number of processing elements that a ring with counts of this width can hold.
pub(super) fn counted<N: Count>(pes: PeCount) -> Result<u32, Refusal> {
    let pes = pes.get();
    (pes <= N::MAX.get()).then_some(pes).ok_or(Refusal::TooWide)
}

impl<S: Scan, N: Width> Ring for CountRing<'_, S, N> {
    type Pes = PeCount;

    fn add(&mut self, window: Window, pes: &PeCount) -> Result<(), Error> {
        let offsets = self.axis.ahead(window)?;
        self.write(offsets, counted::<N>(*pes)?, true);
        Ok(())
    }

    fn remove(&mut self, window: Window, pes: &PeCount) -> Result<(), Error> {
        let offsets = self.axis.ahead(window)?;
        self.write(offsets, counted::<N>(*pes)?, false);
        Ok(())
    }
}

impl<S: Scan, N: Width> Occupancy for CountRing<'_, S, N> {
    fn axis(&self) -> &Axis {
        self.axis
    }

    // Not inlined on small devices, so that the code exists once in a program.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn claim(&mut self, _row: usize, offsets: Range<usize>, pes: u32) -> bool {
        let free = self.has_room(offsets.clone(), pes);
        if free {
            self.write(offsets, pes, true);
        }
        free
    }

    fn release(&mut self, _row: usize, offsets: Range<usize>, pes: u32) {
        self.write(offsets, pes, false);
    }

    fn forget(&mut self, _row: usize) {
        // A row has no set here.
    }

    fn bind(&mut self, row: usize, pes: u32) {
        if !N::NUMBERED {
            return;
        }
        let name = owner_name(row);
        let idle = self.owner.iter_mut().filter(|owner| **owner == 0);
        let mut bound = 0_u32;
        for owner in idle.take(pes as usize) {
            *owner = name;
            bound = bound.saturating_add(1);
        }
        debug_assert_eq!(
            bound, pes,
            "a job that starts finds enough idle processing elements"
        );
    }

    fn unbind(&mut self, row: usize, pes: u32) {
        let name = owner_name(row);
        let own = self.owner.iter_mut().rev().filter(|owner| **owner == name);
        for owner in own.take(pes as usize) {
            *owner = 0;
        }
    }

    fn move_now(&mut self, to: Slot) {
        self.move_now_to(to);
    }
}

impl<S: Scan, N: Width> CountRing<'_, S, N> {
    /// Returns the number of processing elements that are not there.
    #[cfg(feature = "outages")]
    pub(super) fn number(&self, absent: Absent<'_>) -> Result<u32, Error> {
        let Absent::Number(pes) = absent else {
            return Err(UsageError::BadPes.into());
        };
        match counted::<N>(pes)? {
            0 => Err(UsageError::ZeroPes.into()),
            more if more > self.axis.width() => Err(Refusal::TooWide.into()),
            pes => Ok(pes),
        }
    }
}

impl<S: Scan, N: Width> Placing for CountRing<'_, S, N> {
    type Class = ();

    #[cfg(feature = "outages")]
    fn choose(&mut self, absent: Absent<'_>) -> Result<u32, Error> {
        match absent {
            Absent::Number(_) => self.number(absent),
            Absent::These(pes) => self.named(pes).ok_or(UsageError::BadPes.into()),
        }
    }

    #[cfg(feature = "outages")]
    fn named(&self, pes: &[u32]) -> Option<u32> {
        let machine = self.axis.width() as usize;
        let fits = N::NUMBERED && pes.len() == machine.div_ceil(32);
        let members = (0..machine).filter(|pe| has(pes, *pe)).count() as u32;
        let all: u32 = pes.iter().map(|word| word.count_ones()).sum();
        (fits && members > 0 && members == all).then_some(members)
    }

    #[cfg(feature = "outages")]
    fn bind_these(&mut self, row: usize, pes: &[u32]) -> bool {
        let name = owner_name(row);
        let mut owners = self.owner.iter().enumerate();
        if owners.any(|(pe, owner)| has(pes, pe) && *owner != 0 && *owner != name) {
            return false;
        }
        for (pe, owner) in self.owner.iter_mut().enumerate() {
            if has(pes, pe) {
                *owner = name;
            } else if *owner == name {
                *owner = 0;
            }
        }
        true
    }

    #[cfg(feature = "outages")]
    fn set_out(row: &mut Row<N>) {
        row.spare = OUT;
    }

    #[cfg(feature = "outages")]
    fn is_out(row: &Row<N>) -> bool {
        row.spare == OUT
    }
}

/// What is in the place of the class of a row that takes what it has out of service.
#[cfg(feature = "outages")]
const OUT: u16 = 1;

impl<S: Scan, N: Width> Overlaid for CountRing<'_, S, N> {}

impl<S: Scan, N: Width> Planning for CountRing<'_, S, N> {
    #[cfg(feature = "plan")]
    fn is_like(&self, other: &Self) -> bool {
        self.axis.is_like(other.axis)
    }

    #[cfg(feature = "plan")]
    fn copy_slots(&mut self, other: &Self, _offsets: Range<usize>) {
        *self.axis = *other.axis;
        self.counts.copy(&other.counts);
        self.edges.copy(&other.edges);
    }

    #[cfg(feature = "plan")]
    fn clear_slots(&mut self) {
        let slots = self.axis.slots();
        self.clear(0..slots);
        self.clear_edges(0..slots);
    }

    #[cfg(feature = "plan")]
    fn is_busier(&self, here: usize, other: &Self, there: usize) -> bool {
        self.counts.at(self.axis.index(here)) > other.counts.at(other.axis.index(there))
    }
}

impl<S: Scan, N: Width> Ruled for CountRing<'_, S, N> {}

impl<S: Scan, N: Width> SetParts for CountRing<'_, S, N> {
    type Part = N::NoSet;
}

impl<S: Scan, N: Width> Relocation for CountRing<'_, S, N> {
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, _fixed: bool) -> bool {
        self.claim(row, offsets, pes)
    }

    fn restore(&mut self, _row: usize, offsets: Range<usize>, pes: u32) {
        self.write(offsets, pes, true);
    }

    fn set(&self, _row: usize) -> &[N::NoSet] {
        &[]
    }

    fn set_mut(&mut self, _row: usize) -> &mut [N::NoSet] {
        &mut []
    }

    fn shares(&self, _row: usize, _other: usize) -> bool {
        true
    }
}

impl<S: Scan, N: Width> SlotWriter for CountRing<'_, S, N> {
    #[cfg_attr(target_pointer_width = "64", inline)]
    fn edge(&self, offset: usize) -> Edge {
        let here = self.counts.at(self.axis.index(offset));
        let before = match offset.checked_sub(1) {
            Some(before) => self.counts.at(self.axis.index(before)),
            None => here,
        };
        Edge {
            change: here != before,
            release: here < before,
        }
    }

    #[cfg_attr(target_pointer_width = "64", inline)]
    fn set_edge(&mut self, index: usize, edge: Edge) {
        self.edges.set(index, edge);
    }

    fn next_busy(&self, offsets: Range<usize>) -> Option<Range<usize>> {
        S::next_busy(&self.counts, self.axis, offsets)
    }

    fn clear(&mut self, offsets: Range<usize>) {
        S::fill(&mut self.counts, self.axis, offsets, N::ZERO);
    }

    fn clear_edges(&mut self, offsets: Range<usize>) {
        self.edges.wipe(self.axis, offsets);
    }

    fn move_axis(&mut self, to: Slot, passed: usize) {
        self.axis.move_now(to, passed);
    }
}

impl<S: Scan, N: Width> RingSearch for CountRing<'_, S, N> {
    type Scan = S;

    fn counts(&self) -> &Counts<'_, N> {
        &self.counts
    }

    fn edges(&self) -> &Edges<'_> {
        &self.edges
    }

    fn sliding_window(
        &mut self,
        _reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow, N> {
        let profile = self.profile();
        SlidingView {
            profile,
            sliding: SlidingCounts::<S, N>::new(profile, duration),
        }
    }

    const COUNTS_DECIDE: bool = true;

    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow, N> {
        let profile = self.profile();
        GrowingView {
            profile,
            growing: GrowingCounts::<S, N>::new(profile),
        }
    }

    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe> {
        next_owned(self.owner, row, from, held)
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        if !is_sum_of(self.axis, self.counts.busy, bookings.clone()) {
            return Err(Violation::Occupancy);
        }
        if self
            .counts
            .busy
            .iter()
            .any(|busy| busy.get() > self.axis.width())
        {
            return Err(Violation::TooManyBusy);
        }
        self.verify_bindings(bookings)?;
        self.verify_summaries()
    }
}

impl<S: Scan, N: Width> CountRing<'_, S, N> {
    /// Checks that peaks, change bits and release bits agree with the counts.
    pub(super) fn verify_summaries(&self) -> Result<(), Violation> {
        if !S::summaries_hold(&self.counts) {
            return Err(Violation::Summary);
        }
        for offset in 0..self.axis.storage() {
            let covered = offset < self.axis.slots();
            let edge = if covered {
                self.edge(offset)
            } else {
                Edge::NONE
            };
            if self.edges.get(self.axis.index(offset)) != edge {
                return Err(Violation::Edge);
            }
        }
        Ok(())
    }

    /// Checks that each running job holds exactly its number of processing elements, and that no others are held.
    pub(super) fn verify_bindings(
        &self,
        bookings: impl Iterator<Item = Booked>,
    ) -> Result<(), Violation> {
        if !N::NUMBERED {
            return match self.owner.is_empty() {
                true => Ok(()),
                false => Err(Violation::Binding),
            };
        }
        let mut bound = 0_usize;
        for booked in bookings.filter(|booked| booked.running) {
            let name = owner_name(booked.row);
            let held = self.owner.iter().filter(|owner| **owner == name).count();
            if held != booked.pes as usize {
                return Err(Violation::Binding);
            }
            bound = bound.saturating_add(held);
        }
        let (machine, beyond) = self
            .owner
            .split_at_checked(self.axis.width() as usize)
            .ok_or(Violation::Binding)?;
        let taken = machine.iter().filter(|owner| **owner != 0).count();
        if taken != bound || beyond.iter().any(|owner| *owner != 0) {
            return Err(Violation::Binding);
        }
        Ok(())
    }
}

/// Returns whether `counts` are the sums of `bookings`: subtracts all bookings, checks that nothing is left or was missing, and adds them
/// again.
pub(super) fn is_sum_of<N: Count>(
    axis: &Axis,
    counts: &mut [N],
    bookings: impl Iterator<Item = Booked> + Clone,
) -> bool {
    let mut missing = false;
    each_booked(axis, counts, bookings.clone(), |count, pes| {
        missing |= *count < pes;
        *count = count.plus(pes.negative());
    });
    let left = counts.iter().any(|count| *count != N::ZERO);
    each_booked(axis, counts, bookings, |count, pes| {
        *count = count.plus(pes);
    });
    !missing && !left
}

/// Calls `show` for each count of each booking.
fn each_booked<N: Count>(
    axis: &Axis,
    counts: &mut [N],
    bookings: impl Iterator<Item = Booked>,
    mut show: impl FnMut(&mut N, N),
) {
    for booked in bookings {
        for indices in axis.indices(booked.offsets) {
            for count in counts.get_mut(indices).unwrap_or_default() {
                show(count, N::of(booked.pes));
            }
        }
    }
}

/// See [`RingSearch::next_pe`].
fn next_owned(owner: &[u32], row: usize, from: usize, held: bool) -> Option<Pe> {
    let name = owner_name(row);
    let mut owners = owner.iter().enumerate().skip(from);
    let (pe, _) = owners.find(|(_, owner)| (**owner == name) == held)?;
    u16::try_from(pe).ok().map(Pe::new)
}

fn owner_name(row: usize) -> u32 {
    (row as u32).wrapping_add(1)
}
