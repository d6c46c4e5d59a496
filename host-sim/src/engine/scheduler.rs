//! The scheduler that is simulated, and what seconds and slots mean to it.

use std::result::Result as Answer;

use bookahead::{
    Book, Booking, Commitment, Conflict, Error as Denied, Handle, Policy, Refusal, Slot, SlotClock,
    Span, Tariff, UsageError, Window, raw::Ring,
};

use bookahead_heap::BoxedWorkspace;

use super::{
    defect::broken,
    life::{Booked, PeRanges as Ranges, seconds},
    priority::Priority,
    strategy::{Admission, Ask, Strategy, rigid},
    waiting::Waiting,
};
use crate::{error::Result, files::PeRanges};

/// The scheduler that is simulated: the book, the queue and what decides about requests.
pub(super) struct Scheduler<'a, R: Ring> {
    pub(super) book: Book<'a, R>,
    /// What the book needs while it changes reservations.
    pub(super) workspace: BoxedWorkspace<R::Part>,
    /// Nothing where there is no queue and no request waits.
    pub(super) waiting: Option<Waiting<'a, R>>,
    /// In which order requests wait; nothing where none does.
    pub(super) priority: Option<Priority>,
    pub(super) admission: Box<dyn Admission<R> + 'a>,
    pub(super) strategy: Strategy,
    /// Whether jobs may run longer than was booked.
    pub(super) overruns: bool,
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

    /// Books exactly these processing elements at the ready time, or says why not: as a request that starts then or never and takes any, and
    /// because they are not free.
    pub(super) fn reserve_exactly(&mut self, ask: &Ask, pes: &PeRanges) -> Answer<Booking, Denied> {
        if ask.commitment == (Commitment::Held { ttl: Span::ZERO }) {
            return Err(UsageError::ZeroHold.into());
        }
        let request = rigid(&ask.request);
        match self.book.plan(&request, Policy::FirstFit) {
            Err(Denied::Refused(Refusal::NoRoom)) | Ok(_) => {}
            Err(reason) => return Err(reason),
        }
        let set = self.bits(pes.0.iter().flat_map(|(first, last)| *first..=*last));
        let start = request.ready;
        let window = Window {
            start,
            end: start.saturating_add(request.duration),
        };
        let there = &mut Conflict::default();
        let handle = self
            .book
            .reserve_exactly(window, &set, ask.commitment, there)?;
        Ok(Booking { handle, start })
    }

    /// A set as the kernel takes it, with a bit for each number.
    pub(super) fn bits(&self, pes: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut set = vec![0_u32; usize::from(self.book.numbers()).div_ceil(32)];
        for pe in pes {
            if let Some(word) = set.get_mut(pe as usize / 32) {
                *word |= 1 << (pe % 32);
            }
        }
        set
    }

    /// The processing elements of a running job, in increasing order.
    pub(super) fn pes_of(&self, handle: Handle) -> Result<Ranges> {
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
