//! How a series runs along its axis.

use super::{Comparison, Curves, Finding, Panel};
use crate::statistics::{Expected, paired};

/// Up or down.
#[derive(Clone, Copy)]
pub(in crate::experiment) enum Way {
    Rises,
    Falls,
}

impl Curves {
    /// Every step of some series goes this way.
    pub(in crate::experiment) fn steps(&self, series: &[usize], way: Way) -> Finding {
        let steps = |last| (0..last).map(|tick| (tick, tick + 1)).collect();
        self.trends(series, way, "in every step", steps)
    }

    /// Some series go this way from the first point to the last.
    pub(in crate::experiment) fn first_to_last(&self, series: &[usize], way: Way) -> Finding {
        let words = "from the first point to the last";
        self.trends(series, way, words, |last| vec![(0, last)])
    }

    /// Trends between the ticks that `spans` names, given the last tick.
    fn trends(
        &self,
        series: &[usize],
        way: Way,
        between: &str,
        spans: fn(usize) -> Vec<(usize, usize)>,
    ) -> Finding {
        let (verb, sign) = match way {
            Way::Rises => ("rise", 1.0),
            Way::Falls => ("fall", -1.0),
        };
        self.rising(series, &format!("{verb} {between} on average"), |panel| {
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
    pub(in crate::experiment) fn shift(&self, series: usize, from: f64) -> Finding {
        let words = format!("is higher on average from {from} on than below");
        self.rising(&[series], &words, |panel| {
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
        &self,
        series: &[usize],
        words: &str,
        rises: impl Fn(&Panel) -> Vec<Comparison>,
    ) -> Finding {
        let rule = format!("{}: {} {words}", self.name, self.first().said(series, &[]));
        Finding::comparing(rule, self.panels.iter().flat_map(rises))
    }
}
