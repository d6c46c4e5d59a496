//! The views that rules and figures look at.

use super::{
    measures::{
        ACCEPTED, ACCEPTED_OF, ASKED_WIDE, CHANGES, ONE_SLOT, REDUCED, REDUCED_REVENUE, REJECTIONS,
        REVENUE, SWING, UTILISATION, UTILISATION_TO_END, WAIT, WIDE,
    },
    points::{BOOK_AHEAD, BUSY_NODES, GREATEST_REDUCTION, LEAST_REDUCTION, Point},
    systems::{FF_BF, NAMES, OSP_BF, SECOND_QUERY, SOLUTIONS_ONLY},
};
use crate::experiment::{Measure, Panel, Panels, Samples, Tick, View};

// Over the search limit times, a panel for each book-ahead time.
pub(super) const USED: View = "utilisation over the two weeks";
pub(super) const USED_TO_END: View = "utilisation until the last end";
pub(super) const REJECTED: View = "rejections";
pub(super) const PAID: View = "revenue of reservations";
pub(super) const WAITED: View = "wait of non-AR jobs";
/// Of those with and without a second query, by what share alternatives reduce rejections; then what share of those without a solution
/// takes one.
pub(super) const REDUCTIONS: View = "fewer rejections by alternatives";
// Some of these panels.
pub(super) const USED_AT_1: View = "utilisation at bt 1 h";
pub(super) const USED_LATER: View = "utilisation at bt 5 and 10 h";
pub(super) const WAITED_LATER: View = "wait of non-AR jobs at bt 5 and 10 h";
/// On average over the search limit times.
pub(super) const WAITED_BY_AHEAD: View = "wait of non-AR jobs, mean over slt";
/// The same of OSP+BF, its first book-ahead time and its last beside each other.
pub(super) const WAITED_AT_ENDS: View = "wait of non-AR jobs under OSP+BF, mean over slt";
// At one point.
pub(super) const CHANGING: View = "changes of the busy CNs at bt 5 h, slt 8 h";
pub(super) const SWINGING: View = "mean size of a step of the busy CNs at bt 5 h, slt 8 h";
pub(super) const WIDE_ACCEPTED: View =
    "share accepted of the requests for more than 32 CNs at bt 5 h, slt 8 h";
pub(super) const WIDE_ASKED: View = "requests for more than 32 CNs at bt 5 h, slt 8 h";
pub(super) const LEAST_REDUCED: View = "fewer rejections by alternatives at bt 5 h, slt 0 h";
pub(super) const GREATEST_REDUCED: View = "fewer rejections by alternatives at bt 10 h, slt 12 h";
pub(super) const LEAST_REJECTED: View = "rejections without alternatives at bt 5 h, slt 0 h";
pub(super) const GREATEST_REJECTED: View = "rejections without alternatives at bt 10 h, slt 12 h";

/// How large alternatives are beside all reservations, and how many requests could not be shortened.
pub(super) const LEAST_ROOM: View = "room of alternatives at bt 5 h, slt 0 h";
pub(super) const GREATEST_ROOM: View = "room of alternatives at bt 10 h, slt 12 h";

/// Places of the series of reductions.
pub(super) const BY_THE_LETTER: usize = 0;
pub(super) const WITH_SECOND: usize = 1;
pub(super) const TAKEN: usize = 2;
pub(super) const TAKEN_WITH_SECOND: usize = 3;

/// The views of some samples.
pub(super) fn panels(samples: &Samples<Point>) -> Panels {
    let over = |measure| {
        BOOK_AHEAD
            .map(|ahead| over_limits(samples, ahead, measure))
            .to_vec()
    };
    let (used, waited) = (over(&UTILISATION), over(&WAIT));
    let by_ahead = by_book_ahead(&waited);
    let at = |measure| vec![samples.panel(("", ""), &[(nowhere(), BUSY_NODES)], measure)];
    let reduced = |point| vec![single(REDUCTIONS_NAMED, reductions(samples, point))];
    let rejected = |point| {
        let samples = samples.at(point, SOLUTIONS_ONLY, &REJECTIONS);
        vec![single(["rejections"], [samples])]
    };
    let reductions = BOOK_AHEAD.map(|ahead| reductions_over(samples, ahead));
    Panels::new([
        (USED_AT_1, used[..1].to_vec()),
        (USED_LATER, used[1..].to_vec()),
        (USED, used),
        (USED_TO_END, over(&UTILISATION_TO_END)),
        (REJECTED, over(&REJECTIONS)),
        (PAID, over(&REVENUE)),
        (WAITED_LATER, waited[1..].to_vec()),
        (WAITED_AT_ENDS, vec![at_ends(&by_ahead)]),
        (WAITED_BY_AHEAD, vec![by_ahead]),
        (WAITED, waited),
        (REDUCTIONS, reductions.to_vec()),
        (CHANGING, at(&CHANGES)),
        (SWINGING, at(&SWING)),
        (WIDE_ACCEPTED, at(&ACCEPTED_OF[WIDE])),
        (WIDE_ASKED, at(&ASKED_WIDE)),
        (LEAST_ROOM, vec![room(samples, LEAST_REDUCTION)]),
        (GREATEST_ROOM, vec![room(samples, GREATEST_REDUCTION)]),
        (LEAST_REDUCED, reduced(LEAST_REDUCTION)),
        (GREATEST_REDUCED, reduced(GREATEST_REDUCTION)),
        (LEAST_REJECTED, rejected(LEAST_REDUCTION)),
        (GREATEST_REJECTED, rejected(GREATEST_REDUCTION)),
    ])
}

/// The search limit times that were run with a book-ahead time.
fn limits(samples: &Samples<Point>, ahead: u64) -> Vec<(Tick, Point)> {
    let there = samples.points().filter(|point| point.book_ahead == ahead);
    let mut limits: Vec<Point> = there.collect();
    limits.sort_unstable_by_key(|point| point.search_limit);
    limits
        .into_iter()
        .map(|point| (Tick::number(point.search_limit as f64), point))
        .collect()
}

fn over_limits(samples: &Samples<Point>, ahead: u64, measure: &Measure) -> Panel {
    Panel {
        place: format!("bt {ahead} h"),
        ..samples.panel(("slt", "h"), &limits(samples, ahead), measure)
    }
}

/// A panel of a single point.
fn single<const N: usize>(names: [&str; N], samples: [Vec<f64>; N]) -> Panel {
    Panel::of(("", ""), names, [(nowhere(), samples)])
}

/// The tick of a panel with a single point.
fn nowhere() -> Tick {
    Tick::labels([String::new()]).remove(0)
}

fn by_book_ahead(panels: &[Panel]) -> Panel {
    let means = |(ahead, panel): (u64, &Panel)| {
        let mean = |series| panel.mean_over(series, &panel.all());
        let means: Vec<Vec<f64>> = (0..NAMES.len()).map(mean).collect();
        (Tick::number(ahead as f64), means)
    };
    Panel::of(
        ("bt", "h"),
        NAMES,
        BOOK_AHEAD.into_iter().zip(panels).map(means),
    )
}

fn at_ends(by_book_ahead: &Panel) -> Panel {
    let ends = [0, by_book_ahead.len() - 1];
    single(
        ["OSP+BF at bt 1 h", "OSP+BF at bt 10 h"],
        ends.map(|end| by_book_ahead.samples(OSP_BF, end).to_vec()),
    )
}

/// The CN-slots, of a dollar each, that an alternative takes under OSP+BF and that any reservation takes, and the share of requests of one
/// slot; not a number where there is none.
fn room(samples: &Samples<Point>, point: Point) -> Panel {
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
    single(names, samples)
}

const REDUCTIONS_NAMED: [&str; 4] = [
    "reduction by the letter",
    "reduction with a second query",
    "alternatives taken by the letter",
    "alternatives taken with a second query",
];

/// What alternatives do at a point, in each replication; not a number where nobody is rejected without them, or nobody needs one.
fn reductions(samples: &Samples<Point>, point: Point) -> [Vec<f64>; 4] {
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

fn reductions_over(samples: &Samples<Point>, ahead: u64) -> Panel {
    let limits = limits(samples, ahead).into_iter();
    let points = limits.map(|(tick, point)| (tick, reductions(samples, point)));
    Panel {
        place: format!("bt {ahead} h"),
        ..Panel::of(("slt", "h"), REDUCTIONS_NAMED, points)
    }
}

/// The strategies of figure 5, in the paper's order.
pub(super) const BUSY: [usize; 3] = [FF_BF, OSP_BF, super::systems::RIGID_FCFS];
