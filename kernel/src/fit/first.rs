//! First fit and PE worst fit: the policies that can leap.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be looked at, and after a failure only releases behind the last slot that is in the way.

use super::Job;
use crate::ring::{Field, Shape};

/// The earliest start.
///
/// O(window) for counts. For sets O(window x columns), and over wide columns O(columns x log duration) more for each leap, since single
/// windows are looked at only as far as an allowance goes; then the sweep takes over.
pub(crate) fn earliest(field: Field<'_>, shape: &mut dyn Shape, job: &Job) -> Option<usize> {
    Hunt::new(field, job).next(job.limit, shape)
}

/// The earliest of the starts that leave the most free. Cost as for [`earliest`], and O(duration / 64) for each improvement, of
/// which there are at most as many as processing elements and as releases in the window.
pub(crate) fn most_free(field: Field<'_>, shape: &mut dyn Shape, job: &Job) -> Option<usize> {
    let mut hunt = Hunt::new(field, job);
    let mut best = None;
    let mut limit = Some(job.limit);
    // Later starts must be strictly better, so the bar rises and time runs on: at most one round for each PE.
    while let Some(start) = limit.and_then(|limit| hunt.next(limit, shape)) {
        best = Some(start);
        let better = shape.busy_of_fit(start).checked_sub(1);
        limit = better.and_then(|limit| u16::try_from(limit).ok());
        hunt.go_on_behind(start);
    }
    best
}

/// Runs through the window from fit to fit.
struct Hunt<'r> {
    field: Field<'r>,
    job: Job,
    /// The next start to look at; over when it is behind the latest.
    start: usize,
    /// The counts from `start` up to here are known to be within the limit.
    checked: usize,
}

impl<'r> Hunt<'r> {
    const fn new(field: Field<'r>, job: &Job) -> Self {
        Self {
            field,
            job: *job,
            start: job.ready,
            checked: job.ready,
        }
    }

    /// The next start at which at most `limit` are busy throughout.
    fn next(&mut self, limit: u16, shape: &mut dyn Shape) -> Option<usize> {
        // Each round begins at a later start than the one before: at most one for each release in the window.
        while self.start <= self.job.latest {
            let start = self.start;
            let end = self.job.window(start).end;
            let unchecked = self.checked.max(start)..end;
            self.checked = end;
            match shape.last_blocked(start, unchecked, limit) {
                None => return Some(start),
                Some(blocked) => self.leap(blocked),
            }
        }
        None
    }

    fn leap(&mut self, blocked: usize) {
        let later = blocked.saturating_add(1)..self.job.latest.saturating_add(1);
        let release = self.field.edges.next_release(self.field.axis, later);
        self.start = release.unwrap_or(usize::MAX);
    }

    /// Goes on behind the fit at `start`, to another limit, for which nothing has been checked yet.
    fn go_on_behind(&mut self, start: usize) {
        self.leap(start);
        self.checked = 0;
    }
}
