//! The views that rules and figures look at.

use super::{
    measures::{PHI, REJECTED, UTILISATION, UTILISATION_TO_END},
    points::{FIXED_AFTER, INTERVALS, LOADS, MEDIUM_LOAD, Point, SUGGESTED},
    systems::{EDF, FIFO, FIXED, SUGGESTING},
};
use crate::experiment::{Measure, Panel, Panels, Samples, Tick, View};
use crate::statistics::finite;

// FIFO with fixed intervals at one load each, and over all of them.
pub(super) const FIFO_AT: [View; 3] = [
    "utilisation with FIFO",
    "utilisation with FIFO, load +25 %",
    "utilisation with FIFO, load +50 %",
];
pub(super) const FIFO_BY_LOAD: View = "utilisation with FIFO by load";
pub(super) const FIFO_TO_END: View = "utilisation with FIFO until the last end";
/// All systems over the flexible intervals, a panel for each load.
pub(super) const ORDERS: View = "utilisation by sorting criterion";
/// EDF over all intervals, a panel for each load.
pub(super) const EDF_USED: View = "utilisation with EDF";
/// What intervals gain over fixed ones, with exact and with overestimated times.
pub(super) const GAINS: View = "gain over fixed intervals";
/// The utilisation with fixed intervals over the loads, the same series.
pub(super) const LEVELS: View = "utilisation with EDF and fixed intervals";
pub(super) const EXACT: usize = 0;
pub(super) const OVERESTIMATED: usize = 1;
// Over the share of the wait after which starts become fixed, a panel for each interval.
pub(super) const FIXED_MEDIUM: View = "utilisation by the time of fixing, load +25 %";
pub(super) const FIXED_OTHERS: View = "utilisation by the time of fixing, other loads";
/// Over the greatest phi, a panel for each load.
pub(super) const SUGGESTIONS: View = "utilisation with suggestions";
pub(super) const WITHOUT: usize = 0;
pub(super) const SUGGESTION: usize = 1;
pub(super) const FLEXIBLE: usize = 2;
pub(super) const ACTUAL_PHI: View = "actual phi by greatest phi";
// Over the loads, a series for each interval.
pub(super) const USED_BY_INTERVAL: View = "utilisation by interval";
pub(super) const REJECTED_BY_INTERVAL: View = "requests rejected by interval";

/// The views of some samples.
pub(super) fn panels(samples: &Samples<Point>) -> Panels {
    let each = |panel: &dyn Fn(u64) -> Panel| LOADS.map(|load| at_load(load, panel(load))).to_vec();
    let fifo = |measure| by_load(samples, &[(FIFO, 0)], measure, false);
    let level = |overestimated| by_load(samples, &[(EDF, 0)], &UTILISATION, overestimated);
    let levels = Panel {
        samples: [level(false).samples, level(true).samples].concat(),
        names: vec!["exact".to_owned(), "overestimated".to_owned()],
        ..level(false)
    };
    let fixed = LOADS.map(|load| fixed_panels(samples, load));
    let others = (0..LOADS.len()).filter(|place| *place != MEDIUM_LOAD);
    let mut views = vec![
        (FIFO_BY_LOAD, vec![fifo(&UTILISATION)]),
        (FIFO_TO_END, vec![fifo(&UTILISATION_TO_END)]),
        (
            ORDERS,
            each(&|load| over_intervals(samples, load, false, &INTERVALS[1..])),
        ),
        (
            EDF_USED,
            each(&|load| over_intervals(samples, load, false, &INTERVALS).only(&[EDF])),
        ),
        (GAINS, each(&|load| gains(samples, load))),
        (LEVELS, vec![levels]),
        (FIXED_MEDIUM, fixed[MEDIUM_LOAD].clone()),
        (
            FIXED_OTHERS,
            others.flat_map(|place| fixed[place].clone()).collect(),
        ),
        (SUGGESTIONS, each(&|load| suggestions(samples, load))),
        (ACTUAL_PHI, each(&|load| phis(samples, load))),
        (
            USED_BY_INTERVAL,
            vec![by_interval(samples, &UTILISATION, false)],
        ),
        (
            REJECTED_BY_INTERVAL,
            vec![by_interval(samples, &REJECTED, false)],
        ),
    ];
    for (view, load) in FIFO_AT.into_iter().zip(LOADS) {
        let at = samples.at(point(load, 0, false), FIFO, &UTILISATION);
        views.push((view, vec![series("", &[""], vec![("FIFO", vec![at])])]));
    }
    Panels::new(views)
}

/// EDF over the loads, a series for each interval.
pub(super) fn by_interval(
    samples: &Samples<Point>,
    measure: &Measure,
    overestimated: bool,
) -> Panel {
    let intervals = INTERVALS.map(|(interval, _)| (EDF, interval));
    let panel = by_load(samples, &intervals, measure, overestimated);
    Panel {
        names: INTERVALS.map(|(_, name)| name.to_owned()).to_vec(),
        ..panel
    }
}

const fn point(load: u64, interval: u64, overestimated: bool) -> Point {
    Point {
        load,
        interval,
        overestimated,
    }
}

fn at_load(load: u64, panel: Panel) -> Panel {
    let place = [format!("load {load} %"), panel.place];
    let place = place.into_iter().filter(|part| !part.is_empty());
    Panel {
        place: place.collect::<Vec<_>>().join(", "),
        ..panel
    }
}

/// A panel of these series over labels.
fn series(axis: &'static str, ticks: &[&str], series: Vec<(&str, Vec<Vec<f64>>)>) -> Panel {
    Panel {
        axis,
        ticks: Tick::labels(ticks.iter().map(|text| (*text).to_owned())),
        names: series.iter().map(|(name, _)| (*name).to_owned()).collect(),
        samples: series.into_iter().map(|(_, samples)| samples).collect(),
        ..Panel::default()
    }
}

/// Systems with intervals, over the loads.
fn by_load(
    samples: &Samples<Point>,
    shown: &[(usize, u64)],
    measure: &Measure,
    overestimated: bool,
) -> Panel {
    let along = |&(system, interval): &(usize, u64)| {
        let at = |load| {
            let at = point(load, interval, overestimated);
            samples.at(at, system, measure)
        };
        ("FIFO", LOADS.map(at).to_vec())
    };
    let panel = series("load", &[], shown.iter().map(along).collect());
    Panel {
        unit: "%",
        ticks: LOADS.map(|load| Tick::number(load as f64)).to_vec(),
        limits: measure.limits,
        ..panel
    }
}

/// All systems over some intervals.
fn over_intervals(
    samples: &Samples<Point>,
    load: u64,
    overestimated: bool,
    intervals: &[(u64, &str)],
) -> Panel {
    let tick = |&(interval, name): &(u64, &str)| {
        let tick = Tick {
            value: interval as f64,
            text: name.to_owned(),
        };
        (tick, point(load, interval, overestimated))
    };
    let along: Vec<_> = intervals.iter().map(tick).collect();
    samples.panel(("interval", ""), &along, &UTILISATION)
}

fn gains(samples: &Samples<Point>, load: u64) -> Panel {
    let gain = |overestimated| {
        let panel = over_intervals(samples, load, overestimated, &INTERVALS).only(&[EDF]);
        (1..panel.len())
            .map(|tick| panel.gain(0, 0, tick))
            .collect()
    };
    let names = INTERVALS[1..].iter().map(|(_, name)| *name);
    series(
        "interval",
        &names.collect::<Vec<_>>(),
        vec![("exact", gain(false)), ("overestimated", gain(true))],
    )
}

/// EDF with starts that become fixed at acceptance and later, a panel for each interval.
fn fixed_panels(samples: &Samples<Point>, load: u64) -> Vec<Panel> {
    let one = |&(interval, name): &(u64, &str)| {
        let at = |system| {
            let at = point(load, interval, false);
            samples.at(at, system, &UTILISATION)
        };
        let panel = series("fixed after", &[], vec![("EDF", FIXED.map(at).to_vec())]);
        let panel = Panel {
            place: format!("{name} intervals"),
            unit: "% of the wait",
            ticks: FIXED_AFTER.map(|share| Tick::number(share.into())).to_vec(),
            limits: UTILISATION.limits,
            ..panel
        };
        at_load(load, panel)
    };
    INTERVALS[1..].iter().map(one).collect()
}

fn suggestions(samples: &Samples<Point>, load: u64) -> Panel {
    let at = |interval, system| {
        let at = point(load, interval, false);
        samples.at(at, system, &UTILISATION)
    };
    let without = SUGGESTED.map(|_| at(0, EDF)).to_vec();
    let flexible = SUGGESTED.map(|interval| at(interval.into(), EDF)).to_vec();
    let shown = vec![
        ("fixed intervals", without),
        (
            "suggestion",
            SUGGESTING.map(|system| at(0, system)).to_vec(),
        ),
        ("flexible intervals", flexible),
    ];
    over_phi(series("", &[], shown)).within(UTILISATION.limits)
}

fn phis(samples: &Samples<Point>, load: u64) -> Panel {
    // Where nobody takes a suggestion, there is no phi.
    let at = |system| finite(samples.at(point(load, 0, false), system, &PHI));
    let shown = vec![("actual / greatest phi", SUGGESTING.map(at).to_vec())];
    over_phi(series("", &[], shown)).within(PHI.limits)
}

fn over_phi(panel: Panel) -> Panel {
    Panel {
        axis: "greatest phi",
        unit: "%",
        ticks: SUGGESTED.map(|most| Tick::number(most.into())).to_vec(),
        ..panel
    }
}
