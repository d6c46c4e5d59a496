//! First fit and PE worst fit: the policies that can skip candidates.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be examined, and after a failure only releases after the last blocking slot.

use super::Job;
use crate::ring::{Count, Profile, SlidingWindow};

/// Returns the earliest start.
///
/// O(window) for counts; in bulk O(log window) for each time that slots with enough free are too few, and 64 slots at a time once these lie close. For
/// sets O(window x columns), and over wide columns
/// O(columns x log duration) more for each skip, since single windows are joined up to a fixed allowance only, and after that the sweep
/// is used.
#[cfg_attr(target_pointer_width = "64", inline)]
pub(crate) fn earliest<N: Count>(
    profile: Profile<'_, N>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    ForwardSearch::new(profile, job, Plainly).next(job.max_busy, sliding)
}

/// Returns the earliest of the starts that leave the most free.
///
/// Cost as for [`earliest`], plus O(duration / 64) for each improvement. Counts: at most 50 times, and mostly once. Sets: once, with no
/// more improvements than processing elements, and no more than releases in the window.
pub(crate) fn most_free<N: Count>(
    profile: Profile<'_, N>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut most_free = MostFree::new(profile, job, Plainly);
    while most_free.improve(sliding) {}
    most_free.best
}

/// The search for the start that leaves the most free. Each start that is found must be better than the one before, so it lies later.
pub(super) struct MostFree<'r, B, N> {
    search: ForwardSearch<'r, B, N>,
    /// The best start so far.
    pub(super) best: Option<usize>,
    /// How many may be busy during a better one.
    max_busy: u32,
}

impl<'r, B: Shortcuts, N: Count> MostFree<'r, B, N> {
    pub(super) const fn new(profile: Profile<'r, N>, job: &'r Job, shortcuts: B) -> Self {
        Self {
            search: ForwardSearch::new(profile, job, shortcuts),
            best: None,
            max_busy: job.max_busy,
        }
    }

    /// Finds the next improvement, and returns whether there may be another.
    pub(super) fn improve(&mut self, sliding: &mut dyn SlidingWindow) -> bool {
        let Some(start) = self.search.next(self.max_busy, sliding) else {
            return false;
        };
        self.best = Some(start);
        let better = sliding.busy_of_fit(start).checked_sub(1);
        let Some(better) = better else {
            return false;
        };
        self.max_busy = better;
        self.search.go_on_behind(start, better);
        true
    }

    /// Returns the job with the starts that are left, and what is better.
    pub(super) const fn rest(&self) -> Job {
        Job {
            ready: self.search.start,
            max_busy: self.max_busy,
            ..*self.search.job
        }
    }
}

/// How a search forward may go on in other ways, with the same result. By default it does not: the plain reading.
pub(super) trait Shortcuts {
    /// Returns the next fit from `start` on, after another start has failed, if it has been found in another way: `Some(None)` when there is
    /// none.
    fn next_fit<N: Count>(
        &mut self,
        _profile: Profile<'_, N>,
        _job: &Job,
        _start: usize,
        _max_busy: u32,
    ) -> Option<Option<usize>> {
        None
    }

    /// Returns the first release after `blocked` at which a window may fit; `usize::MAX` when there is none.
    fn next_start<N: Count>(
        profile: Profile<'_, N>,
        job: &Job,
        blocked: usize,
        _max_busy: u32,
    ) -> usize {
        let Profile { axis, edges, .. } = profile;
        let later = blocked.saturating_add(1)..job.latest.saturating_add(1);
        edges.next_release(axis, later).unwrap_or(usize::MAX)
    }
}

/// No shortcuts.
struct Plainly;

impl Shortcuts for Plainly {}

/// A search forward through the window, from fit to fit.
pub(super) struct ForwardSearch<'r, B, N> {
    profile: Profile<'r, N>,
    job: &'r Job,
    /// The next start to examine; the search has ended when it is after the latest start.
    start: usize,
    /// The counts from `start` up to here are known to be within the bound.
    checked: usize,
    shortcuts: B,
}

impl<'r, B: Shortcuts, N: Count> ForwardSearch<'r, B, N> {
    pub(super) const fn new(profile: Profile<'r, N>, job: &'r Job, shortcuts: B) -> Self {
        Self {
            profile,
            job,
            start: job.ready,
            checked: job.ready,
            shortcuts,
        }
    }

    /// Returns the next start of a window in which at most `max_busy` are busy at some time.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(super) fn next(&mut self, max_busy: u32, sliding: &mut dyn SlidingWindow) -> Option<usize> {
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
            let shortcut = self
                .shortcuts
                .next_fit(self.profile, self.job, self.start, max_busy);
            if let Some(found) = shortcut {
                self.start = found.unwrap_or(usize::MAX);
                return found;
            }
        }
        None
    }

    /// Continues at the first release after `blocked` at which no more than `max_busy` are busy.
    fn leap(&mut self, blocked: usize, max_busy: u32) {
        self.start = B::next_start(self.profile, self.job, blocked, max_busy);
    }

    /// Continues after the fit at `start`, with a new bound, against which no count has been checked yet.
    fn go_on_behind(&mut self, start: usize, max_busy: u32) {
        self.leap(start, max_busy);
        self.checked = 0;
    }
}
