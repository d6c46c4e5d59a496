//! The words in which the oracle answers.

use bookahead::{PeCount, Slot, Span, Window};

/// How an oracle binds PEs, after the ring it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Late: only numbers are booked, PEs are assigned at the start.
    Counts,
    /// Early: PEs are assigned when the reservation is made.
    Sets,
}

/// A reservation by the order of its acceptance, counted from 0.
pub type Number = u64;

/// Whether a reservation is wanted for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terms {
    /// For good.
    Confirmed,
    /// Until `ttl` slots from now, unless confirmed before.
    Held {
        /// How long the hold lasts.
        ttl: Span,
    },
}

/// Where a live reservation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Takes room until `expires`, or its start if that comes first.
    Held {
        /// When the hold is over.
        expires: Slot,
    },
    /// Waits for its start.
    Confirmed,
    /// Has started.
    Running,
}

/// What is known of a live reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reservation {
    /// Earliest start that was asked for.
    pub ready: Slot,
    /// Latest end that was asked for.
    pub deadline: Slot,
    /// The slots it is booked for.
    pub window: Window,
    /// How many PEs it takes.
    pub pes: PeCount,
    /// Where it stands.
    pub state: State,
}

/// The longest stretch of time in which a set, or a number, of PEs stays free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rectangle {
    /// The stretch.
    pub window: Window,
    /// How many PEs.
    pub pes: PeCount,
}

/// From `at` on `free` PEs are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The slot of the change.
    pub at: Slot,
    /// How many PEs are free from there on.
    pub free: PeCount,
}

/// What happened to a reservation, in the order in which one slot reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// Reached the end that was announced.
    Completed,
    /// Reached its booked end unannounced.
    Overran,
    /// Was not confirmed in time.
    Expired,
    /// Starts.
    Started,
    /// Its whole window was jumped over.
    Missed,
}

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Happening {
    /// When.
    pub at: Slot,
    /// To which reservation.
    pub number: Number,
    /// What.
    pub kind: EventKind,
}

/// How far an advance came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Advanced {
    /// To the slot asked for.
    Done,
    /// The list of events was full before.
    EventsWaiting,
}
