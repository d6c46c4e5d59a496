//! First fit and PE worst fit: the policies that can skip candidates.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be examined, and after a failure only releases after the last blocking slot.

use super::Job;
use crate::ring::{Profile, SlidingWindow};

/// Returns the earliest start.
///
/// O(window) for counts. For sets O(window x columns), and over wide columns O(columns x log duration) more for each skip, since single
/// windows are joined up to a fixed allowance only, and after that the sweep is used.
pub(crate) fn earliest(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    ForwardSearch::new(profile, job).next(job.max_busy, sliding)
}

/// Returns the earliest of the starts that leave the most free. Cost as for [`earliest`], plus O(duration / 64) for each improvement; there
/// are no more improvements than processing elements, and no more than releases in the window.
pub(crate) fn most_free(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut search = ForwardSearch::new(profile, job);
    let mut best = None;
    let mut max_busy = Some(job.max_busy);
    // Later starts must be strictly better, so each round lowers the bound and moves on in time: at most one round for each PE.
    while let Some(start) = max_busy.and_then(|max_busy| search.next(max_busy, sliding)) {
        best = Some(start);
        let better = sliding.busy_of_fit(start).checked_sub(1);
        max_busy = better.and_then(|max_busy| u16::try_from(max_busy).ok());
        search.go_on_behind(start);
    }
    best
}

/// A search forward through the window, from fit to fit.
struct ForwardSearch<'r> {
    profile: Profile<'r>,
    job: Job,
    /// The next start to examine; the search has ended when it is after the latest start.
    start: usize,
    /// The counts from `start` up to here are known to be within the bound.
    checked: usize,
}

impl<'r> ForwardSearch<'r> {
    const fn new(profile: Profile<'r>, job: &Job) -> Self {
        Self {
            profile,
            job: *job,
            start: job.ready,
            checked: job.ready,
        }
    }

    /// Returns the next start of a window in which at most `max_busy` are busy at some time.
    fn next(&mut self, max_busy: u16, sliding: &mut dyn SlidingWindow) -> Option<usize> {
        // Each round begins at a later start than the one before, so there is at most one for each release in the window.
        while self.start <= self.job.latest {
            let start = self.start;
            let end = self.job.window(start).end;
            let unchecked = self.checked.max(start)..end;
            self.checked = end;
            match sliding.last_blocked(start, unchecked, max_busy) {
                None => return Some(start),
                Some(blocked) => self.leap(blocked),
            }
        }
        None
    }

    fn leap(&mut self, blocked: usize) {
        let later = blocked.saturating_add(1)..self.job.latest.saturating_add(1);
        let release = self.profile.edges.next_release(self.profile.axis, later);
        self.start = release.unwrap_or(usize::MAX);
    }

    /// Continues after the fit at `start`, with a new bound, against which no count has been checked yet.
    fn go_on_behind(&mut self, start: usize) {
        self.leap(start);
        self.checked = 0;
    }
}
