//! Where the values of series lie, each by itself or at most points.

use super::{Curves, Finding, Row};
use crate::{
    experiment::panel::from_to,
    report::words::tidy,
    statistics::{Estimate, Verdict},
};

impl Curves {
    /// All series lie between two values.
    pub(in crate::experiment) fn range(&self, low: f64, high: f64) -> Finding {
        let mut finding = Finding::default();
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let panels = self.panels.iter();
        let values = panels.flat_map(|panel| panel.values().map(move |at| (panel, at)));
        for (panel, (series, tick)) in values {
            let samples = panel.samples(series, tick);
            if samples.is_empty() {
                continue;
            }
            let found = Estimate::of(samples);
            (least, most) = (least.min(found.mean), most.max(found.mean));
            let inside = found.low() >= low && found.high() <= high;
            let verdict = Verdict::when(inside, found.high() < low || found.low() > high);
            let row = Row::verdict(&panel.names[series], format!("{:.4}", found.mean), verdict);
            finding.decide(row.at(panel.at(tick)).with_half(found));
        }
        let [least, most] = [least, most].map(|mean| format!("{mean:.3}"));
        finding.measured = Some(from_to(&least, &most));
        finding.by_rule(format!(
            "{}: the interval of every mean lies from {} to {}; one wholly outside fails",
            self.name,
            tidy(&low.to_string()),
            tidy(&high.to_string())
        ))
    }

    /// At how many points a series lies above another on average, and of how many.
    pub(in crate::experiment) fn points_above(&self, a: usize, b: usize) -> (usize, usize) {
        self.points().fold((0, 0), |(higher, all), (panel, tick)| {
            let gain = panel.mean(a, tick) - panel.mean(b, tick);
            (higher + usize::from(gain > 0.0), all + 1)
        })
    }

    /// Of each pair the first lies above the second at more than half of all points, on average over the replications.
    pub(in crate::experiment) fn mostly(&self, pairs: &[(usize, usize)]) -> Finding {
        let mut finding = Finding::default();
        let mut words = Vec::new();
        let mut measured = Vec::new();
        for &(a, b) in pairs {
            let (higher, all) = self.points_above(a, b);
            let [a, b] = [a, b].map(|series| self.names(&[series]));
            finding.decide(Row::verdict(
                format!("points at which {a} is above {b}"),
                format!("{higher} of {all}"),
                Verdict::of(2 * higher > all),
            ));
            words.push(format!("{a} above {b}"));
            measured.push(format!("{a} above {b} at {higher} of {all} points"));
        }
        finding.measured = Some(measured.join(", "));
        let (name, words) = (self.name, words.join(", "));
        finding.by_rule(format!(
            "{name}: at more than half of all points on average {words}"
        ))
    }
}
