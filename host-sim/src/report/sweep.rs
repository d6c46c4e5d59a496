//! The report of a sweep: measures over axes, with the intervals as bands.

use std::{collections::BTreeMap, path::Path};

use maud::{Markup, html};
use serde_json::Value as Json;

use super::{
    TIMING, claims, folder, line_drawing,
    line_plot::{self, LinePlot, LinePoint, Series},
    page,
    words::{grouped, plural},
};
use crate::{
    error::Result,
    files::{self, Row},
    manifest::Manifest,
    output,
};

/// The table that all plots come from.
pub(super) const SUMMARY: &str = "summary.csv";

/// Small plots of a measure; with more values, the second axis is drawn as lines.
const MOST_PANELS: usize = 24;

/// Runs that are named where they are missing.
const NAMED: usize = 20;

/// Means and intervals by measure.
pub(super) struct Summary {
    pub(super) axes: Vec<Axis>,
    pub(super) measures: Vec<Measure>,
}

/// An axis of the plan and its values in the order of the plan.
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

pub(super) struct Measure {
    pub(super) name: String,
    pub(super) points: Vec<MeasuredPoint>,
}

/// A point of the grid, and what one measure comes to there.
pub(super) struct MeasuredPoint {
    /// The values of the axes.
    pub(super) at: Vec<String>,
    pub(super) n: u64,
    pub(super) mean: Option<f64>,
    pub(super) ci95: Option<f64>,
    /// The ends of the interval that is drawn.
    pub(super) ends: Option<[f64; 2]>,
}

/// The page of a sweep, of which so much is there as is finished.
pub(super) fn page(dir: &Path, manifest: &Manifest, missing: &[String]) -> Result<String> {
    let summary = read(&dir.join(SUMMARY), &axes(manifest))?;
    let mut sections = Vec::new();
    for measure in summary.iter().flat_map(|summary| &summary.measures) {
        let axes = summary.as_ref().map_or(&[][..], |summary| &summary.axes);
        sections.push(section(measure, axes)?);
    }
    let judged = folder::claims(dir)?;
    let content = html! {
        @if let Some(summary) = &summary { (lead(summary)) }
        @if let Some(judged) = &judged { (claims::section(judged)) }
        (settings(manifest))
        (unfinished(missing))
        @for section in &sections { (section) }
    };
    let runs = plural(manifest.runs.len(), "run");
    Ok(page::whole(&format!("A sweep of {runs}"), &content))
}

fn lead(summary: &Summary) -> Markup {
    html! {
        p.lead {
            (line_plot::READING) " Replications of different "
            "points have the same seeds, so that points differ in nothing but the axes. All numbers are in "
            a href="summary.csv" { "summary.csv" } " and " a href="samples.csv" { "samples.csv" } ". What a decision takes depends on the machine: "
            a href=(TIMING) { "what each point costs" } " is a page of its own."
        }
        dl.settings {
            @for axis in &summary.axes { div { dt { "axis " (axis.name) } dd { (axis.values.join(", ")) } } }
        }
    }
}

/// What is the same at all points.
fn settings(manifest: &Manifest) -> Markup {
    let run = manifest.options.get("run").and_then(Json::as_object);
    let fixed = run
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_array());
    let common =
        ["seed", "replications", "shard", "exclude"].map(|name| (name, manifest.options.get(name)));
    html! {
        dl.settings {
            @for (name, value) in fixed { div { dt { (name) } dd { (text(value)) } } }
            @for (name, value) in common { @if let Some(value) = value { div { dt { (name) } dd { (text(value)) } } } }
            div { dt { "bookahead" } dd { (manifest.version) } }
        }
    }
}

fn unfinished(missing: &[String]) -> Markup {
    html! {
        @if !missing.is_empty() {
            p.missing {
                "Not finished: " (plural(missing.len(), "run")) " missing: " (missing.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "))
                @if missing.len() > NAMED { " and " (grouped(missing.len() - NAMED)) " more" } "."
            }
        }
    }
}

fn text(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn axes(manifest: &Manifest) -> Vec<String> {
    let axes = manifest.options.get("axes").and_then(Json::as_array);
    let names = axes.into_iter().flatten().filter_map(Json::as_str);
    names.map(|name| name.replace('-', "_")).collect()
}

pub(super) fn read(file: &Path, axes: &[String]) -> Result<Option<Summary>> {
    let mut needed: Vec<&str> = axes.iter().map(String::as_str).collect();
    needed.extend(files::SummaryRow::COLUMNS);
    let rows = files::read_lines(file, &needed, |line| {
        let row: files::SummaryRow = line.row()?;
        let point = MeasuredPoint {
            at: axes.iter().map(|axis| line.cell(axis).to_owned()).collect(),
            n: row.n,
            mean: row.mean.map(|mean| mean.0),
            ci95: row.ci95.map(|half| half.0),
            ends: row
                .mean
                .and_then(|mean| line_plot::ends(mean.0, row.ci95, [row.low, row.high])),
        };
        Ok((row.measure, point))
    })?;
    Ok(rows.map(|rows| summary(axes, rows)))
}

pub(super) fn summary(names: &[String], rows: Vec<(String, MeasuredPoint)>) -> Summary {
    let mut axes: Vec<Axis> = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let mut values: Vec<String> = Vec::new();
        for (_, point) in &rows {
            if !values.contains(&point.at[at]) {
                values.push(point.at[at].clone());
            }
        }
        axes.push(Axis {
            name: name.clone(),
            values,
        });
    }
    let mut measures: Vec<Measure> = Vec::new();
    for (name, point) in rows {
        match measures.iter_mut().find(|measure| measure.name == name) {
            Some(measure) => measure.points.push(point),
            None => measures.push(Measure {
                name,
                points: vec![point],
            }),
        }
    }
    Summary { axes, measures }
}

/// A measure: its plots over the first axis, one for each value of the second, and the table behind them.
pub(super) fn section(measure: &Measure, axes: &[Axis]) -> Result<Markup> {
    let panels = panels(measure, axes);
    let heights = heights(&panels);
    let mut plots = Vec::new();
    for panel in &panels {
        plots.push(line_drawing::markup_within(panel, heights)?);
    }
    Ok(html! {
        section id=(format!("measure-{}", measure.name)) {
            h2 { (measure.name) }
            p { a download=(format!("{}.csv", measure.name)) href=(download(&csv(measure, axes))) { "The numbers as CSV" } }
            div.figures { @for plot in &plots { (plot) } }
        }
    })
}

/// The common height of the small plots, so that they can be compared.
fn heights(panels: &[LinePlot]) -> Option<(f64, f64)> {
    let heights = panels.iter().filter_map(LinePlot::heights);
    heights.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn panels(measure: &Measure, axes: &[Axis]) -> Vec<LinePlot> {
    // Axes with one value are no axes of a plot.
    let mut open: Vec<usize> = (0..axes.len())
        .filter(|at| axes[*at].values.len() > 1)
        .collect();
    let x = (!open.is_empty()).then(|| open.remove(0));
    let second = open.first().copied();
    let second = second.filter(|at| axes[*at].values.len() <= MOST_PANELS);
    open.retain(|at| Some(*at) != second);
    let others: Vec<(usize, &Axis)> = open.into_iter().map(|at| (at, &axes[at])).collect();
    let values = second.map_or(vec![None], |at| axes[at].values.iter().map(Some).collect());
    let panels = values.into_iter().map(|value| {
        let of_panel =
            |point: &&MeasuredPoint| second.is_none_or(|at| Some(&point.at[at]) == value);
        let points = measure.points.iter().filter(of_panel);
        let title = match (second, value) {
            (Some(at), Some(value)) => format!("{} {value}", axes[at].name),
            _ => measure.name.clone(),
        };
        LinePlot {
            id: measure.name.clone(),
            title,
            x_label: x.map_or(String::new(), |at| axes[at].name.clone()),
            y_label: measure.name.clone(),
            limits: output::limits(&measure.name),
            series: series(points, x.map(|at| (at, &axes[at])), &others),
        }
    });
    panels.collect()
}

/// A line for each combination of the axes that are neither x nor told apart by plots.
fn series<'a>(
    points: impl Iterator<Item = &'a MeasuredPoint>,
    x: Option<(usize, &Axis)>,
    others: &[(usize, &Axis)],
) -> Vec<Series> {
    let mut lines: Vec<Series> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for point in points {
        let name = name(point, others);
        let at = *known.entry(name.clone()).or_insert_with(|| {
            lines.push(Series {
                name,
                points: Vec::new(),
            });
            lines.len() - 1
        });
        lines[at].points.extend(placed(point, x));
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    lines
}

/// The name of a line. Words say what they are, while numbers and flags need the name of their axis.
fn name(point: &MeasuredPoint, axes: &[(usize, &Axis)]) -> String {
    let is_word = |value: &str| value.parse::<f64>().is_err() && value.parse::<bool>().is_err();
    let values = axes.iter().map(|(at, axis)| (axis, point.at[*at].as_str()));
    let (words, others): (Vec<_>, Vec<_>) = values.partition(|(_, value)| is_word(value));
    let words: Vec<&str> = words.into_iter().map(|(_, value)| value).collect();
    let others = others.into_iter();
    let others = others.map(|(axis, value)| format!("{} {value}", axis.name));
    // A policy with its binding has the look that it has in other plots.
    let words = Some(words.join("-")).filter(|words| !words.is_empty());
    words
        .into_iter()
        .chain(others)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Numbers lie where they say; an axis of names has its values side by side.
fn placed(point: &MeasuredPoint, x: Option<(usize, &Axis)>) -> Option<LinePoint> {
    let (place, words) = match x {
        None => (0.0, String::new()),
        Some((at, axis)) => {
            let value = &point.at[at];
            let numbers: Option<Vec<f64>> = axis.values.iter().map(|v| v.parse().ok()).collect();
            let order = axis.values.iter().position(|known| known == value)?;
            let place = numbers.map_or(order as f64, |numbers| numbers[order]);
            (place, value.clone())
        }
    };
    Some(LinePoint {
        x: place,
        x_text: words,
        mean: point.mean?,
        ends: point.ends,
    })
}

/// The table behind the plots of a measure.
fn csv(measure: &Measure, axes: &[Axis]) -> String {
    let header = axes.iter().map(|axis| axis.name.clone());
    let fixed = ["n", "mean", "ci95", "low", "high"].map(str::to_owned);
    let mut rows = vec![header.chain(fixed).collect()];
    for point in &measure.points {
        let number =
            |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let [low, high] = [0, 1].map(|end| number(point.ends.map(|ends| ends[end])));
        let n = point.n.to_string();
        let numbers = [n, number(point.mean), number(point.ci95), low, high];
        rows.push(point.at.iter().cloned().chain(numbers).collect());
    }
    output::csv_text(&rows)
}

/// A link that holds the file itself.
pub(super) fn download(text: &str) -> String {
    let mut link = "data:text/csv;charset=utf-8,".to_owned();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b',' => {
                link.push(char::from(byte))
            }
            _ => link += &format!("%{byte:02X}"),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::{Axis, Measure, MeasuredPoint, download, heights, panels};

    fn axis(name: &str, values: &[&str]) -> Axis {
        Axis {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    fn point(at: &[&str], mean: f64) -> MeasuredPoint {
        MeasuredPoint {
            at: at.iter().map(|value| (*value).to_owned()).collect(),
            n: 2,
            mean: Some(mean),
            ci95: Some(0.5),
            ends: Some([mean - 0.5, mean + 0.5]),
        }
    }

    #[test]
    fn the_second_axis_makes_small_plots_of_one_height_and_the_others_make_lines() {
        let axes = [
            axis("umed", &["5", "9"]),
            axis("pes", &["64"]),
            axis("policy", &["a", "b"]),
            axis("binding", &["early", "late"]),
            axis("slots", &["100", "200"]),
        ];
        let mut points = Vec::new();
        for (mean, umed) in [(1.0, "5"), (2.0, "9")] {
            for policy in ["a", "b"] {
                for (binding, slots) in [("early", "100"), ("late", "100"), ("late", "200")] {
                    points.push(point(&[umed, "64", policy, binding, slots], mean));
                }
            }
        }
        let measure = Measure {
            name: "utilization".to_owned(),
            points,
        };
        let panels = panels(&measure, &axes);
        let titles: Vec<&str> = panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["policy a", "policy b"]);
        assert_eq!(panels[0].x_label, "umed");
        let lines: Vec<&str> = panels[0].series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(
            lines,
            ["early, slots 100", "late, slots 100", "late, slots 200"]
        );
        let places: Vec<f64> = panels[1].series[0].points.iter().map(|p| p.x).collect();
        assert_eq!(places, [5.0, 9.0]);
        assert_eq!(heights(&panels), Some((0.5, 2.5)));
    }

    #[test]
    fn a_table_fits_into_a_link() {
        assert_eq!(
            download("a b\n1,2\n"),
            "data:text/csv;charset=utf-8,a%20b%0A1,2%0A"
        );
    }
}
