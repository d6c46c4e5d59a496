//! The searches over counts that look at 64 starts at once.
//!
//! How many are free throughout a window, and its rectangle, depend on its peak. So neighbouring starts whose windows have one peak, a *plateau*, are
//! equally good. Each plateau has a candidate start: if its peak rises before it and falls behind it, the peak begins in it, and otherwise one of its
//! ends is where something changes at the start or at the end of a window. So plateaus are compared, and the first candidate of the best one is the
//! answer.

use core::ops::Range;

use crate::{
    fit::{
        Candidates, Job,
        exhaustive::{LastRectangle, Measure, Objective},
    },
    policy::Policy,
    ring::{BLOCK, BulkScan, Count, CountScan, Profile},
};

/// How many starts are looked at to begin with, spread over a long window.
const SAMPLES: usize = 32;

/// The number of starts from which a window is long.
const LONG: usize = 64 * SAMPLES;

/// The number of starts up to which one look at each costs less.
const FEW: usize = 16;

/// Returns whether the starts are so many that it pays to search them in this way.
pub(super) const fn pay(job: &Job) -> bool {
    job.latest.saturating_sub(job.ready) > FEW
}

/// Returns the best start under `policy`, which is not first fit, the earliest of equals.
///
/// O(window + window / 64 x duration / 64) for the peaks of all windows. Policies that measure the rectangle add one for each 64 starts, to bound what they
/// can come to, and one for each plateau that is not ruled out, O(horizon / 64) each.
pub(super) fn best<N: Count>(profile: Profile<'_, N>, job: &Job, policy: Policy) -> Option<usize> {
    let mut search = Search {
        profile,
        job: *job,
        objective: super::objective(profile, job, policy),
        best: None,
    };
    if job.latest.saturating_sub(job.ready) >= LONG {
        search.sample();
    }
    search.look_at_all();
    let start = search.best?;
    let mut candidates = Candidates::new(job);
    if let Some(before) = start.checked_sub(1) {
        candidates.skip_to_behind(before);
    }
    candidates.next(profile, job)
}

struct Search<'r, N> {
    profile: Profile<'r, N>,
    /// Where only less busy windows are better, the bound says so.
    job: Job,
    objective: Objective,
    /// The start that was found best.
    best: Option<usize>,
}

impl<N: Count> Search<'_, N> {
    /// Looks at a few starts, so that the measure of the best is almost known: what comes up on the way to the best one is left out then.
    #[cold]
    #[inline(never)]
    fn sample(&mut self) {
        let Profile { axis, counts, .. } = self.profile;
        let Job {
            ready,
            latest,
            duration,
            ..
        } = self.job;
        let max_busy = self.max_busy();
        let end = self.job.window(latest).end;
        let step = latest.saturating_sub(ready) / SAMPLES;
        let mut next = Some(ready);
        while let Some(start) = next {
            let peak = BulkScan::peak(counts, axis, self.job.window(start));
            if peak > max_busy {
                // It lies later, but in a damaged book, whose summaries contradict each other.
                let run = counts.first_run(axis, start..end, duration, max_busy);
                next = run.filter(|run| *run > start);
                continue;
            }
            self.compare(start, peak);
            let later = start.saturating_add(step).min(latest);
            next = (start < latest).then_some(later);
        }
        // The earliest that is as good is still to be found.
        if self.best.take().is_some() {
            let Objective { best, smallest, .. } = &mut self.objective;
            *best = if *smallest {
                best.saturating_add(1)
            } else {
                best.saturating_sub(1)
            };
            self.objective.last = LastRectangle::default();
            self.leave_out_busier(self.objective.best);
        }
    }

    fn look_at_all(&mut self) {
        let Profile { axis, counts, .. } = self.profile;
        let Job {
            duration,
            latest,
            ready,
            ..
        } = self.job;
        let end = self.job.window(latest).end;
        let mut next = counts.first_run(axis, ready..end, duration, self.max_busy());
        let mut before = N::MAX;
        while let Some(start) = next {
            let peaks = counts.window_peaks(axis, start, duration, end);
            self.look(start, &peaks, before);
            if self.objective.best == self.objective.perfect {
                break;
            }
            before = peaks.last().copied().unwrap_or_default();
            let behind = start.saturating_add(peaks.len());
            next = (behind <= latest).then_some(behind);
            if before > self.max_busy() && next.is_some() {
                before = N::MAX;
                next = counts.first_run(axis, behind..end, duration, self.max_busy());
            }
        }
    }

    /// Looks at 64 starts with these peaks, of which the one before has the peak `before`.
    fn look(&mut self, start: usize, peaks: &[N; BLOCK], before: N) {
        let max_busy = self.max_busy();
        if self.objective.measure == Measure::Free {
            let least = peaks.iter().fold(N::MAX, |least, peak| least.min(*peak));
            if least > max_busy {
                return;
            }
            let peak = if self.objective.smallest {
                let fitting = peaks.map(|peak| if peak > max_busy { N::ZERO } else { peak });
                fitting.iter().fold(N::ZERO, |most, peak| most.max(*peak))
            } else {
                least
            };
            let first = peaks.iter().position(|other| *other == peak);
            self.compare(start.saturating_add(first.unwrap_or_default()), peak);
            return;
        }
        let (mut start, mut before, mut rest) = (start, before, peaks.as_slice());
        while !rest.is_empty() {
            let fits = rest
                .iter()
                .position(|peak| *peak > max_busy)
                .unwrap_or(rest.len());
            let (run, behind) = rest.split_at_checked(fits).unwrap_or_default();
            if !run.is_empty() && self.may_improve(start, run) {
                self.look_at_run(start, run, before);
            }
            start = start.saturating_add(fits);
            let full = behind
                .iter()
                .position(|peak| *peak <= max_busy)
                .unwrap_or(behind.len());
            start = start.saturating_add(full);
            rest = behind.get(full..).unwrap_or_default();
            before = N::MAX;
        }
    }

    /// Returns whether one of the windows at `start` and after, which all fit, may be better than what was found.
    fn may_improve(&self, start: usize, peaks: &[N]) -> bool {
        if peaks.len() < FEW {
            return true;
        }
        let last = start.saturating_add(peaks.len()).saturating_sub(1);
        let (least, most) = peaks.iter().fold((N::MAX, N::ZERO), |(least, most), peak| {
            (least.min(*peak), most.max(*peak))
        });
        let Objective {
            measure, smallest, ..
        } = self.objective;
        if smallest {
            let free = self.free(most);
            let core = last..self.job.window(start).end;
            if core.is_empty() {
                return measure.of(self.job.duration, free) < self.objective.best;
            }
            let within = self.objective.while_smaller::<N>(&core, free);
            if within.len() < core.len() {
                return false;
            }
            let rectangle = self.rectangle(&core, within, least);
            measure.of(rectangle.len(), free) < self.objective.best
        } else {
            let hull = start..self.job.window(last).end;
            let rectangle = self.rectangle(&hull, 0..self.objective.slots, most);
            measure.of(rectangle.len(), self.free(least)) > self.objective.best
        }
    }

    /// Compares the plateaus of windows that all fit.
    fn look_at_run(&mut self, mut start: usize, run: &[N], mut before: N) {
        let mut rest = run;
        while let Some(peak) = rest.first() {
            let len = rest
                .iter()
                .position(|other| other != peak)
                .unwrap_or(rest.len());
            rest = rest.get(len..).unwrap_or_default();
            let after = rest.first().copied().unwrap_or(*peak);
            if *peak != before && !self.is_beaten(*peak, before) && !self.is_beaten(*peak, after) {
                self.compare(start, *peak);
            }
            start = start.saturating_add(len);
            before = *peak;
        }
    }

    /// Returns whether a plateau next to one of `peak` has a better rectangle for certain: of two neighbours, the rectangle of the busier one
    /// contains that of the other, so it is longer.
    fn is_beaten(&self, peak: N, neighbour: N) -> bool {
        let longer = neighbour > peak && neighbour <= self.max_busy();
        let shorter = neighbour < peak;
        let better = if self.objective.smallest {
            shorter
        } else {
            longer
        };
        better && self.objective.measure == Measure::Length
    }

    /// Compares the window at `start`, which has this peak, with what was found.
    fn compare(&mut self, start: usize, peak: N) {
        let Profile { axis, counts, .. } = self.profile;
        let objective = &self.objective;
        let window = self.job.window(start);
        let free = self.free(peak);
        let mut measured = u64::from(free);
        if objective.measure != Measure::Free {
            if objective.last.holds(&window, free) {
                return;
            }
            let within = if objective.smallest {
                objective.while_smaller::<N>(&window, free)
            } else {
                let conflicts = |offset| counts.at(axis.index(offset)) > peak;
                objective.last.bounds(&window, objective.slots, conflicts)
            };
            let most = objective.measure.of(within.len(), free);
            if within.len() < window.len() || !objective.smallest && most <= objective.best {
                return;
            }
            let rectangle = self.rectangle(&window, within, peak);
            measured = objective.measure.of(rectangle.len(), free);
            self.objective.last.rectangle = rectangle;
            self.objective.last.free = free;
        }
        if self.objective.improves(measured) {
            self.best = Some(start);
            self.leave_out_busier(measured);
        }
    }

    /// Lowers the bound so that only windows fit that leave more than `free` free, where that is what counts.
    fn leave_out_busier(&mut self, free: u64) {
        if self.objective.measure == Measure::Free && !self.objective.smallest {
            let busy = u64::from(self.objective.machine).saturating_sub(free);
            self.job.max_busy = busy.saturating_sub(1) as u32;
        }
    }

    fn free(&self, busy: N) -> u32 {
        self.objective.machine.saturating_sub(busy.get())
    }

    fn max_busy(&self) -> N {
        N::of(self.job.max_busy)
    }

    /// Returns the longest range in `within` around `window` with no more than `busy` busy.
    fn rectangle(&self, window: &Range<usize>, within: Range<usize>, busy: N) -> Range<usize> {
        let Profile { axis, counts, .. } = self.profile;
        let before = counts.last_above::<BulkScan>(axis, within.start..window.start, busy);
        let behind = BulkScan::first_above(counts, axis, window.end..within.end, busy);
        before.map_or(within.start, |slot| slot.saturating_add(1))..behind.unwrap_or(within.end)
    }
}
