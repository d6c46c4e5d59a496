//! Queued jobs, and the discipline of their queue.

use crate::{
    best_effort::BestEffortJob,
    error::{Error, Refusal, UsageError},
    named::named,
    pe::PeCount,
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

/// A number of processing elements and the number of their class, in the memory of a number.
///
/// Classes are of books whose numbers of processing elements take 16 bits: so the lower half is the number, and the upper half that of the class, which takes 15.
/// With [`WIDE`](Self::WIDE), all the rest is a number of processing elements without a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct PesOfClass(pub(super) u32);

impl PesOfClass {
    const WIDE: u32 = 1 << 31;
    const NUMBER: u32 = 0xFFFF;

    pub(super) const fn new(pes: PeCount, class: u16) -> Self {
        let pes = pes.get();
        Self(if pes > Self::NUMBER {
            pes | Self::WIDE
        } else {
            pes | (class as u32) << 16
        })
    }

    pub(super) const fn count(self) -> PeCount {
        let bits = if self.is_wide() {
            !Self::WIDE
        } else {
            Self::NUMBER
        };
        PeCount::new(self.0 & bits)
    }

    pub(super) const fn class(self) -> u16 {
        if self.is_wide() {
            return 0;
        }
        (self.0 >> 16) as u16
    }

    const fn is_wide(self) -> bool {
        self.0 & Self::WIDE != 0
    }
}

/// Memory for one queued job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingJob {
    /// 0 for an unused element.
    pub(super) ticket: u32,
    pub(super) estimate: Span,
    pub(super) pes: PesOfClass,
}

impl WaitingJob {
    /// No job.
    pub const NONE: Self = Self {
        ticket: 0,
        estimate: Span::ZERO,
        pes: PesOfClass(0),
    };

    pub(super) const fn new(ticket: Ticket, job: &BestEffortJob, class: u16) -> Self {
        Self {
            ticket: ticket.get(),
            estimate: job.estimate,
            pes: PesOfClass::new(job.pes, class),
        }
    }

    pub(super) fn describe(&self) -> Option<(Ticket, BestEffortJob)> {
        let job = BestEffortJob {
            estimate: self.estimate,
            pes: self.pes.count(),
        };
        Some((Ticket::from_number(self.ticket)?, job))
    }

    /// Returns the number of its class.
    pub(super) const fn class(&self) -> u16 {
        self.pes.class()
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
    ring.admit(class, job.pes.get())
}
