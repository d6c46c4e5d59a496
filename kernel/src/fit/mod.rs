//! The search for the start of a rigid request (`li`, sections 4.2 and 5).

mod bulk;
mod candidates;
mod exhaustive;
mod first;

use core::ops::Range;

use crate::{
    error::{Error, Refusal, UsageError},
    pe::PeCount,
    policy::Policy,
    request::Request,
    ring::{Axis, BulkWindow, CountOf, CountScan, Ring, RingSearch, SlidingView},
    time::{Slot, Span},
};
pub(crate) use candidates::Candidates;

/// A request that has been checked, in offsets from `now`.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) ready: usize,
    pub(crate) latest: usize,
    pub(crate) duration: usize,
    pub(crate) pes: u32,
    /// How many may be busy so that `pes` are still free.
    pub(crate) max_busy: u32,
}

impl Job {
    /// Checks the request against the current time and the machine, and converts it to offsets.
    pub(crate) fn admit(axis: &Axis, request: &Request) -> Result<Self, Error> {
        if request.duration == Span::ZERO {
            return Err(UsageError::ZeroDuration.into());
        }
        if request.pes == PeCount::ZERO {
            return Err(UsageError::ZeroPes.into());
        }
        let spare = axis.pes().get().checked_sub(request.pes.get());
        let max_busy = spare.ok_or(Refusal::TooWide)?;
        if request.duration > axis.horizon() {
            return Err(Refusal::TooLong.into());
        }
        if request.ready < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        let length = request.deadline.get().checked_sub(request.ready.get());
        let length = length
            .filter(|length| *length >= u64::from(request.duration.get()))
            .ok_or(Refusal::WindowTooShort)?;
        // Narrow to 32 bits here: 64-bit arithmetic is slow on Cortex-M.
        let deadline = axis
            .offset(request.deadline)
            .ok_or(Refusal::BeyondHorizon)?;
        let duration = request.duration.get() as usize;
        Ok(Self {
            ready: deadline.saturating_sub(length as usize),
            latest: deadline.saturating_sub(duration),
            duration,
            pes: request.pes.get(),
            max_busy,
        })
    }

    /// Returns how long it is.
    #[cfg(feature = "quota")]
    pub(crate) const fn span(&self) -> Span {
        Span::new(self.duration as u32)
    }

    pub(crate) const fn window(&self, start: usize) -> Range<usize> {
        start..start.saturating_add(self.duration)
    }
}

/// Returns the start that `policy` chooses for `request` on a ring without a ledger. Cost as for [`Book::plan`](crate::Book::plan).
///
/// See [`Ring`] for an example.
///
/// # Errors
///
/// As [`Book::plan`](crate::Book::plan), except for those of the ledger.
pub fn find<R: Ring>(ring: &mut R, request: &Request, policy: Policy) -> Result<Slot, Error> {
    let job = Job::admit(ring.axis(), request)?;
    let start = choose(ring, &job, policy).ok_or(Refusal::NoRoom)?;
    Ok(ring.axis().slot(start))
}

/// Returns the earliest start, if any start is feasible. On hosts apart from [`choose`], so that whoever wants no other start has no code for others.
#[cfg_attr(target_pointer_width = "64", inline(never))]
pub(crate) fn earliest<R: RingSearch>(ring: &mut R, job: &Job) -> Option<usize> {
    if !R::Scan::BULK {
        return choose(ring, job, Policy::FirstFit);
    }
    let mut view = view(ring, job);
    bulk::earliest(view.profile, &mut view.sliding, R::COUNTS_DECIDE, job)
}

/// Returns the start that `policy` chooses, if any start is feasible.
pub(crate) fn choose<R: RingSearch>(ring: &mut R, job: &Job, policy: Policy) -> Option<usize> {
    let mut view = view(ring, job);
    let sliding = &mut view.sliding;
    if R::Scan::BULK {
        return bulk::choose(view.profile, sliding, R::COUNTS_DECIDE, job, policy);
    }
    match policy {
        Policy::FirstFit => first::earliest(view.profile, sliding, job),
        Policy::PeWorstFit => first::most_free(view.profile, sliding, job),
        policy => exhaustive::best(view.profile, sliding, job, policy),
    }
}

/// Returns a view of the windows in which `job` may lie.
#[inline(always)]
fn view<'r, R: RingSearch>(
    ring: &'r mut R,
    job: &Job,
) -> SlidingView<'r, impl BulkWindow + use<'r, R>, CountOf<R>> {
    let reach = job.window(job.latest).end.saturating_sub(job.ready);
    ring.want(job.pes);
    ring.sliding_window(reach, job.duration)
}
