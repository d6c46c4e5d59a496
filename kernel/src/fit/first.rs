//! First fit and PE worst fit: the policies that can skip candidates.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be examined, and after a failure only releases after the last blocking slot.

use super::{Job, groups, plateaus};
use crate::{
    policy::Policy,
    ring::{Profile, SlidingWindow, VECTORS},
};

/// Returns the earliest start.
///
/// O(window) for counts, 64 slots at a time once starts fail that skip few slots. For sets O(window x columns), and over wide columns
/// O(columns x log duration) more for each skip, since single windows are joined up to a fixed allowance only, and after that the sweep
/// is used.
#[cfg_attr(target_pointer_width = "64", inline)]
pub(crate) fn earliest(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    // There may be no start at all.
    if VECTORS && job.ready <= job.latest && sliding.surely_fits(job.ready, job.max_busy) {
        return Some(job.ready);
    }
    ForwardSearch::new(profile, job, CREDIT).next(job.max_busy, sliding)
}

/// How many improvements are sought in order of time.
const PATIENCE: u32 = 8;

/// How many slots, on average, a failure has to skip for starts to be examined one by one.
const LEAP: usize = 128;

/// How many slots are taken as skipped already.
const CREDIT: usize = 8 * LEAP;

/// Returns the earliest of the starts that leave the most free.
///
/// Each start that is found must be better than the one before, so it lies later. On hosts that goes on for a few improvements only, and the
/// rest of the starts are searched by their bound, many at a time; small devices have too few processing elements for that to pay.
///
/// Cost as for [`earliest`], plus O(duration / 64) for each improvement. Counts: at most 50 times, and mostly once. Sets: once, with no
/// more improvements than processing elements, and no more than releases in the window.
pub(crate) fn most_free(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut search = ForwardSearch::new(profile, job, CREDIT);
    let mut best = None;
    let mut patience = PATIENCE;
    let mut most = job.max_busy;
    while let Some(start) = search.next(most, sliding) {
        best = Some(start);
        let better = sliding.busy_of_fit(start).checked_sub(1);
        let Some(better) = better.and_then(|better| u16::try_from(better).ok()) else {
            break;
        };
        most = better;
        search.go_on_behind(start, most);
        patience = patience.saturating_sub(1);
        if VECTORS && patience == 0 {
            let rest = Job {
                ready: search.start,
                max_busy: most,
                ..*job
            };
            if sliding.can_return() {
                return plateaus::best(profile, &rest, Policy::PeWorstFit).or(best);
            }
            if let Some(windows) = sliding.in_groups() {
                return groups::best(profile, windows, &rest, Policy::PeWorstFit).or(best);
            }
        }
    }
    best
}

/// A search forward through the window, from fit to fit.
struct ForwardSearch<'r> {
    profile: Profile<'r>,
    job: &'r Job,
    /// The next start to examine; the search has ended when it is after the latest start.
    start: usize,
    /// The counts from `start` up to here are known to be within the bound.
    checked: usize,
    /// How many starts have failed.
    failures: usize,
    /// How many slots count as skipped from the beginning.
    credit: usize,
}

impl<'r> ForwardSearch<'r> {
    const fn new(profile: Profile<'r>, job: &'r Job, credit: usize) -> Self {
        Self {
            profile,
            job,
            start: job.ready,
            checked: job.ready,
            failures: 0,
            credit,
        }
    }

    /// Returns the next start of a window in which at most `max_busy` are busy at some time.
    #[cfg_attr(target_pointer_width = "64", inline)]
    fn next(&mut self, max_busy: u16, sliding: &mut dyn SlidingWindow) -> Option<usize> {
        // Each round begins at a later start than the one before, so there is at most one for each release in the window.
        while self.start <= self.job.latest {
            let start = self.start;
            let end = self.job.window(start).end;
            let unchecked = self.checked.max(start)..end;
            self.checked = end;
            match sliding.last_blocked(start, unchecked, max_busy) {
                None => return Some(start),
                Some(blocked) => self.leap(blocked, max_busy),
            }
            if VECTORS && self.is_slow() && sliding.can_return() {
                return self.next_by_counts(max_busy);
            }
        }
        None
    }

    /// Counts a failure, and returns whether each skips few slots on average.
    fn is_slow(&mut self) -> bool {
        self.failures = self.failures.saturating_add(1);
        let skipped = self.start.saturating_sub(self.job.ready);
        self.failures.saturating_mul(LEAP) > skipped.saturating_add(self.credit)
    }

    /// Returns the next start of a window in which no count is above `max_busy`. The window a slot earlier has one, so something is released there.
    #[cold]
    #[inline(never)]
    fn next_by_counts(&mut self, max_busy: u16) -> Option<usize> {
        let Profile { axis, counts, .. } = self.profile;
        let end = self.job.window(self.job.latest).end;
        let found = counts.first_run(axis, self.start..end, self.job.duration, max_busy);
        self.start = found.unwrap_or(usize::MAX);
        found
    }

    /// Continues at the first release after `blocked` at which no more than `max_busy` are busy.
    fn leap(&mut self, blocked: usize, max_busy: u16) {
        let Profile {
            axis,
            counts,
            edges,
        } = self.profile;
        let mut later = blocked.saturating_add(1)..self.job.latest.saturating_add(1);
        let release = edges.next_release(axis, later.clone());
        self.start = release.unwrap_or(usize::MAX);
        let Some(release) = release else {
            return;
        };
        // Where more are busy, the first slot with fewer is a release as well.
        if VECTORS && counts.at(axis.index(release)) > max_busy {
            later.start = release.saturating_add(1);
            self.start = counts
                .first_within(axis, later, max_busy)
                .unwrap_or(usize::MAX);
        }
    }

    /// Continues after the fit at `start`, with a new bound, against which no count has been checked yet.
    fn go_on_behind(&mut self, start: usize, max_busy: u16) {
        self.leap(start, max_busy);
        self.checked = 0;
    }
}
