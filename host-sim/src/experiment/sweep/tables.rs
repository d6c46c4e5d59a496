//! samples.csv, summary.csv and timing.csv.

use std::{collections::BTreeMap, io, path::Path};

use serde_json::Value as Json;

use super::{
    Program, SAMPLES, SUMMARY, TIMING,
    plan::{Plan, Setting},
};
use crate::{
    error::{Error, Result},
    experiment::store::Run,
    output::{self, Timing, csv_text},
    statistics::Estimate,
    text_file,
};

/// A measure by its name, where a dot reaches nested keys.
pub(super) fn find<'a>(metrics: &'a Json, measure: &str) -> Option<&'a Json> {
    measure
        .split('.')
        .try_fold(metrics, |value, key| value.get(key))
}

/// The row of a run in samples.csv. A count of refusals for a reason that did not occur is 0.
pub(super) fn row(plan: &Plan, run: Run, metrics: &Json, program: &impl Program) -> Result<String> {
    let mut cells = axis_cells(plan, run.point);
    cells.push(run.replication.to_string());
    cells.push(plan.seed_of(run.replication).to_string());
    for measure in &plan.measures {
        let reason = measure.value.strip_prefix("refusals.");
        cells.push(match find(metrics, &measure.value) {
            Some(Json::Number(number)) => number.to_string(),
            Some(Json::Null) => String::new(),
            None if reason.is_some_and(|reason| program.is_reason(reason)) => "0".to_owned(),
            _ => {
                let problem = format!("metrics.json has no number {}", measure.value);
                return Err(Error::Internal(problem));
            }
        });
    }
    Ok(csv_text(&[cells]))
}

/// The contents of samples.csv and of summary.csv.
pub(super) struct Tables {
    samples: String,
    summary: String,
}

impl Tables {
    /// Of all rows, in order.
    pub(super) fn new(plan: &Plan, rows: &[(Run, String)]) -> Result<Self> {
        let tables = || -> io::Result<Self> {
            Ok(Self {
                samples: samples(plan, rows)?,
                summary: summary(plan, rows)?,
            })
        };
        tables().map_err(|error| Error::Internal(format!("tables of a sweep: {error}")))
    }

    /// Names and contents of the files.
    pub(super) fn files(&self) -> [(&'static str, &str); 2] {
        [(SAMPLES, &self.samples), (SUMMARY, &self.summary)]
    }

    /// Writes them.
    pub(super) fn write(&self, dir: &Path) -> Result<()> {
        for (name, content) in self.files() {
            text_file::write(&dir.join(name), |out| out.write_all(content.as_bytes()))?;
        }
        Ok(())
    }
}

fn samples(plan: &Plan, rows: &[(Run, String)]) -> io::Result<String> {
    let axes = plan.axes().map(|axis| axis.key.clone());
    let fixed = ["replication", "seed"].map(str::to_owned);
    let measures = plan.measures.iter().map(|measure| measure.value.clone());
    let header: Vec<String> = axes.chain(fixed).chain(measures).collect();
    let mut table = csv_text(&[header]);
    table.extend(rows.iter().map(|(_, row)| row.as_str()));
    Ok(table)
}

fn summary(plan: &Plan, rows: &[(Run, String)]) -> io::Result<String> {
    let axes = plan.axes().map(|axis: &Setting| axis.key.clone());
    let fixed = ["measure", "n", "mean", "ci95", "low", "high"].map(str::to_owned);
    let header: Vec<String> = axes.chain(fixed).collect();
    let mut table = csv_text(&[header]);
    for rows in rows.chunk_by(|a, b| a.0.point == b.0.point) {
        let Some((run, _)) = rows.first() else {
            continue;
        };
        let samples = samples_of(rows, plan.measures.len())?;
        for (measure, samples) in plan.measures.iter().zip(samples) {
            let mut cells = axis_cells(plan, run.point);
            cells.push(measure.value.clone());
            cells.push(samples.len().to_string());
            let estimate = Estimate::of(&samples);
            let mean = Some(estimate.mean).filter(|_| !samples.is_empty());
            let text = |number: f64| number.to_string();
            cells.push(mean.map_or(String::new(), text));
            cells.push(estimate.ci95().map_or(String::new(), text));
            let ends = estimate.bounds(output::limits(&measure.value));
            cells.extend(ends.map_or_else(Default::default, |ends| ends.map(text)));
            table += &csv_text(&[cells]);
        }
    }
    Ok(table)
}

/// The samples of each measure that have a value: the last cells of the rows.
fn samples_of(rows: &[(Run, String)], measures: usize) -> io::Result<Vec<Vec<f64>>> {
    let mut samples = vec![Vec::new(); measures];
    for (_, row) in rows {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(row.as_bytes());
        for record in reader.records() {
            let record = record.map_err(io::Error::other)?;
            let first = record.len().saturating_sub(measures);
            for (cell, samples) in record.iter().skip(first).zip(&mut samples) {
                samples.extend(cell.parse::<f64>());
            }
        }
    }
    Ok(samples)
}

/// How long a decision took (us), by the cells that name a run. It is measured, so it is in no file that equal sweeps have in common.
#[derive(Default)]
pub(super) struct Times(BTreeMap<Vec<String>, String>);

impl Times {
    /// Adds those in the folder of a sweep, or of a part of one. What cannot be read is not there: nothing else depends on it.
    pub(super) fn read(&mut self, dir: &Path) {
        let Ok(mut reader) = csv::Reader::from_path(dir.join(TIMING)) else {
            return;
        };
        for record in reader.records().flatten() {
            let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
            if let Some(time) = cells.pop() {
                self.0.insert(cells, time);
            }
        }
    }

    /// Adds a run that was made.
    pub(super) fn add(&mut self, plan: &Plan, run: Run, timing: &Timing) {
        let time = format!("{:.3}", 1e6 / timing.decisions_per_second);
        self.0.insert(run_cells(plan, run), time);
    }

    /// Writes those of these runs that are known.
    pub(super) fn write(&self, plan: &Plan, runs: &[(Run, String)], dir: &Path) -> Result<()> {
        let axes = plan.axes().map(|axis| axis.key.clone());
        let fixed = ["replication", "microseconds_per_decision"].map(str::to_owned);
        let mut rows = vec![axes.chain(fixed).collect()];
        rows.extend(runs.iter().filter_map(|(run, _)| {
            let mut cells = run_cells(plan, *run);
            let time = self.0.get(&cells)?.clone();
            cells.push(time);
            Some(cells)
        }));
        text_file::write(&dir.join(TIMING), |out| {
            out.write_all(csv_text(&rows).as_bytes())
        })
    }
}

fn run_cells(plan: &Plan, run: Run) -> Vec<String> {
    let mut cells = axis_cells(plan, run.point);
    cells.push(run.replication.to_string());
    cells
}

fn axis_cells(plan: &Plan, point: usize) -> Vec<String> {
    let values = plan.at(point).filter(|(setting, _)| setting.is_axis);
    values.map(|(_, value)| value.value.to_string()).collect()
}
