//! Rows as bytes, in snapshots and records.

use crate::{
    book::Book,
    bytes::{Input, Output, SnapshotError},
    ledger::{ROW_BYTES, Row, RowOf},
    ring::{Count, CountOf, Kept},
    violation::Violation,
};

impl<R: Kept> Book<'_, R> {
    /// Writes a live row with its processing elements.
    pub(super) fn write_live(
        &self,
        index: usize,
        row: &RowOf<R>,
        out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        out.put(&row.to_bytes())?;
        if !CountOf::<R>::NUMBERED {
            out.put(&row.upper_halves())?;
        } else if R::EARLY || row.is_running() {
            self.ring.write_pes(index, out)?;
        }
        self.ring.write_part(index, out)
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
        let row = match CountOf::<R>::NUMBERED {
            true => row,
            false => {
                let upper = input.take()?;
                row.map(|row| row.with_upper_halves(upper))
            }
        };
        let row = row.filter(|row| row.is_live() && row.is_sound(now));
        let row = row.filter(|row| !self.is_beyond(row) && row.due() >= now);
        let row = row.filter(|row| R::OVERLAYS || row.is_running() || row.start() < axis.end());
        let row = row.ok_or(SnapshotError::Damaged(Violation::Window))?;
        if !self.ledger.is_sound(&row) {
            return Err(SnapshotError::Damaged(Violation::Rows));
        }
        let start = match row.is_running() {
            true => None,
            false => axis.offset(row.start()).map(|offset| axis.index(offset)),
        };
        let numbered = CountOf::<R>::NUMBERED && (R::EARLY || row.is_running());
        let taken = match numbered {
            true => self.ring.read_pes(index, row.pes.get(), input),
            false => Ok(()),
        };
        let (offsets, pes) = (axis.covered(row.window()), row.pes.get());
        let booked = taken.and_then(|()| match R::RULES && row.is_open() {
            true if self.ring.reopen(index, pes) => Ok(()),
            true => Err(SnapshotError::Damaged(Violation::Occupancy)),
            false => self.ring.read_part(index, offsets.clone(), pes, input),
        });
        let taken = booked.and_then(|()| {
            let wrong = self.wrong(index, &row);
            if wrong.is_some() {
                self.ring.release(index, offsets, pes);
            }
            wrong.map_or(Ok(()), |wrong| Err(SnapshotError::Damaged(wrong)))
        });
        if taken.is_err() {
            // It is in no list yet, so that nobody else would.
            self.ring.unbind(index, u32::MAX);
            self.ring.forget(index);
            return taken;
        }
        match self.ledger.take_live(index, &row, start, now) {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::List)),
        }
    }

    /// Returns what of a row does not agree with what it has in the ring.
    fn wrong(&self, index: usize, row: &RowOf<R>) -> Option<Violation> {
        #[cfg(feature = "risk")]
        if self.is_wrongly_overlaid(index, row) {
            return Some(Violation::Overlay);
        }
        match self.ring.serves(index, row) {
            true => None,
            false => Some(Violation::Class),
        }
    }

    /// Becomes as it was when nothing had been booked.
    pub(super) fn begin_again(&mut self) {
        let axis = *self.ring.axis();
        for (index, row) in self.ledger.rows.iter().enumerate() {
            if row.is_live() {
                if R::RULES && row.is_open() {
                    self.ring.close(index, row.pes.get(), 0);
                } else {
                    self.ring
                        .release(index, axis.covered(row.window()), row.pes.get());
                }
                if row.is_running() {
                    self.ring.unbind(index, row.pes.get());
                }
                self.ring.forget(index);
            }
        }
        self.ring.begin_again();
        self.ledger.begin_again();
    }
}
