//! What is simulated, and what seconds and slots mean there.

use std::result::Result as Answer;

use bookahead::{
    Book, Error as Denied, Handle, Money, PeCount, Refusal, Request, Ring, Slot, SlotClock, Tariff,
    Window,
};

use super::{MINUTE, Placed, desk::Desk, waiting::Waiting};
use crate::{
    error::{Error, Result},
    request::{Demand, JobRequest},
};

/// What is simulated.
pub(super) struct Stage<'a, R> {
    pub(super) book: Book<'a, R>,
    /// Nothing where there is no queue.
    pub(super) waiting: Option<Waiting<'a>>,
    pub(super) desk: Box<dyn Desk<R>>,
    pub(super) clock: SlotClock,
    pub(super) tariff: Tariff,
    /// How many slots after the last arrival everything is over.
    pub(super) reach: u64,
}

impl<R: Ring> Stage<'_, R> {
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

    /// What the demand gets that was promised `booked` and has started as `handle` at `at`.
    pub(super) fn placed(
        &self,
        handle: Handle,
        booked: Window,
        at: Slot,
        demand: &Demand,
    ) -> Result<Placed> {
        let pes = self.book.pes_of(handle).map_err(broken)?;
        let mut placed = Placed {
            start: self.seconds(booked.start)?,
            end: self.seconds(booked.end)?,
            began: self.seconds(at)?,
            ran: 0,
            pes: ranges(pes.map(|pe| pe.get())),
            price: Money::ZERO,
        };
        let granted = placed.granted(demand.duration());
        placed.ran = match demand {
            // How long it would take on less, nobody knows: it uses what it was granted.
            Demand::Reserve(request) if placed.is_less_than(request) => granted,
            _ => demand.run().min(granted),
        };
        let width = u16::try_from(placed.width()).unwrap_or(u16::MAX);
        let slots = booked.len().unwrap_or_default();
        let price = match demand {
            Demand::Reserve(_) => self.tariff.reserved(slots, PeCount::new(width)),
            Demand::BestEffort(_) => {
                let minutes = placed.ran.div_ceil(MINUTE);
                self.tariff.best_effort(minutes, PeCount::new(width))
            }
        };
        placed.price = price.map_err(broken)?;
        Ok(placed)
    }

    fn seconds(&self, slot: Slot) -> Result<u64> {
        let seconds = self.clock.seconds(slot);
        seconds.ok_or_else(|| internal("a slot beyond the end of time"))
    }
}

/// Increasing numbers as inclusive ranges.
fn ranges(numbers: impl Iterator<Item = u16>) -> Vec<(u16, u16)> {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

pub(super) fn broken(error: Denied) -> Error {
    internal(&format!("the kernel broke its word: {error}"))
}

pub(super) fn internal(problem: &str) -> Error {
    Error::Internal(problem.to_owned())
}
