//! metrics.json against sums over the tables: what every run has. Rule 7.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::{
    entries::{near, ratio, same, same_or_none},
    extras::Extra,
    findings::Findings,
    joint::JointTotals,
    operations::{Histories, History, Movers},
    placing,
    service::Service,
    settings::Settings,
};
use crate::{
    error::{Error, Result},
    files::{Booking, Job, Move, Operation, OutageRow, Piece, Profile, Reservation},
    layout::Fragments,
    text_file,
};

/// The entries of metrics.json that can be checked.
#[derive(Deserialize)]
pub(super) struct Totals {
    #[serde(flatten)]
    pub(super) settings: Settings,
    requests: u64,
    accepted: u64,
    acceptance_rate: Option<f64>,
    accepted_work_rate: Option<f64>,
    utilization: Option<f64>,
    booked_utilization: Option<f64>,
    used_pe_seconds: u64,
    /// Where the input names users.
    pub(super) fairness: Option<f64>,
    refusals: BTreeMap<String, u64>,
    /// Of a run with holds or operations.
    operations: Option<BTreeMap<String, Decided>>,
    /// The same: those that were refused, by reason.
    operation_refusals: Option<BTreeMap<String, u64>>,
    // Of a machine with a layout.
    relocations: Option<u64>,
    relocated_for: Option<u64>,
    #[serde(flatten)]
    fragments: Fragments,
    #[serde(flatten)]
    service: Service,
    #[serde(flatten)]
    joint: JointTotals,
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
        Ok(Some(totals))
    }

    pub(super) fn check(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        (queued, pieces): (&[&Job<'_>], &[Piece]),
        histories: Option<&Histories>,
        found: &mut Findings,
    ) {
        let accepted = reservations
            .iter()
            .filter(|promise| promise.is_accepted())
            .count();
        same(
            "requests",
            &self.requests,
            &(reservations.len() as u64),
            found,
        );
        same("accepted", &self.accepted, &(accepted as u64), found);
        let refused = reservations.iter().filter(|promise| !promise.is_accepted());
        let reasons = by_reason(refused.map(|promise| promise.reason.as_ref()));
        same("refusals", &self.refusals, &reasons, found);
        self.check_rates(reservations, found);
        self.service.check(reservations, jobs, histories, found);
        self.check_utilization(reservations, jobs, (queued, pieces), histories, found);
        self.joint.check(reservations, jobs, &self.settings, found);
        self.extra.check_ranges(reservations, found);
        self.extra.check_queue(queued, &self.settings, found);
        self.extra.check_pieces(pieces, &self.settings, found);
        self.extra
            .check_deadlines(reservations, jobs, &self.settings, found);
        self.extra
            .check_waiting(reservations, &self.settings, found);
        self.extra
            .check_overlays(reservations, &self.settings, found);
        self.extra
            .check_prices(reservations, queued, &self.settings, found);
    }

    /// What the strategy moved.
    pub(super) fn check_moves(
        &self,
        reservations: &[Reservation],
        moves: (&[Move], &Movers),
        found: &mut Findings,
    ) {
        self.extra
            .check_juggling(reservations, moves, &self.settings, found);
    }

    /// What outages and overruns did.
    pub(super) fn check_outages(
        &self,
        told: (&[Reservation], &[Job<'_>]),
        outages: (&[OutageRow], &[Move], bool),
        found: &mut Findings,
    ) {
        self.extra
            .check_outages(told, outages, &self.settings, found);
    }

    /// How scattered jobs lie, and what was moved in space.
    pub(super) fn check_placing(&self, jobs: &[Job<'_>], moves: &[Move], found: &mut Findings) {
        let layout = self.settings.layout();
        let expected = layout.map(|layout| placing::scattered(jobs, layout));
        let expected = expected.unwrap_or_default();
        let told = self.fragments;
        let rates = [
            ("fragmentation", told.fragmentation, expected.fragmentation),
            ("stranded_pes", told.stranded_pes, expected.stranded_pes),
            (
                "groups_per_job",
                told.groups_per_job,
                expected.groups_per_job,
            ),
            (
                "blocks_per_job",
                told.blocks_per_job,
                expected.blocks_per_job,
            ),
        ];
        for (name, told, expected) in rates {
            near(name, told, expected, found);
        }
        let [relocations, newcomers] = placing::relocations(moves);
        let counts = [
            ("relocations", self.relocations, relocations),
            ("relocated_for", self.relocated_for, newcomers),
        ];
        for (name, told, count) in counts {
            let expected = layout.map(|_| count as u64);
            same_or_none(name, told, expected, found);
        }
    }

    /// The counts of operations by name, and of refused ones by reason.
    pub(super) fn check_operations(
        &self,
        expected: bool,
        operations: &[Operation],
        found: &mut Findings,
    ) {
        let mut counts: BTreeMap<String, Decided> = BTreeMap::new();
        for operation in operations {
            let decided = counts.entry(operation.op.clone().into_owned());
            let decided = decided.or_default();
            match operation.is_accepted() {
                true => decided.accepted += 1,
                false => decided.refused += 1,
            }
        }
        let counts = expected.then_some(counts);
        same("operations", &self.operations, &counts, found);
        let refused = operations.iter().filter(|row| !row.is_accepted());
        let reasons = by_reason(refused.map(|row| row.reason.as_ref()));
        let reasons = expected.then_some(reasons);
        same(
            "operation_refusals",
            &self.operation_refusals,
            &reasons,
            found,
        );
    }

    fn check_rates(&self, reservations: &[Reservation], found: &mut Findings) {
        let accepted = || reservations.iter().filter(|promise| promise.is_accepted());
        let count = accepted().count() as f64;
        let rate = ratio(count, reservations.len() as f64);
        near("acceptance_rate", self.acceptance_rate, rate, found);
        let asked = |promise: &Reservation| promise.duration as f64 * promise.pes as f64;
        let granted = |promise: &Reservation| {
            promise
                .granted()
                .iter()
                .map(|&part| part as f64)
                .product::<f64>()
        };
        let rate = ratio(
            accepted().map(granted).sum(),
            reservations.iter().map(asked).sum(),
        );
        near("accepted_work_rate", self.accepted_work_rate, rate, found);
    }

    fn check_utilization(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        (queued, pieces): (&[&Job<'_>], &[Piece]),
        histories: Option<&Histories>,
        found: &mut Findings,
    ) {
        let lost = || {
            let width = |piece: &Piece| piece.allocated_resources.width();
            let piece = move |piece: &Piece| (piece.starting_time, piece.finish_time, width(piece));
            pieces.iter().map(piece)
        };
        let from = jobs.iter().map(|job| job.submission_time).min();
        let mut pe_seconds = 0_u64;
        let used = uses(reservations, jobs, histories).chain(lost());
        let used = used.inspect(|&(start, end, pes)| {
            let seconds = end.saturating_sub(start);
            pe_seconds = pe_seconds.saturating_add(seconds.saturating_mul(pes));
        });
        let used = utilization(&self.settings, from, used);
        near("utilization", self.utilization, used, found);
        same("used_pe_seconds", &self.used_pe_seconds, &pe_seconds, found);
        let promised = |promise: &Reservation| {
            // What lies on top of others may start late, or never.
            let ran = !promise.is_overlay() || promise.actual_end.flatten().is_some();
            let start = promise.last_start().filter(|_| ran)?;
            Some((start, promise.end?, promise.granted()[1]))
        };
        let reservations = reservations.iter().filter(|_| histories.is_none());
        let histories = histories.map(Histories::histories).unwrap_or_default();
        let followed = histories.iter().flat_map(History::booked);
        let followed = followed.map(|Booking { start, end, pes }| (start, end, pes));
        let slots = self.settings.slots();
        let estimated = |job: &&Job| {
            let length = slots.up(job.requested_time);
            let start = job.starting_time?;
            let pes = job.requested_number_of_resources;
            Some((start, start.saturating_add(length), pes))
        };
        let reserved = reservations.filter_map(promised).chain(followed);
        let booked = reserved.chain(queued.iter().filter_map(estimated));
        let booked = booked.chain(lost());
        let used = utilization(&self.settings, from, booked);
        near("booked_utilization", self.booked_utilization, used, found);
    }
}

/// PE-seconds of the uses (start, end, PEs) by those of the machine from `from` to the last end.
fn utilization(
    settings: &Settings,
    from: Option<u64>,
    uses: impl Iterator<Item = (u64, u64, u64)>,
) -> Option<f64> {
    let (mut busy, mut last) = (0.0, 0);
    for (start, end, pes) in uses {
        busy += end.saturating_sub(start) as f64 * pes as f64;
        last = last.max(end);
    }
    let length = last.saturating_sub(from.unwrap_or(0));
    ratio(busy, settings.all_pes() as f64 * length as f64)
}

/// Start, finish and processing elements of every job that ran, what it gave back before its finish apart.
fn uses(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    histories: Option<&Histories>,
) -> impl Iterator<Item = (u64, u64, u64)> {
    let mut granted = reservations.iter().map(|promise| promise.granted()[1]);
    let moved = histories.is_some();
    jobs.iter().flat_map(move |job| {
        let reserved = (job.profile == Profile::Reservation)
            .then(|| granted.next())
            .flatten();
        let pes = match reserved.unwrap_or(job.requested_number_of_resources) {
            // How many it has in the end is compared with its booking elsewhere.
            _ if moved => job.allocated_resources.width(),
            pes => pes,
        };
        let start = job.starting_time;
        let kept = job.finish_time.map(|finish| (finish, pes));
        let given_back = job.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, back.pes.width()));
        let uses = kept.into_iter().chain(given_back);
        uses.filter_map(move |(end, pes)| Some((start?, end, pes)))
    })
}

/// How many were refused for each reason.
fn by_reason<'a>(reasons: impl Iterator<Item = &'a str>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(reason.to_owned()).or_default() += 1;
    }
    counts
}
