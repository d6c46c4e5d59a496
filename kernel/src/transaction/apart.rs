//! Splitting a reservation in two.

use super::{Transaction, Workspace};
use crate::{
    book::Book,
    error::{Error, Refusal, UsageError},
    handle::Handle,
    ledger::{Phase, Row, mark},
    ring::Ring,
    time::{Slot, Span},
};

impl<R: Ring> Book<'_, R> {
    /// Splits a reservation at a slot inside it, in a transaction of its own that takes two entries of `workspace`: as [`Transaction::split`].
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, CountWorkspace, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.handle;
    /// let rest = book.split(first, Slot::new(5), CountWorkspace::<2, 0>::new().view())?;
    /// assert_eq!(book.get(first)?.window.end, Slot::new(5));
    /// assert_eq!(book.get(rest)?.window.end, Slot::new(8));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::split`].
    pub fn split(
        &mut self,
        handle: Handle,
        at: Slot,
        workspace: Workspace<'_, R::Part>,
    ) -> Result<Handle, Error> {
        let mut transaction = self.transaction(workspace, u64::MAX);
        let rest = transaction.split(handle, at)?;
        transaction.commit()?;
        Ok(rest)
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Splits a reservation at slot `at`, so that the rest from there on can be moved, altered or cancelled separately.
    /// The first part keeps its handle, and its deadline becomes `at`. The rest is a confirmed reservation of its own,
    /// ready at `at`, with the deadline of the whole, on as many processing elements, with early binding on the same
    /// ones; its start is strict, also where that of the whole was flexible. O(columns + log rows).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`],
    /// [`UsageError::AlreadyLifted`], [`Refusal::Pinned`], [`UsageError::WrongState`] for a hold and for a job whose end is announced,
    /// [`Refusal::OutsideWindow`] for a slot that is not inside or has passed, [`Refusal::TableFull`],
    /// [`Refusal::MoveLimit`], [`Refusal::WorkLimit`].
    pub fn split(&mut self, handle: Handle, at: Slot) -> Result<Handle, Error> {
        let (index, old) = self.booked(handle)?;
        if old.is_held() || old.is_marked(mark::ENDING) {
            return Err(UsageError::WrongState.into());
        }
        let now = self.now();
        let behind_now = !old.is_running() || at > now;
        let done = at
            .since(old.start())
            .filter(|done| *done > Span::ZERO && at < old.end() && behind_now)
            .ok_or(Refusal::OutsideWindow)?;
        let rest = self.book.ledger.next_row().ok_or(Refusal::TableFull)?;
        self.check_log(&[index, rest])?;
        self.spend(u64::from(old.duration.get()).saturating_mul(2))?;
        let first = Row {
            requested: done,
            duration: done,
            room: at.since(old.ready).unwrap_or_default(),
            ..old
        };
        let left = old.end().since(at).unwrap_or_default();
        let second = Row {
            ready: at,
            room: old.deadline().since(at).unwrap_or_default(),
            requested: left,
            duration: left,
            ahead: at.since(now).unwrap_or_default(),
            pes: old.pes,
            requested_pes: old.pes,
            spare: old.spare,
            phase: Phase::CONFIRMED,
            ..Row::VACANT
        };
        // The ring does not change: the parts together hold what the whole held.
        self.touch(index);
        self.set_row(index, &old, &first);
        for part in 0..self.book.ring.set(index).len() {
            let own = self.book.ring.set(index).get(part).copied();
            if let (Some(own), Some(part)) = (own, self.book.ring.set_mut(rest).get_mut(part)) {
                *part = own;
            }
        }
        Ok(self.insert_row(rest, &second))
    }
}
