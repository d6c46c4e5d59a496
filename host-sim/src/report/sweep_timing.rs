//! What the decisions of a sweep took, beside what they came to.

use std::path::Path;

use maud::{Markup, html};

use super::{
    page,
    sweep::{self, MOST_POINTS, MeasuredPoint, Summary},
    words::{grouped, plural, tidy},
};
use crate::{error::Result, files, manifest::Manifest};

/// The times of the runs, and the column that has them.
const FILE: &str = "timing.csv";
const TIME: &str = "microseconds_per_decision";

/// The page of a sweep's times, if there are some.
pub(super) fn page(dir: &Path, manifest: &Manifest) -> Result<Option<String>> {
    let measured = sweep::read(dir, manifest)?;
    let times = read(&dir.join(FILE), &sweep::axes(manifest))?;
    let (Some((times, runs)), Some(measured)) = (times, measured) else {
        return Ok(None);
    };
    let Some(time) = times.measures.first() else {
        return Ok(None);
    };
    let content = html! {
        p.lead {
            "Microseconds for a decision, everything that the simulator does between two decisions included: means over the replications. They were "
            "measured where the sweep ran, with other runs beside them, so they differ from machine to machine and from time to time, unlike "
            a href=(super::FILE) { "everything else" } " that is known of this sweep. "
            (plural(runs, "run")) " of " (grouped(manifest.count())) " were timed; each is in " a href=(FILE) { (FILE) } "."
        }
        (sweep::section(time, &times.axes)?)
        (table(&time.points, &times, &measured))
    };
    Ok(Some(page::whole(
        "What the decisions of a sweep took",
        &content,
    )))
}

/// The means of the replications at the points that are shown, and how many runs there are at all points.
fn read(file: &Path, axes: &[String]) -> Result<Option<(Summary, usize)>> {
    let mut needed: Vec<&str> = axes.iter().map(String::as_str).collect();
    needed.push(TIME);
    let mut points: Vec<(Vec<String>, Vec<f64>)> = Vec::new();
    let runs = files::read_lines(file, &needed, |line| {
        let time = line.cell(TIME).parse::<f64>();
        let time = time.map_err(|_| line.wrong(TIME, "a number"))?;
        let is_at = |at: &[String]| axes.iter().zip(at).all(|(axis, at)| line.cell(axis) == at);
        let is_full = points.len() > MOST_POINTS;
        match points.last_mut() {
            Some((at, times)) if is_at(at) => times.push(time),
            _ if is_full => {}
            _ => {
                let at = axes.iter().map(|axis| line.cell(axis).to_owned());
                points.push((at.collect(), vec![time]));
            }
        }
        Ok(())
    })?;
    points.truncate(MOST_POINTS);
    let rows = points.into_iter().map(|(at, times)| {
        let point = MeasuredPoint {
            at,
            n: times.len() as u64,
            mean: Some(times.iter().sum::<f64>() / times.len() as f64),
            ci95: None,
            ends: None,
        };
        (TIME.to_owned(), point)
    });
    let summary = sweep::summary(axes, rows.collect());
    Ok(runs.map(|runs| (summary, runs.len())))
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
