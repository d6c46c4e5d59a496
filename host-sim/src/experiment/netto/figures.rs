//! Figures 2 to 7 of the paper, and our own: rejections, moves, other readings.

use super::{
    measures::{MOVES, REJECTED, UTILISATION},
    points::{INTERVALS, LOADS, MEDIUM_LOAD, Point},
    systems::{SHUFFLE, SORTED},
    views::{Views, by_interval, fixed_panels},
};
use crate::experiment::{Curves, Figure, Panel, Ran};

/// All figures.
pub(super) fn figures(ran: &[Ran<Point>]) -> Vec<Figure> {
    let (samples, views) = (&ran[0].samples, &Views::of(&ran[0].samples));
    let percent = "utilisation (%)";
    let gains = views.orders.panels.iter().map(|panel| {
        let Panel { names, .. } = panel.clone().only(&SORTED);
        let less = panel.less(&SORTED, SHUFFLE);
        Panel { names, ..less }.known()
    });
    let title = "Figure 2: utilisation beside a random order";
    let mut figures = Figure::each("fig2", title, "points of utilisation more", gains);
    let titles = [
        (
            "fig3",
            "Figure 3: interval size and utilisation, EDF",
            false,
        ),
        (
            "fig4",
            "Figure 4: the same with overestimated execution times",
            true,
        ),
    ];
    for (id, title, overestimated) in titles {
        let panel = by_interval(samples, &UTILISATION, overestimated);
        figures.push(Figure::new(id, title, percent, panel));
    }
    let fixed = |id, title: &str, load: u64| {
        let title = format!("{title} start fixed after a share of the wait, load {load} %");
        let intervals = INTERVALS[1..].iter().map(|(_, name)| *name);
        let panel = together(intervals, &fixed_panels(samples, load));
        Figure::new(id, title, percent, panel)
    };
    let medium = LOADS[MEDIUM_LOAD];
    figures.push(fixed("fig5", "Figure 5: a", medium));
    let others = LOADS.into_iter().filter(|load| *load != medium);
    figures.extend(others.map(|load| fixed("fig5-others", "A", load)));
    let known = |curves: &Curves| curves.panels.clone().into_iter().map(Panel::known);
    let suggested = known(&views.suggestions);
    figures.extend(Figure::each(
        "fig6",
        "Figure 6: suggestions",
        percent,
        suggested,
    ));
    let (y, phis) = ("mean actual phi / greatest phi", known(&views.actual_phi));
    figures.extend(Figure::each("fig7", "Figure 7: actual phi", y, phis));
    for (id, title, measure) in [
        ("rejected", "Requests rejected, EDF", &REJECTED),
        ("moves", "Moves for a request accepted, EDF", &MOVES),
    ] {
        let panel = by_interval(samples, measure, false);
        figures.push(Figure::new(id, title, measure.name, panel));
    }
    figures.push(readings(ran));
    figures
}

/// The only series of each of some panels, side by side under names.
fn together<'a>(names: impl IntoIterator<Item = &'a str>, panels: &[Panel]) -> Panel {
    let first = panels.first().cloned().unwrap_or_default();
    Panel {
        names: names.into_iter().map(str::to_owned).collect(),
        samples: panels.iter().map(|one| one.samples[0].clone()).collect(),
        ..first.bare()
    }
}

/// EDF at the load of the log, by reading.
fn readings(ran: &[Ran<Point>]) -> Figure {
    let panels = ran
        .iter()
        .map(|ran| Views::of(&ran.samples).edf_used.first().clone());
    let panels: Vec<Panel> = panels.collect();
    let names = ran.iter().map(|ran| ran.name);
    let panel = together(names, &panels);
    let title = format!("Utilisation with EDF by reading, load {} %", LOADS[0]);
    Figure::new("readings", title, UTILISATION.name, panel)
}
