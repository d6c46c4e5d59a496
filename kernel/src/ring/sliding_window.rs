//! A window of fixed length that slides through time.

use core::ops::Range;

use super::profile::Profile;

/// What is busy during windows of one length. The first two methods serve searches that skip starts, the others serve searches that
/// examine every candidate.
pub(crate) trait SlidingWindow {
    /// Returns `None` when at most `max_busy` are busy in the window at `start`, otherwise the last start that is already known not to
    /// fit. The counts of the window are known to be at most `max_busy` except in `unchecked`, its end. Starts never decrease.
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u32,
    ) -> Option<usize>;

    /// Returns how many are busy at some time of the window at `start`, the last one that was found to fit.
    fn busy_of_fit(&self, start: usize) -> u32;

    /// Moves to the window at `start`, which never decreases, and returns how many are busy at some time of it.
    fn slide_to(&mut self, start: usize) -> u32;

    /// Returns, when more than `max_busy` are busy in the current window at `start`, the last start that is already known not to fit.
    fn last_start_above(&mut self, start: usize, max_busy: u32) -> usize;

    /// Returns whether something that is free throughout the current window is busy at `offset`.
    fn conflicts(&self, offset: usize) -> bool;

    /// Returns the longest range in `within` around `window`, in which everything free in the current window is free, during which that stays
    /// free.
    fn rectangle(&mut self, window: Range<usize>, within: Range<usize>) -> Range<usize>;
}

/// What searches in bulk may ask in addition.
pub(crate) trait BulkWindow: SlidingWindow {
    /// Returns whether the window at `start` is known to fit at a glance.
    fn surely_fits(&mut self, _start: usize, _max_busy: u32) -> bool {
        false
    }

    /// Returns the windows in groups, where looking at all starts of a group at once costs less.
    fn in_groups(&mut self) -> Option<&mut dyn GroupedWindows> {
        None
    }
}

/// Windows whose starts are looked at in groups.
pub(crate) trait GroupedWindows: SlidingWindow {
    /// Returns the starts from `start` to the end of its group.
    fn group(&self, start: usize) -> Range<usize>;

    /// Returns how many are at least busy at some time of each window of the group of `start`. Starts never decrease.
    fn busy_in_all(&mut self, start: usize) -> u32;

    /// Returns how many are at most busy at some time of each window of the group of `start`, the last one asked about.
    fn busy_in_any(&self, start: usize) -> u32;
}

/// The view of a ring for one search over windows of one length.
pub(crate) struct SlidingView<'r, S, N = u16> {
    pub(crate) profile: Profile<'r, N>,
    pub(crate) sliding: S,
}
