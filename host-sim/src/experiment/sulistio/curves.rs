//! What rules and figures look at.

use super::{
    measures::{ACCEPTED, ONE_SLOT, REDUCED, REDUCED_REVENUE, REJECTIONS, REVENUE},
    points::{BOOK_AHEAD, Point, SEARCH_LIMIT},
    systems::{FF_BF, OSP_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY},
};
use crate::experiment::{Measure, Panel, Samples, Tick};

/// The search limit times that were run with a book-ahead time.
fn limits(samples: &Samples<Point>, ahead: u64) -> Vec<(Tick, Point)> {
    let all = SEARCH_LIMIT.map(|limit| (Tick::number(limit as f64), Point::new(ahead, limit)));
    let there = all.into_iter().filter(|(_, point)| samples.has(*point));
    there.collect()
}

/// All strategies over the search limit times, a panel for each book-ahead time.
pub(super) fn over_limits(samples: &Samples<Point>, measure: &Measure) -> [Panel; 3] {
    BOOK_AHEAD.map(|ahead| {
        let panel = samples.panel(("slt", "h"), &limits(samples, ahead), measure);
        panel.placed(format!("bt {ahead} h"))
    })
}

/// All strategies at a point.
pub(super) fn at(samples: &Samples<Point>, point: Point, measure: &Measure) -> Panel {
    let along = Tick::labels([""]).into_iter().zip([point]);
    samples.panel(("", ""), &along.collect::<Vec<_>>(), measure)
}

/// On average over the search limit times.
pub(super) fn by_book_ahead(panels: &[Panel]) -> Panel {
    let ticks = Tick::numbers(BOOK_AHEAD.map(|ahead| ahead as f64));
    Panel::averages(("bt", "h"), ticks.into_iter().zip(panels.iter().cloned()))
}

/// OSP+BF with the first book-ahead time and the last beside each other.
pub(super) fn at_ends(by_book_ahead: &Panel) -> Panel {
    let ends = [0, by_book_ahead.len() - 1];
    Panel::single(
        ["OSP+BF at bt 1 h", "OSP+BF at bt 10 h"],
        ends.map(|end| by_book_ahead.samples(OSP_BF, end).to_vec()),
    )
}

/// The CN-slots, of a dollar each, that an alternative takes under OSP+BF and that any reservation takes, and the share of requests of one
/// slot; not a number where there is none.
pub(super) fn room(samples: &Samples<Point>, point: Point) -> Panel {
    let of = |measure: &Measure| samples.at(point, OSP_BF, measure);
    let each = |dollars, count| {
        let both = of(dollars).into_iter().zip(of(count));
        both.map(|(dollars, count)| dollars / count).collect()
    };
    let names = [
        "CN-slots of an alternative",
        "CN-slots of any reservation",
        "share of the requests that take one slot and cannot be shortened",
    ];
    let samples = [
        each(&REDUCED_REVENUE, &REDUCED),
        each(&REVENUE, &ACCEPTED),
        of(&ONE_SLOT),
    ];
    Panel::single(names, samples)
}

// Places of the series of reductions.
pub(super) const BY_THE_LETTER: usize = 0;
pub(super) const WITH_SECOND: usize = 1;
pub(super) const TAKEN: usize = 2;
pub(super) const TAKEN_WITH_SECOND: usize = 3;
pub(super) const REDUCTIONS_NAMED: [&str; 4] = [
    "reduction by the letter",
    "reduction with a second query",
    "alternatives taken by the letter",
    "alternatives taken with a second query",
];

/// What alternatives do at a point, in each replication: of those with and without a second query, by what share they reduce rejections; then what
/// share of those without a solution takes one. Not a number where nobody is rejected without them, or nobody needs one.
pub(super) fn reductions(samples: &Samples<Point>, point: Point) -> [Vec<f64>; 4] {
    let pairs = |system, [a, b]: [&Measure; 2], other: usize, value: fn(f64, f64) -> f64| {
        let (a, b) = (samples.at(point, system, a), samples.at(point, other, b));
        a.into_iter().zip(b).map(|(a, b)| value(a, b)).collect()
    };
    let fewer = |user| {
        let share = |with: f64, without: f64| match without {
            0.0 => f64::NAN,
            _ => 1.0 - with / without,
        };
        pairs(user, [&REJECTIONS; 2], SOLUTIONS_ONLY, share)
    };
    let taken = |user| {
        let share = |reduced, rejected| reduced / (reduced + rejected);
        pairs(user, [&REDUCED, &REJECTIONS], user, share)
    };
    [
        fewer(OSP_BF),
        fewer(SECOND_QUERY),
        taken(OSP_BF),
        taken(SECOND_QUERY),
    ]
}

/// The same over the search limit times.
pub(super) fn reductions_over(samples: &Samples<Point>) -> [Panel; 3] {
    BOOK_AHEAD.map(|ahead| {
        let limits = limits(samples, ahead).into_iter();
        let points = limits.map(|(tick, point)| (tick, reductions(samples, point)));
        Panel::of(("slt", "h"), REDUCTIONS_NAMED, points).placed(format!("bt {ahead} h"))
    })
}

/// The strategies of figure 5, in the paper's order.
pub(super) const BUSY: [usize; 3] = [FF_BF, OSP_BF, RIGID_FCFS];
