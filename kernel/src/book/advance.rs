//! Time passes.

use heapless::VecView;

use super::Book;
use crate::{
    error::{Error, UsageError},
    event::Event,
    ring::Ring,
    time::Slot,
};

/// How far an [`advance`](Book::advance) came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "events may be waiting"]
pub enum Advanced {
    /// To the slot asked for; all events have been reported.
    Done,
    /// The event list is full and `now` is the slot of the first event not yet reported. Advance again with room.
    EventsWaiting,
}

impl<R: Ring> Book<'_, R> {
    /// The next event on the way to `to`, with `now` moved to its slot; `None` once there is no more and `now` is `to`. The book is sound
    /// between events, and any call is legal.
    ///
    /// Within one slot ends come first, then holds that expire, then starts, each by acceptance, then holds that lasted until their start
    /// and were not confirmed in that slot. A booked end is final: a job still running then is reported
    /// [`EndReached`](crate::EventKind::EndReached). A jump does the same in the same order; a job whose start it passes keeps its window and gets
    /// the rest, one whose whole window it passes is [`Missed`](crate::EventKind::Missed). A reservation that starts at `now` is started by the
    /// next call, even one with `to` = `now`; a hold that lasts until `now` can be confirmed until time goes on.
    ///
    /// O(slots passed x columns, at most two rings, + log rows + PEs); an expired or missed reservation adds its duration.
    ///
    /// ```
    /// # use bookahead::{CountBook, EventKind, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit)?;
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
        let row = self.writer().approach(to);
        Ok(row.map(|row| self.step(row, to)))
    }

    /// Moves `now` to `to`, clears the slots left behind, and adds what happens on the way to `events`: as [`next`](Self::next), again and
    /// again.
    ///
    /// When `events` is full, `now` stays at the slot of the next event. The book is sound then, any call is
    /// legal, and the next advance goes on with the rest.
    ///
    /// O(slots passed x columns, at most two rings, + events x (log rows + PEs)); an expired or missed reservation adds its duration.
    ///
    /// ```
    /// # use bookahead::{Advanced, CountBook, Event, EventKind, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit)?;
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
        let advanced = self.writer().advance(to, events);
        self.self_check();
        Ok(advanced)
    }

    /// Whether time can go on to `to`.
    pub(crate) fn check_advance(&self, to: Slot) -> Result<(), Error> {
        if to < self.now() {
            return Err(UsageError::TimeWentBack.into());
        }
        if to > Slot::LAST_NOW {
            return Err(UsageError::EndOfTime.into());
        }
        Ok(())
    }

    /// Makes what [`Writer::approach`](super::Writer::approach) found happen.
    pub(crate) fn step(&mut self, row: usize, to: Slot) -> Event {
        let event = self.writer().step(row, to);
        self.self_check();
        event
    }

    /// The slot that time has to reach for the next event; `now` included. The event carries that slot, or for a hold that lasts until its
    /// start the slot before. O(1).
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// assert_eq!(book.next_event(), None);
    /// book.reserve(&request, Policy::FirstFit)?;
    /// assert_eq!(book.next_event(), Some(Slot::new(3)));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[must_use]
    pub fn next_event(&self) -> Option<Slot> {
        self.ledger.next_due().map(|(_, row)| row.due())
    }
}
