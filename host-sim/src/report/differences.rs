//! How what is compared differs, pair by pair: the table that a plan with `compare` has, and `simulate --replications`.

use std::path::Path;

use maud::{Markup, html};

use super::{
    sweep::{self, Axis, MOST_POINTS, MeasuredPoint, Summary},
    words::{estimate, grouped},
};
use crate::{
    error::Result,
    files::{self, Difference, Row},
    manifest::Manifest,
};

/// Name of the file.
pub(crate) const DIFFERENCES: &str = "differences.csv";

/// The axis on which the systems of `simulate --replications` stand, by the names of their folders; no option has this name.
pub(crate) const SYSTEM: &str = "system";

/// A row of the table, behind the names and values of the axes that are the same on both sides.
pub(crate) type Differing = (Vec<(String, String)>, Difference);

/// What the file in a folder says of as many pairs as are shown; nothing where there is none.
pub(crate) fn read(dir: &Path, manifest: &Manifest) -> Result<Option<Vec<Differing>>> {
    let most = MOST_POINTS * sweep::measures(manifest);
    files::first_lines(&dir.join(DIFFERENCES), Difference::COLUMNS, most, |line| {
        Ok((line.others::<Difference>(), line.row()?))
    })
}

/// How the others on an axis of this name differ from the first, and what that is.
pub(crate) fn from_first<'a>(rows: &'a [Differing], axis: &str) -> Option<(&'a str, Summary)> {
    let (others, Difference { first, .. }) = rows.first()?;
    let names = others.iter().map(|(name, _)| name.clone());
    let names: Vec<String> = names.chain([axis.to_owned()]).collect();
    let from_first = rows.iter().filter(|(_, row)| row.first == *first);
    let points = from_first.map(|(others, row)| {
        let values = others.iter().map(|(_, value)| value.clone());
        let point = MeasuredPoint {
            at: values.chain([row.second.clone()]).collect(),
            n: row.n,
            mean: row.mean.map(|mean| mean.0),
            ci95: row.ci95.map(|half| half.0),
            ends: None,
        };
        (row.measure.clone(), point)
    });
    let mut summary = sweep::summary(&names, points.collect());
    // It has no point, but its place in the order.
    let compared = summary.axes.last_mut();
    compared?.values.insert(0, first.clone());
    Some((first, summary))
}

/// Which of these axes a row compares two values of, and which one has the parts of its pairs, if there is one; nothing where their values do not tell.
fn compared<'a>(axes: &'a [Axis], (others, row): &Differing) -> Option<(&'a str, Option<&'a str>)> {
    let apart = |axis: &&Axis| others.iter().all(|(name, _)| *name != axis.name);
    let has_both =
        |axis: &&Axis| axis.values.contains(&row.first) && axis.values.contains(&row.second);
    let (compared, parts): (Vec<&Axis>, Vec<&Axis>) = axes.iter().filter(apart).partition(has_both);
    match (&compared[..], &parts[..]) {
        ([one], parts) => Some((&one.name, parts.first().map(|parts| parts.name.as_str()))),
        _ => None,
    }
}

/// A row for each pair, a column for each measure.
pub(super) fn section(rows: &[Differing], axes: &[Axis]) -> Markup {
    let pair = |(others, row): &Differing| (others.clone(), row.first.clone(), row.second.clone());
    let pairs = rows.chunk_by(|a, b| pair(a) == pair(b));
    let pairs: Vec<&[Differing]> = pairs.collect();
    let shown = |row: &Difference| {
        let mean = row
            .mean
            .map(|mean| estimate(mean.0, row.ci95.map(|half| half.0)));
        mean.unwrap_or_else(|| "–".to_owned())
    };
    let first = pairs.first().copied().unwrap_or_default();
    let compared = first.first().and_then(|row| compared(axes, row));
    let axis = compared.map(|(axis, _)| axis);
    let turn = match compared {
        Some((_, Some(parts))) => format!("part by part, one for each value of {parts}"),
        Some((_, None)) => "replication by replication".to_owned(),
        None => "replication by replication, or part by part where the plan names parts".to_owned(),
    };
    html! {
        section id="differences" {
            h2 { "Differences, pair by pair" }
            p {
                "What is measured of the second " (axis.unwrap_or("one")) " less what is measured of the first, " (turn) ": means ± half of their 95 % confidence intervals (Student's t). "
                "Both decide the same requests, unless what differs is about jobs or requests themselves, as workload, skip and arrival_factor are. Where they do, these numbers tell more than the intervals of each apart, since requests that are hard for one are hard for all. Where 0 lies outside of an interval, the two differ in that measure by more than what varies between replications, or between parts, explains; of twenty pairs that do "
                "not, one is expected to seem so. All numbers are in " a href=(DIFFERENCES) { (DIFFERENCES) } "."
                @if pairs.len() == MOST_POINTS { " No more than the first " (grouped(MOST_POINTS)) " pairs are shown here." }
            }
            div.scroll tabindex="0" role="group" aria-label="Differences, pair by pair" { table.runs {
                thead { tr {
                    @if let Some((others, _)) = first.first() { @for (name, _) in others { th { (name) } } }
                    @for place in ["first", "second"] { th { (place) @if let Some(axis) = axis { " " (axis) } } }
                    @for (_, row) in first { th.number { (row.measure) } }
                } }
                tbody { @for pair in &pairs { tr {
                    @if let Some((others, row)) = pair.first() {
                        @for (_, value) in others { th scope="row" { (value) } }
                        th scope="row" { (row.first) } th scope="row" { (row.second) }
                    }
                    @for (_, row) in *pair { td.number { (shown(row)) } }
                } } }
            } }
        }
    }
}
