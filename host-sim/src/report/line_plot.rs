//! A figure as data: named series of points with confidence half widths.

use std::path::Path;

use crate::{
    error::Result,
    files::{self, FigureRow},
};

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
    let Some(rows) = files::read(file)? else {
        return Ok(None);
    };
    let mut figures: Vec<LinePlot> = Vec::new();
    for row in rows {
        add(&mut figures, row);
    }
    for series in figures.iter_mut().flat_map(|figure| &mut figure.series) {
        series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    Ok(Some(figures))
}

/// Adds a point to its line. A row without a mean is a gap: the line is named, the point left out.
fn add(figures: &mut Vec<LinePlot>, row: FigureRow) {
    // Several papers have a figure 2.
    let is_figure = |figure: &LinePlot| figure.id == row.figure && figure.title == row.title;
    let at = figures.iter().position(is_figure).unwrap_or_else(|| {
        figures.push(LinePlot {
            id: row.figure,
            title: row.title,
            x_label: row.x_label,
            y_label: row.y_label,
            series: Vec::new(),
        });
        figures.len() - 1
    });
    let lines = &mut figures[at].series;
    let known = lines.iter().position(|line| line.name == row.series);
    let line = known.unwrap_or_else(|| {
        lines.push(Series {
            name: row.series,
            points: Vec::new(),
        });
        lines.len() - 1
    });
    lines[line].points.extend(row.mean.map(|mean| LinePoint {
        x: row.x,
        x_text: match row.x_text.as_str() {
            "" => row.x.to_string(),
            text => text.to_owned(),
        },
        mean: mean.0,
        ci95: row.ci95.map(|half| half.0),
    }));
}
