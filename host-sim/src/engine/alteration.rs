//! What the kernel is asked for an operation: seconds become slots here.

use std::result::Result as Answer;

use bookahead::{
    Alteration, Conflict, Error as Denied, Handle, PeCount, Refusal, Slot, Span, raw::Ring,
};

use super::{
    life::Booked,
    outcome::Stretch,
    scheduler::Scheduler,
    strategy::{Strategy, rigid},
};
use crate::{error::Result, operation::Alter};

impl<R: Ring> Scheduler<'_, R> {
    /// The slot edge at `second` or behind it. What lies before the arrival would be in the past; within one slot, rounding would
    /// hide that.
    pub(super) fn not_before(&self, arrival: u64, second: u64) -> Answer<Slot, Denied> {
        let edge = self.clock.slot_rounding_up(second);
        let edge = edge.filter(|_| second >= arrival);
        edge.ok_or(Refusal::ReadyInPast.into())
    }

    /// A length in slots.
    pub(super) fn length_of(&self, seconds: u64) -> Answer<Span, Denied> {
        let length = self.clock.span_rounding_up(seconds);
        length.ok_or(Refusal::TooLong.into())
    }

    /// The change in slots; what cannot be said in them is refused with the reason the kernel would have. `ready` is the present
    /// ready time, which may have passed.
    pub(super) fn alteration(
        &self,
        alter: Alter,
        arrival: u64,
        ready: u64,
    ) -> Answer<Alteration, Denied> {
        let width = |pes| u16::try_from(pes).map_err(|_| Refusal::TooWide);
        Ok(match alter {
            Alter::Shift { start } => Alteration::Shift {
                start: self.not_before(arrival, start)?,
            },
            Alter::Extend { duration } => Alteration::Extend {
                duration: self.length_of(duration)?,
            },
            Alter::Shorten { duration } => Alteration::Shorten {
                duration: self.length_of(duration)?,
            },
            Alter::Widen { pes } => Alteration::Widen {
                pes: PeCount::new(width(pes)?.into()),
            },
            Alter::Narrow { pes } => Alteration::Narrow {
                pes: PeCount::new(width(pes)?.into()),
            },
            Alter::ChangeWindow {
                ready: new,
                deadline,
            } => {
                let earliest = if new == ready { new } else { arrival };
                let deadline = self.clock.slot_rounding_down(deadline);
                Alteration::ChangeWindow {
                    ready: self.not_before(earliest, new)?,
                    deadline: deadline.ok_or(Refusal::WindowTooShort)?,
                }
            }
        })
    }

    pub(super) fn alter(&mut self, handle: Handle, alteration: Alteration) -> Answer<(), Denied> {
        let alteration = self.as_rigid(handle, alteration)?;
        let mut conflict = Conflict::default();
        let workspace = self.workspace.view();
        self.book
            .alter(handle, alteration, workspace, &mut conflict)?;
        Ok(())
    }

    pub(super) fn split(&mut self, handle: Handle, at: Slot) -> Answer<Handle, Denied> {
        self.book.split(handle, at, self.workspace.view())
    }

    /// A rigid reservation leaves nothing open, in another window neither.
    fn as_rigid(&self, handle: Handle, alteration: Alteration) -> Answer<Alteration, Denied> {
        let Alteration::ChangeWindow { ready, deadline } = alteration else {
            return Ok(alteration);
        };
        if self.strategy != Strategy::Rigid {
            return Ok(alteration);
        }
        let mut request = self.book.get(handle)?.request;
        (request.ready, request.deadline) = (ready, deadline);
        let deadline = rigid(&request).deadline;
        Ok(Alteration::ChangeWindow { ready, deadline })
    }

    pub(super) fn stretch(&self, booked: Booked) -> Result<Stretch> {
        Ok(Stretch {
            start: self.seconds(booked.window.start)?,
            end: self.seconds(booked.window.end)?,
            pes: booked.pes.get().into(),
        })
    }
}
