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
