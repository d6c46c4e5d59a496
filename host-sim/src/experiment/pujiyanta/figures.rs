//! Figures 9 to 21 of the paper, and our own: all systems, what shifting misses, the fit, other readings.

use super::{
    Pujiyanta,
    fit::{Candidate, candidates, chosen},
    loss::{ShiftedIn, Tally, WAYS},
    measures::{ACCEPTED, UTILISATION, sliding},
    points::{Point, Printed, RATES, SHARES, TABLE_4, WINDOW, point},
    systems::{BASELINES, EDS, FIRST_FIT, LRH, NAMES, RIGID, WITHOUT, assumptions},
    views::{SHARE, Views, systems},
};
use crate::experiment::{Figure, Panel, Ran, Tick};
use crate::{
    error::Result,
    statistics::{Limits, finite},
};

/// Every so many slots of figures 9 to 16 are drawn.
const EVERY: usize = 3;

const PERCENT: &str = "utilisation (%)";

/// All figures.
pub(super) fn figures(paper: &Pujiyanta, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
    let views = &Views::of(&ran[0].samples);
    let mut figures = Vec::new();
    for (number, (rate, share)) in (9..).zip(cases()) {
        figures.push(over_time(paper, number, point(rate, share, false))?);
    }
    for (place, (panel, rows)) in views.used.panels.iter().zip(&TABLE_4).enumerate() {
        let (rate, number) = (RATES[place], 17 + place);
        let panel = panel.clone().only(&[WITHOUT, LRH]);
        let panel = with_printed(&panel, rows, &[|row| row.without, |row| row.shifting]);
        let title = format!("Figure {number} and table IV: utilisation, mu = {rate}");
        figures.push(Figure::new(format!("fig{number}"), title, PERCENT, panel));
    }
    for (place, (panel, rows)) in views.gained.panels.iter().zip(&TABLE_4).enumerate() {
        let panel = with_printed(panel, rows, &[|row| row.shifting - row.without]);
        let title = format!("Figure 19: gain in utilisation, mu = {}", RATES[place]);
        figures.push(Figure::new("fig19", title, "points", panel));
    }
    for (place, panel) in views.cancelled.panels.iter().enumerate() {
        let number = 20 + place;
        let title = format!(
            "Figure {number}: 2 % of the jobs cancelled, mu = {}",
            RATES[place]
        );
        let panel = panel.clone().bare();
        figures.push(Figure::new(format!("fig{number}"), title, PERCENT, panel));
    }
    let all = views.used.panels.clone();
    figures.extend(Figure::each(
        "systems",
        "Utilisation with all systems",
        PERCENT,
        all,
    ));
    let accepted = RATES.map(|rate| {
        let all = systems(&ran[0].samples, rate, &ACCEPTED, false);
        all.only(&[RIGID, FIRST_FIT, EDS, LRH])
    });
    figures.extend(Figure::each(
        "accepted",
        "Requests accepted",
        ACCEPTED.name,
        accepted,
    ));
    figures.extend(losses(paper)?);
    figures.push(fit(paper)?);
    figures.extend(RATES.map(|rate| readings(ran, rate)));
    Ok(figures)
}

/// The eight cases of table IV.
fn cases() -> impl Iterator<Item = (u64, u64)> {
    let cases = RATES.map(|rate| SHARES.map(|share| (rate, share)));
    cases.into_iter().flatten()
}

/// A case in the first replication, by the end of the window.
fn over_time(paper: &Pujiyanta, number: usize, at: Point) -> Result<Figure> {
    let main = &assumptions(paper)[0];
    let mut samples = Vec::new();
    for system in [WITHOUT, LRH] {
        let windows = sliding(&main.one(at, 0, system)?.outcomes, 0);
        let drawn = windows.into_iter().step_by(EVERY);
        samples.push(drawn.map(|used| vec![used]).collect::<Vec<_>>());
    }
    let slots = (WINDOW..).step_by(EVERY).take(samples[0].len());
    let panel = Panel {
        axis: "slot",
        ticks: slots.map(|slot| Tick::number(slot as f64)).collect(),
        names: [WITHOUT, LRH]
            .map(|system| NAMES[system].to_owned())
            .to_vec(),
        samples,
        limits: UTILISATION.limits,
        ..Panel::default()
    };
    let Point { rate, share, .. } = at;
    let title = format!("Figure {number}: one run, mu = {rate}, {share} % flexible");
    let y = "utilisation of twelve slots (%)";
    Ok(Figure::new(format!("fig{number}"), title, y, panel))
}

/// What the paper prints beside the series of a panel.
fn with_printed(panel: &Panel, rows: &[Printed], columns: &[fn(&Printed) -> f64]) -> Panel {
    let mut panel = panel.clone().bare();
    let names: Vec<String> = panel.names.clone();
    for (name, column) in names.iter().zip(columns) {
        panel.names.push(format!("printed for {name}"));
        panel
            .samples
            .push(rows.iter().map(|row| vec![column(row)]).collect());
    }
    panel
}

/// What each way to shift finds of the room that there is, and at what price.
fn losses(paper: &Pujiyanta) -> Result<Vec<Figure>> {
    let looks = paper.looks()?;
    let draw = |rate: u64, title: &str, (y, limits), value: fn(&ShiftedIn) -> Vec<f64>| {
        let looks = looks.iter().filter(|look| look.point.rate == rate);
        let along = looks.map(|look| {
            let values: Vec<Vec<f64>> = look.found.iter().map(value).collect();
            let of = |series: usize| finite(values.iter().map(|values| values[series]).collect());
            let series = 0..values.first().map_or(0, Vec::len);
            (
                Tick::number(look.point.share as f64),
                series.map(of).collect::<Vec<_>>(),
            )
        });
        let along: Vec<_> = along.collect();
        let names = WAYS.iter().map(|(name, _)| *name).chain(["any of these"]);
        let count = along.first().map_or(0, |(_, values)| values.len());
        let panel = Panel::of(SHARE, names.take(count), along);
        let title = format!("{title}, mu = {rate}");
        Figure::new("loss", title, y, panel.within(limits))
    };
    let of_full = (
        "% of the requests without room as things are",
        Limits::PERCENT,
    );
    let shifted_in = ("for a request shifted in", Limits::AMOUNT);
    let one = |rate| {
        [
            draw(rate, "Room found by shifting", of_full, |found| {
                let ways = found.ways.iter().map(|way| way.found);
                ways.chain([found.some])
                    .map(|part| found.percent(part))
                    .collect()
            }),
            draw(
                rate,
                "Left open by the limit on moves or work",
                of_full,
                |found| {
                    found
                        .ways
                        .iter()
                        .map(|way| found.percent(way.open))
                        .collect()
                },
            ),
            draw(rate, "Reservations moved", shifted_in, |found| {
                let mean = |way: &Tally| way.moves as f64 / way.found as f64;
                found.ways.iter().map(mean).collect()
            }),
            draw(rate, "Slots shifted in total", shifted_in, |found| {
                let mean = |way: &Tally| way.shift as f64 / way.found as f64;
                found.ways.iter().map(mean).collect()
            }),
        ]
    };
    Ok(RATES.into_iter().flat_map(one).collect())
}

/// The least error of each baseline by width.
fn fit(paper: &Pujiyanta) -> Result<Figure> {
    let candidates = candidates(paper.widest.clone())?;
    let least = |baseline: usize, widest: u64| {
        let alike = candidates
            .iter()
            .filter(|candidate| candidate.baseline == baseline && candidate.jobs.widest == widest);
        let errors = alike.map(|candidate| candidate.error);
        finite(vec![errors.fold(f64::INFINITY, f64::min)])
    };
    let along = paper.widest.clone().map(|widest| {
        let values = BASELINES.map(|baseline| least(baseline, widest));
        (Tick::number(widest as f64), values)
    });
    let panel = Panel::of(
        ("widest job", "nodes"),
        BASELINES.map(|at| NAMES[at]),
        along,
    );
    let taken = chosen(&candidates).map(|Candidate { baseline, jobs, .. }| {
        let (name, longest, widest) = (NAMES[baseline], jobs.longest, jobs.widest);
        format!(": {name}, 1 to {longest} slots, 1 to {widest} nodes")
    });
    let title = format!("The fit{}", taken.unwrap_or_default());
    let y = "least root mean square (points)";
    Ok(Figure::new("fit", title, y, panel.within(Limits::AMOUNT)))
}

/// FCFS-LRH by reading.
fn readings(ran: &[Ran<Point>], rate: u64) -> Figure {
    let along = SHARES.map(|share| {
        let at = |ran: &Ran<Point>| {
            let at = point(rate, share, false);
            ran.samples.at(at, LRH, &UTILISATION)
        };
        (
            Tick::number(share as f64),
            ran.iter().map(at).collect::<Vec<_>>(),
        )
    });
    let panel = Panel::of(SHARE, ran.iter().map(|ran| ran.name), along);
    let title = format!("Utilisation with FCFS-LRH by reading, mu = {rate}");
    let panel = panel.within(UTILISATION.limits);
    Figure::new("readings", title, PERCENT, panel)
}
