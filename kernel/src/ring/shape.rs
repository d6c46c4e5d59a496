//! What the search asks of a ring, whichever ring it is.

use core::ops::Range;

use super::{axis::Axis, counts::Counts, edges::Edges};
use crate::{Pe, Slot, Window};

/// A ring by itself, without a ledger: for callers who keep their own, and for measuring. Sealed: the two rings are all there is.
#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
pub trait Ring: RingOps {
    /// Processing elements as this ring tells them apart: [`PeCount`](crate::PeCount), or a slice of columns.
    type Pes: ?Sized;

    /// Writes `pes` as busy during `window`, of which only the part that the ring covers counts. They must be free then, or the
    /// ring's answers mean nothing any more. O(window x columns).
    fn add(&mut self, window: Window, pes: &Self::Pes);

    /// Takes out again what [`add`](Self::add) wrote. O(window x columns).
    fn remove(&mut self, window: Window, pes: &Self::Pes);
}

pub(crate) trait RingOps: Sized {
    fn axis(&self) -> &Axis;

    fn counts(&self) -> &Counts<'_>;

    fn edges(&self) -> &Edges<'_>;

    /// Everything a search over windows of `duration` slots in a stretch of `reach` slots needs.
    fn scan(&mut self, reach: usize, duration: usize) -> Scan<'_, impl Shape>;

    /// Books the lowest-numbered `pes` that are free throughout `offsets`, for the reservation in ledger row `row`; where there
    /// are not so many, does nothing and says no.
    fn book(&mut self, row: usize, offsets: Range<usize>, pes: u16) -> bool;

    /// Gives back what `row` has booked in `offsets`.
    fn free(&mut self, row: usize, offsets: Range<usize>, pes: u16);

    /// The job of `row` starts: from now on it holds certain processing elements.
    fn bind(&mut self, row: usize, pes: u16);

    /// Row `row` holds nothing any more.
    fn unbind(&mut self, row: usize);

    /// The lowest-numbered processing element at or above `from` that `row` holds.
    fn next_pe(&self, row: usize, from: usize) -> Option<Pe>;

    /// Moves `now` to `to` and wipes what lies behind it. O(slots passed, at most the ring).
    fn pass(&mut self, to: Slot);

    /// Whether ring, bindings and summaries are what `bookings` say; see the invariants of the book.
    fn verify<B>(&mut self, bookings: B) -> Result<(), crate::Violation>
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

/// A ring laid open for one search.
pub(crate) struct Scan<'r, S> {
    pub(crate) field: Field<'r>,
    pub(crate) shape: S,
}

/// What both rings know alike.
#[derive(Clone, Copy)]
pub(crate) struct Field<'r> {
    pub(crate) axis: &'r Axis,
    pub(crate) counts: &'r Counts<'r>,
    pub(crate) edges: &'r Edges<'r>,
}

/// What is busy during windows of one length, looked at in leaps.
pub(crate) trait Busy {
    /// `None` when the window at `start`, whose counts are within `limit`, fits; otherwise the last start that certainly
    /// does not. Starts never decrease.
    fn last_blocked(&mut self, start: usize, limit: u32) -> Option<usize>;

    /// How many are busy at some time of the window at `start`, the last one found to fit.
    fn busy_of_fit(&self, start: usize) -> u32;
}

/// What is busy during windows of one length, looked at step by step.
pub(crate) trait Shape: Busy {
    /// Whether the busiest slot of a window tells how many are busy in it.
    const COUNTS_DECIDE: bool;

    /// How many are busy at some time of the window at `start`, wherever it is.
    fn busy_in(&mut self, start: usize) -> u32;

    /// Moves to the window at `start`, which never decreases, and says how many are busy at some time of it.
    fn slide_to(&mut self, start: usize) -> u32;

    /// When more than `limit` are busy in the window slid to: the last start for which that is already certain.
    fn last_start_above(&self, start: usize, limit: u32) -> usize;

    /// Whether something that is free throughout the window slid to is busy at `offset`.
    fn conflicts(&self, offset: usize) -> bool;

    /// The longest stretch of `within` around the window slid to, at `start`, that needs nothing but what is free in it.
    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize>;
}
