//! Operations on reservations: what the kernel is asked to do, and what changes with it.

use std::result::Result as Answer;

use bookahead::{Error as Denied, Handle, Slot, UsageError, Window, raw::Ring};

use super::{
    defect::{broken, nobody},
    drive::{Part, Run},
    life::{Booked, Owner},
    outcome::Ended,
    scheduler::Scheduler,
    story::{Cause, Declined, Moved, Operated},
};
use crate::{
    error::{Error, Result},
    operation::{Action, Alter, Operation},
    outage::Breaker,
    request::JobRequest,
};

/// Why an operation went no further.
enum Stop {
    /// It is not done.
    Declined(Declined),
    /// Something is wrong with this program.
    Broken(Error),
}

impl From<Denied> for Stop {
    fn from(reason: Denied) -> Self {
        Self::Declined(Declined::Kernel(reason))
    }
}

impl<R: Ring> Run<'_, R> {
    /// Does the operation, or notes why not.
    pub(super) fn operate(&mut self, operation: &Operation) -> Result<()> {
        let decision = match self.arrive(operation.arrival)? {
            true => self.apply(operation),
            false => Err(Denied::from(UsageError::EndOfTime).into()),
        };
        let (decision, part) = match decision {
            Ok(part) => (Ok(()), part),
            Err(Stop::Declined(reason)) => (Err(reason), None),
            Err(Stop::Broken(error)) => return Err(error),
        };
        let operated = Operated {
            operation: *operation,
            decision,
            part: None,
        };
        self.operated.push((operated, part));
        self.resume_after(operation.arrival)
    }

    /// Does what is asked, and returns the part that it makes, if any.
    fn apply(&mut self, operation: &Operation) -> Answer<Option<Part>, Stop> {
        let target = self.targets.get(&operation.target);
        let handle = *target.ok_or(Stop::Declined(Declined::UnknownTarget))?;
        let life = self.lives.get_mut(&handle);
        let life = life.ok_or(Stop::Declined(Declined::EndedTarget))?;
        let scheduler = &mut self.scheduler;
        let Scheduler {
            book, admission, ..
        } = scheduler;
        match operation.action {
            Action::Confirm => admission.confirm(book, handle)?,
            Action::Cancel => {
                admission.cancel(book, handle)?;
                self.cancelled(handle, operation.arrival)
                    .and_then(|()| self.replan(operation.arrival, operation.target))
                    .map_err(Stop::Broken)?;
            }
            Action::Complete { at } => {
                let second = at.unwrap_or(operation.arrival);
                let at = scheduler.not_before(operation.arrival, second)?;
                let Scheduler {
                    book, admission, ..
                } = scheduler;
                admission.complete(book, handle, at)?;
                self.completed(handle, at, second)
                    .and_then(|()| self.replan(operation.arrival, operation.target))
                    .map_err(Stop::Broken)?;
            }
            Action::Split { at } => {
                let at = scheduler.not_before(operation.arrival, at)?;
                let second = scheduler.split(handle, at)?;
                let part = self.has_split(operation, [handle, second], at);
                return part.map(Some).map_err(Stop::Broken);
            }
            Action::ExtendByForce { duration } => {
                let length = scheduler.length_of(duration)?;
                let until = scheduler
                    .book
                    .get(handle)?
                    .window
                    .start
                    .saturating_add(length);
                let edge = scheduler.not_before(operation.arrival, operation.arrival)?;
                let displaced = scheduler.extend_by_force(handle, until, edge)?;
                self.altered(operation, Alter::Extend { duration }, handle)
                    .and_then(|()| {
                        let by = Breaker::Overrun(operation.target);
                        self.displaced(by, operation.arrival, &displaced)
                    })
                    .map_err(Stop::Broken)?;
            }
            Action::Alter(alter) => {
                let alteration = scheduler.alteration(alter, operation.arrival, life.ready)?;
                scheduler.alter(handle, alteration)?;
                self.altered(operation, alter, handle)
                    .map_err(Stop::Broken)?;
            }
        }
        Ok(None)
    }

    fn cancelled(&mut self, handle: Handle, second: u64) -> Result<()> {
        self.release(handle, second)?;
        self.close(handle, Ended::Cancelled)
    }

    /// Nothing is booked for it any more from `second` on.
    pub(super) fn release(&mut self, handle: Handle, second: u64) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        let window = life.booked.window;
        let rest = life.began.map(|_| Window {
            end: scheduler.book.now(),
            ..window
        });
        scheduler.admission.rebooked(Some(window), rest);
        if let (Some(rest), Some(began)) = (rest, life.began) {
            life.booked.window = rest;
            life.run = life
                .run
                .min(second.saturating_sub(scheduler.seconds(began)?));
        }
        Ok(())
    }

    /// The running job is over at `second`, which is in the slot before `end`.
    fn completed(&mut self, handle: Handle, end: Slot, second: u64) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        let window = life.booked.window;
        let began = scheduler.seconds(life.began.ok_or_else(nobody)?)?;
        life.touched = true;
        life.run = life.run.min(second.saturating_sub(began));
        life.booked.window.end = end;
        scheduler
            .admission
            .rebooked(Some(window), Some(life.booked.window));
        match scheduler.book.get(handle) {
            Ok(_) => self.foresee_end(handle),
            // An end that is not to come is no event.
            Err(_) => self.close(handle, Ended::Over),
        }
    }

    /// What is booked has changed.
    fn altered(&mut self, operation: &Operation, alter: Alter, handle: Handle) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let now = scheduler.book.now();
        let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
        match alter {
            Alter::Extend { duration } | Alter::Shorten { duration } => life.resize(duration),
            Alter::ChangeWindow { ready, .. } => life.ready = ready,
            Alter::Shift { .. } | Alter::Widen { .. } | Alter::Narrow { .. } => {}
        }
        if life.began.is_some() {
            life.keep(scheduler.pes_of(handle)?, now, operation.arrival);
        }
        let running = life.began.is_some();
        let cause = Cause::Operation(operation.action.name());
        let moved = self.note_move(handle, operation.arrival, (cause, operation.job_id))?;
        if moved.from != Some(moved.to) {
            self.moves.push(moved);
        }
        if running {
            self.foresee_end(handle)?;
        }
        Ok(())
    }

    /// The first of these has become shorter, the second is new.
    fn has_split(
        &mut self,
        operation: &Operation,
        [first, second]: [Handle; 2],
        at: Slot,
    ) -> Result<Part> {
        let owner = self.lives.get(&first).ok_or_else(nobody)?.owner;
        let (user, asks) = (self.user(owner), self.asks(owner).cloned());
        let scheduler = &mut self.scheduler;
        let life = self.lives.get_mut(&first).ok_or_else(nobody)?;
        let before = life.booked;
        let times = [
            scheduler.seconds(at)?,
            scheduler.seconds(before.window.start)?,
        ];
        let rest = life.split(at, times, Owner::Part(self.operated.len()));
        life.touched = true;
        let running = life.began.is_some();
        let (kept, rest_booked) = (life.booked, rest.booked);
        scheduler
            .admission
            .rebooked(Some(before.window), Some(kept.window));
        scheduler.admission.rebooked(None, Some(rest_booked.window));
        scheduler.admission.belongs(second, user);
        let deadline = scheduler.book.get(second).map_err(broken)?.request.deadline;
        let part = Part {
            request: JobRequest {
                impatient: false,
                job_id: operation.job_id,
                arrival: operation.arrival,
                ready: rest.ready,
                duration: rest.duration,
                deadline: scheduler.seconds(deadline)?,
                pes: rest_booked.pes.get().into(),
                run: rest.run,
                flexible: true,
                shortest: None,
                user,
                asks,
                // Nothing is split that has parts beside the machine.
                principal: None,
                needs: None,
            },
            placed: None,
        };
        self.moved(operation, operation.target, Some(before), kept)?;
        self.moved(operation, operation.job_id, None, rest_booked)?;
        self.lives.insert(second, rest);
        self.targets.insert(operation.job_id, second);
        if running {
            self.foresee_end(first)?;
        }
        Ok(part)
    }

    fn moved(
        &mut self,
        operation: &Operation,
        job_id: u64,
        from: Option<Booked>,
        to: Booked,
    ) -> Result<()> {
        let stretch = |booked| self.scheduler.stretch(booked);
        self.moves.push(Moved {
            time: operation.arrival,
            cause: Cause::Operation(operation.action.name()),
            cause_job_id: Some(operation.job_id),
            job_id,
            from: from.map(stretch).transpose()?,
            to: stretch(to)?,
            site: 0,
        });
        Ok(())
    }
}
