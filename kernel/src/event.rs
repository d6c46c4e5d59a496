//! What happens while time passes.

use crate::{ledger::Handle, queue::Ticket, time::Slot};

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
    /// For a job of the [`Queue`](crate::Queue): the ticket that it had while it waited. So that whoever learns of its start and its
    /// end at once knows which job that was.
    pub ticket: Option<Ticket>,
}

/// The kinds of events. One slot reports its ends first, then its expired holds, then its starts, each by acceptance, then
/// best-effort starts in the order of the queue.
/// Codes are permanent.
///
/// ```
/// use bookahead::EventKind;
/// assert_eq!((EventKind::Started.code(), EventKind::Started.name()), (4, "started"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
#[non_exhaustive]
pub enum EventKind {
    /// A running job reached the end that [`complete`](crate::Book::complete) had announced. The handle is stale now.
    Completed = 1,
    /// A running job reached its booked end, which is final: the caller stops it. The handle is stale now.
    EndReached = 2,
    /// A hold was not confirmed in time. The handle is stale now.
    Expired = 3,
    /// A confirmed reservation starts and holds its processing elements from here on.
    Started = 4,
    /// `now` jumped past the whole window of a confirmed reservation. The handle is stale now.
    Missed = 5,
    /// A job of the queue starts and holds its processing elements from here on; the handle is new.
    BestEffortStarted = 6,
}

impl EventKind {
    /// Every kind, in the order of the codes.
    pub const ALL: &'static [Self] = &[
        Self::Completed,
        Self::EndReached,
        Self::Expired,
        Self::Started,
        Self::Missed,
        Self::BestEffortStarted,
    ];

    /// The permanent number, from 1.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The permanent name, as files and logs show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::EndReached => "overran",
            Self::Expired => "expired",
            Self::Started => "started",
            Self::Missed => "missed",
            Self::BestEffortStarted => "best-effort-started",
        }
    }
}
