//! Requests that wait for room after they were refused, and are promised late or given up.

use bookahead::{Error as Denied, Handle, Refusal, Slot, Ticket, raw::Ring};

use super::{
    defect::nobody,
    drive::Run,
    outcome::{Late, Reason, Waited},
};
use crate::{error::Result, request::JobRequest};

/// Whether room may still be found later for what is refused for this reason.
const fn may_pass(reason: Denied) -> bool {
    matches!(
        reason,
        Denied::Refused(Refusal::NoRoom | Refusal::TableFull | Refusal::BeyondHorizon)
    )
}

impl<R: Ring> Run<'_, R> {
    /// Lets the request that has just been refused wait, if it may, and says whether it does.
    pub(super) fn lets_wait(&mut self, request: &JobRequest, refused: Reason) -> bool {
        let (Some(priority), Reason::Kernel(reason)) = (&self.scheduler.priority, refused) else {
            return false;
        };
        if request.impatient || !may_pass(reason) {
            return false;
        }
        let promised = self.given.promised(request.user);
        let key = priority.key((request.job_id, request.user, request.pes), promised);
        let Ok(ask) = self.ask(request, None) else {
            return false;
        };
        let outcome = self.next_outcome();
        let scheduler = &mut self.scheduler;
        let ask = scheduler.admission.narrowed(&ask);
        let (too_late, policy) = (
            scheduler.too_late(ask.request.deadline),
            scheduler.strategy.policy(),
        );
        let Some(waiting) = scheduler.waiting.as_mut().filter(|_| !too_late) else {
            return false;
        };
        let what = (ask.class, &ask.request);
        let ticket =
            waiting
                .queue
                .queue()
                .wait(&mut scheduler.book, what, policy, ask.commitment, key);
        let Ok(ticket) = ticket else {
            return false;
        };
        waiting
            .requests
            .insert(ticket, (outcome, Waited { reason, key }));
        true
    }

    /// There is room for a request that waits.
    pub(super) fn promised_late(
        &mut self,
        handle: Handle,
        ticket: Option<Ticket>,
        at: Slot,
    ) -> Result<()> {
        let (outcome, waited) = self.no_longer_waits(ticket)?;
        let demand = self.demand(outcome)?;
        let request = demand.request().ok_or_else(nobody)?;
        self.enter(handle, outcome, request)?;
        let at = self.scheduler.seconds(at)?;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        life.late = Some(Late { at, waited });
        let window = life.booked.window;
        self.scheduler.admission.rebooked(None, Some(window));
        Ok(())
    }

    /// The latest start of a request that waited has passed.
    pub(super) fn gave_up(&mut self, ticket: Option<Ticket>) -> Result<()> {
        let (outcome, waited) = self.no_longer_waits(ticket)?;
        self.decide_later(outcome, Err(Reason::GaveUp(waited)))
    }

    fn no_longer_waits(&mut self, ticket: Option<Ticket>) -> Result<(usize, Waited)> {
        let waiting = self.scheduler.waiting.as_mut().ok_or_else(nobody)?;
        let waited = ticket.and_then(|ticket| waiting.requests.remove(&ticket));
        waited.ok_or_else(nobody)
    }
}
