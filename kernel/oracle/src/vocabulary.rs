//! The words in which the oracle answers, as far as the kernel has none.

use bookahead::{EventKind, Slot, Ticket};

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

/// An event; the oracle names reservations by number, a book by handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Happening<Name = Number> {
    /// When.
    pub at: Slot,
    /// To which reservation.
    pub whose: Name,
    /// What.
    pub kind: EventKind,
    /// The ticket of a job that waited before.
    pub ticket: Option<Ticket>,
}
