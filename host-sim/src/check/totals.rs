//! metrics.json against sums over the tables: what every run has. Rule 7.

use std::{collections::BTreeMap, io, path::Path};

use serde::Deserialize;

use super::{
    entries::{near, ratio, same, same_or_none},
    extras::{Extra, Sums},
    findings::Findings,
    joint::JointTotals,
    operations::{Histories, History, Movers},
    placing,
    service::{Served, Service},
    settings::Settings,
    summaries,
};
use crate::{
    error::{Error, Result},
    files::{Booking, Job, Move, Operation, OutageRow, Piece, Reservation},
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
    pub(super) joint: JointTotals,
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

    /// # Errors
    /// What the file system reports about sorted numbers.
    pub(super) fn check(
        &self,
        (tally, rows): (Tally<'_>, &summaries::Sums),
        (queued, pieces): (&[&Job<'_>], &[Piece]),
        found: &mut Findings,
    ) -> io::Result<Sums> {
        let (requests, accepted) = (rows.requests, rows.accepted);
        same("requests", &self.requests, &requests, found);
        same("accepted", &self.accepted, &accepted, found);
        same("refusals", &self.refusals, &tally.refusals, found);
        let rate = ratio(accepted as f64, requests as f64);
        near("acceptance_rate", self.acceptance_rate, rate, found);
        let rate = ratio(tally.granted_work, tally.asked_work);
        near("accepted_work_rate", self.accepted_work_rate, rate, found);
        self.service.check(tally.served, found)?;
        let lost = || {
            let width = |piece: &Piece| piece.allocated_resources.width();
            let piece = move |piece: &Piece| (piece.starting_time, piece.finish_time, width(piece));
            pieces.iter().map(piece)
        };
        let (mut used, mut booked) = (tally.used, tally.booked);
        lost().for_each(|lost| used.add(lost));
        let from = tally.first_submission;
        let utilization = used.utilization(&self.settings, from);
        near("utilization", self.utilization, utilization, found);
        same(
            "used_pe_seconds",
            &self.used_pe_seconds,
            &used.pe_seconds,
            found,
        );
        let slots = self.settings.slots();
        let estimated = |job: &&Job<'_>| {
            let length = slots.up(job.requested_time);
            let start = job.starting_time?;
            let pes = job.requested_number_of_resources;
            Some((start, start.saturating_add(length), pes))
        };
        let followed = tally.histories.map(Histories::histories);
        let followed = followed.into_iter().flatten().flat_map(History::booked);
        let followed = followed.map(|Booking { start, end, pes }| (start, end, pes));
        let others = followed.chain(queued.iter().filter_map(estimated));
        others.chain(lost()).for_each(|other| booked.add(other));
        let utilization = booked.utilization(&self.settings, from);
        near(
            "booked_utilization",
            self.booked_utilization,
            utilization,
            found,
        );
        let sums = tally.sums;
        let (extra, settings) = (&self.extra, &self.settings);
        extra.check_ranges(&sums, found);
        extra.check_queue(queued, settings, found)?;
        extra.check_pieces(pieces, settings, found);
        extra.check_deadlines(&sums, queued, settings, found);
        extra.check_waiting(&sums, settings, found);
        extra.check_overlays(&sums, settings, found);
        extra.check_prices(&sums, queued, settings, found);
        Ok(sums)
    }

    /// What the strategy moved.
    pub(super) fn check_moves(&self, sums: &Sums, moves: (&[Move], &Movers), found: &mut Findings) {
        self.extra
            .check_juggling(sums, moves, &self.settings, found);
    }

    /// What outages and overruns did.
    pub(super) fn check_outages(
        &self,
        sums: &Sums,
        outages: (&[OutageRow], &[Move], bool),
        found: &mut Findings,
    ) {
        self.extra
            .check_outages(sums, outages, &self.settings, found);
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
}

/// Sums over the rows.
pub(super) struct Tally<'a> {
    histories: Option<&'a Histories>,
    refusals: BTreeMap<String, u64>,
    asked_work: f64,
    granted_work: f64,
    first_submission: Option<u64>,
    used: Busy,
    booked: Busy,
    served: Served,
    sums: Sums,
}

impl<'a> Tally<'a> {
    /// Over nothing so far. Where there is a folder, numbers are sorted in files there.
    pub(super) fn new(histories: Option<&'a Histories>, folder: Option<&Path>) -> Self {
        Self {
            histories,
            refusals: BTreeMap::new(),
            asked_work: 0.0,
            granted_work: 0.0,
            first_submission: None,
            used: Busy::default(),
            booked: Busy::default(),
            served: Served::new(folder),
            sums: Sums::default(),
        }
    }

    /// The next row of one table or of both.
    pub(super) fn row(&mut self, job: Option<&Job<'_>>, row: Option<&Reservation>) {
        if let Some(row) = row {
            self.request(row);
            self.served.row(row, job, self.histories);
            self.sums.request(row);
        }
        if let Some(job) = job {
            let submitted = job.submission_time;
            let first = self
                .first_submission
                .map_or(submitted, |first| first.min(submitted));
            self.first_submission = Some(first);
            self.job(job, row);
            self.sums.job(job, row);
        }
    }

    fn request(&mut self, row: &Reservation) {
        self.asked_work += row.duration as f64 * row.pes as f64;
        // What lies on top of others may start late, or never.
        let ran = !row.is_overlay() || row.actual_end.flatten().is_some();
        if let (Some(start), Some(end), true) = (row.last_start(), row.end, ran)
            && self.histories.is_none()
        {
            self.booked.add((start, end, row.granted()[1]));
        }
        if !row.is_accepted() {
            count(&mut self.refusals, &row.reason);
            return;
        }
        let [seconds, pes] = row.granted();
        self.granted_work += seconds as f64 * pes as f64;
    }

    /// What a job used, what it gave back before its finish apart.
    fn job(&mut self, job: &Job<'_>, row: Option<&Reservation>) {
        let Some(start) = job.starting_time else {
            return;
        };
        let pes = match (self.histories, row) {
            // How many it has in the end is compared with its booking elsewhere.
            (Some(_), _) => job.allocated_resources.width(),
            (None, Some(row)) => row.granted()[1],
            (None, None) => job.requested_number_of_resources,
        };
        let kept = job.finish_time.map(|finish| (finish, pes));
        let given_back = job.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, back.pes.width()));
        for (end, pes) in kept.into_iter().chain(given_back) {
            self.used.add((start, end, pes));
        }
    }
}

/// How busy processing elements are.
#[derive(Default)]
struct Busy {
    busy: f64,
    pe_seconds: u64,
    last: u64,
}

impl Busy {
    /// From when to when, and how many.
    fn add(&mut self, (start, end, pes): (u64, u64, u64)) {
        let seconds = end.saturating_sub(start);
        self.busy += seconds as f64 * pes as f64;
        let more = seconds.saturating_mul(pes);
        self.pe_seconds = self.pe_seconds.saturating_add(more);
        self.last = self.last.max(end);
    }

    /// By the processing elements of the machine from `from` to the last end.
    fn utilization(&self, settings: &Settings, from: Option<u64>) -> Option<f64> {
        let length = self.last.saturating_sub(from.unwrap_or(0));
        ratio(self.busy, settings.all_pes() as f64 * length as f64)
    }
}

fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_owned(), 1);
        }
    }
}

/// How many were refused for each reason.
fn by_reason<'a>(reasons: impl Iterator<Item = &'a str>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    reasons.for_each(|reason| count(&mut counts, reason));
    counts
}
