//! metrics.json: figures and settings of a run.

use std::{collections::BTreeMap, path::Path};

use bookahead::{Insertion, PeCount};
use serde::Serialize;
use serde_json::Value;

use super::{RunInfo, Sums, units, write_json};
use crate::{
    engine::{
        self, OnLate, Priority, Strategy, System,
        distribution::{Distribution, Percentiles, rate},
        metrics::{
            BandCounts, Deadlines, Decided, JointCounts, LateCounts, Metrics, OutageCounts,
            Preemptions, Ranges, Refusals,
        },
    },
    error::Result,
    files,
    layout::{Fragments, Layout},
    rule::Rule,
    several::{Principal, Resource},
    statistics::Limits,
};

/// Fields in the order in which they stand in the file.
#[derive(Serialize)]
struct Entries<'a> {
    version: &'static str,
    workload: &'a str,
    seed: u64,
    strategy: &'static str,
    policy: &'static str,
    binding: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sites: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redundancy: Option<String>,
    pes: u16,
    slots: u32,
    slot_seconds: u32,
    requests: usize,
    accepted: usize,
    acceptance_rate: Option<f64>,
    lost_to_rounding: usize,
    acceptance_rate_after_rounding: Option<f64>,
    accepted_work_rate: Option<f64>,
    average_slowdown: Option<f64>,
    slowdown_percentiles: Percentiles,
    bounded_slowdown: Option<f64>,
    bounded_slowdown_percentiles: Percentiles,
    stretch: Distribution,
    waiting: Distribution,
    utilization: Option<f64>,
    booked_utilization: Option<f64>,
    used_pe_seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<f64>,
    refusals: &'a Refusals,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<&'a BTreeMap<&'static str, Decided>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_refusals: Option<BTreeMap<&'static str, usize>>,
    #[serde(flatten)]
    ranges: Option<Ranges>,
    #[serde(flatten)]
    elastic: Option<Elastic>,
    #[serde(flatten)]
    shifting: Option<Shifting>,
    #[serde(flatten)]
    juggling: Option<Juggling>,
    #[serde(flatten)]
    moving: Option<Moving>,
    #[serde(flatten)]
    placing: Option<Placing<'a>>,
    #[serde(flatten)]
    violations: Violations,
    #[serde(flatten)]
    overlaying: Option<Overlaying>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overrun: Option<bool>,
    #[serde(skip_serializing_if = "<[Rule]>::is_empty")]
    rules: &'a [Rule],
    #[serde(skip_serializing_if = "<[Principal]>::is_empty")]
    quotas: &'a [Principal],
    #[serde(skip_serializing_if = "Option::is_none")]
    principal_fairness: Option<f64>,
    #[serde(skip_serializing_if = "<[Resource]>::is_empty")]
    resources: &'a [Resource],
    #[serde(flatten)]
    joint: Option<&'a JointCounts>,
    #[serde(flatten)]
    outages: Option<OutageCounts>,
    #[serde(flatten)]
    deadlines: Option<Deadlines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'static str>,
    #[serde(flatten)]
    late: Option<LateCounts>,
    #[serde(flatten)]
    queue: Option<Queue<'a>>,
    #[serde(flatten)]
    prices: Option<Prices>,
}

/// What a number of the file can be, by its key, where a dot reaches nested ones.
pub(crate) fn limits(key: &str) -> Limits {
    let (first, _) = key.split_once('.').unwrap_or((key, ""));
    match first {
        "acceptance_rate"
        | "acceptance_rate_after_rounding"
        | "accepted_work_rate"
        | "utilization"
        | "fairness"
        | "principal_fairness"
        | "resource_utilization"
        | "fragmentation"
        | "promises_broken_rate"
        | "deadlines_kept_rate"
        | "violation_rate"
        | "overlay_violation_rate"
        | "promised_violation_rate" => Limits::SHARE,
        "average_slowdown"
        | "slowdown_percentiles"
        | "bounded_slowdown"
        | "bounded_slowdown_percentiles"
        | "stretch" => Limits::FACTOR,
        // Counts, times and money. With overlays more may be booked than there is, so that booked utilisation is no share.
        _ => Limits::AMOUNT,
    }
}

/// What an elastic strategy adds.
#[derive(Serialize)]
struct Elastic {
    search: &'static str,
    offer_order: &'static str,
    offers: usize,
    user: &'static str,
    reduced: usize,
}

/// What shifting adds.
#[derive(Serialize)]
struct Shifting {
    direction: &'static str,
    insertion: &'static str,
    depth: Option<u8>,
}

/// What juggling adds.
#[derive(Serialize)]
struct Juggling {
    order: &'static str,
    admission: &'static str,
    after_failure: &'static str,
    suggest_max: Option<u32>,
    replan: bool,
    suggested: usize,
}

/// What every strategy that moves reservations adds.
#[derive(Serialize)]
struct Moving {
    freeze: String,
    move_limit: Option<u32>,
    work_limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pull_forward: Option<bool>,
    moves: usize,
    moved: usize,
    frozen: usize,
}

/// What a layout adds.
#[derive(Serialize)]
struct Placing<'a> {
    layout: &'a Layout,
    prefer: String,
    relocate: bool,
    relocations: usize,
    relocated_for: usize,
    #[serde(flatten)]
    fragments: Option<Fragments>,
}

/// Promises to what lies on top of others that were broken, and their share in the accepted requests: none but with overlays.
#[derive(Serialize)]
struct Violations {
    violations: usize,
    violation_rate: Option<f64>,
}

/// What overlays add.
#[derive(Serialize)]
struct Overlaying {
    threshold: String,
    overlays: usize,
    late_starts: usize,
    cut_short: usize,
    overlay_violation_rate: Option<f64>,
    promised_violation_rate: Option<f64>,
    // Where it is not waited for what is late.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_late: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compensation: Option<f64>,
}

/// What a queue adds; times in seconds.
#[derive(Serialize)]
struct Queue<'a> {
    best_effort: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue_priority: Option<&'static str>,
    best_effort_submitted: usize,
    best_effort_started: usize,
    best_effort_refusals: &'a Refusals,
    best_effort_waiting_time: Option<f64>,
    best_effort_overran: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    planned_drift: Option<Percentiles>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_bands: Option<BandCounts>,
    #[serde(flatten)]
    preemptions: Option<Preemptions>,
}

/// What prices add; all in units of money.
#[derive(Serialize)]
struct Prices {
    price_per_pe_minute: f64,
    price_per_reserved_pe_slot: f64,
    revenue_reservations: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    revenue_best_effort: Option<f64>,
}

pub(super) fn write(file: &Path, info: &RunInfo, metrics: &Metrics, sums: &Sums) -> Result<()> {
    write_json(file, &entries(info, metrics, sums))
}

/// What metrics.json says, without the file.
pub(super) fn value(info: &RunInfo, metrics: &Metrics, sums: &Sums) -> serde_json::Result<Value> {
    serde_json::to_value(entries(info, metrics, sums))
}

/// What the file says.
pub(crate) fn entries<'a>(
    info: &'a RunInfo,
    metrics: &'a Metrics,
    sums: &Sums,
) -> impl Serialize + use<'a> {
    let system = &info.system;
    Entries {
        version: env!("CARGO_PKG_VERSION"),
        workload: &info.workload,
        seed: info.seed,
        strategy: system.strategy.name(),
        policy: system.strategy.policy().name(),
        binding: system.binding.name(),
        sites: Some(system.sites).filter(|sites| *sites > 1),
        redundancy: system.redundancy.map(|redundancy| redundancy.to_string()),
        pes: system.pes,
        slots: system.slots,
        slot_seconds: system.slot_seconds,
        requests: metrics.requests,
        accepted: metrics.accepted,
        acceptance_rate: metrics.acceptance_rate,
        lost_to_rounding: metrics.lost_to_rounding,
        acceptance_rate_after_rounding: metrics.acceptance_rate_after_rounding,
        accepted_work_rate: metrics.accepted_work_rate,
        average_slowdown: metrics.slowdown.mean,
        slowdown_percentiles: metrics.slowdown.percentiles,
        bounded_slowdown: metrics.bounded_slowdown.mean,
        bounded_slowdown_percentiles: metrics.bounded_slowdown.percentiles,
        stretch: metrics.stretch,
        waiting: metrics.waiting,
        utilization: metrics.utilization,
        booked_utilization: metrics.booked_utilization,
        used_pe_seconds: sums.used_pe_seconds,
        fairness: files::fairness(&sums.users),
        refusals: &metrics.refusals,
        operations: (!sums.plain).then_some(&metrics.operations),
        operation_refusals: (!sums.plain).then(|| by_reason(metrics)),
        ranges: metrics.ranges,
        elastic: elastic(system, metrics),
        shifting: system.strategy.shift().map(shifting),
        juggling: juggling(system, metrics),
        moving: moving(system, metrics),
        placing: system.placing.as_ref().map(|placing| Placing {
            layout: &placing.layout,
            prefer: placing.prefer.to_string(),
            relocate: placing.relocate,
            relocations: match placing.relocate {
                true => metrics.rearranged.moves,
                false => 0,
            },
            relocated_for: metrics.relocated_for,
            fragments: metrics.fragments,
        }),
        violations: violations(metrics),
        overlaying: overlaying(system, metrics),
        overrun: system.overrun.then_some(true),
        rules: &system.rules,
        quotas: &system.quotas,
        principal_fairness: files::principal_fairness(&sums.principals),
        resources: &system.resources,
        joint: metrics.joint.as_ref(),
        outages: metrics.outages,
        deadlines: metrics.deadlines,
        priority: system.wait.as_ref().map(Priority::name),
        late: metrics.late,
        queue: system.best_effort.map(|discipline| Queue {
            best_effort: discipline.name(),
            queue_priority: system.queue_order.as_ref().map(Priority::name),
            best_effort_submitted: metrics.best_effort.submitted,
            best_effort_started: metrics.best_effort.started,
            best_effort_refusals: &metrics.best_effort.refusals,
            best_effort_waiting_time: metrics.best_effort.waiting_time,
            best_effort_overran: metrics.best_effort.overran,
            planned_drift: metrics.best_effort.planned_drift,
            start_bands: metrics.best_effort.start_bands.clone(),
            preemptions: metrics.preemptions,
        }),
        prices: system.has_prices().then(|| prices(system, metrics)),
    }
}

/// How many operations were refused for each reason.
fn by_reason(metrics: &Metrics) -> BTreeMap<&'static str, usize> {
    let mut reasons = BTreeMap::new();
    for ((_, reason), count) in &metrics.operation_refusals {
        *reasons.entry(*reason).or_insert(0) += count;
    }
    reasons
}

fn elastic(system: &System, metrics: &Metrics) -> Option<Elastic> {
    let Strategy::Elastic(elastic) = system.strategy else {
        return None;
    };
    Some(Elastic {
        search: elastic.search.name(),
        offer_order: elastic.order.name(),
        offers: elastic.offers,
        user: elastic.user.name(),
        reduced: metrics.reduced,
    })
}

fn shifting(shift: engine::Shift) -> Shifting {
    Shifting {
        direction: shift.direction.name(),
        insertion: shift.insertion.name(),
        depth: match shift.insertion {
            Insertion::Slides { depth } => Some(depth),
            Insertion::FewestMoves | Insertion::LeastShift => None,
        },
    }
}

fn juggling(system: &System, metrics: &Metrics) -> Option<Juggling> {
    let juggle = system.strategy.juggle()?;
    Some(Juggling {
        order: juggle.order.name(),
        admission: juggle.admission.name(),
        after_failure: juggle.after_failure.name(),
        suggest_max: juggle.suggest_max,
        replan: juggle.replan,
        suggested: metrics.rearranged.suggested,
    })
}

fn moving(system: &System, metrics: &Metrics) -> Option<Moving> {
    let moving = system.moving()?;
    Some(Moving {
        freeze: moving.freeze.to_string(),
        move_limit: moving.move_limit,
        work_limit: moving.work_limit,
        pull_forward: system.pull_forward.then_some(true),
        moves: metrics.rearranged.moves,
        moved: metrics.rearranged.moved,
        frozen: metrics.rearranged.frozen,
    })
}

fn violations(metrics: &Metrics) -> Violations {
    let violations = metrics.overlays.violations();
    Violations {
        violations,
        violation_rate: rate(violations as f64, metrics.accepted as f64),
    }
}

fn overlaying(system: &System, metrics: &Metrics) -> Option<Overlaying> {
    let overlays = metrics.overlays;
    let settings = system.strategy.overlay()?;
    let on_late = settings.on_late;
    let compensates = matches!(on_late, OnLate::Compensate(_));
    Some(Overlaying {
        threshold: settings.threshold.to_string(),
        overlays: overlays.accepted,
        late_starts: overlays.late_starts,
        cut_short: overlays.cut_short,
        overlay_violation_rate: rate(overlays.violations() as f64, overlays.accepted as f64),
        promised_violation_rate: overlays.promised_violation_rate,
        on_late: (on_late != OnLate::Wait).then(|| on_late.to_string()),
        compensation: compensates.then(|| units(overlays.compensation)),
    })
}

fn prices(system: &System, metrics: &Metrics) -> Prices {
    let queue = system.best_effort;
    // A price of one minute is never too large: it is what the tariff was made from.
    let base = system.tariff.best_effort(1, PeCount::new(1));
    Prices {
        price_per_pe_minute: units(base.unwrap_or_default()),
        price_per_reserved_pe_slot: units(system.tariff.slot_rate()),
        revenue_reservations: units(metrics.revenue),
        revenue_best_effort: queue.map(|_| units(metrics.best_effort.revenue)),
    }
}
