//! The main loop: time runs from arrival to arrival, and through everything that happens between.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    result::Result as Answer,
    sync::Arc,
};

use bookahead::{
    Advanced, ClassId, Commitment, Error as Denied, Event, EventKind, Handle, Request, Slot, Span,
    Ticket, UsageError, Window, raw::Ring,
};

use super::{
    classes::Classed,
    defect::{broken, internal, nobody},
    kept::Kept,
    life::{Booked, Life, Owner},
    outages::Outages,
    outcome::{Breach, Ended, Placed, Reason, Replica, Stretch},
    preempt::Preemptible,
    priority::Given,
    rounding,
    rules::Rules,
    scheduler::Scheduler,
    story::{Cause, Listener, Moved, Operated, Piece},
    strategy::{Ask, EndedJob, OnLate, Proposal},
    waiting::Waiting,
};
use crate::{
    arrivals::Arrivals,
    error::Result,
    layout::Asks,
    request::{Demand, Hold, JobRequest},
};

/// Runs all demands and the operations on them, then the rest of the schedule.
pub(super) fn drive<R: Ring>(
    scheduler: Scheduler<'_, R>,
    (arrivals, classes): (Arrivals<'_>, &[Classed]),
    listener: &mut dyn Listener,
    tick: &dyn Fn(),
) -> Result<()> {
    let mut run = Run::new(scheduler, &arrivals, classes);
    let mut coming = arrivals.operations.iter().peekable();
    let mut notices = arrivals.notices.iter().peekable();
    // What is known at a second is known to whatever else arrives then.
    let mut hear = |run: &mut Run<'_, R>, second: u64| -> Result<()> {
        while let Some(notice) = notices.peek()
            && run.second_of(notice)? <= second
        {
            run.hear(notice)?;
            notices.next();
            tick();
        }
        Ok(())
    };
    for (index, demand) in arrivals.demands.each()?.enumerate() {
        let demand = Arc::new(demand?);
        while let Some(operation) = coming.next_if(|operation| operation.after <= index) {
            hear(&mut run, operation.arrival)?;
            run.operate(operation)?;
            tick();
        }
        hear(&mut run, demand.arrival())?;
        run.demands.push(demand.clone());
        run.meet(&demand)?;
        drop(demand);
        run.tell(listener)?;
        tick();
    }
    for operation in coming {
        hear(&mut run, operation.arrival)?;
        run.operate(operation)?;
        tick();
    }
    hear(&mut run, u64::MAX)?;
    while let Some(slot) = run.next_step() {
        run.step(slot)?;
        run.tell(listener)?;
    }
    run.finish(listener)
}

/// Everything between the first arrival and the last end.
pub(super) struct Run<'a, R: Ring> {
    pub(super) scheduler: Scheduler<'a, R>,
    /// The demands met so far, from the first one on of which it is open what becomes of it.
    pub(super) demands: Kept<Arc<Demand>>,
    /// Of which class each demand is; none where the machine has no layout.
    pub(super) classes: &'a [Classed],
    /// The reservations and best-effort jobs that live in the book.
    pub(super) lives: HashMap<Handle, Life>,
    /// Jobs that run for less than was booked, by the slot at which they will be over. The kernel is not told before.
    ends: BinaryHeap<Reverse<(Slot, usize, u64)>>,
    /// What became of them; nothing yet of a job that is not over.
    pub(super) decisions: Kept<Option<Answer<Placed, Reason>>>,
    /// The reservations that operations may be about, dead or alive; not kept where there are no operations.
    pub(super) targets: HashMap<u64, Handle>,
    has_operations: bool,
    /// What became of the operations so far, with what became of the part that each made; from the first one on that has not been told.
    pub(super) operated: Kept<(Operated, Option<Part>)>,
    /// Every booking that was changed and has not been told.
    pub(super) moves: Vec<Moved>,
    /// The first slot in which the queue is looked at again. A request that arrives inside a slot is decided at the edge before it,
    /// where nothing may start because of it.
    looked_until: Slot,
    /// What has happened to copies of reservations.
    news: Vec<(usize, CopyEvent)>,
    /// What could not start in the slot that has begun, and is not to be waited for.
    given_up: Vec<Handle>,
    pub(super) outages: Outages,
    pub(super) rules: Rules,
    /// What users have been given so far.
    pub(super) given: Given,
    pub(super) preemptible: Preemptible,
    pub(super) pieces: Vec<Piece>,
    /// The jobs that have ended for reservations since time went on.
    pub(super) came_back: Vec<Ticket>,
}

/// What happens to a copy of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopyEvent {
    /// It starts on time.
    Started,
    /// It cannot start on time.
    Late,
}

/// The second part of a reservation that was split.
pub(super) struct Part {
    pub(super) request: JobRequest,
    /// Nothing while it lives.
    pub(super) placed: Option<Placed>,
}

impl<'a, R: Ring> Run<'a, R> {
    /// Before the first arrival.
    pub(super) fn new(
        scheduler: Scheduler<'a, R>,
        arrivals: &Arrivals<'_>,
        classes: &'a [Classed],
    ) -> Self {
        Self {
            given: Given::new(scheduler.queue_order.is_some()),
            rules: Rules::new(&scheduler.rules, scheduler.clock),
            scheduler,
            demands: Kept::new(),
            classes,
            lives: HashMap::new(),
            ends: BinaryHeap::new(),
            decisions: Kept::new(),
            targets: HashMap::new(),
            has_operations: !arrivals.operations.is_empty(),
            operated: Kept::new(),
            moves: Vec::new(),
            looked_until: Slot::new(0),
            news: Vec::new(),
            given_up: Vec::new(),
            outages: Outages::default(),
            preemptible: Preemptible::new(),
            pieces: Vec::new(),
            came_back: Vec::new(),
        }
    }

    /// Everything that happens after the last arrival.
    pub(super) fn run_out(&mut self) -> Result<()> {
        while let Some(slot) = self.next_step() {
            self.step(slot)?;
        }
        Ok(())
    }

    /// The next demand goes to another site.
    pub(super) fn pass_by(&mut self) {
        self.decided(None);
    }

    /// The next demand is refused, or elsewhere, or has been booked.
    pub(super) fn decided(&mut self, refused: Option<Reason>) {
        self.decisions.push(refused.map(Err));
    }

    /// What has happened to copies since this was asked last.
    pub(super) fn news(&mut self) -> Vec<(usize, CopyEvent)> {
        std::mem::take(&mut self.news)
    }

    /// The slot that is running when something arrives.
    pub(super) fn slot_of(&self, arrival: u64) -> Option<Slot> {
        self.scheduler.clock.slot_rounding_down(arrival)
    }

    /// The second at which a slot begins.
    pub(super) fn second(&self, slot: Slot) -> Result<u64> {
        self.scheduler.seconds(slot)
    }

    /// What a request asks for in slots.
    pub(super) fn in_slots(&self, request: &JobRequest) -> Answer<Request, Reason> {
        Ok(rounding::in_slots(self.scheduler.clock, request)?)
    }

    /// The reservation is a copy at a site; says how it was booked.
    pub(super) fn copied(&mut self, handle: Handle, site: usize) -> Result<Replica> {
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        life.copied = true;
        let Window { start, end } = life.booked.window;
        let overlaid = life.overlay.map_or(0, |overlay| overlay.pes);
        Ok(Replica {
            site: site as u16,
            start: self.second(start)?,
            end: self.second(end)?,
            overlaid,
            until: None,
        })
    }

    /// Gives a copy back in a slot that has begun elsewhere, or at once.
    pub(super) fn give_back(&mut self, handle: Handle, at: Option<Slot>) -> Result<()> {
        let now = self.scheduler.book.now();
        let at = at.unwrap_or(now);
        // Nothing happens here before, and the queue must not see it before.
        let before = Slot::new(at.get().saturating_sub(1));
        if now < before {
            self.advance(before, Queue::Left)?;
        }
        self.scheduler.book.cancel(handle).map_err(broken)?;
        let life = self.lives.remove(&handle).ok_or_else(nobody)?;
        self.scheduler
            .admission
            .rebooked(Some(life.booked.window), None);
        self.looked_until = self.looked_until.max(at);
        Ok(())
    }

    /// What became of the next demand; nothing where it went to another site.
    pub(super) fn next_decision(&mut self) -> Option<Answer<Placed, Reason>> {
        self.decisions.take_first()?
    }

    /// Processing elements of the machine.
    pub(super) fn pes(&self) -> u16 {
        self.scheduler.book.pes().get() as u16
    }

    /// PE-slots that are booked from now on, and those that jobs of the queue ask for.
    pub(super) fn pe_slots_ahead(&self) -> u64 {
        let Scheduler { book, waiting, .. } = &self.scheduler;
        let now = book.now();
        let booked = self.lives.values().map(|life| {
            let Booked { window, pes } = life.booked;
            let from = window.start.max(now);
            window.end.get().saturating_sub(from.get()) * u64::from(pes.get())
        });
        let queued = waiting.iter().flat_map(Waiting::outcomes);
        let seconds = self.scheduler.clock.slot_seconds();
        let queued = queued.filter_map(|outcome| {
            let demand = self.demands.get(outcome)?;
            Some(demand.duration().div_ceil(seconds.into()) * demand.pes())
        });
        booked.chain(queued).sum()
    }

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
        self.decisions.push(refused.map(Err));
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

    /// The number of the demand that is being met.
    pub(super) fn next_outcome(&self) -> usize {
        self.decisions.len()
    }

    /// A demand that was met before.
    pub(super) fn demand(&self, outcome: usize) -> Result<Arc<Demand>> {
        self.demands.get(outcome).cloned().ok_or_else(nobody)
    }

    /// What became of a demand that was met before.
    pub(super) fn decide_later(
        &mut self,
        outcome: usize,
        decision: Answer<Placed, Reason>,
    ) -> Result<()> {
        *self.decisions.get_mut(outcome).ok_or_else(nobody)? = Some(decision);
        Ok(())
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

    /// Moves reservations, where the strategy does that, now that `job_id` has given something back at `second`.
    pub(super) fn replan(&mut self, second: u64, job_id: u64) -> Result<()> {
        let edge = self.scheduler.clock.slot_rounding_up(second);
        let earliest = edge.ok_or_else(|| internal("a slot beyond the end of time"))?;
        let Scheduler {
            book, admission, ..
        } = &mut self.scheduler;
        admission.replan(book, earliest);
        let mut moved = admission.moved().to_vec();
        moved.append(&mut self.scheduler.pull_forward(earliest)?);
        self.note_moves(moved, second, job_id)
    }

    /// Follows what has been moved at `time`, because of `job_id`.
    fn note_moves(&mut self, moved: Vec<(Handle, Cause)>, time: u64, job_id: u64) -> Result<()> {
        let moves = moved.into_iter();
        let moves = moves.map(|(handle, cause)| self.note_move(handle, time, (cause, job_id)));
        let mut moves: Vec<Moved> = moves.collect::<Result<_>>()?;
        moves.sort_by_key(|moved| (moved.to.start, moved.job_id));
        self.moves.append(&mut moves);
        Ok(())
    }

    /// Follows one reservation that the kernel has moved.
    pub(super) fn note_move(
        &mut self,
        handle: Handle,
        time: u64,
        (cause, cause_job_id): (Cause, u64),
    ) -> Result<Moved> {
        let booked = self.scheduler.booked(handle)?;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        let before = std::mem::replace(&mut life.booked, booked);
        life.touched = true;
        let owner = life.owner;
        self.scheduler
            .admission
            .rebooked(Some(before.window), Some(booked.window));
        Ok(Moved {
            time,
            cause,
            cause_job_id: Some(cause_job_id),
            job_id: self.job_id(owner),
            from: Some(self.scheduler.stretch(before)?),
            to: self.scheduler.stretch(booked)?,
            site: 0,
        })
    }

    /// The number of the row that a life came from.
    pub(super) fn job_id(&self, owner: Owner) -> u64 {
        let number = match owner {
            Owner::Demand(index) => self.demands.get(index).map(|demand| demand.job_id()),
            Owner::Part(index) => {
                let operated = self.operated.get(index);
                operated.map(|(operated, _)| operated.operation.job_id)
            }
        };
        number.unwrap_or_default()
    }

    /// What the row that a life came from asks of its processing elements.
    pub(super) fn asks(&self, owner: Owner) -> Option<&Arc<Asks>> {
        let request = match owner {
            Owner::Demand(index) => self.demands.get(index)?.request()?,
            Owner::Part(index) => &self.operated.get(index)?.1.as_ref()?.request,
        };
        request.asks.as_ref()
    }

    /// The user of the row that a life came from.
    pub(super) fn user(&self, owner: Owner) -> Option<u64> {
        match owner {
            Owner::Demand(index) => self.demands.get(index)?.user(),
            Owner::Part(index) => self.operated.get(index)?.1.as_ref()?.request.user,
        }
    }

    /// When something happens next.
    pub(super) fn next_step(&self) -> Option<Slot> {
        let end = self.ends.peek().map(|Reverse((slot, ..))| *slot);
        let event = match &self.scheduler.waiting {
            Some(waiting) => waiting.next_event(&self.scheduler.book, self.looked_until),
            None => self.scheduler.book.next_event(),
        };
        let changes = [self.outages.resume, self.rules.next()];
        let all = [end, event].into_iter().chain(changes);
        all.flatten().min()
    }

    /// Everything that happens at `slot`.
    pub(super) fn step(&mut self, slot: Slot) -> Result<()> {
        let (mut ended, mut longer) = (None, Vec::new());
        while let Some(Reverse((end, _, bits))) = self.ends.peek().copied()
            && end <= slot
        {
            self.ends.pop();
            // Said just before the slot begins, so that the end comes before the starts that may need its PEs.
            let handle = Handle::from_bits(bits);
            let ending = self.lives.get_mut(&handle);
            let Some(life) = ending.filter(|life| life.early_end == Some(end)) else {
                // An operation has given it another end since.
                continue;
            };
            life.early_end = None;
            let window = life.booked.window;
            if window.end == end && !life.is_cut() {
                longer.push(handle);
                continue;
            }
            ended = Some(life.owner);
            let scheduler = &mut self.scheduler;
            let Scheduler {
                book, admission, ..
            } = scheduler;
            admission.complete(book, handle, end).map_err(broken)?;
            admission.rebooked(Some(window), Some(Window { end, ..window }));
        }
        self.overrun(longer, slot)?;
        // The queue must not see an early end before the slot it falls into.
        self.advance(slot, Queue::Left)?;
        self.remove_late(slot)?;
        self.submit(slot);
        // Reservations come before requests that wait and before jobs of the queue.
        if let Some(owner) = ended {
            self.replan(self.scheduler.seconds(slot)?, self.job_id(owner))?;
        }
        self.advance(slot, Queue::Served)?;
        if ended.is_some() || self.outages.resume.is_some_and(|edge| edge <= slot) {
            self.resume_outages()?;
        }
        self.change_rules(slot)
    }

    pub(super) fn advance(&mut self, to: Slot, queue: Queue) -> Result<()> {
        let mut events = heapless::Vec::<Event, 256>::new();
        loop {
            events.clear();
            let book = &mut self.scheduler.book;
            let mut served = false;
            let advanced = match (&mut self.scheduler.waiting, queue) {
                (Some(waiting), Queue::Served) if to >= self.looked_until => {
                    served = true;
                    let by_one = self.scheduler.queue_order.is_some();
                    waiting.advance(book, to, by_one, &mut events)
                }
                (Some(waiting), _) => {
                    // No job is to start on the way, and the queue goes on from there.
                    waiting
                        .queue
                        .queue()
                        .set_incarnation(book.version().incarnation);
                    book.advance(to, &mut events)
                }
                (None, _) => book.advance(to, &mut events),
            };
            let advanced = advanced.map_err(broken)?;
            for event in &events {
                self.note(event)?;
            }
            self.give_up()?;
            if served && self.scheduler.queue_order.is_none() {
                // The queue has let them come back in their places.
                self.came_back.clear();
            }
            self.queue_again()?;
            if advanced == Advanced::Done {
                return self.note_cuts(self.scheduler.seconds(to)?, None);
            }
        }
    }

    /// Cancels what is not to be waited for.
    fn give_up(&mut self) -> Result<()> {
        for handle in std::mem::take(&mut self.given_up) {
            self.scheduler.book.cancel(handle).map_err(broken)?;
            self.close(handle, Ended::Cancelled)?;
        }
        Ok(())
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        if self.is_about_outage(event) {
            return Ok(());
        }
        let handle = event.handle;
        match event.kind {
            EventKind::Started => self.started(handle, event.at),
            EventKind::BestEffortStarted => {
                let waiting = self.scheduler.waiting.as_mut();
                let waiting = waiting.ok_or_else(nobody)?;
                let planned = waiting.planned(event.ticket, event.at);
                let job = waiting.started(event.ticket);
                self.launched(handle, job.ok_or_else(nobody)?, planned)?;
                self.started(handle, event.at)
            }
            EventKind::StartFixed => {
                let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
                life.fixed_at = Some(event.at);
                Ok(())
            }
            EventKind::Completed | EventKind::EndReached => self.close(handle, Ended::Over),
            EventKind::Expired => {
                let life = self.lives.get(&handle).ok_or_else(nobody)?;
                self.scheduler
                    .admission
                    .rebooked(Some(life.booked.window), None);
                self.close(handle, Ended::Expired)
            }
            EventKind::LateStart => {
                let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
                let overlay = self.scheduler.strategy.overlay().unwrap_or_default();
                life.cannot_start(overlay.on_late);
                if overlay.on_late == OnLate::Cancel {
                    self.given_up.push(handle);
                }
                if let (true, Owner::Demand(index)) = (life.copied, life.owner) {
                    self.news.push((index, CopyEvent::Late));
                }
                Ok(())
            }
            EventKind::CutShort => {
                let second = self.scheduler.seconds(event.at)?;
                let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
                let began = self.scheduler.seconds(life.began.ok_or_else(nobody)?)?;
                life.violate(Breach::CutShort);
                life.stop(second.saturating_sub(began));
                self.close(handle, Ended::Over)
            }
            EventKind::Missed => self.close(handle, Ended::Missed),
            EventKind::OverlayBooked => self.booked_at_last(handle, event.at),
            EventKind::Promised => self.promised_late(handle, event.ticket, event.at),
            EventKind::GaveUp => self.gave_up(event.ticket),
            EventKind::Preempted => self.preempted(handle, event.ticket, event.at),
            kind => Err(internal(&format!("nobody expected {kind:?}"))),
        }
    }

    /// The processing elements of an overlay are its own from now on.
    fn booked_at_last(&mut self, handle: Handle, at: Slot) -> Result<()> {
        let life = self.lives.get(&handle).ok_or_else(nobody)?;
        // The book may already be further on.
        let to = self.scheduler.stretch(life.booked)?;
        let overlaid = life.overlay.map_or(0, |overlay| overlay.pes);
        let before = Stretch {
            pes: to.pes.saturating_sub(overlaid.into()),
            ..to
        };
        self.moves.push(Moved {
            time: self.scheduler.seconds(at)?,
            cause: Cause::OverlayBooked,
            cause_job_id: None,
            job_id: self.job_id(life.owner),
            from: Some(before),
            to,
            site: 0,
        });
        Ok(())
    }

    /// From here on it is known where the job runs.
    fn started(&mut self, handle: Handle, at: Slot) -> Result<()> {
        let pes = self.scheduler.pes_of(handle)?;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        let rest = Window {
            start: at,
            ..life.booked.window
        };
        if rest.start > life.booked.window.start && life.overlay.is_some() {
            life.late(at, self.scheduler.length(rest)?);
        }
        life.start(at, pes);
        if let (true, Owner::Demand(index)) = (life.copied, life.owner) {
            self.news.push((index, CopyEvent::Started));
        }
        self.foresee_end(handle)
    }

    /// Notes when the running job will be over, if that is before the end of its booking, and that end if it takes longer.
    pub(super) fn foresee_end(&mut self, handle: Handle) -> Result<()> {
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        let end = life.natural_end(self.scheduler.clock);
        let booked = life.booked.window.end;
        let differs = |end: &Slot| *end < booked || self.scheduler.overruns && *end > booked;
        life.early_end = end.filter(differs).map(|end| end.min(booked));
        let order = match life.owner {
            Owner::Demand(index) => index,
            // Behind all demands.
            Owner::Part(index) => usize::MAX / 2 + index,
        };
        if let Some(end) = life.early_end {
            self.ends.push(Reverse((end, order, handle.to_bits())));
        }
        Ok(())
    }

    /// The reservation is over.
    pub(super) fn close(&mut self, handle: Handle, ended: Ended) -> Result<()> {
        let life = self.lives.remove(&handle).ok_or_else(nobody)?;
        let owner = life.owner;
        self.preemptible.remove(&owner);
        let clock = self.scheduler.clock;
        let ran = clock.span_rounding_up(life.run);
        self.scheduler.admission.learn(&EndedJob {
            handle,
            booked: life.booked.window.len().unwrap_or_default(),
            ran: ran.filter(|_| life.began.is_some()),
            overlay: life.overlay,
        });
        let placed = life.placed(ended, clock)?;
        match owner {
            Owner::Demand(index) => self.decide_later(index, Ok(placed))?,
            Owner::Part(index) => {
                let operated = self.operated.get_mut(index);
                let part = operated.and_then(|(_, part)| part.as_mut());
                part.ok_or_else(nobody)?.placed = Some(placed);
            }
        }
        Ok(())
    }
}

/// Whether the queue is looked at when time goes on.
#[derive(Clone, Copy)]
pub(super) enum Queue {
    Served,
    Left,
}

/// The class of a demand; any processing elements where the machine has no layout.
pub(super) fn class_of(classes: &[Classed], demand: usize) -> ClassId {
    let class = classes.get(demand).copied();
    class.and_then(Answer::ok).unwrap_or(ClassId::ANY)
}
