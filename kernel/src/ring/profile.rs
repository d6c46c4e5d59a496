//! The number of busy processing elements in each slot, and where it changes.

use super::{axis::Axis, counts::Counts, edges::Edges};

/// The occupancy data that both rings have: the time axis, the busy counts, and the change and release bits.
#[derive(Clone, Copy)]
pub(crate) struct Profile<'r> {
    pub(crate) axis: &'r Axis,
    pub(crate) counts: &'r Counts<'r>,
    pub(crate) edges: &'r Edges<'r>,
}
