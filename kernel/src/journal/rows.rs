//! Rows as bytes, in snapshots and records.

use super::bytes::{Input, Output, SnapshotError};
use crate::{
    book::Book,
    ledger::{ROW_BYTES, Row},
    pe::Pe,
    ring::Kept,
    violation::Violation,
};

impl<R: Kept> Book<'_, R> {
    /// Writes a live row with its processing elements.
    pub(super) fn write_live(
        &self,
        index: usize,
        row: &Row,
        out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        out.put(&row.to_bytes())?;
        if R::EARLY || row.is_running() {
            self.write_pes(index, out)?;
        }
        Ok(())
    }

    /// Writes the processing elements of a row, a bit for each of the machine.
    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let width = usize::from(self.ring.axis().width());
        let mut next = self.ring.next_pe(row, 0, true).map(Pe::get);
        for first in (0..width).step_by(64) {
            let mut part = 0_u64;
            while let Some(pe) = next.filter(|pe| usize::from(*pe) < first.saturating_add(64)) {
                part |= 1_u64.wrapping_shl(u32::from(pe));
                let behind = usize::from(pe).saturating_add(1);
                next = self.ring.next_pe(row, behind, true).map(Pe::get);
            }
            let bytes = width.saturating_sub(first).div_ceil(8).min(8);
            let part = part.to_le_bytes();
            out.put(part.get(..bytes).unwrap_or_default())?;
        }
        Ok(())
    }

    /// Reads a live row, which nobody has at present.
    pub(super) fn read_live(
        &mut self,
        index: usize,
        generation: u32,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let bytes: [u8; ROW_BYTES] = input.take()?;
        let axis = *self.ring.axis();
        let now = axis.now();
        let row = Row::from_bytes(&bytes, generation);
        let row = row.filter(|row| row.is_live() && row.is_sound(now));
        let row = row.filter(|row| row.end() <= axis.end() && row.due() >= now);
        let row = row.ok_or(SnapshotError::Damaged(Violation::Window))?;
        if !self.ledger.is_sound(&row) {
            return Err(SnapshotError::Damaged(Violation::Rows));
        }
        let start = match row.is_running() {
            true => None,
            false => axis.offset(row.start()).map(|offset| axis.index(offset)),
        };
        let taken = match R::EARLY || row.is_running() {
            true => self.read_pes(index, row.pes.get(), input),
            false => Ok(()),
        };
        let offsets = axis.covered(row.window());
        let taken =
            taken.and_then(
                |()| match self.ring.reclaim(index, offsets, row.pes.get(), true) {
                    true => Ok(()),
                    false => Err(SnapshotError::Damaged(Violation::Occupancy)),
                },
            );
        if taken.is_err() {
            // It is in no list yet, so that nobody else would.
            self.ring.unbind(index, u16::MAX);
            self.ring.forget(index);
            return taken;
        }
        self.ledger.take_live(index, &row, start, now);
        Ok(())
    }

    /// Reads the processing elements of a row that is to have so many.
    fn read_pes(
        &mut self,
        row: usize,
        pes: u16,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let width = usize::from(self.ring.axis().width());
        let mut given = 0_u16;
        for first in (0..width).step_by(8) {
            let [byte] = input.take()?;
            for bit in (0..8).filter(|bit| byte & 1_u8.wrapping_shl(*bit) != 0) {
                let pe = first.saturating_add(bit as usize);
                if pe >= width || !self.ring.give(row, pe) {
                    return Err(SnapshotError::Damaged(Violation::Binding));
                }
                given = given.saturating_add(1);
            }
        }
        match given == pes {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Binding)),
        }
    }

    /// Becomes as it was when nothing had been booked.
    pub(super) fn begin_again(&mut self) {
        let axis = *self.ring.axis();
        for (index, row) in self.ledger.rows.iter().enumerate() {
            if row.is_live() {
                self.ring
                    .release(index, axis.covered(row.window()), row.pes.get());
                if row.is_running() {
                    self.ring.unbind(index, row.pes.get());
                }
                self.ring.forget(index);
            }
        }
        self.ledger.begin_again();
        self.ring.axis_mut().begin_again();
    }
}
