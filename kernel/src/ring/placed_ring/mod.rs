//! The ring of busy sets on a machine with a layout, for reservations that say which processing elements they may have.

mod windows;

use crate::column::{Column, busy, chunk};
use core::ops::Range;

use super::{
    axis::Axis,
    bare::Ring,
    counts::Counts,
    edges::Edges,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{Occupancy, Relocation, SetPart, SetParts},
    overlaid::Overlaid,
    pe_ring::PeRing,
    placing::Placing,
    planning::Planning,
    ruled::Ruled,
    scan::{NativeScan, Scan},
    search::{Booked, RingSearch},
    sliding_window::{BulkWindow, SlidingView},
};
#[cfg(feature = "outages")]
use crate::rule::Absent;
use crate::{
    error::{Error, Refusal, UsageError},
    ledger::Row,
    pe::Pe,
    placement::{ClassEntry, ClassId, Classes, Failing, Free, word_of},
    time::{Slot, Window},
    violation::Violation,
};
use windows::{PlacedGrowing, Test};

/// A [`PeRing`] on a machine with a [`Layout`](crate::Layout), with a table of [classes](crate::Class). Its sets are padded: each kind begins at a
/// word, and no group's part of it crosses a word. Slots, counts and candidate starts are those of the whole machine; what a search takes as busy is
/// also what its class may not have.
///
/// Invariants: those of [`PeRing`], with the processing elements that exist for those that the machine has; a row's set serves the row's class.
pub struct PlacedRing<'a, C, S = NativeScan> {
    pub(crate) sets: PeRing<'a, C, S>,
    pub(crate) classes: Classes<'a, C>,
    pub(crate) asked: Asked,
}

/// A ring on a machine with a layout.
pub(crate) trait OnLayout: Ring<Part: SetPart<Count = u16>> {
    /// What its sets consist of.
    type Column: Column;

    /// Returns its classes.
    fn classes(&self) -> &Classes<'_, Self::Column>;

    /// Does something with the ring that knows the layout.
    fn placed<A>(
        &mut self,
        action: impl FnOnce(&mut PlacedRing<'_, Self::Column, Self::Scan>) -> A,
    ) -> A;
}

impl<C: Column, S: Scan> OnLayout for PlacedRing<'_, C, S> {
    type Column = C;

    fn classes(&self) -> &Classes<'_, C> {
        &self.classes
    }

    fn placed<A>(&mut self, action: impl FnOnce(&mut PlacedRing<'_, C, S>) -> A) -> A {
        action(self)
    }
}

/// Whom the next search or claim is for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked {
    /// As ids number them.
    entry: u16,
    pes: u32,
}

/// The class of a reservation: an entry of the table, as ids number them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placed {
    pub(crate) entry: u16,
}

impl<C: Column, S: Scan> PlacedRing<'_, C, S> {
    /// Returns the class that asks, and its number in the table.
    fn entry(&self) -> (u16, ClassEntry) {
        (self.asked.entry, self.classes.entry(self.asked.entry))
    }

    /// Returns whether what a row has serves a class, as ids number them.
    pub(crate) fn serves_class(&self, row: usize, class: u16, pes: u32) -> bool {
        let own = Free {
            geometry: self.classes.geometry,
            busy: &[],
            eligible: self.sets.set(row),
        };
        let mut parts = own.eligible.iter().zip(self.classes.mask(class));
        parts.all(|(own, mask)| own.and_not(*mask).is_idle())
            && self.classes.is_known(class)
            && own.serve(&self.classes.entry(class), pes)
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
        self.sets.join_busy(offsets.clone());
        for (busy, part) in self.sets.joined.iter_mut().zip(set) {
            *busy = busy.join(*part);
        }
        self.choose(pes) && self.sets.take_joined(row, offsets, pes)
    }

    /// Returns which question of the class that asks fails throughout `offsets`.
    pub(crate) fn failing(&mut self, offsets: Range<usize>, pes: u32) -> Option<Failing> {
        self.sets.join_busy(offsets);
        let (number, entry) = self.entry();
        let free = Free {
            geometry: self.classes.geometry,
            busy: self.sets.joined,
            eligible: self.classes.mask(number),
        };
        free.failing(&entry, pes)
    }

    /// Notes the target with this number of those that have to be cleared where the class that asks fails throughout `offsets`, and returns whether there is
    /// one.
    pub(crate) fn note_target(&mut self, offsets: Range<usize>, pes: u32, number: u16) -> bool {
        self.sets.join_busy(offsets);
        let (entry, class) = self.entry();
        self.classes
            .note_target(entry, &class, self.sets.joined, (pes, number))
    }

    /// Replaces what is busy in `joined` by the set that was noted, and returns whether all of it is free.
    fn take_noted(&mut self) -> bool {
        let noted = &*self.classes.candidate;
        let mut parts = self.sets.joined.iter().zip(noted);
        if !parts.all(|(busy, part)| busy.and(*part).is_idle()) {
            return false;
        }
        for (joined, part) in self.sets.joined.iter_mut().zip(noted) {
            *joined = *part;
        }
        true
    }

    /// Replaces what is busy in `joined` by what the class chooses among the others, and returns whether they serve it.
    fn choose(&mut self, pes: u32) -> bool {
        let (number, entry) = self.entry();
        let free = Free {
            geometry: self.classes.geometry,
            busy: self.sets.joined,
            eligible: self.classes.mask(number),
        };
        let chosen = &mut *self.sets.stacks.prefix;
        let served = free.choose(&entry, self.classes.order(number), pes, chosen);
        core::mem::swap(&mut self.sets.joined, &mut self.sets.stacks.prefix);
        served
    }

    /// Returns the lowest bit of what the class that asks would get throughout `offsets`; `None` where they do not serve it.
    pub(crate) fn choice(&mut self, offsets: Range<usize>, pes: u32) -> Option<usize> {
        self.sets.join_busy(offsets);
        if !self.choose(pes) {
            return None;
        }
        let mut parts = self.sets.joined.iter().enumerate();
        parts.find_map(|(number, part)| {
            let bit = part.next_member(0)?;
            Some(number.wrapping_mul(C::BITS).wrapping_add(bit))
        })
    }

    /// Replaces what is busy in `joined` by what `row` had or, where it is to have fewer or more, by what its class chooses of that, or in addition.
    /// Returns false when something of what it had is busy, or when that is impossible.
    fn keep_own(&mut self, row: usize, pes: u32) -> bool {
        let (number, entry) = self.entry();
        let order = self.classes.order(number);
        let own = chunk(self.sets.sets, row, self.sets.joined.len());
        let had = busy(own);
        let (joined, chosen) = (&mut *self.sets.joined, &mut *self.sets.stacks.prefix);
        let geometry = &*self.classes.geometry;
        let of_own = Free {
            geometry,
            busy: &[],
            eligible: own,
        };
        if had > pes {
            if !of_own.choose(&entry, order, pes, chosen) {
                return false;
            }
        } else {
            for (chosen, own) in chosen.iter_mut().zip(own) {
                *chosen = *own;
            }
        }
        let mut kept = chosen.iter().zip(joined.iter());
        if !kept.all(|(kept, busy)| kept.and(*busy).is_idle()) {
            return false;
        }
        if let Some(more) = pes.checked_sub(had).filter(|more| *more > 0) {
            of_own.take_up(&entry, joined);
            let others = Free {
                geometry,
                busy: joined,
                eligible: self.classes.mask(number),
            };
            if !others.choose(&entry, order, more, chosen) {
                return false;
            }
            for (chosen, own) in chosen.iter_mut().zip(own) {
                *chosen = chosen.join(*own);
            }
        }
        core::mem::swap(&mut self.sets.joined, &mut self.sets.stacks.prefix);
        true
    }
}

impl<C: Column, S: Scan> Placing for PlacedRing<'_, C, S> {
    type Class = Placed;

    fn ask(&mut self, class: Placed) -> Placed {
        let before = self.asked();
        self.asked.entry = class.entry;
        before
    }

    fn asked(&self) -> Placed {
        Placed {
            entry: self.asked.entry,
        }
    }

    fn find_class(&self, id: ClassId) -> Option<Placed> {
        let entry = self.classes.find(id)?;
        Some(Placed { entry })
    }

    fn want(&mut self, pes: u32) {
        self.asked.pes = pes;
    }

    fn admit(&self, class: Placed, pes: u32) -> Result<(), Error> {
        let entry = self.classes.entry(class.entry);
        let units = entry.units(pes).ok_or(UsageError::NotWholeGroups)?;
        if units > u32::from(entry.most) {
            return Err(Refusal::NotEligible.into());
        }
        Ok(())
    }

    fn concerns(&self, index: usize) -> bool {
        let eligible = self.classes.mask(self.asked.entry).iter();
        let mut parts = eligible.zip(self.sets.set(index));
        parts.any(|(part, own)| !part.and(*own).is_idle())
    }

    fn exactly() -> Placed {
        Placed {
            entry: ClassEntry::EXACTLY,
        }
    }

    fn choose_exactly(&mut self, pes: &[u32]) -> Option<u32> {
        self.classes.write_exactly(pes)
    }

    #[cfg(feature = "outages")]
    fn choose(&mut self, absent: Absent<'_>) -> Result<u32, Error> {
        let count = match absent {
            Absent::These(pes) => self.choose_exactly(pes),
            Absent::Number(_) => None,
        };
        count.ok_or(UsageError::BadPes.into())
    }

    #[cfg(feature = "outages")]
    fn leave_out(&mut self, index: usize) {
        let noted = self.classes.candidate.iter_mut();
        for (part, own) in noted.zip(self.sets.set(index)) {
            *part = part.and_not(*own);
        }
    }

    #[cfg(feature = "outages")]
    fn noted(&self) -> u32 {
        busy(self.classes.candidate)
    }

    #[cfg(feature = "outages")]
    fn set_out(row: &mut Row) {
        row.set_class(ClassEntry::OUT);
    }

    #[cfg(feature = "outages")]
    fn is_out(row: &Row) -> bool {
        row.class() == ClassEntry::OUT
    }

    fn admit_exactly(&self, index: usize, row: &Row, pes: u32) -> Result<(), Error> {
        let noted = Free {
            geometry: self.classes.geometry,
            busy: &[],
            eligible: self.classes.candidate,
        };
        let is_within = |set: &[C]| {
            let mut parts = noted.eligible.iter().zip(set);
            parts.all(|(part, of)| part.and_not(*of).is_idle())
        };
        if row.is_running() && !is_within(self.sets.set(index)) {
            return Err(UsageError::WrongState.into());
        }
        let class = row.class();
        let serves = noted.serve(&self.classes.entry(class), pes);
        if !serves || !is_within(self.classes.mask(class)) {
            return Err(Refusal::NotEligible.into());
        }
        Ok(())
    }

    fn meets(&self, index: usize) -> bool {
        let noted = self.classes.candidate.iter();
        let mut parts = noted.zip(self.sets.set(index));
        parts.any(|(part, own)| !part.and(*own).is_idle())
    }

    fn may_choose(row: &Row, pes: u32) -> Result<(), Error> {
        if ClassEntry::is_exact(row.class()) && pes != row.pes.get() {
            return Err(UsageError::ExactlyThese.into());
        }
        Ok(())
    }

    fn number(class: Placed) -> u16 {
        class.entry
    }

    fn numbered(number: u16) -> Placed {
        Placed { entry: number }
    }

    fn is_known(&self, class: Placed) -> bool {
        self.classes.is_known(class.entry)
    }

    fn note_waiting(&mut self, classes: impl Iterator<Item = Placed>) -> bool {
        self.classes.note_waiting(classes.map(|class| class.entry))
    }

    fn class_of(row: &Row) -> Placed {
        Placed { entry: row.class() }
    }

    fn set_class(row: &mut Row, class: Placed) {
        row.set_class(class.entry);
    }
}

impl<C: Column, S: Scan> Ring for PlacedRing<'_, C, S> {
    /// A padded set, column by column.
    type Pes = [C];

    fn add(&mut self, window: Window, pes: &[C]) -> Result<(), Error> {
        self.sets.add(window, pes)
    }

    fn remove(&mut self, window: Window, pes: &[C]) -> Result<(), Error> {
        self.sets.remove(window, pes)
    }
}

impl<C: Column, S: Scan> Occupancy for PlacedRing<'_, C, S> {
    fn axis(&self) -> &Axis {
        self.sets.axis
    }

    fn claim(&mut self, row: usize, offsets: Range<usize>, pes: u32) -> bool {
        self.sets.join_busy(offsets.clone());
        let found = if ClassEntry::is_exact(self.asked.entry) {
            self.take_noted()
        } else {
            self.choose(pes)
        };
        found && self.sets.take_joined(row, offsets, pes)
    }

    fn release(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.sets.release(row, offsets, pes);
    }

    fn forget(&mut self, row: usize) {
        self.sets.forget(row);
    }

    fn bind(&mut self, row: usize, pes: u32) {
        self.sets.bind(row, pes);
    }

    fn unbind(&mut self, row: usize, pes: u32) {
        self.sets.unbind(row, pes);
    }

    fn move_now(&mut self, to: Slot) {
        self.sets.move_now(to);
    }
}

impl<C: Column, S: Scan> Planning for PlacedRing<'_, C, S> {
    #[cfg(feature = "plan")]
    fn is_like(&self, other: &Self) -> bool {
        self.sets.is_like(&other.sets) && self.classes.is_like(&other.classes)
    }

    #[cfg(feature = "plan")]
    fn copy_slots(&mut self, other: &Self, offsets: Range<usize>) {
        self.sets.copy_slots(&other.sets, offsets);
    }

    #[cfg(feature = "plan")]
    fn copy_classes(&mut self, other: &Self) {
        self.classes.copy(&other.classes);
    }

    #[cfg(feature = "plan")]
    fn is_booked_on(&self, set: &[C], offsets: Range<usize>) -> bool {
        self.sets.is_booked_on(set, offsets)
    }

    #[cfg(feature = "plan")]
    fn is_busier(&self, here: usize, other: &Self, there: usize) -> bool {
        self.sets.is_busier(here, &other.sets, there)
    }
}

impl<C: Column, S: Scan> Overlaid for PlacedRing<'_, C, S> {}

impl<C: Column, S: Scan> Ruled for PlacedRing<'_, C, S> {}

impl<C: Column, S: Scan> SetParts for PlacedRing<'_, C, S> {
    type Part = C;
}

impl<C: Column, S: Scan> Relocation for PlacedRing<'_, C, S> {
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, fixed: bool) -> bool {
        self.sets.join_busy(offsets.clone());
        if self.keep_own(row, pes) && self.sets.take_joined(row, offsets.clone(), pes) {
            return true;
        }
        let exactly = ClassEntry::is_exact(self.asked.entry);
        !fixed && !exactly && self.claim(row, offsets, pes)
    }

    fn restore(&mut self, row: usize, offsets: Range<usize>, pes: u32) {
        self.sets.restore(row, offsets, pes);
    }

    fn set(&self, row: usize) -> &[C] {
        self.sets.set(row)
    }

    fn set_mut(&mut self, row: usize) -> &mut [C] {
        self.sets.set_mut(row)
    }

    fn shares(&self, row: usize, other: usize) -> bool {
        self.sets.shares(row, other)
    }
}

impl<C: Column, S: Scan> RingSearch for PlacedRing<'_, C, S> {
    type Scan = S;

    fn counts(&self) -> &Counts<'_> {
        self.sets.counts()
    }

    fn edges(&self) -> &Edges<'_> {
        self.sets.edges()
    }

    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow> {
        let test = Test::new(&self.classes, self.asked);
        self.sets.sliding_sets((duration, reach), test)
    }

    const COUNTS_DECIDE: bool = false;

    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow> {
        let test = Test::new(&self.classes, self.asked);
        let GrowingView { profile, growing } = self.sets.growing_sets();
        GrowingView {
            profile,
            growing: PlacedGrowing {
                sets: growing,
                test,
            },
        }
    }

    fn numbers(&self) -> u16 {
        self.classes.geometry.numbers
    }

    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe> {
        let geometry = &*self.classes.geometry;
        let numbers = from..usize::from(geometry.numbers);
        let set = self.sets.set(row);
        let holds = |number: &u16| {
            let place = geometry.place::<C>(*number);
            place.is_some_and(|(word, bit)| word_of(set, word) & bit != 0)
        };
        if !held {
            // What follows is mostly held by nobody, or by another.
            let mut numbers = numbers.map(|number| number as u16);
            return numbers.find(|number| !holds(number)).map(Pe::new);
        }
        let from = u16::try_from(numbers.start).ok()?;
        let (word, bit) = geometry.place::<C>(from)?;
        let bit = word
            .saturating_mul(C::WORD as usize)
            .saturating_add(bit.trailing_zeros() as usize);
        let found = self.sets.next_pe(row, bit, true)?;
        geometry.number::<C>(found.get().into()).map(Pe::new)
    }

    fn verify<B>(&mut self, bookings: B) -> Result<(), Violation>
    where
        B: Iterator<Item = Booked> + Clone,
    {
        let mut all = bookings.clone();
        if !all.all(|booked| self.serves_class(booked.row, booked.class, booked.pes)) {
            return Err(Violation::Class);
        }
        let classes = &self.classes;
        self.sets
            .verify_on(bookings, |number| classes.existing_in(number))
    }
}
