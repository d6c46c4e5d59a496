//! samples.csv, summary.csv and timing.csv.

use std::{
    io::{self, Write},
    path::Path,
};

use serde_json::Value as Json;

use super::{
    Program, SAMPLES, SUMMARY, TIMING, differences,
    plan::{Plan, Setting},
};
use crate::{
    error::{Error, Result},
    experiment::store::{Run, Store},
    output::{self, Timing, csv_text},
    report::differences::DIFFERENCES,
    statistics::Estimate,
    text_file,
};

/// A measure by its name, where a dot reaches nested keys.
pub(super) fn find<'a>(metrics: &'a Json, measure: &str) -> Option<&'a Json> {
    measure
        .split('.')
        .try_fold(metrics, |value, key| value.get(key))
}

/// The row of a run with these options in samples.csv. A count of refusals for a reason that did not occur is 0; a cell is empty where no such run has the
/// number.
pub(super) fn row<P: Program>(
    plan: &Plan,
    run: Run,
    metrics: &Json,
    (program, options): (&P, &P::Options),
) -> Result<String> {
    let mut cells = axis_cells(plan, run.point);
    cells.push(run.replication.to_string());
    cells.push(plan.seed_of(run.replication).to_string());
    for measure in &plan.measures {
        cells.push(match find(metrics, &measure.value) {
            Some(Json::Number(number)) => number.to_string(),
            Some(Json::Null) => String::new(),
            None if program.counts(options, &measure.value) => "0".to_owned(),
            None if find(&program.outline(options)?, &measure.value).is_none() => String::new(),
            _ => {
                let problem = format!("metrics.json has no number {}", measure.value);
                return Err(Error::Internal(problem));
            }
        });
    }
    Ok(csv_text(&[cells]))
}

/// What is kept of a run: its row, and behind that how long a decision took (us), which is measured, so that it is in no table that equal sweeps have in
/// common.
pub(super) fn kept(row: &str, timing: &Timing) -> String {
    format!("{row}{:.3}", 1e6 / timing.decisions_per_second)
}

/// The row of a run in what is kept of it, and the time.
pub(super) fn row_and_time(kept: &str) -> (&str, &str) {
    kept.split_at(kept.rfind('\n').map_or(0, |end| end + 1))
}

/// Writes a table of finished runs.
type Table = fn(&Plan, &Store, &mut dyn Write) -> io::Result<()>;

/// The tables that equal sweeps have in common.
pub(super) fn common(plan: &Plan) -> impl Iterator<Item = (&'static str, Table)> + use<> {
    let differs = plan
        .compared
        .map(|_| (DIFFERENCES, differences::write as Table));
    let always = [(SAMPLES, samples as Table), (SUMMARY, summary)];
    always.into_iter().chain(differs)
}

/// Writes all tables.
pub(super) fn write(plan: &Plan, store: &Store, dir: &Path) -> Result<()> {
    for (name, table) in common(plan).chain([(TIMING, timing as Table)]) {
        text_file::write(&dir.join(name), |out| table(plan, store, out))?;
    }
    Ok(())
}

/// Calls `each` with the runs in order, and with what is kept of them.
pub(super) fn each(
    store: &Store,
    mut each: impl FnMut(Run, &str) -> io::Result<()>,
) -> io::Result<()> {
    store.runs().try_for_each(|run| {
        let kept = store.read(run).map_err(io::Error::other)?;
        each(run, &kept.unwrap_or_default())
    })
}

fn samples(plan: &Plan, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let axes = plan.axes().map(|axis| axis.key.clone());
    let fixed = ["replication", "seed"].map(str::to_owned);
    let measures = plan.measures.iter().map(|measure| measure.value.clone());
    let header: Vec<String> = axes.chain(fixed).chain(measures).collect();
    out.write_all(csv_text(&[header]).as_bytes())?;
    each(store, |_, kept| {
        out.write_all(row_and_time(kept).0.as_bytes())
    })
}

fn summary(plan: &Plan, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let axes = plan.axes().map(|axis: &Setting| axis.key.clone());
    let fixed = ["measure", "n", "mean", "ci95", "low", "high"].map(str::to_owned);
    let header: Vec<String> = axes.chain(fixed).collect();
    out.write_all(csv_text(&[header]).as_bytes())?;
    let mut point = None;
    let mut samples = vec![Vec::new(); plan.measures.len()];
    each(store, |run, kept| {
        if let Some(point) = point.replace(run.point).filter(|point| *point != run.point) {
            means(plan, point, &mut samples, out)?;
        }
        add_samples(kept, &mut samples);
        Ok(())
    })?;
    point.map_or(Ok(()), |point| means(plan, point, &mut samples, out))
}

/// The rows of a point in summary.csv, whose samples are forgotten then.
fn means(
    plan: &Plan,
    point: usize,
    samples: &mut [Vec<f64>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let axes = axis_cells(plan, point);
    let rows = plan.measures.iter().zip(samples).map(|(measure, samples)| {
        let mut cells = axes.clone();
        cells.push(measure.value.clone());
        cells.push(samples.len().to_string());
        let estimate = Estimate::of(samples);
        let mean = Some(estimate.mean).filter(|_| !samples.is_empty());
        let text = |number: f64| number.to_string();
        cells.push(mean.map_or(String::new(), text));
        cells.push(estimate.ci95().map_or(String::new(), text));
        let ends = estimate.bounds(output::limits(&measure.value));
        cells.extend(ends.map_or_else(Default::default, |ends| ends.map(text)));
        samples.clear();
        cells
    });
    out.write_all(csv_text(&rows.collect::<Vec<_>>()).as_bytes())
}

/// The cells of the row in what is kept of a run, the last first: those of the measures are numbers or empty.
pub(super) fn cells(kept: &str) -> impl Iterator<Item = &str> {
    row_and_time(kept).0.trim_end().rsplit(',')
}

/// Adds the sample of each measure that has a value.
fn add_samples(kept: &str, samples: &mut [Vec<f64>]) {
    for (cell, samples) in cells(kept).zip(samples.iter_mut().rev()) {
        samples.extend(cell.parse::<f64>());
    }
}

fn timing(plan: &Plan, store: &Store, out: &mut dyn Write) -> io::Result<()> {
    let axes = plan.axes().map(|axis| axis.key.clone());
    let fixed = ["replication", "microseconds_per_decision"].map(str::to_owned);
    out.write_all(csv_text(&[axes.chain(fixed).collect()]).as_bytes())?;
    each(store, |run, kept| {
        let mut cells = axis_cells(plan, run.point);
        cells.push(run.replication.to_string());
        cells.push(row_and_time(kept).1.to_owned());
        out.write_all(csv_text(&[cells]).as_bytes())
    })
}

pub(super) fn axis_cells(plan: &Plan, point: usize) -> Vec<String> {
    let values = plan.at(point).filter(|(setting, _)| setting.is_axis);
    values.map(|(_, value)| value.value.to_string()).collect()
}
