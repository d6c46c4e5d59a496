//! metrics.json against sums over the tables: what only some systems have. Rule 7.

use serde::Deserialize;

use super::{
    entries::{near, ratio, same},
    findings::Findings,
    settings::Settings,
};
use crate::files::{Job, Price, Reservation, STOPPED};

/// Best effort is paid by the minute.
const MINUTE: u64 = 60;

/// Entries of some systems only, 0 for the others.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Extra {
    reduced: u64,
    best_effort_submitted: u64,
    best_effort_started: u64,
    best_effort_waiting_time: Option<f64>,
    best_effort_overran: u64,
    revenue_reservations: f64,
    revenue_best_effort: f64,
}

impl Extra {
    pub(super) fn check_queue(&self, jobs: &[Job<'_>], found: &mut Findings) {
        let Extra {
            best_effort_submitted: submitted,
            best_effort_started: started,
            best_effort_waiting_time: waiting_time,
            best_effort_overran: overran,
            ..
        } = *self;
        let queued = || jobs.iter().filter(|job| job.is_best_effort());
        let ran = || queued().filter_map(|job| job.ran().map(|[start, end]| (job, start, end)));
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
        let waits = ran().map(|(job, start, _)| start.saturating_sub(job.submission_time) as f64);
        let mean = ratio(waits.sum(), ran().count() as f64);
        near("best_effort_waiting_time", waiting_time, mean, found);
        let stopped = ran().filter(|(job, ..)| job.metadata.says(STOPPED));
        let stopped = count(stopped.count());
        same("best_effort_overran", &overran, &stopped, found);
    }

    pub(super) fn check_prices(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let less = |promise: &&Reservation| promise.granted() != promise.asked();
        let reduced = reservations
            .iter()
            .filter(|promise| promise.is_accepted())
            .filter(less);
        same("reduced", &self.reduced, &(reduced.count() as u64), found);
        let prices = reservations
            .iter()
            .filter_map(|promise| promise.price.flatten());
        near(
            "revenue_reservations",
            self.revenue_reservations,
            prices.map(Price::units).sum(),
            found,
        );
        let rate = settings.price_per_pe_minute.unwrap_or(0.0);
        let minutes = jobs
            .iter()
            .filter(|job| job.is_best_effort())
            .filter_map(|job| {
                let [start, end] = job.ran()?;
                let ran = end.checked_sub(start)?;
                Some(ran.div_ceil(MINUTE) as f64 * job.requested_number_of_resources as f64)
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
