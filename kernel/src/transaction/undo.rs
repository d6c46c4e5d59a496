//! Writing the log, and putting everything back.

use super::{Savepoint, Transaction, UndoEntry};
use crate::{
    error::{Error, Refusal, UsageError},
    ledger::{Row, mark},
    ring::Ring,
};

impl<R: Ring> Transaction<'_, '_, R> {
    /// Notes a state to go back to. O(1).
    ///
    /// ```
    /// # use bookahead::{CountBook, CountUndo, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit)?;
    /// let mut undo = CountUndo::<2>::new();
    /// let mut transaction = book.transaction(undo.log(), 1_000);
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

    /// Goes back to a savepoint, which stays good for another time. The work done since is not given back.
    /// O(entries logged since x duration x columns).
    ///
    /// # Errors
    ///
    /// [`UsageError::BadSavepoint`] when the transaction has been rolled back to an earlier state than the savepoint's.
    pub fn rollback_to(&mut self, savepoint: Savepoint) -> Result<(), Error> {
        // Entries below the savepoint are older than it, unless others have taken the place of those that were there.
        let newest = savepoint
            .len
            .checked_sub(1)
            .and_then(|last| self.log.entries.get(last));
        let replaced = newest.is_some_and(|entry| entry.age >= savepoint.age);
        if savepoint.len > self.len || savepoint.age > self.age || replaced {
            return Err(UsageError::BadSavepoint.into());
        }
        self.undo(savepoint.len);
        self.segment = self.len;
        self.age = self.age.saturating_add(1);
        Ok(())
    }

    /// Whether the log has room for what is to be changed in these rows.
    pub(super) fn check_log(&self, rows: &[usize]) -> Result<(), Error> {
        let new = rows.iter().filter(|index| !self.is_logged(**index)).count();
        if new > self.log_room() {
            return Err(Refusal::MoveLimit.into());
        }
        Ok(())
    }

    /// How many entries the log has room for.
    pub(super) fn log_room(&self) -> usize {
        let parts = self.book.ring.set(0).len();
        let sets = self.log.sets.len().checked_div(parts);
        let capacity = self.log.capacity();
        capacity
            .min(sets.unwrap_or(capacity))
            .saturating_sub(self.len)
    }

    /// Whether the row has been logged since the newest savepoint.
    fn is_logged(&self, index: usize) -> bool {
        let row = self.book.ledger.rows.get(index);
        row.is_some_and(|row| row.is_marked(mark::LOGGED) && row.timer as usize >= self.segment)
    }

    /// Logs a row before it is changed, unless it has been logged since the newest savepoint. Answers how many entries there were.
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

    /// Logs a vacant row before a reservation is put into it. Answers the number of the entry.
    pub(super) fn touch_vacant(&mut self, index: usize) -> usize {
        self.write(index);
        // What the ring has been claimed for is already in the row's set, and it was empty before.
        let (parts, entry) = (self.book.ring.set(index).len(), self.len.saturating_sub(1));
        if let Some(set) = self.log.set(entry, parts) {
            set.fill(R::Part::default());
        }
        entry
    }

    /// Adds an entry, for which there is room.
    fn write(&mut self, index: usize) {
        let row = self.book.ledger.rows.get(index).copied();
        if let Some(entry) = self.log.entries.get_mut(self.len) {
            *entry = UndoEntry {
                row: row.unwrap_or_default(),
                index: index as u32,
                age: self.age,
            };
        }
        let set = self.book.ring.set(index);
        if let Some(logged) = self.log.set(self.len, set.len()) {
            copy(logged, set);
        }
        self.len = self.len.saturating_add(1);
    }

    /// Takes back what [`Self::touch`] has written, if it had `before` entries, as the row was not changed after all.
    pub(super) fn untouch(&mut self, before: usize) {
        if self.len > before {
            self.len = before;
            if let Some(entry) = self.log.entries.get(before)
                && let Some(row) = self.book.ledger.rows.get_mut(entry.index as usize)
            {
                row.marks = entry.row.marks;
                row.timer = entry.row.timer;
            }
        }
    }

    /// Puts back what was before the entries from number `from` on were written.
    ///
    /// First everything that was changed gives its room back, then everything gets the room it had: one by one would, with sets, take out what
    /// another has meanwhile. O(entries x duration x columns).
    pub(super) fn undo(&mut self, from: usize) {
        for number in (from..self.len).rev() {
            self.undo_first(number);
        }
        for number in from..self.len {
            self.undo_second(number);
        }
        self.len = from;
    }

    /// Takes the room back and puts the old row in place, with a mark that it has no room.
    fn undo_first(&mut self, number: usize) {
        let Some(UndoEntry {
            row: old, index, ..
        }) = self.log.entries.get(number).copied()
        else {
            return;
        };
        let index = index as usize;
        let mut writer = self.book.writer();
        let Some(new) = writer.ledger.rows.get(index).copied() else {
            return;
        };
        // A row with two entries has been taken out already when its older one comes.
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
        if let Some(logged) = self.log.set(number, set.len()) {
            copy(set, logged);
        }
    }

    /// Gives the row its old room.
    fn undo_second(&mut self, number: usize) {
        let Some(index) = self.log.entries.get(number).map(|entry| entry.index) else {
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
        if !row.is_marked(mark::LIFTED) {
            let ring = &mut self.book.ring;
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
