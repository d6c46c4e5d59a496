//! Jobs of the queue that end for reservations which find no other room, and come back.

use std::{collections::BTreeMap, mem, result::Result as Answer};

use bookahead::{
    Booking, Error as Denied, Handle, Preemption, Refusal, Slot, Ticket, UsageError, raw::Ring,
};

use super::{
    defect::{broken, internal, nobody},
    drive::Run,
    life::Owner,
    outcome::Ended,
    scheduler::Scheduler,
    story::{Cause, Moved, Piece},
    strategy::Ask,
};
use crate::{error::Result, request::BestEffortRequest};

/// The running jobs that may be preempted.
pub(super) type Preemptible = BTreeMap<Owner, Handle>;

impl<R: Ring> Scheduler<'_, R> {
    /// Books what is refused for this reason, if jobs of the queue make room for it.
    pub(super) fn make_room(&mut self, ask: &Ask, reason: Denied) -> Answer<Booking, Denied> {
        let Some(waiting) = &mut self.waiting else {
            return Err(reason);
        };
        if self.preempt.is_none() || reason != Refusal::NoRoom.into() {
            return Err(reason);
        }
        let ask = self.admission.narrowed(ask);
        let policy = self.strategy.policy();
        let queue = waiting.queue.queue();
        queue.reserve_preempting(
            &mut self.book,
            (ask.class, &ask.request),
            policy,
            ask.commitment,
        )
    }
}

impl<R: Ring> Run<'_, R> {
    /// Lets a job that has just been booked be preempted, if it may.
    pub(super) fn let_be_preempted(
        &mut self,
        handle: Handle,
        owner: Owner,
        job: &BestEffortRequest,
    ) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let min_run = job.least_run(scheduler.preempt);
        // Where it is longer than can be counted, no job runs for so long.
        let min_run = min_run.and_then(|least| scheduler.clock.span_rounding_up(least));
        let Some(min_run) = min_run else {
            return Ok(());
        };
        let terms = Preemption {
            min_run,
            keeps: false,
        };
        let marked = scheduler.book.make_preemptible(handle, terms);
        marked.map_err(broken)?;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        life.is_preemptible = true;
        self.preemptible.insert(owner, handle);
        Ok(())
    }

    /// Follows the ends of jobs that have changed at `second`: because of a newcomer, or since there is room for them again.
    pub(super) fn note_cuts(&mut self, second: u64, newcomer: Option<u64>) -> Result<()> {
        for (owner, handle) in self.preemptible.clone() {
            let booked = self.scheduler.booked(handle)?;
            let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
            let before = mem::replace(&mut life.booked, booked);
            if before == booked {
                continue;
            }
            self.moves.push(Moved {
                time: second,
                cause: Cause::Preempt,
                cause_job_id: newcomer,
                job_id: self.job_id(owner),
                from: Some(self.scheduler.stretch(before)?),
                to: self.scheduler.stretch(booked)?,
                site: 0,
            });
        }
        Ok(())
    }

    /// Whether a job is to end by `slot` for a reservation.
    pub(super) fn is_cut_by(&self, slot: Slot) -> bool {
        let handles = self.preemptible.values();
        let mut lives = handles.filter_map(|handle| self.lives.get(handle));
        lives.any(|life| life.is_cut() && life.booked.window.end <= slot)
    }

    /// Comes to a slot in which jobs end for reservations, with the queue, which takes them back. Those that are `over` then by themselves end before anything starts.
    pub(super) fn come_to(&mut self, slot: Slot, over: Vec<Handle>) -> Result<()> {
        // The first event of the slot is an end.
        while self.scheduler.book.now() < slot {
            let Scheduler { book, waiting, .. } = &mut self.scheduler;
            let waiting = waiting.as_mut().ok_or_else(nobody)?;
            let Some(event) = waiting.queue.next(book, slot).map_err(broken)? else {
                break;
            };
            self.note(&event)?;
        }
        for handle in over {
            let done = self.scheduler.book.complete(handle, slot);
            done.map_err(broken)?;
            self.close(handle, Ended::Over)?;
        }
        Ok(())
    }

    /// A job has ended for a reservation, and waits again.
    pub(super) fn preempted(
        &mut self,
        handle: Handle,
        ticket: Option<Ticket>,
        at: Slot,
    ) -> Result<()> {
        let life = self.lives.remove(&handle).ok_or_else(nobody)?;
        self.preemptible.remove(&life.owner);
        let Owner::Demand(outcome) = life.owner else {
            return Err(internal("a part of a reservation was preempted"));
        };
        let began = life.began.ok_or_else(nobody)?;
        self.pieces.push(Piece {
            job_id: self.job_id(life.owner),
            window: [self.second(began)?, self.second(at)?],
            pes: life.pes,
        });
        let waiting = self.scheduler.waiting.as_mut().ok_or_else(nobody)?;
        let ticket = ticket.ok_or_else(|| broken(UsageError::UnknownTicket.into()))?;
        waiting.take_back(ticket, outcome, life.planned);
        Ok(())
    }
}
