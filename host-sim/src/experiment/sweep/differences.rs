//! differences.csv: how the systems of `simulate --replications` differ, pair by pair.
//!
//! Replications have their requests in common, so that differences vary less than what is measured does.

use std::io::{self, Write};

use super::{
    plan::Plan,
    tables::{axis_cells, cells, each},
};
use crate::{
    experiment::store::Store,
    files::{Difference, Row},
    output::csv_text,
    statistics::{Estimate, finite, paired},
};

/// A system, and the samples of each measure in order of the replications; not a number where there is none.
struct System {
    point: usize,
    name: String,
    measures: Vec<Vec<f64>>,
}

/// A row for each pair and measure, the second less the first.
pub(super) fn write(plan: &Plan, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let mut systems: Vec<System> = Vec::new();
    each(store, |run, kept| {
        if systems.last().is_none_or(|last| last.point != run.point) {
            systems.push(System {
                point: run.point,
                name: axis_cells(plan, run.point).concat(),
                measures: vec![Vec::new(); plan.measures.len()],
            });
        }
        let measures = systems.last_mut().map(|system| &mut system.measures);
        let samples = measures.into_iter().flat_map(|all| all.iter_mut().rev());
        for (samples, cell) in samples.zip(cells(kept)) {
            samples.push(cell.parse().unwrap_or(f64::NAN));
        }
        Ok(())
    })?;
    out.write_all(
        csv_text(&[Difference::COLUMNS
            .iter()
            .map(|name| (*name).to_owned())
            .collect()])
        .as_bytes(),
    )?;
    for (at, first) in systems.iter().enumerate() {
        for second in &systems[at + 1..] {
            out.write_all(csv_text(&rows(plan, first, second)).as_bytes())?;
        }
    }
    Ok(())
}

fn rows(plan: &Plan, first: &System, second: &System) -> Vec<Vec<String>> {
    let pairs = first.measures.iter().zip(&second.measures);
    let measures = plan.measures.iter().zip(pairs);
    let rows = measures.map(|(measure, (first_samples, second_samples))| {
        let differences = finite(paired(second_samples, first_samples));
        let estimate = Estimate::of(&differences);
        let text = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        vec![
            first.name.clone(),
            second.name.clone(),
            measure.value.clone(),
            differences.len().to_string(),
            text(Some(estimate.mean).filter(|mean| mean.is_finite())),
            text(estimate.ci95()),
        ]
    });
    rows.collect()
}
