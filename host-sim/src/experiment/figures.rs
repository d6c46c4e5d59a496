//! Rows of figures.csv.

use std::path::Path;

use super::{curves::Curves, files, statistics::Estimate};
use crate::error::Result;

/// A figure: curves and what to call them.
pub(super) struct Figure {
    /// Short name.
    pub(super) id: &'static str,
    /// Heading.
    pub(super) title: String,
    /// What the y axis shows.
    pub(super) y_label: &'static str,
    /// The series by the names that the report shows, in the order of the curves.
    pub(super) series: Vec<String>,
    /// The points.
    pub(super) curves: Curves,
}

/// Writes figures.csv.
pub(super) fn write(dir: &Path, figures: &[Figure]) -> Result<()> {
    let header = [
        "figure", "title", "x_label", "y_label", "series", "x", "x_text", "mean", "ci95",
    ];
    files::table(dir, "figures.csv", header, figures.iter().flat_map(rows))
}

fn rows(figure: &Figure) -> impl Iterator<Item = [String; 9]> {
    let curves = &figure.curves;
    figure
        .series
        .iter()
        .enumerate()
        .flat_map(move |(at, series)| {
            curves.ticks.iter().enumerate().map(move |(tick, text)| {
                let (mean, half) = texts(Estimate::of(curves.samples(at, tick)));
                // Plain numbers lie where they say; other ticks stand side by side.
                let x = text.parse().unwrap_or(tick as f64);
                [
                    figure.id.to_owned(),
                    figure.title.clone(),
                    curves.axis.clone(),
                    figure.y_label.to_owned(),
                    series.clone(),
                    x.to_string(),
                    text.clone(),
                    mean,
                    half,
                ]
            })
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
