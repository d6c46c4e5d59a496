//! metrics.json: figures and settings of a run.

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;

use super::{RunInfo, write_json};
use crate::{
    engine::{Outcome, metrics::Metrics},
    error::Result,
};

/// Fields in the order in which they stand in the file.
#[derive(Serialize)]
struct Entries<'a> {
    version: &'static str,
    workload: &'a str,
    seed: u64,
    policy: &'static str,
    binding: &'static str,
    pes: u16,
    slots: u32,
    slot_seconds: u32,
    requests: usize,
    accepted: usize,
    acceptance_rate: f64,
    accepted_work_rate: f64,
    average_slowdown: f64,
    utilization: f64,
    booked_utilization: f64,
    used_pe_seconds: u64,
    refusals: &'a BTreeMap<&'static str, usize>,
}

pub(super) fn write(
    file: &Path,
    info: &RunInfo,
    metrics: &Metrics,
    outcomes: &[Outcome],
) -> Result<()> {
    let system = &info.system;
    let entries = Entries {
        version: env!("CARGO_PKG_VERSION"),
        workload: &info.workload,
        seed: info.seed,
        policy: system.strategy.name(),
        binding: system.binding.name(),
        pes: system.pes,
        slots: system.slots,
        slot_seconds: system.slot_seconds,
        requests: metrics.requests,
        accepted: metrics.accepted,
        acceptance_rate: metrics.acceptance_rate,
        accepted_work_rate: metrics.accepted_work_rate,
        average_slowdown: metrics.average_slowdown,
        utilization: metrics.utilization,
        booked_utilization: metrics.booked_utilization,
        used_pe_seconds: used_pe_seconds(outcomes),
        refusals: &metrics.refusals,
    };
    write_json(file, &entries)
}

fn used_pe_seconds(outcomes: &[Outcome]) -> u64 {
    let used = |outcome: &Outcome| {
        let placed = outcome.fate.as_ref();
        placed.map_or(0, |placed| placed.ran.saturating_mul(placed.width()))
    };
    outcomes.iter().map(used).fold(0, u64::saturating_add)
}
