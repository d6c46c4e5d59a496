//! Rows of figures.csv.

use std::path::Path;

use super::panel::{Panel, Tick};
use crate::{
    error::Result,
    files::{self, Decimal, FigureRow, Row},
    statistics::Estimate,
};

/// A panel with a short name, a heading, and what the y axis shows.
pub(super) struct Figure {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) y_label: &'static str,
    pub(super) panel: Panel,
}

impl Figure {
    pub(super) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        y_label: &'static str,
        panel: Panel,
    ) -> Self {
        let (id, title) = (id.into(), title.into());
        Self {
            id,
            title,
            y_label,
            panel,
        }
    }

    /// One for each of some panels, which what all points of it share tells from the others.
    pub(super) fn each(
        id: &'static str,
        title: &str,
        y_label: &'static str,
        panels: impl IntoIterator<Item = Panel>,
    ) -> Vec<Self> {
        let titled = |panel: &Panel| format!("{title}, {}", panel.place);
        let panels = panels.into_iter();
        let one = |panel: Panel| Self::new(id, titled(&panel), y_label, panel.bare());
        panels.map(one).collect()
    }

    fn rows(&self) -> impl Iterator<Item = FigureRow> {
        let panel = &self.panel;
        panel.values().map(move |(series, tick)| {
            let samples = panel.samples(series, tick);
            let estimate = Some(Estimate::of(samples)).filter(|_| !samples.is_empty());
            let ends = estimate.and_then(|estimate| estimate.bounds(panel.limits));
            let limit = |limit: f64| Some(Decimal(limit)).filter(|_| limit.is_finite());
            let Tick { value, text } = panel.ticks[tick].clone();
            FigureRow {
                figure: self.id.clone(),
                title: self.title.clone(),
                x_label: panel.axis_label(),
                y_label: self.y_label.to_owned(),
                series: panel.names[series].clone(),
                x: value,
                x_text: text,
                mean: estimate.map(|estimate| Decimal(estimate.mean)),
                ci95: estimate.and_then(Estimate::ci95).map(Decimal),
                low: ends.map(|[low, _]| Decimal(low)),
                high: ends.map(|[_, high]| Decimal(high)),
                least: limit(panel.limits.least),
                most: limit(panel.limits.most),
            }
        })
    }
}

/// Writes figures.csv.
pub(super) fn write(dir: &Path, figures: &[Figure]) -> Result<()> {
    let rows = figures.iter().flat_map(Figure::rows);
    files::write(&dir.join("figures.csv"), FigureRow::COLUMNS, rows)
}
