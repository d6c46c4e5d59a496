//! Jobs of the queue, and who may pass whom.

use core::num::NonZeroU32;

use crate::{
    error::{Error, Refusal, UsageError},
    named::named,
    pe::PeCount,
    ring::Axis,
    time::Span,
};

/// A job without a reservation.
///
/// ```
/// use bookahead::{BestEffortJob, PeCount, Span};
/// // Two processing elements for three slots, whenever there is room.
/// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
/// # let _ = job;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BestEffortJob {
    /// How long it runs at most: what is booked for it, and when it is stopped.
    pub estimate: Span,
    /// How many processing elements.
    pub pes: PeCount,
}

/// Names a job that waits; what has started has a [`Handle`](crate::Handle) instead, and remembers its ticket.
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

    /// The ticket as a number, for a C interface or a log.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The inverse of [`Self::get`].
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}

/// Who may pass whom in the queue.
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
    /// First come, first served: nobody passes the first job.
    #[default]
    Fcfs = 0,
    /// EASY backfilling: a job passes those before it when it fits now, and the first job's earliest start, looked for again with it
    /// booked, is no later. When the first job has no start within the horizon, it is delayed by nobody.
    Easy = 1,
}

named!(Discipline {
    Fcfs => "fcfs",
    Easy => "easy",
});

/// Memory for one job that waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingJob {
    /// 0 where no job waits.
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

/// Whether the machine could ever run the job.
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
