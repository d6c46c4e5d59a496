//! Fixing the start of a flexible reservation.

use super::Book;
use crate::{error::Error, handle::Handle, ledger::RowOf, ring::Ring, time::Slot};

impl<R: Ring> Book<'_, R> {
    /// Fixes the start of a reservation from now on: juggling does not move it any more. The next advance reports
    /// [`StartFixed`](crate::EventKind::StartFixed), unless the reservation starts now. Nothing changes when the start
    /// is fixed already. O(log rows).
    ///
    /// ```
    /// use bookahead::{Commitment, EventKind, Flexibility, Freeze};
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let plan = book.plan(&request, Policy::FirstFit)?;
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let handle = book.commit(&plan, flexible)?;
    /// assert!(!book.is_frozen(handle)?);
    /// book.freeze(handle)?;
    /// assert!(book.is_frozen(handle)?);
    /// assert_eq!(book.next(Slot::new(0))?.map(|event| event.kind), Some(EventKind::StartFixed));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn freeze(&mut self, handle: Handle) -> Result<(), Error> {
        let now = self.now();
        let done = self.ledger.freeze(handle, now).map(drop);
        self.self_check();
        done
    }

    /// Returns whether others may move a reservation at `now`: juggling and shifting.
    pub(crate) fn is_movable(&self, row: &RowOf<R>, now: Slot) -> bool {
        row.is_movable(now) && !self.is_under_overlays(row)
    }

    /// Returns whether the reservation of a row is in part overlaid, or something is in one of its slots, so that nobody
    /// moves or alters it. The first is not always seen in the slots: an overlay that has waited in vain has none left.
    pub(crate) fn is_pinned(&self, index: usize, row: &RowOf<R>) -> bool {
        R::OVERLAYS && (self.ring.overlaid(index) > 0 || self.is_under_overlays(row))
    }

    /// Returns whether something is overlaid in a slot of a reservation.
    fn is_under_overlays(&self, row: &RowOf<R>) -> bool {
        R::OVERLAYS
            && self
                .ring
                .is_overlaid(self.ring.axis().covered(row.window()))
    }

    /// Returns whether the start of a reservation is fixed: because it is strict, held or running, or because it was
    /// flexible and its time to be fixed has come. O(1).
    ///
    /// See [`freeze`](Self::freeze) for an example.
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn is_frozen(&self, handle: Handle) -> Result<bool, Error> {
        let (_, row) = self.ledger.find(handle)?;
        Ok(row.is_fixed(self.now()))
    }
}
