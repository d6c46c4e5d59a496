//! Advancing time.

use heapless::VecView;

use super::Book;
use crate::{
    error::{Error, UsageError},
    event::Event,
    ring::Ring,
    time::Slot,
};

/// How far an [`advance`](Book::advance) got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "events may be waiting"]
pub enum Advanced {
    /// `now` is the requested slot; all events have been reported.
    Done,
    /// The event list is full, and `now` is the slot of the first event not yet reported. Advance again with a list
    /// that is not full.
    EventsWaiting,
}

impl<R: Ring> Book<'_, R> {
    /// Returns the next event on the way to `to`, with `now` moved to its slot; `None` when there is no more and `now`
    /// is `to`. Between events the book is consistent, and any call is allowed.
    ///
    /// Within one slot, ends come first, then holds that expire, then starts that become fixed, then starts, then
    /// those of overlays, each in order of acceptance; last come the holds that lasted until their start and were not confirmed in that slot. A booked end is final: a job still
    /// running then is reported [`EndReached`](crate::EventKind::EndReached).
    /// Advance slot by slot, or no further than [`next_event`](Self::next_event). A longer step reports its events in
    /// the same order, but it comes late for the jobs that should have started on the way: a job whose booked run has
    /// begun gets only the rest of it, and a job whose whole booked run ends at or before `to` is not started at all and
    /// reported as [`Missed`](crate::EventKind::Missed). A reservation that starts at `now` is started by the next
    /// call, even by one with `to` = `now`; after reserving for `now`, make that call before time moves on.
    ///
    ///  A hold that lasts until `now` can be confirmed
    /// until time moves on.
    ///
    /// O(slots passed x columns, at most two rings, on hosts without those in which nothing is busy, + log rows + PEs); an expired or missed reservation adds its duration.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, EventKind, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut seen = Vec::new();
    /// while let Some(event) = book.next(Slot::new(5))? {
    ///     seen.push((event.kind, event.at.get()));
    /// }
    /// assert_eq!(seen, [(EventKind::Started, 3)]);
    /// assert_eq!(book.now(), Slot::new(5));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::TimeWentBack`] when `to` has passed; [`UsageError::EndOfTime`] after [`Slot::LAST_NOW`].
    pub fn next(&mut self, to: Slot) -> Result<Option<Event>, Error> {
        self.check_advance(to)?;
        let row = self.approach(to);
        Ok(row.map(|row| self.step(row, to)))
    }

    /// Moves `now` to `to`, clears the slots passed, and appends what happens on the way to `events`, like repeated
    /// calls of [`next`](Self::next).
    ///
    /// When `events` is full, `now` stays at the slot of the next event. The book is then consistent, any call is
    /// allowed, and the next advance continues with the remaining events.
    ///
    /// O(slots passed x columns, at most two rings, on hosts without those in which nothing is busy, + events x (log rows + PEs)); an expired or missed reservation adds its duration.
    ///
    /// ```
    /// # use bookahead::{Commitment, Advanced, CountBook, Event, EventKind, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// assert_eq!(book.advance(Slot::new(3), &mut events)?, Advanced::Done);
    /// assert_eq!(events[0].kind, EventKind::Started);
    /// assert_eq!(book.pes_of(booking.handle)?.count(), 3);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::TimeWentBack`] when `to` has passed; [`UsageError::EndOfTime`] after [`Slot::LAST_NOW`].
    pub fn advance(&mut self, to: Slot, events: &mut VecView<Event>) -> Result<Advanced, Error> {
        self.check_advance(to)?;
        #[cfg(feature = "risk")]
        if R::OVERLAYS {
            return Ok(self.advance_overlays(to, events));
        }
        #[cfg(feature = "outages")]
        if R::RULES {
            return Ok(self.advance_meeting(to, events));
        }
        let advanced = self.writer().advance(to, events);
        self.self_check();
        Ok(advanced)
    }

    /// See [`Writer::approach`](super::Writer::approach).
    pub(crate) fn approach(&mut self, stop: Slot) -> Option<usize> {
        #[cfg(feature = "risk")]
        if R::OVERLAYS {
            return self.approach_overlays(stop);
        }
        self.writer().approach(stop)
    }

    /// Returns an error if `now` cannot advance to `to`.
    pub(crate) fn check_advance(&self, to: Slot) -> Result<(), Error> {
        if to < self.now() {
            return Err(UsageError::TimeWentBack.into());
        }
        if to > Slot::LAST_NOW {
            return Err(UsageError::EndOfTime.into());
        }
        Ok(())
    }

    /// Processes the event that [`approach`](Self::approach) found.
    pub(crate) fn step(&mut self, row: usize, to: Slot) -> Event {
        #[cfg(feature = "risk")]
        if R::OVERLAYS {
            let event = self.step_overlays(row, to);
            self.self_check();
            return event;
        }
        #[cfg(feature = "outages")]
        if R::RULES
            && let Some(event) = self.meet(row)
        {
            return event;
        }
        let event = self.writer().step(row, to);
        self.self_check();
        event
    }

    /// Returns the slot that `now` has to reach for the next event, which may be `now` itself. The event is reported at
    /// that slot, or, for a hold that lasts until its start, at the slot before. O(1). In a book with overlays it is also
    /// `now` when the bookings have changed so that some of them may become ordinary bookings; that takes
    /// O(rows x duration).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// assert_eq!(book.next_event(), None);
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert_eq!(book.next_event(), Some(Slot::new(3)));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[must_use]
    pub fn next_event(&self) -> Option<Slot> {
        #[cfg(feature = "risk")]
        if R::OVERLAYS && self.is_settling() {
            return Some(self.now());
        }
        self.ledger.next_due(self.now()).map(|(_, due)| due)
    }
}
