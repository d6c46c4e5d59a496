//! How many processing elements are busy in each slot, and where that changes.

use super::{axis::Axis, counts::Counts, edges::Edges};

/// What both rings know alike.
#[derive(Clone, Copy)]
pub(crate) struct Profile<'r> {
    pub(crate) axis: &'r Axis,
    pub(crate) counts: &'r Counts<'r>,
    pub(crate) edges: &'r Edges<'r>,
}
