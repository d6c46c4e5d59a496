//! How a series runs along its axis.

use crate::experiment::{
    comparison::{Comparison, Expected},
    panel::Panel,
    statistics::paired,
};

/// Up or down.
#[derive(Clone, Copy)]
pub(in crate::experiment) enum Way {
    Rises,
    Falls,
}

/// Between which points.
#[derive(Clone, Copy)]
pub(in crate::experiment) enum Span {
    /// From each to the next.
    Steps,
    /// From the first to the last.
    Ends,
}

impl Way {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Rises => "rise",
            Self::Falls => "fall",
        }
    }

    const fn sign(self) -> f64 {
        match self {
            Self::Rises => 1.0,
            Self::Falls => -1.0,
        }
    }
}

impl Span {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Steps => "in every step",
            Self::Ends => "from the first point to the last",
        }
    }

    pub(super) fn trends(self, panel: &Panel, series: &[usize], way: Way) -> Vec<Comparison> {
        let last = panel.len().saturating_sub(1);
        let spans: Vec<(usize, usize)> = match self {
            Self::Steps => (0..last).map(|tick| (tick, tick + 1)).collect(),
            Self::Ends => vec![(0, last)],
        };
        let trend = |&series: &usize| {
            let spans = spans.iter();
            spans.map(move |&(from, to)| panel.trend(series, from, to, way.sign()))
        };
        series.iter().flat_map(trend).collect()
    }
}

pub(super) fn shift(panel: &Panel, series: usize, from: f64) -> Comparison {
    let Panel {
        place, axis, unit, ..
    } = panel;
    let mean = |ticks: Vec<usize>| panel.mean_over(series, &ticks);
    let early = mean(panel.ticks_where(|here| here < from));
    let late = mean(panel.ticks_where(|here| here >= from));
    Comparison {
        what: format!("rise of {}", panel.names[series]),
        place: format!("from {axis} < {from} {unit} to {axis} >= {from} {unit} at {place}"),
        differences: paired(&late, &early),
        expected: Expected::Rising,
    }
}
