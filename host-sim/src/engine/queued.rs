//! Jobs of the queue: when they come to it, when they leave it without having run, and when they start.

use std::result::Result as Answer;

use bookahead::{
    Error as Denied, Handle, Refusal, Slot, SlotClock, Span, Ticket, UsageError, raw::Ring,
};

use super::{
    arriving::class_of,
    defect::{broken, nobody},
    drive::Run,
    life::{Life, Owner},
    outcome::Reason,
    rounding,
    scheduler::Scheduler,
    system::MINUTE,
};
use crate::{
    error::Result,
    request::{BestEffortRequest, Demand, JobRequest},
};

impl<R: Ring> Run<'_, R> {
    /// Lets a job come to the queue at the first slot edge after its submission, or says why not.
    pub(super) fn expect(&mut self, job: &BestEffortRequest) -> Result<Option<Reason>> {
        let edge = self.scheduler.clock.slot_rounding_up(job.queued_from());
        let Some(edge) = edge.filter(|edge| !self.scheduler.too_late(*edge)) else {
            return Ok(Some(UsageError::EndOfTime.into()));
        };
        if let Some(Err(reason)) = self.classes.get(self.decisions.len()) {
            return Ok(Some(Reason::Class(*reason)));
        }
        let request = job.as_request();
        let clock = self.scheduler.clock;
        if let Some(Err(reason)) = request.map(|request| last_start(clock, &request)) {
            return Ok(Some(reason));
        }
        let waiting = self.scheduler.waiting.as_mut().ok_or_else(nobody)?;
        waiting.expect(edge, self.decisions.len());
        Ok(None)
    }

    /// Removes the jobs of the queue whose latest starts lie before `slot`.
    pub(super) fn remove_late(&mut self, slot: Slot) -> Result<()> {
        while let Some(waiting) = &mut self.scheduler.waiting
            && let Some(outcome) = waiting.remove_late(slot)
        {
            self.decide_later(outcome, Err(Reason::RemovedLate))?;
        }
        Ok(())
    }

    /// Queues the jobs that have come by `slot`.
    pub(super) fn submit(&mut self, slot: Slot) {
        while let Some(waiting) = &mut self.scheduler.waiting
            && let Some((edge, outcome)) = waiting.next_by(slot)
        {
            let Some(demand) = self.demands.get(outcome).cloned() else {
                continue;
            };
            let Demand::BestEffort(job) = &*demand else {
                continue;
            };
            let given = self.given.before(job.user, edge);
            let order = self.scheduler.queue_order.as_ref();
            let key = order.map_or(0, |order| order.key((job.job_id, job.user, job.pes), given));
            waiting.rank(outcome, edge, key);
            let queued = match order {
                Some(_) => self.enqueue((outcome, None)),
                None => self.append(outcome).map(drop),
            };
            if let Some(decision) = self.decisions.get_mut(outcome) {
                *decision = queued.err().map(|reason| Err(reason.into()));
            }
        }
    }

    /// Queues the job of an outcome before all whose turns come after its own, with the start for which it was first planned.
    pub(super) fn enqueue(&mut self, job: (usize, Option<Slot>)) -> Answer<(), Denied> {
        let waiting = self.scheduler.waiting.as_mut();
        let behind = waiting.map(|waiting| waiting.leave_behind(job.0));
        for (outcome, planned) in [job].into_iter().chain(behind.unwrap_or_default()) {
            let ticket = self.append(outcome)?;
            if let Some(waiting) = &mut self.scheduler.waiting {
                waiting.take_back(ticket, outcome, planned);
            }
        }
        Ok(())
    }

    /// Queues the job of an outcome behind all others.
    fn append(&mut self, outcome: usize) -> Answer<Ticket, Denied> {
        let Scheduler {
            book,
            waiting: Some(waiting),
            clock,
            ..
        } = &mut self.scheduler
        else {
            return Err(UsageError::UnknownTicket.into());
        };
        let Some(Demand::BestEffort(job)) = self.demands.get(outcome).map(|demand| &**demand)
        else {
            return Err(UsageError::UnknownTicket.into());
        };
        let last = job
            .as_request()
            .and_then(|request| last_start(*clock, &request).ok());
        let removed = last.map(|last| last.saturating_add(Span::new(1)));
        let class = class_of(self.classes, outcome);
        waiting.submit(book, *clock, (class, job), outcome, removed)
    }

    /// A job of the queue has been booked.
    pub(super) fn launched(
        &mut self,
        handle: Handle,
        index: usize,
        planned: Option<Slot>,
    ) -> Result<()> {
        let demand = self.demand(index)?;
        let Demand::BestEffort(job) = &*demand else {
            return Err(nobody());
        };
        let scheduler = &mut self.scheduler;
        let booked = scheduler.booked(handle)?;
        let seconds = scheduler.length(booked.window)?;
        scheduler.admission.belongs(handle, job.user);
        if scheduler.orders_by_user() {
            let more = seconds.saturating_mul(booked.pes.get().into());
            self.given.give(job.user, booked.window.start, more);
        }
        let mut life = Life::best_effort(Owner::Demand(index), job, booked, seconds);
        life.planned = planned;
        let minutes = life.run.div_ceil(MINUTE);
        let price = scheduler.tariff.best_effort(minutes, booked.pes);
        scheduler.admission.rebooked(None, Some(booked.window));
        self.lives
            .insert(handle, life.with_price(price.map_err(broken)?));
        self.let_be_preempted(handle, Owner::Demand(index), job)
    }
}

/// The latest start of what a request asks for, or why there is none.
fn last_start(clock: SlotClock, request: &JobRequest) -> Answer<Slot, Reason> {
    let start = rounding::in_slots(clock, request)?.latest_start();
    let short = || rounding::reason(clock, request, Refusal::WindowTooShort.into());
    start.ok_or_else(short)
}
