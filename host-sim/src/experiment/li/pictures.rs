//! Figures 2 to 7 of the paper, and our own: readings, slots and horizons, bindings.

use bookahead::Policy;

use super::{
    points::{self, Axis, DEFAULT, LIGHT, Point},
    runs::{Cell, NAMES, Sheet, TrafficSeries},
};
use crate::experiment::{curves::Curves, figures::Figure, statistics::paired};

type Measure = fn(&Cell) -> f64;

const ACCEPTANCE: Measure = |cell| cell.acceptance;
const SLOWDOWN: Measure = |cell| cell.slowdown;

/// What the figures show.
pub(super) struct Sources<'a> {
    /// The main reading on the main machine.
    pub(super) main: &'a Sheet,
    /// Other readings.
    pub(super) readings: &'a [(&'static str, Sheet)],
    /// Other slots and horizons.
    pub(super) slotted: &'a [(&'static str, Sheet)],
    /// Other bindings.
    pub(super) bound: &'a [(&'static str, Sheet)],
}

/// All figures.
pub(super) fn figures(sources: &Sources) -> Vec<Figure> {
    let mut figures = of_the_paper(sources.main);
    figures.push(jobs(sources.main));
    figures.extend(readings(sources));
    figures.extend(slots(sources));
    figures.extend(bindings(sources));
    figures
}

fn of_the_paper(sheet: &Sheet) -> Vec<Figure> {
    let table: [(&'static str, Axis, Measure); 6] = [
        ("fig2", Axis::Sizes, ACCEPTANCE),
        ("fig3", Axis::Sizes, SLOWDOWN),
        ("fig4", Axis::Load, ACCEPTANCE),
        ("fig5", Axis::Load, SLOWDOWN),
        ("fig6", Axis::Flexibility, ACCEPTANCE),
        ("fig7", Axis::Flexibility, SLOWDOWN),
    ];
    let figure = |(number, (id, axis, measure)): (usize, (&'static str, Axis, Measure))| {
        let y_label = ["acceptance rate", "average slowdown"][number % 2];
        Figure {
            id,
            title: format!("Figure {}: {y_label} by {}", number + 2, axis.name()),
            y_label,
            series: policies(),
            curves: sheet.curves(axis, measure),
        }
    };
    table.into_iter().enumerate().map(figure).collect()
}

fn policies() -> Vec<String> {
    Policy::ALL.map(|policy| policy.name().to_owned()).to_vec()
}

/// What the workload is like: mean size and duration as shares of their largest values, and the load.
fn jobs(sheet: &Sheet) -> Figure {
    let series: [TrafficSeries; 3] = [
        ("offered load", |traffic| traffic.load),
        ("mean size by 1024 PEs", |traffic| traffic.size / 1024.0),
        ("mean duration by 10,800 s", |traffic| {
            traffic.duration / 10_800.0
        }),
    ];
    Figure {
        id: "jobs",
        title: "Jobs and load by UMed".to_owned(),
        y_label: "share",
        series: series.map(|(name, _)| name.to_owned()).to_vec(),
        curves: sheet.traffic(Axis::Sizes, &series),
    }
}

/// Policies side by side, one series per variant of something, at one point.
fn by_policy(variants: &[(&str, &Sheet)], point: Point, measure: Measure) -> Curves {
    Curves {
        axis: "policy".to_owned(),
        ticks: NAMES.map(str::to_owned).to_vec(),
        names: variants
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        samples: variants
            .iter()
            .map(|(_, sheet)| sheet.at(point, measure))
            .collect(),
    }
}

fn figure(id: &'static str, title: &str, y_label: &'static str, curves: Curves) -> Figure {
    Figure {
        id,
        title: title.to_owned(),
        y_label,
        series: curves.names.clone(),
        curves,
    }
}

fn with_main<'a>(
    name: &'a str,
    main: &'a Sheet,
    others: &'a [(&'static str, Sheet)],
) -> Vec<(&'a str, &'a Sheet)> {
    let others = others.iter().map(|(name, sheet)| (*name, sheet));
    std::iter::once((name, main)).chain(others).collect()
}

fn readings(sources: &Sources) -> [Figure; 2] {
    let variants = with_main(points::MAIN.name, sources.main, sources.readings);
    let curves = |measure| by_policy(&variants, DEFAULT, measure);
    [
        figure(
            "readings",
            "Acceptance at the default point, by reading of the paper",
            "acceptance rate",
            curves(ACCEPTANCE),
        ),
        figure(
            "readings",
            "Slowdown at the default point, by reading of the paper",
            "average slowdown",
            curves(SLOWDOWN),
        ),
    ]
}

fn slots(sources: &Sources) -> [Figure; 3] {
    let variants = with_main("60 s x 2048", sources.main, sources.slotted);
    let curves = |measure| by_policy(&variants, DEFAULT, measure);
    let too_short = |cell: &Cell| cell.too_short;
    [
        figure(
            "horizons",
            "Acceptance at the default point, by slots, horizon and ends of rectangles",
            "acceptance rate",
            curves(ACCEPTANCE),
        ),
        figure(
            "horizons",
            "Slowdown at the default point, by slots, horizon and ends of rectangles",
            "average slowdown",
            curves(SLOWDOWN),
        ),
        figure(
            "horizons",
            "Requests too short for the slots of their window",
            "share of requests",
            curves(too_short),
        ),
    ]
}

fn bindings(sources: &Sources) -> Vec<Figure> {
    let variants = with_main("early", sources.main, sources.bound);
    let curves = |point, measure| by_policy(&variants, point, measure);
    let less_early = |point, measure| difference(&curves(point, measure));
    let work = |cell: &Cell| cell.work;
    vec![
        figure(
            "bindings",
            "Acceptance by binding, default point",
            "accepted by jobs",
            curves(DEFAULT, ACCEPTANCE),
        ),
        figure(
            "bindings",
            "Accepted work by binding, default point",
            "accepted by PE-seconds",
            curves(DEFAULT, work),
        ),
        figure(
            "bindings",
            "Gain of late binding over early by jobs, default point",
            "difference of acceptance",
            less_early(DEFAULT, ACCEPTANCE),
        ),
        figure(
            "bindings",
            "Gain of late binding over early by work, default point",
            "difference of accepted work",
            less_early(DEFAULT, work),
        ),
        figure(
            "bindings",
            "Gain of late binding over early by jobs, arrival factor 0.5",
            "difference of acceptance",
            less_early(LIGHT, ACCEPTANCE),
        ),
        figure(
            "bindings",
            "Gain of late binding over early by work, arrival factor 0.5",
            "difference of accepted work",
            less_early(LIGHT, work),
        ),
    ]
}

/// Every series less the first, in pairs.
fn difference(curves: &Curves) -> Curves {
    let mut left = curves.clone();
    let (first, names) = (curves.samples[0].clone(), curves.names[0].clone());
    left.samples.remove(0);
    left.names.remove(0);
    for name in &mut left.names {
        name.push_str(&format!(" - {names}"));
    }
    for series in &mut left.samples {
        for (samples, early) in series.iter_mut().zip(&first) {
            *samples = paired(samples, early);
        }
    }
    left
}
