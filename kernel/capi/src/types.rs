//! The values that cross the C boundary.

use bookahead as kernel;
use kernel::{PeCount, Slot, Span};

/// When PEs are assigned. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Binding {
    /// When a job starts: the book counts what is busy.
    Late = 1,
    /// When the reservation is made: the book knows which PEs are busy.
    Early = 2,
    /// As late, and reservations may be made on top of others: only in libraries built with overlays.
    #[cfg(feature = "risk")]
    Overlaid = 3,
    /// As early, on a machine with a layout, and what is reserved says which PEs it may have: only in libraries built with placement.
    #[cfg(feature = "placement")]
    Placed = 4,
    /// As late, and rules may take PEs again and again, see `bookahead_set_rule`, and jobs may run without a known end: only in libraries built with outages.
    #[cfg(feature = "outages")]
    LateRuled = 5,
    /// As early, with such rules and jobs: only in libraries built with outages.
    #[cfg(feature = "outages")]
    EarlyRuled = 6,
    /// As PLACED, with such rules and jobs: only in libraries built with outages and placement.
    #[cfg(all(feature = "outages", feature = "placement"))]
    PlacedRuled = 7,
    /// As late, of up to 2,147,483,647 units of what has no numbers, such as memory, bandwidth, or the nodes of a very large machine: only in libraries built with units. What calls say of PEs holds of
    /// units, but nobody can tell which ones a job has: `bookahead_pes_of` lists none.
    #[cfg(feature = "units")]
    Units = 8,
}

/// Which of its candidate starts with room, as `bookahead_candidate_starts` lists them, a request gets; ties go to the earliest of them. "Free" is the number of PEs free throughout the run, the "rectangle"
/// the longest stretch around the run in which they stay free. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Policy {
    /// The earliest start.
    FirstFit = 0,
    /// The least free.
    PeBestFit = 1,
    /// The most free.
    PeWorstFit = 2,
    /// The shortest rectangle.
    DurationBestFit = 3,
    /// The longest rectangle.
    DurationWorstFit = 4,
    /// The least free x rectangle length.
    PeDurationBestFit = 5,
    /// The greatest free x rectangle length.
    PeDurationWorstFit = 6,
}

/// What happens while time passes. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum EventKind {
    /// A running job reached the end that `bookahead_complete` had announced. The handle is stale now.
    Completed = 1,
    /// A running job reached its booked end, which is final: the caller stops it. So also for a job that ends exactly as booked. The handle is stale now.
    Overran = 2,
    /// A hold was not confirmed in time. The handle is stale now.
    Expired = 3,
    /// A confirmed reservation starts and holds its PEs from here on.
    Started = 4,
    /// `now` jumped past the whole booked run of a confirmed reservation. The handle is stale now.
    Missed = 5,
    /// A job of a queue starts and holds its PEs from here on; the handle is new.
    BestEffortStarted = 6,
    /// The start of a flexible reservation is fixed from here on, once for each reservation. One whose start is not fixed before it is reported as started only.
    StartFixed = 7,
    /// The start of an overlay is reached, and the PEs that it needs are not idle. It waits, and starts in the first slot in which they are.
    LateStart = 8,
    /// A running overlay is in the way of another reservation's start: the caller stops it. The handle is stale now.
    CutShort = 9,
    /// All that was overlaid of a reservation is an ordinary booking from here on.
    OverlayBooked = 10,
    /// A waiting request is promised: it has a handle from now on. Told with the feature `plan` only.
    Promised = 11,
    /// A waiting request is given up, since its latest start has passed. Told with the feature `plan` only.
    GaveUp = 12,
    /// A running job of the queue made room for a reservation: the caller stops it. Its handle is stale now, and it waits again. Only in libraries built with plan.
    Preempted = 13,
    /// A turn of a rule begins that takes a PE of an open-ended job, which goes on, see `bookahead_reserve_open`. Only in libraries built with outages.
    RuleMet = 14,
}

/// Where a live reservation is in its life. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum State {
    /// Takes room, and is given up unless it is confirmed.
    Held = 1,
    /// Promised.
    Confirmed = 2,
    /// Started.
    Running = 3,
}

/// Names one reservation of one book. A stale one is noticed, and so is one that the book has never given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Handle {
    /// To be stored and compared, and otherwise left alone.
    pub bits: u64,
}

/// What a caller asks for. Times are slot numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Request {
    /// The earliest start.
    pub ready: u64,
    /// The latest end, exclusive.
    pub deadline: u64,
    /// The length of the run in slots.
    pub duration: u32,
    /// How many PEs.
    pub pes: u32,
}

/// A place for a request, worked out and not yet taken. It can be committed until a booking changes or its start has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Plan {
    /// The request it answers.
    pub request: Request,
    /// When the job would start.
    pub start: u64,
    /// How often a booking of the book had changed when it was made.
    pub version: u64,
    /// The incarnation of the book that it was made for, see `bookahead_set_incarnation`.
    pub incarnation: u32,
}

/// A reservation that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Booking {
    /// Its name from now on.
    pub handle: Handle,
    /// When the job will run.
    pub start: u64,
}

/// What the ledger says of a live reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Reservation {
    /// What was asked for, as its owner has altered it since.
    pub request: Request,
    /// The first booked slot.
    pub start: u64,
    /// The slot behind the last booked one; sooner than what was asked for once an early end is announced.
    pub end: u64,
    /// When a hold is given up; 0 for what is not held.
    pub expires: u64,
    /// One of `bookahead_state`.
    pub state: u32,
    /// For a job of a queue, which has started: the ticket that it had while it waited. 0 for a reservation.
    pub ticket: u32,
}

/// Something that happened to a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Event {
    /// The slot at whose beginning it happened.
    pub at: u64,
    /// The reservation.
    pub handle: Handle,
    /// One of `bookahead_event_kind`.
    pub kind: u32,
    /// For a job of a queue: the ticket that it had while it waited, at its start and at its end. 0 for a reservation.
    pub ticket: u32,
}

/// The sizes of a book and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Status {
    /// The present slot.
    pub now: u64,
    /// How many slots from `now` on the ring covers.
    pub horizon: u32,
    /// The PEs of the machine.
    pub pes: u32,
    /// Live reservations.
    pub reservations: u32,
    /// How many there can be at once.
    pub capacity: u32,
    /// One of `bookahead_binding`.
    pub binding: u32,
    /// How many of them are used up: a row is given out at most 4,294,967,295 times, so that handles never repeat.
    pub retired: u32,
    /// The number that `bookahead_set_incarnation` gave the book, 0 at first.
    pub incarnation: u32,
    /// How often a booking has changed. Time that passes without an event changes none.
    pub version: u64,
}

/// Where a reservation is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Placement {
    /// The first slot.
    pub start: u64,
    /// For how many slots.
    pub duration: u32,
    /// On how many PEs.
    pub pes: u32,
}

/// Reservations that are in the way, the first few by name, the others by number; and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Conflict {
    /// Those that start first, ties by acceptance; `listed` of them.
    pub handles: [Handle; BOOKAHEAD_CONFLICT_LISTED],
    /// How many are named.
    pub listed: u32,
    /// How many others there are.
    pub more: u32,
    /// A bit for each rule that is in the way beside them, that of rule 0 the lowest; 0 in a book without rules. What `bookahead_resize` says is not there is none of them.
    pub rules: u32,
}

/// How many reservations a conflict names at most.
pub const BOOKAHEAD_CONFLICT_LISTED: usize = 8;

/// A stretch of the ring in which nothing changes; it ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// The slot where it begins.
    pub at: u64,
    /// How many PEs are busy in it.
    pub busy: u32,
}

/// The longest stretch of time around a window in which everything that is free throughout the window stays free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Rectangle {
    /// Its first slot.
    pub start: u64,
    /// The slot behind its last one.
    pub end: u64,
    /// How many PEs are free throughout.
    pub free: u32,
}

impl Request {
    /// As the kernel has it.
    #[inline(always)]
    pub(crate) fn to_kernel(self) -> kernel::Request {
        kernel::Request {
            ready: Slot::new(self.ready),
            duration: Span::new(self.duration),
            deadline: Slot::new(self.deadline),
            pes: PeCount::new(self.pes),
        }
    }
}

impl From<kernel::Request> for Request {
    #[inline(always)]
    fn from(request: kernel::Request) -> Self {
        Self {
            ready: request.ready.get(),
            deadline: request.deadline.get(),
            duration: request.duration.get(),
            pes: request.pes.get(),
        }
    }
}

impl From<kernel::Handle> for Handle {
    #[inline(always)]
    fn from(handle: kernel::Handle) -> Self {
        Self {
            bits: handle.to_bits(),
        }
    }
}

impl From<Handle> for kernel::Handle {
    #[inline(always)]
    fn from(handle: Handle) -> Self {
        Self::from_bits(handle.bits)
    }
}

impl From<kernel::Plan> for Plan {
    #[inline(always)]
    fn from(plan: kernel::Plan) -> Self {
        Self {
            request: plan.request().into(),
            start: plan.window().start.get(),
            version: plan.version().revision,
            incarnation: plan.version().incarnation,
        }
    }
}

impl Plan {
    /// As the kernel has it; stale when it cannot be one that the kernel has made.
    #[inline(always)]
    pub(crate) fn to_kernel(self) -> Result<kernel::Plan, kernel::Error> {
        let version = kernel::Version {
            revision: self.version,
            incarnation: self.incarnation,
        };
        let plan = kernel::Plan::new(self.request.to_kernel(), Slot::new(self.start), version);
        plan.ok_or(kernel::UsageError::StalePlan.into())
    }
}

const _: () = assert!(BOOKAHEAD_CONFLICT_LISTED == kernel::Conflict::LISTED);

impl Conflict {
    /// Nobody is in the way.
    pub(crate) const NONE: Self = Self {
        handles: [Handle { bits: 0 }; BOOKAHEAD_CONFLICT_LISTED],
        listed: 0,
        more: 0,
        rules: 0,
    };
}

impl From<&kernel::Conflict> for Conflict {
    fn from(conflict: &kernel::Conflict) -> Self {
        let mut handles = Self::NONE.handles;
        for (to, from) in handles.iter_mut().zip(conflict.handles()) {
            *to = (*from).into();
        }
        Self {
            handles,
            listed: conflict.handles().len() as u32,
            more: conflict.more(),
            #[cfg(feature = "outages")]
            rules: crate::rule::bits(conflict.rules()),
            #[cfg(not(feature = "outages"))]
            rules: 0,
        }
    }
}

impl From<kernel::Placement> for Placement {
    fn from(placement: kernel::Placement) -> Self {
        Self {
            start: placement.start.get(),
            duration: placement.duration.get(),
            pes: placement.pes.get(),
        }
    }
}

impl Placement {
    /// Where nothing is booked.
    pub(crate) const NONE: Self = Self {
        start: 0,
        duration: 0,
        pes: 0,
    };

    /// As the kernel has it.
    pub(crate) fn to_kernel(self) -> kernel::Placement {
        kernel::Placement {
            start: Slot::new(self.start),
            duration: Span::new(self.duration),
            pes: PeCount::new(self.pes),
        }
    }
}

impl From<kernel::Booking> for Booking {
    #[inline(always)]
    fn from(booking: kernel::Booking) -> Self {
        Self {
            handle: booking.handle.into(),
            start: booking.start.get(),
        }
    }
}

impl From<kernel::Reservation> for Reservation {
    #[inline(always)]
    fn from(reservation: kernel::Reservation) -> Self {
        Self {
            request: reservation.request.into(),
            start: reservation.window.start.get(),
            end: reservation.window.end.get(),
            expires: match reservation.state {
                kernel::State::Held { expires } => expires.get(),
                kernel::State::Confirmed | kernel::State::Running => 0,
            },
            state: u32::from(reservation.state.code()),
            ticket: reservation.ticket.map_or(0, kernel::Ticket::get),
        }
    }
}

impl From<kernel::Event> for Event {
    #[inline(always)]
    fn from(event: kernel::Event) -> Self {
        Self {
            at: event.at.get(),
            handle: event.handle.into(),
            kind: u32::from(event.kind.code()),
            ticket: event.ticket.map_or(0, kernel::Ticket::get),
        }
    }
}

impl From<kernel::raw::ProfileStep> for Record {
    fn from(record: kernel::raw::ProfileStep) -> Self {
        Self {
            at: record.at.get(),
            busy: record.busy.get(),
        }
    }
}

impl From<kernel::Rectangle> for Rectangle {
    fn from(rectangle: kernel::Rectangle) -> Self {
        Self {
            start: rectangle.window.start.get(),
            end: rectangle.window.end.get(),
            free: rectangle.free.get(),
        }
    }
}
