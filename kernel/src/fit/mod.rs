//! Finding a start for a rigid request (`li`, sections 4.2 and 5).

mod candidates;
mod first;
mod survey;

use core::ops::Range;

pub(crate) use candidates::Candidates;
use survey::Measure;

use crate::{
    Error, Misuse, PeCount, Policy, Refusal, Request, Slot, Span,
    ring::{Axis, Ring, RingOps},
};

/// A request that makes sense, in offsets from `now`.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) ready: usize,
    pub(crate) latest: usize,
    pub(crate) duration: usize,
    pub(crate) pes: u16,
    /// How many may be busy for `pes` to be free.
    pub(crate) limit: u16,
}

impl Job {
    /// The request in offsets, if it makes sense at this time on this machine.
    pub(crate) fn admit(axis: &Axis, request: &Request) -> Result<Self, Error> {
        if request.duration == Span::ZERO {
            return Err(Misuse::ZeroDuration.into());
        }
        if request.pes == PeCount::ZERO {
            return Err(Misuse::ZeroPes.into());
        }
        let spare = axis.pes().get().checked_sub(request.pes.get());
        let limit = spare.ok_or(Refusal::TooWide)?;
        if request.duration > axis.horizon() {
            return Err(Refusal::TooLong.into());
        }
        if request.ready < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        let latest = request.latest_start().ok_or(Refusal::WindowTooShort)?;
        if request.deadline > axis.end() {
            return Err(Refusal::BeyondHorizon.into());
        }
        Ok(Self {
            ready: axis.offset(request.ready).ok_or(Refusal::BeyondHorizon)?,
            latest: axis.offset(latest).ok_or(Refusal::BeyondHorizon)?,
            duration: request.duration.get() as usize,
            pes: request.pes.get(),
            limit,
        })
    }

    pub(crate) const fn window(&self, start: usize) -> Range<usize> {
        start..start.saturating_add(self.duration)
    }
}

/// The start that `policy` chooses for `request` on a ring by itself. Cost as for [`Book::plan`](crate::Book::plan).
///
/// See [`Ring`] for an example.
///
/// # Errors
///
/// As [`Book::plan`](crate::Book::plan), but for the ledger's.
pub fn find<R: Ring>(ring: &mut R, request: &Request, policy: Policy) -> Result<Slot, Error> {
    let job = Job::admit(ring.axis(), request)?;
    let start = choose(ring, &job, policy).ok_or(Refusal::NoRoom)?;
    Ok(ring.axis().slot(start))
}

/// The start that `policy` chooses, if there is any.
pub(crate) fn choose<R: RingOps>(ring: &mut R, job: &Job, policy: Policy) -> Option<usize> {
    let reach = job.window(job.latest).end.saturating_sub(job.ready);
    let mut scan = ring.scan(reach, job.duration);
    match policy {
        Policy::FirstFit => first::earliest(&mut scan, job),
        Policy::PeWorstFit => first::most_free(&mut scan, job),
        Policy::PeBestFit => survey::survey(&mut scan, job, &mut survey::FewestFree::new(job)),
        Policy::DurationBestFit => {
            survey::survey(&mut scan, job, &mut survey::Smallest::new(Measure::Length))
        }
        Policy::PeDurationBestFit => {
            survey::survey(&mut scan, job, &mut survey::Smallest::new(Measure::Area))
        }
        Policy::DurationWorstFit => {
            survey::survey(&mut scan, job, &mut survey::Largest::new(Measure::Length))
        }
        Policy::PeDurationWorstFit => {
            survey::survey(&mut scan, job, &mut survey::Largest::new(Measure::Area))
        }
    }
}
