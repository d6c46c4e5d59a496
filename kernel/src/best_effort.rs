//! Best-effort jobs.

use crate::{pe::PeCount, time::Span};

/// A best-effort job: a job without a reservation.
///
/// ```
/// use bookahead::{BestEffortJob, PeCount, Span};
/// // Two processing elements for three slots, as soon as they are free.
/// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
/// # let _ = job;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BestEffortJob {
    /// Its estimated duration, an upper bound: it is booked for that long, and is stopped at the end.
    pub estimate: Span,
    /// The number of processing elements.
    pub pes: PeCount,
}

/// On which terms a running job of a [`Queue`](crate::Queue) may be preempted; see [`Book::make_preemptible`](crate::Book::make_preemptible).
///
/// ```
/// use bookahead::{Preemption, Span};
/// // After ten slots at the earliest; then all that it has done is lost.
/// let terms = Preemption { min_run: Span::new(10), keeps: false };
/// # let _ = terms;
/// ```
#[cfg(feature = "plan")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Preemption {
    /// It runs for so long at least, and for a slot at least. From 2^30 - 1 slots on: to its end.
    pub min_run: Span,
    /// Whether it keeps what it has done: then it is queued again with what is left of its estimate, otherwise with all of it.
    pub keeps: bool,
}
