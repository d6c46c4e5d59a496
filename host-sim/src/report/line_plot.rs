//! A figure as data: named series of points with confidence half widths.

use std::path::Path;

use crate::{error::Result, table};

/// One line plot.
pub(super) struct LinePlot {
    /// Short name, unique together with the title.
    pub(super) id: String,
    /// Heading.
    pub(super) title: String,
    /// What the x axis shows.
    pub(super) x_label: String,
    /// What the y axis shows.
    pub(super) y_label: String,
    /// The lines, in the order of their first rows.
    pub(super) series: Vec<Series>,
}

/// One line of a figure.
pub(super) struct Series {
    /// Name in the legend.
    pub(super) name: String,
    /// Points by increasing x.
    pub(super) points: Vec<LinePoint>,
}

/// One point of a line.
pub(super) struct LinePoint {
    /// Where it lies.
    pub(super) x: f64,
    /// What its tick says; nothing on an axis of plain numbers.
    pub(super) x_text: String,
    /// Its height.
    pub(super) mean: f64,
    /// Half width of the confidence interval, where one is known.
    pub(super) ci95: Option<f64>,
}

impl LinePlot {
    /// The ticks of the x axis: every x that has a point, with its text.
    pub(super) fn ticks(&self) -> Vec<(f64, &str)> {
        let mut ticks: Vec<(f64, &str)> = self
            .series
            .iter()
            .flat_map(|series| &series.points)
            .map(|point| (point.x, point.x_text.as_str()))
            .collect();
        ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        ticks.dedup_by(|a, b| a.0 == b.0);
        ticks
    }

    /// Least and greatest value of the lines and their confidence bands; nothing for an empty figure.
    pub(super) fn heights(&self) -> Option<(f64, f64)> {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let low = points()
            .map(|p| p.mean - p.ci95.unwrap_or(0.0))
            .min_by(f64::total_cmp)?;
        let high = points()
            .map(|p| p.mean + p.ci95.unwrap_or(0.0))
            .max_by(f64::total_cmp)?;
        Some((low, high))
    }
}

/// Reads figures.csv, or nothing when there is no such file.
pub(super) fn read(file: &Path) -> Result<Option<Vec<LinePlot>>> {
    let needed = [
        "figure", "title", "x_label", "y_label", "series", "x", "x_text", "mean", "ci95",
    ];
    let mut figures: Vec<LinePlot> = Vec::new();
    let rows = table::read(file, &needed, |row| add(&mut figures, row))?;
    for series in figures.iter_mut().flat_map(|figure| &mut figure.series) {
        series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    Ok(rows.map(|_| figures))
}

fn add(figures: &mut Vec<LinePlot>, row: &table::Row) -> Result<()> {
    // Several papers have a figure 2.
    let (id, title) = (row.text("figure"), row.text("title"));
    let at = figures
        .iter()
        .position(|f| f.id == id && f.title == title)
        .unwrap_or_else(|| {
            figures.push(LinePlot {
                id: id.to_owned(),
                title: title.to_owned(),
                x_label: row.text("x_label").to_owned(),
                y_label: row.text("y_label").to_owned(),
                series: Vec::new(),
            });
            figures.len() - 1
        });
    let point = point(row)?;
    let lines = &mut figures[at].series;
    let name = row.text("series");
    let line = lines
        .iter()
        .position(|s| s.name == name)
        .unwrap_or_else(|| {
            lines.push(Series {
                name: name.to_owned(),
                points: Vec::new(),
            });
            lines.len() - 1
        });
    lines[line].points.extend(point);
    Ok(())
}

/// A row without a mean is a gap in its line: the series is named, the point left out.
fn point(row: &table::Row) -> Result<Option<LinePoint>> {
    let x = row.number("x")?;
    let ci95 = row.optional_number("ci95")?;
    if ci95.is_some_and(|half| half < 0.0) {
        return Err(row.wrong("ci95", "a half width of at least 0"));
    }
    let x_text = match row.text("x_text") {
        "" => row.text("x"),
        text => text,
    };
    Ok(row.optional_number("mean")?.map(|mean| LinePoint {
        x,
        x_text: x_text.to_owned(),
        mean,
        ci95,
    }))
}
