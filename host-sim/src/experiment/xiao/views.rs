//! The views that rules and figures look at.

use super::{
    measures::{REJECTED, UTILISATION, VIOLATED, VIOLATED_IF_ANY, VIOLATED_OVERLAYS, WAITING},
    points::{K2, OVER, OVER_NAMES, P80, Point, SHARES, THRESHOLDS},
    systems::{ARROS, TRADITIONAL, of},
};
use crate::experiment::{AxisName, Measure, Panel, Panels, Samples, Tick, View};
use crate::statistics::{finite, paired};

// Over the shares, the traditional mode and ARROS with p* = 0.8.
pub(super) const USED: View = "utilisation";
pub(super) const REFUSED: View = "reservations rejected";
pub(super) const WAITED: View = "waiting time of other jobs";
// Of these, the places of the series.
pub(super) const OLD: usize = 0;
pub(super) const NEW: usize = 1;
/// The traditional mode at one share.
pub(super) const USED_AT: [View; 2] = ["utilisation with 5 %", "utilisation with 20 %"];
/// Half of the way from the lowest to the highest utilisation of the traditional mode, and the whole of ARROS.
pub(super) const RANGES: View = "range of the utilisation over the shares";
/// What ARROS gains from each share to the next.
pub(super) const GAINS: View = "gain in utilisation";
/// The first of these.
pub(super) const FIRST_GAIN: View = "gain in utilisation from 5 to 10 %";
/// ARROS by the traditional mode.
pub(super) const RATIO: View = "reservations rejected, by those of the traditional mode";
/// Over v*, a panel for each share and a series for each k_over.
pub(super) const BROKEN: View = "reservations violated";
pub(super) const BROKEN_OVERLAYS: View = "overlays violated";
// Only from some v* on, and only runs with overlays: without any, nothing can be violated.
pub(super) const BROKEN_FROM_80: View = "reservations violated with v* from 0.80 on";
pub(super) const BROKEN_FROM_90: View = "reservations violated with v* from 0.90 on";
/// For k1 and k2, what a step of 0.05 takes away from 0.60 to 0.80, and from there to 0.95.
pub(super) const SLOPES: View = "fall of the violation rate by step of v*";
/// With v* = 0.60, a series for each share.
pub(super) const BROKEN_AT_60: View = "reservations violated with v* = 0.60";
/// The traditional mode.
pub(super) const BROKEN_BEFORE: View = "reservations violated in the traditional mode";

/// The axis of figures 4 and 5.
pub(super) const SHARE: AxisName = ("requests that reserve", "%");

/// The views of some samples.
pub(super) fn panels(samples: &Samples<Point>) -> Panels {
    let used = by_share(samples, &UTILISATION);
    let refused = by_share(samples, &REJECTED);
    let broken = |measure| {
        SHARES
            .map(|share| by_threshold(samples, share, measure))
            .to_vec()
    };
    let last = SHARES.len() - 1;
    let at = |tick: usize| {
        let values = [used.samples(OLD, tick).to_vec()];
        vec![single([used.names[OLD].clone()], values)]
    };
    let steps = (0..last).map(|tick| used.gain(NEW, tick, tick + 1));
    let steps: Vec<Vec<f64>> = steps.collect();
    let names = |tick: usize| format!("from {} to {} %", SHARES[tick], SHARES[tick + 1]);
    let ratio = (0..=last).map(|tick| {
        let pairs = refused
            .samples(NEW, tick)
            .iter()
            .zip(refused.samples(OLD, tick));
        // Nothing by nothing tells nothing.
        let ratios = finite(pairs.map(|(new, old)| new / old).collect());
        (Tick::number(SHARES[tick] as f64), [ratios])
    });
    let from = |first: usize| {
        let panels = broken(&VIOLATED_IF_ANY).into_iter();
        panels
            .map(move |panel| later(&panel, first))
            .collect::<Vec<_>>()
    };
    let traditional = SHARES.map(|share| {
        let at = |over| samples.at(Point { share, over }, TRADITIONAL, &VIOLATED);
        (Tick::number(share as f64), [0, 1, 2].map(at))
    });
    Panels::new([
        (USED_AT[0], at(0)),
        (USED_AT[1], at(last)),
        (RANGES, vec![ranges(&used)]),
        (FIRST_GAIN, vec![single([names(0)], [steps[0].clone()])]),
        (GAINS, vec![single((0..last).map(names), steps)]),
        (
            RATIO,
            vec![Panel::of(SHARE, ["ARROS / traditional"], ratio)],
        ),
        (USED, vec![used]),
        (REFUSED, vec![refused]),
        (WAITED, vec![by_share(samples, &WAITING)]),
        (BROKEN_FROM_80, from(P80)),
        (BROKEN_FROM_90, from(P80 + 2)),
        (SLOPES, broken(&VIOLATED).iter().map(slopes).collect()),
        (BROKEN_AT_60, vec![at_60(samples)]),
        (
            BROKEN_BEFORE,
            vec![Panel::of(SHARE, OVER_NAMES, traditional)],
        ),
        (BROKEN, broken(&VIOLATED)),
        (BROKEN_OVERLAYS, broken(&VIOLATED_OVERLAYS)),
    ])
}

/// One point without an axis.
fn single(names: impl IntoIterator<Item = String>, values: impl Into<Vec<Vec<f64>>>) -> Panel {
    Panel::of(("", ""), names, [(Tick::number(0.0), values)])
}

fn by_share(samples: &Samples<Point>, measure: &Measure) -> Panel {
    let along = SHARES.map(|share| {
        let at = |system| samples.at(Point { share, over: K2 }, system, measure);
        (Tick::number(share as f64), [TRADITIONAL, ARROS].map(at))
    });
    Panel::of(SHARE, ["traditional", "ARROS"], along).within(measure.limits)
}

/// A measure of ARROS at a share over v*.
pub(super) fn by_threshold(samples: &Samples<Point>, share: u64, measure: &Measure) -> Panel {
    let along = THRESHOLDS
        .into_iter()
        .enumerate()
        .map(|(place, threshold)| {
            let at = |over| {
                let all = samples.at(Point { share, over }, of(place), measure);
                finite(all)
            };
            let values: Vec<Vec<f64>> = (0..OVER.len()).map(at).collect();
            (Tick::number(f64::from(threshold) / 100.0), values)
        });
    Panel {
        place: format!("{share} % reserve"),
        limits: measure.limits,
        ..Panel::of(("v*", ""), OVER_NAMES, along)
    }
}

/// The points of a panel from one on.
fn later(panel: &Panel, first: usize) -> Panel {
    let samples = panel
        .samples
        .iter()
        .map(|series| series.iter().skip(first).cloned().collect());
    Panel {
        ticks: panel.ticks.iter().skip(first).cloned().collect(),
        samples: samples.collect(),
        ..panel.clone()
    }
}

fn ranges(used: &Panel) -> Panel {
    let range = |series: usize, by: f64| -> Vec<f64> {
        let runs = 0..used.replications();
        let all = |run: usize| {
            used.all()
                .into_iter()
                .map(move |tick| used.samples(series, tick)[run])
        };
        let width = |run| all(run).fold(f64::MIN, f64::max) - all(run).fold(f64::MAX, f64::min);
        runs.map(|run| width(run) * by).collect()
    };
    let names = ["half of traditional", "ARROS"].map(str::to_owned);
    single(names, [range(OLD, 0.5), range(NEW, 1.0)])
}

fn slopes(panel: &Panel) -> Panel {
    let last = panel.len() - 1;
    let fall = |series: usize, from: usize, to: usize| -> Vec<f64> {
        let gain = paired(panel.samples(series, from), panel.samples(series, to));
        gain.into_iter()
            .map(|gain| gain / (to - from) as f64)
            .collect()
    };
    let of = |series: usize| [fall(series, 0, P80), fall(series, P80, last)];
    let names = OVER_NAMES[..=K2].iter();
    let names =
        names.flat_map(|k| ["up to 0.80", "from 0.80 on"].map(|part| format!("{k} {part}")));
    Panel {
        place: panel.place.clone(),
        ..single(names, [of(0), of(K2)].concat())
    }
}

fn at_60(samples: &Samples<Point>) -> Panel {
    let along = (0..OVER.len()).map(|over| {
        let at = |share| samples.at(Point { share, over }, of(0), &VIOLATED);
        let tick = Tick {
            value: over as f64,
            text: OVER_NAMES[over].to_owned(),
        };
        (tick, SHARES.map(at))
    });
    Panel::of(
        ("k_over", ""),
        SHARES.map(|share| format!("{share} %")),
        along,
    )
}
