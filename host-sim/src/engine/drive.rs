//! The main loop: time runs from arrival to arrival, and through everything that happens between.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    result::Result as Answer,
};

use bookahead::{
    Advanced, Error as Denied, Event, EventKind, Handle, Misuse, Ring, Slot, Span, Window,
};

use super::{
    Outcome, Placed,
    stage::{Stage, broken, internal},
};
use crate::{
    error::{Error, Result},
    request::{BestEffortRequest, Demand, JobRequest},
};

/// Runs all demands, then the rest of the schedule.
pub(super) fn drive<R: Ring>(
    stage: Stage<'_, R>,
    demands: &[Demand],
    tick: &dyn Fn(),
) -> Result<Vec<Outcome>> {
    let mut run = Run {
        stage,
        demands,
        jobs: HashMap::new(),
        ends: BinaryHeap::new(),
        fates: Vec::with_capacity(demands.len()),
        looked_until: Slot::new(0),
    };
    for demand in demands {
        run.meet(demand)?;
        tick();
    }
    while let Some(slot) = run.next_step() {
        run.step(slot)?;
    }
    let outcomes = demands.iter().zip(run.fates).map(|(demand, fate)| {
        Ok(Outcome {
            demand: demand.clone(),
            fate: fate.ok_or_else(|| internal("a job waits for ever"))?,
        })
    });
    outcomes.collect()
}

struct Run<'a, R> {
    stage: Stage<'a, R>,
    demands: &'a [Demand],
    /// Which demand a live reservation belongs to, and what was promised when it was made.
    jobs: HashMap<Handle, (usize, Window)>,
    /// Jobs that run for less than was booked, by the slot at which they will be over. The kernel is not told before.
    ends: BinaryHeap<Reverse<(Slot, usize, u64)>>,
    /// What became of the demands met so far; nothing yet of a job that has not started.
    fates: Vec<Option<Answer<Placed, Denied>>>,
    /// The first slot in which the queue is looked at again. A request that arrives inside a slot is decided at the edge before it,
    /// where nothing may start because of it.
    looked_until: Slot,
}

impl<R: Ring> Run<'_, R> {
    fn meet(&mut self, demand: &Demand) -> Result<()> {
        let refused = match demand {
            Demand::Reserve(request) => self.decide(request)?,
            Demand::BestEffort(job) => self.expect(job)?,
        };
        self.fates.push(refused.map(Err));
        Ok(())
    }

    /// Books the request or says why not.
    fn decide(&mut self, request: &JobRequest) -> Result<Option<Denied>> {
        let now = self.stage.clock.slot_rounding_down(request.arrival);
        let now = now.ok_or_else(|| internal("an arrival before the epoch"))?;
        if self.stage.too_late(now) {
            return Ok(Some(Misuse::EndOfTime.into()));
        }
        while let Some(slot) = self.next_step().filter(|slot| *slot <= now) {
            self.step(slot)?;
        }
        self.advance(now, Queue::Served)?;
        let edge = self.stage.clock.slot_rounding_up(request.arrival);
        self.looked_until = edge.unwrap_or(now);
        let stage = &mut self.stage;
        let answer = stage
            .in_slots(request)
            .and_then(|request| stage.desk.decide(&mut stage.book, &request));
        match answer {
            Ok(booking) => {
                let promised = stage.book.get(booking.handle).map_err(broken)?.window;
                let job = (self.fates.len(), promised);
                self.jobs.insert(booking.handle, job);
                Ok(None)
            }
            Err(reason) => Ok(Some(reason)),
        }
    }

    /// Lets a job come to the queue at the first slot edge after its submission, or says why not.
    fn expect(&mut self, job: &BestEffortRequest) -> Result<Option<Denied>> {
        let edge = self.stage.clock.slot_rounding_up(job.arrival);
        let Some(edge) = edge.filter(|edge| !self.stage.too_late(*edge)) else {
            return Ok(Some(Misuse::EndOfTime.into()));
        };
        let waiting = self.stage.waiting.as_mut().ok_or_else(|| {
            Error::Usage(format!(
                "job {}: best effort, but there is no queue",
                job.job_id
            ))
        })?;
        waiting.expect(edge, self.fates.len());
        Ok(None)
    }

    /// When something happens next.
    fn next_step(&self) -> Option<Slot> {
        let end = self.ends.peek().map(|Reverse((slot, ..))| *slot);
        let event = match &self.stage.waiting {
            Some(waiting) => waiting.next_event(&self.stage.book, self.looked_until),
            None => self.stage.book.next_event(),
        };
        [end, event].into_iter().flatten().min()
    }

    /// Everything that happens at `slot`.
    fn step(&mut self, slot: Slot) -> Result<()> {
        while let Some(Reverse((end, _, bits))) = self.ends.peek().copied()
            && end <= slot
        {
            self.ends.pop();
            // Said just before the slot begins, so that the end comes before the starts that may need its PEs.
            let handle = Handle::from_bits(bits);
            let stage = &mut self.stage;
            let booked = stage.book.get(handle).map_err(broken)?.window.end;
            stage.book.complete(handle, end).map_err(broken)?;
            stage.desk.ended_early(booked, end);
        }
        // The queue must not see an early end before the slot it falls into.
        self.advance(slot, Queue::Left)?;
        self.submit(slot);
        self.advance(slot, Queue::Served)
    }

    /// Queues the jobs that have come by `slot`.
    fn submit(&mut self, slot: Slot) {
        let Stage {
            book,
            waiting: Some(waiting),
            clock,
            ..
        } = &mut self.stage
        else {
            return;
        };
        while let Some(outcome) = waiting.next_by(slot) {
            let Some(Demand::BestEffort(job)) = self.demands.get(outcome) else {
                continue;
            };
            let refused = waiting.submit(book, *clock, job, outcome).err();
            if let Some(fate) = self.fates.get_mut(outcome) {
                *fate = refused.map(Err);
            }
        }
    }

    fn advance(&mut self, to: Slot, queue: Queue) -> Result<()> {
        let mut events = heapless::Vec::<Event, 256>::new();
        loop {
            events.clear();
            let book = &mut self.stage.book;
            let advanced = match (&mut self.stage.waiting, queue) {
                (Some(waiting), Queue::Served) if to >= self.looked_until => {
                    waiting.queue.advance(book, to, &mut events)
                }
                _ => book.advance(to, &mut events),
            };
            let advanced = advanced.map_err(broken)?;
            for event in &events {
                self.note(event)?;
            }
            if advanced == Advanced::Done {
                return Ok(());
            }
        }
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        let handle = event.handle;
        match event.kind {
            EventKind::Started => self.started(handle, event.at),
            EventKind::BestEffortStarted => {
                let waiting = self.stage.waiting.as_mut();
                let job = waiting.and_then(|waiting| waiting.started(event.ticket));
                let booked = self.stage.book.get(handle).map_err(broken)?.window;
                self.jobs.insert(handle, (job.ok_or_else(nobody)?, booked));
                self.stage.desk.best_effort_started(booked);
                self.started(handle, event.at)
            }
            EventKind::Completed | EventKind::Overran => {
                self.jobs.remove(&handle);
                Ok(())
            }
            kind => Err(internal(&format!("nobody expected {kind:?}"))),
        }
    }

    /// From here on it is known how long the job runs and where.
    fn started(&mut self, handle: Handle, at: Slot) -> Result<()> {
        let (job, promised) = *self.jobs.get(&handle).ok_or_else(nobody)?;
        let demand = self.demands.get(job).ok_or_else(nobody)?;
        let placed = self.stage.placed(handle, promised, at, demand)?;
        let took = self.stage.clock.span_rounding_up(placed.ran);
        // A job that ends inside a slot keeps it to its end, and one that ends at once keeps its first.
        let took = took.map_or(1, |span| span.get().max(1));
        let end = at.saturating_add(Span::new(took));
        if end < promised.end {
            self.ends.push(Reverse((end, job, handle.to_bits())));
        }
        *self.fates.get_mut(job).ok_or_else(nobody)? = Some(Ok(placed));
        Ok(())
    }
}

/// Whether the queue is looked at when time goes on.
#[derive(Clone, Copy)]
enum Queue {
    Served,
    Left,
}

fn nobody() -> Error {
    internal("a start of nobody's")
}
