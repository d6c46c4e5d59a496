//! What rules and figures look at.

use super::{
    measures::{PHI, REJECTED, UTILISATION, UTILISATION_TO_END},
    points::{FIXED_AFTER, INTERVALS, LOADS, MEDIUM_LOAD, Point, SUGGESTED},
    systems::{EDF, FIFO, FIXED, SUGGESTING},
};
use crate::experiment::{Curves, Measure, Panel, Samples, Tick};
use crate::statistics::finite;

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
            Curves::one(name, series("", &[""], vec![("FIFO", vec![used])]))
        };
        let fifo = |measure| by_load(samples, &[(FIFO, 0)], measure, false);
        let level = |overestimated| by_load(samples, &[(EDF, 0)], &UTILISATION, overestimated);
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
