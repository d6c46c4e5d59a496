//! Refusals that say more about the options than about the systems.

use std::sync::{Mutex, PoisonError};

use super::screen;
use crate::{
    engine::System,
    operation::Script,
    report::{
        rounding,
        words::{grouped, plural},
    },
    request::{Demand, JobRequest},
};

/// What is said of the run in which most requests were refused because of the horizon, and of the one in which most were lost to rounding.
#[derive(Default)]
pub(super) struct Doubts(Mutex<[Option<Doubt>; 2]>);

/// The share of the requests, and a sentence about it.
type Doubt = (f64, String);

impl Doubts {
    /// Looks at a run: so many of its requests were refused because of the horizon, and so many lost to rounding.
    pub(super) fn see(&self, system: &System, script: &Script, [far, lost]: [usize; 2]) {
        if far + lost == 0 {
            return;
        }
        let requests = script.demands.iter().filter_map(Demand::request);
        let requests: Vec<&JobRequest> = requests.collect();
        let size = [system.slots, system.slot_seconds];
        let share = |count: usize| count as f64 / requests.len() as f64;
        let seen = [
            (far > 0).then(|| (share(far), beyond(far, &requests, size[1]))),
            rounding::advice(lost, &requests, size).map(|advice| (share(lost), advice)),
        ];
        let mut worst = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (worst, seen) in worst.iter_mut().zip(seen) {
            let least = worst.as_ref().map_or(0.0, |(share, _)| *share);
            if seen.as_ref().is_some_and(|(share, _)| *share > least) {
                *worst = seen;
            }
        }
    }

    /// Says them, and of which of several runs they are.
    pub(super) fn warn(&self, which: &str) {
        let worst = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, sentence) in worst.iter().flatten() {
            screen::note(&format!("warning: {which}{sentence}"));
        }
    }
}

/// How many slots would hold every window. It is long jobs that do not fit, so that the share of accepted requests tells little.
fn beyond(count: usize, requests: &[&JobRequest], slot_seconds: u32) -> String {
    let slot = u64::from(slot_seconds);
    let slots =
        |request: &&JobRequest| (request.deadline / slot).saturating_sub(request.arrival / slot);
    format!(
        "{} of {} refused as beyond-horizon or too-long, the longest windows: --slots {} holds all of them",
        grouped(count),
        plural(requests.len(), "request"),
        requests.iter().map(slots).max().unwrap_or(0),
    )
}
