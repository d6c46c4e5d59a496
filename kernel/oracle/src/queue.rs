//! Jobs that wait for free PEs: a plain list, and every start tried out on a copy of the book.

use bookahead::{
    Advanced, BestEffortJob, Discipline, Error, EventKind, Misuse, PeCount, Refusal, Slot, Span,
    Ticket, Window,
};

use crate::{Happening, Number, Oracle, Progress};

/// A job by the order of its submission, counted from 1.
pub type TicketNumber = u32;

/// The waiting jobs, and how far the last look at them came.
///
/// ```
/// use bookahead::{BestEffortJob, Discipline, EventKind, PeCount, Slot, Span};
/// use bookahead_oracle::{Kind, Oracle, PlainQueue};
/// let mut oracle = Oracle::new(Kind::Sets, 4, 16, 8);
/// let mut queue = PlainQueue::new(Discipline::Easy, 8);
/// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
/// assert_eq!(queue.submit(&oracle, &job), Ok(1));
/// let (_, events) = queue.advance(&mut oracle, Slot::new(0), 8).unwrap();
/// assert_eq!(events[0].kind, EventKind::BestEffortStarted);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainQueue {
    discipline: Discipline,
    capacity: usize,
    submitted: TicketNumber,
    /// In order of submission.
    jobs: Vec<(TicketNumber, BestEffortJob)>,
    /// The book when the jobs were last looked at; none after one came or went.
    seen: Option<Oracle>,
    /// The job that a full list of events kept from starting in that look.
    stopped_at: Option<usize>,
    /// Starts past a waiting job.
    passed: u64,
}

impl PlainQueue {
    /// An empty queue for at most `capacity` jobs.
    #[must_use]
    pub fn new(discipline: Discipline, capacity: usize) -> Self {
        Self {
            discipline,
            capacity,
            submitted: 0,
            jobs: Vec::new(),
            seen: None,
            stopped_at: None,
            passed: 0,
        }
    }

    /// Who passes whom.
    #[must_use]
    pub fn discipline(&self) -> Discipline {
        self.discipline
    }

    /// How many jobs may wait.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The waiting jobs, in order of submission.
    #[must_use]
    pub fn jobs(&self) -> &[(TicketNumber, BestEffortJob)] {
        &self.jobs
    }

    /// How many jobs have started while one submitted earlier waited.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Whether a full list of events kept a job from starting in the last look.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// Adds a job behind the others.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn submit(&mut self, book: &Oracle, job: &BestEffortJob) -> Result<TicketNumber, Error> {
        let reasons: [(bool, Error); 5] = [
            (job.estimate == Span::ZERO, Misuse::ZeroDuration.into()),
            (job.pes == PeCount::ZERO, Misuse::ZeroPes.into()),
            (job.pes > book.pes(), Refusal::TooWide.into()),
            (job.estimate > book.horizon(), Refusal::TooLong.into()),
            (self.jobs.len() >= self.capacity, Refusal::QueueFull.into()),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Err(reason);
        }
        self.submitted += 1;
        self.jobs.push((self.submitted, *job));
        self.seen = None;
        Ok(self.submitted)
    }

    /// Takes a waiting job out.
    ///
    /// # Errors
    ///
    /// Misuse, when it does not wait.
    pub fn withdraw(&mut self, ticket: TicketNumber) -> Result<(), Error> {
        let place = self.jobs.iter().position(|(waiting, _)| *waiting == ticket);
        self.jobs.remove(place.ok_or(Misuse::UnknownTicket)?);
        self.seen = None;
        Ok(())
    }

    /// Moves `now` to `to`, telling at most `room` events on the way, starts of waiting jobs among them.
    ///
    /// # Errors
    ///
    /// As [`Oracle::advance`].
    pub fn advance(
        &mut self,
        book: &mut Oracle,
        to: Slot,
        room: usize,
    ) -> Result<Progress<Number>, Error> {
        book.check_time(to)?;
        let mut events = Vec::new();
        let mut stop = book.now();
        loop {
            let told = book.advance_on_the_way(stop, to, room, &mut events);
            if told == Advanced::EventsWaiting || !self.look_if_due(book, room, &mut events) {
                return Ok((Advanced::EventsWaiting, events));
            }
            if stop == to {
                return Ok((Advanced::Done, events));
            }
            let next = book.next_event().unwrap_or(to).min(to);
            // Only what happens makes a look due, not time by itself.
            self.seen = Some(book.at(next));
            stop = next;
        }
    }

    /// Whether jobs wait, and they or the book are not what they were at the last look.
    #[must_use]
    pub fn look_is_due(&self, book: &Oracle) -> bool {
        let stopped = self.stopped_at.is_some();
        !self.jobs.is_empty() && (stopped || self.seen.as_ref() != Some(book))
    }

    /// When something happens next, a look at the waiting jobs included.
    #[must_use]
    pub fn next_event(&self, book: &Oracle) -> Option<Slot> {
        if self.look_is_due(book) {
            return Some(book.now());
        }
        book.next_event()
    }

    /// Starts what may start now; false when `room` did not suffice.
    fn look_if_due(&mut self, book: &mut Oracle, room: usize, events: &mut Vec<Happening>) -> bool {
        if !self.look_is_due(book) {
            return true;
        }
        let unchanged = self.seen.as_ref() == Some(book);
        let from = self.stopped_at.filter(|_| unchanged).unwrap_or(0);
        self.stopped_at = self.look(from, book, room, events);
        self.seen = Some(book.clone());
        self.stopped_at.is_none()
    }

    /// Looks at the jobs from the one at `place` on; where it had to stop for want of room.
    fn look(
        &mut self,
        mut place: usize,
        book: &mut Oracle,
        room: usize,
        events: &mut Vec<Happening>,
    ) -> Option<usize> {
        while let Some((ticket, job)) = self.jobs.get(place).copied() {
            if self.may_start(place, book) {
                if events.len() >= room {
                    return Some(place);
                }
                self.jobs.remove(place);
                self.passed += u64::from(place > 0);
                events.push(Happening {
                    at: book.now(),
                    whose: book.start_now(&job, ticket),
                    kind: EventKind::BestEffortStarted,
                    ticket: Ticket::from_number(ticket),
                });
            } else if self.discipline == Discipline::Fcfs {
                break;
            } else {
                place += 1;
            }
        }
        None
    }

    /// Whether the job at `place` fits now and, if others wait before it, leaves the first of them where it is.
    fn may_start(&self, place: usize, book: &Oracle) -> bool {
        let (_, job) = self.jobs[place];
        if !book.can_start(&job) {
            return false;
        }
        if place == 0 {
            return true;
        }
        let mut tried = book.clone();
        tried.start_now(&job, 0);
        let never = Slot::new(u64::MAX);
        self.shadow(&tried).unwrap_or(never) <= self.shadow(book).unwrap_or(never)
    }

    /// The earliest start of the first job for its whole estimate, as things stand.
    #[must_use]
    pub fn shadow(&self, book: &Oracle) -> Option<Slot> {
        let (_, head) = self.jobs.first()?;
        earliest(book, head)
    }
}

/// The first slot from which on `job` fits for its whole estimate, inside the ring.
fn earliest(book: &Oracle, job: &BestEffortJob) -> Option<Slot> {
    let timetable = book.timetable();
    let mut starts = (timetable.now.get()..timetable.end().get()).map(Slot::new);
    starts.find(|start| {
        let window = Window::starting(*start, job.estimate);
        let free = window.and_then(|window| timetable.free_during(window));
        free.is_some_and(|free| free.count() >= job.pes.get())
    })
}
