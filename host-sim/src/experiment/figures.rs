//! Rows of figures.csv.

use std::path::Path;

use super::{
    files,
    panel::{Panel, Tick},
    statistics::Estimate,
};
use crate::error::Result;

/// A figure: a panel and what to call it.
pub(super) struct Figure {
    /// Short name.
    pub(super) id: &'static str,
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
        id: &'static str,
        title: impl Into<String>,
        y_label: &'static str,
        panel: Panel,
    ) -> Self {
        let title = title.into();
        Self {
            id,
            title,
            y_label,
            panel,
        }
    }
}

/// Writes figures.csv.
pub(super) fn write(dir: &Path, figures: &[Figure]) -> Result<()> {
    let header = [
        "figure", "title", "x_label", "y_label", "series", "x", "x_text", "mean", "ci95",
    ];
    files::table(dir, "figures.csv", header, figures.iter().flat_map(rows))
}

fn rows(figure: &Figure) -> impl Iterator<Item = [String; 9]> {
    let panel = &figure.panel;
    let points = |series: usize| (0..panel.len()).map(move |tick| (series, tick));
    (0..panel.names.len())
        .flat_map(points)
        .map(|(series, tick)| {
            let (mean, half) = texts(Estimate::of(panel.samples(series, tick)));
            let Tick { value, text } = panel.ticks[tick].clone();
            [
                figure.id.to_owned(),
                figure.title.clone(),
                panel.axis_label(),
                figure.y_label.to_owned(),
                panel.names[series].clone(),
                value.to_string(),
                text,
                mean,
                half,
            ]
        })
}

/// Mean and half width; empty where there is none.
fn texts(estimate: Option<Estimate>) -> (String, String) {
    estimate.map_or_else(Default::default, |Estimate { mean, half }| {
        let half = if half.is_finite() {
            format!("{half:.6}")
        } else {
            String::new()
        };
        (format!("{mean:.6}"), half)
    })
}
