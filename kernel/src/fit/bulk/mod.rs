//! The searches for rings that are read in bulk: the plain ones with shortcuts, and others that look at many starts at once.

mod groups;
mod others;
mod plateaus;
mod shortcuts;

use super::{
    Candidates, Job,
    exhaustive::{self, Objective},
    first::{ForwardSearch, MostFree},
};
use crate::{
    policy::Policy,
    ring::{BulkScan, BulkWindow, Count, Profile},
};
use shortcuts::ByCounts;

/// How many improvements are sought in order of time.
const PATIENCE: u32 = 8;

/// How many slots lie between two starts whose counts are checked before their sets.
const STRIDE: usize = 8;

/// Returns the start that `policy` chooses, if any start is feasible; `counts_decide` as [`RingSearch::COUNTS_DECIDE`](crate::ring::RingSearch).
/// Inlined where the type of the windows is known: first fit takes 4 % more instructions otherwise.
#[inline(always)]
pub(super) fn choose<N: Count>(
    profile: Profile<'_, N>,
    windows: &mut dyn BulkWindow,
    counts_decide: bool,
    job: &Job,
    policy: Policy,
) -> Option<usize> {
    match policy {
        Policy::FirstFit => earliest(profile, windows, counts_decide, job),
        Policy::PeWorstFit => most_free(profile, windows, counts_decide, job),
        policy if counts_decide && plateaus::pay(job) => plateaus::best(profile, job, policy),
        policy => match windows.in_groups() {
            Some(windows) => groups::best(profile, windows, job, policy),
            None => best(profile, windows, counts_decide, job, policy),
        },
    }
}

/// As the plain search, after a glance at the first start. Inlined as [`choose`] is.
#[inline(always)]
pub(super) fn earliest<N: Count>(
    profile: Profile<'_, N>,
    windows: &mut dyn BulkWindow,
    counts_decide: bool,
    job: &Job,
) -> Option<usize> {
    // There may be no start at all.
    if job.ready <= job.latest && windows.surely_fits(job.ready, job.max_busy) {
        return Some(job.ready);
    }
    let mut search = ForwardSearch::new(profile, job, ByCounts::new(counts_decide));
    search.next(job.max_busy, windows)
}

/// As the plain search, which goes on for a few improvements only: then the rest of the starts are searched by their bound, many at a time.
fn most_free<N: Count>(
    profile: Profile<'_, N>,
    windows: &mut dyn BulkWindow,
    counts_decide: bool,
    job: &Job,
) -> Option<usize> {
    let mut most_free = MostFree::new(profile, job, ByCounts::new(counts_decide));
    let mut patience = PATIENCE;
    while most_free.improve(windows) {
        patience = patience.saturating_sub(1);
        if patience > 0 {
            continue;
        }
        let (rest, policy) = (most_free.rest(), Policy::PeWorstFit);
        if counts_decide {
            return plateaus::best(profile, &rest, policy).or(most_free.best);
        }
        if let Some(windows) = windows.in_groups() {
            return groups::best(profile, windows, &rest, policy).or(most_free.best);
        }
    }
    most_free.best
}

/// As the plain search, without the starts that are as good as the one before. Not inlined, so that first fit is.
#[inline(never)]
fn best<N: Count>(
    profile: Profile<'_, N>,
    windows: &mut dyn BulkWindow,
    counts_decide: bool,
    job: &Job,
    policy: Policy,
) -> Option<usize> {
    // Sets decide by themselves, so that it suffices to check counts now and then.
    let stride = if counts_decide { 0 } else { STRIDE };
    let objective = objective(profile, job, policy);
    exhaustive::best_of::<BulkScan, N>(
        profile,
        windows,
        job,
        objective,
        stride,
        Candidates::next_other,
    )
}

/// The objective of `policy`, with which a search ends when everything is free.
fn objective<N>(profile: Profile<'_, N>, job: &Job, policy: Policy) -> Objective {
    let mut objective = Objective::new(profile, job, policy);
    if !objective.smallest {
        objective.perfect = objective.measure.of(objective.slots, objective.machine);
    }
    objective
}
