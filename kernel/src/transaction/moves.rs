//! The changes of a transaction as a list of moves, and applying such a list.

use super::{Transaction, UndoEntry};
use crate::{
    error::{Error, UsageError},
    handle::Handle,
    ledger::{Placement, mark},
    ring::{CountOf, Ring},
};

/// The change of one reservation by a transaction. With early binding, a reservation that is moved may get other
/// processing elements; one that gets others at the same placement is listed, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// The handle of the reservation.
    pub handle: Handle,
    /// Its former placement; `None` for a new reservation.
    pub from: Option<Placement>,
    /// Its new placement; `None` for a reservation that is removed.
    pub to: Option<Placement>,
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Returns what has changed so far: every reservation that is placed elsewhere or on other processing elements than
    /// before, inserted or removed, in the order in which they were first touched. A lifted one counts as still at its former placement. O(entries) for
    /// all of them.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.entries().enumerate().filter_map(|(number, entry)| {
            // A row's first entry holds its contents before the transaction.
            if entry.row.is_marked(mark::LOGGED) {
                return None;
            }
            let index = entry.index as usize;
            let row = self.book.ledger.rows.get(index)?;
            let change = Move {
                handle: row.handle(index),
                from: entry.row.is_live().then(|| entry.row.placement()),
                to: row.is_live().then(|| row.placement()),
            };
            let stays = change.to.is_some() && self.has_other_pes(number, index);
            (change.from != change.to || stays).then_some(change)
        })
    }

    /// Returns whether a row holds other processing elements than entry number `number` of the log says.
    pub(super) fn has_other_pes(&self, number: usize, index: usize) -> bool {
        let set = self.book.ring.set(index);
        let logged = self.workspace.set(number, set.len());
        logged.is_some_and(|logged| *logged != *set)
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = &UndoEntry<CountOf<R>>> {
        self.workspace.entries.iter().take(self.len)
    }

    /// Applies moves that another transaction has [planned](Self::plan), all or none: lifts all reservations, except
    /// that those without `to` are removed, then places the lifted ones in the order of the list. Costs as those calls.
    ///
    /// See [`plan`](Self::plan) for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::BadMove`] for a move without `from`: a new reservation needs a request, see
    /// [`insert`](Self::insert). [`UsageError::StalePlan`] for a reservation whose placement is no longer the move's
    /// `from`. Otherwise as [`lift`](Self::lift), [`remove`](Self::remove) and [`place`](Self::place).
    pub fn apply(&mut self, moves: &[Move]) -> Result<(), Error> {
        self.all_or_nothing(|transaction| transaction.apply_each(moves))
    }

    /// Makes several changes, or none when one of them fails.
    pub(crate) fn all_or_nothing<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (segment, before) = (self.segment, self.savepoint());
        let changed = change(self);
        if changed.is_err() {
            // Cannot fail: the transaction was not rolled back beyond this savepoint.
            let _ = self.rollback_to(before);
        }
        self.segment = segment;
        changed
    }

    fn apply_each(&mut self, moves: &[Move]) -> Result<(), Error> {
        for change in moves {
            let from = change.from.ok_or(UsageError::BadMove)?;
            let (_, row) = self.booked(change.handle)?;
            if row.placement() != from {
                return Err(UsageError::StalePlan.into());
            }
            if change.to.is_some() {
                self.lift(change.handle)?;
            } else {
                self.remove(change.handle)?;
            }
        }
        for change in moves {
            if let Some(to) = change.to {
                self.place(change.handle, to)?;
            }
        }
        Ok(())
    }
}
