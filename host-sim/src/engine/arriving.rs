//! What becomes of a demand when it arrives: it is booked, queued, or refused.

use std::result::Result as Answer;

use bookahead::{ClassId, Commitment, Error as Denied, Handle, Span, UsageError, raw::Ring};

use super::{
    classes::Classed,
    defect::{broken, internal, nobody},
    drive::Run,
    events::Queue,
    life::{Life, Owner},
    outcome::Reason,
    rounding,
    scheduler::Scheduler,
    strategy::{Ask, Proposal},
};
use crate::{
    error::Result,
    request::{Demand, Hold, JobRequest},
};

impl<R: Ring> Run<'_, R> {
    pub(super) fn meet(&mut self, demand: &Demand) -> Result<()> {
        let refused = match demand {
            Demand::Reserve(request) => self.decide(request, None)?,
            Demand::Hold(Hold { request, ttl }) => {
                let ttl = ttl.and_then(|ttl| self.scheduler.clock.span_rounding_up(ttl));
                // Without a time to live, and with one longer than any window, it is held until its start.
                let ttl = ttl.unwrap_or(Span::new(u32::MAX));
                self.decide(request, Some(ttl))?
            }
            Demand::BestEffort(job) => self.expect(job)?,
        };
        self.decided(refused);
        Ok(())
    }

    /// Lets time pass until something arrives, and says whether the rest could still be run out from there.
    pub(super) fn arrive(&mut self, arrival: u64) -> Result<bool> {
        let now = self.scheduler.clock.slot_rounding_down(arrival);
        let now = now.ok_or_else(|| internal("an arrival before the epoch"))?;
        if self.scheduler.too_late(now) {
            return Ok(false);
        }
        while let Some(slot) = self.next_step().filter(|slot| *slot <= now) {
            self.step(slot)?;
        }
        self.advance(now, Queue::Served)?;
        let edge = self.scheduler.clock.slot_rounding_up(arrival);
        self.looked_until = edge.unwrap_or(now);
        Ok(true)
    }

    /// What a request asks for in slots, now that it has arrived; held for a time, or for good.
    pub(super) fn ask(&self, request: &JobRequest, held: Option<Span>) -> Answer<Ask, Denied> {
        let scheduler = &self.scheduler;
        let asked = rounding::in_slots(scheduler.clock, request)?;
        let firm = scheduler.commitment(request, asked.ready, self.looked_until);
        Ok(Ask {
            request: asked,
            class: class_of(self.classes, self.next_outcome()),
            shortest: rounding::shortest(scheduler.clock, request),
            commitment: held.map_or(firm, |ttl| Commitment::Held { ttl }),
            earliest: self.looked_until,
            user: request.user,
            principal: request.principal,
            needs: request.needed(),
        })
    }

    /// Where the request would be booked, now that it has arrived; where `firm`, on top of nobody.
    pub(super) fn propose(&mut self, request: &JobRequest, firm: bool) -> Answer<Proposal, Reason> {
        let ask = self.ask(request, None);
        let Scheduler {
            book,
            admission,
            clock,
            ..
        } = &mut self.scheduler;
        let place = ask.and_then(|ask| admission.propose(book, &ask, firm));
        place.map_err(|reason| rounding::reason(*clock, request, reason))
    }

    /// Books the request or says why not.
    fn decide(&mut self, request: &JobRequest, held: Option<Span>) -> Result<Option<Reason>> {
        if !self.arrive(request.arrival)? {
            return Ok(Some(UsageError::EndOfTime.into()));
        }
        let refused = self.admit(request, held)?.err();
        Ok(refused.filter(|reason| !self.lets_wait(request, *reason)))
    }

    /// Books the request, now that it has arrived, or says why not.
    pub(super) fn admit(
        &mut self,
        request: &JobRequest,
        held: Option<Span>,
    ) -> Result<Answer<Handle, Reason>> {
        if let Some(Err(reason)) = self.classes.get(self.decisions.len()) {
            return Ok(Err(Reason::Class(*reason)));
        }
        let ask = self.ask(request, held);
        let exactly = request.asks.as_deref().filter(|asks| asks.is_exact());
        let scheduler = &mut self.scheduler;
        let answer = ask.and_then(|ask| match exactly {
            Some(asks) => scheduler.reserve_exactly(&ask, &asks.on),
            None => scheduler.admit(&ask),
        });
        let booking = match answer {
            Ok(booking) => booking,
            Err(reason) => {
                let reason = rounding::reason(scheduler.clock, request, reason);
                let by = scheduler.admission.refuser();
                return Ok(Err(by.map_or(reason, |by| reason.of(by))));
            }
        };
        if exactly.is_none() {
            let moved = self.scheduler.admission.moved().to_vec();
            self.note_moves(moved, request.arrival, request.job_id)?;
        }
        self.note_cuts(request.arrival, Some(request.job_id))?;
        let handle = booking.handle;
        self.enter(handle, self.next_outcome(), request)?;
        let agreed = self.agreed(handle, request)?;
        let overlay = self.scheduler.admission.overlaid();
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        (life.agreed, life.overlay) = (agreed, overlay);
        Ok(Ok(handle))
    }

    /// The request of a demand has been booked.
    pub(super) fn enter(
        &mut self,
        handle: Handle,
        outcome: usize,
        request: &JobRequest,
    ) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let booked = scheduler.booked(handle)?;
        let slots = booked.window.len().unwrap_or_default();
        let price = scheduler.tariff.reserved(slots, booked.pes);
        let price = price.map_err(broken)?;
        let seconds = scheduler.length(booked.window)?;
        scheduler.admission.belongs(handle, request.user);
        if scheduler.orders_by_user() {
            let more = seconds.saturating_mul(booked.pes.get().into());
            self.given.promise(request.user, scheduler.book.now(), more);
        }
        let owner = Owner::Demand(outcome);
        let life = Life::reserved(owner, request, booked, (seconds, price), scheduler.overruns);
        self.lives.insert(handle, life);
        if self.has_operations {
            self.targets.insert(request.job_id, handle);
        }
        Ok(())
    }

    /// The window that was agreed on instead of the one that was asked for.
    fn agreed(&self, handle: Handle, request: &JobRequest) -> Result<Option<[u64; 2]>> {
        let scheduler = &self.scheduler;
        // Nobody else suggests windows; what is decided together with other books keeps nothing but its run.
        if scheduler.strategy.juggle().is_none() {
            return Ok(None);
        }
        let accepted = scheduler.book.get(handle).map_err(broken)?.request;
        let asked = rounding::in_slots(scheduler.clock, request);
        if asked.is_ok_and(|asked| asked.ready == accepted.ready) {
            return Ok(None);
        }
        let window = [
            scheduler.seconds(accepted.ready)?,
            scheduler.seconds(accepted.deadline)?,
        ];
        Ok(Some(window))
    }
}

/// The class of a demand; any processing elements where the machine has no layout.
pub(super) fn class_of(classes: &[Classed], demand: usize) -> ClassId {
    let class = classes.get(demand).copied();
    class.and_then(Answer::ok).unwrap_or(ClassId::ANY)
}
