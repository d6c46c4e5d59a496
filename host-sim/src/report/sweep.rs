//! The report of a sweep: measures over axes, with the intervals as bands.

use std::{collections::BTreeMap, path::Path};

use maud::{Markup, html};
use serde_json::Value as Json;

use super::{
    TIMING, claims, differences, folder, line_drawing,
    line_plot::{self, LinePlot, LinePoint, Series},
    metrics_file::MetricsFile,
    page, reproduction, sentences, subjects,
    sweep_layout::Layout,
    words::{grouped, plural},
};
use crate::{
    error::Result,
    files::{self, Row},
    manifest::Manifest,
    output,
    result_folder::Missing,
};

/// The table that all plots come from.
pub(crate) const SUMMARY: &str = "summary.csv";

/// Points that are shown.
pub(super) const MOST_POINTS: usize = 1_000;

/// Means and intervals by measure.
pub(crate) struct Summary {
    pub(crate) axes: Vec<Axis>,
    pub(crate) measures: Vec<Measure>,
    /// Points beside these, which only the tables have.
    pub(crate) left_out: usize,
    /// Whether the plan says that there are several replications, however many of them have a value.
    pub(super) is_replicated: bool,
}

impl Summary {
    /// Whether there can be an interval anywhere: one replication has none.
    pub(crate) fn has_intervals(&self) -> bool {
        let mut points = self.measures.iter().flat_map(|measure| &measure.points);
        self.is_replicated || points.any(|point| point.ci95.is_some())
    }
}

/// An axis of the plan and its values in the order of the plan.
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

impl Axis {
    pub(super) fn is_of_numbers(&self) -> bool {
        self.values.iter().all(|value| value.parse::<f64>().is_ok())
    }
}

pub(crate) struct Measure {
    pub(crate) name: String,
    pub(crate) points: Vec<MeasuredPoint>,
}

/// A point of the grid, and what one measure comes to there.
pub(crate) struct MeasuredPoint {
    /// The values of the axes.
    pub(crate) at: Vec<String>,
    pub(crate) n: u64,
    pub(crate) mean: Option<f64>,
    pub(crate) ci95: Option<f64>,
    /// The ends of the interval that is drawn.
    pub(super) ends: Option<[f64; 2]>,
}

/// The page of a sweep, of which so much is there as is finished.
pub(super) fn page(dir: &Path, manifest: &Manifest, missing: &Missing) -> Result<String> {
    let summary = read(dir, manifest)?;
    let mut sections = Vec::new();
    for measure in summary.iter().flat_map(|summary| &summary.measures) {
        let axes = summary.as_ref().map_or(&[][..], |summary| &summary.axes);
        sections.push(section(measure, axes)?);
    }
    let subjects = summary.as_ref().map(subjects::sections).transpose()?;
    let differences = differences::read(dir, manifest)?;
    let shown_whole = summary.as_ref().filter(|summary| summary.left_out == 0);
    let whole_axes = shown_whole.map_or(&[][..], |summary| &summary.axes);
    let judged = folder::claims(dir)?;
    let claims = judged.as_deref().unwrap_or_default();
    // Of a reproduction.
    let reproduced = MetricsFile::read(&dir.join("settings.json"))?;
    let told = reproduced
        .as_ref()
        .map(MetricsFile::told)
        .unwrap_or_default();
    let content = html! {
        @if let Some(settings) = &reproduced {
            (reproduction::opening(settings, claims, &sentences::judged(claims)))
            (reproduction::glossary(settings))
            (reproduction::failed(&told, claims))
        }
        @if let Some(summary) = &summary { (lead(summary, reproduced.is_none() && is_of_file(manifest))) }
        @if let Some(judged) = &judged { (claims::section(judged, &told.disclaimer)) }
        (settings(manifest))
        (unfinished(missing))
        @if let Some(subjects) = subjects { (subjects) }
        @if let Some(differences) = &differences { (differences::section(differences, whole_axes)) }
        @for section in &sections { (section) }
    };
    let runs = plural(manifest.count(), "run");
    let title = reproduced.and_then(|settings| settings.text("paper_title"));
    let title = title.unwrap_or_else(|| format!("A sweep of {runs}"));
    Ok(page::whole(&title, &content))
}

/// Whether jobs come from a file, which are the same in all replications; the names of models have no ending.
fn is_of_file(manifest: &Manifest) -> bool {
    let run = manifest
        .options
        .get("run")
        .and_then(|run| run.get("workload"));
    let workload = run.or_else(|| manifest.options.get("workload"));
    let names = |value: &Json| match value {
        Json::Array(values) => values.iter().any(|value| text(value).contains('.')),
        one => text(one).contains('.'),
    };
    workload.is_some_and(names)
}

fn lead(summary: &Summary, is_of_file: bool) -> Markup {
    html! {
        p.lead {
            @if let Some(said) = said(&summary.axes) { (said) " " }
            @if summary.has_intervals() {
                (line_plot::READING) " Replications of different points have the same seeds, so that points differ in nothing but the axes."
                @if is_of_file { " Jobs come from a file and are the same in all replications, which draw anew what the log does not have: who reserves or has a deadline where that is a share, lead times, slack, failures. The intervals say nothing about other jobs." }
            } @else {
                "Each point is one run, with the same seed as all others, so that points differ in nothing but the axes. How much of a difference is luck of the draw, only more replications tell, or parts of a log."
            }
            " All numbers are in "
            a href="summary.csv" { "summary.csv" } " and " a href="samples.csv" { "samples.csv" } ". What a decision takes depends on the machine: "
            a href=(TIMING) { "what each point costs" } " is a page of its own."
            @if summary.left_out > 0 {
                " Only the first " (grouped(MOST_POINTS)) " points are shown here, in the order of the plan; " (grouped(summary.left_out)) " more are in the tables alone."
            }
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

fn unfinished(missing: &Missing) -> Markup {
    html! {
        @if missing.count > 0 {
            p.missing { "Not finished: " (plural(missing.count, "run")) " missing: " (missing.named.join("; ")) @if let more @ 1.. = missing.count - missing.named.len() { " and " (grouped(more)) " more" } "." }
        }
    }
}

fn text(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

pub(crate) fn axes(manifest: &Manifest) -> Vec<String> {
    let axes = manifest.options.get("axes").and_then(Json::as_array);
    let names = axes.into_iter().flatten().filter_map(Json::as_str);
    names.map(|name| name.replace('-', "_")).collect()
}

/// How many measures there are.
pub(super) fn measures(manifest: &Manifest) -> usize {
    let measures = manifest.options.get("measures").and_then(Json::as_array);
    measures.map_or(1, Vec::len)
}

/// What the sweep in a folder comes to, at as many of its points as are shown; nothing where it is not finished.
pub(crate) fn read(dir: &Path, manifest: &Manifest) -> Result<Option<Summary>> {
    let axes = axes(manifest);
    let mut needed: Vec<&str> = axes.iter().map(String::as_str).collect();
    needed.extend(files::SummaryRow::COLUMNS);
    let most = MOST_POINTS * measures(manifest);
    let rows = files::first_lines(&dir.join(SUMMARY), &needed, most, |line| {
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
    let replications = manifest.options.get("replications").and_then(Json::as_u64);
    let replications = replications.unwrap_or(1).max(1);
    let points = manifest.count() / replications as usize;
    Ok(rows.map(|rows| Summary {
        left_out: points.saturating_sub(MOST_POINTS),
        is_replicated: replications > 1,
        ..summary(&axes, rows)
    }))
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
    Summary {
        axes,
        measures,
        left_out: 0,
        is_replicated: false,
    }
}

/// A measure: its plots, as the layout of the axes has them, and the table behind them.
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
    let layout = Layout::of(axes);
    let x = layout.x.map(|at| (at, &axes[at]));
    let lines = layout.lines.iter().chain(&layout.others);
    let lines: Vec<(usize, &Axis)> = lines.map(|at| (*at, &axes[*at])).collect();
    let place = |point: &MeasuredPoint| -> Vec<String> {
        let values = layout.panels.iter();
        let values = values.map(|at| format!("{} {}", axes[*at].name, point.at[*at]));
        values.collect()
    };
    let mut places: Vec<Vec<String>> = Vec::new();
    for point in &measure.points {
        let place = place(point);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let panels = places.into_iter().map(|here| {
        let points = measure.points.iter();
        LinePlot {
            id: measure.name.clone(),
            x_label: x.map_or(String::new(), |(_, axis)| axis.name.clone()),
            y_label: measure.name.clone(),
            limits: output::limits(&measure.name),
            series: series(points.filter(|point| place(point) == here), x, &lines),
            title: match here.is_empty() {
                true => measure.name.clone(),
                false => here.join(", "),
            },
        }
    });
    panels.collect()
}

/// What the plots of all measures show, in a sentence.
fn said(axes: &[Axis]) -> Option<String> {
    let layout = Layout::of(axes);
    let name = |at: usize| axes[at].name.as_str();
    let x = name(layout.x?);
    let lines = layout.lines.map_or(String::new(), |at| {
        let lines: Vec<&str> = [at]
            .iter()
            .chain(&layout.others)
            .map(|at| name(*at))
            .collect();
        format!(", a line for each {}", lines.join(" and "))
    });
    let panels: Vec<&str> = layout.panels.iter().map(|at| name(*at)).collect();
    let panels = match panels.is_empty() {
        true => String::new(),
        false => format!(", and a plot for each {}", panels.join(" and ")),
    };
    Some(format!("Each measure is drawn over {x}{lines}{panels}."))
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
            let order = axis.values.iter().position(|known| known == value)?;
            let number = value.parse().ok().filter(|_| axis.is_of_numbers());
            let place = number.unwrap_or(order as f64);
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
    use super::{Axis, Measure, MeasuredPoint, download, heights, panels, said};

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
    fn what_is_compared_stands_in_one_plot_beside_others_of_the_same_height() {
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
        assert_eq!(
            titles,
            [
                "binding early, slots 100",
                "binding late, slots 100",
                "binding late, slots 200"
            ]
        );
        assert_eq!(panels[0].x_label, "umed");
        for panel in &panels {
            let lines: Vec<&str> = panel.series.iter().map(|s| s.name.as_str()).collect();
            assert_eq!(lines, ["a", "b"]);
        }
        let places: Vec<f64> = panels[1].series[0].points.iter().map(|p| p.x).collect();
        assert_eq!(places, [5.0, 9.0]);
        assert_eq!(heights(&panels), Some((0.5, 2.5)));
        assert_eq!(
            said(&axes).unwrap(),
            "Each measure is drawn over umed, a line for each policy, and a plot for each binding and slots."
        );
    }

    #[test]
    fn a_table_fits_into_a_link() {
        assert_eq!(
            download("a b\n1,2\n"),
            "data:text/csv;charset=utf-8,a%20b%0A1,2%0A"
        );
    }
}
