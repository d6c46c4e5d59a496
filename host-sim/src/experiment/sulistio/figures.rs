//! Figures 4 to 9 of the paper, and our own: who is accepted by size, what a second query adds, other readings.

use super::{
    curves::{BY_THE_LETTER, TAKEN, TAKEN_WITH_SECOND, WITH_SECOND, over_limits, reductions_over},
    measures::{
        ACCEPTED_OF, CHANGES, REJECTIONS, REVENUE, UTILISATION, UTILISATION_TO_END, WAIT, WIDTHS,
    },
    points::{BOOK_AHEAD, BUSY_NODES, HOUR, Point, SLOT},
    systems::{
        FF_BF, NAMES, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY,
    },
};
use crate::experiment::{Figure, Measure, Panel, Ran, Samples, Tick, by_system};
use crate::statistics::{Limits, finite};

/// Busy nodes slot by slot under a strategy.
pub(super) type Busy = (usize, Vec<u32>);

/// All figures; `busy` is one run of each strategy of figure 5.
pub(super) fn figures(ran: &[Ran<Point>], busy: &[Busy]) -> Vec<Figure> {
    let samples = &ran[0].samples;
    // Strategies over the search limit times, a figure for each book-ahead time.
    let over = |id, title: &str, y_label, measure, shown: &[usize]| {
        let one = |(ahead, panel): (u64, Panel)| {
            let panel = over_search_limit(panel.only(shown));
            Figure::new(id, format!("{title}, bt = {ahead} h"), y_label, panel)
        };
        let panels = BOOK_AHEAD.into_iter().zip(over_limits(samples, measure));
        panels.map(one).collect::<Vec<_>>()
    };
    let all = &OF_THE_PAPER;
    let title = "Figure 4: average utilisation";
    let mut figures = over("fig4", title, UTILISATION.name, &UTILISATION, all);
    figures.extend(busy.iter().map(busy_nodes));
    let title = "Figure 6: rejections";
    figures.extend(over("fig6", title, REJECTIONS.name, &REJECTIONS, all));
    figures.extend(reductions(samples));
    let title = format!("Figure 8: {}", REVENUE.name);
    figures.extend(over("fig8", &title, "dollars", &REVENUE, all));
    let title = format!("Figure 9: {}", WAIT.name);
    figures.extend(over("fig9", &title, "hours", &WAIT, all));
    // FCFS is so far away that the others lie upon each other.
    let title = "Figure 9 without FCFS";
    figures.extend(over("fig9", title, "hours", &WAIT, &BACKFILLED));
    figures.push(by_width(samples));
    figures.push(fluctuation(samples));
    figures.extend(readings(ran));
    figures
}

/// Among those of the paper, those whose queue is backfilled.
const BACKFILLED: [usize; 3] = [FF_BF, RIGID_BF, OSP_BF];

/// The same panel over the search limit times, without what all its points share.
fn over_search_limit(panel: Panel) -> Panel {
    Panel {
        place: String::new(),
        axis: "search limit time slt",
        ..panel
    }
}

fn busy_nodes((strategy, busy): &Busy) -> Figure {
    let slots_a_day = (24 * HOUR / SLOT) as f64;
    let point = |(slot, count): (usize, &u32)| {
        let day = (slot as f64 / slots_a_day * 1e4).round_ties_even() / 1e4;
        let tick = Tick {
            value: day,
            text: format!("{day:.4}"),
        };
        (tick, [vec![f64::from(*count)]])
    };
    let name = NAMES[*strategy];
    let panel = Panel::of(("day", ""), [name], busy.iter().enumerate().map(point));
    let title = format!("Figure 5: busy CNs, {name}, {}", BUSY_NODES.name());
    let panel = panel.within(Limits::AMOUNT);
    Figure::new("fig5", title, "busy CNs in each slot, one run", panel)
}

/// Figure 7, read in four ways: between runs and within a run, by the letter and with a second query.
fn reductions(samples: &Samples<Point>) -> [Figure; 4] {
    let panels = reductions_over(samples);
    let draw = |id, title: &str, series: usize, limits: Limits| {
        let shares = |samples: &[f64]| finite(samples.iter().map(|share| 100.0 * share).collect());
        let along = |panel: &Panel| {
            (0..panel.len())
                .map(|tick| shares(panel.samples(series, tick)))
                .collect()
        };
        let panel = Panel {
            names: BOOK_AHEAD.map(|ahead| format!("bt = {ahead} h")).to_vec(),
            samples: panels.iter().map(along).collect(),
            limits,
            ..over_search_limit(panels[0].clone())
        };
        Figure::new(id, title, "%", panel)
    };
    let taken = "Alternatives taken by those without a solution";
    let second = format!("{taken}, with a second query");
    let fewer = "Figure 7: fewer rejections by alternatives";
    let fall = Limits::FALL_IN_PERCENT;
    [
        draw("fig7", fewer, BY_THE_LETTER, fall),
        draw(
            "second-query",
            "Figure 7 with a second query",
            WITH_SECOND,
            fall,
        ),
        draw("within", taken, TAKEN, Limits::PERCENT),
        draw("within", &second, TAKEN_WITH_SECOND, Limits::PERCENT),
    ]
}

fn by_width(samples: &Samples<Point>) -> Figure {
    let class = |class: usize| match class.checked_sub(1) {
        Some(below) => format!("{}-{}", WIDTHS[below] + 1, WIDTHS[class]),
        None => "1 CN".to_owned(),
    };
    let shown = [FF_BF, RIGID_FCFS, OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY];
    let shares =
        |measure: &Measure| shown.map(|strategy| finite(samples.at(BUSY_NODES, strategy, measure)));
    let ticks = Tick::labels((0..WIDTHS.len()).map(class));
    let panel = Panel::of(
        ("CNs asked for", ""),
        shown.map(|strategy| NAMES[strategy]),
        ticks.into_iter().zip(ACCEPTED_OF.iter().map(shares)),
    );
    let title = format!("Reservations accepted by size, {}", BUSY_NODES.name());
    Figure::new(
        "widths",
        title,
        "share accepted",
        panel.within(Limits::SHARE),
    )
}

/// How much the number of busy nodes moves, beside figure 5.
fn fluctuation(samples: &Samples<Point>) -> Figure {
    let tick = (Tick::labels([BUSY_NODES.name()]).remove(0), BUSY_NODES);
    let panel = samples
        .panel(("at", ""), &[tick], &CHANGES)
        .only(&OF_THE_PAPER);
    Figure::new(
        "changes",
        "Slot edges at which the number of busy CNs changes",
        CHANGES.name,
        panel,
    )
}

/// The paper's strategies where figure 5 looks, by reading.
fn readings(ran: &[Ran<Point>]) -> [Figure; 3] {
    let sets: Vec<_> = ran.iter().map(|ran| (ran.name, &ran.samples)).collect();
    let one = |title: &str, measure: &Measure| {
        let panel = by_system("strategy", &OF_THE_PAPER, &sets, BUSY_NODES, measure);
        let title = format!("{title} at {}, by reading", BUSY_NODES.name());
        Figure::new("readings", title, measure.name, panel)
    };
    let to_end = "Utilisation to the end of the last job";
    [
        one("Utilisation", &UTILISATION),
        one("Rejections", &REJECTIONS),
        one(to_end, &UTILISATION_TO_END),
    ]
}
