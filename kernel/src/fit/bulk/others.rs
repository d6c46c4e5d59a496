//! The candidate starts that differ from the one before.

use crate::{
    fit::{Candidates, Job},
    ring::Profile,
};

impl Candidates {
    /// Returns the next candidate that differs from the one before: those are left out during whose windows the same is free as during the window
    /// of the one before.
    ///
    /// Nothing changes from one candidate to the next but in two slots: the first of the next window, and the one behind the window before.
    /// More is free only if something is released in the former, and less only if something changes in the latter.
    pub(super) fn next_other<N>(&mut self, profile: Profile<'_, N>, job: &Job) -> Option<usize> {
        while let Some(found) = self.next(profile, job) {
            let Profile { axis, edges, .. } = profile;
            let entering = self.change_at_end == found || found == job.ready;
            let entered = core::mem::replace(&mut self.entering, entering);
            if entered || edges.get(axis.index(found)).release {
                return Some(found);
            }
        }
        None
    }
}
