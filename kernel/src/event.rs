//! What happens while time passes.

use crate::{Handle, Slot};

/// Something that happened to a reservation during [`advance`](crate::Book::advance), whose page has an example.
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

/// The kinds of events. One slot reports its ends first, then its expired holds, then its starts, each by acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
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
