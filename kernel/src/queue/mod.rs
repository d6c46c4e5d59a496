//! The queue of best-effort jobs, which start when reservations leave enough processing elements free. Behind the feature `plan`, requests wait for room beside
//! them.

#[cfg(feature = "plan")]
mod bands;
#[cfg(feature = "plan")]
mod conservative;
#[cfg(feature = "plan")]
mod forward;
mod job;
#[cfg(feature = "journal")]
mod kept;
#[cfg(all(feature = "plan", feature = "journal"))]
mod kept_schedule;
mod line;
mod look;
mod memory;
#[cfg(feature = "plan")]
mod preempt;
#[cfg(feature = "plan")]
mod schedule;
#[cfg(feature = "plan")]
mod wait;
#[cfg(feature = "plan")]
mod waiting_list;

#[cfg(feature = "plan")]
pub use bands::{StartBand, StartBands};
#[cfg(feature = "plan")]
pub use conservative::PlannedQueue;
pub use job::{Discipline, WaitingJob};
pub use memory::{JobQueue, QueueParts, QueueState, queue_bytes};
#[cfg(feature = "plan")]
pub use schedule::{
    JobSchedule, PlannedJob, Schedule, ScheduleParts, ScheduleState, schedule_bytes,
};
#[cfg(feature = "plan")]
pub use waiting_list::{
    Waiting, WaitingList, WaitingListParts, WaitingListState, WaitingRequest, waiting_list_bytes,
};

use heapless::VecView;

use crate::{
    best_effort::BestEffortJob,
    book::{Advanced, Ask, Book},
    error::{Error, Refusal, UsageError},
    event::{Event, EventKind},
    fit::{self, Job},
    ring::Ring,
    ticket::Ticket,
    time::Slot,
    violation::Violation,
};
use job::admit;
use look::Next;

/// A queue of best-effort jobs for a [`Book`], in order of submission. It is a view of memory that a [`JobQueue`] or
/// the caller owns. One queue serves one book, and while jobs wait, the caller advances time with
/// [`advance`](Self::advance) of the queue instead of the book's: a book that was advanced without its queue is
/// refused, since jobs could have started on the way.
///
/// A job starts at the beginning of a slot, as soon as it fits for its whole estimate beside everything that is booked.
/// From then on it is a running reservation of the book, with a handle, and later bookings cannot take its processing
/// elements, unless the caller allows it (`reserve_preempting`, feature `plan`). So no job of the queue ever delays a reservation. A queued job holds a ticket but reserves no capacity: a
/// reservation made in the meantime takes precedence. A job that ends early ([`Book::complete`]) frees its processing
/// elements for the next. Jobs are tried when the queue or the book has changed, and not because time has passed.
/// With early binding a start one slot later may get other processing elements, and so leave the first job of the queue its place where an earlier one would not: such a job starts after the next change. At the end of its estimate, a job is reported [`EndReached`](crate::EventKind::EndReached),
/// and the caller has to stop it.
///
/// ```
/// use bookahead::{Commitment,
///     BestEffortJob, CountBook, Discipline, Event, EventKind, JobQueue, PeCount, Policy, Request, Slot, Span,
/// };
/// let (mut memory, mut waiting) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<8>::new(Discipline::Easy));
/// let (mut book, mut queue) = (memory.view(), waiting.view());
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?; // Three of four processing elements from 3 to 8.
/// let job = |slots, pes| BestEffortJob { estimate: Span::new(slots), pes: PeCount::new(pes) };
/// queue.submit(&mut book, &job(4, 4))?;
/// let small = queue.submit(&mut book, &job(3, 2))?;
/// // The first job cannot start before 8. The second can, and does not delay the first.
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
    /// The requests that wait beside the jobs; `None` where there is no memory for any.
    #[cfg(feature = "plan")]
    list: Option<WaitingListParts<'q>>,
}

impl Queue<'_> {
    /// Returns how many jobs are queued. O(1).
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.len as usize
    }

    /// Returns whether no job is queued. O(1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.state.len == 0
    }

    /// Returns how many jobs there is memory for. O(1).
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.jobs.len()
    }

    /// Returns the discipline of the queue. O(1).
    #[must_use]
    pub fn discipline(&self) -> Discipline {
        Discipline::from_code(self.state.discipline).unwrap_or_default()
    }

    /// Sets which book the queue serves: the one of this [incarnation](Book::set_incarnation), whatever slot it has
    /// reached. Calls with another book are refused. O(1).
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.state.incarnation = incarnation;
        self.state.follows = 0;
    }

    /// Checks whether the queue serves `book`, and has come with it.
    fn check_book<R: Ring>(&self, book: &Book<'_, R>) -> Result<(), Error> {
        let apart = self.state.reached != low_half(book.now());
        if self.state.incarnation != book.version().incarnation {
            Err(UsageError::ForeignQueue.into())
        } else if self.is_awaited() && self.state.follows != 0 && apart {
            Err(UsageError::QueueLeftBehind.into())
        } else {
            Ok(())
        }
    }

    /// Returns whether a job or a request waits, or a place is kept for a job that is cut.
    fn is_awaited(&self) -> bool {
        #[cfg(feature = "plan")]
        if !self.requests().is_empty() || self.state.cut > 0 {
            return true;
        }
        !self.is_empty()
    }

    /// Notes that the queue has come as far as `book`.
    fn follow<R: Ring>(&mut self, book: &Book<'_, R>) {
        self.state.reached = low_half(book.now());
        self.state.follows = 1;
    }

    /// Notes in the book which classes those that wait are of, for calls that have changed who waits.
    fn note_classes<R: Ring>(&self, book: &mut Book<'_, R>) {
        let waiting = self.waiting().iter().map(WaitingJob::class);
        #[cfg(feature = "plan")]
        let waiting = waiting.chain(self.requests().iter().map(WaitingRequest::class));
        if book.ring.note_waiting(waiting.map(R::numbered)) {
            book.ledger.note_table();
        }
    }

    /// Returns the queued jobs, in order of submission. O(jobs) for all of them.
    pub fn iter(&self) -> impl Iterator<Item = (Ticket, BestEffortJob)> {
        self.waiting().iter().filter_map(WaitingJob::describe)
    }

    /// Appends a job to the queue. It starts at the earliest in the next [`advance`](Self::advance), which may be one to
    /// `now`. On a machine with a layout, `(id, &job)` is a job for a class: it starts on such processing elements only, and the class lasts as long as it
    /// waits. O(1), and with classes O(classes + jobs).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ForeignQueue`] for a queue of a book of another incarnation,
    /// [`UsageError::QueueLeftBehind`] as for [`advance`](Self::advance), [`UsageError::StaleClass`],
    /// [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`], [`Refusal::TooWide`]; [`Refusal::TooLong`] for an estimate
    /// beyond the horizon; [`UsageError::NotWholeGroups`] and [`Refusal::NotEligible`] for what its class could not have
    /// on an idle machine; [`Refusal::QueueFull`].
    pub fn submit<'j, R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        job: impl Ask<'j, R, BestEffortJob>,
    ) -> Result<Ticket, Error> {
        self.check_book(book)?;
        let (class, job) = (job.class(&book.ring, 0)?, job.what());
        admit(&book.ring, class, job)?;
        let len = self.len();
        #[cfg(feature = "plan")]
        if len.saturating_add(self.kept_places(book)) >= self.capacity() {
            return Err(Refusal::QueueFull.into());
        }
        let place = self.jobs.get_mut(len).ok_or(Refusal::QueueFull)?;
        let ticket = self.state.next_ticket();
        *place = WaitingJob::new(ticket, job, R::number(class));
        self.state.len = self.state.len.saturating_add(1);
        self.state.look_again();
        self.follow(book);
        self.note_classes(book);
        Ok(ticket)
    }

    /// Removes a job from the queue; with the feature `plan`, also a request that waits beside it. O(jobs), and O(requests).
    ///
    /// ```
    /// # use bookahead::{BestEffortJob, CountBook, Discipline, JobQueue, UsageError, PeCount, Span};
    /// # let (mut memory, mut waiting) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<8>::new(Discipline::Fcfs));
    /// # let (mut book, mut queue) = (memory.view(), waiting.view());
    /// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
    /// let ticket = queue.submit(&mut book, &job)?;
    /// queue.withdraw(ticket)?;
    /// assert_eq!(queue.withdraw(ticket), Err(UsageError::UnknownTicket.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownTicket`] for a job that is not, or no longer, queued.
    pub fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
        #[cfg(feature = "plan")]
        if self.withdraw_request(ticket) {
            return Ok(());
        }
        let mut waiting = self.waiting().iter();
        let place = waiting.position(|job| job.ticket == ticket.get());
        self.remove(place.ok_or(UsageError::UnknownTicket)?);
        self.state.look_again();
        Ok(())
    }

    /// Advances the book as [`Book::advance`], and starts jobs of the queue. A pass over the queue takes place as soon
    /// as anything has changed: at `now` before time moves, if there were calls since the last pass, and in each slot
    /// on the way after its other events. A start is reported as
    /// [`BestEffortStarted`](crate::EventKind::BestEffortStarted), and the new reservation has the job's ticket. No job
    /// starts while every row of the ledger is taken.
    ///
    /// Advancing over many slots at once does the same as many small steps, except that the processing elements of a
    /// missed reservation become free for the queue. A job that starts on the way keeps its window, so a caller that
    /// learns of the start late can run it only for the rest of its estimate. If its whole estimate has passed, its
    /// start and its end are reported in the same call. A caller that may sleep for longer than the shortest estimate
    /// should therefore advance to [`next_event`](Self::next_event) and no further.
    ///
    /// As [`Book::advance`]; in addition, for each slot in which something happens,
    /// O(jobs x (estimates x columns + jobs + log rows)), and with EASY a first fit more.
    ///
    /// # Errors
    ///
    /// [`UsageError::ForeignQueue`] for a book of another incarnation than the queue's; [`UsageError::QueueLeftBehind`]
    /// when jobs wait and the book is not at the slot at which the queue left it, so that starts may have been missed
    /// (withdraw the jobs and submit them again, or say by [`set_incarnation`](Self::set_incarnation) that they go on
    /// from here); [`UsageError::NoSchedule`] with conservative backfilling; and those of [`Book::advance`].
    pub fn advance<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Result<Advanced, Error> {
        self.check_unplanned(book)?;
        book.check_advance(to)?;
        Ok(self.advance_by(book, &mut (), to, events))
    }

    fn advance_by<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Advanced {
        let mut ahead = true;
        while ahead && !events.is_full() {
            match self.pull(book, starts, to, true) {
                // Cannot fail: the list is not full.
                Some(Next::Event(event)) => drop(events.push(event)),
                _ => ahead = false,
            }
        }
        let waits = ahead && self.pull(book, starts, to, false).is_some();
        self.note_classes(book);
        match waits {
            true => Advanced::EventsWaiting,
            false => Advanced::Done,
        }
    }

    /// Checks whether the queue serves `book`, and needs no schedule for it.
    fn check_unplanned<R: Ring>(&self, book: &Book<'_, R>) -> Result<(), Error> {
        self.check_book(book)?;
        match self.discipline() {
            Discipline::Conservative => Err(UsageError::NoSchedule.into()),
            _ => Ok(()),
        }
    }

    /// Returns the next event on the way to `to`, with `now` moved to its slot; `None` when there is no more and `now`
    /// is `to`. As [`Book::next`] and [`advance`](Self::advance), one event at a time.
    ///
    /// # Errors
    ///
    /// Those of [`advance`](Self::advance).
    pub fn next<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
    ) -> Result<Option<Event>, Error> {
        self.check_unplanned(book)?;
        book.check_advance(to)?;
        Ok(self.next_by(book, &mut (), to))
    }

    fn next_by<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
    ) -> Option<Event> {
        let next = self.pull(book, starts, to, true);
        self.note_classes(book);
        match next {
            Some(Next::Event(event)) => Some(event),
            _ => None,
        }
    }

    /// Processes and returns the next event on the way to `to`; if it is not `reportable`, it remains pending.
    fn pull<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
        reportable: bool,
    ) -> Option<Next> {
        let next = self.next_on_the_way(book, starts, to, reportable);
        self.follow(book);
        #[cfg(feature = "plan")]
        if let Some(Next::Event(event)) = &next {
            self.note_event(book, event.kind);
            starts.note(book, event.kind);
        }
        next
    }

    fn next_on_the_way<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
        reportable: bool,
    ) -> Option<Next> {
        let mut stop = book.now();
        // At most two rounds: the second reaches the next event of the book, or `to`, and ends the loop. Where requests wait, a round more for each slot
        // in which they are tried.
        loop {
            #[cfg(feature = "plan")]
            self.grow_back(book);
            let due = book.approach(stop);
            #[cfg(feature = "plan")]
            if let Some(next) = self.try_waiting(book, due, reportable) {
                return Some(next);
            }
            if let Some(row) = due {
                if !reportable {
                    return Some(Next::Unreported);
                }
                let lasted = book.is_held_to_start(row);
                let event = book.step(row, to);
                #[cfg(feature = "plan")]
                self.take_back(book, &event);
                let expired = !R::OVERLAYS || event.kind == EventKind::Expired;
                if lasted && expired && !book.leave_slot_of_holds(event.at) {
                    // The slot is ending, so no job that is queued starts in it between two such holds. One that is submitted there may: for whoever submits it, the
                    // slot is still `now`.
                    self.state.seen = book.version().revision;
                    #[cfg(feature = "plan")]
                    self.leave(event.at);
                    #[cfg(feature = "plan")]
                    starts.leave(event.at);
                }
                return Some(Next::Event(event));
            }
            if let Some(next) = starts.start(self, book, reportable) {
                return Some(next);
            }
            self.state.seen = book.version().revision;
            if stop >= to {
                return None;
            }
            let next = book.next_event();
            #[cfg(feature = "plan")]
            let next = earlier(
                earlier(next, self.tries_next(book)),
                starts.wakes(self, book),
            );
            stop = next.map_or(to, |next| next.max(stop).min(to));
        }
    }

    /// Returns when something happens next, `now` included: as [`Book::next_event`], or `now` when a pass over the
    /// queue is due. O(1). With the feature `plan`, also when waiting requests are tried next, or one is given up; O(requests).
    #[must_use]
    pub fn next_event<R: Ring>(&self, book: &Book<'_, R>) -> Option<Slot> {
        let due = !self.is_empty() && self.look_due(book).is_some();
        if due {
            return Some(book.now());
        }
        let next = book.next_event();
        #[cfg(feature = "plan")]
        let next = earlier(next, self.next_of_waiting(book));
        next
    }

    /// Returns the earliest start of the first job for its whole estimate, with the present bookings; `None` when there
    /// is none within the horizon, or no job is queued. The start is not guaranteed: a reservation made in the meantime
    /// takes precedence, and with every row of the ledger taken, it may be `now` although the job cannot start.
    /// O(horizon x columns).
    ///
    /// See [`Queue`] for an example.
    pub fn shadow<R: Ring>(&self, book: &mut Book<'_, R>) -> Option<Slot> {
        let (_, head, class) = self.job_at::<R>(0)?;
        let offset = self.shadow_of(book, &head, class)?;
        Some(book.ring.axis().slot(offset))
    }

    /// Returns the offset of that start.
    fn shadow_of<R: Ring>(
        &self,
        book: &mut Book<'_, R>,
        head: &BestEffortJob,
        class: R::Class,
    ) -> Option<usize> {
        let axis = book.ring.axis();
        let duration = head.estimate.get() as usize;
        let job = Job {
            ready: 0,
            latest: axis.slots().checked_sub(duration)?,
            duration,
            max_busy: axis.pes().get().checked_sub(head.pes.get())?,
            pes: head.pes.get(),
        };
        let before = book.ring.ask(class);
        let earliest = fit::earliest(&mut book.ring, &job);
        book.ring.ask(before);
        earliest
    }

    /// Checks the book, and that the queue is consistent in itself and with the book. As [`Book::check_invariants`],
    /// plus O(jobs).
    ///
    /// The book could run every queued job; tickets rise in order of submission; unused elements of the queue are
    /// empty.
    ///
    /// # Errors
    ///
    /// Returns the first violation found.
    pub fn check_invariants<R: Ring>(&self, book: &mut Book<'_, R>) -> Result<(), Violation> {
        book.check_invariants()?;
        match self.is_sound(book) {
            true => Ok(()),
            false => Err(Violation::Queue),
        }
    }

    /// Returns whether the queue is consistent in itself and with the book. O(jobs + requests).
    fn is_sound<R: Ring>(&self, book: &Book<'_, R>) -> bool {
        let possible = |waiting: &WaitingJob| {
            let class = R::numbered(waiting.class());
            let known = book.ring.is_known(class);
            let described = waiting.describe().filter(|_| known);
            described.is_some_and(|(_, job)| admit(&book.ring, class, &job).is_ok())
        };
        let Some((waiting, rest)) = self.jobs.split_at_checked(self.len()) else {
            return false;
        };
        let known = Discipline::from_code(self.state.discipline).is_some()
            && self.state.resume as usize <= self.len().saturating_add(1)
            && rest.iter().all(|job| *job == WaitingJob::NONE);
        let in_order = waiting
            .is_sorted_by(|one, other| self.state.age(one.ticket) > self.state.age(other.ticket));
        #[cfg(feature = "plan")]
        let in_order = in_order && self.has_sound_requests(book);
        known && in_order && waiting.iter().all(possible)
    }

    fn waiting(&self) -> &[WaitingJob] {
        self.jobs.get(..self.len()).unwrap_or_default()
    }

    fn job_at<R: Ring>(&self, place: usize) -> Option<(Ticket, BestEffortJob, R::Class)> {
        let waiting = self.waiting().get(place)?;
        let (ticket, job) = waiting.describe()?;
        Some((ticket, job, R::numbered(waiting.class())))
    }

    /// Removes the job at `place`. O(jobs).
    fn remove(&mut self, place: usize) {
        line::remove(self.jobs, &mut self.state.len, place);
    }

    /// Returns the index at which a pass over the queue is to begin, if anything has changed since the last.
    fn look_due<R: Ring>(&self, book: &Book<'_, R>) -> Option<usize> {
        let unchanged = self.state.seen == book.version().revision;
        match self.state.resume.checked_sub(1) {
            Some(place) if unchanged => Some(place as usize),
            None if unchanged => None,
            _ => Some(0),
        }
    }
}

/// How jobs of a queue are started.
trait Starts<R: Ring> {
    /// Starts the next job that starts now, if there is one and it can be reported.
    fn start(
        &mut self,
        queue: &mut Queue<'_>,
        book: &mut Book<'_, R>,
        reportable: bool,
    ) -> Option<Next>;

    /// Notes that time is leaving a slot, so that nothing starts in it any more.
    #[cfg(feature = "plan")]
    fn leave(&mut self, _slot: Slot) {}

    /// Notes an event.
    #[cfg(feature = "plan")]
    fn note(&mut self, _book: &Book<'_, R>, _kind: EventKind) {}

    /// Returns the next slot in which a job may start although nothing happens to the book.
    #[cfg(feature = "plan")]
    fn wakes(&self, _queue: &Queue<'_>, _book: &Book<'_, R>) -> Option<Slot> {
        None
    }
}

/// First come, first served, and EASY: a pass over the queue when something has changed.
impl<R: Ring> Starts<R> for () {
    fn start(
        &mut self,
        queue: &mut Queue<'_>,
        book: &mut Book<'_, R>,
        reportable: bool,
    ) -> Option<Next> {
        let first = queue.look_due(book)?;
        queue.look(book, first, reportable)
    }
}

/// Returns the earlier of two slots.
#[cfg(feature = "plan")]
fn earlier(one: Option<Slot>, other: Option<Slot>) -> Option<Slot> {
    one.into_iter().chain(other).min()
}

/// Returns the lower half of a slot's number. A queue and a book that are apart agree in it only after a multiple of 2^32 slots, and the
/// state of a queue keeps its size.
const fn low_half(slot: Slot) -> u32 {
    slot.get() as u32
}
