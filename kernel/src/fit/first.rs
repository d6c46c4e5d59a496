//! First fit and PE worst fit: the policies that can skip candidates.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be examined, and after a failure only releases after the last blocking slot.

use super::Job;
use crate::ring::{Profile, SlidingWindow, VECTORS};

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

/// How many improvements are sought in order of time before the bound is bisected.
const PATIENCE: u32 = 8;

/// Returns the earliest of the starts that leave the most free.
///
/// Each start that is found must be better than the one before, so it lies later. Where windows may be looked at again, the number busy in the
/// best of the later ones is bisected after a few improvements: a bound that none of them keeps is too low for all of them, and where one does,
/// those before it do not keep even lower bounds. Small devices have too few processing elements for that to pay.
///
/// Cost as for [`earliest`], plus O(duration / 64) for each improvement. Counts: at most 25 times, since each bisection halves the range of the
/// bound. Sets: once, with no more improvements than processing elements, and no more than releases in the window.
pub(crate) fn most_free(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut search = ForwardSearch::new(profile, job);
    let mut best = None;
    // No later window is less busy than `least`, and one is better if it is no busier than `most`.
    let (mut least, mut most) = (0, job.max_busy);
    let mut patience = PATIENCE;
    while least <= most {
        let bound = if VECTORS && patience == 0 && sliding.can_return() {
            least.midpoint(most)
        } else {
            most
        };
        patience = patience.saturating_sub(1);
        let from = search.start;
        if let Some(start) = search.next(bound, sliding) {
            best = Some(start);
            let better = sliding.busy_of_fit(start).checked_sub(1);
            let Some(better) = better.and_then(|better| u16::try_from(better).ok()) else {
                break;
            };
            most = better;
            search.go_on_behind(start, most);
        } else if bound == most {
            break;
        } else {
            least = bound.saturating_add(1);
            search.go_on_at(from);
        }
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
                Some(blocked) => self.leap(blocked, max_busy),
            }
        }
        None
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

    /// Continues at `start`, which has not been examined with the new bound.
    fn go_on_at(&mut self, start: usize) {
        self.start = start;
        self.checked = 0;
    }
}
