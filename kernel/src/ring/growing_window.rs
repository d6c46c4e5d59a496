//! A window that grows slot by slot.

use core::ops::Range;

use super::profile::Profile;

/// What is busy at some time of a window that grows slot by slot, in any order.
pub(crate) trait GrowingWindow {
    /// Whether the window is as busy as its fullest slot, as [`RingSearch::COUNTS_DECIDE`](super::RingSearch::COUNTS_DECIDE).
    const COUNTS_DECIDE: bool;

    /// Begins with the slot at `offset`. O(columns).
    fn begin(&mut self, offset: usize) {
        self.begin_with(offset..offset.saturating_add(1));
    }

    /// Begins with all slots of `window`. O(window / 8 x columns); over wide columns O(window / 512 x columns) for the part of a long window that earlier
    /// long ones had.
    fn begin_with(&mut self, window: Range<usize>);

    /// Adds the slot at `offset`, unless more than `max_busy` would then be busy at some time; returns whether it was added. O(columns).
    fn extend(&mut self, offset: usize, max_busy: u32) -> bool;

    /// Returns how many are busy at some time of the window.
    fn busy(&self) -> u32;
}

/// The view of a ring for growing windows.
pub(crate) struct GrowingView<'r, S, N = u16> {
    pub(crate) profile: Profile<'r, N>,
    pub(crate) growing: S,
}
