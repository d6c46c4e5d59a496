//! What happens as time goes on: starts, ends, and whatever else the kernel reports.

use std::cmp::Reverse;

use bookahead::{Advanced, Event, EventKind, Handle, Slot, Window, raw::Ring};

use super::{
    defect::{broken, internal, nobody},
    drive::{CopyEvent, Run},
    life::Owner,
    outcome::{Breach, Ended},
    scheduler::Scheduler,
    strategy::{EndedJob, OnLate},
};
use crate::error::Result;

impl<R: Ring> Run<'_, R> {
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
