//! A figure as data: named series of points with confidence intervals.

use std::path::Path;

use crate::{
    error::Result,
    files::{self, Decimal, FigureRow},
    statistics::Limits,
};

/// What points, areas and strokes of every plot with replications are.
pub(super) const READING: &str = "Points are means over the replications, shaded areas and strokes their 95 % confidence intervals (Student's t). Intervals of shares are \
     computed by the logit, so that they end between nothing and all; a share that is nothing or all in every replication has none.";

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
    /// What that can be.
    pub(super) limits: Limits,
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
    /// The ends of its confidence interval, where one is known.
    pub(super) ends: Option<[f64; 2]>,
}

/// The interval that is drawn: that of the file, or in files of earlier versions the symmetric one.
pub(super) fn ends(
    mean: f64,
    ci95: Option<Decimal>,
    drawn: [Option<Decimal>; 2],
) -> Option<[f64; 2]> {
    match drawn {
        [Some(low), Some(high)] => Some([low.0, high.0]),
        _ => ci95.map(|half| [mean - half.0, mean + half.0]),
    }
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
        let ends = |p: &LinePoint| p.ends.unwrap_or([p.mean; 2]);
        let low = points().map(|p| ends(p)[0]).min_by(f64::total_cmp)?;
        let high = points().map(|p| ends(p)[1]).max_by(f64::total_cmp)?;
        Some((low, high))
    }

    /// Whether the x axis has names instead of numbers, classes or levels, which have an order and begin with something else than a letter.
    pub(super) fn has_names(&self) -> bool {
        let is_name = |(_, words): &(f64, &str)| words.starts_with(char::is_alphabetic);
        self.ticks().iter().all(is_name)
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
            limits: Limits::new(
                row.least.map_or(f64::NEG_INFINITY, |least| least.0),
                row.most.map_or(f64::INFINITY, |most| most.0),
            ),
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
        ends: ends(mean.0, row.ci95, [row.low, row.high]),
    }));
}
