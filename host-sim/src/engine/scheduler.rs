//! The scheduler that is simulated, and what seconds and slots mean to it.

use std::result::Result as Answer;

use bookahead::{
    Book, Error as Denied, Handle, PeCount, Refusal, Request, Slot, SlotClock, Tariff, Window,
    raw::Ring,
};

use super::{
    defect::broken,
    life::{Booked, seconds},
    strategy::{Admission, Strategy},
    undo::Undo,
    waiting::Waiting,
};
use crate::{error::Result, request::JobRequest};

/// The scheduler that is simulated: the book, the queue and what decides about requests.
pub(super) struct Scheduler<'a, R: Ring> {
    pub(super) book: Book<'a, R>,
    /// What the book needs while it changes reservations.
    pub(super) undo: Undo<R::Part>,
    /// Nothing where there is no queue.
    pub(super) waiting: Option<Waiting<'a>>,
    pub(super) admission: Box<dyn Admission<R>>,
    pub(super) strategy: Strategy,
    pub(super) clock: SlotClock,
    pub(super) tariff: Tariff,
    /// How many slots after the last arrival everything is over.
    pub(super) reach: u64,
}

impl<R: Ring> Scheduler<'_, R> {
    /// The kernel's time ends, and so do seconds; what arrives so late that the rest could not be run out is refused.
    pub(super) fn too_late(&self, now: Slot) -> bool {
        let last = Slot::new(now.get().saturating_add(self.reach));
        last > Slot::LAST_NOW || self.clock.seconds(last).is_none()
    }

    /// The request in slots; what cannot be said in them is refused with the reason the kernel would have.
    pub(super) fn in_slots(&self, request: &JobRequest) -> Answer<Request, Denied> {
        let pes = u16::try_from(request.pes).map_err(|_| Refusal::TooWide)?;
        // Within one slot, rounding would hide it.
        if request.ready < request.arrival {
            return Err(Refusal::ReadyInPast.into());
        }
        let ready = self.clock.slot_rounding_up(request.ready);
        let duration = self.clock.span_rounding_up(request.duration);
        let deadline = self.clock.slot_rounding_down(request.deadline);
        Ok(Request {
            ready: ready.ok_or(Refusal::ReadyInPast)?,
            duration: duration.ok_or(Refusal::TooLong)?,
            deadline: deadline.ok_or(Refusal::WindowTooShort)?,
            pes: PeCount::new(pes),
        })
    }

    /// What is booked for a live reservation.
    pub(super) fn booked(&self, handle: Handle) -> Result<Booked> {
        let reservation = self.book.get(handle).map_err(broken)?;
        Ok(Booked {
            window: reservation.window,
            pes: reservation.request.pes,
        })
    }

    /// The processing elements of a running job, in increasing order.
    pub(super) fn pes_of(&self, handle: Handle) -> Result<Vec<u16>> {
        let pes = self.book.pes_of(handle).map_err(broken)?;
        Ok(pes.map(|pe| pe.get()).collect())
    }

    /// The length of a window in seconds.
    pub(super) fn length(&self, window: Window) -> Result<u64> {
        Ok(self.seconds(window.end)? - self.seconds(window.start)?)
    }

    /// The second at which `slot` begins.
    pub(super) fn seconds(&self, slot: Slot) -> Result<u64> {
        seconds(self.clock, slot)
    }
}
