//! How a series runs along its axis.

use super::{Comparison, Finding, Panel, Rule, View};
use crate::statistics::{Expected, paired};

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
    between: &str,
    spans: fn(usize) -> Vec<(usize, usize)>,
) -> Rule {
    let (verb, sign) = match way {
        Way::Rises => ("rise", 1.0),
        Way::Falls => ("fall", -1.0),
    };
    let words = format!("{verb} {between} on average");
    rising(view, series, words, move |panel| {
        let text = |tick: usize| &panel.ticks[tick].text;
        let rise = |series: usize, (from, to): (usize, usize)| {
            let gains = panel.gain(series, from, to).into_iter();
            Comparison {
                what: format!("{verb} of {}", panel.names[series]),
                place: format!("from {} {} to {}", panel.axis_label(), text(from), text(to)),
                differences: gains.map(|gain| sign * gain).collect(),
                expected: Expected::Rising,
            }
        };
        let spans = spans(panel.len().saturating_sub(1));
        let of = |&series: &usize| spans.iter().map(move |span| rise(series, *span));
        series.iter().flat_map(of).collect()
    })
}

/// A series is higher, on average, from a value of the axis on than below it.
pub(in crate::experiment) fn shift(view: View, series: usize, from: f64) -> Rule {
    let words = format!("is higher on average from {from} on than below");
    rising(view, &[series], words, move |panel| {
        let mean = |ticks: Vec<usize>| panel.mean_over(series, &ticks);
        let early = mean(panel.ticks_where(|here| here < from));
        let late = mean(panel.ticks_where(|here| here >= from));
        vec![Comparison {
            what: format!("rise of {}", panel.names[series]),
            place: format!(
                "from {} to {} at {}",
                panel.part("<", from),
                panel.part(">=", from),
                panel.place
            ),
            differences: paired(&late, &early),
            expected: Expected::Rising,
        }]
    })
}

/// What should rise in each panel.
fn rising(
    view: View,
    series: &[usize],
    words: String,
    rises: impl Fn(&Panel) -> Vec<Comparison> + 'static,
) -> Rule {
    let series = series.to_vec();
    Rule::new(move |panels| {
        let names = panels.first(view).said(&series, &[]);
        let rule = format!("{view}: {names} {words}");
        Finding::comparing(rule, panels.of(view).iter().flat_map(&rises))
    })
}
