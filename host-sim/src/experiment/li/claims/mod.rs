//! The claims of the paper, 1.01 to 1.34, each with its rule.

mod flexibility;
mod kept;
mod load;
mod overall;
mod sizes;
mod worked;

use super::{
    audit::Audit,
    example::Seen,
    growth, machine,
    plain::Recheck,
    points::{self, Axis, DEFAULT},
    runs::Sheet,
};
use crate::experiment::{
    claims::{Claim, Row},
    curves::Curves,
    rules::Judgement,
};

// Places of the policies, in the order of `Policy::ALL`.
const FF: usize = 0;
const PE_B: usize = 1;
const PE_W: usize = 2;
const DU_B: usize = 3;
const DU_W: usize = 4;
const PEDU_B: usize = 5;
const PEDU_W: usize = 6;
const POLICIES: [usize; 7] = [FF, PE_B, PE_W, DU_B, DU_W, PEDU_B, PEDU_W];

/// A claim about figures with the function that judges it.
#[derive(Clone, Copy)]
struct Measured {
    claim: Claim,
    judge: fn(&Sheet) -> Judgement,
    /// Whether it says something about each point by itself, so that a single point can be judged.
    at_points: bool,
}

impl Measured {
    /// A claim about each point.
    const fn at_points(claim: Claim, judge: fn(&Sheet) -> Judgement) -> Self {
        Self {
            claim,
            judge,
            at_points: true,
        }
    }

    /// A claim about how a curve runs.
    const fn along(claim: Claim, judge: fn(&Sheet) -> Judgement) -> Self {
        Self {
            claim,
            judge,
            at_points: false,
        }
    }
}

/// Everything the claims are judged by.
pub(super) struct Evidence<'a> {
    /// The main reading on the main machine, all points.
    pub(super) main: &'a Sheet,
    /// Other readings, all points.
    pub(super) readings: &'a [(&'static str, Sheet)],
    /// Other slots, horizons and bindings, the default point at least.
    pub(super) machines: &'a [(&'static str, Sheet)],
    /// The worked example with both rings.
    pub(super) example: &'a [Seen; 2],
    /// What the audits of all runs found.
    pub(super) audit: &'a Audit,
    /// Decisions taken once more.
    pub(super) recheck: &'a Recheck,
}

/// All rows, in order.
pub(super) fn rows(evidence: &Evidence) -> Vec<Row> {
    let mut rows = vec![kept::model(evidence.audit)];
    let mut worked = worked::rows(evidence.example);
    let empty = worked.split_off(7);
    rows.extend(worked);
    rows.push(kept::policies(evidence.recheck));
    rows.push(kept::update(&growth::update()));
    rows.push(kept::search(&growth::search(), &growth::empty_search()));
    rows.extend(empty);
    let measured = sizes::CLAIMS
        .into_iter()
        .chain(load::CLAIMS)
        .chain(flexibility::CLAIMS)
        .chain(overall::CLAIMS);
    rows.extend(measured.map(|measured| row(measured, evidence)));
    rows
}

fn row(measured: Measured, evidence: &Evidence) -> Row {
    let mut judgement = (measured.judge)(evidence.main);
    judgement.note.push_str(&under_readings(measured, evidence));
    if measured.at_points {
        judgement.note.push_str(&on_machines(measured, evidence));
    }
    Row::new(measured.claim, judgement)
}

/// What becomes of the claim where the paper can be read otherwise.
fn under_readings(measured: Measured, evidence: &Evidence) -> String {
    let load = |sheet: &Sheet| format!("offered load {:.2}", sheet.mean_load(DEFAULT));
    let mut text = format!("Read as {} ({}). ", points::MAIN.name, load(evidence.main));
    let others: Vec<String> = evidence
        .readings
        .iter()
        .map(|(name, sheet)| {
            let verdict = (measured.judge)(sheet).verdict.name();
            let runs = sheet.rounds.first().map_or(0, Vec::len);
            format!("{name} ({}, {runs} replications): {verdict}", load(sheet))
        })
        .collect();
    if !others.is_empty() {
        text.push_str(&format!("Other readings, {}. ", others.join(", ")));
    }
    text
}

/// What becomes of it on other machines, to tell what comes from slots, horizon, rectangles or binding.
fn on_machines(measured: Measured, evidence: &Evidence) -> String {
    let judge = |sheet: &Sheet| {
        let judgement = (measured.judge)(&sheet.only(&machine::POINTS));
        // Numbers say more than a verdict where the claim is one.
        match measured.claim.kind {
            "N" => format!("{} ({})", judgement.verdict.name(), judgement.measured),
            _ => judgement.verdict.name().to_owned(),
        }
    };
    let mut texts = vec![format!("as above: {}", judge(evidence.main))];
    for (name, sheet) in evidence.machines {
        texts.push(format!("{name}: {}", judge(sheet)));
    }
    format!(
        "At the default, {{5,5}} and arrival factor 0.5 only, as far as its figures have them, {}. ",
        texts.join(", ")
    )
}

fn acceptance(sheet: &Sheet, axis: Axis) -> Curves {
    sheet.curves(axis, |cell| cell.acceptance)
}

fn slowdown(sheet: &Sheet, axis: Axis) -> Curves {
    sheet.curves(axis, |cell| cell.slowdown)
}

#[cfg(test)]
mod tests {
    use crate::experiment::{
        curves::Curves,
        li::{points::Axis, runs::NAMES},
    };

    /// Seven curves over five ticks that start at `values` and go on by `slope`, with a little noise that all share and that
    /// differs in sign between replications.
    pub(super) fn curves(values: [f64; 7], slope: f64) -> Curves {
        shaped(values, |tick| slope * tick as f64)
    }

    /// Seven equal curves of the given shape.
    pub(super) fn bent(shape: [f64; 5]) -> Curves {
        shaped([0.5; 7], |tick| shape[tick])
    }

    fn shaped(values: [f64; 7], shape: impl Fn(usize) -> f64) -> Curves {
        let at = |policy: usize, tick: usize| -> Vec<f64> {
            let noise = |run: usize| if run.is_multiple_of(2) { 1e-4 } else { -1e-4 };
            let own = 1.0 + policy as f64 + 3.0 * (tick % 2) as f64;
            (0..6)
                .map(|run| values[policy] + shape(tick) + own * noise(run))
                .collect()
        };
        let axis = Axis::Flexibility;
        Curves {
            axis: axis.name().to_owned(),
            ticks: axis.points().map(|point| axis.tick(point)).to_vec(),
            names: NAMES.map(str::to_owned).to_vec(),
            samples: (0..7)
                .map(|policy| (0..5).map(|tick| at(policy, tick)).collect())
                .collect(),
        }
    }
}
