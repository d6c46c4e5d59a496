//! The operations of a ring that the searches and the checker use.

use core::ops::Range;

use super::{
    count::Count,
    counts::Counts,
    edges::Edges,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::{CountOf, Relocation},
    overlaid::Overlaid,
    placing::Placing,
    planning::Planning,
    profile::Profile,
    ruled::Ruled,
    scan::Scan,
    sliding_window::{BulkWindow, SlidingView},
};
use crate::pe::Pe;

/// A ring that can be searched, looked up and checked.
pub(crate) trait RingSearch:
    Relocation + Overlaid + Placing + Planning + Ruled + Sized
{
    /// How it is read.
    type Scan: Scan;

    fn counts(&self) -> &Counts<'_, CountOf<Self>>;

    fn edges(&self) -> &Edges<'_>;

    /// Returns how many processing elements are busy in the slot at `index` besides `own`, which are among them.
    fn busy_besides(&self, own: u32, index: usize) -> u32 {
        self.counts().at(index).get().saturating_sub(own)
    }

    /// Returns the busy counts and their changes.
    fn profile(&self) -> Profile<'_, CountOf<Self>> {
        Profile {
            axis: self.axis(),
            counts: self.counts(),
            edges: self.edges(),
        }
    }

    /// Returns a view for searching windows of `duration` slots within a range of `reach` slots.
    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl BulkWindow, CountOf<Self>>;

    /// Whether the number of processing elements free throughout a window follows from the count of its fullest slot, so that counts alone
    /// decide.
    const COUNTS_DECIDE: bool;

    /// Returns a view for growing windows.
    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow, CountOf<Self>>;

    /// Returns how many numbers processing elements have, with those that are missing.
    fn numbers(&self) -> u16 {
        // Where processing elements have numbers, there are no more than 16 bits say.
        self.axis().width() as u16
    }

    /// Returns the lowest-numbered processing element at or above `from` that `row` holds, or that it does not hold.
    fn next_pe(&self, row: usize, from: usize, held: bool) -> Option<Pe>;

    /// Checks that ring, bindings and summaries agree with `bookings`; see the invariants of the book.
    fn verify<B>(&mut self, bookings: B) -> Result<(), crate::violation::Violation>
    where
        B: Iterator<Item = Booked> + Clone;
}

/// One live reservation of the ledger, for the checker.
#[derive(Clone)]
pub(crate) struct Booked {
    pub(crate) row: usize,
    /// The part of its window that has not passed.
    pub(crate) offsets: Range<usize>,
    pub(crate) pes: u32,
    pub(crate) running: bool,
    /// The entry of its class, as ids number them.
    #[cfg(feature = "placement")]
    pub(crate) class: u16,
}
