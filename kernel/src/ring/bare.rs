//! A ring without a ledger.

use super::search::RingSearch;
use crate::{
    error::Error,
    time::{Slot, Window},
};

/// A ring without a ledger, for callers who keep their own ledger, and for measurements. The trait is sealed.
///
/// It is also the bound of functions that take books of either binding: `fn serve<R: Ring>(book: &mut Book<'_, R>)`. Workspaces for such a book
/// consist of [`R::Part`](crate::raw::SetParts::Part).
///
/// ```
/// use bookahead::{PeCount, Policy, Request, Slot, Span, Window, raw::{NativeScan, Scan, BookState, CountParts, Ring, find}};
/// let mut state = BookState::default();
/// let parts = CountParts {
///     state: &mut state, rows: &mut [], starts: &mut [0; 64], timers: &mut [],
///     busy: &mut [0; 64], summaries: &mut [0; NativeScan::SUMMARIES], change: &mut [0; 2], release: &mut [0; 2],
///     owner: &mut [0; 4],
/// };
/// let mut ring = parts.init_ring(PeCount::new(4), Span::new(64)).unwrap();
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
    /// How this ring represents processing elements: a number ([`PeCount`](crate::PeCount)), or a set as a slice of columns.
    type Pes: ?Sized;

    /// Marks `pes` as busy during `window`; the part of the window that has passed is ignored. They must be free during the window,
    /// otherwise later results of the ring are wrong. O(window x columns).
    ///
    /// # Errors
    ///
    /// [`BeyondHorizon`](crate::Refusal::BeyondHorizon) for a window that reaches beyond the ring.
    fn add(&mut self, window: Window, pes: &Self::Pes) -> Result<(), Error>;

    /// Removes what [`add`](Self::add) marked. O(window x columns).
    ///
    /// # Errors
    ///
    /// As for [`add`](Self::add), and nothing is changed.
    fn remove(&mut self, window: Window, pes: &Self::Pes) -> Result<(), Error>;

    /// Returns the current slot. O(1).
    fn now(&self) -> Slot {
        self.axis().now()
    }

    /// Moves `now` to `to` and clears the slots that have passed; a `to` in the past changes nothing. O(slots passed x columns, at most
    /// the ring).
    fn advance(&mut self, to: Slot) {
        if to > self.axis().now() {
            self.move_now(to.min(Slot::LAST_NOW));
        }
    }
}
