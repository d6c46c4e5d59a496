//! Where the values of series lie, each by itself or at most points.

use super::Rule;
use crate::experiment::{
    comparison::{Comparison, Expected, Finding, Row, Verdict, interval},
    panel::{Panel, View, points},
    statistics::{Estimate, finite, mean_of, paired},
};

/// At every point a series is as far from its mean over all points, at most.
pub(in crate::experiment) fn flat(view: View, series: usize, within: f64) -> Rule {
    Rule::new(move |panels| {
        let all = panels.of(view).iter();
        let means = all.map(|panel| panel.mean_over(series, &panel.all()));
        let level = mean_of(&means.collect::<Vec<_>>());
        let compare = |(panel, tick): (&Panel, usize)| Comparison {
            what: panel.names[series].clone(),
            place: format!("{} less its mean", panel.at(tick)),
            differences: paired(panel.samples(series, tick), &level),
            expected: Expected::Within(within),
        };
        let name = panels.names(view, &[series]);
        Finding {
            rule: format!(
                "at every point, {view}: {name} differs from its mean over all points by {within} at most"
            ),
            comparisons: points(panels.of(view)).map(compare).collect(),
            ..Finding::default()
        }
    })
}

/// A number that was printed, and what it was counted from.
#[derive(Clone, Copy)]
pub(in crate::experiment) struct Number {
    pub(in crate::experiment) view: View,
    pub(in crate::experiment) series: usize,
    pub(in crate::experiment) claimed: f64,
    pub(in crate::experiment) within: f64,
    /// A view with the same series: cases in a run.
    pub(in crate::experiment) counted: View,
    /// Of fewer cases no share can be told.
    pub(in crate::experiment) least: f64,
}

/// One series has a value that was printed. Open where runs count fewer than some cases.
pub(in crate::experiment) fn number(printed: Number) -> Rule {
    let Number {
        view,
        series,
        claimed,
        within,
        counted,
        least,
    } = printed;
    Rule::new(move |panels| {
        let samples = |view: View| {
            let panel = panels.of(view).first();
            panel.map_or(Vec::new(), |panel| panel.samples(series, 0).to_vec())
        };
        let name = panels.names(view, &[series]);
        let shares = finite(samples(view)).into_iter();
        let comparison = Comparison {
            what: format!("{name} less the paper's"),
            place: String::new(),
            differences: shares.map(|share| share - claimed).collect(),
            expected: Expected::Within(within),
        };
        let cases = Estimate::of(&samples(counted)).map_or(0.0, |cases| cases.mean);
        let mut finding = Finding {
            rule: format!(
                "{view}: {name} is {claimed}, give or take {within}; open where runs count fewer than {least} {counted} on average"
            ),
            rows: vec![Row::fact(
                format!("{counted} in a run"),
                format!("{cases:.1}"),
            )],
            ..Finding::default()
        };
        if cases < least {
            let verdict = Some(comparison.verdict());
            let row = Row::estimate(comparison.what, &comparison.differences);
            finding.rows.push(Row { verdict, ..row });
            finding.verdicts.push(Verdict::Undecidable);
            let measured = format!("{cases:.1} {counted} in a run, too few for a share");
            finding.measured = Some(measured);
        } else {
            finding.comparisons.push(comparison);
        }
        finding
    })
}

/// A number that was printed for a single run: one series at one tick of one panel.
#[derive(Clone, Copy)]
pub(in crate::experiment) struct OneRun {
    pub(in crate::experiment) view: View,
    pub(in crate::experiment) panel: usize,
    pub(in crate::experiment) series: usize,
    pub(in crate::experiment) tick: usize,
    pub(in crate::experiment) claimed: f64,
}

/// One more run would give the printed number: it lies in the 95 % prediction interval of the replications.
pub(in crate::experiment) fn one_run(printed: OneRun) -> Rule {
    let OneRun {
        view,
        panel: place,
        series,
        tick,
        claimed,
    } = printed;
    Rule::new(move |panels| {
        let name = panels.names(view, &[series]);
        let mut finding = Finding {
            rule: format!(
                "{view}: {claimed} lies where 95 % of single runs with {name} do, by Student's t from the replications; outside fails"
            ),
            ..Finding::default()
        };
        let panel = panels.of(view).get(place);
        let samples = panel.map_or(&[][..], |panel| panel.samples(series, tick));
        let Some(found) = Estimate::of(samples) else {
            return finding;
        };
        // The mean itself is uncertain, too.
        let run = found.half * (samples.len() as f64 + 1.0).sqrt();
        let inside = (claimed - found.mean).abs() <= run;
        let known = run.is_finite();
        let mean = format!("mean {:.2} {}", found.mean, interval(found.half));
        finding.measured = Some(format!("{mean}, single runs {}", interval(run)));
        finding.ci95 = found.ci95();
        finding.decide(Row {
            place: panel.map_or_else(String::new, |panel| panel.at(tick)),
            ci95: Some(run).filter(|_| known),
            ..Row::verdict(
                format!("{name} in a single run"),
                format!("{:.4}, printed {claimed}", found.mean),
                Verdict::when(known && inside, known && !inside),
            )
        });
        finding
    })
}

/// All series lie between two values.
pub(in crate::experiment) fn range(view: View, low: f64, high: f64) -> Rule {
    Rule::new(move |panels| {
        let mut finding = Finding {
            rule: format!(
                "{view}: the interval of every mean lies from {low} to {high}; one wholly outside fails"
            ),
            ..Finding::default()
        };
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for panel in panels.of(view) {
            for (series, tick) in panel.values() {
                let Some(found) = Estimate::of(panel.samples(series, tick)) else {
                    continue;
                };
                (least, most) = (least.min(found.mean), most.max(found.mean));
                let inside = found.low() >= low && found.high() <= high;
                let outside = found.high() < low || found.low() > high;
                let (name, mean) = (&panel.names[series], format!("{:.4}", found.mean));
                finding.decide(Row {
                    place: panel.at(tick),
                    ci95: found.ci95(),
                    ..Row::verdict(name, mean, Verdict::when(inside, outside))
                });
            }
        }
        finding.measured = Some(format!("{least:.3} to {most:.3}"));
        finding
    })
}

/// At how many points a series lies above another on average, and of how many.
pub(in crate::experiment) fn points_above(panels: &[Panel], a: usize, b: usize) -> (usize, usize) {
    points(panels).fold((0, 0), |(higher, all), (panel, tick)| {
        let gain = panel.mean(a, tick) - panel.mean(b, tick);
        (higher + usize::from(gain > 0.0), all + 1)
    })
}

/// Of each pair the first lies above the second at more than half of all points, on average over the replications.
pub(in crate::experiment) fn mostly(view: View, pairs: &'static [(usize, usize)]) -> Rule {
    Rule::new(move |panels| {
        let mut finding = Finding::default();
        let mut words = Vec::new();
        let mut measured = Vec::new();
        for &(a, b) in pairs {
            let (higher, all) = points_above(panels.of(view), a, b);
            let [a, b] = [a, b].map(|series| panels.names(view, &[series]));
            finding.decide(Row::verdict(
                format!("points at which {a} is above {b}"),
                format!("{higher} of {all}"),
                Verdict::of(2 * higher > all),
            ));
            words.push(format!("{a} above {b}"));
            measured.push(format!("{a} above {b} at {higher} of {all} points"));
        }
        finding.measured = Some(measured.join(", "));
        let words = words.join(", ");
        finding.rule = format!("{view}: at more than half of all points on average {words}");
        finding
    })
}

/// At least one panel shows a fall of a series from its first point to its last.
pub(in crate::experiment) fn any_falls(view: View, series: usize) -> Rule {
    let fall =
        move |panel: &Panel| Estimate::of(&panel.gain(series, panel.len().checked_sub(1)?, 0));
    Rule::new(move |panels| {
        let all = panels.of(view).iter();
        let falls: Vec<(&Panel, Estimate)> = all
            .filter_map(|panel| Some((panel, fall(panel)?)))
            .collect();
        let sure = falls.iter().any(|(_, fall)| fall.low() > 0.0);
        let none = !falls.is_empty() && falls.iter().all(|(_, fall)| fall.high() < 0.0);
        let text = |(panel, fall): &(&Panel, Estimate)| {
            format!("{} {:+.4} {}", panel.place, fall.mean, interval(fall.half))
        };
        let texts: Vec<String> = falls.iter().map(text).collect();
        let half = falls.iter().map(|(_, fall)| fall.half).fold(0.0, f64::max);
        let from = falls.first().map_or_else(String::new, |(panel, _)| {
            let (axis, first, unit) = (panel.axis, &panel.ticks[0].text, panel.value_unit);
            format!("{axis} {first} to the longest ({unit})")
        });
        let name = panels.names(view, &[series]);
        Finding {
            rule: format!(
                "{view}: {name} falls from the first point to the last in at least one panel, interval included; fails where it rises in all"
            ),
            verdicts: vec![Verdict::when(sure, none)],
            measured: Some(format!("fall from {from}: {}", texts.join(", "))),
            ci95: Some(half).filter(|half| half.is_finite()),
            ..Finding::default()
        }
    })
}
