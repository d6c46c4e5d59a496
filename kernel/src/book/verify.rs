//! The one checker of everything that must always hold.

use super::Book;
use crate::{
    ledger::Row,
    ring::{Booked, Ring},
    violation::Violation,
};

impl<R: Ring> Book<'_, R> {
    /// Checks every invariant of the book; tests, fuzzing and debug builds call it after every operation.
    ///
    /// 1. What is not covered by the ring is wiped.
    /// 2. A slot's busy set is the disjoint union of the reservations that cover it; a count is their sum.
    /// 3. Nothing is busy that the machine does not have.
    /// 4. A reservation lies between its ready time and its deadline; it holds exactly its number of processing elements, with late
    ///    binding only while it runs.
    /// 5. Every summary, change bit and release bit is what the slots say, so that neighbouring records differ.
    /// 6. Rows, handles, lists and timers of the ledger agree, and nothing due lies in the past.
    /// 7. What comes from a queue runs.
    /// 8. A vacant row knows nothing of what it held.
    ///
    /// O((horizon + total booked duration + rows) x columns), and with late binding O(PEs) for each running reservation. Uses scratch memory; the book itself stays as it is.
    ///
    /// # Errors
    ///
    /// The first violation found.
    pub fn check_invariants(&mut self) -> Result<(), Violation> {
        let axis = *self.ring.axis();
        let live = || {
            self.ledger
                .rows
                .iter()
                .enumerate()
                .filter(|(_, row)| row.is_live())
        };
        for (_, row) in live() {
            if !row.is_sound(axis.now()) || row.end() > axis.end() {
                return Err(Violation::Window);
            }
            if row.due() < axis.now() {
                return Err(Violation::Timer);
            }
        }
        let booked = |(index, row): (usize, &Row)| Booked {
            row: index,
            offsets: axis.covered(row.window()),
            pes: row.pes.get(),
            running: row.is_running(),
        };
        self.ring.verify(live().map(booked))?;
        let vacant = self.ledger.rows.iter().enumerate();
        for (index, _) in vacant.filter(|(_, row)| !row.is_live()) {
            let set = self.ring.set(index);
            if set.iter().any(|part| *part != Default::default()) {
                return Err(Violation::Rows);
            }
        }
        self.ledger.verify(axis.now(), |start| {
            axis.offset(start).map(|offset| axis.index(offset))
        })
    }
}
