//! Reservations of exactly these processing elements.

use super::{Book, Commitment, Conflict, Plan};
use crate::{
    error::{Error, Refusal, UsageError},
    fit::Job,
    handle::Handle,
    pe::PeCount,
    request::Request,
    ring::Ring,
    time::{Span, Window},
};

impl<R: Ring> Book<'_, R> {
    /// Reserves exactly these processing elements during exactly this window: what runs already when a book is begun, or what an administrator takes out.
    /// The set has a bit for each number, in as many words as [`numbers`](Self::numbers) need. Where it is not free, nothing has changed, and `conflict`
    /// lists who is there; in all other cases it is empty.
    ///
    /// The reservation keeps these processing elements as long as it lives, unless its owner [places it on others](crate::Transaction::place_exactly): it is
    /// neither widened nor narrowed, and moves in time only where they are free. O(duration x columns + numbers / 32 + log rows).
    ///
    /// ```
    /// use bookahead::{Commitment, Conflict, Layout, Pe, PeCount, PlacedBook, Policy, Refusal, Request, Slot, Span, Window};
    /// let mut memory = PlacedBook::<u32, 1, 1, 8, 1, 0>::zeroed();
    /// let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// // Both of group 1 are out of service for a while.
    /// let (window, mut there) = (Window { start: Slot::new(5), end: Slot::new(9) }, Conflict::NONE);
    /// let service = book.reserve_exactly(window, &[0b1100], Commitment::Confirmed, &mut there)?;
    /// let request = Request { ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3) };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert!(book.pes_of(booking.handle)?.map(Pe::get).eq([0, 1, 4]));
    /// let refused = book.reserve_exactly(window, &[0b11000], Commitment::Confirmed, &mut there);
    /// assert_eq!((refused, there.handles()), (Err(Refusal::NoRoom.into()), &[booking.handle, service][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`], [`UsageError::ExactlyThese`] for a flexible one, [`UsageError::BadPes`], also in every book without a
    /// layout, [`UsageError::ZeroDuration`], [`Refusal::TooLong`], [`Refusal::ReadyInPast`], [`Refusal::BeyondHorizon`], [`Refusal::TableFull`],
    /// [`Refusal::NoRoom`].
    pub fn reserve_exactly(
        &mut self,
        window: Window,
        pes: &[u32],
        commitment: Commitment,
        conflict: &mut Conflict,
    ) -> Result<Handle, Error> {
        *conflict = Conflict::NONE;
        commitment.check()?;
        if matches!(commitment, Commitment::Flexible { .. }) {
            return Err(UsageError::ExactlyThese.into());
        }
        let pes = self.ring.choose_exactly(pes).ok_or(UsageError::BadPes)?;
        let request = Request {
            ready: window.start,
            duration: window.len().unwrap_or(Span::ZERO),
            deadline: window.end,
            pes: PeCount::new(pes),
        };
        Job::admit(self.ring.axis(), &request)?;
        if self.ledger.next_row().is_none() {
            return Err(Refusal::TableFull.into());
        }
        let plan = Plan::new(request, window.start, self.version());
        let plan = plan.ok_or(Refusal::BeyondHorizon)?;
        let made = self.for_class(R::exactly(), |book| book.commit_asked(&plan, commitment));
        if made.is_err() {
            // All else has been checked.
            self.add_those_there(window, None, conflict);
            return Err(Refusal::NoRoom.into());
        }
        made
    }

    /// Returns how many numbers processing elements have: on a machine with a layout, those that groups lack have numbers too. O(1).
    #[must_use]
    pub fn numbers(&self) -> u16 {
        self.ring.numbers()
    }

    /// Adds the reservations that have one of the set that was noted during `window`, but for that in row `own`, and the rules that take one.
    pub(crate) fn add_those_there(
        &mut self,
        window: Window,
        own: Option<usize>,
        conflict: &mut Conflict,
    ) {
        for (index, other) in self.covering_rows(window) {
            if Some(index) != own && self.ring.meets(index) {
                conflict.add(other.handle(index));
            }
        }
        #[cfg(feature = "outages")]
        {
            let offsets = self.ring.axis().covered(window);
            conflict.add_rules(self.ring.rules_on_noted(offsets));
        }
    }
}
