//! Overlays: reservations on top of others that will probably end early. Accepting them, and what happens at run time.
//!
//! What is overlaid lies in a layer of the ring beside the firm bookings ([`OverlayRing`]). This module decides which
//! overlays are accepted, starts them when their processing elements are idle, stops them for those who come first, and
//! turns them into ordinary bookings where early ends leave room.
//!
//! Source: `xiao`, section 4.1.

mod plan;
mod run;

pub use plan::{OverlayPlan, Overlaying};

use crate::{
    book::Book,
    error::{Error, UsageError},
    handle::Handle,
    ledger::{Phase, Row, RowOf},
    pe::PeCount,
    ring::{OverlayRing, Ring, Scan},
};

/// A view of a book with late binding and overlays, for functions that are not generic over the binding.
pub type OverlayView<'a> = Book<'a, OverlayRing<'a>>;

impl<S: Scan> Book<'_, OverlayRing<'_, S>> {
    /// Returns how many of a reservation's processing elements are overlaid: they wait for others to end early. 0 for
    /// an ordinary booking. O(1).
    ///
    /// See [`plan_overlay`](Self::plan_overlay) for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn overlaid(&self, handle: Handle) -> Result<PeCount, Error> {
        let (index, _) = self.ledger.find(handle)?;
        Ok(PeCount::new(self.overlaid_of(index)))
    }

    /// Returns the running reservations that an overlay waits for when its start comes, in order of start: all but the
    /// overlays accepted after it, which would be stopped for it. O(running).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`]; [`UsageError::WrongState`] for any but a confirmed
    /// overlay that has not started.
    pub fn waits_for(&self, handle: Handle) -> Result<impl Iterator<Item = Handle>, Error> {
        let (_, own) = self.ledger.find(handle)?;
        if own.phase != Phase::OVERLAID {
            return Err(UsageError::WrongState.into());
        }
        let running = self.running();
        let firm = move |(index, row): &(usize, &Row)| {
            self.overlaid_of(*index) == 0 || row.accepted < own.accepted
        };
        Ok(running.filter(firm).map(|(index, row)| row.handle(index)))
    }
}

impl<R: Ring> Book<'_, R> {
    fn overlaid_of(&self, index: usize) -> u32 {
        self.ring.overlaid(index)
    }

    /// Returns whether the phase of a row does not agree with what of it is overlaid.
    pub(crate) fn is_wrongly_overlaid(&self, index: usize, row: &RowOf<R>) -> bool {
        let waits = !row.is_held() && !row.is_running();
        let overlaid = waits && self.overlaid_of(index) > 0;
        overlaid != (row.phase == Phase::OVERLAID)
    }

    /// Returns the rows that run.
    fn running(&self) -> impl Iterator<Item = (usize, &RowOf<R>)> {
        let rows = &*self.ledger.rows;
        self.ledger
            .running()
            .filter_map(|index| rows.get(index).map(|row| (index, row)))
    }

    /// Makes a hold that has been confirmed an overlay, if something of it is overlaid.
    pub(crate) fn confirm_overlay(&mut self, handle: Handle) {
        let (index, now) = (handle.row as usize, self.now());
        if self.overlaid_of(index) > 0 {
            self.ledger.enter(index, Phase::OVERLAID, now);
        }
    }
}
