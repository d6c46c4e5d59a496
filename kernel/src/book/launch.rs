//! Starting best-effort jobs: a job that leaves the queue is booked and started in one step.

use super::Book;
use crate::{
    best_effort::BestEffortJob,
    event::{Event, EventKind},
    handle::Handle,
    ledger::{Phase, RUNNING, Row, RowOf},
    pe::RowPes,
    ring::{Count, CountOf, Ring, RingSearch, SlidingWindow},
    ticket::Ticket,
    time::{Slot, Span},
};

/// The first job of the queue, which backfilling must not delay, with its earliest start.
pub(crate) struct Ahead<Class> {
    pub(crate) class: Class,
    pub(crate) offset: usize,
    pub(crate) duration: usize,
    /// How many processing elements may be busy during its run.
    pub(crate) max_busy: u32,
}

/// The outcome of an attempt to start a job.
pub(crate) enum Launch {
    Started(Event),
    /// It could start, but the event list is full.
    Unreported,
    Waits,
}

impl<R: Ring> Book<'_, R> {
    /// Books the job from now on and starts it if it fits, if the job `ahead` still fits then, and if its start can be
    /// reported, for the class that asks. Whether it delays the job ahead shows only once it is booked, so it is booked first.
    /// O((estimate + duration ahead) x columns + log rows).
    pub(crate) fn launch(
        &mut self,
        ticket: Ticket,
        job: &BestEffortJob,
        ahead: Option<&Ahead<R::Class>>,
        reportable: bool,
    ) -> Launch {
        let Some(row) = self.ledger.next_row() else {
            return Launch::Waits;
        };
        let (offsets, pes) = (0..job.estimate.get() as usize, job.pes.get());
        if !self.has_room(job) || !self.ring.claim(row, offsets.clone(), pes) {
            return Launch::Waits;
        }
        let allowed = ahead.is_none_or(|ahead| ahead.fits(&mut self.ring));
        if allowed && reportable {
            return Launch::Started(self.started(row, ticket, job));
        }
        // Undo the claim: book and row are then as before.
        self.ring.release(row, offsets, pes);
        self.ring.forget(row);
        if allowed {
            Launch::Unreported
        } else {
            Launch::Waits
        }
    }

    /// Books the job from now on on these processing elements and starts it, if they are free and its start can be reported, for the class that asks.
    /// O(estimate x columns + log rows).
    #[cfg(feature = "plan")]
    pub(crate) fn launch_on(
        &mut self,
        ticket: Ticket,
        job: &BestEffortJob,
        set: &[R::Part],
        reportable: bool,
    ) -> Launch {
        let Some(row) = self.ledger.next_row() else {
            return Launch::Waits;
        };
        let (offsets, pes) = (0..job.estimate.get() as usize, job.pes.get());
        crate::ring::copy(self.ring.set_mut(row), set);
        let free = self.has_room(job) && self.ring.reclaim(row, offsets.clone(), pes, true);
        if free && reportable {
            return Launch::Started(self.started(row, ticket, job));
        }
        if free {
            self.ring.release(row, offsets, pes);
        }
        self.ring.forget(row);
        match free {
            true => Launch::Unreported,
            false => Launch::Waits,
        }
    }

    pub(crate) fn is_held_to_start(&self, row: usize) -> bool {
        let row = self.ledger.rows.get(row);
        row.is_some_and(|row| row.phase == Phase::HELD_TO_START)
    }

    /// Returns whether the event that is due for `row` comes before waiting requests are tried in its slot: an end, an expired hold, a start that
    /// becomes fixed, or an overlay that is booked.
    #[cfg(feature = "plan")]
    pub(crate) fn comes_before_waiting(&self, row: usize) -> bool {
        #[cfg(feature = "risk")]
        if R::OVERLAYS && self.is_unsettled() {
            return true;
        }
        let row = self.ledger.rows.get(row);
        row.is_some_and(|row| {
            let phase = row.phase;
            phase == Phase::RUNNING || phase == Phase::HELD || phase == Phase::FREEZING
        })
    }

    /// Moves `now` past `slot`, unless another hold that lasted until its start in `slot` has yet to expire. After that
    /// no job of a queue starts in `slot`. Returns whether no such hold is left.
    pub(crate) fn leave_slot_of_holds(&mut self, slot: Slot) -> bool {
        let over = slot.saturating_add(Span::new(1));
        let next = self.ledger.next_due(self.now());
        let more = next.is_some_and(|(row, due)| due == over && self.is_held_to_start(row));
        if !more && over > self.now() {
            self.ring.move_now(over);
            self.self_check();
        }
        !more
    }

    /// Checks cheaply, by counts alone, whether enough processing elements are free from now on. Returns false also for
    /// a job that only a larger book could run.
    fn has_room(&self, job: &BestEffortJob) -> bool {
        let (axis, counts) = (self.ring.axis(), self.ring.counts());
        let max_busy = axis.pes().get().checked_sub(job.pes.get());
        let run = 0..job.estimate.get() as usize;
        job.estimate <= axis.horizon()
            && max_busy.is_some_and(|max_busy| {
                let max_busy = CountOf::<R>::of(max_busy);
                counts.last_above::<R::Scan>(axis, run, max_busy).is_none()
            })
    }

    /// Inserts the job, whose booking is claimed for `row`, and returns what is reported of it.
    fn started(&mut self, row: usize, ticket: Ticket, job: &BestEffortJob) -> Event {
        Event {
            at: self.now(),
            handle: self.insert_running(row, ticket, job),
            kind: EventKind::BestEffortStarted,
            ticket: Some(ticket),
        }
    }

    fn insert_running(&mut self, row: usize, ticket: Ticket, job: &BestEffortJob) -> Handle {
        let now = self.now();
        let mut entry = RowOf::<R> {
            ready: now,
            room: job.estimate,
            requested: job.estimate,
            duration: job.estimate,
            note: ticket.get(),
            pes: RowPes::of(job.pes),
            requested_pes: RowPes::of(job.pes),
            phase: Phase::RUNNING,
            ..Row::VACANT
        };
        R::set_class(&mut entry, self.ring.asked());
        self.enter_running(row, &entry)
    }

    /// Inserts what runs from now on, and is claimed for `row`. Inlined, since most programs have one caller.
    #[inline(always)]
    pub(super) fn enter_running(&mut self, row: usize, entry: &RowOf<R>) -> Handle {
        let now = self.now();
        let handle = self.ledger.insert(row, RUNNING, entry);
        self.ledger
            .timers(now)
            .insert(row as u32, entry.due_when_fixed());
        self.ring.bind(row, entry.pes.get());
        self.writer().changed();
        self.self_check();
        handle
    }
}

impl<Class: Copy> Ahead<Class> {
    /// Returns whether the job still fits at its start.
    fn fits(&self, ring: &mut impl RingSearch<Class = Class>) -> bool {
        let before = ring.ask(self.class);
        ring.want(ring.axis().pes().get().saturating_sub(self.max_busy));
        let fits = {
            let mut view = ring.sliding_window(self.duration, self.duration);
            view.sliding.slide_to(self.offset) <= self.max_busy
        };
        ring.ask(before);
        fits
    }
}
