//! The views that rules and figures look at.

use super::{
    measures::{JOBS, UTILISATION},
    points::{Point, RATES, SHARES},
    systems::{EDS, LRH, WITHOUT},
};
use crate::experiment::{Measure, Panel, Panels, Samples, Tick, View};

// Over the shares, a panel for each rate.
/// All systems.
pub(super) const USED: View = "utilisation";
/// FCFS-LRH less the baseline.
pub(super) const GAINED: View = "gain in utilisation";
/// FCFS-EDS and FCFS-LRH with cancellations.
pub(super) const CANCELLED: View = "utilisation with cancellations";
/// One less the other.
pub(super) const CANCELLED_GAIN: View = "gain in utilisation with cancellations";
pub(super) const OF_EDS: usize = 0;
pub(super) const OF_LRH: usize = 1;
// FCFS-LRH at one rate, a series for each share.
pub(super) const BY_SHARE: [View; RATES.len()] = [
    "utilisation with FCFS-LRH by share, mu = 3",
    "utilisation with FCFS-LRH by share, mu = 4",
];
/// FCFS-LRH over the shares, a series for each rate.
pub(super) const BY_RATE: View = "utilisation with FCFS-LRH by rate";
/// Over the shares, a series for each rate.
pub(super) const SUBMITTED: View = "jobs submitted";
// Means over the shares, over the rates.
/// The baseline and FCFS-LRH.
pub(super) const MEANS: View = "mean utilisation over all shares";
/// FCFS-LRH less FCFS-EDS with cancellations.
pub(super) const MEAN_CANCELLED_GAIN: View = "mean gain over all shares with cancellations";

/// The views of some samples.
pub(super) fn panels(samples: &Samples<Point>) -> Panels {
    let each = |panel: &dyn Fn(u64) -> Panel| RATES.map(panel).to_vec();
    let used = |rate| systems(samples, rate, &UTILISATION, false);
    let cancelled = |rate| systems(samples, rate, &UTILISATION, true).only(&[EDS, LRH]);
    let gained = |rate| used(rate).less(&[LRH], WITHOUT);
    let cancelled_gain = |rate| cancelled(rate).less(&[OF_LRH], OF_EDS);
    let means = |panel: &dyn Fn(u64) -> Panel, series: &[usize]| {
        let at = |rate: u64| {
            let panel = panel(rate);
            let mean = |&series: &usize| panel.mean_over(series, &panel.all());
            (Tick::number(rate as f64), series.iter().map(mean).collect())
        };
        let names = series.iter().map(|at| panel(RATES[0]).names[*at].clone());
        let names: Vec<String> = names.collect();
        let along: Vec<(Tick, Vec<Vec<f64>>)> = RATES.map(at).to_vec();
        vec![Panel::of(("mu", ""), names, along)]
    };
    let mut views = vec![
        (USED, each(&used)),
        (GAINED, each(&gained)),
        (CANCELLED, each(&cancelled)),
        (CANCELLED_GAIN, each(&cancelled_gain)),
        (BY_RATE, vec![by_rate(samples, LRH, &UTILISATION)]),
        (SUBMITTED, vec![by_rate(samples, LRH, &JOBS)]),
        (MEANS, means(&used, &[WITHOUT, LRH])),
        (MEAN_CANCELLED_GAIN, means(&cancelled_gain, &[0])),
    ];
    for (view, rate) in BY_SHARE.into_iter().zip(RATES) {
        views.push((view, vec![by_share(&used(rate))]));
    }
    Panels::new(views)
}

/// All systems over the shares.
pub(super) fn systems(
    samples: &Samples<Point>,
    rate: u64,
    measure: &Measure,
    cancelling: bool,
) -> Panel {
    let along = SHARES.map(|share| (Tick::number(share as f64), point(rate, share, cancelling)));
    Panel {
        place: format!("mu = {rate}"),
        ..samples.panel(SHARE, &along, measure)
    }
}

/// The axis of most figures.
pub(super) const SHARE: (&str, &str) = ("flexible users", "%");

/// Where nothing is cancelled or something is.
pub(super) const fn point(rate: u64, share: u64, cancelling: bool) -> Point {
    Point {
        rate,
        share,
        cancelling,
    }
}

/// A measure of a system over the shares, a series for each rate.
fn by_rate(samples: &Samples<Point>, system: usize, measure: &Measure) -> Panel {
    let along = SHARES.map(|share| {
        let at = |rate| samples.at(point(rate, share, false), system, measure);
        (Tick::number(share as f64), RATES.map(at))
    });
    Panel::of(SHARE, RATES.map(|rate| format!("mu = {rate}")), along)
}

/// FCFS-LRH, the shares side by side.
fn by_share(panel: &Panel) -> Panel {
    let values: Vec<_> = (0..panel.len())
        .map(|tick| panel.samples(LRH, tick).to_vec())
        .collect();
    let names = panel.ticks.iter().map(|tick| format!("{} %", tick.text));
    Panel::of(("", ""), names, [(Tick::number(0.0), values)])
}
