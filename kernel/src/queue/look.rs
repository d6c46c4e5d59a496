//! A look at the queue: who starts now.

use heapless::VecView;

use super::{BestEffortJob, Discipline, Queue, Ticket};
use crate::{
    Advanced, Book, Event, EventKind, Handle, Ring,
    ledger::{Phase, Row},
    ring::{RingOps, Shape},
};

/// The first job, and where it would start: nobody may be in its way there.
struct Ahead {
    offset: usize,
    duration: usize,
    /// How many may be busy.
    limit: u32,
}

impl Queue<'_> {
    /// Starts every job from place `first` on that may start now, as far as there is room to report it.
    pub(super) fn look<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        first: usize,
        events: &mut VecView<Event>,
    ) -> Advanced {
        let mut place = first;
        // What the others must not delay, once the first job has to wait.
        let mut ahead = None;
        if place > 0 {
            ahead = self.ahead(book);
        }
        // Each round goes to the next place or takes a job out.
        while let Some((ticket, job)) = self.job_at(place) {
            match book.launch(ticket, &job, ahead.as_ref(), !events.is_full()) {
                Launch::Started(event) => {
                    self.remove(place);
                    // There is room, as was just said.
                    let _ = events.push(event);
                }
                Launch::Unreported => {
                    self.state.resume = (place as u32).saturating_add(1);
                    self.state.seen = book.version();
                    return Advanced::EventsWaiting;
                }
                Launch::Waits if self.state.discipline == Discipline::Fcfs => break,
                Launch::Waits => {
                    if place == 0 {
                        ahead = self.ahead(book);
                    }
                    place = place.saturating_add(1);
                }
            }
        }
        self.state.resume = 0;
        Advanced::Done
    }

    /// Where the first job would start, if anywhere.
    fn ahead<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Ahead> {
        let (_, head) = self.job_at(0)?;
        Some(Ahead {
            offset: self.shadow_of(book, &head)?,
            duration: head.estimate.get() as usize,
            limit: u32::from(book.pes().get().saturating_sub(head.pes.get())),
        })
    }
}

/// What became of a job that was looked at.
enum Launch {
    Started(Event),
    /// It could start, but nobody could be told.
    Unreported,
    Waits,
}

impl<R: Ring> Book<'_, R> {
    /// Counts the changes of the book.
    pub(super) fn version(&self) -> u64 {
        self.ledger.state.version
    }

    /// Books the job from now on and starts it, if it fits and what is ahead still fits then. O(estimate x columns + log rows).
    fn launch(
        &mut self,
        ticket: Ticket,
        job: &BestEffortJob,
        ahead: Option<&Ahead>,
        reportable: bool,
    ) -> Launch {
        let Some(row) = self.ledger.next_row() else {
            return Launch::Waits;
        };
        let (offsets, pes) = (0..job.estimate.get() as usize, job.pes.get());
        // A queue that was filled for a larger book must not reach beyond this one.
        if job.estimate > self.horizon() || !self.ring.book(row, offsets.clone(), pes) {
            return Launch::Waits;
        }
        // The ring is what it was before as soon as the booking is out again.
        if !ahead.is_none_or(|ahead| ahead.fits(&mut self.ring)) {
            self.ring.free(row, offsets, pes);
            return Launch::Waits;
        }
        if !reportable {
            self.ring.free(row, offsets, pes);
            return Launch::Unreported;
        }
        match self.enter_running(row, ticket, job) {
            Some(handle) => Launch::Started(Event {
                at: self.now(),
                handle,
                kind: EventKind::BestEffortStarted,
            }),
            None => Launch::Waits,
        }
    }

    fn enter_running(&mut self, row: usize, ticket: Ticket, job: &BestEffortJob) -> Option<Handle> {
        let start = self.now();
        let entry = Row {
            start,
            duration: job.estimate,
            room: job.estimate,
            pes: job.pes,
            phase: Phase::Confirmed,
            ticket: ticket.get(),
            ..Row::VACANT
        };
        let place = self.ring.axis().place(0);
        let handle = self.ledger.enter(row, place, &entry);
        self.start(row);
        self.changed();
        handle
    }
}

impl Ahead {
    /// Whether there is still room.
    fn fits(&self, ring: &mut impl RingOps) -> bool {
        let mut scan = ring.scan(self.duration, self.duration);
        scan.shape.slide_to(self.offset) <= self.limit
    }
}
