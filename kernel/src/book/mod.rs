//! The book: the scheduler that embedders use. It keeps one ring and one ledger consistent.

mod advance;
mod ask;
#[cfg(feature = "outages")]
mod bind;
#[cfg(feature = "placement")]
mod classes;
mod conflict;
mod demand;
#[cfg(feature = "placement")]
mod exactly;
mod explain;
#[cfg(any(feature = "outages", feature = "plan"))]
mod extension;
mod freeze;
mod launch;
mod mould;
mod offers;
#[cfg(feature = "outages")]
mod open_ended;
mod plan;
#[cfg(feature = "plan")]
mod preempt;
mod profile;
mod query;
mod verify;
mod writer;

pub use advance::Advanced;
pub use ask::Ask;
pub(crate) use ask::{Asking, asking};
#[cfg(feature = "placement")]
pub use classes::choose;
pub use conflict::Conflict;
#[cfg(feature = "outages")]
pub(crate) use conflict::covering;
pub use explain::{Explanation, Obstacle};
pub(crate) use launch::{Ahead, Launch};
pub use mould::MouldedPlan;
pub use plan::{Booking, Commitment, Plan};
pub(crate) use plan::{check_hold, entry};
pub use query::{ProfileStep, Rectangle};

use crate::{
    error::Error,
    handle::Handle,
    ledger::Ledger,
    pe::PeCount,
    ring::{CountOf, Ring, SetParts},
    time::{Slot, Span},
    version::Version,
};
pub(crate) use writer::Writer;

/// A book of reservations over a ring. A [`CountRing`](crate::raw::CountRing) binds processing elements late, when a
/// job starts; a [`PeRing`](crate::raw::PeRing) binds them early, when the job is booked. The book is a view of memory
/// that a [`CountBook`](crate::CountBook), a [`PeBook`](crate::PeBook) or the caller owns.
///
/// The book reads no clock: `now` moves only with [`advance`](Self::advance). A call that returns an error leaves the
/// book bit for bit as it was, except for scratch memory. With the feature `self-check` and debug assertions, every
/// call that changes the book ends with [`check_invariants`](Self::check_invariants).
///
/// ```
/// use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span};
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
/// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
/// let second = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
/// assert_eq!((first.start, second.start), (Slot::new(10), Slot::new(15)));
/// assert!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).is_err());
/// # Ok::<(), bookahead::Error>(())
/// ```
pub struct Book<'a, R: SetParts> {
    pub(crate) ring: R,
    pub(crate) ledger: Ledger<'a, CountOf<R>>,
}

impl<'a, R: Ring> Book<'a, R> {
    /// Returns the present slot. O(1).
    #[must_use]
    pub fn now(&self) -> Slot {
        self.ring.axis().now()
    }

    /// Returns how many slots the ring covers, from `now` on. O(1).
    #[must_use]
    pub fn horizon(&self) -> Span {
        self.ring.axis().horizon()
    }

    /// Returns how many processing elements the machine has. O(1).
    #[must_use]
    pub fn pes(&self) -> PeCount {
        self.ring.axis().pes()
    }

    /// Returns the number of live reservations: held, confirmed or running. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.ledger.live()
    }

    /// Returns whether there is no live reservation. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how many reservations there is memory for. O(1).
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.ledger.rows.len()
    }

    /// Returns how many ledger rows are retired. Handles never repeat, so a row is retired once it has been given out
    /// 2^32 - 1 times. O(1).
    #[must_use]
    pub fn retired(&self) -> usize {
        self.ledger.state.retired as usize
    }

    /// Returns the version of the book, which plans and offers carry. O(1).
    #[must_use]
    pub fn version(&self) -> Version {
        self.ledger.version()
    }

    /// Sets the incarnation of the book: a number that tells the caller's books apart, and a restored book from the
    /// original. A plan, an offer or a queue that was made for another incarnation is rejected. Books with equal
    /// incarnations, such as the default 0, cannot be told apart. O(1).
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
        #[cfg(feature = "journal")]
        if let Some(journal) = &mut self.ledger.journal {
            journal.state.incarnation = incarnation;
        }
    }

    /// Confirms a held reservation. This is possible before its expiry or, for a hold that lasts until its start,
    /// before an advance has processed that start. O(log rows).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// // The customer has four slots to decide.
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Held { ttl: Span::new(4) })?;
    /// book.confirm(booking.handle)?;
    /// assert!(book.confirm(booking.handle).is_err(), "once is enough");
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle);
    /// [`NotHeld`](crate::UsageError::NotHeld) for a reservation that is confirmed already;
    /// [`HoldExpired`](crate::UsageError::HoldExpired) when the hold has expired, although no advance has reported it
    /// yet.
    pub fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
        let now = self.now();
        let done = self.ledger.confirm(handle, now);
        #[cfg(feature = "risk")]
        if R::OVERLAYS && done.is_ok() {
            self.confirm_overlay(handle);
        }
        self.self_check();
        done
    }

    /// Cancels a reservation in any state; of a running one, the rest of its booking is freed.
    /// O(duration x columns + log rows), and with late binding O(PEs) more for a running one.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// book.cancel(booking.handle)?;
    /// assert!(book.is_empty() && book.get(booking.handle).is_err());
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
        #[cfg(feature = "outages")]
        if R::RULES {
            let (row, _) = self.ledger.find(handle)?;
            self.end_open(row, self.now());
        }
        let done = self.writer().cancel(handle);
        self.self_check();
        done
    }

    /// Completes the running job of `handle` at the beginning of slot `at`, which may have passed: the rest of its
    /// booking becomes free. If `at` lies ahead, the job keeps its processing elements until then, and the advance to
    /// `at` reports [`Completed`](crate::EventKind::Completed); otherwise the handle is stale at once.
    /// O(duration x columns + log rows), and with late binding O(PEs) more.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(0), &mut events)?;
    /// book.complete(booking.handle, Slot::new(2))?;
    /// assert_eq!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.start, Slot::new(2));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle);
    /// [`NotRunning`](crate::UsageError::NotRunning) before the job's start has been reported;
    /// [`AfterBookedEnd`](crate::UsageError::AfterBookedEnd) for an `at` after the booked end, which is final; for an open-ended job those of
    /// `announce_end` instead.
    pub fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        #[cfg(feature = "outages")]
        if R::RULES && self.is_open(handle)? {
            if at <= self.now() {
                return self.cancel(handle);
            }
            self.close_at(handle, at)?;
        }
        let done = self.writer().complete(handle, at);
        self.self_check();
        done
    }

    pub(crate) fn writer(&mut self) -> Writer<'_, 'a, CountOf<R>> {
        Writer {
            ring: &mut self.ring,
            ledger: &mut self.ledger,
        }
    }

    /// Checks all invariants, with the feature `self-check` and debug assertions only: an embedder's debug build has to
    /// stay fast enough. Every call that changes the book ends with this.
    pub(crate) fn self_check(&mut self) {
        #[cfg(feature = "self-check")]
        debug_assert_eq!(self.check_invariants(), Ok(()));
    }
}
