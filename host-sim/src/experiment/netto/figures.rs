//! Figures 2 to 7 of the paper, and our own: rejections, moves, other readings.

use super::{
    measures::{MOVES, REJECTED, UTILISATION},
    points::{INTERVALS, LOADS, MEDIUM_LOAD, Point},
    systems::{SHUFFLE, SORTED},
    views::{
        ACTUAL_PHI, EDF_USED, FIXED_MEDIUM, FIXED_OTHERS, ORDERS, SUGGESTIONS, by_interval, less,
    },
};
use crate::experiment::{Figure, Panel, Panels, Ran, View};
use crate::statistics::finite;

/// All figures.
pub(super) fn figures(ran: &[Ran<Point>]) -> Vec<Figure> {
    let (samples, panels) = (&ran[0].samples, &ran[0].evidence.panels);
    let percent = "utilisation (%)";
    let mut figures = Vec::new();
    for (load, panel) in LOADS.into_iter().zip(panels.of(ORDERS)) {
        let title = format!("Figure 2: utilisation beside a random order, load {load} %");
        let panel = known(less(panel, &SORTED, SHUFFLE));
        figures.push(Figure::new(
            "fig2",
            title,
            "points of utilisation more",
            panel,
        ));
    }
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
    let fixed = |id, view: View, load: u64, panels: &[Panel]| {
        let title = format!("{view}, load {load} %");
        Figure::new(id, title, percent, together(panels))
    };
    let title = "Figure 5: a start fixed after a share of the wait";
    figures.push(fixed(
        "fig5",
        title,
        LOADS[MEDIUM_LOAD],
        panels.of(FIXED_MEDIUM),
    ));
    let others = panels.of(FIXED_OTHERS).chunks(INTERVALS.len() - 1);
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
    figures.extend(by_load(
        panels,
        "fig6",
        "Figure 6: suggestions",
        SUGGESTIONS,
        percent,
    ));
    let y = "mean actual phi / greatest phi";
    figures.extend(by_load(
        panels,
        "fig7",
        "Figure 7: actual phi",
        ACTUAL_PHI,
        y,
    ));
    for (id, title, measure) in [
        ("rejected", "Requests rejected, EDF", &REJECTED),
        ("moves", "Moves for a request accepted, EDF", &MOVES),
    ] {
        let panel = by_interval(samples, measure, false);
        figures.push(Figure::new(id, title, measure.name, panel));
    }
    figures.extend(readings(ran));
    figures
}

/// Without the samples that have no value.
fn known(panel: Panel) -> Panel {
    let known = |series: Vec<Vec<f64>>| series.into_iter().map(finite).collect();
    let samples = panel.samples.into_iter().map(known).collect();
    Panel { samples, ..panel }.bare()
}

/// A figure for each load.
fn by_load(
    panels: &Panels,
    id: &'static str,
    title: &str,
    view: View,
    y: &'static str,
) -> Vec<Figure> {
    let one = |(load, panel): (u64, &Panel)| {
        let title = format!("{title}, load {load} %");
        Figure::new(id, title, y, known(panel.clone()))
    };
    LOADS.into_iter().zip(panels.of(view)).map(one).collect()
}

/// The only series of each panel, one for each interval.
fn together(panels: &[Panel]) -> Panel {
    Panel {
        place: String::new(),
        names: INTERVALS[1..]
            .iter()
            .map(|(_, name)| (*name).to_owned())
            .collect(),
        samples: panels
            .iter()
            .map(|panel| panel.samples[0].clone())
            .collect(),
        ..panels.first().cloned().unwrap_or_default()
    }
}

/// EDF at the load of the log, by reading.
fn readings(ran: &[Ran<Point>]) -> Option<Figure> {
    let panel = |ran: &Ran<Point>| {
        let panel = ran.evidence.panels.of(EDF_USED).first()?;
        Some((ran.evidence.name, panel.clone()))
    };
    let panels: Vec<_> = ran.iter().filter_map(panel).collect();
    let (_, first) = panels.first()?.clone();
    let panel = Panel {
        names: panels.iter().map(|(name, _)| (*name).to_owned()).collect(),
        samples: panels
            .iter()
            .map(|(_, panel)| panel.samples[0].clone())
            .collect(),
        ..known(first)
    };
    let title = format!("Utilisation with EDF by reading, load {} %", LOADS[0]);
    Some(Figure::new("readings", title, UTILISATION.name, panel))
}
