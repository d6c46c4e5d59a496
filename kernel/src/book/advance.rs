//! Time passes.

use heapless::VecView;

use super::Book;
use crate::{Error, Event, EventKind, Misuse, Slot, ring::Ring};

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
    /// Moves `now` to `to`, wipes the slots left behind, and adds what happens on the way to `events`, in order of time.
    ///
    /// Within one slot ends come first, then expired holds, then starts, each by acceptance. A booked end is final: a job still
    /// running then is reported [`Overran`](EventKind::Overran). A jump does the same in the same order; a job
    /// whose start it passes keeps its window and gets the rest, one whose whole window it passes is
    /// [`Missed`](EventKind::Missed). A reservation that starts at `now` is started by the next advance, even one to `now` itself.
    ///
    /// When `events` is full, `now` stays at the slot of the next event. The book is sound then, any call is
    /// legal, and the next advance goes on with the rest.
    ///
    /// O(slots passed x columns, at most two rings, + events x (log rows + PEs)); an expired or missed reservation adds its duration.
    ///
    /// ```
    /// # use bookahead::{Advanced, CountBook, Event, EventKind, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
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
    /// [`Misuse::TimeWentBack`] when `to` has passed; [`Misuse::EndOfTime`] after [`Slot::LAST_NOW`].
    pub fn advance(&mut self, to: Slot, events: &mut VecView<Event>) -> Result<Advanced, Error> {
        self.check_advance(to)?;
        Ok(self.advance_on_the_way(to, to, events))
    }

    /// Whether time can go on to `to`.
    pub(crate) fn check_advance(&self, to: Slot) -> Result<(), Error> {
        if to < self.now() {
            return Err(Misuse::TimeWentBack.into());
        }
        if to > Slot::LAST_NOW {
            return Err(Misuse::EndOfTime.into());
        }
        Ok(())
    }

    /// Goes as far as `stop` on the way to `to`, neither of which has passed.
    pub(crate) fn advance_on_the_way(
        &mut self,
        stop: Slot,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Advanced {
        // Each round takes a reservation one step on in its life, of which it has two at most.
        while let Some((row, event)) = self.ledger.next_event(to) {
            if event.at > stop {
                break;
            }
            self.pass(event.at);
            if events.is_full() {
                return Advanced::EventsWaiting;
            }
            if event.kind == EventKind::Started {
                self.start(row);
            } else {
                self.strike(row);
            }
            self.changed();
            // There is room, as was just seen.
            let _ = events.push(event);
        }
        self.pass(stop);
        Advanced::Done
    }

    /// When something happens next, `now` included: the slot that the next event will carry. O(1).
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(4, 48).unwrap();
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

    fn pass(&mut self, to: Slot) {
        if to > self.now() {
            self.ring.pass(to);
            self.changed();
        }
    }

    /// The job in `row` starts.
    pub(super) fn start(&mut self, row: usize) {
        let Some(job) = self.ledger.rows.get(row) else {
            return;
        };
        let pes = job.pes.get();
        let place = self.start_place(job.start);
        self.ledger.start(row, place);
        self.ring.bind(row, pes);
    }
}
