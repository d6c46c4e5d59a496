//! Placing on exactly these processing elements.

use super::Transaction;
use crate::{
    book::Conflict,
    error::{Error, UsageError},
    handle::Handle,
    ledger::Placement,
    pe::PeCount,
    ring::Ring,
    time::{Slot, Window},
};

impl<R: Ring> Transaction<'_, '_, R> {
    /// Places a lifted reservation on exactly these processing elements, from `start` on and as long as before: a move in space, in time, or both. The set is
    /// given as for [`Book::reserve_exactly`](crate::Book::reserve_exactly) and has to serve the reservation's class, which stays what it is: when the
    /// reservation moves again, it keeps them where they are free, and gets others by its class else. A running one may give some up, and does not move.
    /// O(duration x columns + numbers / 32 + reservations with the same start).
    ///
    /// ```
    /// # use bookahead::{Commitment, Layout, PeCount, PlacedBook, Policy, Request, Slot, Span};
    /// # let mut memory = PlacedBook::<u32, 1, 1, 8, 1, 0>::zeroed();
    /// # let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// # let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3) };
    /// use bookahead::{Pe, PeWorkspace};
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut workspace = PeWorkspace::<u32, 1, 1, 0>::new();
    /// let mut transaction = book.transaction(workspace.view(), 100);
    /// transaction.lift(booking.handle)?;
    /// transaction.place_exactly(booking.handle, booking.start, &[0b1110_0000])?;
    /// transaction.commit()?;
    /// assert!(book.pes_of(booking.handle)?.map(Pe::get).eq([5, 6, 7]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::NotLifted`], [`UsageError::BadPes`], those of
    /// [`place`](Self::place) for the placement as far as it is the cause, [`UsageError::WrongState`] for a running one on others than it has,
    /// [`Refusal::NotEligible`](crate::Refusal::NotEligible), and those of [`place`](Self::place) for what is left.
    pub fn place_exactly(&mut self, handle: Handle, start: Slot, pes: &[u32]) -> Result<(), Error> {
        let (index, row) = self.lifted(handle)?;
        let count = self.book.ring.choose_exactly(pes);
        let count = count.ok_or(UsageError::BadPes)?;
        let placement = Placement {
            start,
            duration: row.duration,
            pes: PeCount::new(count),
        };
        self.check_placement(&row, &placement)?;
        self.book.ring.admit_exactly(index, &row, count)?;
        self.check_log(&[index])?;
        self.spend(placement.duration.get().into())?;
        let mut placed = row;
        placed.set_placement(&placement);
        let logged = self.touch(index);
        let claimed = self.for_class(R::exactly(), |transaction| {
            let ring = &mut transaction.book.ring;
            let offsets = ring.axis().covered(placed.window());
            ring.claim(index, offsets, count)
        });
        self.write_place(index, &row, &placed, (logged, claimed))
    }

    /// Returns who has one of these processing elements during `window`, but for the reservation `handle`, in the order of
    /// [`covering`](Self::covering); an unknown handle is nobody's. Cost as [`conflict`](Self::conflict), and O(numbers / 32).
    ///
    /// # Errors
    ///
    /// [`UsageError::BadPes`].
    pub fn conflict_exactly(
        &mut self,
        handle: Option<Handle>,
        window: Window,
        pes: &[u32],
    ) -> Result<Conflict, Error> {
        let chosen = self.book.ring.choose_exactly(pes);
        chosen.ok_or(UsageError::BadPes)?;
        let own = handle.and_then(|handle| self.book.ledger.find(handle).ok());
        let own = own.map(|(index, _)| index);
        let mut conflict = Conflict::NONE;
        self.book.add_those_there(window, own, &mut conflict);
        Ok(conflict)
    }
}
