//! Queued jobs, and the discipline of their queue.

use crate::{
    best_effort::BestEffortJob,
    error::{Error, Refusal, UsageError},
    named::named,
    pe::{PeCount, RowPes},
    ring::Ring,
    ticket::Ticket,
    time::Span,
};

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
    /// Conservative backfilling: each job has a planned start, which no later job may delay. It needs a
    /// `PlannedQueue`, of the feature `plan`.
    Conservative = 2,
}

named!(Discipline {
    Fcfs => "fcfs",
    Easy => "easy",
    Conservative => "conservative",
});

/// Memory for one queued job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingJob {
    /// 0 for an unused element.
    pub(super) ticket: u32,
    pub(super) estimate: Span,
    /// In the lower half; in the upper half the number of its class, so that where there are no classes it is stored as it is.
    pub(super) pes: u32,
}

impl WaitingJob {
    /// No job.
    pub const NONE: Self = Self {
        ticket: 0,
        estimate: Span::ZERO,
        pes: 0,
    };

    pub(super) const fn new(ticket: Ticket, job: &BestEffortJob, class: u16) -> Self {
        Self {
            ticket: ticket.get(),
            estimate: job.estimate,
            pes: job.pes.get() | (class as u32) << 16,
        }
    }

    pub(super) fn describe(&self) -> Option<(Ticket, BestEffortJob)> {
        let job = BestEffortJob {
            estimate: self.estimate,
            pes: PeCount::new(self.pes & 0xFFFF),
        };
        Some((Ticket::from_number(self.ticket)?, job))
    }

    /// Returns the number of its class.
    pub(super) const fn class(&self) -> u16 {
        (self.pes >> 16) as u16
    }
}

/// Checks whether the machine could ever run the job, on processing elements of a class.
pub(super) fn admit<R: Ring>(ring: &R, class: R::Class, job: &BestEffortJob) -> Result<(), Error> {
    let axis = ring.axis();
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
    ring.admit(class, RowPes::of(job.pes).get())
}
