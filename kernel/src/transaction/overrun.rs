//! Jobs that take longer than they said.

use core::ops::Range;

use heapless::VecView;

use super::{Transaction, alter::Alteration};
use crate::{
    error::{Error, Refusal, UsageError},
    handle::Handle,
    ledger::{Placement, RowOf, mark},
    request::Request,
    ring::{Count, CountScan, Ring},
    time::{Slot, Window},
};

/// A promise that is broken: a reservation that had to leave, since it was in the way of what cannot wait, and found no other place in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Broken {
    /// The handle that it had.
    pub handle: Handle,
    /// What was promised, as altered since by its owner.
    pub request: Request,
    /// Where it was placed.
    pub placement: Placement,
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Gives a running reservation the time that it takes: extends it up to `until`, whoever is in the way. Returns its new placement.
    ///
    /// With late binding, others are in the way as long as too few processing elements are free in a slot that they cover; with early binding, all that hold
    /// one of its own. Holds go first, then confirmed reservations, of each the latest accepted first. They are lifted, and when the extended one has its place, they are placed
    /// again, the earliest accepted first: at the same start if possible, perhaps on other processing elements, else at the first start in their own window.
    /// Whoever finds no place leaves, and is appended to `broken` as far as there is room; the [moves](Self::moves) name all of them, and who was moved. A start that
    /// was reported as [fixed](crate::EventKind::StartFixed) may move.
    ///
    /// O(those in the way x (reservations + duration x columns + a first fit)).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, CountWorkspace, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// use bookahead::Broken;
    /// let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(8), pes: PeCount::new(3) };
    /// let job = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let strict = Request { ready: Slot::new(8), deadline: Slot::new(13), ..request };
    /// let next = book.reserve(&strict, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(3), &mut events)?;
    ///
    /// let (mut workspace, mut broken) = (CountWorkspace::<4, 0>::new(), heapless::Vec::<Broken, 4>::new());
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// let placement = transaction.extend_by_force(job.handle, Slot::new(10), &mut broken)?;
    /// assert_eq!(placement.duration, Span::new(7));
    /// assert_eq!((broken[0].handle, broken[0].request), (next.handle, strict));
    /// transaction.commit()?;
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::AlreadyLifted`], [`Refusal::Pinned`],
    /// [`UsageError::WrongState`] for one that does not run, or whose end is announced, [`UsageError::WrongDirection`] for an end that is not later,
    /// [`Refusal::BeyondHorizon`], [`Refusal::MoveLimit`], [`Refusal::WorkLimit`], [`Refusal::NoRoom`] where a rule is in the way, [`Refusal::Pinned`] where only pinned ones, or what is out of service, are left in the way. In every case the
    /// transaction is as it was before, except for the work, and nothing is appended.
    pub fn extend_by_force(
        &mut self,
        handle: Handle,
        until: Slot,
        broken: &mut VecView<Broken>,
    ) -> Result<Placement, Error> {
        let (index, row) = self.booked(handle)?;
        if !row.is_running() || row.is_marked(mark::ENDING) {
            return Err(UsageError::WrongState.into());
        }
        if until <= row.end() {
            return Err(UsageError::WrongDirection.into());
        }
        let duration = until.since(row.start()).ok_or(Refusal::BeyondHorizon)?;
        let longer = Alteration::Extend { duration };
        let listed = broken.len();
        let extended = self.all_or_nothing(|transaction| {
            match transaction.alter(handle, longer) {
                Err(reason) if reason == Refusal::NoRoom.into() => (),
                extended => return extended,
            }
            let taken = Window {
                start: row.end(),
                end: until,
            };
            let first = transaction.len;
            while let Some((index, row)) = transaction.next_victim(index, taken)? {
                transaction.lift_row(index, &row)?;
            }
            let lifted = first..transaction.len;
            let extended = transaction.alter(handle, longer)?;
            transaction.find_places(lifted, broken)?;
            Ok(extended)
        });
        if extended.is_err() {
            broken.truncate(listed);
        }
        extended
    }

    /// Returns the next row to lift, so that the running one at `own` can go on throughout `taken`.
    fn next_victim(&self, own: usize, taken: Window) -> Result<Option<(usize, RowOf<R>)>, Error> {
        let ring = &self.book.ring;
        let most = self.book.ledger.rows.get(own).map(|row| row.pes.get());
        let most = ring.axis().width().saturating_sub(most.unwrap_or_default());
        let in_the_way = |index: usize, row: &RowOf<R>| {
            if !R::COUNTS_DECIDE {
                return ring.shares(own, index);
            }
            let offsets = ring.axis().covered(row.window().overlap(taken));
            R::Scan::first_above(ring.counts(), ring.axis(), offsets, Count::of(most)).is_some()
        };
        let rows = self.book.covering_rows(taken);
        let rows = rows.filter(|(index, row)| !row.is_running() && in_the_way(*index, row));
        let mut pinned = false;
        let mut next: Option<((bool, u64), usize, RowOf<R>)> = None;
        for (index, row) in rows {
            if self.book.is_pinned(index, row) || R::is_out(row) {
                pinned = true;
                continue;
            }
            let key = (row.is_held(), row.accepted);
            if next.is_none_or(|(before, ..)| before < key) {
                next = Some((key, index, *row));
            }
        }
        match next {
            None if pinned => Err(Refusal::Pinned.into()),
            next => Ok(next.map(|(_, index, row)| (index, row))),
        }
    }

    /// Places those again that entries of the log have lifted, or lets them go.
    pub(super) fn find_places(
        &mut self,
        lifted: Range<usize>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        while let Some((_, index)) = self.lifted_rows(lifted.clone()).min() {
            let row = self.book.ledger.rows.get(index).copied();
            let row = row.unwrap_or_default();
            let handle = row.handle(index);
            if !self.finds_place(handle, row.placement())? {
                self.break_promise(index, &row, broken)?;
            }
        }
        Ok(())
    }

    /// Removes the reservation in row `index`, which is `row`, and says so. Whoever has lent too short a list finds the rest among the moves.
    pub(super) fn break_promise(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        let handle = row.handle(index);
        self.remove(handle)?;
        let _ = broken.push(Broken {
            handle,
            request: row.describe().request,
            placement: row.placement(),
        });
        Ok(())
    }

    /// Places a lifted reservation again, where it was or at the first start in its window; returns whether there is any.
    fn finds_place(&mut self, handle: Handle, placement: Placement) -> Result<bool, Error> {
        match self.place(handle, placement) {
            Err(reason) if is_no_place(reason) => (),
            placed => return placed.map(|()| true),
        }
        match self.place_first_fit(handle, self.now()) {
            Err(reason) if is_no_place(reason) => Ok(false),
            placed => placed.map(|_| true),
        }
    }
}

/// Returns whether somebody who is refused for that has to look elsewhere, or to leave.
fn is_no_place(reason: Error) -> bool {
    matches!(
        reason,
        Error::Refused(Refusal::NoRoom | Refusal::ReadyInPast)
            | Error::Misused(UsageError::ExactlyThese)
    )
}
