//! The number of busy processing elements in each slot, and where it changes.

use super::{axis::Axis, counts::Counts, edges::Edges};

/// The occupancy data that both rings have: the time axis, the busy counts, and the change and release bits.
pub(crate) struct Profile<'r, N = u16> {
    pub(crate) axis: &'r Axis,
    pub(crate) counts: &'r Counts<'r, N>,
    pub(crate) edges: &'r Edges<'r>,
}

impl<N> Copy for Profile<'_, N> {}

impl<N> Clone for Profile<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}
