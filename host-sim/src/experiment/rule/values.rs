//! Where the values of series lie, each by itself or at most points.

use crate::experiment::{
    comparison::{Comparison, Expected, Finding, Row, Verdict, interval},
    panel::{Panel, Panels, View},
    statistics::{Estimate, mean_of, paired},
};

pub(super) fn flat(panels: &[Panel], series: usize, within: f64) -> Vec<Comparison> {
    let means = panels
        .iter()
        .map(|panel| panel.mean_over(series, &panel.all()));
    let level = mean_of(&means.collect::<Vec<_>>());
    let points = panels
        .iter()
        .flat_map(|panel| (0..panel.len()).map(move |tick| (panel, tick)));
    let compare = |(panel, tick): (&Panel, usize)| Comparison {
        what: panel.names[series].clone(),
        place: format!("{} less its mean", panel.at(tick)),
        differences: paired(panel.samples(series, tick), &level),
        expected: Expected::Within(within),
    };
    points.map(compare).collect()
}

pub(super) fn number(
    panels: &Panels,
    [view, counted]: [&View; 2],
    series: usize,
    (claimed, within): (f64, f64),
    least: f64,
) -> Finding {
    let samples = |view: &View| {
        let panel = panels.of(view).first();
        panel.map_or(Vec::new(), |panel| panel.samples(series, 0).to_vec())
    };
    let finite: Vec<f64> = samples(view)
        .into_iter()
        .filter(|sample| sample.is_finite())
        .collect();
    let comparison = Comparison {
        what: format!("{} less the paper's", panels.names(view, &[series])),
        place: String::new(),
        differences: finite.iter().map(|sample| sample - claimed).collect(),
        expected: Expected::Within(within),
    };
    let cases = Estimate::of(&samples(counted)).map_or(0.0, |cases| cases.mean);
    let seen = comparison.verdict();
    let mut finding = Finding::default();
    finding.rows.push(Row::fact(
        format!("{counted} in a run"),
        format!("{cases:.1}"),
    ));
    if cases < least {
        let mut row = Row::estimate(comparison.what, &comparison.differences);
        row.verdict = Some(seen);
        finding.rows.push(row);
        finding.verdicts.push(Verdict::Undecidable);
        finding.measured = Some(format!(
            "{cases:.1} {counted} in a run, too few for a share"
        ));
    } else {
        finding.comparisons.push(comparison);
    }
    finding
}

pub(super) fn range(panels: &[Panel], low: f64, high: f64) -> Finding {
    let mut finding = Finding::default();
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let points = panels.iter().flat_map(|panel| {
        let series = 0..panel.names.len();
        series.flat_map(move |series| (0..panel.len()).map(move |tick| (panel, series, tick)))
    });
    for (panel, series, tick) in points {
        let Some(found) = Estimate::of(panel.samples(series, tick)) else {
            continue;
        };
        (least, most) = (least.min(found.mean), most.max(found.mean));
        let inside = found.low() >= low && found.high() <= high;
        let outside = found.high() < low || found.low() > high;
        let verdict = match (inside, outside) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::Fails,
            _ => Verdict::Undecidable,
        };
        finding.verdicts.push(verdict);
        finding.rows.push(Row {
            what: panel.names[series].clone(),
            place: panel.at(tick),
            value: format!("{:.4}", found.mean),
            ci95: Some(found.half).filter(|half| half.is_finite()),
            verdict: Some(verdict),
        });
    }
    finding.measured = Some(format!("{least:.3} to {most:.3}"));
    finding
}

/// At how many points a series lies above another on average, and of how many.
pub(in crate::experiment) fn points_above(panels: &[Panel], a: usize, b: usize) -> (usize, usize) {
    let points = panels
        .iter()
        .flat_map(|panel| (0..panel.len()).map(move |tick| (panel, tick)));
    points.fold((0, 0), |(higher, all), (panel, tick)| {
        let gain = panel.mean(a, tick) - panel.mean(b, tick);
        (higher + usize::from(gain > 0.0), all + 1)
    })
}

pub(super) fn mostly(panels: &[Panel], pairs: &[(usize, usize)]) -> Finding {
    let mut finding = Finding::default();
    for &(a, b) in pairs {
        let (higher, all) = points_above(panels, a, b);
        let verdict = Verdict::of(2 * higher > all);
        finding.verdicts.push(verdict);
        let name = |series: usize| panels.first().map_or("", |panel| &panel.names[series]);
        let what = format!("points at which {} is above {}", name(a), name(b));
        let mut row = Row::fact(what, format!("{higher} of {all}"));
        row.verdict = Some(verdict);
        finding.rows.push(row);
    }
    finding
}

pub(super) fn any_falls(panels: &[Panel], series: usize) -> Finding {
    let last = |panel: &Panel| panel.len().saturating_sub(1);
    let falls: Vec<(&Panel, Estimate)> = panels
        .iter()
        .filter_map(|panel| Some((panel, Estimate::of(&panel.gain(series, last(panel), 0))?)))
        .collect();
    let verdict = if falls.iter().any(|(_, fall)| fall.low() > 0.0) {
        Verdict::Holds
    } else if !falls.is_empty() && falls.iter().all(|(_, fall)| fall.high() < 0.0) {
        Verdict::Fails
    } else {
        Verdict::Undecidable
    };
    let text = |(panel, fall): &(&Panel, Estimate)| {
        format!("{} {:+.4} {}", panel.place, fall.mean, interval(fall.half))
    };
    let texts: Vec<String> = falls.iter().map(text).collect();
    let half = falls.iter().map(|(_, fall)| fall.half).fold(0.0, f64::max);
    let from = falls.first().map_or_else(String::new, |(panel, _)| {
        let first = panel.ticks.first().map_or("", |tick| &tick.text);
        format!(
            "{} {first} to the longest ({})",
            panel.axis, panel.value_unit
        )
    });
    Finding {
        verdicts: vec![verdict],
        measured: Some(format!("fall from {from}: {}", texts.join(", "))),
        ci95: Some(half).filter(|half| half.is_finite()),
        ..Finding::default()
    }
}
