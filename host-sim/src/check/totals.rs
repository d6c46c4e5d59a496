//! metrics.json against sums over the tables: what every run has. Rule 7.

use std::{collections::BTreeMap, fmt, path::Path};

use serde::Deserialize;

use super::{
    Findings,
    extras::Extra,
    follow::{Life, Story},
    rows::{Booking, Job, Operation, Promise, width},
};
use crate::{
    engine::{Elastic, Strategy, User},
    error::{Error, Result},
    text_file,
};

/// Sums of floats depend on their order in the last digits.
const ROUNDING: f64 = 1e-9;

/// What the machine is like, how requests are decided, and what it costs.
#[derive(Deserialize)]
pub(super) struct Machine {
    pub(super) pes: u64,
    pub(super) slot_seconds: u64,
    policy: String,
    /// Of an elastic strategy.
    user: Option<String>,
    /// The discipline of the queue, where there is one.
    pub(super) best_effort: Option<String>,
    pub(super) price_per_pe_minute: Option<f64>,
    pub(super) price_per_reserved_pe_slot: Option<f64>,
}

/// The entries of metrics.json that can be checked.
#[derive(Deserialize)]
pub(super) struct Totals {
    #[serde(flatten)]
    pub(super) machine: Machine,
    requests: u64,
    accepted: u64,
    acceptance_rate: f64,
    accepted_work_rate: f64,
    average_slowdown: f64,
    utilization: f64,
    booked_utilization: f64,
    used_pe_seconds: u64,
    refusals: BTreeMap<String, u64>,
    /// Of a run with holds or operations.
    operations: Option<BTreeMap<String, Decided>>,
    #[serde(flatten)]
    extra: Extra,
}

/// How often an operation was to be done.
#[derive(Debug, Default, PartialEq, Deserialize)]
struct Decided {
    accepted: u64,
    refused: u64,
}

impl Totals {
    /// Reads a metrics.json, or nothing when there is no such file.
    pub(super) fn read(file: &Path) -> Result<Option<Self>> {
        let Some(text) = text_file::read_if_there(file)? else {
            return Ok(None);
        };
        let wrong = |line, field, problem| Error::Input {
            file: file.to_owned(),
            line,
            field,
            problem,
        };
        let totals: Self = serde_json::from_str(&text).map_err(|error| {
            let line = Some(error.line() as u64);
            wrong(line, None, error.to_string())
        })?;
        if totals.machine.slot_seconds == 0 {
            let field = Some("slot_seconds".to_owned());
            let problem = "0 found, a number above 0 expected".to_owned();
            return Err(wrong(None, field, problem));
        }
        Ok(Some(totals))
    }

    pub(super) fn check(
        &self,
        promises: &[Promise],
        jobs: &[Job],
        story: Option<&Story>,
        found: &mut Findings,
    ) {
        let accepted = promises.iter().filter(|promise| promise.accepted).count();
        same("requests", &self.requests, &(promises.len() as u64), found);
        same("accepted", &self.accepted, &(accepted as u64), found);
        let used = used(promises, jobs, story);
        same("used_pe_seconds", &self.used_pe_seconds, &used, found);
        same("refusals", &self.refusals, &refusals(promises), found);
        self.check_rates(promises, story, found);
        self.check_utilization(promises, jobs, story, found);
        self.extra.check_queue(jobs, found);
        self.extra
            .check_prices(promises, jobs, &self.machine, found);
    }

    /// The counts of operations by name.
    pub(super) fn check_operations(
        &self,
        expected: bool,
        operations: &[Operation],
        found: &mut Findings,
    ) {
        let mut counts: BTreeMap<String, Decided> = BTreeMap::new();
        for operation in operations {
            let decided = counts.entry(operation.action.name().to_owned());
            let decided = decided.or_default();
            match operation.accepted {
                true => decided.accepted += 1,
                false => decided.refused += 1,
            }
        }
        let counts = expected.then_some(counts);
        same("operations", &self.operations, &counts, found);
    }

    fn check_rates(&self, promises: &[Promise], story: Option<&Story>, found: &mut Findings) {
        let accepted = || promises.iter().filter(|promise| promise.accepted);
        let count = accepted().count() as f64;
        let rate = ratio(count, promises.len() as f64);
        near("acceptance_rate", self.acceptance_rate, rate, found);
        let asked = |promise: &Promise| promise.duration as f64 * promise.pes as f64;
        let granted = |promise: &Promise| {
            promise
                .granted
                .iter()
                .map(|&part| part as f64)
                .product::<f64>()
        };
        let rate = ratio(
            accepted().map(granted).sum(),
            promises.iter().map(asked).sum(),
        );
        near("accepted_work_rate", self.accepted_work_rate, rate, found);
        // From the times and not from the column, which is cut at six decimals.
        let start = |promise: &Promise| match story {
            Some(story) => story.of(promise.job_id).map(|life| life.booking.start),
            None => promise.booked[0],
        };
        let slowdown = |promise: &Promise| Some(promise.slowdown_from(start(promise)?));
        let mean = ratio(accepted().filter_map(slowdown).sum(), count);
        near("average_slowdown", self.average_slowdown, mean, found);
    }

    fn check_utilization(
        &self,
        promises: &[Promise],
        jobs: &[Job],
        story: Option<&Story>,
        found: &mut Findings,
    ) {
        let from = jobs.iter().map(|job| job.submitted).min();
        let used = self.machine.utilization(from, uses(promises, jobs, story));
        near("utilization", self.utilization, used, found);
        let promised =
            |promise: &Promise| Some((promise.booked[0]?, promise.booked[1]?, promise.granted[1]));
        let promises = promises.iter().filter(|_| story.is_none());
        let lives = story.map(Story::lives).unwrap_or_default();
        let followed = lives.iter().flat_map(Life::booked);
        let followed = followed.map(|Booking { start, end, pes }| (start, end, pes));
        let slot = self.machine.slot_seconds;
        let queued = |job: &Job| {
            let length = job.requested_time.div_ceil(slot).saturating_mul(slot);
            let start = job.ran[0].filter(|_| job.best_effort)?;
            Some((start, start.saturating_add(length), job.requested_pes))
        };
        let reserved = promises.filter_map(promised).chain(followed);
        let used = self
            .machine
            .utilization(from, reserved.chain(jobs.iter().filter_map(queued)));
        near("booked_utilization", self.booked_utilization, used, found);
    }
}

pub(super) fn same<T: PartialEq + fmt::Debug>(
    name: &str,
    entry: &T,
    expected: &T,
    found: &mut Findings,
) {
    if entry != expected {
        differs(name, entry, expected, found);
    }
}

pub(super) fn near(name: &str, entry: f64, expected: f64, found: &mut Findings) {
    if (entry - expected).abs() > ROUNDING * expected.max(1.0) {
        differs(name, &entry, &expected, found);
    }
}

fn differs(name: &str, entry: &dyn fmt::Debug, expected: &dyn fmt::Debug, found: &mut Findings) {
    let problem = format!("metrics.json, {name}: found {entry:?}, expected {expected:?}");
    found.add(None, problem);
}

impl Machine {
    /// Whether requests start at their ready times or not at all.
    pub(super) fn is_rigid(&self) -> bool {
        self.policy == Strategy::Rigid.name()
    }

    /// Whether a request may be granted less than it asks for.
    pub(super) fn reduces(&self) -> bool {
        let elastic = Strategy::Elastic(Elastic::default());
        self.policy == elastic.name() && self.user.as_deref() != Some(User::SolutionOnly.name())
    }

    /// PE-seconds of the uses (start, end, PEs) by those of the machine from `from` to the last end.
    fn utilization(&self, from: Option<u64>, uses: impl Iterator<Item = (u64, u64, u64)>) -> f64 {
        let (mut busy, mut last) = (0.0, 0);
        for (start, end, pes) in uses {
            busy += end.saturating_sub(start) as f64 * pes as f64;
            last = last.max(end);
        }
        let length = last.saturating_sub(from.unwrap_or(0));
        ratio(busy, self.pes as f64 * length as f64)
    }
}

/// Start, finish and processing elements of every job that ran, what it gave back before its finish apart.
fn uses(
    promises: &[Promise],
    jobs: &[Job],
    story: Option<&Story>,
) -> impl Iterator<Item = (u64, u64, u64)> {
    let mut granted = promises.iter().map(|promise| promise.granted[1]);
    let moved = story.is_some();
    jobs.iter().flat_map(move |job| {
        let reserved = (!job.best_effort && !job.split)
            .then(|| granted.next())
            .flatten();
        let pes = match reserved.unwrap_or(job.requested_pes) {
            // How many it has in the end is compared with its booking elsewhere.
            _ if moved => job.width(),
            pes => pes,
        };
        let [start, finish] = job.ran;
        let kept = finish.map(|finish| (finish, pes));
        let given_back = job.given_back.iter();
        let given_back = given_back.map(|back| (back.until, width(&back.pes)));
        let uses = kept.into_iter().chain(given_back);
        uses.filter_map(move |(end, pes)| Some((start?, end, pes)))
    })
}

fn used(promises: &[Promise], jobs: &[Job], story: Option<&Story>) -> u64 {
    let used = uses(promises, jobs, story)
        .map(|(start, end, pes)| end.saturating_sub(start).saturating_mul(pes));
    used.fold(0, u64::saturating_add)
}

fn refusals(promises: &[Promise]) -> BTreeMap<String, u64> {
    let mut refusals = BTreeMap::new();
    for promise in promises.iter().filter(|promise| !promise.accepted) {
        *refusals.entry(promise.reason.clone()).or_insert(0) += 1;
    }
    refusals
}

/// 0 for nothing by nothing.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
