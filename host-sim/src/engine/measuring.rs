//! The figures of a run, taken while it is told.
//!
//! Nothing is kept of what has been told but sums, counts and [samples](Sample), with these exceptions: operations, runs that were ended for reservations
//! and outages, which are few; which jobs were moved; where processing elements may leave, what was promised, and on a machine with a layout, what was
//! used, since what had to be broken and how scattered jobs lie shows only in order of time.

use std::{
    collections::{BTreeMap, BTreeSet},
    io, mem,
    path::Path,
};

use bookahead::{Money, Refusal};

use super::{
    Breach, Cause, Operated, Outcome, Placed, Reason, Story, System,
    bands::{self, Counting, PlannedWait},
    distribution::{Distribution, rate},
    due::Due,
    inevitable::{self, Promise},
    measures::{BOUNDED_SLOWDOWN, SLOWDOWN, STRETCH, WAITING},
    metrics::{
        BestEffort, Decided, JointCounts, LateCounts, Metrics, OutageCounts, Overlays, Preemptions,
        Ranges, Rearranged, Refusals,
    },
    outcome::Stretch,
    sample::Sample,
    story::{Gone, Moved, Piece},
};
use crate::{
    layout::{Scatter, Use},
    operation::Operation,
    request::{BestEffortRequest, Demand, JobRequest},
    saved::{Saved, saves},
    several::{MOST_RESOURCES, Refuser},
};

/// How many of them are taken.
const SAMPLES: usize = 5 + bands::SHARES;

/// What has been told so far of a run.
#[derive(Default)]
pub(crate) struct Measuring<'s> {
    system: Option<&'s System>,
    pes: u16,
    first_arrival: Option<u64>,
    has_holds: bool,
    requests: usize,
    accepted: usize,
    refusals: Refusals,
    refused_by: BTreeMap<String, usize>,
    /// What was used of each resource beside the machine, in units x seconds.
    resources: [f64; MOST_RESOURCES],
    asked_work: f64,
    granted_work: f64,
    /// Waiting time, slowdown, bounded slowdown, stretch, how much later jobs of the queue start than planned, and how wide the bands of their likely starts are.
    samples: [Sample; SAMPLES],
    used: Busy,
    booked: Busy,
    reduced: usize,
    ranges: Ranges,
    moves: Moves,
    frozen: usize,
    suggested: usize,
    scatter: Option<Scatter<'s>>,
    overlays: Overlays,
    overlay_risk: f64,
    broken: usize,
    broken_running: usize,
    promises: Vec<Promise>,
    gone: Vec<Gone>,
    due: Due,
    late: LateCounts,
    late_beyond_horizon: usize,
    promise_delay: f64,
    revenue: Money,
    queue: Queue,
    bands: Counting,
    operated: Vec<Operated>,
    pieces: Vec<Piece>,
}

/// How busy processing elements are.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Busy {
    pe_seconds: f64,
    last: Option<u64>,
}

impl Busy {
    fn add(&mut self, stretch: Stretch) {
        self.pe_seconds += stretch.pes as f64 * (stretch.end - stretch.start) as f64;
        self.last = self.last.max(Some(stretch.end));
    }

    /// By the processing elements of the machine, up to the last end.
    fn utilization(&self, first: Option<u64>, pes: u32) -> Option<f64> {
        let length = self.last.zip(first);
        let length = length.map_or(0, |(last, first)| last.saturating_sub(first));
        rate(self.pe_seconds, f64::from(pes) * length as f64)
    }
}

/// What was moved.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Moves {
    by_strategy: usize,
    moved_by_strategy: BTreeSet<u64>,
    relocated_for: BTreeSet<Option<u64>>,
    by_outages: usize,
    outage_delay: f64,
    displaced: BTreeSet<u64>,
}

/// The jobs of the queue.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Queue {
    submitted: usize,
    started: usize,
    refusals: Refusals,
    waiting: f64,
    overran: usize,
    revenue: Money,
}

// No operations are among what a run goes on with.
impl Saved for Measuring<'_> {
    saves!(
        first_arrival has_holds requests accepted refusals refused_by resources asked_work granted_work used booked reduced ranges moves frozen suggested overlays
        overlay_risk broken broken_running promises due late late_beyond_horizon promise_delay revenue queue pieces;
        samples scatter bands
    );
}

impl<'s> Measuring<'s> {
    /// Of a run on a machine of so many processing elements; without a system, what every system has. Where there is a folder, numbers are written
    /// to files there, and few are kept in memory.
    pub(crate) fn new(system: Option<&'s System>, pes: u16, folder: Option<&Path>) -> Self {
        let layout = system.and_then(|system| Some(&*system.placing.as_ref()?.layout));
        Self {
            system,
            pes,
            samples: [(); SAMPLES].map(|()| Sample::new(folder)),
            scatter: layout.map(Scatter::new),
            ..Self::default()
        }
    }

    /// The same in a folder where it goes on after its process was ended.
    pub(crate) fn going_on(self, folder: &Path) -> Self {
        Self {
            samples: [(); SAMPLES].map(|()| Sample::going_on(folder)),
            ..self
        }
    }

    /// The names of the files in which it keeps numbers.
    pub(crate) fn files(&self) -> impl Iterator<Item = &String> {
        self.samples.iter().flat_map(Sample::files)
    }

    /// All of a story.
    pub(crate) fn story(&mut self, story: &Story) {
        story
            .outcomes
            .iter()
            .for_each(|outcome| self.outcome(outcome));
        story.moves.iter().for_each(|moved| self.moved(moved));
        self.operated.extend(story.operated.iter().cloned());
        self.pieces.extend(story.pieces.iter().cloned());
        self.gone.extend(story.gone.iter().cloned());
    }

    /// What became of the next demand.
    pub(crate) fn outcome(&mut self, outcome: &Outcome) {
        let arrival = outcome.demand.arrival();
        self.first_arrival = Some(
            self.first_arrival
                .map_or(arrival, |first| first.min(arrival)),
        );
        self.has_holds |= matches!(outcome.demand, Demand::Hold(_));
        let measures = [WAITING, SLOWDOWN, BOUNDED_SLOWDOWN, STRETCH];
        for (sample, measure) in self.samples.iter_mut().zip(measures) {
            if let Some(number) = (measure.of)(outcome) {
                sample.add(number);
            }
        }
        if let Some((request, decision)) = outcome.reservation() {
            self.requests += 1;
            self.asked_work += request.pes as f64 * request.duration as f64;
            self.ranges.ranges += usize::from(request.shortest.is_some());
            match decision {
                Ok(placed) => self.accepted(request, placed),
                Err(reason) => self.refused(reason),
            }
        }
        if matches!(outcome.decision, Err(Reason::GaveUp(_))) {
            self.late.gave_up += 1;
        }
        if let Some((job, decision)) = outcome.best_effort() {
            self.queued(job, decision);
        }
        self.due.outcome(outcome);
        if let Ok(placed) = &outcome.decision {
            self.placed(placed);
        }
    }

    fn refused(&mut self, reason: Reason) {
        *self.refusals.entry(reason.name().into()).or_insert(0) += 1;
        if let (Some(by), Some(system)) = (reason.refuser(), self.system) {
            let by = match by {
                Refuser::Together => "none".to_owned(),
                _ => by.in_words(&system.quotas, &system.resources),
            };
            *self.refused_by.entry(by).or_insert(0) += 1;
        }
    }

    fn accepted(&mut self, request: &JobRequest, placed: &Placed) {
        self.accepted += 1;
        let granted = placed.granted(request.duration);
        self.granted_work += placed.granted_pes() as f64 * granted as f64;
        self.reduced += usize::from(placed.is_less_than(request));
        let shortened = request.shortest.is_some() && granted < request.duration;
        self.ranges.shortened += usize::from(shortened);
        let used = placed.used().map(|used| (used.end - used.start) as f64);
        let used: f64 = used.sum();
        for (sum, need) in self.resources.iter_mut().zip(request.needed()) {
            *sum += f64::from(need) * used;
        }
        let changed = placed.changed.as_ref();
        self.frozen += usize::from(changed.is_some_and(|changed| changed.fixed_at.is_some()));
        self.suggested += usize::from(placed.agreed.is_some());
        if let Some(overlay) = placed.overlay {
            let overlays = &mut self.overlays;
            overlays.accepted += 1;
            overlays.late_starts += usize::from(overlay.breach == Some(Breach::LateStart));
            overlays.cut_short += usize::from(overlay.breach == Some(Breach::CutShort));
            overlays.compensation = sum(overlays.compensation, overlay.compensation);
            self.overlay_risk += 1.0 - overlay.probability.get().to_num::<f64>();
        }
        if let Some(late) = placed.late {
            self.late.promised_late += 1;
            let beyond = late.waited.reason == Refusal::BeyondHorizon.into();
            self.late_beyond_horizon += usize::from(beyond);
            self.promise_delay += late.at.saturating_sub(request.arrival) as f64;
        }
        if self.system.is_some_and(|system| system.outages) {
            self.promises.extend(inevitable::promise(request, placed));
        }
        self.revenue = sum(self.revenue, placed.price);
    }

    fn queued(&mut self, job: &BestEffortRequest, decision: Result<&Placed, Reason>) {
        let queue = &mut self.queue;
        queue.submitted += 1;
        let placed = match decision {
            Ok(placed) => placed,
            Err(reason) => {
                *queue.refusals.entry(reason.name().into()).or_insert(0) += 1;
                return;
            }
        };
        queue.started += 1;
        queue.waiting += (placed.began - job.arrival) as f64;
        queue.overran += usize::from(job.run > job.estimate);
        queue.revenue = sum(queue.revenue, placed.price);
        if let Some(system) = self.system.filter(|system| system.plans())
            && let (Some(planned), Some(drift)) = (placed.planned, placed.drift())
        {
            let [_, _, _, _, drifts, widths @ ..] = &mut self.samples;
            drifts.add(drift as f64);
            let slot = system.slot_seconds.into();
            let seconds = [job.queued_from(), planned, placed.began, job.estimate];
            if let Some(wait) = PlannedWait::of(seconds, slot, system.slots.into()) {
                let width = |share: usize, seconds| widths[share].add(seconds);
                self.bands.add(wait, job.arrival, slot, width);
            }
        }
        if job.window.is_none() {
            self.due.undated(placed, job.arrival);
        }
    }

    /// Whatever got a place: a demand, or the second part of a reservation that was split.
    fn placed(&mut self, placed: &Placed) {
        placed.used().for_each(|used| self.used.add(used));
        placed.booked().for_each(|booked| self.booked.add(booked));
        if placed.broken().is_some() {
            self.broken += 1;
            self.broken_running += usize::from(placed.has_run());
        }
        let Some(scatter) = &mut self.scatter else {
            return;
        };
        if placed.has_run() {
            scatter.add(&Use {
                start: placed.began,
                end: placed.finish(),
                pes: placed.pes.as_slice().into(),
                kept: true,
            });
        }
        let changed = placed.changed.iter();
        for back in changed.flat_map(|changed| &changed.given_back) {
            scatter.add(&Use {
                start: placed.began,
                end: back.until,
                pes: back.pes.as_slice().into(),
                kept: false,
            });
        }
    }

    /// A booking was changed.
    pub(crate) fn moved(&mut self, moved: &Moved) {
        let moves = &mut self.moves;
        if moved.is_by_strategy() {
            moves.by_strategy += 1;
            moves.moved_by_strategy.insert(moved.job_id);
        }
        if moved.cause == Cause::Relocate {
            moves.relocated_for.insert(moved.cause_job_id);
        }
        if moved.cause == Cause::Outage {
            moves.by_outages += 1;
            if let Some(from) = moved.from {
                moves.outage_delay += moved.to.start as f64 - from.start as f64;
            }
        }
        let starts_elsewhere = moved.from.is_some_and(|from| from.start != moved.to.start);
        if Cause::DISPLACING.contains(&moved.cause) && starts_elsewhere {
            moves.displaced.insert(moved.job_id);
        }
    }

    /// What became of the next operation.
    pub(crate) fn operated(&mut self, operated: Operated) {
        self.operated.push(operated);
    }

    /// A run of a job was ended for a reservation.
    pub(crate) fn piece(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }

    /// What an outage took.
    pub(crate) fn gone(&mut self, gone: Gone) {
        self.gone.push(gone);
    }

    /// The figures.
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(crate) fn finish(mut self) -> io::Result<Metrics> {
        self.count_bands();
        let mut distributions = [Distribution::default(); SAMPLES];
        for (distribution, sample) in distributions.iter_mut().zip(mem::take(&mut self.samples)) {
            *distribution = sample.finish()?;
        }
        Ok(self.metrics(distributions))
    }

    /// The figures, where no folder was given.
    pub(crate) fn in_memory(mut self) -> Metrics {
        self.count_bands();
        let samples = mem::take(&mut self.samples);
        self.metrics(samples.map(Sample::in_memory))
    }

    /// Of those who have not been counted yet.
    fn count_bands(&mut self) {
        if let Some(system) = self.system {
            let [_, _, _, _, _, widths @ ..] = &mut self.samples;
            let width = |share: usize, seconds| widths[share].add(seconds);
            self.bands
                .count(u64::MAX, system.slot_seconds.into(), width);
        }
    }

    fn metrics(mut self, distributions: [Distribution; SAMPLES]) -> Metrics {
        let operated = mem::take(&mut self.operated);
        let parts = operated.iter().filter_map(|done| done.part.as_ref());
        for part in parts.filter_map(|part| part.decision.as_ref().ok()) {
            self.placed(part);
        }
        for lost in self.pieces.iter().map(Piece::stretch) {
            self.used.add(lost);
            self.booked.add(lost);
        }
        let [
            waiting,
            slowdown,
            bounded_slowdown,
            stretch,
            drift,
            widths @ ..,
        ] = distributions;
        let lost_to_rounding = self.refusals.get(Reason::LostToRounding.name()).copied();
        let lost_to_rounding = lost_to_rounding.unwrap_or(0);
        let accepted = self.accepted as f64;
        let rate_of = |requests: usize| rate(accepted, requests as f64);
        let (first, pes) = (self.first_arrival, self.pes);
        let is_plain = operated.is_empty() && !self.has_holds;
        let operations: Vec<Operation> = operated.iter().map(|done| done.operation).collect();
        let system = self.system;
        let may_break = system.filter(|system| system.displaces(&operations));
        let queue = &self.queue;
        Metrics {
            requests: self.requests,
            accepted: self.accepted,
            lost_to_rounding,
            acceptance_rate: rate_of(self.requests),
            acceptance_rate_after_rounding: rate_of(self.requests - lost_to_rounding),
            accepted_work_rate: rate(self.granted_work, self.asked_work),
            waiting,
            slowdown,
            bounded_slowdown,
            stretch,
            utilization: self.used.utilization(first, pes.into()),
            booked_utilization: self.booked.utilization(first, pes.into()),
            reduced: self.reduced,
            ranges: Some(self.ranges).filter(|ranges| ranges.ranges > 0),
            rearranged: Rearranged {
                moves: self.moves.by_strategy,
                moved: self.moves.moved_by_strategy.len(),
                frozen: self.frozen,
                suggested: self.suggested,
            },
            relocated_for: self.moves.relocated_for.len(),
            overlays: Overlays {
                promised_violation_rate: rate(self.overlay_risk, self.overlays.accepted as f64),
                ..self.overlays
            },
            joint: system
                .filter(|system| system.joins())
                .map(|system| self.joint(system)),
            outages: may_break.map(|system| self.outages(system, is_plain)),
            deadlines: system
                .filter(|system| system.tells_deadlines())
                .map(|_| self.due.deadlines()),
            late_beyond_horizon: self.late_beyond_horizon,
            late: system
                .filter(|system| system.wait.is_some())
                .map(|_| LateCounts {
                    promise_delay: rate(self.promise_delay, self.late.promised_late as f64),
                    ..self.late
                }),
            preemptions: system
                .filter(|system| system.preempt.is_some())
                .map(|_| self.preemptions()),
            revenue: self.revenue,
            best_effort: BestEffort {
                submitted: queue.submitted,
                started: queue.started,
                refusals: queue.refusals.clone(),
                waiting_time: rate(queue.waiting, queue.started as f64),
                overran: queue.overran,
                planned_drift: system
                    .filter(|system| system.plans())
                    .map(|_| drift.percentiles),
                start_bands: system
                    .filter(|system| system.plans())
                    .map(|_| self.bands.finish(widths)),
                revenue: queue.revenue,
            },
            operations: counts(&operated),
            operation_refusals: refusals(&operated),
            fragments: self.scatter.map(|scatter| scatter.finish(first)),
            refusals: self.refusals,
        }
    }

    fn joint(&self, system: &System) -> JointCounts {
        let resources = system.resources.iter().zip(self.resources);
        let resources = resources.map(|(resource, units)| {
            let busy = Busy {
                pe_seconds: units,
                last: self.used.last,
            };
            let used = busy.utilization(self.first_arrival, resource.units);
            (resource.name.to_string(), used)
        });
        JointCounts {
            refused_by: self.refused_by.clone(),
            resource_utilization: resources.collect(),
        }
    }

    fn outages(&self, system: &System, is_plain: bool) -> OutageCounts {
        let there = system.outages;
        let outages: BTreeSet<u64> = self.gone.iter().map(|gone| gone.id).collect();
        let stretches: Vec<Stretch> = self.gone.iter().filter_map(Gone::stretch).collect();
        let away = stretches.iter().map(Stretch::pe_seconds);
        let away = away.fold(0, u64::saturating_add);
        let (broken, replaced) = (self.broken as f64, self.moves.by_outages);
        OutageCounts {
            outages: there.then_some(outages.len()),
            outage_pe_seconds: there.then_some(away),
            promises_broken: self.broken,
            promises_broken_rate: rate(broken, self.accepted as f64),
            promises_broken_per_pe_hour: there.then(|| rate(broken * 3_600.0, away as f64)),
            promises_broken_running: self.broken_running,
            outage_replacements: there.then_some(replaced),
            outage_delay: there.then(|| rate(self.moves.outage_delay, replaced as f64)),
            promises_moved: self.moves.displaced.len(),
            inevitable_broken: there.then(|| {
                let pes = system.pes.into();
                is_plain.then(|| inevitable::least_broken(&self.promises, &stretches, pes))
            }),
        }
    }

    fn preemptions(&self) -> Preemptions {
        let lost = self.pieces.iter().map(|piece| piece.stretch().pe_seconds());
        Preemptions {
            preemptions: self.pieces.len(),
            preempted_pe_seconds: lost.fold(0, u64::saturating_add),
        }
    }
}

fn sum(one: Money, other: Money) -> Money {
    Money::new(one.get().saturating_add(other.get()))
}

fn counts(operated: &[Operated]) -> BTreeMap<&'static str, Decided> {
    let mut operations: BTreeMap<_, Decided> = BTreeMap::new();
    for done in operated {
        let name = done.operation.action.name();
        let decided = operations.entry(name).or_default();
        match done.decision {
            Ok(()) => decided.accepted += 1,
            Err(_) => decided.refused += 1,
        }
    }
    operations
}

fn refusals(operated: &[Operated]) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut refusals = BTreeMap::new();
    for done in operated {
        if let Err(reason) = done.decision {
            let name = done.operation.action.name();
            *refusals.entry((name, reason.name())).or_insert(0) += 1;
        }
    }
    refusals
}
