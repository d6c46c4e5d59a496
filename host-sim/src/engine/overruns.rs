//! Jobs that take longer than was booked: they go on, and whoever is in the way is placed again or loses its promise.

use std::result::Result as Answer;

use bookahead::{Broken, Error as Denied, Handle, Move, Refusal, Slot, heapless, raw::Ring};

use super::{
    defect::{broken, nobody},
    drive::Run,
    events::Queue,
    outcome::Ended,
    scheduler::Scheduler,
    story::Cause,
};
use crate::{error::Result, outage::Breaker};

/// What one call has done to others.
#[derive(Default)]
pub(super) struct Displaced {
    /// Those whose promise is broken.
    pub(super) broken: Vec<Handle>,
    /// Those that have another place.
    pub(super) moved: Vec<Handle>,
}

impl Displaced {
    /// What these moves of others have done.
    pub(super) fn by(moves: impl Iterator<Item = Move>) -> Self {
        let mut displaced = Self::default();
        for change in moves {
            match change.to {
                None => displaced.broken.push(change.handle),
                Some(_) => displaced.moved.push(change.handle),
            }
        }
        displaced
    }
}

impl<R: Ring> Scheduler<'_, R> {
    /// Lets the running job go on until `until`. Nobody else is placed before `earliest`: the slot before it has begun.
    pub(super) fn extend_by_force(
        &mut self,
        handle: Handle,
        until: Slot,
        earliest: Slot,
    ) -> Answer<Displaced, Denied> {
        let workspace = self.workspace.view();
        let mut transaction = self.book.transaction(workspace, u64::MAX);
        // The moves name all of them.
        let mut gone = heapless::Vec::<Broken, 0>::new();
        transaction.extend_by_force(handle, until, &mut gone)?;
        let early = transaction.moves().filter(|change| {
            let began = |start| start < earliest;
            change.handle != handle && change.to.is_some_and(|to| began(to.start))
        });
        for handle in early.map(|change| change.handle).collect::<Vec<_>>() {
            transaction.lift(handle)?;
            match transaction.place_first_fit(handle, earliest) {
                Err(Denied::Refused(Refusal::NoRoom)) => transaction.remove(handle)?,
                placed => drop(placed?),
            }
        }
        let is_other = |change: &Move| change.to.is_none() || change.handle != handle;
        let displaced = Displaced::by(transaction.moves().filter(is_other));
        transaction.commit()?;
        Ok(displaced)
    }
}

impl<R: Ring> Run<'_, R> {
    /// These jobs go on at the slot edge at which their bookings end, as long as can be booked ahead, and further when that is over. Who cannot, since what is in the way stays there,
    /// is stopped.
    pub(super) fn overrun(&mut self, jobs: Vec<Handle>, slot: Slot) -> Result<()> {
        let before = Slot::new(slot.get().saturating_sub(1));
        if !jobs.is_empty() && self.scheduler.book.now() < before {
            self.advance(before, Queue::Left)?;
        }
        let time = self.scheduler.seconds(slot)?;
        for handle in jobs {
            let life = self.lives.get(&handle).ok_or_else(nobody)?;
            let end = life.natural_end(self.scheduler.clock).ok_or_else(nobody)?;
            let (began, job_id) = (life.began.ok_or_else(nobody)?, self.job_id(life.owner));
            let book = &self.scheduler.book;
            let until = end.min(book.now().saturating_add(book.horizon()));
            match self.scheduler.extend_by_force(handle, until, slot) {
                Ok(displaced) => {
                    let moved = self.note_move(handle, time, (Cause::Overrun, job_id))?;
                    self.moves.push(moved);
                    self.displaced(Breaker::Overrun(job_id), time, &displaced)?;
                    self.foresee_end(handle)?;
                }
                Err(Denied::Refused(_)) => {
                    let ran = time.saturating_sub(self.scheduler.seconds(began)?);
                    let life = self.lives.get_mut(&handle).ok_or_else(nobody)?;
                    life.stop(ran);
                    life.touched = true;
                }
                Err(reason) => return Err(broken(reason)),
            }
        }
        Ok(())
    }

    /// Follows what has been done to others at `time`, and returns how many of those moved start later than they were promised.
    pub(super) fn displaced(
        &mut self,
        by: Breaker,
        time: u64,
        displaced: &Displaced,
    ) -> Result<usize> {
        let mut late = 0;
        let of_rule = || self.rules.number(by).ok_or_else(nobody);
        let cause = by.id().map_or_else(of_rule, Ok)?;
        for &handle in &displaced.moved {
            let moved = self.note_move(handle, time, (by.into(), cause))?;
            self.moves.push(moved);
            let life = self.lives.get(&handle).ok_or_else(nobody)?;
            late += usize::from(life.booked.window.start > life.promised_start());
        }
        for &handle in &displaced.broken {
            let Scheduler {
                book, admission, ..
            } = &mut self.scheduler;
            admission.lost(book, handle).map_err(broken)?;
            self.release(handle, time)?;
            self.close(handle, Ended::Broken { by, at: time })?;
        }
        Ok(late)
    }
}
