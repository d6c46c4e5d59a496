//! What rules and figures look at.

use super::{
    measures::{PHI, REJECTED, UTILISATION, UTILISATION_TO_END},
    points::{FIXED_AFTER, INTERVALS, LOADS, MEDIUM_LOAD, Point, SUGGESTED, point},
    systems::{EDF, FIFO, FIXED, SUGGESTING},
};
use crate::experiment::{Curves, Measure, Panel, Samples, Tick};

pub(super) const EXACT: usize = 0;
pub(super) const OVERESTIMATED: usize = 1;
pub(super) const WITHOUT: usize = 0;
pub(super) const SUGGESTION: usize = 1;
pub(super) const FLEXIBLE: usize = 2;

/// What rules and figures look at.
pub(super) struct Views {
    // FIFO with fixed intervals at one load each, and over all of them.
    pub(super) fifo_at: [Curves; 3],
    pub(super) fifo_by_load: Curves,
    pub(super) fifo_to_end: Curves,
    /// All systems over the flexible intervals, a panel for each load.
    pub(super) orders: Curves,
    /// EDF over all intervals, a panel for each load.
    pub(super) edf_used: Curves,
    /// What intervals gain over fixed ones, with exact and with overestimated times.
    pub(super) gains: Curves,
    /// The utilisation with fixed intervals over the loads, the same series.
    pub(super) levels: Panel,
    // Over the share of the wait after which starts become fixed, a panel for each interval.
    pub(super) fixed_medium: Curves,
    pub(super) fixed_others: Curves,
    /// Over the greatest phi, a panel for each load.
    pub(super) suggestions: Curves,
    pub(super) actual_phi: Curves,
    // Over the loads, a series for each interval.
    pub(super) used_by_interval: Curves,
    pub(super) rejected_by_interval: Curves,
}

impl Views {
    pub(super) fn of(samples: &Samples<Point>) -> Self {
        let each = |name, panel: &dyn Fn(u64) -> Panel| {
            Curves::new(name, LOADS.map(|load| at_load(load, panel(load))))
        };
        let fifo_at = |load, name| {
            let used = samples.at(point(load, 0, false), FIFO, &UTILISATION);
            Curves::one(name, Panel::single(["FIFO"], [used]))
        };
        let fifo = |measure| by_load(samples, &["FIFO"], false, measure, |_| (FIFO, 0));
        let level =
            |overestimated| by_load(samples, &["EDF"], overestimated, &UTILISATION, |_| (EDF, 0));
        let used = |load, intervals| over_intervals(samples, load, false, intervals);
        let others = (0..LOADS.len()).filter(|place| *place != MEDIUM_LOAD);
        let others = others.flat_map(|place| fixed_panels(samples, LOADS[place]));
        Self {
            fifo_at: [
                fifo_at(LOADS[0], "utilisation with FIFO"),
                fifo_at(LOADS[1], "utilisation with FIFO, load +25 %"),
                fifo_at(LOADS[2], "utilisation with FIFO, load +50 %"),
            ],
            fifo_by_load: Curves::one("utilisation with FIFO by load", fifo(&UTILISATION)),
            fifo_to_end: Curves::one(
                "utilisation with FIFO until the last end",
                fifo(&UTILISATION_TO_END),
            ),
            orders: each("utilisation by sorting criterion", &|load| {
                used(load, &INTERVALS[1..])
            }),
            edf_used: each("utilisation with EDF", &|load| {
                used(load, &INTERVALS).only(&[EDF])
            }),
            gains: each("gain over fixed intervals", &|load| gains(samples, load)),
            levels: Panel {
                samples: [level(false).samples, level(true).samples].concat(),
                names: vec!["exact".to_owned(), "overestimated".to_owned()],
                ..level(false)
            },
            fixed_medium: Curves::new(
                "utilisation by the time of fixing, load +25 %",
                fixed_panels(samples, LOADS[MEDIUM_LOAD]),
            ),
            fixed_others: Curves::new("utilisation by the time of fixing, other loads", others),
            suggestions: each("utilisation with suggestions", &|load| {
                suggestions(samples, load)
            }),
            actual_phi: each("actual phi by greatest phi", &|load| phis(samples, load)),
            used_by_interval: Curves::one(
                "utilisation by interval",
                by_interval(samples, &UTILISATION, false),
            ),
            rejected_by_interval: Curves::one(
                "requests rejected by interval",
                by_interval(samples, &REJECTED, false),
            ),
        }
    }
}

/// EDF over the loads, a series for each interval.
pub(super) fn by_interval(
    samples: &Samples<Point>,
    measure: &Measure,
    overestimated: bool,
) -> Panel {
    let names = INTERVALS.map(|(_, name)| name);
    by_load(samples, &names, overestimated, measure, |series| {
        (EDF, INTERVALS[series].0)
    })
}

fn at_load(load: u64, panel: Panel) -> Panel {
    let place = [format!("load {load} %"), panel.place.clone()];
    let place = place.into_iter().filter(|part| !part.is_empty());
    panel.placed(place.collect::<Vec<_>>().join(", "))
}

/// Systems with intervals, over the loads.
fn by_load(
    samples: &Samples<Point>,
    names: &[&str],
    overestimated: bool,
    measure: &Measure,
    of: impl Fn(usize) -> (usize, u64),
) -> Panel {
    let at = |tick: usize, series| {
        let (system, interval) = of(series);
        (point(LOADS[tick], interval, overestimated), system)
    };
    let ticks = Tick::numbers(LOADS.map(|load| load as f64));
    samples.table(("load", "%"), ticks, names, measure, at)
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
    Panel {
        axis: "interval",
        ticks: Tick::labels(INTERVALS[1..].iter().map(|(_, name)| *name)),
        names: ["exact", "overestimated"].map(str::to_owned).into(),
        samples: vec![gain(false), gain(true)],
        ..Panel::default()
    }
}

/// EDF with starts that become fixed at acceptance and later, a panel for each interval.
pub(super) fn fixed_panels(samples: &Samples<Point>, load: u64) -> Vec<Panel> {
    let one = |&(interval, name): &(u64, &str)| {
        let ticks = Tick::numbers(FIXED_AFTER.map(f64::from));
        let axis = ("fixed after", "% of the wait");
        let at = |tick: usize, _| (point(load, interval, false), FIXED[tick]);
        let panel = samples.table(axis, ticks, &["EDF"], &UTILISATION, at);
        at_load(load, panel.placed(format!("{name} intervals")))
    };
    INTERVALS[1..].iter().map(one).collect()
}

fn suggestions(samples: &Samples<Point>, load: u64) -> Panel {
    let names = ["fixed intervals", "suggestion", "flexible intervals"];
    over_phi(samples, &names, &UTILISATION, |tick, series| match series {
        WITHOUT => (point(load, 0, false), EDF),
        SUGGESTION => (point(load, 0, false), SUGGESTING[tick]),
        _ => (point(load, SUGGESTED[tick].into(), false), EDF),
    })
}

fn phis(samples: &Samples<Point>, load: u64) -> Panel {
    let at = |tick: usize, _| (point(load, 0, false), SUGGESTING[tick]);
    // Where nobody takes a suggestion, there is no phi.
    over_phi(samples, &["actual / greatest phi"], &PHI, at).known()
}

fn over_phi(
    samples: &Samples<Point>,
    names: &[&str],
    measure: &Measure,
    at: impl Fn(usize, usize) -> (Point, usize),
) -> Panel {
    let ticks = Tick::numbers(SUGGESTED.map(f64::from));
    samples.table(("greatest phi", "%"), ticks, names, measure, at)
}
