//! The candidate starts.

use super::Job;
use crate::ring::Profile;

/// Candidate starts in increasing order, each once.
///
/// Let E be the slots in [ready, deadline] at which something changes, with ready and deadline themselves. The candidates are every
/// member of E, and every member of E minus the duration, as far as they lie in [ready, deadline - duration].
///
/// Source: `li`, section 4.2. Its example (the candidate t7 = t9 - duration) shows that the deadline counts as a change.
pub(crate) struct Candidates {
    next: usize,
    /// The first change at or after `next`, at most the latest start; out of date when it is less than `next`.
    change: usize,
    /// The same for changes at the end of a run, minus the duration.
    pub(super) change_at_end: usize,
    /// Whether something may change in the slot behind the window of the last candidate.
    pub(super) entering: bool,
}

impl Candidates {
    pub(crate) const fn new(job: &Job) -> Self {
        Self {
            next: job.ready,
            change: 0,
            change_at_end: 0,
            entering: true,
        }
    }

    /// Returns the next candidate. Amortised O(slots passed / 64).
    pub(crate) fn next<N>(&mut self, profile: Profile<'_, N>, job: &Job) -> Option<usize> {
        let Self { next, .. } = *self;
        if next > job.latest {
            return None;
        }
        let mut found = next;
        if next > job.ready {
            let Profile { axis, edges, .. } = profile;
            if self.change < next {
                let change = edges.next_change(axis, next..job.latest);
                self.change = change.unwrap_or(job.latest);
            }
            if self.change_at_end < next {
                let ends = job.window(next).end..job.window(job.latest).end;
                let change = edges.next_change(axis, ends);
                self.change_at_end =
                    change.map_or(job.latest, |end| end.saturating_sub(job.duration));
            }
            found = self.change.min(self.change_at_end);
        }
        self.next = found.saturating_add(1);
        Some(found)
    }

    /// Skips every candidate up to and including `blocked`.
    pub(crate) fn skip_to_behind(&mut self, blocked: usize) {
        self.next = self.next.max(blocked.saturating_add(1));
        self.entering = true;
    }
}
