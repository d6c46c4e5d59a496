//! The Pareto front of offers: none can start earlier, run longer or be wider without a loss in another respect.

use super::{Interval, Offer, Shortlist, shortlist::FreeArea};
use crate::{
    fit::{self, Job},
    ring::{GrowingView, GrowingWindow, Profile, RingSearch},
};

/// Lists every offer that no other offer dominates. An offer dominates another if it starts no later, and is no shorter
/// and no narrower.
///
/// Such an offer starts at the beginning of the interval or at a release: otherwise it could start a slot earlier. From
/// each of these starts, the width falls in steps as the length grows. A step is on the front if first fit finds no
/// earlier start for it.
///
/// From each start, the groups are visited once: the search for the next step goes on where the one before ended. On sets, it joins what is busy
/// up to there, which costs no more than first fit.
///
/// O(releases x (groups x columns + steps x (first fit + list))), with at most as many steps as groups and as processing elements.
pub(crate) fn pareto_front<R: RingSearch>(
    ring: &mut R,
    interval: &Interval,
    shortlist: &mut Shortlist<'_, '_>,
) {
    let axis = *ring.axis();
    let rank = |offer: &Offer| {
        let narrow = !offer.pes.get();
        (axis.nearest(offer.window.start) as u64) << 32 | u64::from(narrow)
    };
    let mut next = Some(interval.ready);
    while let Some(start) = next {
        let mut length = 0;
        while let Some(step) = next_step(ring, interval, start, length) {
            length = step.window.len();
            if is_earliest(ring, interval, &step) {
                shortlist.insert(&step, rank);
            }
        }
        let later = start.saturating_add(1)..interval.deadline;
        next = ring.edges().next_release(&axis, later);
    }
}

/// Returns the widest of the offers from `start` that are longer than `length`, which is 0 or that of another offer from there, at the greatest
/// length for that width.
fn next_step<R: RingSearch>(
    ring: &mut R,
    interval: &Interval,
    start: usize,
    length: usize,
) -> Option<FreeArea> {
    let Interval { machine, .. } = *interval;
    let GrowingView {
        profile,
        mut growing,
    } = ring.growing_window();
    let Profile { axis, edges, .. } = profile;
    let longest = interval.duration.unwrap_or(usize::MAX);
    let last = start.saturating_add(longest).min(interval.deadline);
    let mut end = start.saturating_add(length);
    if end >= last {
        return None;
    }
    // At the end of a shorter offer the width falls, so on counts no slot before is as busy.
    if R::COUNTS_DECIDE {
        growing.begin(end);
    } else {
        growing.begin_with(start..end.saturating_add(1));
    }
    let widest = interval.pes.unwrap_or(machine);
    let free = machine.saturating_sub(growing.busy()).min(widest);
    if free == 0 {
        return None;
    }
    // Group by group, until the width falls.
    let max_busy = machine.saturating_sub(free);
    loop {
        let later = end.saturating_add(1)..last;
        end = edges.next_change(axis, later).unwrap_or(last);
        if end >= last || !growing.extend(end, max_busy) {
            break;
        }
    }
    let long = end.saturating_sub(start);
    Some(FreeArea {
        window: start..end,
        seed: start..end,
        free,
        solution: Some(long) == interval.duration && Some(free) == interval.pes,
    })
}

/// Returns whether `step` has no earlier start.
fn is_earliest<R: RingSearch>(ring: &mut R, interval: &Interval, step: &FreeArea) -> bool {
    let job = Job {
        ready: interval.ready,
        latest: step.window.start,
        duration: step.window.len(),
        pes: step.free,
        max_busy: interval.machine.saturating_sub(step.free),
    };
    fit::earliest(ring, &job) == Some(step.window.start)
}
