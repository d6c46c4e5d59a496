//! differences.csv: how the values of the axis that a plan compares differ, pair by pair.
//!
//! Points have their seeds in common, so that differences vary less than what is measured does.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use super::{
    plan::{Compared, Plan},
    tables::{axis_cells, cells, each},
};
use crate::{
    experiment::store::Store,
    files::{Difference, Row},
    output::csv_text,
    statistics::{Estimate, finite, paired},
};

/// The samples of each measure in order of the replications, by point; not a number where there is none.
type Samples = BTreeMap<usize, Vec<Vec<f64>>>;

/// A row for each pair and measure, the second less the first, at each combination of the values of the other axes. All samples are in memory for
/// that.
pub(super) fn write(plan: &Plan, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let Some(compared) = plan.compared else {
        return Ok(());
    };
    let mut samples = Samples::new();
    each(store, |run, kept| {
        let measures = samples
            .entry(run.point)
            .or_insert_with(|| vec![Vec::new(); plan.measures.len()]);
        for (samples, cell) in measures.iter_mut().rev().zip(cells(kept)) {
            samples.push(cell.parse().unwrap_or(f64::NAN));
        }
        Ok(())
    })?;
    let names = plan.axes().map(|axis| axis.key.clone());
    let columns = Difference::COLUMNS.iter().map(|name| (*name).to_owned());
    let header = others(compared, names.collect()).chain(columns);
    out.write_all(csv_text(&[header.collect()]).as_bytes())?;
    let is_first = |point: &usize| {
        let axes = [Some(compared.axis), compared.parts];
        let mut axes = axes.into_iter().flatten();
        axes.all(|axis| plan.grid().along(axis, *point).next() == Some(*point))
    };
    for first in (0..plan.size()).filter(is_first) {
        let points: Vec<usize> = plan.grid().along(compared.axis, first).collect();
        for (at, first) in points.iter().enumerate() {
            for second in &points[at + 1..] {
                let rows = rows(plan, compared, &samples, [*first, *second]);
                out.write_all(csv_text(&rows).as_bytes())?;
            }
        }
    }
    Ok(())
}

/// What is said of the axes that are neither compared nor parts.
fn others(compared: Compared, cells: Vec<String>) -> impl Iterator<Item = String> {
    let cells = cells.into_iter().enumerate();
    let others = cells.filter(move |(at, _)| *at != compared.axis && Some(*at) != compared.parts);
    others.map(|(_, cell)| cell)
}

/// A row for each measure, or none where the two have no run in common. Of parts, each pair is the mean of the replications of a part.
fn rows(plan: &Plan, compared: Compared, samples: &Samples, pair: [usize; 2]) -> Vec<Vec<String>> {
    let parts = |point: usize| -> Vec<usize> {
        match compared.parts {
            Some(axis) => plan.grid().along(axis, point).collect(),
            None => vec![point],
        }
    };
    let pairs = parts(pair[0]).into_iter().zip(parts(pair[1]));
    let pairs = pairs.filter_map(|(first, second)| samples.get(&first).zip(samples.get(&second)));
    let pairs: Vec<_> = pairs.collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let [first, second] = pair.map(|point| axis_cells(plan, point));
    let measures = plan.measures.iter().enumerate();
    let rows = measures.map(|(at, measure)| {
        let by_part = pairs.iter();
        let by_part = by_part.map(|(first, second)| finite(paired(&second[at], &first[at])));
        let differences: Vec<f64> = match compared.parts {
            Some(_) => finite(by_part.map(|part| Estimate::of(&part).mean).collect()),
            None => by_part.flatten().collect(),
        };
        let estimate = Estimate::of(&differences);
        let text = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let mut cells: Vec<String> = others(compared, first.clone()).collect();
        cells.extend([
            first[compared.axis].clone(),
            second[compared.axis].clone(),
            measure.value.clone(),
            differences.len().to_string(),
            text(Some(estimate.mean).filter(|mean| mean.is_finite())),
            text(estimate.ci95()),
        ]);
        cells
    });
    rows.collect()
}
