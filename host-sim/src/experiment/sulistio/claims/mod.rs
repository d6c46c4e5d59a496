//! The claims of the paper, 3.01 to 3.27, each with its rule.

mod busy;
mod overall;
pub(super) mod rejections;
mod revenue;
mod structure;
mod utilisation;
mod waiting;
mod worked;
mod workload;

use super::{
    example::{Answer, Prices, Slots},
    points::{BOOK_AHEAD, Point},
    recheck::Recheck,
    runs::{Measure, Sheet},
    workload::Workload,
};
use crate::experiment::{
    claims::{Claim, Row},
    curves::Curves,
    rules::{Comparison, Expected, Judgement},
};

/// A claim about figures with the function that judges it.
#[derive(Clone, Copy)]
struct Measured {
    claim: Claim,
    judge: fn(&Sheet) -> Judgement,
}

/// A reading with its runs.
pub(super) type Named<'a> = (&'static str, &'a Sheet);

/// Everything the claims are judged by.
pub(super) struct Evidence<'a> {
    /// The jobs.
    pub(super) workload: &'a Workload,
    /// The main reading.
    pub(super) main: Named<'a>,
    /// The others.
    pub(super) readings: &'a [Named<'a>],
    /// Figure 1 with late binding, with early binding, and by the letter.
    pub(super) figure_1: &'a [Answer; 3],
    /// Equation 1.
    pub(super) slots: &'a Slots,
    /// Equations 2 and 3.
    pub(super) prices: &'a Prices,
    /// Queries answered once more.
    pub(super) recheck: &'a Recheck,
}

/// A claim with what became of it.
type Judged = (Claim, Judgement);

/// All rows, in order.
pub(super) fn rows(evidence: &Evidence) -> Vec<Row> {
    let mut judged = workload::rows(evidence.workload);
    judged.extend(worked::rows(
        evidence.figure_1,
        evidence.slots,
        evidence.prices,
    ));
    judged.extend(structure::rows(evidence.recheck));
    let measured = utilisation::CLAIMS
        .into_iter()
        .chain(busy::CLAIMS)
        .chain(rejections::CLAIMS)
        .chain(revenue::CLAIMS)
        .chain(waiting::CLAIMS)
        .chain(overall::CLAIMS);
    judged.extend(measured.map(|measured| judge(measured, evidence)));
    let row = |(claim, mut judgement): Judged| {
        if evidence.workload.facts.is_none() {
            judgement
                .note
                .push_str("The jobs are synthetic, not those of the paper's log. ");
        }
        Row::new(claim, judgement)
    };
    judged.into_iter().map(row).collect()
}

fn judge(measured: Measured, evidence: &Evidence) -> Judged {
    let (name, sheet) = evidence.main;
    let mut judgement = (measured.judge)(sheet);
    let note = format!("Read as {name}. {}", elsewhere(measured, evidence));
    judgement.note.push_str(&note);
    (measured.claim, judgement)
}

/// What becomes of the claim where the paper can be read otherwise.
fn elsewhere(measured: Measured, evidence: &Evidence) -> String {
    let judge = |&(name, sheet): &Named| {
        let judgement = (measured.judge)(sheet);
        let (verdict, runs) = (judgement.verdict.name(), sheet.replications());
        // Numbers say more than a verdict where the claim is one.
        match measured.claim.kind {
            "N" => format!(
                "{name}: {verdict}, {} ({runs} replications)",
                judgement.measured
            ),
            _ => format!("{name}: {verdict} ({runs} replications)"),
        }
    };
    let others: Vec<String> = evidence.readings.iter().map(judge).collect();
    if others.is_empty() {
        return String::new();
    }
    format!("Other readings, {}. ", others.join("; "))
}

/// A measure over the search limit times, for each book-ahead time.
fn curves(sheet: &Sheet, measure: Measure) -> Vec<Curves> {
    let one = |&ahead: &u64| sheet.curves(ahead, measure);
    BOOK_AHEAD.iter().map(one).collect()
}

/// The same for one book-ahead time.
fn curves_at(sheet: &Sheet, book_ahead: u64, measure: Measure) -> Curves {
    sheet.curves(book_ahead, measure)
}

/// Comparisons at every search limit time of every book-ahead time.
fn everywhere(all: &[Curves], at: impl Fn(&Curves, usize) -> Vec<Comparison>) -> Vec<Comparison> {
    let at = &at;
    all.iter()
        .flat_map(|curves| (0..curves.len()).flat_map(move |tick| at(curves, tick)))
        .collect()
}

/// Sample by sample the mean of several lists.
fn mean_of(lists: &[Vec<f64>]) -> Vec<f64> {
    let runs = lists.iter().map(Vec::len).min().unwrap_or(0);
    (0..runs)
        .map(|run| lists.iter().map(|list| list[run]).sum::<f64>() / lists.len() as f64)
        .collect()
}

/// One series less another, in each replication the mean over some ticks.
fn mean_difference(curves: &Curves, a: usize, b: usize, ticks: &[usize]) -> Vec<f64> {
    let at = |&tick: &usize| curves.difference(a, b, tick);
    mean_of(&ticks.iter().map(at).collect::<Vec<_>>())
}

/// The mean of a series over some ticks, in each replication.
fn mean_over(curves: &Curves, series: usize, ticks: &[usize]) -> Vec<f64> {
    let at = |&tick: &usize| curves.samples(series, tick).to_vec();
    mean_of(&ticks.iter().map(at).collect::<Vec<_>>())
}

/// All ticks.
fn all(curves: &Curves) -> Vec<usize> {
    (0..curves.len()).collect()
}

/// The ticks of search limit times (h) that pass.
fn ticks(curves: &Curves, pass: impl Fn(u64) -> bool) -> Vec<usize> {
    let limit = |tick: &usize| curves.ticks[*tick].parse().is_ok_and(&pass);
    (0..curves.len()).filter(limit).collect()
}

/// A series less another on average over all search limit times at one book-ahead time.
fn on_average(curves: &Curves, a: usize, b: usize, expected: Expected) -> Comparison {
    let (first, second) = (&curves.names[a], &curves.names[b]);
    Comparison {
        what: format!("{first} - {second} on average over {}", curves.axis),
        differences: mean_difference(curves, a, b, &all(curves)),
        expected,
    }
}

/// The mean of a series over all its points, three decimals.
fn overall(all_curves: &[Curves], series: &[usize]) -> String {
    let one = |&series: &usize| {
        let means = all_curves
            .iter()
            .flat_map(|curves| (0..curves.len()).map(move |tick| curves.mean(series, tick)));
        let means: Vec<f64> = means.collect();
        let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
        let name = all_curves
            .first()
            .map_or("", |curves| &curves.names[series]);
        format!("{name} {mean:.3}")
    };
    let texts: Vec<String> = series.iter().map(one).collect();
    format!("mean over all points, {}", texts.join(", "))
}

/// What was measured at a point, by strategy, three decimals.
fn at_point(sheet: &Sheet, point: Point, strategies: &[usize], measure: Measure) -> String {
    let one = |&strategy: &usize| {
        let samples = sheet.at(point, strategy, measure);
        let mean = samples.iter().sum::<f64>() / samples.len().max(1) as f64;
        format!("{} {mean:.3}", super::strategies::NAMES[strategy])
    };
    let texts: Vec<String> = strategies.iter().map(one).collect();
    format!("{}: {}", point.name(), texts.join(", "))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{
        audit::Audit,
        measures::{Cell, WIDTHS},
        points::{Point, SEARCH_LIMIT, grid},
        runs::Sheet,
    };

    /// What a rule is fed with: a figure of every strategy at every point.
    pub(in super::super) type Picture = fn(usize, Point, &mut Cell);

    /// Runs that show a picture, with a little noise that differs between replications and strategies.
    pub(in super::super) fn sheet(picture: Picture) -> Sheet {
        let points = grid(&SEARCH_LIMIT);
        let cell = |point: Point, run: usize, strategy: usize| {
            let noise = [1e-6, -1e-6][(run + strategy) % 2];
            let mut cell = Cell {
                utilisation: 0.5,
                utilisation_to_end: 0.5,
                rejections: 100.0,
                reduced: 0.0,
                revenue: 1_000.0,
                reduced_revenue: 0.0,
                wait: 10.0,
                changes: 1_000.0,
                swing: 5.0,
                deviation: 20.0,
                asked: [50; WIDTHS.len()],
                accepted: [25; WIDTHS.len()],
            };
            picture(strategy, point, &mut cell);
            cell.utilisation += noise;
            cell.rejections += noise;
            cell.revenue += noise;
            cell.wait += noise;
            cell.changes += noise;
            cell.swing += noise;
            cell
        };
        let cells = points
            .iter()
            .map(|&point| {
                let round = |run| (0..7).map(|strategy| cell(point, run, strategy)).collect();
                (0..6).map(round).collect()
            })
            .collect();
        Sheet {
            points,
            cells,
            audit: Audit::default(),
        }
    }
}
