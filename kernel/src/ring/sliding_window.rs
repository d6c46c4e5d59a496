//! A window of fixed length that slides through time.

use core::ops::Range;

use super::profile::Profile;

/// What is busy during windows of one length: looked at in leaps by the first two, step by step by the others.
pub(crate) trait SlidingWindow {
    /// `None` when no more than `max_busy` are busy in the window at `start`; otherwise the last start for which it is certain that more
    /// are. The counts of the window are within `max_busy` but for `unchecked`, its end. Starts never decrease.
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u16,
    ) -> Option<usize>;

    /// How many are busy at some time of the window at `start`, the last one found to fit.
    fn busy_of_fit(&self, start: usize) -> u32;

    /// Moves to the window at `start`, which never decreases, and says how many are busy at some time of it.
    fn slide_to(&mut self, start: usize) -> u32;

    /// When more than `max_busy` are busy in the window slid to: the last start for which that is already certain.
    fn last_start_above(&self, start: usize, max_busy: u32) -> usize;

    /// Whether something that is free throughout the window slid to is busy at `offset`.
    fn conflicts(&self, offset: usize) -> bool;

    /// The longest stretch of `within` around the window slid to, at `start`, that needs nothing but what is free in it.
    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize>;
}

/// A ring laid open for one search.
pub(crate) struct SlidingView<'r, S> {
    pub(crate) profile: Profile<'r>,
    pub(crate) sliding: S,
}
