//! metrics.json against sums over the tables: what only some systems have. Rule 7.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{
    bands::Bands,
    entries::{near, ratio, same, same_or_none},
    findings::{Findings, shown},
    operations::Movers,
    service::Percentiles,
    settings::Settings,
};
use crate::{
    engine::{Breach, Cause, OnLate},
    files::{
        Bit, Decision, Job, KILLED, Move, OutageRow, Piece, Price, Profile, Reservation, STOPPED,
    },
};

/// Best effort is paid by the minute.
const MINUTE: u64 = 60;

/// Entries of some systems only.
#[derive(Deserialize)]
pub(super) struct Extra {
    reduced: Option<u64>,
    ranges: Option<u64>,
    shortened: Option<u64>,
    moves: Option<u64>,
    moved: Option<u64>,
    frozen: Option<u64>,
    suggested: Option<u64>,
    violations: Option<u64>,
    violation_rate: Option<f64>,
    overlays: Option<u64>,
    late_starts: Option<u64>,
    cut_short: Option<u64>,
    overlay_violation_rate: Option<f64>,
    promised_violation_rate: Option<f64>,
    compensation: Option<f64>,
    outage_pe_seconds: Option<u64>,
    promises_broken: Option<u64>,
    promises_broken_rate: Option<f64>,
    promises_broken_per_pe_hour: Option<f64>,
    promises_broken_running: Option<u64>,
    outage_replacements: Option<u64>,
    outage_delay: Option<f64>,
    promises_moved: Option<u64>,
    inevitable_broken: Option<u64>,
    deadlines_kept: Option<u64>,
    deadlines_missed: Option<u64>,
    deadlines_kept_rate: Option<f64>,
    kept_pe_seconds: Option<u64>,
    undated_waiting_time: Option<f64>,
    undated_slowdown: Option<f64>,
    undated_bounded_slowdown: Option<f64>,
    promised_late: Option<u64>,
    gave_up: Option<u64>,
    promise_delay: Option<f64>,
    preempted_pe_seconds: Option<u64>,
    best_effort_submitted: Option<u64>,
    best_effort_started: Option<u64>,
    best_effort_waiting_time: Option<f64>,
    best_effort_overran: Option<u64>,
    planned_drift: Option<Percentiles>,
    start_bands: Option<Bands>,
    revenue_reservations: Option<f64>,
    revenue_best_effort: Option<f64>,
}

impl Extra {
    pub(super) fn check_queue(
        &self,
        queued: &[&Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let ran = || {
            queued
                .iter()
                .filter_map(|job| job.ran().map(|[start, _]| (job, start)))
        };
        let count = |jobs: usize| settings.has_queue().then_some(jobs as u64);
        let entry = self.best_effort_submitted;
        same_or_none("best_effort_submitted", entry, count(queued.len()), found);
        let entry = self.best_effort_started;
        same_or_none("best_effort_started", entry, count(ran().count()), found);
        let waits = ran().map(|(job, start)| start.saturating_sub(job.submission_time) as f64);
        let mean = ratio(waits.sum(), ran().count() as f64);
        let entry = self.best_effort_waiting_time;
        near("best_effort_waiting_time", entry, mean, found);
        let stopped = ran().filter(|(job, _)| job.metadata.says(STOPPED));
        let entry = self.best_effort_overran;
        same_or_none("best_effort_overran", entry, count(stopped.count()), found);
        let there = self.planned_drift.is_some();
        same(
            "planned_drift, whether it is there",
            &there,
            &settings.plans(),
            found,
        );
        if let Some(drift) = &self.planned_drift {
            let drifts = ran().filter_map(|(job, _)| job.metadata.planned());
            let mut drifts: Vec<f64> = drifts.map(|[_, drift]| drift as f64).collect();
            drift.check("planned_drift", &mut drifts, found);
        }
        let there = self.start_bands.is_some();
        same(
            "start_bands, whether they are there",
            &there,
            &settings.plans(),
            found,
        );
        if let Some(bands) = &self.start_bands {
            let ran = ran().map(|(job, start)| (*job, start));
            bands.check(ran, settings, found);
        }
    }

    /// What was lost by runs that ended for reservations.
    pub(super) fn check_pieces(&self, pieces: &[Piece], settings: &Settings, found: &mut Findings) {
        let there = settings.preemptions;
        let count = there.map(|_| pieces.len() as u64);
        same_or_none("preemptions", there, count, found);
        let lost = pieces.iter().map(Piece::pe_seconds);
        let lost = there.map(|_| lost.fold(0, u64::saturating_add));
        let entry = self.preempted_pe_seconds;
        same_or_none("preempted_pe_seconds", entry, lost, found);
    }

    /// What outages and overruns did.
    pub(super) fn check_outages(
        &self,
        (reservations, jobs): (&[Reservation], &[Job<'_>]),
        (outages, moves, breaks): (&[OutageRow], &[Move], bool),
        settings: &Settings,
        found: &mut Findings,
    ) {
        let there = settings.loses_pes();
        let count = |count: usize| there.then_some(count as u64);
        let either = |count: usize| breaks.then_some(count as u64);
        let ids: BTreeSet<u64> = outages.iter().map(|row| row.id).collect();
        same_or_none("outages", settings.outages, count(ids.len()), found);
        let away = outages.iter().map(OutageRow::pe_seconds);
        let away = away.fold(0, u64::saturating_add);
        let entry = self.outage_pe_seconds;
        same_or_none("outage_pe_seconds", entry, there.then_some(away), found);
        let accepted = reservations.iter().filter(|row| row.is_accepted()).count();
        let broken = jobs.iter().filter(|job| job.metadata.broken().is_some());
        let broken = broken.count();
        same_or_none(
            "promises_broken",
            self.promises_broken,
            either(broken),
            found,
        );
        let share = ratio(broken as f64, accepted as f64).filter(|_| breaks);
        near(
            "promises_broken_rate",
            self.promises_broken_rate,
            share,
            found,
        );
        let hourly = ratio(broken as f64 * 3_600.0, away as f64).filter(|_| there);
        let entry = self.promises_broken_per_pe_hour;
        near("promises_broken_per_pe_hour", entry, hourly, found);
        let stopped = jobs.iter().filter(|job| job.final_state == KILLED).count();
        let entry = self.promises_broken_running;
        same_or_none("promises_broken_running", entry, either(stopped), found);
        let by = |causes: &'static [Cause]| {
            let by = move |row: &&Move| causes.iter().any(|cause| cause.name() == row.cause);
            moves.iter().filter(by)
        };
        let replaced = || by(&[Cause::Outage]);
        let entry = self.outage_replacements;
        same_or_none(
            "outage_replacements",
            entry,
            count(replaced().count()),
            found,
        );
        let delays =
            replaced().filter_map(|row| Some(row.new_start as f64 - row.old_start? as f64));
        let delay = ratio(delays.sum(), replaced().count() as f64).filter(|_| there);
        near("outage_delay", self.outage_delay, delay, found);
        let moved = by(&Cause::DISPLACING).filter(|row| row.old_start != Some(row.new_start));
        let moved: BTreeSet<u64> = moved.map(|row| row.job_id).collect();
        same_or_none(
            "promises_moved",
            self.promises_moved,
            either(moved.len()),
            found,
        );
        // How many had to be broken depends on real run times, which files do not tell of jobs that were stopped.
        if self
            .inevitable_broken
            .is_some_and(|least| !there || least > broken as u64)
        {
            let least = self.inevitable_broken.unwrap_or_default();
            found.entry(
                "inevitable_broken",
                &least,
                &format_args!("at most {broken}"),
            );
        }
    }

    /// Which deadlines were kept: told where requests wait, where jobs of the queue have windows, and where somebody wanted to know.
    pub(super) fn check_deadlines(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let mut rows = reservations.iter();
        let due: Vec<(bool, u64)> = jobs
            .iter()
            .filter_map(|job| {
                let (deadline, cut) = match job.profile {
                    Profile::Reservation => {
                        let row = rows.next()?;
                        let cut = row.violation.as_deref() == Some(Breach::CutShort.name());
                        (row.deadline, cut)
                    }
                    Profile::BestEffort => (job.metadata.window()?[1], false),
                    Profile::Split => return None,
                };
                let whole = job.success.0 && !cut && !job.metadata.says("cancelled");
                let kept = whole && job.finish_time.is_some_and(|finish| finish <= deadline);
                Some((kept, job.pe_seconds()))
            })
            .collect();
        let windows = jobs.iter().any(|job| job.metadata.window().is_some());
        let told = settings.waits() || windows || self.deadlines_kept.is_some();
        let kept = || due.iter().filter(|(kept, _)| *kept);
        let count = kept().count();
        let used = kept().map(|(_, used)| *used).fold(0, u64::saturating_add);
        let counts = [
            ("deadlines_kept", self.deadlines_kept, count as u64),
            (
                "deadlines_missed",
                self.deadlines_missed,
                (due.len() - count) as u64,
            ),
            ("kept_pe_seconds", self.kept_pe_seconds, used),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, told.then_some(count), found);
        }
        let rate = ratio(count as f64, due.len() as f64).filter(|_| told);
        near("deadlines_kept_rate", self.deadlines_kept_rate, rate, found);
        let undated = || {
            let queued = jobs.iter().filter(|job| job.is_best_effort());
            let undated = queued.filter(|job| job.metadata.window().is_none());
            undated.filter_map(|job| Some((job.submission_time, job.ran()?)))
        };
        // Submission, start, end.
        type Figure = fn((u64, [u64; 2])) -> Option<f64>;
        let figures: [(_, _, Figure); 3] = [
            (
                "undated_waiting_time",
                self.undated_waiting_time,
                |(submitted, [start, _])| Some(start.saturating_sub(submitted) as f64),
            ),
            (
                "undated_slowdown",
                self.undated_slowdown,
                |(submitted, [start, end])| {
                    let ran = end.saturating_sub(start) as f64;
                    (ran > 0.0).then(|| end.saturating_sub(submitted) as f64 / ran)
                },
            ),
            (
                "undated_bounded_slowdown",
                self.undated_bounded_slowdown,
                |(submitted, [start, end])| {
                    let ran = end.saturating_sub(start).max(10) as f64;
                    Some((end.saturating_sub(submitted) as f64 / ran).max(1.0))
                },
            ),
        ];
        for (name, entry, of) in figures {
            let all = || undated().filter_map(of);
            let mean = ratio(all().sum(), all().count() as f64).filter(|_| told);
            near(name, entry, mean, found);
        }
    }

    /// What became of requests that waited.
    pub(super) fn check_waiting(
        &self,
        reservations: &[Reservation],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let decided = |decision| {
            reservations
                .iter()
                .filter(move |row| row.decision == decision)
        };
        let late = || decided(Decision::PromisedLate);
        let count = |count: usize| settings.waits().then_some(count as u64);
        let entry = self.promised_late;
        same_or_none("promised_late", entry, count(late().count()), found);
        let gave_up = count(decided(Decision::GaveUp).count());
        same_or_none("gave_up", self.gave_up, gave_up, found);
        let delays = late().map(|row| row.promised_at().saturating_sub(row.arrival) as f64);
        let delay = ratio(delays.sum(), late().count() as f64);
        near("promise_delay", self.promise_delay, delay, found);
    }

    /// Requests that leave their length open.
    pub(super) fn check_ranges(&self, reservations: &[Reservation], found: &mut Findings) {
        let ranges = || reservations.iter().filter(|row| row.shortest().is_some());
        let shortened = ranges().filter(|row| row.is_accepted() && row.granted() != row.asked());
        let count = |count: usize| (ranges().count() > 0).then_some(count as u64);
        same_or_none("ranges", self.ranges, count(ranges().count()), found);
        same_or_none("shortened", self.shortened, count(shortened.count()), found);
    }

    /// What a strategy that moves reservations did; `moves` are its own and those of operations.
    pub(super) fn check_juggling(
        &self,
        reservations: &[Reservation],
        (moves, movers): (&[Move], &Movers),
        settings: &Settings,
        found: &mut Findings,
    ) {
        let own = || moves.iter().filter(|row| movers.is_strategy(row));
        let moved: BTreeSet<u64> = own().map(|row| row.job_id).collect();
        let earlier = |row: &&Reservation| row.fixed_at.flatten() < row.final_start.flatten();
        let agreed = |row: &&Reservation| row.agreed().is_some();
        let counts = [
            ("moves", self.moves, own().count()),
            ("moved", self.moved, moved.len()),
            (
                "frozen",
                self.frozen,
                reservations.iter().filter(earlier).count(),
            ),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, settings.moves().then_some(count as u64), found);
        }
        let suggested = reservations.iter().filter(agreed).count() as u64;
        let suggested = settings.juggles().then_some(suggested);
        same_or_none("suggested", self.suggested, suggested, found);
    }

    /// What lies on top of others, and violations of promises.
    pub(super) fn check_overlays(
        &self,
        reservations: &[Reservation],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let accepted = || reservations.iter().filter(|row| row.is_accepted());
        let violated = |row: &&Reservation| row.violated.flatten() == Some(Bit(true));
        let violations = accepted().filter(violated).count();
        let count = |count: usize, told: bool| told.then_some(count as u64);
        same_or_none(
            "violations",
            self.violations,
            count(violations, true),
            found,
        );
        let share =
            |part: f64, whole: usize, told: bool| ratio(part, whole as f64).filter(|_| told);
        let rate = share(violations as f64, accepted().count(), true);
        near("violation_rate", self.violation_rate, rate, found);
        let told = settings.overlays();
        let overlays = || accepted().filter(|row| row.is_overlay());
        same_or_none(
            "overlays",
            self.overlays,
            count(overlays().count(), told),
            found,
        );
        let [late, cut] = Breach::ALL.map(|breach| {
            let is = |row: &&Reservation| row.violation.as_deref() == Some(breach.name());
            count(accepted().filter(is).count(), told)
        });
        same_or_none("late_starts", self.late_starts, late, found);
        same_or_none("cut_short", self.cut_short, cut, found);
        let rate = share(violations as f64, overlays().count(), told);
        near(
            "overlay_violation_rate",
            self.overlay_violation_rate,
            rate,
            found,
        );
        let paid = accepted().filter_map(|row| row.compensation.flatten());
        let paid = paid.map(Price::units).sum();
        let compensates = matches!(settings.on_late(), OnLate::Compensate(_));
        let entry = self.compensation;
        near("compensation", entry, compensates.then_some(paid), found);
        let risks = overlays().filter_map(|row| Some(1.0 - row.probability.flatten()?.0));
        let promised = share(risks.sum(), overlays().count(), told);
        // The column is cut at six decimals.
        let cell = self.promised_violation_rate;
        let same = match (cell, promised) {
            (Some(cell), Some(promised)) => (cell - promised).abs() < 1e-6,
            (cell, promised) => cell == promised,
        };
        if !same {
            let words = |rate: Option<f64>| shown(&rate);
            found.entry("promised_violation_rate", &words(cell), &words(promised));
        }
    }

    pub(super) fn check_prices(
        &self,
        reservations: &[Reservation],
        queued: &[&Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let accepted = reservations.iter().filter(|row| row.is_accepted());
        let reduced = accepted.filter(|row| row.granted() != row.asked());
        let reduced = settings.is_elastic().then(|| reduced.count() as u64);
        same_or_none("reduced", self.reduced, reduced, found);
        let prices = reservations.iter().filter_map(|row| row.price.flatten());
        let revenue = prices.map(Price::units).sum();
        let priced = settings.price_per_pe_minute.is_some();
        let entry = self.revenue_reservations;
        near(
            "revenue_reservations",
            entry,
            priced.then_some(revenue),
            found,
        );
        let rate = settings.price_per_pe_minute.unwrap_or(0.0);
        let minutes = queued.iter().filter_map(|job| {
            let [start, end] = job.ran()?;
            let ran = end.checked_sub(start)?;
            Some(ran.div_ceil(MINUTE) as f64 * job.requested_number_of_resources as f64)
        });
        let revenue = minutes.sum::<f64>() * rate;
        let priced = priced && settings.has_queue();
        let entry = self.revenue_best_effort;
        near(
            "revenue_best_effort",
            entry,
            priced.then_some(revenue),
            found,
        );
    }
}
