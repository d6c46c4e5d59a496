//! Conservative backfilling: each job of the queue has a planned start, which no later job may delay.

use core::ops::Range;

use heapless::VecView;

use super::{Discipline, Next, PlannedJob, Queue, Schedule, Starts, WaitingJob, earlier};
use crate::{
    best_effort::BestEffortJob,
    book::{Advanced, Ask, Book, Launch},
    error::{Error, UsageError},
    event::{Event, EventKind},
    fit::{self, Job},
    ring::{Count, CountOf, Ring, hull},
    ticket::Ticket,
    time::{Slot, Span, Window},
    violation::Violation,
};

/// The end of time.
const NEVER: Slot = Slot::new(u64::MAX);

/// Slots that are compared at once.
const STRETCH: usize = 64;

/// Stands for the start of a job that is lifted.
const LIFTED: Slot = NEVER;

/// A [`Queue`] whose jobs are planned, if its discipline is [`Discipline::Conservative`]; with another one it is as without a schedule.
///
/// The first jobs of the queue, as far as they fit inside the horizon, have a planned start: the earliest at which their whole estimate fits beside everything
/// that is booked or planned, when they come. Nobody is planned or started behind a job that has none. A job starts at its planned start. The plan follows what
/// happens to the book, at the latest before the next job is submitted or started:
///
/// 1. Where reservations have taken room, planned jobs are lifted: in the first slot in which more is booked and planned than there is, the last of the queue that
///    is planned there, until there is no such slot. With processing elements of their own, all whose planned ones are taken are lifted. Then they are planned
///    anew, in the order of the queue.
/// 2. Where there is more room in some slots, by an early end or because somebody left, each job is looked at once, in the order of the queue: it is planned at
///    the earliest start at which it would use one of the slots from the first of them to the last, if that is earlier than its own.
///
/// What is decided about reservations does not depend on what is planned: they are booked on the book's ring alone, and a planned job gives way. So a reservation
/// may delay jobs, but no job delays one ahead of it. A jump in time does what many steps do.
///
/// The schedule lies in memory of its own: a [`JobSchedule`](crate::JobSchedule), and a second, empty book of the same kind and size for its ring.
///
/// ```
/// use bookahead::{BestEffortJob, CountBook, Discipline, EventKind, JobQueue, JobSchedule, PeCount, Slot, Span};
/// let memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
/// let (mut first, mut second) = (memory.clone(), memory);
/// let (mut jobs, mut schedule) = (JobQueue::<8>::new(Discipline::Conservative), JobSchedule::<8>::new());
/// let mut book = first.view();
/// let mut queue = jobs.view().planned(schedule.over(second.view()));
/// let job = |slots, pes| BestEffortJob { estimate: Span::new(slots), pes: PeCount::new(pes) };
/// // The third job fits beside the first one and does not delay the second; the fourth would.
/// let tickets = [job(5, 3), job(4, 4), job(3, 1), job(6, 1)].map(|job| queue.submit(&mut book, &job));
/// assert!(queue.starts().map(|(_, start)| start.get()).eq([0, 5, 0, 9]));
/// let started = [tickets[0]?, tickets[2]?];
/// for ticket in started {
///     let event = queue.next(&mut book, Slot::new(0))?.unwrap();
///     assert_eq!((event.kind, event.ticket), (EventKind::BestEffortStarted, Some(ticket)));
/// }
/// # Ok::<(), bookahead::Error>(())
/// ```
///
/// Source: Mu'alem and Feitelson, "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling" (2001).
pub struct PlannedQueue<'q, R> {
    pub(super) queue: Queue<'q>,
    pub(super) schedule: Schedule<'q, R>,
}

impl<'q> Queue<'q> {
    /// Returns the queue with a schedule of its jobs. A schedule belongs to one queue and its book, and the queue is always opened with its schedule. O(1).
    ///
    /// See [`PlannedQueue`] for an example.
    pub const fn planned<R: Ring>(self, schedule: Schedule<'q, R>) -> PlannedQueue<'q, R> {
        PlannedQueue {
            queue: self,
            schedule,
        }
    }
}

impl<'q, R: Ring> PlannedQueue<'q, R> {
    /// Returns the queue, for calls that need no schedule. O(1).
    #[must_use]
    pub const fn queue(&self) -> &Queue<'q> {
        &self.queue
    }

    /// Returns the queue, for calls that need no schedule, such as [`withdraw`](Queue::withdraw) and [`wait`](Queue::wait). Snapshots and records are read by the queue with its schedule, of which this one
    /// knows nothing. O(1).
    pub const fn queue_mut(&mut self) -> &mut Queue<'q> {
        &mut self.queue
    }

    /// Returns the tickets and starts of the planned jobs, in the order of the queue, as they were last planned. O(jobs) for all of them.
    pub fn starts(&self) -> impl Iterator<Item = (Ticket, Slot)> {
        let told = |(_, planned): (usize, PlannedJob)| {
            Some((Ticket::from_number(planned.job.ticket)?, planned.start))
        };
        self.schedule.iter().filter_map(told)
    }

    /// Appends a job to the queue, and plans it; as [`Queue::submit`]. O(a first fit), and where the book has changed O(slots x columns + jobs x (a first fit +
    /// estimate x columns)).
    ///
    /// # Errors
    ///
    /// Those of [`Queue::submit`], and [`UsageError::NoSchedule`] for a schedule of another size than the book.
    pub fn submit<'j>(
        &mut self,
        book: &mut Book<'_, R>,
        job: impl Ask<'j, R, BestEffortJob>,
    ) -> Result<Ticket, Error> {
        self.check(book)?;
        let ticket = self.queue.submit(book, job)?;
        if self.is_planned() {
            self.schedule.settle(&self.queue, book);
        }
        Ok(ticket)
    }

    /// Advances the book as [`Queue::advance`], and starts jobs at their planned starts.
    ///
    /// As [`Queue::advance`]; for each slot in which something happens, O(slots x columns + jobs x (a first fit + estimate x columns)).
    ///
    /// # Errors
    ///
    /// Those of [`Queue::advance`], and [`UsageError::NoSchedule`] for a schedule of another size than the book.
    pub fn advance(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
    ) -> Result<Advanced, Error> {
        self.check(book)?;
        self.queue.check_book(book)?;
        book.check_advance(to)?;
        Ok(match self.is_planned() {
            true => self.queue.advance_by(book, &mut self.schedule, to, events),
            false => self.queue.advance_by(book, &mut (), to, events),
        })
    }

    /// Returns the next event on the way to `to`; as [`Queue::next`].
    ///
    /// # Errors
    ///
    /// Those of [`advance`](Self::advance).
    pub fn next(&mut self, book: &mut Book<'_, R>, to: Slot) -> Result<Option<Event>, Error> {
        self.check(book)?;
        self.queue.check_book(book)?;
        book.check_advance(to)?;
        Ok(match self.is_planned() {
            true => self.queue.next_by(book, &mut self.schedule, to),
            false => self.queue.next_by(book, &mut (), to),
        })
    }

    /// Returns when something happens next, `now` included; as [`Queue::next_event`]. O(requests).
    #[must_use]
    pub fn next_event(&self, book: &Book<'_, R>) -> Option<Slot> {
        match self.is_planned() {
            true => {
                let next = earlier(book.next_event(), self.queue.next_of_waiting(book));
                earlier(next, self.schedule.wakes(&self.queue, book))
            }
            false => self.queue.next_event(book),
        }
    }

    /// Checks the book and the queue as [`Queue::check_invariants`], and that the schedule agrees with both. O(slots x columns + jobs x estimate x columns) more.
    ///
    /// The planned jobs are the first of the queue, none is planned in the past, and without them the ring of the schedule is that of the book,
    /// if the book has not changed since.
    ///
    /// # Errors
    ///
    /// Returns the first violation found.
    pub fn check_invariants(&mut self, book: &mut Book<'_, R>) -> Result<(), Violation> {
        self.queue.check_invariants(book)?;
        match !self.is_planned() || self.schedule.is_sound(&self.queue, book) {
            true => Ok(()),
            false => Err(Violation::Queue),
        }
    }

    pub(super) fn is_planned(&self) -> bool {
        self.queue.discipline() == Discipline::Conservative
    }

    /// Checks that the schedule is for books of this size.
    pub(super) fn check(&self, book: &Book<'_, R>) -> Result<(), Error> {
        match !self.is_planned() || self.schedule.ring.is_like(&book.ring) {
            true => Ok(()),
            false => Err(UsageError::NoSchedule.into()),
        }
    }
}

impl<R: Ring> Starts<R> for Schedule<'_, R> {
    fn start(
        &mut self,
        queue: &mut Queue<'_>,
        book: &mut Book<'_, R>,
        reportable: bool,
    ) -> Option<Next> {
        if queue.is_empty() || !self.is_due(queue, book) || self.is_left(book) {
            return None;
        }
        self.settle(queue, book);
        self.launch(queue, book, reportable)
    }

    fn leave(&mut self, slot: Slot) {
        self.state.leaving = slot.get().saturating_add(1);
    }

    fn note(&mut self, book: &Book<'_, R>, kind: EventKind) {
        let revision = book.version().revision;
        let same = matches!(kind, EventKind::Started | EventKind::StartFixed);
        if same && self.state.seen.wrapping_add(1) == revision {
            self.state.seen = revision;
        }
    }

    fn wakes(&self, queue: &Queue<'_>, book: &Book<'_, R>) -> Option<Slot> {
        if queue.is_empty() {
            return None;
        }
        match self.is_due(queue, book) {
            true if self.is_left(book) => Some(book.now().saturating_add(Span::new(1))),
            true => Some(book.now()),
            false => Some(self.state.wake).filter(|wake| *wake < NEVER),
        }
    }
}

/// Returns the offset from which on nothing is booked.
fn booked_until<R: Ring>(book: &Book<'_, R>) -> usize {
    let (axis, counts) = (book.ring.axis(), book.ring.counts());
    let last = counts.last_above::<R::Scan>(axis, 0..axis.slots(), Count::ZERO);
    last.map_or(0, |last| last.saturating_add(1))
}

/// What has no start in some room: so many processing elements, for so many slots, of a class.
#[derive(Default)]
struct Without {
    wants: [(u32, Span, u16); WITHOUT],
    len: usize,
}

/// As many as are worth looking through.
const WITHOUT: usize = 8;

impl Without {
    /// Returns whether somebody has no start who asks for no more.
    fn excludes(&self, (pes, duration, class): (u32, Span, u16)) -> bool {
        let mut wants = self.wants.iter().take(self.len);
        wants.any(|(fewer, shorter, of)| *fewer <= pes && *shorter <= duration && *of == class)
    }

    fn add(&mut self, want: (u32, Span, u16)) {
        if let Some(place) = self.wants.get_mut(self.len) {
            *place = want;
            self.len = self.len.saturating_add(1);
        }
    }
}

impl<R: Ring> Schedule<'_, R> {
    /// Starts the first job that is planned for the present slot. If there is none, or no row for it, notes when to look again.
    fn launch(
        &mut self,
        queue: &mut Queue<'_>,
        book: &mut Book<'_, R>,
        reportable: bool,
    ) -> Option<Next> {
        let now = book.now();
        let (mut before, mut place, mut first) = (None, 0_usize, self.state.alarm);
        let due = self.find_from(self.state.first, |index, planned| {
            if planned.start == now {
                return true;
            }
            first = first.min(planned.start);
            (before, place) = (Some(index), place.saturating_add(1));
            false
        });
        let launched = due.and_then(|(index, planned)| {
            let (ticket, job) = planned.job.describe()?;
            let (class, set) = (R::numbered(planned.job.class()), self.ring.set(index));
            let launched =
                book.for_class(class, |book| book.launch_on(ticket, &job, set, reportable));
            Some((index, job, launched))
        });
        // There may be others.
        self.state.wake = now;
        match launched {
            Some((index, job, Launch::Started(event))) => {
                queue.remove(place);
                // What was planned is booked now, so the ring stays as it is.
                let slots = 0..job.estimate.get() as usize;
                self.know_until(self.known_until().max(slots.end));
                self.see_more(slots, job.pes.get());
                self.remove(index, before);
                self.state.seen = book.version().revision;
                Some(Next::Event(event))
            }
            Some((_, _, Launch::Unreported)) => Some(Next::Unreported),
            // One that should have started and could not, for want of a row, is planned anew in the next slot.
            waits => {
                let next = now.saturating_add(Span::new(1));
                let first = if waits.is_some() { next } else { first };
                (self.state.wake, queue.state.resume) = (first.max(next), 0);
                None
            }
        }
    }

    /// Returns whether jobs may be planned or started otherwise than when that was last looked at.
    fn is_due(&self, queue: &Queue<'_>, book: &Book<'_, R>) -> bool {
        let state = &self.state;
        queue.state.resume > 0
            || state.known == 0
            || state.seen != book.version().revision
            || book.now() >= state.wake
    }

    /// Returns whether time is leaving the present slot, so that no job starts in it.
    fn is_left(&self, book: &Book<'_, R>) -> bool {
        self.state.leaving == book.now().get().saturating_add(1)
    }

    /// Lets the plan follow what has happened to the book and to the queue.
    pub(super) fn settle(&mut self, queue: &Queue<'_>, book: &mut Book<'_, R>) {
        let revision = book.version().revision;
        let moved = book.now() > self.ring.now();
        if moved {
            self.move_now(book.now());
        }
        self.ring.copy_classes(&book.ring);
        let left = match queue.state.resume {
            0 => None,
            _ => self.drop_gone(queue),
        };
        let late = moved && self.lift_late();
        let mut followed = (None, false);
        if self.state.known == 0 || self.state.seen != revision {
            followed = self.follow(book);
            self.state.seen = revision;
            self.know_until(booked_until(book));
        }
        let (freed, lifted) = followed;
        if late || lifted {
            self.place_lifted();
        }
        if let Some(room) = left.into_iter().chain(freed).reduce(hull) {
            self.pull_forward(room);
        }
        self.extend(queue);
    }

    /// Removes those who have left the queue, and returns from the first to the last slot in which there is more room for it.
    fn drop_gone(&mut self, queue: &Queue<'_>) -> Option<Range<usize>> {
        let (mut room, mut before, mut link) = (None, None, self.state.first);
        let mut queued = queue.waiting().iter().peekable();
        for _ in 0..self.jobs.len() {
            let Some((index, planned)) = self.job(link) else {
                break;
            };
            link = planned.next;
            if queued.next_if(|job| **job == planned.job).is_some() {
                before = Some(index);
                continue;
            }
            let offsets = self.lift(index);
            self.remove(index, before);
            room = room.into_iter().chain(Some(offsets)).reduce(hull);
        }
        room
    }

    /// Lifts those whose planned start has passed, and returns whether there were any.
    fn lift_late(&mut self) -> bool {
        let (now, mut any) = (self.ring.now(), false);
        for index in 0..self.jobs.len() {
            let late = self.jobs.get(index).filter(|planned| planned.start < now);
            if late.is_some_and(|planned| planned.job != WaitingJob::NONE) {
                self.lift(index);
                any = true;
            }
        }
        any
    }

    /// Takes over what is booked, and lifts those who are in the way. Returns from the first to the last slot in which less is booked than was, and whether more
    /// is in some, so that there may be some who are lifted.
    fn follow(&mut self, book: &Book<'_, R>) -> (Option<Range<usize>>, bool) {
        if R::COUNTS_DECIDE
            && self.state.known > 0
            && let Some(freed) = self.follow_counts(book)
        {
            return (freed, false);
        }
        let changed = match R::COUNTS_DECIDE || self.state.known == 0 {
            true => Some(0..self.ring.axis().slots()),
            false => self.changed(book),
        };
        let Some(changed) = changed else {
            return (None, false);
        };
        self.each_placed(&changed, |schedule, index, offsets, pes| {
            schedule.ring.release(index, offsets, pes);
            true
        });
        let (freed, taken) = self.ring.compare(&book.ring, changed.clone());
        self.ring.copy_slots(&book.ring, changed.clone());
        let fit = self.each_placed(&changed, |schedule, index, offsets, pes| {
            if !taken {
                schedule.ring.restore(index, offsets, pes);
                return true;
            }
            let fits = schedule.ring.reclaim(index, offsets, pes, true);
            if !fits && !R::COUNTS_DECIDE {
                schedule.mark_lifted(index);
            }
            fits || !R::COUNTS_DECIDE
        });
        if !fit {
            self.lift_overfull(book);
        }
        if R::COUNTS_DECIDE {
            // The axis has become that of the book.
            self.seen.fill(0);
        }
        let (own, other) = (*self.ring.axis(), book.ring.axis());
        for offset in changed {
            if let Some(seen) = self.seen.get_mut(own.index(offset)) {
                *seen = book.ring.counts().at(other.index(offset)).get();
            }
        }
        (freed, taken)
    }

    /// Returns a range of slots outside of which sets are booked as they were, if it is not empty: there nobody is planned on what is booked, which is no more than was
    /// booked or planned, and as many as were booked.
    fn changed(&self, book: &Book<'_, R>) -> Option<Range<usize>> {
        let booked = 0..booked_until(book);
        let news = |offset: &usize| book.ring.is_busier(*offset, &self.ring, *offset);
        let first = booked.clone().find(news);
        let last = booked.clone().rev().find(news);
        let mut differ = first
            .zip(last)
            .map(|(first, last)| first..last.saturating_add(1));
        let mut rest = 0..self.known_until().max(booked.end);
        while let Some((offsets, _)) = self.next_change(book, &rest) {
            rest.start = offsets.end;
            differ = differ.into_iter().chain(Some(offsets)).reduce(hull);
        }
        let during = self.window(&booked);
        self.find_from(self.state.first, |index, planned| {
            if planned.is_during(during) {
                let (set, offsets) = (self.ring.set(index), self.offsets(planned));
                if book.ring.is_booked_on(set, offsets.clone()) {
                    differ = differ.take().into_iter().chain(Some(offsets)).reduce(hull);
                }
            }
            false
        });
        differ
    }

    /// The same where counts decide and nobody is in the way: only what has changed is looked at. `None`, and nothing has happened, where somebody is in the
    /// way.
    fn follow_counts(&mut self, book: &Book<'_, R>) -> Option<Option<Range<usize>>> {
        let most = self.ring.axis().pes().get();
        let (mut rest, mut changed) = (0..self.known_until().max(booked_until(book)), 0..0);
        while let Some((offsets, more)) = self.next_change(book, &rest) {
            rest.start = offsets.end;
            changed.end = offsets.end;
            let Ok(max_busy) = u32::try_from(i64::from(most).saturating_sub(more)) else {
                return None;
            };
            let (axis, counts) = (self.ring.axis(), self.ring.counts());
            if more > 0
                && counts
                    .last_above::<R::Scan>(axis, offsets, CountOf::<R>::of(max_busy))
                    .is_some()
            {
                return None;
            }
        }
        let mut freed = None::<Range<usize>>;
        while let Some((offsets, more)) = self.next_change(book, &changed) {
            changed.start = offsets.end;
            let pes = more.unsigned_abs() as u32;
            if more > 0 {
                self.ring.restore(0, offsets.clone(), pes);
            } else {
                self.ring.release(0, offsets.clone(), pes);
                freed = freed.into_iter().chain(Some(offsets.clone())).reduce(hull);
            }
            for indices in self.ring.axis().indices(offsets) {
                for seen in self.seen.get_mut(indices).unwrap_or_default() {
                    *seen = i64::from(*seen).saturating_add(more) as u32;
                }
            }
        }
        Some(freed)
    }

    /// Returns the offset from which on nothing was booked when the book was last looked at.
    fn known_until(&self) -> usize {
        self.ring
            .axis()
            .nearest(Slot::new(self.state.known.saturating_sub(1)))
    }

    /// Notes the offset from which on nothing is booked.
    pub(super) fn know_until(&mut self, offset: usize) {
        let slot = self.ring.axis().slot(offset);
        self.state.known = slot.get().saturating_add(1);
    }

    /// Returns the first slots `among` these in which equally many more are booked than when the book was last looked at, and how many.
    fn next_change(&self, book: &Book<'_, R>, among: &Range<usize>) -> Option<(Range<usize>, i64)> {
        let (own, other) = (self.ring.axis(), book.ring.axis());
        let more = |offset: usize| {
            let seen = self.seen.get(own.index(offset)).copied();
            i64::from(book.ring.counts().at(other.index(offset)).get())
                .saturating_sub(seen.unwrap_or_default().into())
        };
        let mut start = among.start;
        // Slots that are one behind the other in both rings, many at once.
        while start < among.end {
            let rest = start..among.end;
            let len = own.first_unit(&rest, STRETCH).len();
            let len = len.min(other.first_unit(&rest, STRETCH).len());
            let (here, there) = (own.index(start), other.index(start));
            let seen = self.seen.get(here..here.saturating_add(len));
            let booked = book
                .ring
                .counts()
                .busy
                .get(there..there.saturating_add(len));
            let pairs = seen.into_iter().flatten().zip(booked.into_iter().flatten());
            if pairs.fold(false, |other, (seen, booked)| {
                other | (*seen != booked.get())
            }) {
                break;
            }
            start = start.saturating_add(len.max(1));
        }
        let start = (start..among.end).find(|offset| more(*offset) != 0)?;
        let here = more(start);
        let end = (start..among.end).find(|offset| more(*offset) != here);
        Some((start..end.unwrap_or(among.end), here))
    }

    /// Notes that more are booked in these slots than were.
    pub(super) fn see_more(&mut self, offsets: Range<usize>, pes: u32) {
        for indices in self.ring.axis().indices(offsets) {
            for seen in self.seen.get_mut(indices).unwrap_or_default() {
                *seen = seen.saturating_add(pes);
            }
        }
    }

    /// Moves time, and forgets what was booked in the slots that have passed.
    fn move_now(&mut self, to: Slot) {
        let passed = self.ring.axis().nearest(to);
        for indices in self.ring.axis().indices(0..passed) {
            self.seen.get_mut(indices).unwrap_or_default().fill(0);
        }
        self.ring.advance(to);
    }

    /// Lifts, while there is a slot in which more is booked and planned than there is, in the first one the last in order who is planned there.
    fn lift_overfull(&mut self, book: &Book<'_, R>) {
        let restore = |schedule: &mut Self, index, offsets, pes| {
            schedule.ring.restore(index, offsets, pes);
            true
        };
        let all = 0..self.ring.axis().slots();
        self.ring.clear_slots();
        self.each_placed(&all, restore);
        let most = self.ring.axis().pes().get();
        let mut offset = 0_usize;
        while offset < self.ring.axis().slots() {
            let booked = book.ring.counts().at(book.ring.axis().index(offset));
            let planned = self.ring.counts().at(self.ring.axis().index(offset));
            let overfull = booked.get().saturating_add(planned.get()) > most;
            let last = overfull.then(|| self.last_planned_in(offset)).flatten();
            match last {
                Some(last) => drop(self.lift(last)),
                None => offset = offset.saturating_add(1),
            }
        }
        self.ring.copy_slots(&book.ring, all.clone());
        self.each_placed(&all, restore);
    }

    /// Returns the last in order who is planned in a slot.
    fn last_planned_in(&self, offset: usize) -> Option<usize> {
        let during = self.window(&(offset..offset.saturating_add(1)));
        let there = |(_, planned): &(usize, PlannedJob)| planned.is_during(during);
        self.iter().filter(there).last().map(|(index, _)| index)
    }

    /// Plans those who are lifted, in order, each at its earliest start. Nobody is planned behind one that has none.
    fn place_lifted(&mut self) {
        let (mut before, mut link) = (None, self.state.first);
        let latest = self.ring.axis().slots();
        for _ in 0..self.jobs.len() {
            let lifted = self.find_from(link, |index, planned| {
                let lifted = planned.start == LIFTED;
                if !lifted {
                    before = Some(index);
                }
                lifted
            });
            let Some((index, planned)) = lifted else {
                return;
            };
            if !self.place(index, 0..latest) {
                self.end_behind(before);
                return;
            }
            (before, link) = (Some(index), planned.next);
        }
    }

    /// Removes those who follow `before`.
    fn end_behind(&mut self, before: Option<usize>) {
        for _ in 0..self.jobs.len() {
            let link = *self.link_behind(before);
            let Some((index, _)) = self.job(link) else {
                return;
            };
            self.lift(index);
            self.remove(index, before);
        }
    }

    /// Looks once, in order, at those who could use a slot with more room, and plans each at the earliest start at which it does.
    fn pull_forward(&mut self, room: Range<usize>) {
        let (mut link, now, space) = (self.state.first, self.ring.now(), self.window(&room));
        let last = self.ring.axis().slot(room.end.saturating_sub(1));
        let (mut most, mut without) = (self.most_free(room.clone()), Without::default());
        for _ in 0..self.jobs.len() {
            let could_start = |_, planned: &PlannedJob| {
                let (Window { start, end }, estimate) = (planned.window(), planned.job.estimate);
                if start <= now || end <= space.start {
                    return false;
                }
                // Most are told without a search: who is planned behind the room, and is too wide for all of it, or asks for no less than somebody who has no
                // start in it. What he has himself must not lie in it.
                let apart = last.min(start).saturating_add(estimate) <= start;
                let (pes, class) = (planned.pes(), planned.job.class());
                !apart || pes <= most && !without.excludes((pes, estimate, class))
            };
            let Some((index, planned)) = self.find_from(link, could_start) else {
                return;
            };
            link = planned.next;
            let (offsets, pes) = (self.offsets(&planned), planned.pes());
            let duration = offsets.len();
            let first = room.start.saturating_add(1).saturating_sub(duration);
            let last = room.end.saturating_sub(1).min(offsets.start);
            self.ring.release(index, offsets.clone(), pes);
            if self.place(index, first..last) {
                (most, without) = (self.most_free(room.clone()), Without::default());
            } else {
                self.ring.restore(index, offsets, pes);
                without.add((pes, planned.job.estimate, planned.job.class()));
            }
        }
    }

    /// Returns how many are neither booked nor planned in that of the slots in which most are.
    fn most_free(&self, offsets: Range<usize>) -> u32 {
        let (axis, counts) = (self.ring.axis(), self.ring.counts());
        let parts = axis.indices(offsets).into_iter();
        let busy = parts.filter_map(|indices| counts.busy.get(indices));
        let least = busy.flatten().copied().min().unwrap_or(Count::MAX);
        axis.width().saturating_sub(least.get())
    }

    /// Plans the jobs of the queue that are not planned, in order, until one has no start. If time alone will give it one, notes when.
    fn extend(&mut self, queue: &Queue<'_>) {
        self.state.alarm = NEVER;
        if queue.len() == self.state.len as usize {
            return;
        }
        let mut last = self.iter().last().map(|(index, _)| index);
        let latest = self.ring.axis().slots();
        let planned = self.state.len as usize;
        for job in queue.waiting().get(planned..).unwrap_or_default() {
            let Some(index) = self.unused() else {
                return;
            };
            self.insert(index, last, (LIFTED, *job));
            if !self.place(index, 0..latest) {
                self.state.alarm = self.first_chance(index);
                self.remove(index, last);
                return;
            }
            last = Some(index);
        }
    }

    /// Returns the first slot in which a job that has no start has one, if nothing but time changes: the last slots must serve it, which they do the more, the
    /// fewer they are.
    fn first_chance(&mut self, index: usize) -> Slot {
        let Some(planned) = self.jobs.get(index).copied() else {
            return NEVER;
        };
        let slots = self.ring.axis().slots();
        let estimate = planned.job.estimate.get() as usize;
        let first = slots.saturating_sub(estimate);
        let (mut low, mut high) = (first.saturating_add(1), slots);
        while low < high {
            let middle = low.midpoint(high);
            match self.earliest(&planned, middle..middle, slots.saturating_sub(middle)) {
                Some(_) => high = middle,
                None => low = middle.saturating_add(1),
            }
        }
        self.ring.axis().slot(low.saturating_sub(first))
    }

    /// Plans a job that is lifted at the earliest of these starts, the last included, if there is one.
    fn place(&mut self, index: usize, starts: Range<usize>) -> bool {
        let Some(planned) = self.jobs.get(index).copied() else {
            return false;
        };
        let (duration, pes) = (planned.job.estimate.get() as usize, planned.pes());
        let inside = self.ring.axis().slots().checked_sub(duration);
        let latest = inside.map(|inside| inside.min(starts.end));
        let Some(latest) = latest.filter(|latest| *latest >= starts.start) else {
            return false;
        };
        let Some(start) = self.earliest(&planned, starts.start..latest, duration) else {
            return false;
        };
        let before = self.ring.ask(R::numbered(planned.job.class()));
        let offsets = start..start.saturating_add(duration);
        let claimed = self.ring.claim(index, offsets, pes);
        self.ring.ask(before);
        let slot = self.ring.axis().slot(start);
        if let Some(planned) = self.jobs.get_mut(index).filter(|_| claimed) {
            planned.start = slot;
        }
        claimed
    }

    /// Returns the earliest of the starts from which on so many slots serve a job.
    fn earliest(
        &mut self,
        planned: &PlannedJob,
        starts: Range<usize>,
        duration: usize,
    ) -> Option<usize> {
        let pes = planned.pes();
        let job = Job {
            ready: starts.start,
            latest: starts.end,
            duration,
            pes,
            max_busy: self.ring.axis().width().checked_sub(pes)?,
        };
        let before = self.ring.ask(R::numbered(planned.job.class()));
        let earliest = fit::earliest(&mut self.ring, &job);
        self.ring.ask(before);
        earliest
    }

    /// Takes a job out of the ring, if it is not lifted, and returns the slots in which it was planned.
    fn lift(&mut self, index: usize) -> Range<usize> {
        let planned = self.jobs.get(index).copied().unwrap_or_default();
        if planned.start == LIFTED {
            return 0..0;
        }
        let offsets = self.offsets(&planned);
        self.ring.release(index, offsets.clone(), planned.pes());
        self.mark_lifted(index);
        offsets
    }

    fn mark_lifted(&mut self, index: usize) {
        if let Some(planned) = self.jobs.get_mut(index) {
            planned.start = LIFTED;
        }
    }

    /// Calls `act` for those who are planned in some of these slots, in order, until it says no, and returns whether it never did.
    fn each_placed(
        &mut self,
        among: &Range<usize>,
        mut act: impl FnMut(&mut Self, usize, Range<usize>, u32) -> bool,
    ) -> bool {
        let (mut link, during) = (self.state.first, self.window(among));
        for _ in 0..self.jobs.len() {
            let there = |_, planned: &PlannedJob| planned.is_during(during);
            let Some((index, planned)) = self.find_from(link, there) else {
                break;
            };
            link = planned.next;
            let offsets = self.offsets(&planned);
            if !act(self, index, offsets, planned.pes()) {
                return false;
            }
        }
        true
    }

    /// Returns the slots in which a job is planned that have not passed.
    fn offsets(&self, planned: &PlannedJob) -> Range<usize> {
        self.ring.axis().covered(planned.window())
    }

    /// Returns the window of these slots.
    fn window(&self, offsets: &Range<usize>) -> Window {
        let [start, end] = [offsets.start, offsets.end].map(|offset| self.ring.axis().slot(offset));
        Window { start, end }
    }

    /// Acts while the ring holds nothing but what was booked when the book was last looked at. O(jobs x estimate x columns) more.
    pub(super) fn unplanned<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let all = 0..self.ring.axis().slots();
        self.each_placed(&all, |schedule, index, offsets, pes| {
            schedule.ring.release(index, offsets, pes);
            true
        });
        let done = act(self);
        self.each_placed(&all, |schedule, index, offsets, pes| {
            schedule.ring.restore(index, offsets, pes);
            true
        });
        done
    }

    /// Returns whether the schedule agrees with the queue and, unless that has changed, with the book.
    pub(super) fn is_sound(&mut self, queue: &Queue<'_>, book: &Book<'_, R>) -> bool {
        let (mut queued, mut len) = (queue.waiting().iter().peekable(), 0_usize);
        for (_, planned) in self.iter() {
            len = len.saturating_add(1);
            let stays = queued.next_if(|job| **job == planned.job).is_some();
            let gone = !stays && queue.state.resume == 0;
            if gone || planned.start == LIFTED || planned.start < self.ring.now() {
                return false;
            }
        }
        if len != self.state.len as usize || self.ring.now() > book.now() {
            return false;
        }
        let unlike = self.state.known == 0 || self.state.seen != book.version().revision;
        unlike || self.unplanned(|schedule| schedule.is_as(book))
    }

    /// Returns whether the ring holds what is booked and nothing else, and this is known. Its `now` may be an earlier one.
    fn is_as(&self, book: &Book<'_, R>) -> bool {
        let (own, other) = (self.ring.axis(), book.ring.axis());
        let passed = own.nearest(other.now());
        let known = other.nearest(Slot::new(self.state.known.saturating_sub(1)));
        booked_until(book) <= known
            && (0..other.slots()).all(|there| {
                let (here, booked) = (
                    there.saturating_add(passed),
                    book.ring.counts().at(other.index(there)).get(),
                );
                if here >= own.slots() {
                    return booked == 0;
                }
                self.seen.get(own.index(here)) == Some(&booked)
                    && !self.ring.is_busier(here, &book.ring, there)
                    && !book.ring.is_busier(there, &self.ring, here)
            })
    }
}
