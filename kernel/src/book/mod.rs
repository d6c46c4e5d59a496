//! The scheduler that embedders use: one ring, one ledger, and the calls that keep them in step.

mod advance;
mod explain;
mod launch;
mod offers;
mod plan;
mod query;
mod verify;
mod writer;

pub use advance::Advanced;
pub use explain::{Explanation, Obstacle};
pub(crate) use launch::{Ahead, Launch};
pub(crate) use plan::entry;
pub use plan::{Booking, Commitment, Plan, Version};
pub use query::{ProfileStep, Rectangle};

use crate::{
    error::Error,
    ledger::{Handle, Ledger},
    pe::PeCount,
    ring::Ring,
    time::{Slot, Span},
};
pub(crate) use writer::Writer;

/// A book of reservations over a ring: [`CountRing`](crate::raw::CountRing) binds processing elements when a job starts,
/// [`PeRing`](crate::raw::PeRing) when it is booked. It is a view of memory that a [`CountBook`](crate::CountBook) or
/// [`PeBook`](crate::PeBook), or the caller, owns.
///
/// `now` is an argument, never a clock: it moves with [`advance`](Self::advance) only. Whatever a call returns as an error has
/// left the book bit for bit as it was, scratch memory aside. With the feature `self-check` and debug assertions every call that changes
/// the book ends with [`check_invariants`](Self::check_invariants).
///
/// ```
/// use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
///
/// // One block of 64 slots, 4 PEs, 8 reservations; the machine has 4 PEs and the ring covers 48 slots.
/// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
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

impl<'a, R: Ring> Book<'a, R> {
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

    /// How many of them are used up, because their rows have been given out 2^32 - 1 times: handles never repeat. O(1).
    #[must_use]
    pub fn retired(&self) -> usize {
        self.ledger.state.retired as usize
    }

    /// The state that the book is in: plans and offers carry it. O(1).
    #[must_use]
    pub fn version(&self) -> Version {
        self.ledger.version()
    }

    /// Numbers the book among the caller's books, and anew when it is restored: so that a plan, an offer or a queue that was made for
    /// another is noticed. Books with equal numbers, such as 0 for all that are not numbered, cannot be told apart. O(1).
    ///
    /// ```
    /// # use bookahead::{CountBook, UsageError, PeCount, Policy, Request, Slot, Span, Commitment};
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// # let mut memory = [bookahead::fixture::memory(), bookahead::fixture::memory()];
    /// let [mut one, mut other] = memory.each_mut().map(|memory| memory.view());
    /// other.set_incarnation(1);
    /// let plan = one.plan(&request, Policy::FirstFit)?;
    /// assert_eq!(other.commit(&plan, Commitment::Confirmed), Err(UsageError::StalePlan.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.ledger.state.incarnation = incarnation;
    }

    /// Turns a held reservation into a promise: before its expiry, or, if it lasts until its start, before an advance has dealt with
    /// that start. O(log rows).
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
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
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle); [`NotHeld`](crate::UsageError::NotHeld)
    /// for a reservation that is confirmed already;
    /// [`HoldExpired`](crate::UsageError::HoldExpired) when its time is over although no advance has reported it yet.
    pub fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
        let now = self.now();
        let done = self.ledger.confirm(handle, now);
        self.self_check();
        done
    }

    /// Gives a reservation back, whatever its state; of a running one, what is left of it. O(duration x columns + log rows), and with
    /// late binding O(PEs) more for a running one.
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
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
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
        let done = self.writer().cancel(handle);
        self.self_check();
        done
    }

    /// The running job of `handle` is done at the beginning of slot `at` (or was, for an `at` that has passed): the rest of its
    /// booking becomes free. For an `at` to come the job keeps what it has until then, and the advance to `at` reports
    /// [`Completed`](crate::EventKind::Completed); otherwise the handle is stale at once. O(duration x columns + log rows),
    /// and with late binding O(PEs) more.
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
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
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle); [`NotRunning`](crate::UsageError::NotRunning)
    /// before the job's start has been reported;
    /// [`AfterBookedEnd`](crate::UsageError::AfterBookedEnd) for an `at` after the booked end, which is final.
    pub fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        let done = self.writer().complete(handle, at);
        self.self_check();
        done
    }

    pub(crate) fn writer(&mut self) -> Writer<'_, 'a> {
        Writer {
            ring: &mut self.ring,
            ledger: &mut self.ledger,
        }
    }

    /// Checks everything, where tests and fuzzing ask for that: an embedder's debug build has to stay usable. Every call that changes the book
    /// ends here.
    pub(crate) fn self_check(&mut self) {
        #[cfg(feature = "self-check")]
        debug_assert_eq!(self.check_invariants(), Ok(()));
    }
}
