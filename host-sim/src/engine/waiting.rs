//! Best-effort jobs before they start: on their way to the next slot edge, then in the kernel's queue.

use std::collections::{HashMap, VecDeque};

use bookahead::{
    BestEffortJob, Book, ClassId, Error as Denied, PeCount, Queue, Refusal, Slot, SlotClock,
    Ticket, raw::Ring,
};

use crate::request::BestEffortRequest;

/// The jobs that have not started.
pub(super) struct Waiting<'q> {
    pub(super) queue: Queue<'q>,
    /// Which outcome a job of the queue belongs to.
    tickets: HashMap<Ticket, usize>,
    /// Jobs by the first slot edge after their submission, with their outcomes: nothing starts before it was submitted.
    coming: VecDeque<(Slot, usize)>,
}

impl<'q> Waiting<'q> {
    pub(super) fn new(queue: Queue<'q>) -> Self {
        Self {
            queue,
            tickets: HashMap::new(),
            coming: VecDeque::new(),
        }
    }

    /// Notes that the job of an outcome is to be queued at `slot`, no earlier than those before it.
    pub(super) fn expect(&mut self, slot: Slot, outcome: usize) {
        self.coming.push_back((slot, outcome));
    }

    /// The outcome of the next job that is to be queued by `slot`.
    pub(super) fn next_by(&mut self, slot: Slot) -> Option<usize> {
        let (edge, outcome) = *self.coming.front()?;
        if edge > slot {
            return None;
        }
        self.coming.pop_front();
        Some(outcome)
    }

    /// The outcomes of all jobs that have not started.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = usize> {
        let coming = self.coming.iter().map(|(_, outcome)| *outcome);
        coming.chain(self.tickets.values().copied())
    }

    /// Queues the job of an outcome, which is of a class.
    pub(super) fn submit<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        clock: SlotClock,
        (class, request): (ClassId, &BestEffortRequest),
        outcome: usize,
    ) -> Result<(), Denied> {
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
        Ok(())
    }

    /// The outcome of a job that has left the queue.
    pub(super) fn started(&mut self, ticket: Option<Ticket>) -> Option<usize> {
        self.tickets.remove(&ticket?)
    }

    /// When there is something to do about the queue or the book, if the queue is not to be looked at before `looked_until`.
    pub(super) fn next_event<R: Ring>(
        &self,
        book: &Book<'_, R>,
        looked_until: Slot,
    ) -> Option<Slot> {
        let coming = self.coming.front().map(|(slot, _)| *slot);
        let look = self.queue.next_event(book);
        let look = look.map(|slot| slot.max(looked_until));
        [coming, look, book.next_event()]
            .into_iter()
            .flatten()
            .min()
    }
}
