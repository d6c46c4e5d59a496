//! The scheduler that is simulated, and what seconds and slots mean to it.

use bookahead::{Book, Handle, Slot, SlotClock, Tariff, Window, raw::Ring};

use bookahead_heap::BoxedWorkspace;

use super::{
    defect::broken,
    life::{Booked, PeRanges, seconds},
    strategy::{Admission, Strategy},
    waiting::Waiting,
};
use crate::error::Result;

/// The scheduler that is simulated: the book, the queue and what decides about requests.
pub(super) struct Scheduler<'a, R: Ring> {
    pub(super) book: Book<'a, R>,
    /// What the book needs while it changes reservations.
    pub(super) workspace: BoxedWorkspace<R::Part>,
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

    /// What is booked for a live reservation.
    pub(super) fn booked(&self, handle: Handle) -> Result<Booked> {
        let reservation = self.book.get(handle).map_err(broken)?;
        Ok(Booked {
            window: reservation.window,
            pes: reservation.request.pes,
        })
    }

    /// The processing elements of a running job, in increasing order.
    pub(super) fn pes_of(&self, handle: Handle) -> Result<PeRanges> {
        let ranges = self.book.pe_ranges_of(handle).map_err(broken)?;
        let numbers = ranges.map(|range| (range.start().get(), range.end().get()));
        Ok(numbers.collect())
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
