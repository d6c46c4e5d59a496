//! The main loop: time runs from arrival to arrival, and through everything that happens between.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    result::Result as Answer,
    sync::Arc,
};

use bookahead::{
    Handle, Slot, Ticket, Window,
    raw::{Kept as Restorable, Ring},
};

use super::{
    classes::Classed,
    defect::{broken, nobody},
    events::Queue,
    kept::Kept,
    life::{Booked, Life, Owner},
    outages::Outages,
    outcome::{Placed, Reason, Replica},
    preempt::Preemptible,
    priority::Given,
    rules::Rules,
    scheduler::Scheduler,
    story::{Listener, Moved, Operated, Piece},
    waiting::Waiting,
};
use crate::{
    arrivals::Arrivals,
    error::{Error, Result},
    layout::Asks,
    request::{Demand, JobRequest},
    saved::Saved,
};

/// Runs all demands and the operations on them, then the rest of the schedule; where there is a state, from there on.
pub(super) fn drive<R: Restorable>(
    scheduler: Scheduler<'_, R>,
    (arrivals, classes): (Arrivals<'_>, &[Classed]),
    state: Option<&[u8]>,
    listener: &mut dyn Listener,
    tick: &dyn Fn(),
) -> Result<()> {
    let mut run = Run::new(scheduler, &arrivals, classes);
    if let Some(mut state) = state {
        run.restore(&mut state)?;
    }
    let (undecided, mut again) = (run.decisions.first().0, Again::new(&run));
    let mut coming = arrivals.operations.iter().peekable();
    // What is known at a second is known to whatever else arrives then.
    let hear = |run: &mut Run<'_, R>, second: u64| -> Result<()> {
        while let Some(notice) = arrivals.notices.get(run.outages.heard)
            && run.second_of(notice)? <= second
        {
            run.hear(notice)?;
            run.outages.heard += 1;
            tick();
        }
        Ok(())
    };
    for (index, demand) in arrivals.demands.each()?.enumerate() {
        let demand = Arc::new(demand?);
        if again.had_met(&demand)? {
            if index >= undecided {
                run.demands.push(demand);
            }
            tick();
            continue;
        }
        while let Some(operation) = coming.next_if(|operation| operation.after <= index) {
            hear(&mut run, operation.arrival)?;
            run.operate(operation)?;
            tick();
        }
        hear(&mut run, demand.arrival())?;
        run.note_arrival(demand.clone());
        run.meet(&demand)?;
        drop(demand);
        run.tell(listener)?;
        listener.pause(&mut || run.state())?;
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

/// Demands that arrive again: the run goes on behind those that it had met.
#[derive(Default)]
pub(super) struct Again {
    left: usize,
    sum: u64,
    expected: u64,
}

impl Again {
    pub(super) fn new<R: Ring>(run: &Run<'_, R>) -> Self {
        Self {
            left: run.decisions.len(),
            sum: 0,
            expected: run.arrived,
        }
    }

    /// Whether the run had met the next one.
    pub(super) fn had_met(&mut self, demand: &Demand) -> Result<bool> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(false);
        };
        (self.left, self.sum) = (left, mixed(self.sum, demand));
        match left == 0 && self.sum != self.expected {
            true => Err(Error::Usage(OTHERS.to_owned())),
            false => Ok(true),
        }
    }
}

/// Said where other demands arrive than those that a run had met.
const OTHERS: &str = "--checkpoint: the jobs are not those with which the run began, as where a log has been changed: with the same ones it goes on, and without checkpoint.bin it begins anew";

/// A sum of demands in order, of which this is the next.
fn mixed(sum: u64, demand: &Demand) -> u64 {
    let mut hasher = DefaultHasher::new();
    let times = [demand.arrival(), demand.duration(), demand.run()];
    let ready = demand.request().map(|request| request.ready);
    let who = (demand.job_id(), demand.user());
    (sum, who, times, demand.pes(), ready, demand.deadline()).hash(&mut hasher);
    hasher.finish()
}

/// Everything between the first arrival and the last end.
pub(super) struct Run<'a, R: Ring> {
    pub(super) scheduler: Scheduler<'a, R>,
    /// The demands met so far, from the first one on of which it is open what becomes of it.
    pub(super) demands: Kept<Arc<Demand>>,
    /// The sum of all that have been met.
    pub(super) arrived: u64,
    /// Of which class each demand is; none where the machine has no layout.
    pub(super) classes: &'a [Classed],
    /// The reservations and best-effort jobs that live in the book.
    pub(super) lives: HashMap<Handle, Life>,
    /// Jobs that run for less than was booked, by the slot at which they will be over. The kernel is not told before.
    pub(super) ends: BinaryHeap<Reverse<(Slot, usize, u64)>>,
    /// What became of them; nothing yet of a job that is not over.
    pub(super) decisions: Kept<Option<Answer<Placed, Reason>>>,
    /// The reservations that operations may be about, dead or alive; not kept where there are no operations.
    pub(super) targets: HashMap<u64, Handle>,
    pub(super) has_operations: bool,
    /// What became of the operations so far, with what became of the part that each made; from the first one on that has not been told.
    pub(super) operated: Kept<(Operated, Option<Part>)>,
    /// Every booking that was changed and has not been told.
    pub(super) moves: Vec<Moved>,
    /// The first slot in which the queue is looked at again. A request that arrives inside a slot is decided at the edge before it,
    /// where nothing may start because of it.
    pub(super) looked_until: Slot,
    /// What has happened to copies of reservations, and has not been told.
    pub(super) news: Vec<(usize, CopyEvent)>,
    /// What could not start in the slot that has begun, and is not to be waited for.
    pub(super) given_up: Vec<Handle>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
            arrived: 0,
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

    /// A demand that is to be met arrives.
    pub(super) fn note_arrival(&mut self, demand: Arc<Demand>) {
        self.arrived = mixed(self.arrived, &demand);
        self.demands.push(demand);
    }

    /// The next demand is refused, or elsewhere, or has been booked.
    pub(super) fn decided(&mut self, refused: Option<Reason>) {
        self.decisions.push(refused.map(Err));
    }

    /// The reservation is a copy at a site; says how it was booked.
    pub(super) fn copied(&mut self, handle: Handle, site: usize) -> Result<Replica> {
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        life.copied = true;
        let Window { start, end } = life.booked.window;
        let overlaid = life.overlay.map_or(0, |overlay| overlay.pes);
        Ok(Replica {
            site: site as u16,
            start: self.scheduler.seconds(start)?,
            end: self.scheduler.seconds(end)?,
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
}
