//! metrics.json against sums over the tables: what only some systems have. Rule 7.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

use serde::Deserialize;

use super::{
    bands::Bands,
    entries::{near, ratio, same, same_or_none},
    findings::{Findings, shown},
    operations::Movers,
    service::{Numbers, Percentiles},
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
    #[serde(default)]
    best_effort_refusals: BTreeMap<String, u64>,
    best_effort_waiting_time: Option<f64>,
    best_effort_overran: Option<u64>,
    planned_drift: Option<Percentiles>,
    start_bands: Option<Bands>,
    revenue_reservations: Option<f64>,
    revenue_best_effort: Option<f64>,
}

/// Sums over the rows of which these entries are made.
#[derive(Default)]
pub(super) struct Sums {
    accepted: u64,
    ranges: u64,
    shortened: u64,
    reduced: u64,
    frozen: u64,
    suggested: u64,
    promised_late: u64,
    gave_up: u64,
    promise_delay: f64,
    violations: u64,
    overlays: u64,
    /// By [`Breach::ALL`].
    breaches: [u64; 2],
    compensation: f64,
    overlay_risk: f64,
    revenue: f64,
    broken: u64,
    broken_running: u64,
    /// Jobs that have a deadline, and those of them that kept it.
    due: u64,
    kept: u64,
    kept_pe_seconds: u64,
    /// Whether a job of the queue has a window.
    has_windows: bool,
}

impl Sums {
    /// The next request.
    pub(super) fn request(&mut self, row: &Reservation) {
        let count = |is: bool| u64::from(is);
        let less = row.granted() != row.asked();
        self.ranges += count(row.shortest().is_some());
        self.frozen += count(row.fixed_at.flatten() < row.final_start.flatten());
        self.suggested += count(row.agreed().is_some());
        self.gave_up += count(row.decision == Decision::GaveUp);
        if row.decision == Decision::PromisedLate {
            self.promised_late += 1;
            self.promise_delay += row.promised_at().saturating_sub(row.arrival) as f64;
        }
        self.revenue += row.price.flatten().map_or(0.0, Price::units);
        if !row.is_accepted() {
            return;
        }
        self.accepted += 1;
        self.shortened += count(row.shortest().is_some() && less);
        self.reduced += count(less);
        self.violations += count(row.violated.flatten() == Some(Bit(true)));
        for (sum, breach) in self.breaches.iter_mut().zip(Breach::ALL) {
            *sum += count(row.violation.as_deref() == Some(breach.name()));
        }
        self.compensation += row.compensation.flatten().map_or(0.0, Price::units);
        if row.is_overlay() {
            self.overlays += 1;
            let kept = row.probability.flatten();
            self.overlay_risk += kept.map_or(0.0, |kept| 1.0 - kept.0);
        }
    }

    /// The next job, and the request that it comes from.
    pub(super) fn job(&mut self, job: &Job<'_>, row: Option<&Reservation>) {
        self.broken += u64::from(job.metadata.broken().is_some());
        self.broken_running += u64::from(job.final_state == KILLED);
        let window = job.metadata.window();
        self.has_windows |= window.is_some();
        let due = match job.profile {
            Profile::Reservation => row.map(|row| {
                let cut = row.violation.as_deref() == Some(Breach::CutShort.name());
                (row.deadline, cut)
            }),
            Profile::BestEffort => window.map(|[_, deadline]| (deadline, false)),
            Profile::Split => None,
        };
        let Some((deadline, cut)) = due else { return };
        self.due += 1;
        let whole = job.success.0 && !cut && !job.metadata.says("cancelled");
        if whole && job.finish_time.is_some_and(|finish| finish <= deadline) {
            self.kept += 1;
            self.kept_pe_seconds = self.kept_pe_seconds.saturating_add(job.pe_seconds());
        }
    }
}

impl Extra {
    /// # Errors
    /// What the file system reports about sorted numbers.
    pub(super) fn check_queue(
        &self,
        queued: &[&Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) -> io::Result<()> {
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
        let mut refusals = BTreeMap::new();
        for job in queued.iter().filter(|job| job.ran().is_none()) {
            let reason = job.metadata.reason().unwrap_or_default().to_owned();
            *refusals.entry(reason).or_insert(0) += 1;
        }
        let entry = &self.best_effort_refusals;
        same("best_effort_refusals", entry, &refusals, found);
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
            let mut numbers = Numbers::new(None);
            drifts.for_each(|(_, drift)| numbers.add(drift as f64));
            drift.check("planned_drift", numbers, found)?;
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
        Ok(())
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
        sums: &Sums,
        (outages, moves, breaks): (&[OutageRow], &[Move], bool),
        settings: &Settings,
        found: &mut Findings,
    ) {
        let there = settings.loses_pes();
        let count = |count: usize| there.then_some(count as u64);
        let either = |count: u64| breaks.then_some(count);
        let ids: BTreeSet<u64> = outages.iter().map(|row| row.id).collect();
        same_or_none("outages", settings.outages, count(ids.len()), found);
        let away = outages.iter().map(OutageRow::pe_seconds);
        let away = away.fold(0, u64::saturating_add);
        let entry = self.outage_pe_seconds;
        same_or_none("outage_pe_seconds", entry, there.then_some(away), found);
        let broken = sums.broken;
        same_or_none(
            "promises_broken",
            self.promises_broken,
            either(broken),
            found,
        );
        let share = ratio(broken as f64, sums.accepted as f64).filter(|_| breaks);
        near(
            "promises_broken_rate",
            self.promises_broken_rate,
            share,
            found,
        );
        let hourly = ratio(broken as f64 * 3_600.0, away as f64).filter(|_| there);
        let entry = self.promises_broken_per_pe_hour;
        near("promises_broken_per_pe_hour", entry, hourly, found);
        let entry = self.promises_broken_running;
        let stopped = either(sums.broken_running);
        same_or_none("promises_broken_running", entry, stopped, found);
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
            either(moved.len() as u64),
            found,
        );
        // How many had to be broken depends on real run times, which files do not tell of jobs that were stopped.
        if self
            .inevitable_broken
            .is_some_and(|least| !there || least > broken)
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
        sums: &Sums,
        queued: &[&Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let told = settings.waits() || sums.has_windows || self.deadlines_kept.is_some();
        let missed = sums.due - sums.kept;
        let counts = [
            ("deadlines_kept", self.deadlines_kept, sums.kept),
            ("deadlines_missed", self.deadlines_missed, missed),
            (
                "kept_pe_seconds",
                self.kept_pe_seconds,
                sums.kept_pe_seconds,
            ),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, told.then_some(count), found);
        }
        let rate = ratio(sums.kept as f64, sums.due as f64).filter(|_| told);
        near("deadlines_kept_rate", self.deadlines_kept_rate, rate, found);
        let undated = || {
            let undated = queued.iter().filter(|job| job.metadata.window().is_none());
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
    pub(super) fn check_waiting(&self, sums: &Sums, settings: &Settings, found: &mut Findings) {
        let counts = [
            ("promised_late", self.promised_late, sums.promised_late),
            ("gave_up", self.gave_up, sums.gave_up),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, settings.waits().then_some(count), found);
        }
        let delay = ratio(sums.promise_delay, sums.promised_late as f64);
        near("promise_delay", self.promise_delay, delay, found);
    }

    /// Requests that leave their length open.
    pub(super) fn check_ranges(&self, sums: &Sums, found: &mut Findings) {
        let count = |count: u64| (sums.ranges > 0).then_some(count);
        same_or_none("ranges", self.ranges, count(sums.ranges), found);
        same_or_none("shortened", self.shortened, count(sums.shortened), found);
    }

    /// What a strategy that moves reservations did; `moves` are its own and those of operations.
    pub(super) fn check_juggling(
        &self,
        sums: &Sums,
        (moves, movers): (&[Move], &Movers),
        settings: &Settings,
        found: &mut Findings,
    ) {
        let own = || moves.iter().filter(|row| movers.is_strategy(row));
        let moved: BTreeSet<u64> = own().map(|row| row.job_id).collect();
        let counts = [
            ("moves", self.moves, own().count() as u64),
            ("moved", self.moved, moved.len() as u64),
            ("frozen", self.frozen, sums.frozen),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, settings.moves().then_some(count), found);
        }
        let suggested = settings.juggles().then_some(sums.suggested);
        same_or_none("suggested", self.suggested, suggested, found);
    }

    /// What lies on top of others, and violations of promises.
    pub(super) fn check_overlays(&self, sums: &Sums, settings: &Settings, found: &mut Findings) {
        let told = settings.overlays();
        let violations = Some(sums.violations);
        same_or_none("violations", self.violations, violations, found);
        let share = |part: f64, whole: u64, told: bool| ratio(part, whole as f64).filter(|_| told);
        let rate = share(sums.violations as f64, sums.accepted, true);
        near("violation_rate", self.violation_rate, rate, found);
        let [late, cut] = sums.breaches;
        let counts = [
            ("overlays", self.overlays, sums.overlays),
            ("late_starts", self.late_starts, late),
            ("cut_short", self.cut_short, cut),
        ];
        for (name, entry, count) in counts {
            same_or_none(name, entry, told.then_some(count), found);
        }
        let rate = share(sums.violations as f64, sums.overlays, told);
        let entry = self.overlay_violation_rate;
        near("overlay_violation_rate", entry, rate, found);
        let compensates = matches!(settings.on_late(), OnLate::Compensate(_));
        let paid = compensates.then_some(sums.compensation);
        near("compensation", self.compensation, paid, found);
        let promised = share(sums.overlay_risk, sums.overlays, told);
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
        sums: &Sums,
        queued: &[&Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let reduced = settings.is_elastic().then_some(sums.reduced);
        same_or_none("reduced", self.reduced, reduced, found);
        let priced = settings.price_per_pe_minute.is_some();
        let revenue = priced.then_some(sums.revenue);
        let entry = self.revenue_reservations;
        near("revenue_reservations", entry, revenue, found);
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
