//! Ending a transaction: commit, plan, or drop.

use heapless::VecView;

use super::{Move, Transaction};
use crate::{
    error::{Error, UsageError},
    ledger::{Row, RowOf, mark, terms},
    ring::Ring,
};

impl<R: Ring> Transaction<'_, '_, R> {
    /// Commits the transaction: one change of the book, however many reservations moved. O(entries x log rows), and
    /// with late binding O(PEs) for each running reservation that was narrowed or removed.
    ///
    /// # Errors
    ///
    /// [`UsageError::StillLifted`] when a reservation has not been placed again; then the book is restored.
    pub fn commit(mut self) -> Result<(), Error> {
        self.check_placed()?;
        let changed = (0..self.len).any(|number| self.has_changed(number));
        #[cfg(feature = "outages")]
        let rules = match R::RULES {
            true => self.changed_rules(),
            false => 0,
        };
        #[cfg(feature = "outages")]
        let changed = changed || rules != 0;
        #[cfg(feature = "outages")]
        let open_ended = R::RULES && self.entries().any(|entry| entry.row.is_open());
        self.settle();
        #[cfg(feature = "outages")]
        if rules != 0 {
            self.book.ledger.note_table();
        }
        #[cfg(feature = "outages")]
        if rules != 0 || open_ended {
            self.book.arm_open(rules);
        }
        if changed {
            self.book.writer().changed();
        }
        self.len = 0;
        self.longest = self.book.ledger.state.longest;
        self.book.self_check();
        Ok(())
    }

    /// Lists what the transaction would change, and restores the book. `moves`, which is cleared first, receives as
    /// many moves as it holds; the number of moves left out is returned. [`apply`](Self::apply) makes the same moves in
    /// another transaction.
    ///
    /// ```
    /// use bookahead::Move;
    /// # use bookahead::{Commitment, CountBook, CountWorkspace, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let (mut workspace, mut moves) = (CountWorkspace::<2, 0>::new(), heapless::Vec::<Move, 8>::new());
    /// let mut what_if = book.transaction(workspace.view(), 1_000);
    /// what_if.lift(booking.handle)?;
    /// what_if.place_first_fit(booking.handle, Slot::new(10))?;
    /// assert_eq!(what_if.plan(&mut moves)?, 0);
    /// assert_eq!(book.get(booking.handle)?.window.start, Slot::new(3));
    ///
    /// // Once an operator has agreed:
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.apply(&moves)?;
    /// transaction.commit()?;
    /// assert_eq!(book.get(booking.handle)?.window.start, Slot::new(10));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`commit`](Self::commit).
    pub fn plan(self, moves: &mut VecView<Move>) -> Result<u32, Error> {
        moves.clear();
        self.check_placed()?;
        let mut left_out = 0_u32;
        for change in self.moves() {
            if moves.push(change).is_err() {
                left_out = left_out.saturating_add(1);
            }
        }
        Ok(left_out)
    }

    fn check_placed(&self) -> Result<(), Error> {
        let mut rows = self
            .entries()
            .filter_map(|entry| self.book.ledger.rows.get(entry.index as usize));
        if rows.any(|row| row.is_marked(mark::LIFTED)) {
            return Err(UsageError::StillLifted.into());
        }
        Ok(())
    }

    /// Updates timers, bindings and the list of vacant rows to match the changed rows.
    ///
    /// The timer heap compares rows by their contents. So all changed rows are first removed from it with their old
    /// contents, and only then inserted with their new ones.
    fn settle(&mut self) {
        let now = self.book.now();
        let ledger = &mut self.book.ledger;
        let entries = self
            .workspace
            .entries
            .get_mut(..self.len)
            .unwrap_or_default();
        // A row's first entry holds its contents before the transaction.
        let is_first = |row: &RowOf<R>| !row.is_marked(mark::LOGGED);
        for entry in entries.iter_mut() {
            entry.age = u32::from(is_first(&entry.row));
            if entry.age == 1
                && let Some(row) = ledger.rows.get_mut(entry.index as usize)
            {
                core::mem::swap(row, &mut entry.row);
            }
        }
        for entry in entries.iter_mut().filter(|entry| entry.age == 1) {
            // A rule is no row.
            if R::RULES && entry.index as usize >= ledger.rows.len() {
                continue;
            }
            ledger.note(entry.index as usize);
            let Some(row) = ledger.rows.get_mut(entry.index as usize) else {
                continue;
            };
            let old = *row;
            entry.row.marks &= mark::ENDING | terms::ALL;
            entry.row.fix_if_passed(now);
            if old.waits_as(&entry.row) {
                // Searches often place reservations where they were; those keep their timers.
                entry.age = 0;
                *row = Row {
                    timer: row.timer,
                    ..entry.row
                };
            } else if old.is_live() {
                ledger.timers(now).remove(entry.index);
            }
        }
        for entry in entries.iter().filter(|entry| entry.age == 1) {
            let index = entry.index as usize;
            let Some(row) = ledger.rows.get_mut(index) else {
                continue;
            };
            let old = core::mem::replace(row, entry.row);
            let new = *row;
            if old.is_running() {
                let kept = if new.is_live() { new.pes.get() } else { 0 };
                let given_back = old.pes.get().saturating_sub(kept);
                self.book.ring.unbind(index, given_back);
            }
            if new.is_live() {
                ledger.timers(now).insert(entry.index, new.due());
            } else {
                self.book.ring.forget(index);
                ledger.vacate(index);
            }
        }
    }

    /// Returns whether an entry is the first of its row and the row's booking now differs from it.
    fn has_changed(&self, number: usize) -> bool {
        let Some(entry) = self.workspace.entries.get(number) else {
            return false;
        };
        let (index, old) = (entry.index as usize, entry.row);
        let Some(new) = self.book.ledger.rows.get(index) else {
            return false;
        };
        if old.is_marked(mark::LOGGED) || !old.is_live() && !new.is_live() {
            return false;
        }
        let told = |row: &RowOf<R>| (row.describe(), row.placement());
        old.is_live() != new.is_live()
            || told(&old) != told(new)
            || self.has_other_pes(number, index)
    }
}

/// Restores the book if the transaction was not committed.
impl<R: Ring> Drop for Transaction<'_, '_, R> {
    fn drop(&mut self) {
        if self.len > 0 {
            self.undo(0);
            self.book.self_check();
        }
        // Changes that were rolled back before may have raised it, too.
        self.book.ledger.state.longest = self.longest;
    }
}
