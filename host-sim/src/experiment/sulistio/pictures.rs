//! Figures 4 to 9 of the paper, and our own: who is accepted by size, what a second query adds, other readings.

use super::{
    claims::rejections::{alternatives_taken, reduction},
    measures::WIDTHS,
    points::{BOOK_AHEAD, BUSY_NODES, Point},
    runs::{Measure, Sheet},
    strategies::{
        FF_BF, NAMES, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY,
    },
};
use crate::experiment::{curves::Curves, figures::Figure, statistics::finite};

/// Busy nodes slot by slot under a strategy.
pub(super) type Busy = (usize, Vec<u32>);
/// Whose are shown, in the paper's order.
pub(super) const BUSY: [usize; 3] = [FF_BF, OSP_BF, RIGID_FCFS];

/// What the figures show.
pub(super) struct Sources<'a> {
    /// The main reading.
    pub(super) main: &'a Sheet,
    /// All readings by name, the main one first.
    pub(super) readings: &'a [(&'static str, &'a Sheet)],
    /// One run of each strategy of figure 5.
    pub(super) busy: &'a [Busy],
    /// Slots of a day.
    pub(super) slots_a_day: u64,
}

/// All figures.
pub(super) fn figures(sources: &Sources) -> Vec<Figure> {
    let main = sources.main;
    let [utilisation, rejections, revenue, wait, wait_backfilling] = OVER_SEARCH_LIMITS;
    let mut figures = utilisation.draw(main);
    let busy = sources.busy.iter();
    figures.extend(busy.map(|busy| busy_nodes(busy, sources.slots_a_day)));
    figures.extend(rejections.draw(main));
    figures.extend(reductions(main));
    figures.extend(revenue.draw(main));
    figures.extend(wait.draw(main));
    figures.extend(wait_backfilling.draw(main));
    figures.push(by_width(main));
    figures.push(fluctuation(main));
    figures.extend(readings(sources.readings));
    figures
}

/// A measure over the search limit times, one figure for each book-ahead time.
struct OverSearchLimits {
    id: &'static str,
    title: &'static str,
    y_label: &'static str,
    measure: Measure,
    strategies: &'static [usize],
}

const OVER_SEARCH_LIMITS: [OverSearchLimits; 5] = [
    OverSearchLimits {
        id: "fig4",
        title: "Figure 4: average utilisation",
        y_label: "utilisation over two weeks",
        measure: |cell| cell.utilisation,
        strategies: &OF_THE_PAPER,
    },
    OverSearchLimits {
        id: "fig6",
        title: "Figure 6: rejections",
        y_label: "requests rejected",
        measure: |cell| cell.rejections,
        strategies: &OF_THE_PAPER,
    },
    OverSearchLimits {
        id: "fig8",
        title: "Figure 8: revenue of reservations",
        y_label: "dollars",
        measure: |cell| cell.revenue,
        strategies: &OF_THE_PAPER,
    },
    OverSearchLimits {
        id: "fig9",
        title: "Figure 9: wait of non-AR jobs",
        y_label: "hours",
        measure: |cell| cell.wait,
        strategies: &OF_THE_PAPER,
    },
    // FCFS is so far away that the others lie upon each other.
    OverSearchLimits {
        id: "fig9",
        title: "Figure 9 without FCFS",
        y_label: "hours",
        measure: |cell| cell.wait,
        strategies: &[FF_BF, RIGID_BF, OSP_BF],
    },
];

impl OverSearchLimits {
    fn draw(&self, sheet: &Sheet) -> Vec<Figure> {
        let one = |ahead: u64| {
            let mut curves = sheet.curves(ahead, self.measure);
            curves.axis = SEARCH_LIMIT.to_owned();
            keep(&mut curves, self.strategies);
            let title = format!("{}, bt = {ahead} h", self.title);
            figure(self.id, title, self.y_label, curves)
        };
        BOOK_AHEAD.map(one).into()
    }
}

const SEARCH_LIMIT: &str = "search limit time slt (h)";

/// Some of the series.
fn keep(curves: &mut Curves, series: &[usize]) {
    curves.names = series.iter().map(|&at| curves.names[at].clone()).collect();
    curves.samples = series
        .iter()
        .map(|&at| curves.samples[at].clone())
        .collect();
}

fn figure(id: &'static str, title: String, y_label: &'static str, curves: Curves) -> Figure {
    Figure {
        id,
        title,
        y_label,
        series: curves.names.clone(),
        curves,
    }
}

fn busy_nodes((strategy, busy): &Busy, slots_a_day: u64) -> Figure {
    let day = |slot: usize| format!("{:.4}", slot as f64 / slots_a_day as f64);
    let name = NAMES[*strategy];
    let curves = Curves {
        axis: "day".to_owned(),
        ticks: (0..busy.len()).map(day).collect(),
        names: vec![name.to_owned()],
        samples: vec![busy.iter().map(|&count| vec![f64::from(count)]).collect()],
    };
    let title = format!("Figure 5: busy CNs, {name}, {}", BUSY_NODES.name());
    figure("fig5", title, "busy CNs in each slot, one run", curves)
}

/// Figure 7, read in four ways: between runs and within a run, by the letter and with a second query.
fn reductions(sheet: &Sheet) -> [Figure; 4] {
    let draw = |id, title: &str, shares: &dyn Fn(Point) -> Vec<f64>| {
        let shape = sheet.curves(BOOK_AHEAD[0], |cell| cell.rejections);
        let at = |ahead: u64, limit: &String| {
            let shares = finite(shares(Point::new(ahead, limit.parse().unwrap_or(0))));
            shares.into_iter().map(|share| 100.0 * share).collect()
        };
        let along = |&ahead: &u64| shape.ticks.iter().map(|limit| at(ahead, limit)).collect();
        let curves = Curves {
            axis: SEARCH_LIMIT.to_owned(),
            names: BOOK_AHEAD.map(|ahead| format!("bt = {ahead} h")).to_vec(),
            samples: BOOK_AHEAD.iter().map(along).collect(),
            ticks: shape.ticks.clone(),
        };
        figure(id, title.to_owned(), "%", curves)
    };
    let between = |user| move |point| reduction(sheet, point, user);
    let within = |user| move |point| alternatives_taken(sheet, point, user);
    [
        draw(
            "fig7",
            "Figure 7: fewer rejections by alternatives",
            &between(OSP_BF),
        ),
        draw(
            "second-query",
            "Figure 7 with a second query",
            &between(SECOND_QUERY),
        ),
        draw(
            "within",
            "Alternatives taken by those without a solution",
            &within(OSP_BF),
        ),
        draw(
            "within",
            "Alternatives taken by those without a solution, with a second query",
            &within(SECOND_QUERY),
        ),
    ]
}

fn by_width(sheet: &Sheet) -> Figure {
    let class = |class: usize| match class.checked_sub(1) {
        Some(below) => format!("{}-{}", WIDTHS[below] + 1, WIDTHS[class]),
        None => "1 CN".to_owned(),
    };
    let shares = |strategy: usize, class: usize| {
        finite(sheet.at(BUSY_NODES, strategy, |cell| cell.acceptance_in(class)))
    };
    let shown = [FF_BF, RIGID_FCFS, OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY];
    let curves = Curves {
        axis: "CNs asked for".to_owned(),
        ticks: (0..WIDTHS.len()).map(class).collect(),
        names: shown.map(|strategy| NAMES[strategy].to_owned()).to_vec(),
        samples: shown
            .iter()
            .map(|&strategy| {
                (0..WIDTHS.len())
                    .map(|class| shares(strategy, class))
                    .collect()
            })
            .collect(),
    };
    let title = format!("Reservations accepted by size, {}", BUSY_NODES.name());
    figure("widths", title, "share accepted", curves)
}

/// How much the number of busy nodes moves, beside figure 5.
fn fluctuation(sheet: &Sheet) -> Figure {
    let samples = |strategy: usize| vec![sheet.at(BUSY_NODES, strategy, |cell| cell.changes)];
    let curves = Curves {
        axis: "at".to_owned(),
        ticks: vec![BUSY_NODES.name()],
        names: OF_THE_PAPER
            .map(|strategy| NAMES[strategy].to_owned())
            .to_vec(),
        samples: OF_THE_PAPER.map(samples).to_vec(),
    };
    let title = "Slot edges at which the number of busy CNs changes".to_owned();
    figure("changes", title, "changes in two weeks", curves)
}

/// OSP+BF less FF+BF on average over all points, by reading, as a rough view of what a reading does.
fn readings(readings: &[(&'static str, &Sheet)]) -> Vec<Figure> {
    let table: [(&str, &'static str, Measure); 3] = [
        ("Utilisation at", "utilisation over two weeks", |cell| {
            cell.utilisation
        }),
        ("Rejections at", "requests rejected", |cell| cell.rejections),
        (
            "Utilisation to the end of the last job at",
            "utilisation",
            |cell| cell.utilisation_to_end,
        ),
    ];
    let one = |(title, y_label, measure): (&str, &'static str, Measure)| {
        let by_strategy = |sheet: &Sheet| {
            OF_THE_PAPER
                .map(|strategy| sheet.at(BUSY_NODES, strategy, measure))
                .to_vec()
        };
        let curves = Curves {
            axis: "strategy".to_owned(),
            ticks: OF_THE_PAPER
                .map(|strategy| NAMES[strategy].to_owned())
                .to_vec(),
            names: readings
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect(),
            samples: readings
                .iter()
                .map(|(_, sheet)| by_strategy(sheet))
                .collect(),
        };
        let title = format!("{title} {}, by reading", BUSY_NODES.name());
        figure("readings", title, y_label, curves)
    };
    table.map(one).into()
}
