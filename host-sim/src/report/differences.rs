//! How systems differ on the same requests: the table that `simulate --replications` writes.

use std::path::Path;

use maud::{Markup, html};

use super::{
    sweep::{Axis, Measure, MeasuredPoint, Summary},
    words::estimate,
};
use crate::{
    error::Result,
    files::{self, Difference},
};

/// Name of the file.
pub(crate) const DIFFERENCES: &str = "differences.csv";

/// The axis on which the systems of `simulate --replications` stand, by the names of their folders; no option has this name.
pub(crate) const SYSTEM: &str = "system";

/// All that the file in a folder says; nothing where there is none.
pub(crate) fn read(dir: &Path) -> Result<Option<Vec<Difference>>> {
    files::read(&dir.join(DIFFERENCES))
}

/// How the others differ from the first system, and its name.
pub(crate) fn from_first(rows: &[Difference]) -> Option<(&str, Summary)> {
    let first = &rows.first()?.first;
    let mut axis = Axis {
        name: SYSTEM.to_owned(),
        values: vec![first.clone()],
    };
    let mut measures: Vec<Measure> = Vec::new();
    for row in rows.iter().filter(|row| row.first == *first) {
        if axis.values.last() != Some(&row.second) {
            axis.values.push(row.second.clone());
        }
        let point = MeasuredPoint {
            at: vec![row.second.clone()],
            n: row.n,
            mean: row.mean.map(|mean| mean.0),
            ci95: row.ci95.map(|half| half.0),
            ends: None,
        };
        match measures.iter_mut().find(|known| known.name == row.measure) {
            Some(measure) => measure.points.push(point),
            None => measures.push(Measure {
                name: row.measure.clone(),
                points: vec![point],
            }),
        }
    }
    let summary = Summary {
        axes: vec![axis],
        measures,
        left_out: 0,
    };
    Some((first, summary))
}

/// A row for each pair, a column for each measure.
pub(super) fn section(rows: &[Difference]) -> Markup {
    let pairs = rows.chunk_by(|a, b| (&a.first, &a.second) == (&b.first, &b.second));
    let pairs: Vec<&[Difference]> = pairs.collect();
    let shown = |row: &Difference| {
        let mean = row
            .mean
            .map(|mean| estimate(mean.0, row.ci95.map(|half| half.0)));
        mean.unwrap_or_else(|| "–".to_owned())
    };
    html! {
        section id="differences" {
            h2 { "Differences on the same requests" }
            p {
                "What is measured of the second system less what is measured of the first, replication by replication: means ± half of their 95 % confidence intervals (Student's t). "
                "These tell more than the intervals of the systems apart, since requests that are hard for one are hard for all. Where 0 lies outside of an interval, the two differ in that measure by more than what is drawn anew in each replication explains; of twenty pairs that do "
                "not, one is expected to seem so. All numbers are in " a href=(DIFFERENCES) { (DIFFERENCES) } "."
            }
            div.scroll tabindex="0" role="group" aria-label="Differences on the same requests" { table.runs {
                thead { tr {
                    th { "first" } th { "second" }
                    @for row in pairs.first().copied().unwrap_or_default() { th.number { (row.measure) } }
                } }
                tbody { @for pair in &pairs { tr {
                    @if let Some(row) = pair.first() { th scope="row" { (row.first) } th scope="row" { (row.second) } }
                    @for row in *pair { td.number { (shown(row)) } }
                } } }
            } }
        }
    }
}
