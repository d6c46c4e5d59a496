//! What bytes have to know of a ring: who has which processing elements, and which classes there are. All else follows from the rows.

use core::ops::Range;

#[cfg(feature = "placement")]
use super::placed_ring::PlacedRing;
use super::{bare::Ring, count_ring::CountRing, pe_ring::PeRing, scan::Scan, search::RingSearch};
#[cfg(feature = "risk")]
use super::{overlaid::Overlaid, overlay_ring::OverlayRing};
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

    /// Gives a processing element of the machine to a row that has claimed nothing, and returns whether it exists and nobody else runs on it.
    fn give(&mut self, row: usize, pe: u16) -> bool;

    /// Writes which processing elements a row has, a bit for each number of the machine.
    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let next = |from: usize| self.next_pe(row, from, true).map(Pe::get);
        let pes = core::iter::successors(next(0), |pe| next(usize::from(*pe).saturating_add(1)));
        out.bits(self.numbers(), pes)
    }

    /// Returns whether what a row has serves its class.
    fn serves(&self, _row: usize, _booked: &Row) -> bool {
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
        pes: u16,
        _input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        match self.reclaim(row, offsets, pes, true) {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Occupancy)),
        }
    }

    /// Writes what belongs to no row: with a layout, the table of classes; with overlays, when they were last examined.
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

impl<S: Scan> Kept for CountRing<'_, S> {}

impl<S: Scan> Holdings for CountRing<'_, S> {
    const KIND: u8 = 1;
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

    /// Its words are these bits.
    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let mut rest = usize::from(self.numbers()).div_ceil(8);
        let words = C::BITS.checked_div(C::WORD as usize).unwrap_or(1);
        for part in self.set(row) {
            for word in (0..words).map(|word| part.word(word).to_le_bytes()) {
                let bytes = rest.min(C::WORD as usize / 8);
                out.put(word.get(..bytes).unwrap_or_default())?;
                rest = rest.saturating_sub(bytes);
            }
        }
        Ok(())
    }

    fn give(&mut self, row: usize, pe: u16) -> bool {
        let pe = usize::from(pe);
        let (Some(column), Some(member)) = (pe.checked_div(C::BITS), pe.checked_rem(C::BITS))
        else {
            return false;
        };
        let one = C::lowest(member.saturating_add(1)).and_not(C::lowest(member));
        let part = self.set_mut(row).get_mut(column);
        let found = part.is_some();
        if let Some(part) = part {
            *part = part.join(one);
        }
        found
    }

    fn begin_again(&mut self) {
        self.axis.begin_again();
    }
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
        out.put(&self.overlaid(row).to_le_bytes())
    }

    fn read_part(
        &mut self,
        row: usize,
        offsets: Range<usize>,
        pes: u16,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let overlaid = u16::from_le_bytes(input.take()?);
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
