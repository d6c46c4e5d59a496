//! Best-effort jobs, and the discipline of their queue.

use core::num::NonZeroU32;

use crate::{
    error::{Error, Refusal, UsageError},
    named::named,
    pe::PeCount,
    ring::Axis,
    time::Span,
};

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

/// A ticket identifies a queued job. Once started, the job is a reservation with a [`Handle`](crate::Handle), which
/// keeps the ticket.
///
/// ```
/// use bookahead::Ticket;
/// assert_eq!(Ticket::from_number(7).map(Ticket::get), Some(7));
/// assert_eq!(Ticket::from_number(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket(NonZeroU32);

impl Ticket {
    pub(super) const FIRST: Self = Self(NonZeroU32::MIN);

    /// Returns the ticket as a number, for a C interface or a log.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns the ticket of a number: the inverse of [`Self::get`]. `None` for 0.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// The discipline of the queue: which jobs may start before others that were submitted earlier.
///
/// ```
/// use bookahead::Discipline;
/// assert_eq!(Discipline::from_name("easy"), Some(Discipline::Easy));
/// assert_eq!(Discipline::Fcfs.code(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Discipline {
    /// First come, first served: no job starts before those submitted earlier.
    #[default]
    Fcfs = 0,
    /// EASY backfilling: a job may start before those ahead of it if it fits now and does not delay the first job, that
    /// is, if the first job's earliest start, searched again with the new job booked, is no later. While the first job
    /// has no start within the horizon, any job that fits now may start.
    Easy = 1,
}

named!(Discipline {
    Fcfs => "fcfs",
    Easy => "easy",
});

/// Memory for one queued job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingJob {
    /// 0 for an unused element.
    pub(super) ticket: u32,
    estimate: Span,
    pes: PeCount,
}

impl WaitingJob {
    /// No job.
    pub const NONE: Self = Self {
        ticket: 0,
        estimate: Span::ZERO,
        pes: PeCount::ZERO,
    };

    pub(super) const fn new(ticket: Ticket, job: &BestEffortJob) -> Self {
        Self {
            ticket: ticket.get(),
            estimate: job.estimate,
            pes: job.pes,
        }
    }

    pub(super) fn describe(&self) -> Option<(Ticket, BestEffortJob)> {
        let job = BestEffortJob {
            estimate: self.estimate,
            pes: self.pes,
        };
        Some((Ticket::from_number(self.ticket)?, job))
    }
}

/// Checks whether the machine could ever run the job.
pub(super) fn admit(axis: &Axis, job: &BestEffortJob) -> Result<(), Error> {
    if job.estimate == Span::ZERO {
        return Err(UsageError::ZeroDuration.into());
    }
    if job.pes == PeCount::ZERO {
        return Err(UsageError::ZeroPes.into());
    }
    if job.pes > axis.pes() {
        return Err(Refusal::TooWide.into());
    }
    if job.estimate > axis.horizon() {
        return Err(Refusal::TooLong.into());
    }
    Ok(())
}
