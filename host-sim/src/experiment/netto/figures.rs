//! Figures 2 to 7 of the paper, and our own: rejections, moves, other readings.

use super::{
    measures::{MOVES, REJECTED, UTILISATION},
    points::{INTERVALS, LOADS, MEDIUM_LOAD, Point},
    systems::{SHUFFLE, SORTED},
    views::{Views, by_interval},
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
    let fixed = |id, title: &str, load: u64, panels: &[Panel]| {
        let title = format!("{title}, load {load} %");
        let intervals = INTERVALS[1..].iter().map(|(_, name)| *name);
        let panel = together(intervals, &panels.iter().collect::<Vec<_>>());
        Figure::new(id, title, percent, panel)
    };
    let title = "Figure 5: a start fixed after a share of the wait";
    figures.push(fixed(
        "fig5",
        title,
        LOADS[MEDIUM_LOAD],
        &views.fixed_medium.panels,
    ));
    let others = views.fixed_others.panels.chunks(INTERVALS.len() - 1);
    let loads = LOADS
        .into_iter()
        .enumerate()
        .filter(|(place, _)| *place != MEDIUM_LOAD);
    for (panels, (_, load)) in others.zip(loads) {
        figures.push(fixed(
            "fig5-others",
            "A start fixed after a share of the wait",
            load,
            panels,
        ));
    }
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
fn together<'a>(names: impl IntoIterator<Item = &'a str>, panels: &[&Panel]) -> Panel {
    let first = panels.first().copied().cloned().unwrap_or_default();
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
    let panel = together(names, &panels.iter().collect::<Vec<_>>());
    let title = format!("Utilisation with EDF by reading, load {} %", LOADS[0]);
    Figure::new("readings", title, UTILISATION.name, panel)
}
