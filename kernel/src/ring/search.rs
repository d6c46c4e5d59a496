//! What the searches and the checker ask of a ring, whichever ring it is.

use core::ops::Range;

use super::{
    counts::Counts,
    edges::Edges,
    growing_window::{GrowingView, GrowingWindow},
    occupancy::Relocation,
    profile::Profile,
    sliding_window::{SlidingView, SlidingWindow},
};
use crate::pe::Pe;

/// What searching and looking things up ask of a ring.
pub(crate) trait RingSearch: Relocation + Sized {
    fn counts(&self) -> &Counts<'_>;

    fn edges(&self) -> &Edges<'_>;

    /// What both rings know alike.
    fn profile(&self) -> Profile<'_> {
        Profile {
            axis: self.axis(),
            counts: self.counts(),
            edges: self.edges(),
        }
    }

    /// Everything a search over windows of `duration` slots in a stretch of `reach` slots needs.
    fn sliding_window(
        &mut self,
        reach: usize,
        duration: usize,
    ) -> SlidingView<'_, impl SlidingWindow>;

    /// Whether what is free during a stretch is what its fullest slot leaves, so that counts tell all.
    const COUNTS_DECIDE: bool;

    /// Everything that growing stretches of slots needs.
    fn growing_window(&mut self) -> GrowingView<'_, impl GrowingWindow>;

    /// The lowest-numbered processing element at or above `from` that `row` holds.
    fn next_pe(&self, row: usize, from: usize) -> Option<Pe>;

    /// Whether ring, bindings and summaries are what `bookings` say; see the invariants of the book.
    fn verify<B>(&mut self, bookings: B) -> Result<(), crate::violation::Violation>
    where
        B: Iterator<Item = Booked> + Clone;
}

/// What the ledger says of one live reservation, for the checker.
#[derive(Clone)]
pub(crate) struct Booked {
    pub(crate) row: usize,
    /// The part of its window that has not passed.
    pub(crate) offsets: Range<usize>,
    pub(crate) pes: u16,
    pub(crate) running: bool,
}
