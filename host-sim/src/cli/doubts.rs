//! Refusals that say more about the options than about the systems.

use std::sync::{Mutex, PoisonError};

use super::screen;
use crate::{
    arrivals::Arrivals,
    engine::{
        System,
        rounding::{Losses, distorts},
    },
    error::Result,
    report::{
        rounding,
        words::{grouped, plural},
    },
    request::JobRequest,
};

/// What is said of the run in which most requests were refused because of the horizon, of the one in which most were lost to rounding, and of the one
/// in which most refusals are those of searches that had to stop.
#[derive(Default)]
pub(super) struct Doubts(Mutex<[Option<Doubt>; 3]>);

/// A share, and a sentence about it.
type Doubt = (f64, String);

/// How many requests were refused, by what it may have been.
#[derive(Clone, Copy, Default)]
pub(super) struct Refused {
    /// Because of the horizon.
    pub(super) far: usize,
    /// Lost to rounding.
    pub(super) lost: usize,
    /// Since the search had to stop.
    pub(super) stopped: usize,
    /// In all.
    pub(super) all: usize,
}

impl Refused {
    /// By the count of each reason.
    pub(super) fn of(by_reason: impl Fn(&str) -> usize, lost: usize, all: usize) -> Self {
        Self {
            far: by_reason("beyond-horizon") + by_reason("too-long"),
            lost,
            stopped: by_reason("work-limit"),
            all,
        }
    }
}

impl Doubts {
    /// Looks at a run, and at what was refused in it.
    pub(super) fn see(
        &self,
        system: &System,
        arrivals: &Arrivals<'_>,
        refused: Refused,
    ) -> Result<()> {
        let Refused { far, lost, .. } = refused;
        if far + lost + refused.stopped == 0 {
            return Ok(());
        }
        let count = arrivals.outline.requests();
        let requests = || -> Result<_> {
            let demands = arrivals.demands.each()?;
            Ok(demands.filter_map(|demand| match demand {
                Ok(demand) => demand.request().cloned().map(Ok),
                Err(error) => Some(Err(error)),
            }))
        };
        let size = [system.slots, system.slot_seconds];
        let share = |share: usize| share as f64 / count as f64;
        let far = match far {
            0 => None,
            _ => Some((share(far), beyond((far, count), requests()?, size[1])?)),
        };
        let advice = match distorts(lost, count) {
            false => None,
            true => {
                let mut losses = Losses::below(system.slot_seconds);
                for request in requests()? {
                    losses.add(&request?);
                }
                rounding::advice(lost, &losses, size)
            }
        };
        let advice = advice.map(|advice| (share(lost), advice));
        let seen = [far, advice, stopped(system, refused)];
        let mut worst = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (worst, seen) in worst.iter_mut().zip(seen) {
            let least = worst.as_ref().map_or(0.0, |(share, _)| *share);
            if seen.as_ref().is_some_and(|(share, _)| *share > least) {
                *worst = seen;
            }
        }
        Ok(())
    }

    /// Says them, and of which of several runs they are.
    pub(super) fn warn(&self, which: &str) {
        let worst = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, sentence) in worst.iter().flatten() {
            screen::note(&format!("warning: {which}{sentence}"));
        }
    }
}

/// Where more than three in four refusals are those of a search that had to stop, they say little about the strategy. The limit counts
/// slots, so that short slots reach it soon.
fn stopped(system: &System, Refused { stopped, all, .. }: Refused) -> Option<Doubt> {
    (4 * stopped > 3 * all).then(|| {
        let sentence = format!(
            "{}: {} of {} as work-limit: see --work-limit, and --slot-seconds for longer slots",
            system.strategy.label(),
            grouped(stopped),
            plural(all, "refusal"),
        );
        (stopped as f64 / all as f64, sentence)
    })
}

/// How many slots would hold every window. It is long jobs that do not fit, so that the share of accepted requests tells little.
fn beyond(
    (refused, count): (usize, usize),
    requests: impl Iterator<Item = Result<JobRequest>>,
    slot_seconds: u32,
) -> Result<String> {
    let slot = u64::from(slot_seconds);
    let mut most = 0;
    for request in requests {
        let request = request?;
        most = most.max((request.deadline / slot).saturating_sub(request.arrival / slot));
    }
    Ok(format!(
        "{} of {} refused as beyond-horizon or too-long, the longest windows: --slots {most} holds all of them",
        grouped(refused),
        plural(count, "request"),
    ))
}
