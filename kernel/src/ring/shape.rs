//! What the search asks of a ring, whichever ring it is.

use core::ops::Range;

use super::{axis::Axis, counts::Counts, edges::Edges, occupancy::Relocation};
use crate::{Error, Pe, Slot, Window};

/// A ring by itself, without a ledger: for callers who keep one of their own, and for measuring. Sealed: there are no others.
///
/// ```
/// use bookahead::{BookState, CountParts, PeCount, Policy, Request, Ring, Slot, Span, Window, find};
/// let mut state = BookState::default();
/// let parts = CountParts {
///     state: &mut state, rows: &mut [], starts: &mut [0; 64], timers: &mut [],
///     busy: &mut [0; 64], most: &mut [0], change: &mut [0; 2], release: &mut [0; 2],
///     owner: &mut [0; 4],
/// };
/// let mut ring = parts.format_ring(4, 64).unwrap();
/// let shift = Window { start: Slot::new(0), end: Slot::new(8) };
/// ring.add(shift, &PeCount::new(3))?;
/// let request = Request {
///     ready: Slot::new(2), duration: Span::new(4), deadline: Slot::new(30), pes: PeCount::new(2),
/// };
/// assert_eq!(find(&mut ring, &request, Policy::FirstFit), Ok(Slot::new(8)));
/// ring.remove(shift, &PeCount::new(3))?;
/// assert_eq!(find(&mut ring, &request, Policy::FirstFit), Ok(Slot::new(2)));
/// # Ok::<(), bookahead::Error>(())
/// ```
#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
pub trait Ring: RingSearch {
    /// Processing elements as this ring tells them apart: [`PeCount`](crate::PeCount), or a slice of columns.
    type Pes: ?Sized;

    /// Writes `pes` as busy during `window`, whose part that has passed does not count. They must be free then, or the
    /// ring's answers mean nothing any more. O(window x columns).
    ///
    /// # Errors
    ///
    /// [`BeyondHorizon`](crate::Refusal::BeyondHorizon) for a window that reaches beyond the ring.
    fn add(&mut self, window: Window, pes: &Self::Pes) -> Result<(), Error>;

    /// Takes out again what [`add`](Self::add) wrote. O(window x columns).
    ///
    /// # Errors
    ///
    /// As for [`add`](Self::add), which has written nothing then.
    fn remove(&mut self, window: Window, pes: &Self::Pes) -> Result<(), Error>;

    /// The present slot. O(1).
    fn now(&self) -> Slot {
        self.axis().now()
    }

    /// Moves `now` to `to` and clears the slots left; a `to` that has passed changes nothing. O(slots passed x columns, at most
    /// the ring).
    fn advance(&mut self, to: Slot) {
        if to > self.axis().now() {
            self.pass(to.min(Slot::LAST_NOW));
        }
    }
}

/// What searching and looking things up ask of a ring.
pub(crate) trait RingSearch: Relocation + Sized {
    fn counts(&self) -> &Counts<'_>;

    fn edges(&self) -> &Edges<'_>;

    /// What both rings know alike.
    fn field(&self) -> Field<'_> {
        Field {
            axis: self.axis(),
            counts: self.counts(),
            edges: self.edges(),
        }
    }

    /// Everything a search over windows of `duration` slots in a stretch of `reach` slots needs.
    fn scan(&mut self, reach: usize, duration: usize) -> Scan<'_, impl Shape>;

    /// Whether what is free during a stretch is what its fullest slot leaves, so that counts tell all.
    const COUNTS_DECIDE: bool;

    /// Everything that growing stretches of slots needs.
    fn stretches(&mut self) -> Stretches<'_, impl Stretch>;

    /// The lowest-numbered processing element at or above `from` that `row` holds.
    fn next_pe(&self, row: usize, from: usize) -> Option<Pe>;

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

/// A ring laid open for stretches that grow.
pub(crate) struct Stretches<'r, S> {
    pub(crate) field: Field<'r>,
    pub(crate) stretch: S,
}

/// What is busy at some time of a stretch that grows slot by slot, in whatever order.
pub(crate) trait Stretch {
    /// Begins with the slot at `offset`. O(columns).
    fn begin(&mut self, offset: usize);

    /// Takes in the slot at `offset`, unless more than `limit` would then be busy at some time. O(columns).
    fn extend(&mut self, offset: usize, limit: u16) -> bool;

    /// How many are busy at some time.
    fn busy(&self) -> u16;
}

/// What both rings know alike.
#[derive(Clone, Copy)]
pub(crate) struct Field<'r> {
    pub(crate) axis: &'r Axis,
    pub(crate) counts: &'r Counts<'r>,
    pub(crate) edges: &'r Edges<'r>,
}

/// What is busy during windows of one length: looked at in leaps by the first two, step by step by the others.
pub(crate) trait Shape {
    /// `None` when no more than `limit` are busy in the window at `start`; otherwise the last start for which it is certain that more
    /// are. The counts of the window are within `limit` but for `unchecked`, its end. Starts never decrease.
    fn last_blocked(&mut self, start: usize, unchecked: Range<usize>, limit: u16) -> Option<usize>;

    /// How many are busy at some time of the window at `start`, the last one found to fit.
    fn busy_of_fit(&self, start: usize) -> u32;

    /// Moves to the window at `start`, which never decreases, and says how many are busy at some time of it.
    fn slide_to(&mut self, start: usize) -> u32;

    /// When more than `limit` are busy in the window slid to: the last start for which that is already certain.
    fn last_start_above(&self, start: usize, limit: u32) -> usize;

    /// Whether something that is free throughout the window slid to is busy at `offset`.
    fn conflicts(&self, offset: usize) -> bool;

    /// The longest stretch of `within` around the window slid to, at `start`, that needs nothing but what is free in it.
    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize>;
}
