//! Reservations for which running jobs make room, and what becomes of these jobs.

use super::{Queue, WaitingJob, line};
use crate::{
    best_effort::BestEffortJob,
    book::{Ask, Book, Booking, Commitment, asking},
    error::Error,
    event::{Event, EventKind},
    policy::Policy,
    request::Request,
    ring::Ring,
    ticket::Ticket,
};

impl Queue<'_> {
    /// Reserves as [`Book::reserve`]; where there is no room, running jobs make some that were marked by [`Book::make_preemptible`].
    ///
    /// Such a newcomer gets the earliest start at which there is room once all jobs are cut that have run for their least time by then, whatever the policy. Of them, only
    /// those are cut without any of which there is none: those that lose the least work first (processing elements times slots that a job has run and does not keep), and of
    /// those that lose as much the latest started first, until there is room; then whoever is not needed after all is left alone, the last one first.
    ///
    /// A job that is cut ends when the newcomer starts. That is reported as [`Preempted`](EventKind::Preempted), among the ends of the slot; then the job is queued again with its
    /// ticket, and so before those that came later. Its place in the queue is kept from now on. A job that will have run for all that it requested by then, since a [transaction](crate::Transaction) gave it more, ends for good and needs no place. If there is more room before, because the
    /// newcomer has left or for whatever reason, an [`advance`](Self::advance) lets it run as far as there is room, before anything else happens; jobs that started earlier come first. A job that
    /// [completes](Book::complete) before does not come back, and one that is cut cannot be altered.
    ///
    /// A book that is advanced without its queue reports the job as preempted, and it is not queued again.
    ///
    /// As [`Book::reserve`]; where jobs are cut O(jobs x (jobs + jobs x estimate x columns + a first fit)).
    ///
    /// ```
    /// use bookahead::{BestEffortJob, Commitment, CountBook, Discipline, EventKind, JobQueue, PeCount, Policy, Preemption, Request, Slot, Span};
    /// let (mut memory, mut jobs) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<8>::new(Discipline::Easy));
    /// let (mut book, mut queue) = (memory.view(), jobs.view());
    /// let job = BestEffortJob { estimate: Span::new(20), pes: PeCount::new(3) };
    /// let ticket = queue.submit(&mut book, &job)?;
    /// let started = queue.next(&mut book, Slot::new(0))?.unwrap();
    /// book.make_preemptible(started.handle, Preemption { min_run: Span::new(5), keeps: true })?;
    ///
    /// let request = Request { ready: Slot::new(2), duration: Span::new(4), deadline: Slot::new(12), pes: PeCount::new(2) };
    /// assert!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).is_err());
    /// let booking = queue.reserve_preempting(&mut book, &request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert_eq!(booking.start, Slot::new(5));
    ///
    /// let preempted = queue.next(&mut book, Slot::new(5))?.unwrap();
    /// assert_eq!((preempted.kind, preempted.at, preempted.ticket), (EventKind::Preempted, Slot::new(5), Some(ticket)));
    /// // It keeps the five slots that it has run.
    /// assert_eq!(queue.iter().next(), Some((ticket, BestEffortJob { estimate: Span::new(15), ..job })));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::ForeignQueue`](crate::UsageError::ForeignQueue) and [`UsageError::QueueLeftBehind`](crate::UsageError::QueueLeftBehind) as for [`submit`](Self::submit);
    /// those of [`Book::reserve`]; [`Refusal::QueueFull`](crate::Refusal::QueueFull) where more jobs would have to be cut than have a place in the queue.
    pub fn reserve_preempting<'r, R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        request: impl Ask<'r, R, Request>,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        self.check_book(book)?;
        let places = self.capacity().saturating_sub(self.len());
        let places = places.saturating_sub(self.kept_places(book));
        let (booking, cut) = asking!(book.ring, request, |request| book
            .reserve_cutting(request, policy, commitment, places))?;
        self.state.cut |= u8::from(cut);
        self.follow(book);
        Ok(booking)
    }

    /// Returns how many places of the queue are kept for jobs that are cut. O(1) where none is, else O(rows).
    pub(super) fn kept_places<R: Ring>(&self, book: &Book<'_, R>) -> usize {
        match self.state.cut {
            0 => 0,
            _ => book.cut_jobs(),
        }
    }

    /// Lets jobs that are cut run as far as there is room. O(1) where none is.
    pub(super) fn grow_back<R: Ring>(&mut self, book: &mut Book<'_, R>) {
        if self.state.cut > 0 {
            self.state.cut = book.grow_back().into();
        }
    }

    /// Queues the job again that an event has preempted, unless it came from a queue that was here before this one. O(jobs).
    pub(super) fn take_back<R: Ring>(&mut self, book: &Book<'_, R>, event: &Event) {
        if event.kind != EventKind::Preempted || self.state.cut == 0 {
            return;
        }
        // Vacant by now, but for what it was.
        let row = book.ledger.rows.get(event.handle.row as usize).copied();
        let row = row.unwrap_or_default();
        let ticket = event.ticket.unwrap_or(Ticket::FIRST);
        let age = self.state.age(ticket.get());
        let older = |job: &WaitingJob| self.state.age(job.ticket) > age;
        let place = self.waiting().partition_point(older);
        let known = self.waiting().get(place);
        if age > u32::MAX / 2 || known.is_some_and(|job| job.ticket == ticket.get()) {
            return;
        }
        let left = row
            .requested
            .get()
            .saturating_sub(row.done_for_good().get());
        let job = BestEffortJob {
            estimate: crate::time::Span::new(left).min(book.horizon()),
            pes: row.pes.count(),
        };
        let class = R::number(R::class_of(&row));
        let job = WaitingJob::new(ticket, &job, class);
        line::insert(self.jobs, &mut self.state.len, place, job);
        self.state.look_again();
    }
}
