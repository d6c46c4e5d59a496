//! What a run is judged by.

use std::collections::{BTreeMap, BTreeSet};

use bookahead::Money;

use super::{
    Breach, Cause, Operated, Outcome, Placed, Reason, Story, System,
    bands::{self, PlannedWait},
    distribution::{Distribution, Percentiles, rate, total},
    inevitable,
    measures::{BOUNDED_SLOWDOWN, JobMeasure, SLOWDOWN, STRETCH, WAITING},
    outcome::Stretch,
    story::{Gone, Piece},
};
use crate::{
    layout::{Fragments, Layout, Use, fragments},
    request::JobRequest,
};

pub use super::bands::{BandCount, BandCounts};

/// The figures of one run. A rate or a mean over nothing is nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// Requests to reserve that were decided.
    pub requests: usize,
    /// Requests accepted.
    pub accepted: usize,
    /// Requests refused because they fit their windows in seconds, but not in whole slots.
    pub lost_to_rounding: usize,
    /// Accepted requests by requests.
    pub acceptance_rate: Option<f64>,
    /// Accepted requests by those that are not lost to rounding.
    pub acceptance_rate_after_rounding: Option<f64>,
    /// Accepted by requested PEs x duration, what was granted by what was asked.
    pub accepted_work_rate: Option<f64>,
    /// The [waiting time](super::measures::WAITING) of the accepted (s).
    pub waiting: Distribution,
    /// The [slowdown](super::measures::SLOWDOWN) of the accepted.
    pub slowdown: Distribution,
    /// The [bounded slowdown](super::measures::BOUNDED_SLOWDOWN) of the accepted.
    pub bounded_slowdown: Distribution,
    /// The [stretch](super::measures::STRETCH) of the accepted.
    pub stretch: Distribution,
    /// PE-seconds really used, by best-effort jobs too, by PE-seconds from the first arrival to the last end.
    pub utilization: Option<f64>,
    /// The same with the booked windows.
    pub booked_utilization: Option<f64>,
    /// Refusals by the name of the reason.
    pub refusals: BTreeMap<&'static str, usize>,
    /// Accepted requests that were granted less time or fewer PEs than they asked for.
    pub reduced: usize,
    /// Requests that leave their length open, where there are any.
    pub ranges: Option<Ranges>,
    /// What a strategy that moves reservations did.
    pub rearranged: Rearranged,
    /// How scattered jobs lie, on a machine with a layout.
    pub fragments: Option<Fragments>,
    /// Newcomers for which others took other processing elements.
    pub relocated_for: usize,
    /// What lies on top of others.
    pub overlays: Overlays,
    /// What outages and overruns did, where promises may break.
    pub outages: Option<OutageCounts>,
    /// Which deadlines were kept, where that is told.
    pub deadlines: Option<Deadlines>,
    /// What became of requests that waited, where any may.
    pub late: Option<LateCounts>,
    /// How often jobs ended for reservations, where they may.
    pub preemptions: Option<Preemptions>,
    /// What the reservations cost.
    pub revenue: Money,
    /// The jobs of the queue.
    pub best_effort: BestEffort,
    /// Operations by name, each that occurs.
    pub operations: BTreeMap<&'static str, Decided>,
    /// Operations that were refused, by name and by the name of the reason.
    pub operation_refusals: BTreeMap<(&'static str, &'static str), usize>,
}

/// How often an operation was to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Decided {
    /// Done.
    pub accepted: usize,
    /// Not done.
    pub refused: usize,
}

/// What a strategy that moves reservations did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rearranged {
    /// How often it moved one.
    pub moves: usize,
    /// Reservations that it moved at least once.
    pub moved: usize,
    /// Accepted requests whose starts became fixed before they came.
    pub frozen: usize,
    /// Requests accepted with a window that was suggested.
    pub suggested: usize,
}

impl Rearranged {
    fn of(story: &Story) -> Self {
        let moves = story.moves.iter().filter(|moved| moved.is_by_strategy());
        let moved: BTreeSet<u64> = moves.clone().map(|moved| moved.job_id).collect();
        let accepted = || story.outcomes.iter().filter_map(Outcome::accepted);
        let changed = || accepted().filter_map(|(_, placed)| placed.changed.as_ref());
        Self {
            moves: moves.count(),
            moved: moved.len(),
            frozen: changed()
                .filter(|changed| changed.fixed_at.is_some())
                .count(),
            suggested: accepted()
                .filter(|(_, placed)| placed.agreed.is_some())
                .count(),
        }
    }
}

/// Requests that leave their length open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Ranges {
    /// How many.
    pub ranges: usize,
    /// Those that were accepted and granted less than the longest length.
    pub shortened: usize,
}

impl Ranges {
    fn of(outcomes: &[Outcome]) -> Option<Self> {
        let open = |request: &JobRequest| request.shortest.is_some();
        let requests = outcomes.iter().filter_map(|one| one.demand.request());
        let ranges = requests.filter(|request| open(request)).count();
        let accepted = outcomes.iter().filter_map(Outcome::accepted);
        let shortened = accepted.filter(|(request, placed)| {
            open(request) && placed.granted(request.duration) < request.duration
        });
        (ranges > 0).then(|| Self {
            ranges,
            shortened: shortened.count(),
        })
    }
}

/// The reservations that were accepted on top of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlays {
    /// How many.
    pub accepted: usize,
    /// Those that could not start on time.
    pub late_starts: usize,
    /// Those that were stopped for others.
    pub cut_short: usize,
    /// What is paid to their users for late starts.
    pub compensation: Money,
    /// The share of them that was to be violated by what was promised.
    pub promised_violation_rate: Option<f64>,
}

impl Overlays {
    fn of(outcomes: &[Outcome]) -> Self {
        let placed = || outcomes.iter().filter_map(Outcome::accepted);
        let overlays = || placed().filter_map(|(_, placed)| placed.overlay);
        let broken = |breach| overlays().filter(move |one| one.breach == Some(breach));
        let risks = overlays().map(|one| 1.0 - one.probability.get().to_num::<f64>());
        Self {
            accepted: overlays().count(),
            late_starts: broken(Breach::LateStart).count(),
            cut_short: broken(Breach::CutShort).count(),
            compensation: sum(overlays().map(|one| one.compensation)),
            promised_violation_rate: rate(total(risks), overlays().count() as f64),
        }
    }

    /// Those whose promise was broken.
    #[must_use]
    pub const fn violations(&self) -> usize {
        self.late_starts + self.cut_short
    }
}

/// What outages and overruns did; of outages alone only where processing elements may leave.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct OutageCounts {
    /// How many outages there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outages: Option<usize>,
    /// PE-seconds that were away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_pe_seconds: Option<u64>,
    /// Reservations that were accepted and were in the way, without another place.
    pub promises_broken: usize,
    /// The share of them in the accepted requests.
    pub promises_broken_rate: Option<f64>,
    /// How many that is for each hour that a processing element was away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promises_broken_per_pe_hour: Option<Option<f64>>,
    /// Those of them that ran.
    pub promises_broken_running: usize,
    /// How often an outage gave a reservation that had not started other processing elements in its window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_replacements: Option<usize>,
    /// How much later it then started, on average (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_delay: Option<Option<f64>>,
    /// Reservations that were moved to another start.
    pub promises_moved: usize,
    /// How many [had to be broken](super::inevitable::broken) whatever is decided; not known where operations change what was promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inevitable_broken: Option<Option<usize>>,
}

impl OutageCounts {
    fn of(story: &Story, system: &System) -> Self {
        let there = system.outages;
        let outages: BTreeSet<u64> = story.gone.iter().map(|gone| gone.id).collect();
        let replaced = || {
            story
                .moves
                .iter()
                .filter(|moved| moved.cause == Cause::Outage)
        };
        let moves = story.moves.iter().filter(|moved| {
            let by_force = Cause::DISPLACING.contains(&moved.cause);
            by_force && moved.from.is_some_and(|from| from.start != moved.to.start)
        });
        let moved: BTreeSet<u64> = moves.map(|moved| moved.job_id).collect();
        let away = story.gone.iter().filter_map(Gone::stretch);
        let away = away
            .map(|stretch| stretch.pe_seconds())
            .fold(0, u64::saturating_add);
        let all_broken = || story.placed().filter(|placed| placed.broken().is_some());
        let broken = all_broken().count();
        let accepted = story.outcomes.iter().filter_map(Outcome::accepted).count();
        let delays = replaced().filter_map(|moved| {
            let before = moved.from?.start as f64;
            Some(moved.to.start as f64 - before)
        });
        Self {
            outages: there.then_some(outages.len()),
            outage_pe_seconds: there.then_some(away),
            promises_broken: broken,
            promises_broken_rate: rate(broken as f64, accepted as f64),
            promises_broken_per_pe_hour: there.then(|| rate(broken as f64 * 3_600.0, away as f64)),
            promises_broken_running: all_broken().filter(|placed| placed.has_run()).count(),
            outage_replacements: there.then(|| replaced().count()),
            outage_delay: there.then(|| rate(total(delays), replaced().count() as f64)),
            promises_moved: moved.len(),
            inevitable_broken: there.then(|| {
                let pes = system.pes;
                story.is_plain().then(|| inevitable::broken(story, pes))
            }),
        }
    }
}

/// Which deadlines were kept, of requests to reserve and of queued jobs that have a window.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Deadlines {
    /// Jobs that ran to their end by their deadline.
    pub deadlines_kept: usize,
    /// All others that have a deadline.
    pub deadlines_missed: usize,
    /// The share of the first.
    pub deadlines_kept_rate: Option<f64>,
    /// PE-seconds that the first used.
    pub kept_pe_seconds: u64,
    /// Mean time from submission to start of the queued jobs that have no deadline (s).
    pub undated_waiting_time: Option<f64>,
    /// Mean turnaround of these by their run times.
    pub undated_slowdown: Option<f64>,
    /// The same with run times of at least 10 s.
    pub undated_bounded_slowdown: Option<f64>,
}

impl Deadlines {
    fn of(outcomes: &[Outcome]) -> Self {
        let due = || {
            let due = outcomes.iter();
            due.filter_map(|outcome| Some((outcome.demand.deadline()?, outcome)))
        };
        let kept = || {
            due().filter_map(|(deadline, outcome)| {
                let placed = outcome.decision.as_ref().ok()?;
                placed.keeps(deadline).then_some(placed)
            })
        };
        let count = kept().count();
        let used = kept().flat_map(Placed::used);
        let queued = outcomes.iter().filter_map(Outcome::best_effort);
        let undated = queued.filter(|(job, _)| job.window.is_none());
        let undated: Vec<(u64, &Placed)> = undated
            .filter_map(|(job, decision)| Some((job.arrival, decision.ok()?)))
            .collect();
        let mean = |of: fn(u64, &Placed) -> Option<f64>| {
            let all = || {
                undated
                    .iter()
                    .filter_map(|(arrival, placed)| of(*arrival, placed))
            };
            rate(total(all()), all().count() as f64)
        };
        Self {
            undated_waiting_time: mean(|arrival, placed| Some((placed.began - arrival) as f64)),
            undated_slowdown: mean(|arrival, placed| placed.stretch(arrival)),
            undated_bounded_slowdown: mean(|arrival, placed| Some(placed.bounded_stretch(arrival))),
            deadlines_kept: count,
            deadlines_missed: due().count() - count,
            deadlines_kept_rate: rate(count as f64, due().count() as f64),
            kept_pe_seconds: used
                .map(|stretch| stretch.pe_seconds())
                .fold(0, u64::saturating_add),
        }
    }
}

/// What became of requests that were refused and waited.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LateCounts {
    /// Those that were promised a start later.
    pub promised_late: usize,
    /// Those whose latest starts passed.
    pub gave_up: usize,
    /// How long after their arrival the first were promised a start, on average (s).
    pub promise_delay: Option<f64>,
}

impl LateCounts {
    fn of(outcomes: &[Outcome]) -> Self {
        let delays = || {
            outcomes.iter().filter_map(|outcome| {
                let (request, placed) = outcome.accepted()?;
                Some(placed.late?.at.saturating_sub(request.arrival) as f64)
            })
        };
        let gave_up = outcomes
            .iter()
            .filter(|outcome| matches!(outcome.decision, Err(Reason::GaveUp(_))));
        Self {
            promised_late: delays().count(),
            gave_up: gave_up.count(),
            promise_delay: rate(total(delays()), delays().count() as f64),
        }
    }

    /// How many waited.
    #[must_use]
    pub const fn waited(&self) -> usize {
        self.promised_late + self.gave_up
    }
}

/// How often jobs of the queue ended for reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Preemptions {
    /// Runs that ended so.
    pub preemptions: usize,
    /// PE-seconds that these used, all for nothing.
    pub preempted_pe_seconds: u64,
}

impl Preemptions {
    fn of(pieces: &[Piece]) -> Self {
        let lost = pieces.iter().map(|piece| piece.stretch().pe_seconds());
        Self {
            preemptions: pieces.len(),
            preempted_pe_seconds: lost.fold(0, u64::saturating_add),
        }
    }
}

/// The figures of the best-effort jobs of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct BestEffort {
    /// Jobs submitted.
    pub submitted: usize,
    /// Jobs that ran; the others can never run.
    pub started: usize,
    /// Mean time from submission to start (s).
    pub waiting_time: Option<f64>,
    /// Jobs that were stopped at the end of their estimate.
    pub overran: usize,
    /// How much later they started than they were first planned (s), where jobs are planned; less than 0 where they started earlier.
    pub planned_drift: Option<Percentiles>,
    /// What users would have been told of when they start, and how often that was right, where jobs are planned.
    pub start_bands: Option<BandCounts>,
    /// What they cost.
    pub revenue: Money,
}

impl Metrics {
    /// The figures of `outcomes` on a machine of `pes` processing elements.
    #[must_use]
    pub fn of(outcomes: &[Outcome], pes: u16) -> Self {
        Self::of_story(&outcomes.to_vec().into(), pes)
    }

    /// The figures of all that became of a script on the machine of this system.
    #[must_use]
    pub fn on(system: &System, story: &Story) -> Self {
        let layout = system.placing.as_ref().map(|placing| &*placing.layout);
        Self {
            fragments: layout.map(|layout| scattered(layout, story)),
            outages: story
                .may_break(system)
                .then(|| OutageCounts::of(story, system)),
            deadlines: system
                .tells_deadlines()
                .then(|| Deadlines::of(&story.outcomes)),
            late: (system.wait.as_ref()).map(|_| LateCounts::of(&story.outcomes)),
            preemptions: system.preempt.map(|_| Preemptions::of(&story.pieces)),
            ..Self::of_story(story, system.all_pes())
        }
        .with_drift(system, story)
    }

    fn with_drift(mut self, system: &System, story: &Story) -> Self {
        let drifts = story.outcomes.iter().filter_map(|outcome| {
            let (_, ran) = outcome.best_effort()?;
            ran.ok()?.drift()
        });
        let drifts = || Distribution::of(drifts.map(|drift| drift as f64)).percentiles;
        self.best_effort.planned_drift = system.plans().then(drifts);
        self.best_effort.start_bands = system.plans().then(|| {
            let slot = system.slot_seconds.into();
            let waits = story.outcomes.iter().filter_map(|outcome| {
                let (job, ran) = outcome.best_effort()?;
                let ran = ran.ok()?;
                let asked = job.window.map_or(job.arrival, |[ready, _]| ready);
                let seconds = [asked, ran.planned?, ran.began, job.estimate];
                PlannedWait::of(seconds, slot, system.slots.into())
            });
            bands::counts(&waits.collect::<Vec<_>>(), slot)
        });
        self
    }

    /// The same of all that became of a script, on a machine without a layout.
    #[must_use]
    pub fn of_story(story: &Story, pes: u16) -> Self {
        let outcomes = story.outcomes.as_slice();
        let lost = || story.pieces.iter().map(Piece::stretch);
        let used = || story.placed().flat_map(Placed::used).chain(lost());
        let booked = || story.placed().flat_map(Placed::booked).chain(lost());
        let asked = || outcomes.iter().filter_map(Outcome::reservation);
        let accepted = || outcomes.iter().filter_map(Outcome::accepted);
        let mut refusals = BTreeMap::new();
        for reason in asked().filter_map(|(_, decision)| decision.err()) {
            *refusals.entry(reason.name()).or_insert(0) += 1;
        }
        let lost_to_rounding = refusals.get(Reason::LostToRounding.name()).copied();
        let lost_to_rounding = lost_to_rounding.unwrap_or(0);
        let rate_of = |requests: usize| rate(accepted().count() as f64, requests as f64);
        let asked_work = asked().map(|(asked, _)| asked.pes as f64 * asked.duration as f64);
        let granted_work = accepted().map(|(request, placed)| {
            placed.granted_pes() as f64 * placed.granted(request.duration) as f64
        });
        let over_jobs =
            |measure: JobMeasure| Distribution::of(outcomes.iter().filter_map(measure.of));
        Self {
            requests: asked().count(),
            accepted: accepted().count(),
            lost_to_rounding,
            acceptance_rate: rate_of(asked().count()),
            acceptance_rate_after_rounding: rate_of(asked().count() - lost_to_rounding),
            accepted_work_rate: rate(total(granted_work), total(asked_work)),
            waiting: over_jobs(WAITING),
            slowdown: over_jobs(SLOWDOWN),
            bounded_slowdown: over_jobs(BOUNDED_SLOWDOWN),
            stretch: over_jobs(STRETCH),
            utilization: utilization(outcomes, pes, used),
            booked_utilization: utilization(outcomes, pes, booked),
            refusals,
            reduced: accepted()
                .filter(|(request, placed)| placed.is_less_than(request))
                .count(),
            ranges: Ranges::of(outcomes),
            rearranged: Rearranged::of(story),
            fragments: None,
            relocated_for: relocated_for(story),
            overlays: Overlays::of(outcomes),
            outages: None,
            deadlines: None,
            late: None,
            preemptions: None,
            revenue: sum(accepted().map(|(_, placed)| placed.price)),
            best_effort: BestEffort::of(outcomes),
            operations: operations(&story.operated),
            operation_refusals: operation_refusals(&story.operated),
        }
    }
}

impl BestEffort {
    fn of(outcomes: &[Outcome]) -> Self {
        let jobs = || outcomes.iter().filter_map(Outcome::best_effort);
        let ran = || jobs().filter_map(|(job, decision)| Some((job, decision.ok()?)));
        let waited = ran().map(|(job, placed)| (placed.began - job.arrival) as f64);
        Self {
            submitted: jobs().count(),
            started: ran().count(),
            waiting_time: rate(total(waited), ran().count() as f64),
            overran: ran().filter(|(job, _)| job.run > job.estimate).count(),
            planned_drift: None,
            start_bands: None,
            revenue: sum(ran().map(|(_, placed)| placed.price)),
        }
    }
}

fn sum(prices: impl Iterator<Item = Money>) -> Money {
    Money::new(prices.map(Money::get).fold(0, u64::saturating_add))
}

fn operations(operated: &[Operated]) -> BTreeMap<&'static str, Decided> {
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

fn operation_refusals(operated: &[Operated]) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut refusals = BTreeMap::new();
    for done in operated {
        if let Err(reason) = done.decision {
            let name = done.operation.action.name();
            *refusals.entry((name, reason.name())).or_insert(0) += 1;
        }
    }
    refusals
}

/// How scattered everything lies that ran.
fn scattered(layout: &Layout, story: &Story) -> Fragments {
    let uses = story.placed().flat_map(|placed| {
        let kept = placed.has_run().then(|| Use {
            start: placed.began,
            end: placed.finish(),
            pes: placed.pes.as_slice().into(),
            kept: true,
        });
        let given_back = placed
            .changed
            .iter()
            .flat_map(|changed| &changed.given_back);
        let given_back = given_back.map(|back| Use {
            start: placed.began,
            end: back.until,
            pes: back.pes.as_slice().into(),
            kept: false,
        });
        kept.into_iter().chain(given_back)
    });
    let arrivals = story.outcomes.iter();
    let from = arrivals.map(|outcome| outcome.demand.arrival()).min();
    fragments(layout, from, uses)
}

fn relocated_for(story: &Story) -> usize {
    let moves = story.moves.iter();
    let causes = moves.filter(|moved| moved.cause == Cause::Relocate);
    let newcomers: BTreeSet<Option<u64>> = causes.map(|moved| moved.cause_job_id).collect();
    newcomers.len()
}

/// PE-seconds of the stretches by those of the machine, up to the last end of these.
fn utilization<Stretches>(
    outcomes: &[Outcome],
    pes: u16,
    stretches: impl Fn() -> Stretches,
) -> Option<f64>
where
    Stretches: Iterator<Item = Stretch>,
{
    let arrivals = outcomes.iter().map(|outcome| outcome.demand.arrival());
    let last = stretches().map(|stretch| stretch.end).max();
    let length = last
        .zip(arrivals.min())
        .map_or(0, |(last, first)| last.saturating_sub(first));
    let busy = stretches().map(|stretch| stretch.pes as f64 * (stretch.end - stretch.start) as f64);
    rate(total(busy), f64::from(pes) * length as f64)
}
