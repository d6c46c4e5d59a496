//! The search over wide sets that looks at the starts of one group at a time.
//!
//! Most of what decides is common to the windows of a group: their core, which all of them contain, and what is busy in any of them. Where that does
//! not decide, all of them are joined at once.

use crate::{
    fit::{
        Job,
        exhaustive::{Measure, Objective},
    },
    policy::Policy,
    ring::{BulkScan, Count, GroupedWindows, Profile, WORD, low_bits},
};

/// Returns the best start under `policy`, the earliest of equals.
///
/// O(window x columns) for the joins, and O(columns x log duration) for each skip. Policies that measure the rectangle add one rectangle per
/// candidate.
pub(super) fn best<N: Count>(
    profile: Profile<'_, N>,
    windows: &mut dyn GroupedWindows,
    job: &Job,
    policy: Policy,
) -> Option<usize> {
    let mut search = Search {
        profile,
        job: *job,
        objective: super::objective(profile, job, policy),
        best: None,
        next: job.ready,
        checked: job.ready,
        entering: true,
    };
    while let Some(candidates) = search.next_candidates(windows) {
        search.look(windows, &candidates);
        if search.objective.best == search.objective.perfect {
            break;
        }
    }
    search.best
}

struct Search<'r, N> {
    profile: Profile<'r, N>,
    job: Job,
    objective: Objective,
    /// The start that was found best.
    best: Option<usize>,
    /// The starts before this one have been looked at.
    next: usize,
    /// The counts up to here are known to be within the bound.
    checked: usize,
    /// Whether something may change in the slot behind the window of the last candidate.
    entering: bool,
}

/// Candidate starts in one group, as [`Candidates`](crate::fit::Candidates) defines them: a bit for each start from `first`, which is one, on.
struct Candidates {
    first: usize,
    starts: u32,
    /// At which of them something is released.
    released: u32,
    /// Behind whose windows something changes.
    entering: u32,
}

impl<N: Count> Search<'_, N> {
    /// Returns the next candidates of one group.
    fn next_candidates(&mut self, windows: &dyn GroupedWindows) -> Option<Candidates> {
        let Profile { axis, edges, .. } = self.profile;
        let Job {
            ready,
            latest,
            duration,
            ..
        } = self.job;
        while self.next <= latest {
            let first = self.next;
            let left = latest.saturating_sub(first);
            let entering = edges.changes_from(axis, first.saturating_add(duration))
                | u32::from(first == ready);
            let mut starts = edges.changes_from(axis, first) | entering;
            if left < WORD {
                starts = starts & low_bits(left) | 1_u32.wrapping_shl(left as u32);
            }
            if starts & 1 != 0 {
                let group = windows.group(first);
                self.next = group.end;
                return Some(Candidates {
                    first,
                    starts: starts & low_bits(group.len()),
                    released: edges.releases_from(axis, first),
                    entering,
                });
            }
            self.next = first.saturating_add(starts.trailing_zeros() as usize);
        }
        None
    }

    /// Goes on behind `blocked`, which no window contains that fits and has not been looked at.
    fn skip_to_behind(&mut self, blocked: usize) {
        self.next = blocked.saturating_add(1);
        self.entering = true;
    }

    /// Looks at candidates of one group.
    fn look(&mut self, windows: &mut dyn GroupedWindows, candidates: &Candidates) {
        let Candidates {
            first,
            starts,
            released,
            entering,
        } = *candidates;
        let Profile { axis, counts, .. } = self.profile;
        let end = self.job.window(first).end;
        let unchecked = self.checked.max(first)..end;
        self.checked = end;
        if let Some(blocked) =
            counts.last_above::<BulkScan>(axis, unchecked, N::of(self.job.max_busy))
        {
            self.skip_to_behind(blocked);
            return;
        }
        let max_busy = self.job.max_busy;
        if windows.busy_in_all(first) > max_busy {
            self.skip_to_behind(windows.last_start_above(first, max_busy));
            return;
        }
        if self.objective.measure == Measure::Free && self.objective.smallest {
            let most = windows.busy_in_any(first).min(max_busy);
            let Objective { machine, best, .. } = self.objective;
            if u64::from(machine.saturating_sub(most)) >= best {
                self.entering = true;
                return;
            }
        }
        let mut rest = starts;
        while rest != 0 && self.objective.best != self.objective.perfect {
            let mark = rest & rest.wrapping_neg();
            // Otherwise the same is free as during the window of the candidate before.
            if self.entering || released & mark != 0 {
                self.compare(
                    windows,
                    first.saturating_add(rest.trailing_zeros() as usize),
                );
            }
            self.entering = entering & mark != 0;
            rest ^= mark;
        }
    }

    /// Compares the window at `start` with the best so far.
    fn compare(&mut self, windows: &mut dyn GroupedWindows, start: usize) {
        let busy = windows.slide_to(start);
        if busy > self.job.max_busy {
            return;
        }
        let window = self.job.window(start);
        if self.objective.prefers::<N>(window, busy, windows) {
            self.best = Some(start);
            if self.objective.measure == Measure::Free && !self.objective.smallest {
                self.job.max_busy = busy.saturating_sub(1);
            }
        }
    }
}
