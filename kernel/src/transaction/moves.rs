//! What a transaction changes, as a list, and doing it again.

use super::{Transaction, UndoEntry};
use crate::{
    error::{Error, UsageError},
    ledger::{Handle, Placement, mark},
    ring::Ring,
};

/// What a transaction does to one reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// The reservation.
    pub handle: Handle,
    /// Where it was booked; `None` for a new one.
    pub from: Option<Placement>,
    /// Where it is booked now; `None` for one that is removed.
    pub to: Option<Placement>,
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// What has changed so far: every reservation that is booked elsewhere than before, or inserted, or removed, in the order in which they were
    /// first touched. A lifted one counts as still being where it was. O(entries) for all of them.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.entries().filter_map(|entry| {
            // A row's first entry says what it was before the transaction.
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
            (change.from != change.to).then_some(change)
        })
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &UndoEntry> {
        self.log.entries.iter().take(self.len)
    }

    /// Makes moves true that another transaction has [planned](Self::plan): lifts all, removes those that go, then places the others in the
    /// order of the list; all or nothing. Costs as those calls.
    ///
    /// See [`plan`](Self::plan) for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::BadMove`] for one without `from`: a new reservation needs a request, see [`insert`](Self::insert).
    /// [`UsageError::StalePlan`] for a reservation that is no longer where the move says it was. Otherwise as [`lift`](Self::lift),
    /// [`remove`](Self::remove) and [`place`](Self::place).
    pub fn apply(&mut self, moves: &[Move]) -> Result<(), Error> {
        let (segment, before) = (self.segment, self.savepoint());
        let applied = self.apply_each(moves);
        if applied.is_err() {
            // The savepoint is good, since nothing went back beyond it.
            let _ = self.rollback_to(before);
        }
        self.segment = segment;
        applied
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
