//! Best effort: jobs that wait beside the reservations and start when there is room.

mod job;
mod look;
mod memory;

pub use job::{BestEffortJob, Discipline, Ticket, WaitingJob};
pub use memory::{JobQueue, QueueParts, QueueState, queue_bytes};

use heapless::VecView;

use crate::{
    book::{Advanced, Book},
    error::{Error, Refusal, UsageError},
    event::Event,
    fit::{self, Job},
    ring::Ring,
    time::Slot,
    violation::Violation,
};
use job::admit;
use look::Next;

/// Jobs that wait for room in a [`Book`], in order of submission: a view of memory that a [`JobQueue`] or the caller owns. One queue
/// serves one book, and time goes on through [`advance`](Self::advance) of the queue instead of the book's.
///
/// A job starts on a slot edge, as soon as it fits for its whole estimate beside everything that is booked; from then on it is a running
/// reservation of the book, with a handle, and newcomers cannot take its processing elements. So no job of the queue ever delays a
/// reservation. What waits takes no room: a reservation that is made meanwhile goes first. A job that ends early
/// ([`Book::complete`]) makes room for the next; at the end of its estimate it is reported [`EndReached`](crate::EventKind::EndReached), to
/// be stopped.
///
/// ```
/// use bookahead::{
///     BestEffortJob, CountBook, Discipline, Event, EventKind, JobQueue, PeCount, Policy, Request, Slot, Span,
/// };
/// let (mut memory, mut waiting) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<8>::new(Discipline::Easy));
/// let (mut book, mut queue) = (memory.view(), waiting.view());
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// book.reserve(&request, Policy::FirstFit)?; // Three of four processing elements from 3 to 8.
/// let job = |slots, pes| BestEffortJob { estimate: Span::new(slots), pes: PeCount::new(pes) };
/// queue.submit(&book, &job(4, 4))?;
/// let small = queue.submit(&book, &job(3, 2))?;
/// // The first does not fit before 8, but the second does, and is in nobody's way.
/// let mut events = heapless::Vec::<Event, 8>::new();
/// let _ = queue.advance(&mut book, Slot::new(0), &mut events)?;
/// assert_eq!(events[0].kind, EventKind::BestEffortStarted);
/// assert_eq!(events[0].ticket, Some(small));
/// assert_eq!(queue.shadow(&mut book), Some(Slot::new(8)));
/// # Ok::<(), bookahead::Error>(())
/// ```
///
/// Source: `sulistio`, sections 2.2 and 4 (FCFS and EASY backfilling beside reservations).
pub struct Queue<'q> {
    state: &'q mut QueueState,
    jobs: &'q mut [WaitingJob],
}

impl Queue<'_> {
    /// How many jobs wait. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len as usize
    }

    /// Whether no job waits. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state.len == 0
    }

    /// How many jobs there is memory for. O(1).
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.jobs.len()
    }

    /// Who may pass whom. O(1).
    #[must_use]
    pub fn discipline(&self) -> Discipline {
        Discipline::from_code(self.state.discipline).unwrap_or_default()
    }

    /// Says which book the queue serves: the one of this [incarnation](Book::set_incarnation). With another it is refused. O(1).
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.state.incarnation = incarnation;
    }

    /// Whether the queue serves `book`.
    fn check_book<R: Ring>(&self, book: &Book<'_, R>) -> Result<(), Error> {
        if self.state.incarnation == book.version().incarnation {
            Ok(())
        } else {
            Err(UsageError::ForeignQueue.into())
        }
    }

    /// The jobs that wait, in order of submission. O(jobs) for all of them.
    pub fn iter(&self) -> impl Iterator<Item = (Ticket, BestEffortJob)> {
        self.waiting().iter().filter_map(WaitingJob::describe)
    }

    /// Puts a job behind all others. It starts no sooner than in the next [`advance`](Self::advance), be it to `now`. O(1).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ForeignQueue`] for a queue of a book of another incarnation, [`UsageError::ZeroDuration`],
    /// [`UsageError::ZeroPes`], [`Refusal::TooWide`]; [`Refusal::TooLong`] for an estimate
    /// beyond the horizon; [`Refusal::QueueFull`].
    pub fn submit<R: Ring>(
        &mut self,
        book: &Book<'_, R>,
        job: &BestEffortJob,
    ) -> Result<Ticket, Error> {
        self.check_book(book)?;
        admit(book.ring.axis(), job)?;
        let len = self.len();
        let place = self.jobs.get_mut(len).ok_or(Refusal::QueueFull)?;
        let ticket = self.state.next_ticket();
        *place = WaitingJob::new(ticket, job);
        self.state.len = self.state.len.saturating_add(1);
        self.state.look_again();
        Ok(ticket)
    }

    /// Takes a job out of the queue. O(jobs).
    ///
    /// ```
    /// # use bookahead::{BestEffortJob, CountBook, Discipline, JobQueue, UsageError, PeCount, Span};
    /// # let (mut memory, mut waiting) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<8>::new(Discipline::Fcfs));
    /// # let (mut book, mut queue) = (memory.view(), waiting.view());
    /// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
    /// let ticket = queue.submit(&book, &job)?;
    /// queue.withdraw(ticket)?;
    /// assert_eq!(queue.withdraw(ticket), Err(UsageError::UnknownTicket.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownTicket`] for a job that does not wait, or no longer.
    pub fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
        let mut waiting = self.waiting().iter();
        let place = waiting.position(|job| job.ticket == ticket.get());
        self.remove(place.ok_or(UsageError::UnknownTicket)?);
        self.state.look_again();
        Ok(())
    }

    /// [`Book::advance`], and the starts of jobs of the queue. The queue is looked at as soon as anything has changed: at `now`
    /// before time moves, if there were calls since, and in each slot on the way after its other events. A start is reported as
    /// [`BestEffortStarted`](crate::EventKind::BestEffortStarted), and the new reservation has the job's ticket. Nothing starts while
    /// every row of the ledger is taken.
    ///
    /// A jump does the same as many small steps, except that what a missed reservation leaves goes to the queue. A start learnt of
    /// late keeps its window, so that the job gets the rest, and one whose whole estimate has passed is reported with its end in the same
    /// call: whoever may sleep for longer than the shortest estimate advances to [`next_event`](Self::next_event) and not beyond.
    ///
    /// As [`Book::advance`]; and for each slot in which something happens O(jobs x (estimates x columns + jobs + log rows)), with EASY
    /// a first fit more.
    ///
    /// # Errors
    ///
    /// [`UsageError::ForeignQueue`] for a book of another incarnation than the queue's, and those of [`Book::advance`].
    pub fn advance<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Result<Advanced, Error> {
        self.check_book(book)?;
        book.check_advance(to)?;
        while !events.is_full() {
            match self.pull(book, to, true) {
                Some(Next::Event(event)) => {
                    // There is room, as was just seen.
                    let _ = events.push(event);
                }
                _ => return Ok(Advanced::Done),
            }
        }
        Ok(match self.pull(book, to, false) {
            Some(_) => Advanced::EventsWaiting,
            None => Advanced::Done,
        })
    }

    /// The next event on the way to `to`, with `now` moved to its slot; `None` once there is no more and `now` is `to`. As
    /// [`Book::next`] and [`advance`](Self::advance), one event at a time.
    ///
    /// # Errors
    ///
    /// Those of [`advance`](Self::advance).
    pub fn next<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
    ) -> Result<Option<Event>, Error> {
        self.check_book(book)?;
        book.check_advance(to)?;
        Ok(match self.pull(book, to, true) {
            Some(Next::Event(event)) => Some(event),
            _ => None,
        })
    }

    /// What happens next on the way to `to`; it stays for later unless it can be reported.
    fn pull<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        reportable: bool,
    ) -> Option<Next> {
        let mut stop = book.now();
        // Each round but the last two reaches a later event of the book, which ends it.
        loop {
            if let Some(row) = book.writer().approach(stop) {
                if !reportable {
                    return Some(Next::Unreported);
                }
                let lasted = book.is_held_to_start(row);
                let event = book.step(row, to);
                if lasted && !book.leave_slot_of_holds(event.at) {
                    // The slot is being left, so nobody starts in it between two such holds.
                    self.state.seen = book.version().revision;
                }
                return Some(Next::Event(event));
            }
            if let Some(first) = self.look_due(book)
                && let Some(next) = self.look(book, first, reportable)
            {
                return Some(next);
            }
            self.state.seen = book.version().revision;
            if stop >= to {
                return None;
            }
            stop = book.next_event().map_or(to, |next| next.max(stop).min(to));
        }
    }

    /// When something happens next, `now` included: as [`Book::next_event`], or `now` when the queue is to be looked at. O(1).
    #[must_use]
    pub fn next_event<R: Ring>(&self, book: &Book<'_, R>) -> Option<Slot> {
        let due = !self.is_empty() && self.look_due(book).is_some();
        if due {
            Some(book.now())
        } else {
            book.next_event()
        }
    }

    /// The earliest start of the first job for its whole estimate, as things stand; `None` when there is none within the horizon, or no job
    /// waits. No promise: a reservation made meanwhile goes first, and with every row of the ledger taken it may be `now`. O(horizon x
    /// columns).
    ///
    /// See [`Queue`] for an example.
    pub fn shadow<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Slot> {
        let (_, head) = self.job_at(0)?;
        let offset = self.shadow_of(book, &head)?;
        Some(book.ring.axis().slot(offset))
    }

    /// The offset of that start.
    fn shadow_of<R: Ring>(&self, book: &mut Book<'_, R>, head: &BestEffortJob) -> Option<usize> {
        let axis = book.ring.axis();
        let duration = head.estimate.get() as usize;
        let job = Job {
            ready: 0,
            latest: axis.slots().checked_sub(duration)?,
            duration,
            pes: head.pes.get(),
            max_busy: axis.pes().get().checked_sub(head.pes.get())?,
        };
        fit::choose(&mut book.ring, &job, crate::policy::Policy::FirstFit)
    }

    /// Checks the book, and that the queue agrees with itself and with it. As [`Book::check_invariants`], plus O(jobs).
    ///
    /// Jobs that wait are ones that the book could run; tickets rise in order of submission; places that nobody waits at are empty.
    ///
    /// # Errors
    ///
    /// The first violation found.
    pub fn check_invariants<R: Ring>(&self, book: &mut Book<'_, R>) -> Result<(), Violation> {
        book.check_invariants()?;
        let axis = book.ring.axis();
        let possible = |job: &WaitingJob| {
            let known = job.describe();
            known.is_some_and(|(_, job)| admit(axis, &job).is_ok())
        };
        let (waiting, rest) = self
            .jobs
            .split_at_checked(self.len())
            .ok_or(Violation::Queue)?;
        let known = Discipline::from_code(self.state.discipline).is_some()
            && self.state.resume as usize <= self.len().saturating_add(1)
            && rest.iter().all(|job| *job == WaitingJob::NONE);
        let age = |job: &WaitingJob| self.state.tickets.wrapping_sub(job.ticket);
        let in_order = waiting.is_sorted_by(|one, other| age(one) > age(other));
        if known && in_order && waiting.iter().all(possible) {
            Ok(())
        } else {
            Err(Violation::Queue)
        }
    }

    fn waiting(&self) -> &[WaitingJob] {
        self.jobs.get(..self.len()).unwrap_or_default()
    }

    fn job_at(&self, place: usize) -> Option<(Ticket, BestEffortJob)> {
        self.waiting().get(place)?.describe()
    }

    /// Closes the gap at `place`. O(jobs).
    fn remove(&mut self, place: usize) {
        let len = self.len();
        let tail = self.jobs.get_mut(place..len).unwrap_or_default();
        if let [gone, ..] = tail {
            *gone = WaitingJob::NONE;
            tail.rotate_left(1);
            self.state.len = self.state.len.saturating_sub(1);
        }
    }

    /// Where a look at the queue is to begin, if anything has changed since the last.
    fn look_due<R: Ring>(&self, book: &Book<'_, R>) -> Option<usize> {
        let unchanged = self.state.seen == book.version().revision;
        match self.state.resume.checked_sub(1) {
            Some(place) if unchanged => Some(place as usize),
            None if unchanged => None,
            _ => Some(0),
        }
    }
}
