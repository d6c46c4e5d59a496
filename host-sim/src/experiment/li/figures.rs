//! Figures 2 to 7 of the paper, and our own: readings, slots and horizons, bindings.

use std::ops::Range;

use super::{
    measures::{ACCEPTANCE, DURATION, LOAD, SIZE, SLOWDOWN, TOO_SHORT, WORK},
    points::{
        Axis, BOUND, DEFAULT, FLEXIBILITIES, LIGHT, LOADS, POLICIES, Point, READINGS, SIZES,
        SLOTTED,
    },
};
use crate::experiment::{Figure, Measure, Ran, Samples, by_system};

/// All figures.
pub(super) fn figures(ran: &[Ran<Point>]) -> Vec<Figure> {
    let main = &ran[0];
    let mut figures = of_the_paper(&main.samples);
    figures.push(jobs(&main.samples));

    let readings = beside("readings", main.name, ran, READINGS);
    let horizons = beside("horizons", "60 s x 2048", ran, SLOTTED);
    let by_slots = "by slots, horizon and ends of rectangles";
    for (draw, by) in [
        (&readings, "by reading of the paper"),
        (&horizons, by_slots),
    ] {
        for (what, measure) in [("Acceptance", &ACCEPTANCE), ("Slowdown", &SLOWDOWN)] {
            let title = format!("{what} at the default point, {by}");
            figures.push(draw(title, measure.name, DEFAULT, measure));
        }
    }
    let title = "Requests too short for the slots of their window".to_owned();
    figures.push(horizons(title, "share of requests", DEFAULT, &TOO_SHORT));

    let bindings = beside("bindings", "early", ran, BOUND);
    for (what, y_label, measure) in [
        ("Acceptance", "accepted by jobs", &ACCEPTANCE),
        ("Accepted work", "accepted by PE-seconds", &WORK),
    ] {
        let title = format!("{what} by binding, default point");
        figures.push(bindings(title, y_label, DEFAULT, measure));
    }
    for (point, place) in [(DEFAULT, "default point"), (LIGHT, "arrival factor 0.5")] {
        for (what, y_label, measure) in [
            ("jobs", "difference of acceptance", &ACCEPTANCE),
            ("work", "difference of accepted work", &WORK),
        ] {
            let title = format!("Gain of late binding over early by {what}, {place}");
            let figure = bindings(title, y_label, point, measure);
            let panel = figure.panel.less(&[1, 2], 0);
            figures.push(Figure { panel, ..figure });
        }
    }
    figures
}

/// Draws policies side by side at a point, with a title and what the y axis shows: the main runs under a name, and others beside them.
fn beside(
    id: &'static str,
    main: &'static str,
    ran: &[Ran<Point>],
    others: Range<usize>,
) -> impl Fn(String, &'static str, Point, &Measure) -> Figure {
    let others = ran[others].iter();
    let others = others.map(|ran| (ran.name, &ran.samples));
    let sets = [(main, &ran[0].samples)].into_iter().chain(others);
    let sets: Vec<(&str, &Samples<Point>)> = sets.collect();
    move |title, y_label, point, measure| {
        let panel = by_system("policy", &POLICIES, &sets, point, measure);
        Figure::new(id, title, y_label, panel)
    }
}

fn of_the_paper(samples: &Samples<Point>) -> Vec<Figure> {
    let axes = [SIZES, LOADS, FLEXIBILITIES].into_iter();
    let shown = axes.flat_map(|axis| [(axis, &ACCEPTANCE), (axis, &SLOWDOWN)]);
    let figure = |(number, (axis, measure)): (usize, (Axis, &Measure))| {
        let title = format!("Figure {number}: {} by {}", measure.name, axis.name);
        let panel = samples.panel((axis.name, ""), &axis.points(), measure);
        Figure::new(format!("fig{number}"), title, measure.name, panel)
    };
    (2..).zip(shown).map(figure).collect()
}

/// What the workload is like: mean size and duration as shares of their largest values, and the load.
fn jobs(samples: &Samples<Point>) -> Figure {
    let series = [
        ("offered load", &LOAD, 1.0),
        ("mean size by 1024 PEs", &SIZE, 1024.0),
        ("mean duration by 10,800 s", &DURATION, 10_800.0),
    ];
    let names = series.map(|(name, measure, _)| (name, 0, measure));
    let mut panel = samples.panel_of((SIZES.name, ""), &SIZES.points(), &names);
    for (samples, (.., largest)) in panel.samples.iter_mut().zip(series) {
        for sample in samples.iter_mut().flatten() {
            *sample /= largest;
        }
    }
    Figure::new("jobs", "Jobs and load by UMed", "share", panel)
}
