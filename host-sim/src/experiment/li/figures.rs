//! Figures 2 to 7 of the paper, and our own: readings, slots and horizons, bindings.

use std::ops::Range;

use bookahead::Policy;

use super::{
    measures::{
        ACCEPTANCE, ACCEPTANCE_BY_FLEXIBILITY, ACCEPTANCE_BY_LOAD, ACCEPTANCE_BY_SIZE, DURATION,
        LOAD, SIZE, SLOWDOWN, SLOWDOWN_BY_FLEXIBILITY, SLOWDOWN_BY_LOAD, SLOWDOWN_BY_SIZE,
        TOO_SHORT, WORK,
    },
    points::{
        Axis, BOUND, DEFAULT, FLEXIBILITIES, LIGHT, LOADS, POLICIES, Point, READINGS, SIZES,
        SLOTTED,
    },
};
use crate::experiment::{Figure, Measure, Panel, Panels, Ran, Samples, View, by_system};
use crate::statistics::paired;

/// All figures.
pub(super) fn figures(ran: &[Ran<Point>]) -> Vec<Figure> {
    let main = &ran[0];
    let mut figures = of_the_paper(&main.evidence.panels);
    figures.push(jobs(&main.samples));
    let both = [("Acceptance", &ACCEPTANCE), ("Slowdown", &SLOWDOWN)];

    let readings = beside("readings", main.evidence.name, ran, READINGS);
    let horizons = beside("horizons", "60 s x 2048", ran, SLOTTED);
    for (what, measure) in both {
        let title = format!("{what} at the default point, by reading of the paper");
        figures.push(readings(title, measure.name, DEFAULT, measure));
    }
    for (what, measure) in both {
        let by = "by slots, horizon and ends of rectangles";
        let title = format!("{what} at the default point, {by}");
        figures.push(horizons(title, measure.name, DEFAULT, measure));
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
            let panel = less_the_first(figure.panel);
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
    let others = others.map(|ran| (ran.evidence.name, &ran.samples));
    let sets = [(main, &ran[0].samples)].into_iter().chain(others);
    let sets: Vec<(&str, &Samples<Point>)> = sets.collect();
    move |title, y_label, point, measure| {
        let panel = by_system("policy", &POLICIES, &sets, point, measure);
        Figure::new(id, title, y_label, panel)
    }
}

fn of_the_paper(panels: &Panels) -> Vec<Figure> {
    let table: [(&'static str, View, Axis); 6] = [
        ("fig2", ACCEPTANCE_BY_SIZE, SIZES),
        ("fig3", SLOWDOWN_BY_SIZE, SIZES),
        ("fig4", ACCEPTANCE_BY_LOAD, LOADS),
        ("fig5", SLOWDOWN_BY_LOAD, LOADS),
        ("fig6", ACCEPTANCE_BY_FLEXIBILITY, FLEXIBILITIES),
        ("fig7", SLOWDOWN_BY_FLEXIBILITY, FLEXIBILITIES),
    ];
    let mut figures = Vec::new();
    for (number, (id, view, axis)) in table.into_iter().enumerate() {
        let y_label = [ACCEPTANCE, SLOWDOWN][number % 2].name;
        let title = format!("Figure {}: {y_label} by {}", number + 2, axis.name);
        figures.extend(panels.of(view).iter().map(|panel| {
            let names = Policy::ALL.map(|policy| policy.name().to_owned()).to_vec();
            let panel = Panel {
                names,
                ..panel.clone()
            };
            Figure::new(id, title.clone(), y_label, panel)
        }));
    }
    figures
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
        samples
            .iter_mut()
            .flatten()
            .for_each(|sample| *sample /= largest);
    }
    Figure::new("jobs", "Jobs and load by UMed", "share", panel)
}

/// Every series less the first, in pairs.
fn less_the_first(mut panel: Panel) -> Panel {
    let (first, name) = (panel.samples.remove(0), panel.names.remove(0));
    for other in &mut panel.names {
        other.push_str(&format!(" - {name}"));
    }
    for series in &mut panel.samples {
        for (samples, first) in series.iter_mut().zip(&first) {
            *samples = paired(samples, first);
        }
    }
    panel
}
