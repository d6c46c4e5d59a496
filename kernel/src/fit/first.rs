//! First fit and PE worst fit: the policies that can skip candidates.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be examined, and after a failure only releases after the last blocking slot.

use super::Job;
use crate::ring::{Profile, SlidingWindow, VECTORS};

/// Returns the earliest start.
///
/// O(window) for counts, 64 slots at a time once starts fail that skip few slots. For sets O(window x columns), and over wide columns
/// O(columns x log duration) more for each skip, since single windows are joined up to a fixed allowance only, and after that the sweep
/// is used.
#[inline]
pub(crate) fn earliest(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    ForwardSearch::new(profile, job, CREDIT).next(job.max_busy, sliding)
}

/// How many improvements are sought in order of time.
const PATIENCE: u32 = 8;

/// How many slots, on average, a failure has to skip for starts to be examined one by one.
const LEAP: usize = 128;

/// How many slots are taken as skipped already.
const CREDIT: usize = 8 * LEAP;

/// The fewest starts of a stretch.
const FEW: usize = 256;

/// Returns the earliest of the starts that leave the most free.
///
/// Each start that is found must be better than the one before, so it lies later. Where windows may be looked at again, that goes on for a few
/// improvements only, and the rest of the starts are searched by their bound; small devices have too few processing elements for that to pay.
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
        if VECTORS && patience == 0 && sliding.can_return() {
            let rest = Job {
                ready: search.start,
                max_busy: most,
                ..*job
            };
            return most_free_of_rest(profile, sliding, &rest).or(best);
        }
    }
    best
}

/// As [`most_free`], where windows may be looked at again.
///
/// The starts are searched stretch by stretch, out of order: most stretches hold nothing better than what has been found by then, which takes
/// one look at their slots.
#[cold]
#[inline(never)]
fn most_free_of_rest(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let stretch = job.duration.max(FEW);
    let starts = job.latest.saturating_sub(job.ready);
    let stretches = starts.checked_div(stretch).unwrap_or_default();
    // Bits in reverse order: each turn lies far from those before it, whichever way the profile rises.
    let bits = stretches
        .checked_ilog2()
        .map_or(0, |bits| bits.saturating_add(1));
    let mut least = None;
    let mut max_busy = job.max_busy;
    for turn in 0..1_usize.wrapping_shl(bits) {
        let number = turn.reverse_bits().wrapping_shr(bits.wrapping_neg());
        let ready = job.ready.saturating_add(number.saturating_mul(stretch));
        let last = ready.saturating_add(stretch).saturating_sub(1);
        let part = Job {
            ready,
            latest: job.latest.min(last),
            max_busy,
            ..*job
        };
        let Some(start) = most_free_of_stretch(profile, sliding, &part) else {
            continue;
        };
        least = u16::try_from(sliding.busy_of_fit(start)).ok();
        let Some(better) = least.and_then(|least| least.checked_sub(1)) else {
            break;
        };
        max_busy = better;
    }
    // An earlier stretch may hold a start that is as good.
    ForwardSearch::new(profile, job, 0).next_by_counts(least?)
}

/// As [`most_free`], where windows may be looked at again.
///
/// The number busy in the best of the starts is bisected: a bound that none of them keeps is too low for all of them, and where one does, those
/// before it do not keep even lower bounds.
fn most_free_of_stretch(
    profile: Profile<'_>,
    sliding: &mut dyn SlidingWindow,
    job: &Job,
) -> Option<usize> {
    let mut search = ForwardSearch::new(profile, job, 0);
    let mut best = None;
    // No later window is less busy than `least`, and one is better if it is no busier than `most`.
    let (mut least, mut most) = (0, job.max_busy);
    let mut bound = most;
    while least <= most {
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
        bound = least.midpoint(most);
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
    #[inline]
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

    /// Continues at `start`, which has not been examined with the new bound.
    fn go_on_at(&mut self, start: usize) {
        self.start = start;
        self.checked = 0;
    }
}
