//! Jobs that wait for free PEs: a plain list, and every start tried out on a copy of the book.

use bookahead::{
    Advanced, BestEffortJob, Discipline, Error, EventKind, PeCount, Refusal, Slot, Span, Ticket,
    UsageError, Window,
};
use bookahead_commands::{ClassNumber, Happening, Progress};

use crate::Oracle;
use crate::oracle::Due;

/// A job by the order of its submission, counted from 1.
pub type TicketNumber = u32;

/// A job that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its number.
    pub ticket: TicketNumber,
    /// What it asks for.
    pub job: BestEffortJob,
    class: ClassNumber,
}

/// What happens next to a book with a queue.
enum Next {
    OfBook(Due),
    /// The job at this place may start.
    OfJob(usize),
}

/// The waiting jobs, and how far the last look at them came.
///
/// ```
/// use bookahead::{BestEffortJob, Discipline, EventKind, PeCount, Slot, Span};
/// use bookahead_commands::Kind;
/// use bookahead_oracle::{Oracle, PlainQueue};
/// let mut oracle = Oracle::new(Kind::Sets, 4, 16, 8);
/// let mut queue = PlainQueue::new(Discipline::Easy, 8);
/// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
/// assert_eq!(queue.submit(&mut oracle, &job), Ok(1));
/// let (_, events) = queue.advance(&mut oracle, Slot::new(0), 8).unwrap();
/// assert_eq!(events[0].kind, EventKind::BestEffortStarted);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainQueue {
    discipline: Discipline,
    capacity: usize,
    submitted: TicketNumber,
    /// In order of submission.
    jobs: Vec<Waiting>,
    /// The revision of the book when the jobs were last looked at; none after one came or went.
    seen: Option<u64>,
    /// Where that look was interrupted, if it was: before the job at this place.
    stopped_at: Option<usize>,
    incarnation: u32,
    /// The slot up to which it came with its book; none for any.
    reached: Option<Slot>,
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
            incarnation: 0,
            reached: None,
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
    pub fn jobs(&self) -> &[Waiting] {
        &self.jobs
    }

    /// How many jobs have started while one submitted earlier waited.
    #[must_use]
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Makes it the queue of another book.
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.incarnation = incarnation;
        self.reached = None;
    }

    fn check_book(&self, book: &Oracle) -> Result<(), Error> {
        if book.version().incarnation != self.incarnation {
            return Err(UsageError::ForeignQueue.into());
        }
        let known = self.reached.unwrap_or(book.now());
        if !self.jobs.is_empty() && known != book.now() {
            return Err(UsageError::QueueLeftBehind.into());
        }
        Ok(())
    }

    /// Whether the last look was interrupted, by a full list of events or after one event.
    #[must_use]
    pub fn is_cut_short(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// Notes how far it has come, and for whom the book keeps classes.
    fn follow(&mut self, book: &mut Oracle) {
        self.reached = Some(book.now());
        book.note_waiting(self.jobs.iter().map(|waiting| waiting.class).collect());
    }

    /// Adds a job behind the others, of the class that the book is asked for.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn submit(
        &mut self,
        book: &mut Oracle,
        job: &BestEffortJob,
    ) -> Result<TicketNumber, Error> {
        self.check_book(book)?;
        book.check_class()?;
        let reasons: [(bool, Error); 4] = [
            (job.estimate == Span::ZERO, UsageError::ZeroDuration.into()),
            (job.pes == PeCount::ZERO, UsageError::ZeroPes.into()),
            (job.pes > book.pes(), Refusal::TooWide.into()),
            (job.estimate > book.horizon(), Refusal::TooLong.into()),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Err(reason);
        }
        book.admits_asked(job.pes.get())?;
        if self.jobs.len() >= self.capacity {
            return Err(Refusal::QueueFull.into());
        }
        self.submitted += 1;
        self.jobs.push(Waiting {
            ticket: self.submitted,
            job: *job,
            class: book.asked(),
        });
        self.seen = None;
        self.follow(book);
        Ok(self.submitted)
    }

    /// Takes a waiting job out.
    ///
    /// # Errors
    ///
    /// UsageError, when it does not wait.
    pub fn withdraw(&mut self, ticket: TicketNumber) -> Result<(), Error> {
        let place = self
            .jobs
            .iter()
            .position(|waiting| waiting.ticket == ticket);
        self.jobs.remove(place.ok_or(UsageError::UnknownTicket)?);
        self.seen = None;
        Ok(())
    }

    /// Moves `now` to `to`, telling at most `room` events on the way, starts of waiting jobs among them.
    ///
    /// # Errors
    ///
    /// As [`Oracle::advance`].
    pub fn advance(&mut self, book: &mut Oracle, to: Slot, room: usize) -> Result<Progress, Error> {
        self.check_book(book)?;
        book.check_time(to)?;
        let mut events = Vec::new();
        let mut progress = Advanced::Done;
        while let Some(next) = self.approach(book, to) {
            if events.len() >= room {
                progress = Advanced::EventsWaiting;
                break;
            }
            events.push(self.happen(book, next, to));
        }
        self.follow(book);
        Ok((progress, events))
    }

    /// The next event on the way to `to`, a start of a waiting job or another.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    pub fn next(&mut self, book: &mut Oracle, to: Slot) -> Result<Option<Happening>, Error> {
        self.check_book(book)?;
        book.check_time(to)?;
        let next = self.approach(book, to);
        let next = next.map(|next| self.happen(book, next, to));
        self.follow(book);
        Ok(next)
    }

    /// Moves time to the next event on the way to `to`, or to `to` if nothing happens.
    fn approach(&mut self, book: &mut Oracle, to: Slot) -> Option<Next> {
        loop {
            if let Some(due) = book.due_now() {
                return Some(Next::OfBook(due));
            }
            if self.look_is_due(book)
                && let Some(place) = self.look(book)
            {
                return Some(Next::OfJob(place));
            }
            if book.now() == to {
                return None;
            }
            if let Some(due) = book.due_on_leaving() {
                return Some(Next::OfBook(due));
            }
            book.pass(to);
        }
    }

    fn happen(&mut self, book: &mut Oracle, next: Next, to: Slot) -> Happening {
        let place = match next {
            Next::OfBook(due) => {
                let happening = book.happen(due, to);
                if due.is_on_leaving() && !book.leave_after_last() {
                    // Nobody starts in a slot that is being left.
                    self.seen = Some(book.version().revision);
                }
                return happening;
            }
            Next::OfJob(place) => place,
        };
        let Waiting { ticket, job, class } = self.jobs.remove(place);
        self.passed += u64::from(place > 0);
        let before = book.ask(class);
        let whose = book.start_now(&job, ticket);
        book.ask(before);
        let happening = Happening {
            at: book.now(),
            whose,
            kind: EventKind::BestEffortStarted,
            ticket: Ticket::from_number(ticket),
        };
        // The look goes on behind it.
        self.stopped_at = Some(place);
        self.seen = Some(book.version().revision);
        happening
    }

    /// Whether jobs wait, and they or the book are not what they were at the last look. Time by itself makes no look due.
    #[must_use]
    pub fn look_is_due(&self, book: &Oracle) -> bool {
        let stopped = self.stopped_at.is_some();
        !self.jobs.is_empty() && (stopped || self.seen != Some(book.version().revision))
    }

    /// When something happens next, a look at the waiting jobs included.
    #[must_use]
    pub fn next_event(&self, book: &Oracle) -> Option<Slot> {
        if self.look_is_due(book) {
            return Some(book.now());
        }
        book.next_event()
    }

    /// Looks at the jobs, from where the last look was interrupted or from the first one on; the place of one that may start.
    fn look(&mut self, book: &Oracle) -> Option<usize> {
        let revision = book.version().revision;
        let unchanged = self.seen == Some(revision);
        let first = self.stopped_at.filter(|_| unchanged).unwrap_or(0);
        let mut places = first..self.jobs.len();
        if self.discipline == Discipline::Fcfs {
            places.end = places.end.min(first + 1);
        }
        self.stopped_at = places.find(|place| self.may_start(*place, book));
        self.seen = Some(revision);
        self.stopped_at
    }

    /// Whether the job at `place` fits now and, if others wait before it, leaves the first of them where it is.
    fn may_start(&self, place: usize, book: &Oracle) -> bool {
        let Waiting { job, class, .. } = self.jobs[place];
        let mut tried = book.for_class(class);
        if !tried.can_start(&job) {
            return false;
        }
        if place == 0 {
            return true;
        }
        tried.start_now(&job, 0);
        let never = Slot::new(u64::MAX);
        self.shadow(&tried).unwrap_or(never) <= self.shadow(book).unwrap_or(never)
    }

    /// The earliest start of the first job for its whole estimate, as things stand.
    #[must_use]
    pub fn shadow(&self, book: &Oracle) -> Option<Slot> {
        let head = self.jobs.first()?;
        earliest(&book.for_class(head.class), &head.job)
    }
}

/// The first slot from which on `job` fits for its whole estimate, inside the ring, for the class that is asked for.
fn earliest(book: &Oracle, job: &BestEffortJob) -> Option<Slot> {
    let timetable = book.timetable();
    let mut starts = (timetable.now.get()..timetable.end().get()).map(Slot::new);
    starts.find(|start| {
        let window = Window::starting(*start, job.estimate);
        let free = window.and_then(|window| timetable.free_during(window));
        free.is_some_and(|free| book.serves_asked(&free, job.pes.get()))
    })
}
