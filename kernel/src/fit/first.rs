//! First fit and PE worst fit: the policies that can leap.
//!
//! A window that fits better than the one a slot earlier begins where something is released. So only the ready time and
//! releases need to be looked at, and after a failure only releases behind the last slot that is in the way.

use super::Job;
use crate::ring::{Scan, Shape};

/// The earliest start.
///
/// O(window) for counts; for sets O(window x columns), since after a few probes the sweep takes over.
pub(crate) fn earliest<S: Shape>(scan: &mut Scan<'_, S>, job: &Job) -> Option<usize> {
    Hunt::new(job).next(scan, job, job.limit)
}

/// The earliest of the starts that leave the most free. Cost as for [`earliest`], plus the counts of one window per improvement.
pub(crate) fn most_free<S: Shape>(scan: &mut Scan<'_, S>, job: &Job) -> Option<usize> {
    let mut hunt = Hunt::new(job);
    let mut best = None;
    let mut limit = Some(job.limit);
    // Later starts must be strictly better, so the bar rises and time runs on: at most one round for each PE.
    while let Some(start) = limit.and_then(|limit| hunt.next(scan, job, limit)) {
        best = Some(start);
        limit = scan
            .shape
            .busy_of_fit(start)
            .checked_sub(1)
            .and_then(|limit| u16::try_from(limit).ok());
        hunt.raise_the_bar(scan, job, start);
    }
    best
}

/// Runs through the window from fit to fit.
struct Hunt {
    /// The next start to look at.
    start: Option<usize>,
    /// The counts from `start` up to here are known to be within the limit.
    checked: usize,
}

impl Hunt {
    const fn new(job: &Job) -> Self {
        Self {
            start: Some(job.ready),
            checked: job.ready,
        }
    }

    /// The next start at which at most `limit` are busy throughout.
    fn next<S: Shape>(&mut self, scan: &mut Scan<'_, S>, job: &Job, limit: u16) -> Option<usize> {
        // Each round begins at a later start than the one before: at most one for each release in the window.
        while let Some(start) = self.start {
            let end = job.window(start).end;
            let unchecked = self.checked.max(start)..end;
            self.checked = end;
            let blocked = scan
                .counts
                .last_above(scan.axis, unchecked, limit)
                .or_else(|| scan.shape.last_blocked(start, u32::from(limit)));
            match blocked {
                None => return Some(start),
                Some(blocked) => self.leap(scan, job, blocked),
            }
        }
        None
    }

    fn leap<S>(&mut self, scan: &Scan<'_, S>, job: &Job, blocked: usize) {
        let later = blocked.saturating_add(1)..job.latest.saturating_add(1);
        self.start = scan.edges.next_release(scan.axis, later);
    }

    /// Goes on behind the fit at `start` with a lower limit, for which nothing has been checked yet.
    fn raise_the_bar<S>(&mut self, scan: &Scan<'_, S>, job: &Job, start: usize) {
        self.leap(scan, job, start);
        self.checked = 0;
    }
}
