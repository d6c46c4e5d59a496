//! Best-effort jobs before they start: on their way to the next slot edge, then in the kernel's queue. Beside them, requests that wait for room.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use bookahead::{
    Advanced, BestEffortJob, Book, ClassId, Error as Denied, Event, PeCount, PlannedQueue, Queue,
    Refusal, Slot, SlotClock, SnapshotError, Ticket,
    raw::{Kept as Restorable, Ring},
};

use super::outcome::Waited;
use crate::{
    request::BestEffortRequest,
    saved::{Saved, saves},
};

/// A queue, whose jobs are planned or not.
pub(super) enum Line<'q, R> {
    Plain(Queue<'q>),
    Planned(PlannedQueue<'q, R>),
}

impl<'q, R: Ring> Line<'q, R> {
    /// The queue, for calls that need no schedule.
    pub(super) fn queue(&mut self) -> &mut Queue<'q> {
        match self {
            Self::Plain(queue) => queue,
            Self::Planned(queue) => queue.queue_mut(),
        }
    }

    fn submit(
        &mut self,
        book: &mut Book<'_, R>,
        job: (ClassId, &BestEffortJob),
    ) -> Result<Ticket, Denied> {
        match self {
            Self::Plain(queue) => queue.submit(book, job),
            Self::Planned(queue) => queue.submit(book, job),
        }
    }

    fn advance(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        events: &mut heapless::VecView<Event>,
    ) -> Result<Advanced, Denied> {
        match self {
            Self::Plain(queue) => queue.advance(book, to, events),
            Self::Planned(queue) => queue.advance(book, to, events),
        }
    }

    fn next(&mut self, book: &mut Book<'_, R>, to: Slot) -> Result<Option<Event>, Denied> {
        match self {
            Self::Plain(queue) => queue.next(book, to),
            Self::Planned(queue) => queue.next(book, to),
        }
    }

    fn next_event(&self, book: &Book<'_, R>) -> Option<Slot> {
        match self {
            Self::Plain(queue) => queue.next_event(book),
            Self::Planned(queue) => queue.next_event(book),
        }
    }
}

impl<R: Restorable> Line<'_, R> {
    pub(super) fn write_snapshot(
        &mut self,
        write: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        match self {
            Self::Plain(queue) => queue.write_snapshot(write),
            Self::Planned(queue) => queue.write_snapshot(write),
        }
    }

    pub(super) fn read_snapshot(
        &mut self,
        book: &Book<'_, R>,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        match self {
            Self::Plain(queue) => queue.read_snapshot(book, read),
            Self::Planned(queue) => queue.read_snapshot(book, read),
        }
    }
}

/// The order of a job of the queue: the highest key, then who came first, by the slot and by the outcome.
type Rank = (Reverse<u32>, Slot, usize);

/// The jobs that have not started, and the requests that wait.
pub(super) struct Waiting<'q, R> {
    pub(super) queue: Line<'q, R>,
    /// Which outcome a job of the queue belongs to.
    tickets: HashMap<Ticket, usize>,
    /// The ranks of the jobs that have come and are not over, by their outcomes.
    ranks: HashMap<usize, Rank>,
    /// The same of requests that wait, with what is known of that.
    pub(super) requests: HashMap<Ticket, (usize, Waited)>,
    /// Jobs by the first slot edge after their submission, with their outcomes: nothing starts before it was submitted.
    coming: BTreeSet<(Slot, usize)>,
    /// Jobs of the queue by the slot in which they are removed: the first behind their latest starts.
    leaving: BTreeMap<(Slot, usize), Ticket>,
    /// The starts for which jobs were first planned.
    planned: HashMap<Ticket, Slot>,
}

// The queue itself has a snapshot.
impl<R> Saved for Waiting<'_, R> {
    saves!(tickets ranks requests coming leaving planned);
}

impl<'q, R: Ring> Waiting<'q, R> {
    pub(super) fn new(queue: Line<'q, R>) -> Self {
        Self {
            queue,
            tickets: HashMap::new(),
            ranks: HashMap::new(),
            requests: HashMap::new(),
            coming: BTreeSet::new(),
            leaving: BTreeMap::new(),
            planned: HashMap::new(),
        }
    }

    /// Notes that the job of an outcome is to be queued at `slot`.
    pub(super) fn expect(&mut self, slot: Slot, outcome: usize) {
        self.coming.insert((slot, outcome));
    }

    /// The next job that is to be queued by `slot`: from when on, and its outcome.
    pub(super) fn next_by(&mut self, slot: Slot) -> Option<(Slot, usize)> {
        let next = self.coming.first().copied();
        let next = next.filter(|(edge, _)| *edge <= slot)?;
        self.coming.pop_first();
        Some(next)
    }

    /// The job of an outcome comes at `slot`, with a key.
    pub(super) fn rank(&mut self, outcome: usize, slot: Slot, key: u32) {
        self.ranks.insert(outcome, (Reverse(key), slot, outcome));
    }

    /// Forgets the rank of an outcome, which is over; its key, if it came to the queue.
    pub(super) fn forget(&mut self, outcome: usize) -> Option<u32> {
        self.ranks.remove(&outcome).map(|(Reverse(key), ..)| key)
    }

    /// Removes a job of the queue whose latest start lies before `slot`, and says whose it was.
    pub(super) fn remove_late(&mut self, slot: Slot) -> Option<usize> {
        while let Some(entry) = self.leaving.first_entry() {
            if entry.key().0 > slot {
                return None;
            }
            let ticket = entry.remove();
            // It may have started, which its ticket tells.
            if self.queue.queue().withdraw(ticket).is_ok() {
                return self.started(Some(ticket));
            }
        }
        None
    }

    /// The outcomes of all jobs that have not started.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = usize> {
        let coming = self.coming.iter().map(|(_, outcome)| *outcome);
        coming.chain(self.tickets.values().copied())
    }

    /// Queues the job of an outcome, which is of a class and is `removed` in a slot if it has not started.
    pub(super) fn submit(
        &mut self,
        book: &mut Book<'_, R>,
        clock: SlotClock,
        (class, request): (ClassId, &BestEffortRequest),
        outcome: usize,
        removed: Option<Slot>,
    ) -> Result<Ticket, Denied> {
        let job = BestEffortJob {
            estimate: clock
                .span_rounding_up(request.estimate)
                .ok_or(Refusal::TooLong)?,
            pes: PeCount::new(
                u16::try_from(request.pes)
                    .map_err(|_| Refusal::TooWide)?
                    .into(),
            ),
        };
        let ticket = self.queue.submit(book, (class, &job))?;
        self.tickets.insert(ticket, outcome);
        self.note_planned();
        self.leaving
            .extend(removed.map(|slot| ((slot, outcome), ticket)));
        Ok(ticket)
    }

    /// Advances the book with the queue, to the next event only where it is followed `by_one`.
    pub(super) fn advance(
        &mut self,
        book: &mut Book<'_, R>,
        to: Slot,
        by_one: bool,
        events: &mut heapless::VecView<Event>,
    ) -> Result<Advanced, Denied> {
        let advanced = match by_one {
            true => self.queue.next(book, to).map(|event| match event {
                // Cannot fail: the list is empty.
                Some(event) => events
                    .push(event)
                    .map_or(Advanced::Done, |()| Advanced::EventsWaiting),
                None => Advanced::Done,
            }),
            false => self.queue.advance(book, to, events),
        };
        self.note_planned();
        advanced
    }

    /// Notes the starts of those who are planned for the first time: the last of them, since nobody is planned before those ahead of him.
    fn note_planned(&mut self) {
        let Line::Planned(queue) = &self.queue else {
            return;
        };
        for (ticket, start) in queue.starts() {
            self.planned.entry(ticket).or_insert(start);
        }
    }

    /// The start for which the job of a ticket that starts at `at` was first planned, where jobs are planned: that start for one of which nothing was known before.
    pub(super) fn planned(&mut self, ticket: Option<Ticket>, at: Slot) -> Option<Slot> {
        let planned = self.planned.remove(&ticket?);
        matches!(self.queue, Line::Planned(_)).then(|| planned.unwrap_or(at))
    }

    /// The job of an outcome is queued again, with the start for which it was first planned.
    pub(super) fn take_back(&mut self, ticket: Ticket, outcome: usize, planned: Option<Slot>) {
        self.tickets.insert(ticket, outcome);
        if let Some(planned) = planned {
            self.planned.insert(ticket, planned);
        }
    }

    /// Takes a job out of the queue, if it is there; its outcome, and the start for which it was first planned.
    pub(super) fn leave(&mut self, ticket: Ticket) -> Option<(usize, Option<Slot>)> {
        // It is not where the book has gone on without its queue.
        let _ = self.queue.queue().withdraw(ticket);
        let planned = self.planned.remove(&ticket);
        Some((self.started(Some(ticket))?, planned))
    }

    /// Takes all out of the queue whose turns come after that of an outcome, in their order.
    pub(super) fn leave_behind(&mut self, outcome: usize) -> Vec<(usize, Option<Slot>)> {
        let Some(rank) = self.ranks.get(&outcome).copied() else {
            return Vec::new();
        };
        let queued: Vec<Ticket> = self
            .queue
            .queue()
            .iter()
            .map(|(ticket, _)| ticket)
            .collect();
        let is_behind = |ticket: &&Ticket| {
            let other = self
                .tickets
                .get(*ticket)
                .and_then(|other| self.ranks.get(other));
            other.is_some_and(|other| *other > rank)
        };
        let behind: Vec<Ticket> = queued.iter().filter(is_behind).copied().collect();
        behind
            .into_iter()
            .filter_map(|ticket| self.leave(ticket))
            .collect()
    }

    /// The outcome of a job that has left the queue.
    pub(super) fn started(&mut self, ticket: Option<Ticket>) -> Option<usize> {
        self.tickets.remove(&ticket?)
    }

    /// When there is something to do about the queue or the book, if the queue is not to be looked at before `looked_until`.
    pub(super) fn next_event(&self, book: &Book<'_, R>, looked_until: Slot) -> Option<Slot> {
        let coming = self.coming.first().map(|(slot, _)| *slot);
        let leaving = self.leaving.keys().next().map(|(slot, _)| *slot);
        let look = self.queue.next_event(book);
        let look = look.map(|slot| slot.max(looked_until));
        [coming, leaving, look, book.next_event()]
            .into_iter()
            .flatten()
            .min()
    }
}
