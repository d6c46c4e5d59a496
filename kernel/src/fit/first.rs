//! First fit and PE worst fit: the policies that can leap.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be looked at, and after a failure only releases behind the last slot that is in the way.

use super::Job;
use crate::ring::{Profile, SlidingWindow};

/// The earliest start.
///
/// O(window) for counts. For sets O(window x columns), and over wide columns O(columns x log duration) more for each leap, since single
/// windows are looked at only as far as an allowance goes; then the sweep takes over.
pub(crate) fn earliest(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    ForwardSearch::new(profile, job).next(job.max_busy, sliding)
}

/// The earliest of the starts that leave the most free. Cost as for [`earliest`], and O(duration / 64) for each improvement, of
/// which there are at most as many as processing elements and as releases in the window.
pub(crate) fn most_free(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut search = ForwardSearch::new(profile, job);
    let mut best = None;
    let mut max_busy = Some(job.max_busy);
    // Later starts must be strictly better, so the bar rises and time runs on: at most one round for each PE.
    while let Some(start) = max_busy.and_then(|max_busy| search.next(max_busy, sliding)) {
        best = Some(start);
        let better = sliding.busy_of_fit(start).checked_sub(1);
        max_busy = better.and_then(|max_busy| u16::try_from(max_busy).ok());
        search.go_on_behind(start);
    }
    best
}

/// Runs through the window from fit to fit.
struct ForwardSearch<'r> {
    profile: Profile<'r>,
    job: Job,
    /// The next start to look at; over when it is behind the latest.
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

    /// The next start at which at most `max_busy` are busy throughout.
    fn next(&mut self, max_busy: u16, sliding: &mut dyn SlidingWindow) -> Option<usize> {
        // Each round begins at a later start than the one before: at most one for each release in the window.
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

    /// Goes on behind the fit at `start`, to another bound, for which nothing has been checked yet.
    fn go_on_behind(&mut self, start: usize) {
        self.leap(start);
        self.checked = 0;
    }
}
