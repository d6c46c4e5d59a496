//! What the decisions of a sweep took, beside what they came to.

use std::path::Path;

use maud::{Markup, html};

use super::{
    page,
    sweep::{self, MeasuredPoint, Summary},
    words::{plural, tidy},
};
use crate::{error::Result, files, manifest::Manifest};

/// The times of the runs, and the column that has them.
const FILE: &str = "timing.csv";
const TIME: &str = "microseconds_per_decision";

/// The page of a sweep's times, if there are some.
pub(super) fn page(dir: &Path, manifest: &Manifest) -> Result<Option<String>> {
    let axes = sweep::axes(manifest);
    let (times, measured) = (
        read(&dir.join(FILE), &axes)?,
        sweep::read(&dir.join(sweep::SUMMARY), &axes)?,
    );
    let (Some(times), Some(measured)) = (times, measured) else {
        return Ok(None);
    };
    let Some(time) = times.measures.first() else {
        return Ok(None);
    };
    let runs: u64 = time.points.iter().map(|point| point.n).sum();
    let content = html! {
        p.lead {
            "Microseconds for a decision, everything that the simulator does between two decisions included: means over the replications. They were "
            "measured where the sweep ran, with other runs beside them, so they differ from machine to machine and from time to time, unlike "
            a href=(super::FILE) { "everything else" } " that is known of this sweep. "
            (plural(runs as usize, "run")) " of " (manifest.runs.len()) " were timed; each is in " a href=(FILE) { (FILE) } "."
        }
        (sweep::section(time, &times.axes)?)
        (table(&time.points, &times, &measured))
    };
    Ok(Some(page::whole(
        "What the decisions of a sweep took",
        &content,
    )))
}

/// The means of the replications.
fn read(file: &Path, axes: &[String]) -> Result<Option<Summary>> {
    let mut needed: Vec<&str> = axes.iter().map(String::as_str).collect();
    needed.push(TIME);
    let runs = files::read_lines(file, &needed, |line| {
        let at: Vec<String> = axes.iter().map(|axis| line.cell(axis).to_owned()).collect();
        let time = line.cell(TIME).parse::<f64>();
        Ok((at, time.map_err(|_| line.wrong(TIME, "a number"))?))
    })?;
    let Some(runs) = runs else {
        return Ok(None);
    };
    let points = runs.chunk_by(|a, b| a.0 == b.0).map(|runs| MeasuredPoint {
        at: runs[0].0.clone(),
        n: runs.len() as u64,
        mean: Some(runs.iter().map(|run| run.1).sum::<f64>() / runs.len() as f64),
        ci95: None,
        ends: None,
    });
    let rows = points.map(|point| (TIME.to_owned(), point)).collect();
    Ok(Some(sweep::summary(axes, rows)))
}

/// A row for each point: what it comes to, and what that takes.
fn table(points: &[MeasuredPoint], times: &Summary, measured: &Summary) -> Markup {
    html! {
        section {
            h2 { "What is accepted, and what it takes" }
            div.scroll { table {
                thead { tr {
                    @for axis in &times.axes { th { (axis.name) } }
                    @for measure in &measured.measures { th.number { (measure.name) } }
                    th.number { (TIME) }
                } }
                tbody { @for point in points { tr {
                    @for value in &point.at { td { (value) } }
                    @for measure in &measured.measures {
                        td.number { (number(measure.points.iter().find(|other| other.at == point.at).and_then(|other| other.mean), 4)) }
                    }
                    td.number { (number(point.mean, 1)) }
                } } }
            } }
        }
    }
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| tidy(&format!("{value:.decimals$}")))
}
