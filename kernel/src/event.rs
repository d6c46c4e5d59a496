//! What happens while time passes.

use crate::{Handle, Slot};

/// Something that happened to a reservation during [`advance`](crate::Book::advance).
///
/// ```
/// use bookahead::EventKind;
/// // Within one slot ends come before expired holds, and both before starts.
/// assert!(EventKind::Completed < EventKind::Expired && EventKind::Expired < EventKind::Started);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// The slot at whose beginning it happened.
    pub at: Slot,
    /// The reservation.
    pub handle: Handle,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of events, in the order in which one slot reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum EventKind {
    /// A running job reached the end that [`complete`](crate::Book::complete) had announced. The handle is stale now.
    Completed,
    /// A running job reached its booked end, which is final: the caller stops it. The handle is stale now.
    Overran,
    /// A hold was not confirmed in time. The handle is stale now.
    Expired,
    /// A confirmed reservation starts and holds its processing elements from here on.
    Started,
    /// `now` jumped past the whole window of a confirmed reservation. The handle is stale now.
    Missed,
}

/// How far an [`advance`](crate::Book::advance) came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "events may be waiting"]
pub enum Advanced {
    /// To the slot asked for, all events reported.
    Done,
    /// The event list filled up: `now` is the slot of the first event not yet reported, or the one asked for. Advance again with room.
    EventsWaiting,
}
