//! The shortcuts of searches forward.

use crate::{
    fit::{Job, first::Shortcuts},
    ring::{Axis, Count, Counts, Edges, LONG, Profile},
};

/// How many slots, on average, a failure has to skip for starts to be examined one by one.
const LEAP: usize = 256;

/// How many slots are taken as skipped already.
const CREDIT: usize = 8 * LEAP;

/// In how many slots behind one that blocks a release is sought, before those are skipped in which too many stay busy.
const NEAR: usize = 64;

/// Goes on by counts, where they decide, once starts fail that skip few slots.
pub(super) struct ByCounts {
    counts_decide: bool,
    /// How many starts have failed.
    failures: usize,
}

impl ByCounts {
    pub(super) const fn new(counts_decide: bool) -> Self {
        Self {
            counts_decide,
            failures: 0,
        }
    }
}

impl Shortcuts for ByCounts {
    #[inline]
    fn next_fit<N: Count>(
        &mut self,
        profile: Profile<'_, N>,
        job: &Job,
        start: usize,
        max_busy: u32,
    ) -> Option<Option<usize>> {
        self.failures = self.failures.saturating_add(1);
        let skipped = start.saturating_sub(job.ready);
        let slow = self.failures.saturating_mul(LEAP) > skipped.saturating_add(CREDIT);
        (slow && self.counts_decide).then(|| next_by_counts(profile, job, start, max_busy))
    }

    /// Where more are busy, the first slot with fewer is a release as well; for long windows, the first of so many slots in a row.
    #[inline]
    fn next_start<N: Count>(
        profile: Profile<'_, N>,
        job: &Job,
        blocked: usize,
        max_busy: u32,
    ) -> usize {
        let max_busy = N::of(max_busy);
        let Profile {
            axis,
            counts,
            edges,
        } = profile;
        let later = blocked.saturating_add(1)..job.latest.saturating_add(1);
        let near = later.end.min(later.start.saturating_add(NEAR));
        let before = match edges.next_release(axis, later.start..near) {
            Some(release) if counts.at(axis.index(release)) <= max_busy => return release,
            Some(release) => release,
            None if near == later.end => return usize::MAX,
            None => near.saturating_sub(1),
        };
        next_behind(axis, counts, edges, job, before, max_busy)
    }
}

/// As [`Shortcuts::next_start`], behind a slot up to which there is none. Not inlined, since the searches that call it are, and without a [`Profile`], which
/// they would keep in memory.
#[inline(never)]
fn next_behind<N: Count>(
    axis: &Axis,
    counts: &Counts<'_, N>,
    edges: &Edges<'_>,
    job: &Job,
    before: usize,
    max_busy: N,
) -> usize {
    let mut later = before.saturating_add(1)..job.latest.saturating_add(1);
    // What is full may stay full for long; the first slot that is not is a release.
    if counts.at(axis.index(before)) <= max_busy {
        let Some(release) = edges.next_release(axis, later.clone()) else {
            return usize::MAX;
        };
        if counts.at(axis.index(release)) <= max_busy {
            return release;
        }
        later.start = release.saturating_add(1);
    }
    let next = if job.duration >= LONG {
        let end = job.window(job.latest).end;
        counts.first_run(axis, later.start.min(end)..end, job.duration, max_busy)
    } else {
        counts.first_within(axis, later, max_busy)
    };
    next.unwrap_or(usize::MAX)
}

/// Returns the next start of a window in which no count is above `max_busy`. The window a slot earlier has one, so something is released there.
#[cold]
#[inline(never)]
fn next_by_counts<N: Count>(
    profile: Profile<'_, N>,
    job: &Job,
    start: usize,
    max_busy: u32,
) -> Option<usize> {
    let Profile { axis, counts, .. } = profile;
    let end = job.window(job.latest).end;
    counts.first_run(axis, start..end, job.duration, N::of(max_busy))
}
