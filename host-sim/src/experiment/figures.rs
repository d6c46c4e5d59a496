//! Rows of figures.csv.

use std::path::Path;

use super::panel::{Panel, Tick};
use crate::{
    error::Result,
    files::{self, Decimal, FigureRow, Row},
    statistics::Estimate,
};

/// A figure: a panel and what to call it.
pub(super) struct Figure {
    /// Short name.
    pub(super) id: String,
    /// Heading.
    pub(super) title: String,
    /// What the y axis shows.
    pub(super) y_label: &'static str,
    /// What is drawn.
    pub(super) panel: Panel,
}

impl Figure {
    /// With a short name, a heading and what the y axis shows.
    pub(super) fn new(
        id: impl Into<String>,
        title: impl Into<String>,
        y_label: &'static str,
        panel: Panel,
    ) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            y_label,
            panel,
        }
    }
}

/// Writes figures.csv.
pub(super) fn write(dir: &Path, figures: &[Figure]) -> Result<()> {
    let file = dir.join("figures.csv");
    files::write(&file, FigureRow::COLUMNS, figures.iter().flat_map(rows))
}

fn rows(figure: &Figure) -> impl Iterator<Item = FigureRow> {
    let panel = &figure.panel;
    panel.values().map(move |(series, tick)| {
        let samples = panel.samples(series, tick);
        let estimate = Some(Estimate::of(samples)).filter(|_| !samples.is_empty());
        let Tick { value, text } = panel.ticks[tick].clone();
        FigureRow {
            figure: figure.id.clone(),
            title: figure.title.clone(),
            x_label: panel.axis_label(),
            y_label: figure.y_label.to_owned(),
            series: panel.names[series].clone(),
            x: value,
            x_text: text,
            mean: estimate.map(|estimate| Decimal(estimate.mean)),
            ci95: estimate.and_then(Estimate::ci95).map(Decimal),
        }
    })
}
