//! Jobs of the queue that end for reservations which find no other room, and come back.

use std::{collections::BTreeMap, mem, result::Result as Answer};

use bookahead::{
    Booking, Error as Denied, Handle, Preemption, Refusal, Slot, Ticket, UsageError, raw::Ring,
};

use super::{
    defect::{broken, internal, nobody},
    drive::Run,
    life::Owner,
    scheduler::Scheduler,
    story::{Cause, Moved, Piece},
    strategy::{Ask, Strategy},
};
use crate::{error::Result, request::BestEffortRequest};

/// The running jobs that may be preempted.
pub(super) type Preemptible = BTreeMap<Owner, Handle>;

impl<R: Ring> Scheduler<'_, R> {
    /// Books what is asked for, or says why not. Jobs of the queue make room for all of it, where they may, before less is offered.
    pub(super) fn admit(&mut self, ask: &Ask) -> Answer<Booking, Denied> {
        let may_reduce = matches!(self.strategy, Strategy::Elastic(_));
        if may_reduce && let Some(Ok(booking)) = self.make_room(ask) {
            return Ok(booking);
        }
        let booked = self.admission.admit(&mut self.book, ask);
        match booked {
            Err(reason) if reason == Refusal::NoRoom.into() && !may_reduce => {
                self.make_room(ask).unwrap_or(booked)
            }
            _ => booked,
        }
    }

    /// Books all of what is asked for, if there is room or jobs of the queue make some; nothing where they may not.
    fn make_room(&mut self, ask: &Ask) -> Option<Answer<Booking, Denied>> {
        self.preempt?;
        let waiting = self.waiting.as_mut()?;
        let ask = self.admission.narrowed(ask);
        let policy = self.strategy.policy();
        let queue = waiting.queue.queue();
        Some(queue.reserve_preempting(
            &mut self.book,
            (ask.class, &ask.request),
            policy,
            ask.commitment,
        ))
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
            window: [self.scheduler.seconds(began)?, self.scheduler.seconds(at)?],
            pes: life.pes,
        });
        let waiting = self.scheduler.waiting.as_mut().ok_or_else(nobody)?;
        let ticket = ticket.ok_or_else(|| broken(UsageError::UnknownTicket.into()))?;
        waiting.take_back(ticket, outcome, life.planned);
        self.came_back.push(ticket);
        Ok(())
    }

    /// Queues jobs again that have ended for reservations, where the queue has not done it itself: the book went on without it, or it does not know the order.
    pub(super) fn queue_again(&mut self) -> Result<()> {
        for ticket in mem::take(&mut self.came_back) {
            let waiting = self.scheduler.waiting.as_mut().ok_or_else(nobody)?;
            let came = waiting.leave(ticket).ok_or_else(nobody)?;
            self.enqueue(came).map_err(broken)?;
        }
        Ok(())
    }
}
