//! Time passes, and whoever may be moved starts earlier where something has ended.

use heapless::VecView;

use super::{Discipline, PlannedQueue, Queue, Starts, look::Next};
use crate::{
    book::{Advanced, Book},
    error::{Error, Refusal},
    event::Event,
    ring::Ring,
    time::{Slot, Span},
    transaction::{Move, Workspace},
};

impl Queue<'_> {
    /// As [`advance`](Self::advance), and [pulls flexible reservations forward](Book::pull_forward) at `now` and in each slot on the way in which something has happened: after ends, expired
    /// holds and starts that become fixed, before waiting requests are tried and before starts. So they come before those who wait. In the slot at which an unconfirmed hold
    /// would start, which may be given up as time leaves it, nobody is pulled to that slot. Where either list is full, the next call goes on.
    ///
    /// Advancing over many slots at once does the same as many small steps: time alone makes no room.
    ///
    /// As [`advance`](Self::advance); in addition a [`pull_forward`](Book::pull_forward) for each event.
    ///
    /// ```
    /// use bookahead::{Commitment, CountBook, CountWorkspace, Discipline, Event, Flexibility, Freeze, JobQueue, Move, PeCount, Policy, Request, Slot, Span};
    /// let (mut memory, mut jobs) = (CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap(), JobQueue::<1>::new(Discipline::Fcfs));
    /// let (mut book, mut queue) = (memory.view(), jobs.view());
    /// let request = Request { ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3) };
    /// let flexible = Commitment::Flexible { kind: Flexibility::Interval, freeze: Freeze::Never };
    /// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let second = book.reserve(&request, Policy::FirstFit, flexible)?;
    /// let (mut workspace, mut events, mut moves) = (CountWorkspace::<1, 0>::new(), heapless::Vec::<Event, 4>::new(), heapless::Vec::<Move, 4>::new());
    /// let _ = queue.advance_pulling(&mut book, Slot::new(0), &mut events, &mut workspace.view(), &mut moves)?;
    /// // The first one ends after two of its five slots.
    /// book.complete(first.handle, Slot::new(2))?;
    /// let _ = queue.advance_pulling(&mut book, Slot::new(4), &mut events, &mut workspace.view(), &mut moves)?;
    /// assert_eq!((second.start, moves[0].to.map(|to| to.start)), (Slot::new(5), Some(Slot::new(2))));
    /// assert_eq!(events.iter().map(|event| event.at.get()).collect::<Vec<_>>(), [0, 2, 2]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`advance`](Self::advance), and [`Refusal::MoveLimit`] for a workspace without an entry.
    pub fn advance_pulling<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
        workspace: &mut Workspace<'_, R::Part>,
        moves: &mut VecView<Move>,
    ) -> Result<Advanced, Error> {
        self.check_unplanned(book)?;
        self.advance_pulling_by(book, &mut (), to, events, (workspace, moves))
    }

    fn advance_pulling_by<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
        events: &mut VecView<Event>,
        (workspace, moves): (&mut Workspace<'_, R::Part>, &mut VecView<Move>),
    ) -> Result<Advanced, Error> {
        book.check_advance(to)?;
        if workspace.capacity() == 0 {
            return Err(Refusal::MoveLimit.into());
        }
        let done = self.pull_on_the_way(book, starts, to, events, (workspace, moves));
        self.note_classes(book);
        done
    }

    fn pull_on_the_way<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        starts: &mut impl Starts<R>,
        to: Slot,
        events: &mut VecView<Event>,
        (workspace, moves): (&mut Workspace<'_, R::Part>, &mut VecView<Move>),
    ) -> Result<Advanced, Error> {
        loop {
            self.grow_back(book);
            let due = book.approach(book.now());
            if !due.is_some_and(|row| book.comes_before_waiting(row)) {
                let pulled = book.pull_forward(book.first_to_pull_to(), workspace, moves)?;
                if pulled == Advanced::EventsWaiting {
                    self.follow(book);
                    return Ok(pulled);
                }
            }
            if events.is_full() {
                return Ok(match self.pull(book, starts, to, false) {
                    Some(_) => Advanced::EventsWaiting,
                    None => Advanced::Done,
                });
            }
            match self.pull(book, starts, to, true) {
                // Cannot fail: the list is not full.
                Some(Next::Event(event)) => drop(events.push(event)),
                _ => return Ok(Advanced::Done),
            }
        }
    }
}

impl<R: Ring> PlannedQueue<'_, R> {
    /// As [`Queue::advance_pulling`], with jobs that start at their planned starts.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::advance_pulling`], and [`UsageError::NoSchedule`](crate::UsageError::NoSchedule) for a schedule of another size than the book.
    pub fn advance_pulling(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut VecView<Event>,
        workspace: &mut Workspace<'_, R::Part>,
        moves: &mut VecView<Move>,
    ) -> Result<Advanced, Error> {
        self.check(book)?;
        self.queue.check_book(book)?;
        let (queue, lent) = (&mut self.queue, (workspace, moves));
        match queue.discipline() {
            Discipline::Conservative => {
                queue.advance_pulling_by(book, &mut self.schedule, to, events, lent)
            }
            _ => queue.advance_pulling_by(book, &mut (), to, events, lent),
        }
    }
}

impl<R: Ring> Book<'_, R> {
    /// Returns the first slot in which somebody who is pulled forward may start.
    fn first_to_pull_to(&self) -> Slot {
        let now = self.now();
        let mut rows = self.ledger.rows.iter();
        match rows.any(|row| row.is_live() && row.is_held() && row.start() == now) {
            true => now.saturating_add(Span::new(1)),
            false => now,
        }
    }
}
