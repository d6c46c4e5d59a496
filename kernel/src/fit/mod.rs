//! Finding a start for a rigid request (`li`, sections 4.2 and 5).

mod candidates;
mod first;
mod survey;

use core::ops::Range;

pub(crate) use candidates::Candidates;

use crate::{Policy, ring::Ring};

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
    pub(crate) const fn window(&self, start: usize) -> Range<usize> {
        start..start.saturating_add(self.duration)
    }
}

/// The start that `policy` chooses, if there is any.
pub(crate) fn choose<R: Ring>(ring: &mut R, job: &Job, policy: Policy) -> Option<usize> {
    let mut scan = ring.scan(job.duration);
    match policy {
        Policy::FirstFit => first::earliest(&mut scan, job),
        Policy::PeWorstFit => first::most_free(&mut scan, job),
        Policy::PeBestFit => survey::survey(&mut scan, job, &mut survey::FewestFree::new(job)),
        Policy::DurationBestFit => {
            survey::survey(&mut scan, job, &mut survey::Smallest::by_length())
        }
        Policy::PeDurationBestFit => {
            survey::survey(&mut scan, job, &mut survey::Smallest::by_area())
        }
        Policy::DurationWorstFit => {
            survey::survey(&mut scan, job, &mut survey::Largest::by_length())
        }
        Policy::PeDurationWorstFit => {
            survey::survey(&mut scan, job, &mut survey::Largest::by_area())
        }
    }
}
