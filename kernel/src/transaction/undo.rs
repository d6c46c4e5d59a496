//! Writing the undo log, and rolling back.

use super::{Savepoint, Transaction, UndoEntry};
use crate::{
    error::{Error, Refusal, UsageError},
    ledger::{Row, RowOf, mark},
    ring::Ring,
};

impl<R: Ring> Transaction<'_, '_, R> {
    /// Sets a savepoint: a state to which the transaction can be rolled back. O(1).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, CountWorkspace, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut workspace = CountWorkspace::<2, 0>::new();
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// let savepoint = transaction.savepoint();
    /// transaction.remove(booking.handle)?;
    /// assert!(transaction.get(booking.handle).is_err());
    /// transaction.rollback_to(savepoint)?;
    /// assert!(transaction.get(booking.handle).is_ok());
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn savepoint(&mut self) -> Savepoint {
        self.segment = self.len;
        self.age = self.age.saturating_add(1);
        Savepoint {
            len: self.len,
            age: self.age,
        }
    }

    /// Rolls back to a savepoint, which stays valid. The work spent since is not refunded.
    /// O(entries logged since x duration x columns).
    ///
    /// # Errors
    ///
    /// [`UsageError::BadSavepoint`] when the transaction has been rolled back to an earlier state than the savepoint's.
    pub fn rollback_to(&mut self, savepoint: Savepoint) -> Result<(), Error> {
        // Entries below the savepoint are older than it, unless a rollback removed them and newer ones were written in
        // their place.
        let newest = savepoint
            .len
            .checked_sub(1)
            .and_then(|last| self.workspace.entries.get(last));
        let replaced = newest.is_some_and(|entry| entry.age >= savepoint.age);
        if savepoint.len > self.len || savepoint.age > self.age || replaced {
            return Err(UsageError::BadSavepoint.into());
        }
        self.undo(savepoint.len);
        self.segment = self.len;
        self.age = self.age.saturating_add(1);
        Ok(())
    }

    /// Checks whether the log has enough free entries for changing these rows.
    pub(crate) fn check_log(&self, rows: &[usize]) -> Result<(), Error> {
        let new = rows.iter().filter(|index| !self.is_logged(**index)).count();
        if new > self.log_room() {
            return Err(Refusal::MoveLimit.into());
        }
        Ok(())
    }

    /// Returns how many entries of the log are free.
    pub(super) fn log_room(&self) -> usize {
        let parts = self.book.ring.set(0).len();
        let sets = self.workspace.sets.len().checked_div(parts);
        let capacity = self.workspace.capacity();
        capacity
            .min(sets.unwrap_or(capacity))
            .saturating_sub(self.len)
    }

    /// Returns whether the row has been logged since the newest savepoint.
    pub(crate) fn is_logged(&self, index: usize) -> bool {
        let row = self.book.ledger.rows.get(index);
        row.is_some_and(|row| row.is_marked(mark::LOGGED) && row.timer as usize >= self.segment)
    }

    /// Logs a row before it is changed, unless it has been logged since the newest savepoint. Returns how many entries
    /// there were before.
    pub(super) fn touch(&mut self, index: usize) -> usize {
        let before = self.len;
        if !self.is_logged(index) {
            self.write(index);
            if let Some(row) = self.book.ledger.rows.get_mut(index) {
                row.marks |= mark::LOGGED;
                row.timer = before as u32;
            }
        }
        before
    }

    /// Logs a vacant row before a reservation is inserted into it. Returns the number of the entry.
    pub(super) fn touch_vacant(&mut self, index: usize) -> usize {
        self.write(index);
        // The row's set already holds what the ring has claimed for it; it was empty before.
        let (parts, entry) = (self.book.ring.set(index).len(), self.len.saturating_sub(1));
        if let Some(set) = self.workspace.set_mut(entry, parts) {
            set.fill(R::Part::default());
        }
        entry
    }

    /// Adds an entry; the log must not be full.
    fn write(&mut self, index: usize) {
        let row = self.book.ledger.rows.get(index).copied();
        if let Some(entry) = self.workspace.entries.get_mut(self.len) {
            *entry = UndoEntry {
                row: row.unwrap_or_default(),
                index: index as u32,
                age: self.age,
            };
        }
        let set = self.book.ring.set(index);
        if let Some(logged) = self.workspace.set_mut(self.len, set.len()) {
            copy(logged, set);
        }
        self.len = self.len.saturating_add(1);
    }

    /// Removes the entry that [`Self::touch`] has written since the log had `before` entries, as the row was not
    /// changed after all.
    pub(super) fn untouch(&mut self, before: usize) {
        if self.len > before {
            self.len = before;
            if let Some(entry) = self.workspace.entries.get(before)
                && let Some(row) = self.book.ledger.rows.get_mut(entry.index as usize)
            {
                row.marks = entry.row.marks;
                row.timer = entry.row.timer;
            }
        }
    }

    /// Restores the state before the entries from number `from` on were written.
    ///
    /// Takes two passes: first all changed reservations release their slots, then all get their former slots back. With
    /// early binding, restoring one by one could clear processing elements that another reservation holds meanwhile.
    /// O(entries x duration x columns).
    pub(super) fn undo(&mut self, from: usize) {
        for number in (from..self.len).rev() {
            self.undo_first(number);
        }
        #[cfg(feature = "outages")]
        if R::RULES {
            self.undo_rules(from);
        }
        for number in from..self.len {
            self.undo_second(number);
        }
        self.len = from;
    }

    /// First pass: releases the slots of the reservation and restores the row's contents, marked
    /// [`UNDONE`](mark::UNDONE).
    fn undo_first(&mut self, number: usize) {
        let Some(UndoEntry {
            row: old, index, ..
        }) = self.workspace.entries.get(number).copied()
        else {
            return;
        };
        let index = index as usize;
        if self.is_back(number, index, &old) {
            if let Some(row) = self.book.ledger.rows.get_mut(index) {
                *row = Row {
                    next: row.next,
                    previous: row.previous,
                    ..old
                };
            }
            return;
        }
        let mut writer = self.book.writer();
        let Some(new) = writer.ledger.rows.get(index).copied() else {
            return;
        };
        // A row with two entries was released and unlinked with its newer entry.
        if !new.is_marked(mark::UNDONE) && new.is_live() {
            if !new.is_marked(mark::LIFTED) {
                writer.release(index, new.window());
            }
            let list = writer.list_index(&new);
            writer.ledger.unlink(index, list);
        }
        if old.is_live() {
            if let Some(row) = writer.ledger.rows.get_mut(index) {
                *row = Row {
                    marks: old.marks | mark::UNDONE,
                    ..old
                };
            }
        } else if old.generation < new.generation {
            writer.ledger.take_back(index, &old, new.accepted);
        }
        let set = self.book.ring.set_mut(index);
        if let Some(logged) = self.workspace.set(number, set.len()) {
            copy(set, logged);
        }
    }

    /// Returns whether a row holds just what it held when entry number `number` of the log was written, so that ring and
    /// lists need not be touched. Searches often place reservations where they were.
    fn is_back(&self, number: usize, index: usize, old: &RowOf<R>) -> bool {
        let holds = |row: &RowOf<R>| row.is_live() && !row.is_marked(mark::LIFTED | mark::UNDONE);
        let row = self.book.ledger.rows.get(index);
        row.is_some_and(|row| holds(row) && holds(old) && row.placement() == old.placement())
            && !self.has_other_pes(number, index)
    }

    /// Second pass: gives the row its former slots back.
    fn undo_second(&mut self, number: usize) {
        let Some(index) = self.workspace.entries.get(number).map(|entry| entry.index) else {
            return;
        };
        let index = index as usize;
        let writer = self.book.writer();
        let Some(row) = writer.ledger.rows.get_mut(index) else {
            return;
        };
        if !row.is_marked(mark::UNDONE) {
            return;
        }
        row.marks &= !mark::UNDONE;
        let row = *row;
        let list = writer.list_index(&row);
        writer.ledger.link(index, list);
        let ring = &mut self.book.ring;
        #[cfg(feature = "outages")]
        if R::RULES && row.is_open() {
            return ring.undo_close(index, row.pes.get());
        }
        if !row.is_marked(mark::LIFTED) {
            let offsets = ring.axis().covered(row.window());
            ring.restore(index, offsets, row.pes.get());
        }
    }
}

fn copy<P: Copy>(to: &mut [P], from: &[P]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
