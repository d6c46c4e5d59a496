//! The scheduler that embedders use: one ring, one ledger, and the calls that keep them in step.

mod advance;
mod launch;
mod offers;
mod plan;
mod query;
mod verify;

pub use advance::Advanced;
pub(crate) use launch::{Ahead, Launch};
pub use plan::{Booking, Plan, Terms};
pub use query::{Record, Rectangle};

use crate::{Error, Handle, PeCount, Slot, Span, Window, ledger::Ledger, ring::Ring};

/// A book of reservations over a ring: [`CountRing`](crate::CountRing) binds processing elements when a job starts,
/// [`PeRing`](crate::PeRing) when it is booked. It is a view of memory that a [`CountBook`](crate::CountBook) or
/// [`PeBook`](crate::PeBook), or the caller, owns.
///
/// `now` is an argument, never a clock: it moves with [`advance`](Self::advance) only. Whatever a call returns as an error has
/// left the book bit for bit as it was, scratch memory aside. In debug builds every call that changes the book ends with
/// [`check_invariants`](Self::check_invariants).
///
/// ```
/// use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
///
/// // One block of 64 slots, 4 PEs, 8 reservations; the machine has 4 PEs and the ring covers 48 slots.
/// let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
/// let mut book = memory.view();
/// let request = Request {
///     ready: Slot::new(10),
///     duration: Span::new(5),
///     deadline: Slot::new(20),
///     pes: PeCount::new(3),
/// };
/// let first = book.reserve(&request, Policy::FirstFit)?;
/// let second = book.reserve(&request, Policy::FirstFit)?;
/// assert_eq!((first.start, second.start), (Slot::new(10), Slot::new(15)));
/// assert!(book.reserve(&request, Policy::FirstFit).is_err());
/// # Ok::<(), bookahead::Error>(())
/// ```
pub struct Book<'a, R> {
    pub(crate) ring: R,
    pub(crate) ledger: Ledger<'a>,
}

impl<R: Ring> Book<'_, R> {
    /// The present slot. O(1).
    #[must_use]
    pub fn now(&self) -> Slot {
        self.ring.axis().now()
    }

    /// How many slots from `now` on the ring covers. O(1).
    #[must_use]
    pub fn horizon(&self) -> Span {
        self.ring.axis().horizon()
    }

    /// How many processing elements the machine has. O(1).
    #[must_use]
    pub fn pes(&self) -> PeCount {
        self.ring.axis().pes()
    }

    /// How many reservations live: held, confirmed or running. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.ledger.live()
    }

    /// Whether no reservation lives. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many reservations there is memory for. O(1).
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.ledger.rows.len()
    }

    /// Turns a held reservation into a promise: before its expiry, or, if it lasts until its start, before an advance has dealt with
    /// that start. O(log rows).
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// // The customer has four slots to make up his mind.
    /// let booking = book.hold(&request, Policy::FirstFit, Span::new(4))?;
    /// book.confirm(booking.handle)?;
    /// assert!(book.confirm(booking.handle).is_err(), "once is enough");
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::Misuse::UnknownHandle), [`StaleHandle`](crate::Misuse::StaleHandle); [`NotHeld`](crate::Misuse::NotHeld)
    /// for a reservation that is confirmed already;
    /// [`HoldExpired`](crate::Misuse::HoldExpired) when its time is over although no advance has reported it yet.
    pub fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
        let now = self.now();
        self.ledger.confirm(handle, now)?;
        self.changed();
        Ok(())
    }

    /// Gives a reservation back, whatever its state; of a running one, what is left of it. O(duration x columns + log rows), and with
    /// late binding O(PEs) more for a running one.
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit)?;
    /// book.cancel(booking.handle)?;
    /// assert!(book.is_empty() && book.get(booking.handle).is_err());
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::Misuse::UnknownHandle), [`StaleHandle`](crate::Misuse::StaleHandle).
    pub fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
        let (row, _) = self.ledger.find(handle)?;
        self.strike(row);
        self.changed();
        Ok(())
    }

    /// The running job of `handle` is done at the beginning of slot `at` (or was, for an `at` that has passed): the rest of its
    /// booking becomes free. For an `at` to come the job keeps what it has until then, and the advance to `at` reports
    /// [`Completed`](crate::EventKind::Completed); otherwise the handle is stale at once. O(duration x columns + log rows),
    /// and with late binding O(PEs) more.
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(0), &mut events)?;
    /// book.complete(booking.handle, Slot::new(2))?;
    /// assert_eq!(book.reserve(&request, Policy::FirstFit)?.start, Slot::new(2));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::Misuse::UnknownHandle), [`StaleHandle`](crate::Misuse::StaleHandle); [`NotRunning`](crate::Misuse::NotRunning)
    /// before the job's start has been reported;
    /// [`AfterBookedEnd`](crate::Misuse::AfterBookedEnd) for an `at` after the booked end, which is final.
    pub fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        let at = at.max(self.now());
        let (row, rest, news) = self.ledger.ending(handle, at)?;
        if !news {
            return Ok(());
        }
        if rest.is_empty() || at > self.now() {
            self.free(row, rest);
            self.ledger.announce(row, at);
        } else {
            self.strike(row);
        }
        self.changed();
        Ok(())
    }

    /// Gives back what the reservation in `row` has of `window`.
    fn free(&mut self, row: usize, window: Window) {
        if let Some(pes) = self.ledger.rows.get(row).map(|row| row.pes.get()) {
            let offsets = self.ring.axis().covered(window);
            self.ring.free(row, offsets, pes);
        }
    }

    /// Removes the reservation in `row` and frees what is left of its window.
    fn strike(&mut self, row: usize) {
        let Some(old) = self.ledger.rows.get(row) else {
            return;
        };
        let (start, window, pes) = (old.start, old.window(), old.pes.get());
        if old.is_running() {
            self.ring.unbind(row, pes);
        }
        self.free(row, window);
        let place = self.start_place(start);
        self.ledger.strike(row, place);
    }

    /// Where the list of the reservations that start at `start` hangs, for those that have not started.
    fn start_place(&self, start: Slot) -> usize {
        let axis = self.ring.axis();
        axis.place(axis.nearest(start))
    }

    /// Notes that the book is not what it was. Every call that changes it ends here.
    fn changed(&mut self) {
        self.ledger.state.version = self.ledger.state.version.wrapping_add(1);
        debug_assert_eq!(self.check_invariants(), Ok(()));
    }
}
