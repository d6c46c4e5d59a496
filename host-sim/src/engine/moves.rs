//! Bookings that the kernel has moved, and those that it is asked to move.

use bookahead::{Handle, Slot, raw::Ring};

use super::{
    defect::{internal, nobody},
    drive::Run,
    outcome::Stretch,
    scheduler::Scheduler,
    story::{Cause, Moved},
};
use crate::error::Result;

impl<R: Ring> Run<'_, R> {
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
    pub(super) fn note_moves(
        &mut self,
        moved: Vec<(Handle, Cause)>,
        time: u64,
        job_id: u64,
    ) -> Result<()> {
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

    /// The processing elements of an overlay are its own from now on.
    pub(super) fn booked_at_last(&mut self, handle: Handle, at: Slot) -> Result<()> {
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
}
