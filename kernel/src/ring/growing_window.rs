//! A window that grows slot by slot.

use super::profile::Profile;

/// What is busy at some time of a stretch that grows slot by slot, in whatever order.
pub(crate) trait GrowingWindow {
    /// Begins with the slot at `offset`. O(columns).
    fn begin(&mut self, offset: usize);

    /// Takes in the slot at `offset`, unless more than `max_busy` would then be busy at some time. O(columns).
    fn extend(&mut self, offset: usize, max_busy: u16) -> bool;

    /// How many are busy at some time.
    fn busy(&self) -> u16;
}

/// A ring laid open for stretches that grow.
pub(crate) struct GrowingView<'r, S> {
    pub(crate) profile: Profile<'r>,
    pub(crate) growing: S,
}
