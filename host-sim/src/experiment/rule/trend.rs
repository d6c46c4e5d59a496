//! How a series runs along its axis.

use super::Rule;
use crate::{
    experiment::{
        comparison::{Comparison, Finding},
        panel::{Panel, View},
    },
    statistics::{Expected, paired},
};

/// Up or down.
#[derive(Clone, Copy)]
pub(in crate::experiment) enum Way {
    Rises,
    Falls,
}

/// Every step of some series goes this way.
pub(in crate::experiment) fn steps(view: View, series: &'static [usize], way: Way) -> Rule {
    let steps = |last| (0..last).map(|tick| (tick, tick + 1)).collect();
    trends(view, series, way, "in every step", steps)
}

/// Some series go this way from the first point to the last.
pub(in crate::experiment) fn ends(view: View, series: &'static [usize], way: Way) -> Rule {
    let words = "from the first point to the last";
    trends(view, series, way, words, |last| vec![(0, last)])
}

/// Trends between the ticks that `spans` names, given the last tick.
fn trends(
    view: View,
    series: &'static [usize],
    way: Way,
    between: &'static str,
    spans: fn(usize) -> Vec<(usize, usize)>,
) -> Rule {
    let (verb, sign) = match way {
        Way::Rises => ("rise", 1.0),
        Way::Falls => ("fall", -1.0),
    };
    Rule::new(move |panels| {
        let names = panels.names(view, series);
        let one = |panel: &Panel, series: usize, (from, to): (usize, usize)| {
            let (from_text, to_text) = (&panel.ticks[from].text, &panel.ticks[to].text);
            let gains = panel.gain(series, from, to).into_iter();
            Comparison {
                what: format!("{verb} of {}", panel.names[series]),
                place: format!("from {} {from_text} to {to_text}", panel.axis_label()),
                differences: gains.map(|gain| sign * gain).collect(),
                expected: Expected::Rising,
            }
        };
        let mut comparisons = Vec::new();
        for panel in panels.of(view) {
            let spans = spans(panel.len().saturating_sub(1));
            for &series in series {
                comparisons.extend(spans.iter().map(|span| one(panel, series, *span)));
            }
        }
        let rule = format!(
            "{view}: {names} {verb} {between} on average (an interval wholly on the other side fails)"
        );
        Finding::comparing(rule, comparisons)
    })
}

/// A series is higher, on average, from a value of the axis on than below it.
pub(in crate::experiment) fn shift(view: View, series: usize, from: f64) -> Rule {
    let one = move |panel: &Panel| {
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
    };
    Rule::new(move |panels| {
        let name = panels.names(view, &[series]);
        let rule = format!(
            "{view}: {name} is higher on average from {from} on than below (an interval wholly on the other side fails)"
        );
        Finding::comparing(rule, panels.of(view).iter().map(one))
    })
}
