//! The rigid request.

use crate::{
    pe::PeCount,
    time::{Slot, Span},
};

/// A rigid request: `pes` processing elements for `duration` consecutive slots between `ready` and `deadline`.
///
/// ```
/// use bookahead::{PeCount, Request, Slot, Span};
/// // Four PEs for two slots, starting no earlier than slot 10 and over by slot 20.
/// let request = Request {
///     ready: Slot::new(10),
///     duration: Span::new(2),
///     deadline: Slot::new(20),
///     pes: PeCount::new(4),
/// };
/// assert_eq!(request.latest_start(), Some(Slot::new(18)));
/// ```
///
/// Source: `li`, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Request {
    /// Earliest start.
    pub ready: Slot,
    /// Length of the run.
    pub duration: Span,
    /// Latest end, exclusive.
    pub deadline: Slot,
    /// The number of processing elements, all used at the same time.
    pub pes: PeCount,
}

impl Request {
    /// Returns the latest start that meets the deadline; `None` when the window is shorter than the run.
    #[must_use]
    pub const fn latest_start(&self) -> Option<Slot> {
        match self.deadline.get().checked_sub(self.duration.get() as u64) {
            Some(latest) if latest >= self.ready.get() => Some(Slot::new(latest)),
            _ => None,
        }
    }

    /// Returns the slack: by how many slots the start can be put off from the ready time. `None` when the window is shorter than the run.
    ///
    /// ```
    /// # use bookahead::{PeCount, Request, Slot, Span};
    /// # let request = Request {
    /// #     ready: Slot::new(10), duration: Span::new(2), deadline: Slot::new(20), pes: PeCount::new(4),
    /// # };
    /// // For two slots between 10 and 20.
    /// assert_eq!(request.slack(), Some(8));
    /// ```
    ///
    /// Source: `netto`, section 3.1, where the flexibility of a job that has not started is what is left of this.
    #[must_use]
    pub const fn slack(&self) -> Option<u64> {
        match self.latest_start() {
            Some(latest) => latest.get().checked_sub(self.ready.get()),
            None => None,
        }
    }
}
