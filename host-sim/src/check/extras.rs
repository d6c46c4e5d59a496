//! metrics.json against sums over the tables: what only some systems have. Rule 7.

use serde::Deserialize;

use super::{
    Findings,
    rows::{Job, Promise},
    totals::{Machine, near, ratio, same},
};

/// Best effort is paid by the minute.
const MINUTE: u64 = 60;

/// Entries of some systems only, 0 for the others.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Extra {
    reduced: u64,
    best_effort_submitted: u64,
    best_effort_started: u64,
    best_effort_waiting_time: f64,
    best_effort_overran: u64,
    revenue_reservations: f64,
    revenue_best_effort: f64,
}

impl Extra {
    pub(super) fn check_queue(&self, jobs: &[Job], found: &mut Findings) {
        let Extra {
            best_effort_submitted: submitted,
            best_effort_started: started,
            best_effort_waiting_time: waiting_time,
            best_effort_overran: overran,
            ..
        } = *self;
        let queued = || jobs.iter().filter(|job| job.best_effort);
        let ran = || queued().filter_map(|job| Some((job, job.ran[0]?, job.ran[1]?)));
        let count = |jobs: usize| jobs as u64;
        same(
            "best_effort_submitted",
            &submitted,
            &count(queued().count()),
            found,
        );
        same(
            "best_effort_started",
            &started,
            &count(ran().count()),
            found,
        );
        let waits = ran().map(|(job, start, _)| start.saturating_sub(job.submitted) as f64);
        let mean = ratio(waits.sum(), ran().count() as f64);
        near("best_effort_waiting_time", waiting_time, mean, found);
        // Whether a job that ran to its estimate would have gone on, no table says.
        let to_the_end =
            ran().filter(|(job, start, end)| end.checked_sub(*start) == Some(job.requested_time));
        if overran > count(to_the_end.count()) {
            let problem = format!(
                "metrics.json, best_effort_overran: {overran} is more than ran to their estimates"
            );
            found.add(None, problem);
        }
    }

    pub(super) fn check_prices(
        &self,
        promises: &[Promise],
        jobs: &[Job],
        machine: &Machine,
        found: &mut Findings,
    ) {
        let less = |promise: &&Promise| promise.granted != [promise.duration, promise.pes];
        let reduced = promises
            .iter()
            .filter(|promise| promise.accepted)
            .filter(less);
        same("reduced", &self.reduced, &(reduced.count() as u64), found);
        let prices = promises.iter().filter_map(|promise| promise.price);
        near(
            "revenue_reservations",
            self.revenue_reservations,
            prices.sum(),
            found,
        );
        let rate = machine.price_per_pe_minute.unwrap_or(0.0);
        let minutes = jobs.iter().filter(|job| job.best_effort).filter_map(|job| {
            let ran = job.ran[1]?.checked_sub(job.ran[0]?)?;
            Some(ran.div_ceil(MINUTE) as f64 * job.requested_pes as f64)
        });
        let revenue = minutes.sum::<f64>() * rate;
        near(
            "revenue_best_effort",
            self.revenue_best_effort,
            revenue,
            found,
        );
    }
}
