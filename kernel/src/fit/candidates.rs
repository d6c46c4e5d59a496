//! The starts that are looked at.

use super::Job;
use crate::ring::Field;

/// Candidate starts in increasing order, each once.
///
/// With E the slots of [ready, deadline] at which something changes, and ready and deadline themselves: every member of E, and
/// every member less the duration, as far as they lie in [ready, deadline - duration].
///
/// Source: `li`, section 4.2. Its example (the candidate t7 = t9 - duration) shows that the deadline counts as a change.
pub(crate) struct Candidates {
    next: usize,
}

impl Candidates {
    pub(crate) const fn new(job: &Job) -> Self {
        Self { next: job.ready }
    }

    /// The next candidate. O(slots passed / 64).
    pub(crate) fn next(&mut self, field: Field<'_>, job: &Job) -> Option<usize> {
        if self.next > job.latest {
            return None;
        }
        let found = if self.next == job.ready {
            job.ready
        } else {
            let from = self.next;
            let start = field.edges.next_change(field.axis, from..job.latest);
            let until = start.unwrap_or(job.latest);
            let ends = job.window(from).end..job.window(until).end;
            let end = field.edges.next_change(field.axis, ends);
            end.map_or(until, |end| end.saturating_sub(job.duration))
        };
        self.next = found.saturating_add(1);
        Some(found)
    }

    /// Passes over every candidate up to `blocked`.
    pub(crate) fn skip_to_behind(&mut self, blocked: usize) {
        // The ready time is a candidate by itself and has been seen by now.
        self.next = self.next.max(blocked.saturating_add(1));
    }
}
