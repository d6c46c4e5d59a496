//! The checker of all invariants.

use super::Book;
use crate::{
    ledger::RowOf,
    ring::{Booked, Ring},
    violation::Violation,
};

impl<R: Ring> Book<'_, R> {
    /// Checks every invariant of the book. Tests, fuzzing and debug builds with `self-check` call it after every
    /// operation.
    ///
    /// 1. Array elements that the ring does not cover are cleared.
    /// 2. A slot's busy set is the disjoint union of the reservations that cover it, and of what rules take there; a count is their sum.
    /// 3. No processing element is busy that the machine does not have.
    /// 4. A reservation lies between its ready time and its deadline, and ends inside the horizon unless it is open-ended, as only running ones of books with rules are; it holds exactly its number of processing elements, with late
    ///    binding only while it runs.
    /// 5. Every summary, change bit and release bit agrees with the slots, so neighbouring records differ.
    /// 6. Rows, handles, lists and timers of the ledger agree, nothing is due before `now`, and an open-ended job when a rule meets it next.
    /// 7. A reservation that comes from a queue is running.
    /// 8. A vacant row has an empty set of processing elements.
    /// 9. Only a confirmed reservation is flexible, and its timer is the slot in which its start becomes fixed, if that comes before it.
    /// 10. With overlays, 2 and 3 hold for what is firmly booked. What is overlaid is the sum of the overlaid parts of the reservations, and
    ///     the ring shows both together, at most the whole machine. A confirmed reservation that is in part overlaid starts
    ///     after all others of its slot.
    /// 11. On a machine with a layout, what a reservation holds serves its class.
    ///
    /// O((horizon + total booked duration + rows) x columns), and with late binding O(PEs) for each running
    /// reservation. Uses scratch memory; the book itself stays as it is.
    ///
    /// # Errors
    ///
    /// Returns the first violation found.
    pub fn check_invariants(&mut self) -> Result<(), Violation> {
        let axis = *self.ring.axis();
        let live = || {
            self.ledger
                .rows
                .iter()
                .enumerate()
                .filter(|(_, row)| row.is_live())
        };
        for (_index, row) in live() {
            if !row.is_sound(axis.now()) || self.is_beyond(row) {
                return Err(Violation::Window);
            }
            #[cfg(feature = "risk")]
            if self.is_wrongly_overlaid(_index, row) {
                return Err(Violation::Overlay);
            }
            if row.due() < axis.now() {
                return Err(Violation::Timer);
            }
        }
        if R::RULES && !self.is_armed() {
            return Err(Violation::Timer);
        }
        let booked = |(index, row): (usize, &RowOf<R>)| Booked {
            row: index,
            offsets: match row.is_open() {
                true => 0..axis.slots(),
                false => axis.covered(row.window()),
            },
            pes: row.pes.get(),
            running: row.is_running(),
            #[cfg(feature = "placement")]
            class: row.class(),
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

    /// Returns whether a reservation ends behind the horizon, and is not to.
    pub(crate) fn is_beyond(&self, row: &RowOf<R>) -> bool {
        let open = R::RULES && row.is_open();
        !open && row.end() > self.ring.axis().end()
    }

    /// Returns whether each open-ended job is due when a rule meets it next, or is yet to be told that one does.
    pub(crate) fn is_armed(&self) -> bool {
        #[cfg(feature = "outages")]
        return self.ledger.rows.iter().enumerate().all(|(index, row)| {
            !row.is_open() || row.due() == self.now() || row.ahead == self.next_turn(index, row)
        });
        #[cfg(not(feature = "outages"))]
        true
    }
}
