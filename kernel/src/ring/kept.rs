//! What bytes have to know of a ring: who has which processing elements, and which classes there are. All else follows from the rows.

use core::ops::Range;

#[cfg(feature = "outages")]
use super::based::{Base, Based};
#[cfg(feature = "placement")]
use super::placed_ring::PlacedRing;
#[cfg(feature = "outages")]
use super::ruled::Ruled;
#[cfg(feature = "outages")]
use super::ruled_ring::{OPEN, RuledRing, bit};
use super::{
    bare::Ring, count::Width, count_ring::CountRing, occupancy::CountOf, pe_ring::PeRing,
    scan::Scan, search::RingSearch,
};
#[cfg(feature = "risk")]
use super::{overlaid::Overlaid, overlay_ring::OverlayRing};
#[cfg(feature = "outages")]
use crate::rule::RuleEntry;
use crate::{
    bytes::{Input, Output, SnapshotError},
    column::Column,
    ledger::Row,
    pe::Pe,
    ring::occupancy::Relocation,
    violation::Violation,
};

/// See [`Kept`].
pub(crate) trait Holdings: RingSearch {
    /// The number of this kind of book in bytes.
    const KIND: u8;
    /// Whether rows that do not run have processing elements of their own.
    const EARLY: bool;
    /// Whether a record has the table behind the names of its rows: what it says must not meet those that are named, and leave those that are not.
    const TABLE_BEHIND: bool = false;

    /// Adds a processing element to a set, and returns whether the set has a place for it.
    #[cfg(feature = "outages")]
    fn give_to(&self, _set: &mut [Self::Part], _pe: u16) -> bool {
        false
    }

    /// Writes a set, a bit for each number of the machine; nothing where there are no sets.
    fn write_set(
        &self,
        _set: &[Self::Part],
        _out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Gives a processing element of the machine to a row that has claimed nothing, and returns whether it exists and nobody else runs on it.
    fn give(&mut self, row: usize, pe: u16) -> bool;

    /// Writes which processing elements a row has, a bit for each number of the machine.
    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let next = |from: usize| self.next_pe(row, from, true).map(Pe::get);
        let pes = core::iter::successors(next(0), |pe| next(usize::from(*pe).saturating_add(1)));
        out.bits(self.numbers(), pes)
    }

    /// Gives a row that is to have so many processing elements those that [`write_pes`](Self::write_pes) has written.
    fn read_pes(
        &mut self,
        row: usize,
        pes: u32,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let mut given = 0_u32;
        let taken = input.bits(self.numbers(), |pe| {
            given = given.saturating_add(1);
            self.give(row, pe)
        })?;
        match taken && given == pes {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Binding)),
        }
    }

    /// Writes what is busy in the slot at `offset`, as [`write_set`](Self::write_set) does.
    #[cfg(feature = "plan")]
    fn write_busy(
        &mut self,
        _offset: usize,
        _out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Returns whether what a row has serves its class.
    fn serves(&self, _row: usize, _booked: &Row<CountOf<Self>>) -> bool {
        true
    }

    /// Writes what a row has that its number of processing elements does not say.
    fn write_part(&self, _row: usize, _out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Books a row as [`write_part`](Self::write_part) has written it, if there is room.
    fn read_part(
        &mut self,
        row: usize,
        offsets: Range<usize>,
        pes: u32,
        _input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        match self.reclaim(row, offsets, pes, true) {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Occupancy)),
        }
    }

    /// Lets a row that has its processing elements, and nothing booked, have them in every slot to come, and returns whether nobody else has any of them.
    fn reopen(&mut self, _row: usize, _pes: u32) -> bool {
        false
    }

    /// Writes what belongs to no row: with a layout, the table of classes; with overlays, when they were last examined; with rules, their table.
    fn write_table(&self, _out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Reads what [`write_table`](Self::write_table) has written for the same machine.
    fn read_table(&mut self, _input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        Ok(())
    }

    /// Returns whether it holds nothing besides reservations.
    fn is_new(&self) -> bool {
        true
    }

    /// Becomes as it was at slot 0, when nothing is busy.
    fn begin_again(&mut self);
}

/// A ring whose book can be written as bytes. The trait is sealed.
#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
pub trait Kept: Ring + Holdings {}

impl<S: Scan, N: Width> Kept for CountRing<'_, S, N> {}

impl<S: Scan, N: Width> Holdings for CountRing<'_, S, N> {
    const KIND: u8 = if N::NUMBERED { 1 } else { 5 };
    const EARLY: bool = false;

    fn give(&mut self, row: usize, pe: u16) -> bool {
        let idle = self.owner.get_mut(usize::from(pe));
        let idle = idle.filter(|owner| **owner == 0);
        let found = idle.is_some();
        if let Some(owner) = idle {
            *owner = (row as u32).wrapping_add(1);
        }
        found
    }

    fn begin_again(&mut self) {
        self.axis.begin_again();
    }
}

impl<C: Column, S: Scan> Kept for PeRing<'_, C, S> {}

impl<C: Column, S: Scan> Holdings for PeRing<'_, C, S> {
    const KIND: u8 = 2;
    const EARLY: bool = true;

    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.write_set(self.set(row), out)
    }

    /// Its words are these bits.
    fn write_set(&self, set: &[C], out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let mut rest = usize::from(self.numbers()).div_ceil(8);
        let words = C::BITS.checked_div(C::WORD as usize).unwrap_or(1);
        for part in set {
            for word in (0..words).map(|word| part.word(word).to_le_bytes()) {
                let bytes = rest.min(C::WORD as usize / 8);
                out.put(word.get(..bytes).unwrap_or_default())?;
                rest = rest.saturating_sub(bytes);
            }
        }
        Ok(())
    }

    #[cfg(feature = "plan")]
    fn write_busy(&mut self, offset: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.join_busy(offset..offset.saturating_add(1));
        self.write_set(self.joined, out)
    }

    fn give(&mut self, row: usize, pe: u16) -> bool {
        put(self.set_mut(row), pe)
    }

    #[cfg(feature = "outages")]
    fn give_to(&self, set: &mut [C], pe: u16) -> bool {
        put(set, pe)
    }

    fn begin_again(&mut self) {
        self.axis.begin_again();
    }
}

/// Adds the processing element of that number to a set, and returns whether the set has a place for it.
fn put<C: Column>(set: &mut [C], pe: u16) -> bool {
    let pe = usize::from(pe);
    let (Some(column), Some(member)) = (pe.checked_div(C::BITS), pe.checked_rem(C::BITS)) else {
        return false;
    };
    let one = C::lowest(member.saturating_add(1)).and_not(C::lowest(member));
    let part = set.get_mut(column);
    let found = part.is_some();
    if let Some(part) = part {
        *part = part.join(one);
    }
    found
}

#[cfg(feature = "placement")]
impl<C: Column, S: Scan> Kept for PlacedRing<'_, C, S> {}

#[cfg(feature = "placement")]
impl<C: Column, S: Scan> Holdings for PlacedRing<'_, C, S> {
    const KIND: u8 = 3;
    const EARLY: bool = true;

    fn give(&mut self, row: usize, pe: u16) -> bool {
        self.classes.give(pe, self.sets.set_mut(row))
    }

    #[cfg(feature = "outages")]
    fn give_to(&self, set: &mut [C], pe: u16) -> bool {
        self.classes.give(pe, set)
    }

    fn write_set(&self, set: &[C], out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        out.bits(self.numbers(), self.classes.members(set))
    }

    #[cfg(feature = "plan")]
    fn write_busy(&mut self, offset: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.sets.join_busy(offset..offset.saturating_add(1));
        self.write_set(self.sets.joined, out)
    }

    fn serves(&self, row: usize, booked: &Row) -> bool {
        self.serves_class(row, booked.class(), booked.pes.get())
    }

    fn write_table(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.classes.write(out)
    }

    fn read_table(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        self.classes.read(input)
    }

    fn is_new(&self) -> bool {
        self.classes.is_new()
    }

    fn begin_again(&mut self) {
        self.classes.begin_again();
        self.sets.axis.begin_again();
    }
}

#[cfg(feature = "risk")]
impl<S: Scan> Kept for OverlayRing<'_, S> {}

#[cfg(feature = "risk")]
impl<S: Scan> Holdings for OverlayRing<'_, S> {
    const KIND: u8 = 4;
    const EARLY: bool = false;

    fn give(&mut self, row: usize, pe: u16) -> bool {
        self.shown.give(row, pe)
    }

    fn write_part(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        out.put(&(self.overlaid(row) as u16).to_le_bytes())
    }

    fn read_part(
        &mut self,
        row: usize,
        offsets: Range<usize>,
        pes: u32,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let overlaid = u32::from(u16::from_le_bytes(input.take()?));
        let firm = pes.checked_sub(overlaid);
        let free = self.firmly_free(offsets.clone());
        if firm.is_none_or(|firm| firm > free) || overlaid > self.most_overlaid(offsets.clone()) {
            return Err(SnapshotError::Damaged(Violation::Overlay));
        }
        self.overlay(row, offsets, pes, overlaid);
        Ok(())
    }

    fn write_table(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        out.long(*self.layers.seen)
    }

    fn read_table(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        *self.layers.seen = input.long()?;
        Ok(())
    }

    fn begin_again(&mut self) {
        *self.layers.seen = 0;
        self.shown.begin_again();
    }
}

#[cfg(feature = "outages")]
#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
impl<R: Based + Holdings> Kept for RuledRing<'_, R> {}

/// What jobs without a known end have, their rows say; all else that is kept of rules is their table: 14 bytes for each and for what is not there at all,
/// and with early binding the set of each that there is.
#[cfg(feature = "outages")]
#[allow(private_bounds, reason = "as above")]
impl<R: Based + Holdings> Holdings for RuledRing<'_, R> {
    const KIND: u8 = R::KIND | 0x10;
    const EARLY: bool = R::EARLY;
    const TABLE_BEHIND: bool = true;

    fn give(&mut self, row: usize, pe: u16) -> bool {
        self.ring.give(row, pe)
    }

    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.ring.write_pes(row, out)
    }

    fn serves(&self, row: usize, booked: &Row<CountOf<Self>>) -> bool {
        self.ring.serves(row, booked)
    }

    fn reopen(&mut self, row: usize, pes: u32) -> bool {
        self.let_have(row, pes, bit(OPEN), |ring, all, open| {
            !R::Base::meet(open, ring.set(row)) && ring.reclaim(row, all, pes, true)
        })
    }

    fn write_table(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        self.ring.write_table(out)?;
        for number in 0..=RuleEntry::SIZE {
            let (entry, set) = self.rule(number);
            out.put(&entry.to_bytes())?;
            if entry != RuleEntry::NONE {
                self.ring.write_set(set, out)?;
            }
        }
        Ok(())
    }

    fn read_table(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        self.ring.read_table(input)?;
        self.rewrite(|ring, number, set| {
            let entry = RuleEntry::from_bytes(&input.take()?);
            if entry == RuleEntry::NONE {
                return Ok(entry);
            }
            let mut given = 0_u16;
            let taken = !R::EARLY
                || input.bits(ring.numbers(), |pe| {
                    given = given.saturating_add(1);
                    ring.give_to(set, pe)
                })?;
            let counted = !R::EARLY || given == entry.pes;
            match taken && counted && entry.is_sound(number, ring.numbers()) {
                true => Ok(entry),
                false => Err(SnapshotError::Damaged(Violation::Rows)),
            }
        })
    }

    fn is_new(&self) -> bool {
        let mut entries = self.rules.entries.iter();
        self.ring.is_new() && entries.all(|entry| *entry == RuleEntry::NONE)
    }

    fn begin_again(&mut self) {
        self.forget_rules();
        self.ring.begin_again();
    }
}
