//! Figures 2 to 7 of the paper, and our own: readings, slots and horizons, bindings.

use bookahead::Policy;

use super::{
    measures::{
        ACCEPTANCE, ACCEPTANCE_BY_FLEXIBILITY, ACCEPTANCE_BY_LOAD, ACCEPTANCE_BY_SIZE, DURATION,
        LOAD, SIZE, SLOWDOWN, SLOWDOWN_BY_FLEXIBILITY, SLOWDOWN_BY_LOAD, SLOWDOWN_BY_SIZE,
        TOO_SHORT, WORK,
    },
    points::{Axis, BOUND, DEFAULT, LIGHT, POLICIES, Point, READINGS, SLOTTED},
};
use crate::experiment::{
    Ran,
    figures::Figure,
    panel::{Panel, Panels, View},
    run::{Measure, Samples, by_system},
    statistics::paired,
};

/// All figures.
pub(super) fn figures(ran: &[Ran<Point>]) -> Vec<Figure> {
    let main = &ran[0];
    let mut figures = of_the_paper(&main.evidence.panels);
    figures.push(jobs(&main.samples));
    figures.extend(readings(ran));
    figures.extend(slots(ran));
    figures.extend(bindings(ran));
    figures
}

fn of_the_paper(panels: &Panels) -> Vec<Figure> {
    let table: [(&'static str, View, Axis); 6] = [
        ("fig2", ACCEPTANCE_BY_SIZE, Axis::Sizes),
        ("fig3", SLOWDOWN_BY_SIZE, Axis::Sizes),
        ("fig4", ACCEPTANCE_BY_LOAD, Axis::Load),
        ("fig5", SLOWDOWN_BY_LOAD, Axis::Load),
        ("fig6", ACCEPTANCE_BY_FLEXIBILITY, Axis::Flexibility),
        ("fig7", SLOWDOWN_BY_FLEXIBILITY, Axis::Flexibility),
    ];
    let mut figures = Vec::new();
    for (number, (id, view, axis)) in table.into_iter().enumerate() {
        let y_label = [ACCEPTANCE, SLOWDOWN][number % 2].name;
        let title = format!("Figure {}: {y_label} by {}", number + 2, axis.name());
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
    let mut panel = samples.panel_of((Axis::Sizes.name(), ""), &Axis::Sizes.points(), &names);
    for (samples, (.., largest)) in panel.samples.iter_mut().zip(series) {
        samples
            .iter_mut()
            .flatten()
            .for_each(|sample| *sample /= largest);
    }
    Figure::new("jobs", "Jobs and load by UMed", "share", panel)
}

/// Policies side by side at one point, one series for each of some runs.
fn by_policy(variants: &[Variant<'_>], point: Point, measure: &Measure) -> Panel {
    by_system("policy", &POLICIES, variants, point, measure)
}

/// Runs with a name.
type Variant<'a> = (&'a str, &'a Samples<Point>);

/// The main runs under a name, and others beside them.
fn beside<'a>(
    name: &'a str,
    ran: &'a [Ran<Point>],
    others: std::ops::Range<usize>,
) -> Vec<Variant<'a>> {
    let others = ran[others].iter();
    let others = others.map(|ran| (ran.evidence.name, &ran.samples));
    std::iter::once((name, &ran[0].samples))
        .chain(others)
        .collect()
}

fn readings(ran: &[Ran<Point>]) -> [Figure; 2] {
    let variants = beside(ran[0].evidence.name, ran, READINGS.start + 1..READINGS.end);
    let figure = |what: &str, measure: &Measure| {
        let title = format!("{what} at the default point, by reading of the paper");
        Figure::new(
            "readings",
            title,
            measure.name,
            by_policy(&variants, DEFAULT, measure),
        )
    };
    [
        figure("Acceptance", &ACCEPTANCE),
        figure("Slowdown", &SLOWDOWN),
    ]
}

fn slots(ran: &[Ran<Point>]) -> [Figure; 3] {
    let variants = beside("60 s x 2048", ran, SLOTTED);
    let figure = |title: &str, y_label, measure| {
        Figure::new(
            "horizons",
            title,
            y_label,
            by_policy(&variants, DEFAULT, measure),
        )
    };
    let by = "at the default point, by slots, horizon and ends of rectangles";
    [
        figure(&format!("Acceptance {by}"), ACCEPTANCE.name, &ACCEPTANCE),
        figure(&format!("Slowdown {by}"), SLOWDOWN.name, &SLOWDOWN),
        figure(
            "Requests too short for the slots of their window",
            "share of requests",
            &TOO_SHORT,
        ),
    ]
}

fn bindings(ran: &[Ran<Point>]) -> Vec<Figure> {
    let variants = beside("early", ran, BOUND);
    let figure = |title: &str, y_label, panel| Figure::new("bindings", title, y_label, panel);
    let by = |point, measure| by_policy(&variants, point, measure);
    let mut figures = vec![
        figure(
            "Acceptance by binding, default point",
            "accepted by jobs",
            by(DEFAULT, &ACCEPTANCE),
        ),
        figure(
            "Accepted work by binding, default point",
            "accepted by PE-seconds",
            by(DEFAULT, &WORK),
        ),
    ];
    for (point, place) in [(DEFAULT, "default point"), (LIGHT, "arrival factor 0.5")] {
        for (measure, what, y_label) in [
            (&ACCEPTANCE, "jobs", "difference of acceptance"),
            (&WORK, "work", "difference of accepted work"),
        ] {
            let title = format!("Gain of late binding over early by {what}, {place}");
            figures.push(figure(&title, y_label, less_the_first(by(point, measure))));
        }
    }
    figures
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
