//! The events that advancing time reports.

use crate::named::codes;
use crate::{handle::Handle, ticket::Ticket, time::Slot};

/// A change of a reservation during [`advance`](crate::Book::advance), whose documentation has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// The slot at whose beginning it happened.
    pub at: Slot,
    /// The reservation. For [`GaveUp`](EventKind::GaveUp), of which there is none, the handle of the bits 0, which no reservation has.
    pub handle: Handle,
    /// What happened.
    pub kind: EventKind,
    /// The ticket of a job that came from a [`Queue`](crate::Queue), so that a caller who sees its start and its end in the same list can
    /// identify the job, and of a request that waited there, when it is promised or given up; `None` for other events.
    pub ticket: Option<Ticket>,
}

/// The kinds of events. The events of one slot are reported in this order: ends, preemptions and rules that are met, expired holds, starts that become fixed, each by acceptance, what
/// becomes of waiting requests, in their order, then starts, starts of overlays, each by acceptance, then best-effort starts in the order of the
/// queue, and last the holds that lasted until their start and were not confirmed in that slot. Codes are permanent.
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
    /// A running job reached its booked end, which is final: the caller stops it. The handle is stale now. Its permanent name is `overran`, also for
    /// a job that ends exactly as booked.
    #[cfg_attr(feature = "serde", serde(rename = "overran"))]
    EndReached = 2,
    /// A hold was not confirmed in time. The handle is stale now.
    Expired = 3,
    /// A confirmed reservation starts and holds its processing elements from here on.
    Started = 4,
    /// `now` jumped past the whole booked run of a confirmed reservation. The handle is stale now.
    Missed = 5,
    /// A job of the queue starts and holds its processing elements from here on; the handle is new.
    BestEffortStarted = 6,
    /// The start of a flexible reservation is fixed from here on, once for each reservation. One whose start is not
    /// fixed before it is reported `Started` only.
    StartFixed = 7,
    /// The start of an overlay is reached, and the processing elements it needs are not idle. Once for each overlay; it
    /// starts in the first slot in which they are, or is [`Missed`](Self::Missed) when its booked end is reached before.
    LateStart = 8,
    /// A running overlay is in the way of another reservation's start: the caller stops it. The handle is stale now.
    CutShort = 9,
    /// All that was overlaid of a reservation is an ordinary booking from here on.
    OverlayBooked = 10,
    /// A waiting request is promised: it is a reservation from here on, and the handle is new. Only with the feature `plan`.
    Promised = 11,
    /// The latest start of a waiting request has passed, and it waits no longer. Only with the feature `plan`.
    GaveUp = 12,
    /// A running best-effort job has to make room for a reservation, see `Queue::reserve_preempting`: the caller stops it. The handle is stale now, and the job
    /// is queued again, with its ticket. Only with the feature `plan`.
    Preempted = 13,
    /// A turn of a rule begins, or is under way when the rule is set, that takes a processing element of an open-ended job, see `Book::reserve_open`. The job has it all the same. Only with the feature `outages`.
    RuleMet = 14,
}

codes!(EventKind: u8 {
    Completed => "completed",
    EndReached => "overran",
    Expired => "expired",
    Started => "started",
    Missed => "missed",
    BestEffortStarted => "best-effort-started",
    StartFixed => "start-fixed",
    LateStart => "late-start",
    CutShort => "cut-short",
    OverlayBooked => "overlay-booked",
    Promised => "promised",
    GaveUp => "gave-up",
    Preempted => "preempted",
    RuleMet => "rule-met",
});
