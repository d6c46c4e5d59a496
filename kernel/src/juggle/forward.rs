//! Flexible reservations start earlier where room has appeared.

use heapless::VecView;

use crate::{
    book::{Advanced, Book},
    error::{Error, Refusal, UsageError},
    ledger::RowOf,
    ring::Ring,
    time::Slot,
    transaction::{Move, Transaction, Workspace},
};

impl<R: Ring> Book<'_, R> {
    /// Moves flexible reservations to earlier starts, not before `earliest`, for as long as one of them can start earlier: each time the first of those, in order of start and then
    /// of acceptance, to its first start in its own window. Nobody starts later than before, and nobody moves whose start is [fixed](Self::freeze). Who has moved is appended to
    /// `moves`; when that is full, the answer is [`Advanced::EventsWaiting`], and the next call goes on. The workspace needs an entry.
    ///
    /// Worthwhile after cancellations and early ends; [`advance_pulling`](crate::Queue::advance_pulling) does it whenever something has ended.
    ///
    /// O((moves + 1) x reservations x (reservations + a first fit + duration x columns)).
    ///
    /// ```
    /// use bookahead::{Commitment, CountWorkspace, Flexibility, Freeze, Move};
    /// # use bookahead::{Advanced, CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let first = book.reserve(&request, Policy::FirstFit, flexible)?;
    /// let second = book.reserve(&request, Policy::FirstFit, flexible)?;
    /// assert_eq!(second.start, Slot::new(8));
    ///
    /// book.cancel(first.handle)?;
    /// let (mut workspace, mut moves) = (CountWorkspace::<1, 0>::new(), heapless::Vec::<Move, 4>::new());
    /// assert_eq!(book.pull_forward(Slot::new(0), &mut workspace.view(), &mut moves)?, Advanced::Done);
    /// assert_eq!(moves[0].handle, second.handle);
    /// assert_eq!(book.get(second.handle)?.window.start, Slot::new(3));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::MoveLimit`] for a workspace without an entry.
    pub fn pull_forward(
        &mut self,
        earliest: Slot,
        workspace: &mut Workspace<'_, R::Part>,
        moves: &mut VecView<Move>,
    ) -> Result<Advanced, Error> {
        if workspace.capacity() == 0 {
            return Err(Refusal::MoveLimit.into());
        }
        let mut after = None;
        while let Some((place, index, row)) = self.next_to_pull(earliest, after) {
            let mut transaction = self.transaction(workspace.again(), u64::MAX);
            if !transaction.pull(index, &row, earliest)? {
                after = Some(place);
                continue;
            }
            if moves.is_full() {
                return Ok(Advanced::EventsWaiting);
            }
            let moved = transaction.moves().next();
            transaction.commit()?;
            // Cannot fail: the list is not full.
            let _ = moved.map(|moved| moves.push(moved));
            after = None;
        }
        Ok(Advanced::Done)
    }

    /// Returns the first reservation behind a place in the order that may be moved and does not stand at its earliest possible start.
    fn next_to_pull(
        &self,
        earliest: Slot,
        after: Option<(Slot, u64)>,
    ) -> Option<((Slot, u64), usize, RowOf<R>)> {
        let now = self.now();
        let mut next: Option<((Slot, u64), usize, RowOf<R>)> = None;
        for (index, row) in self.ledger.rows.iter().enumerate() {
            let place = (row.start(), row.accepted);
            if self.is_movable(row, now)
                && row.start() > row.ready.max(earliest).max(now)
                && after.is_none_or(|after| after < place)
                && next.is_none_or(|(next, ..)| place < next)
            {
                next = Some((place, index, *row));
            }
        }
        next
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Moves a reservation to its first start; returns whether that is earlier than before. If it is not, the transaction is to be dropped.
    fn pull(&mut self, index: usize, row: &RowOf<R>, earliest: Slot) -> Result<bool, Error> {
        self.lift_row(index, row)?;
        match self.place_first_fit(row.handle(index), earliest) {
            Err(reason)
                if reason == UsageError::ExactlyThese.into()
                    || reason == Refusal::NoRoom.into() =>
            {
                Ok(false)
            }
            start => start.map(|start| start < row.start()),
        }
    }
}
