//! Claims 3.17 to 3.20: figures 6 and 7.

use super::super::{
    measures::Cell,
    points::{GREATEST_REDUCTION, LEAST_REDUCTION, Point},
    runs::{Measure, Sheet},
    strategies::{
        FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY,
    },
};
use super::{Measured, curves, everywhere, overall, utilisation::UTILISATION};
use crate::experiment::{
    claims::Claim,
    rules::{Comparison, Expected, Judgement, judge},
    statistics::{Estimate, finite, paired},
};

/// What the paper gives for bt 5 h, slt 0 h, and for bt 10 h, slt 12 h.
const LEAST: f64 = 0.135;
const GREATEST: f64 = 0.7722;
/// How far from a printed share is still the same.
const SAME: f64 = 0.02;

pub(super) const REJECTIONS: Measure = |cell| cell.rejections;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 4] = [
    Measured {
        claim: Claim {
            id: "3.17",
            kind: "O",
            claim: "Figure 6: OSP has the lowest number of rejections as slt increases.",
            claimed: "OSP+BF below all others",
            rule: "at every point with slt > 0 the paired interval of each other strategy's rejections less those of OSP+BF lies above 0 (wholly below fails), and OSP+BF rejects fewer at the longest slt than at 0 on average.",
        },
        judge: fewest,
    },
    Measured {
        claim: Claim {
            id: "3.18",
            kind: "N",
            claim: "Figure 7: choosing alternative offers reduces rejections by around 13.50 % at bt = 5 h, slt = 0.",
            claimed: "13.50 %",
            rule: "1 - rejections with / without alternatives in each replication; within 2 points of the claim, interval included; wholly farther away fails.",
        },
        judge: |sheet| reduced_by(sheet, LEAST_REDUCTION, LEAST),
    },
    Measured {
        claim: Claim {
            id: "3.19",
            kind: "N",
            claim: "Figure 7: choosing alternative offers reduces rejections by 77.22 % at bt = 10 h, slt = 12 h.",
            claimed: "77.22 %",
            rule: "1 - rejections with / without alternatives in each replication; within 2 points of the claim, interval included; wholly farther away fails.",
        },
        judge: |sheet| reduced_by(sheet, GREATEST_REDUCTION, GREATEST),
    },
    Measured {
        claim: Claim {
            id: "3.20",
            kind: "T",
            claim: "Figure 7: the reductions lie between that at bt 5 h, slt 0 and that at bt 10 h, slt 12 h.",
            claimed: "least at bt 5 h, slt 0; greatest at bt 10 h, slt 12 h",
            rule: "no reduction is below the one nor above the other: the paired difference is not on average on the wrong side (replications in which both points have a share); an interval wholly there fails.",
        },
        judge: between,
    },
];

fn fewest(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, REJECTIONS);
    let mut comparisons = everywhere(&found, |curves, tick| {
        if curves.ticks[tick] == "0" {
            return Vec::new();
        }
        let above = Expected::Above(0.0);
        [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF]
            .map(|other| curves.compare(other, OSP_BF, tick, above))
            .to_vec()
    });
    let fall = |curves: &crate::experiment::curves::Curves| {
        curves.trend(OSP_BF, 0, curves.len() - 1, -1.0)
    };
    comparisons.extend(found.iter().map(fall));
    let mut judgement = judge(&overall(&found, &OF_THE_PAPER), &comparisons);
    judgement.note.push_str(&others(sheet));
    judgement
}

/// Why others may reject less.
pub(super) fn others(sheet: &Sheet) -> String {
    let (rejections, used) = (curves(sheet, REJECTIONS), curves(sheet, UTILISATION));
    format!(
        "The less the other jobs take of the machine, the more room is left to reserve: utilisation, {}. Alternatives take room from those who come later: rejections, {}. ",
        overall(&used, &[FF_FCFS, FF_BF]),
        overall(&rejections, &[OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY])
    )
}

/// By what share one user is rejected less often than another in each replication; not a number where the other never is.
pub(in super::super) fn reduction(sheet: &Sheet, point: Point, with: usize) -> Vec<f64> {
    let [with, without] = [with, SOLUTIONS_ONLY].map(|user| sheet.at(point, user, REJECTIONS));
    let share = |(with, without): (&f64, &f64)| {
        if *without > 0.0 {
            1.0 - with / without
        } else {
            f64::NAN
        }
    };
    with.iter().zip(&without).map(share).collect()
}

/// What share of the requests without a solution got an alternative, in each replication of the same runs; not a number
/// where all got one.
pub(in super::super) fn alternatives_taken(sheet: &Sheet, point: Point, user: usize) -> Vec<f64> {
    let taken = |cell: &Cell| cell.reduced / (cell.reduced + cell.rejections);
    sheet.at(point, user, taken)
}

fn reduced_by(sheet: &Sheet, point: Point, claimed: f64) -> Judgement {
    let measured = finite(reduction(sheet, point, OSP_BF));
    let comparison = Comparison {
        what: format!("reduction at {} less the paper's", point.name()),
        differences: measured.iter().map(|share| share - claimed).collect(),
        expected: Expected::Within(SAME),
    };
    let rejected = |user: usize| {
        let counts = sheet.at(point, user, REJECTIONS);
        counts.iter().sum::<f64>() / counts.len().max(1) as f64
    };
    let context = format!(
        "{} by the letter ({:.1} rejections instead of {:.1}), {} with a second query ({:.1} rejections); counted within a run, alternatives are taken by {} of those without a solution, {} with a second query",
        percent(measured),
        rejected(OSP_BF),
        rejected(SOLUTIONS_ONLY),
        percent(reduction(sheet, point, SECOND_QUERY)),
        rejected(SECOND_QUERY),
        percent(alternatives_taken(sheet, point, OSP_BF)),
        percent(alternatives_taken(sheet, point, SECOND_QUERY)),
    );
    let mut judgement = judge(&context, &[comparison]);
    judgement.note.push_str(&format!(
        "By the letter alternatives only shorten a job; with a second query, which asks without a number of CNs when nothing suits, they narrow it too. Every alternative taken leaves less room for those who come later, so runs with alternatives may reject more: {}. The paper does not say whether it compares runs, as here, or counts within a run. Replications in which nobody is rejected without alternatives have no share and are left out. ",
        room_taken(sheet, point)
    ));
    judgement
}

/// How large alternatives are beside all reservations.
fn room_taken(sheet: &Sheet, point: Point) -> String {
    let total = |measure: fn(&Cell) -> f64| sheet.at(point, OSP_BF, measure).iter().sum::<f64>();
    let accepted = total(|cell| f64::from(cell.accepted.iter().sum::<u32>()));
    let each = |dollars: f64, count: f64| dollars / count.max(1.0);
    // A CN-slot is a dollar.
    format!(
        "by the letter one takes {:.0} CN-slots on average, any reservation {:.0}",
        each(
            total(|cell| cell.reduced_revenue),
            total(|cell| cell.reduced)
        ),
        each(total(|cell| cell.revenue), accepted)
    )
}

fn percent(shares: Vec<f64>) -> String {
    Estimate::of(&finite(shares)).map_or("no rejections".to_owned(), |Estimate { mean, half }| {
        let half = if half.is_finite() {
            format!(" ± {:.2}", 100.0 * half)
        } else {
            String::new()
        };
        format!("{:.2}{half} %", 100.0 * mean)
    })
}

fn between(sheet: &Sheet) -> Judgement {
    let least = reduction(sheet, LEAST_REDUCTION, OSP_BF);
    let greatest = reduction(sheet, GREATEST_REDUCTION, OSP_BF);
    let mut comparisons = Vec::new();
    let mut means: Vec<(f64, Point)> = Vec::new();
    for &point in &sheet.points {
        let here = reduction(sheet, point, OSP_BF);
        let shares = finite(here.clone());
        means.extend(Estimate::of(&shares).map(|estimate| (estimate.mean, point)));
        let mut not_above = |what: &str, lower: &[f64], upper: &[f64]| {
            comparisons.push(Comparison {
                what: format!("{what} at {}", point.name()),
                differences: finite(paired(lower, upper)),
                expected: Expected::NotAbove,
            });
        };
        if point != LEAST_REDUCTION {
            not_above("least reduction less that", &least, &here);
        }
        if point != GREATEST_REDUCTION {
            not_above("excess over the greatest", &here, &greatest);
        }
    }
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = |end: Option<&(f64, Point)>| {
        end.map_or("none".to_owned(), |(mean, point)| {
            format!("{:.2} % at {}", 100.0 * mean, point.name())
        })
    };
    let context = format!("from {} to {}", text(means.first()), text(means.last()));
    judge(&context, &comparisons)
}

#[cfg(test)]
mod tests {
    use super::{GREATEST, LEAST, OSP_BF, SOLUTIONS_ONLY, between, fewest, reduced_by, reduction};
    use crate::experiment::{
        rules::Verdict::{Fails, Holds},
        sulistio::{
            claims::tests::{Picture, sheet},
            points::{GREATEST_REDUCTION, LEAST_REDUCTION, Point},
        },
    };

    /// The reductions of the paper at its two points, and in between elsewhere.
    const AS_DRAWN: Picture = |strategy, point, cell| {
        let share = match (point.book_ahead, point.search_limit) {
            (5, 0) => 0.135,
            (10, 12) => 0.7722,
            _ => 0.4,
        };
        cell.rejections = match strategy {
            4 => 100.0 * (1.0 - share),
            5 => 100.0,
            _ => 120.0,
        } - point.search_limit as f64;
    };
    const OPPOSITE: Picture = |strategy, _, cell| {
        cell.rejections = [50.0, 50.0, 50.0, 50.0, 95.0, 100.0, 100.0][strategy];
    };

    #[test]
    fn reductions_are_compared_with_the_printed_ones() {
        let drawn = sheet(|strategy, point: Point, cell| {
            AS_DRAWN(strategy, point, cell);
            cell.rejections += point.search_limit as f64;
        });
        let two = [(LEAST_REDUCTION, LEAST), (GREATEST_REDUCTION, GREATEST)];
        for (point, claimed) in two {
            assert_eq!(reduced_by(&drawn, point, claimed).verdict, Holds);
            assert_eq!(reduced_by(&sheet(OPPOSITE), point, claimed).verdict, Fails);
        }
        assert_eq!(between(&drawn).verdict, Holds);
        let turned = sheet(|strategy, point, cell| {
            let share = point.search_limit as f64 / 20.0;
            cell.rejections = [0.0, 0.0, 0.0, 0.0, 40.0 + 50.0 * share, 100.0, 0.0][strategy];
        });
        assert_eq!(between(&turned).verdict, Fails);
    }

    #[test]
    fn a_replication_without_rejections_leaves_the_others_in_their_pairs() {
        let least = |run: usize| 0.1 * run as f64;
        let mut runs = sheet(AS_DRAWN);
        for (&point, rounds) in runs.points.iter().zip(&mut runs.cells) {
            for (run, cells) in rounds.iter_mut().enumerate() {
                let more = match point {
                    LEAST_REDUCTION => 0.0,
                    GREATEST_REDUCTION => 0.1,
                    _ => 0.05,
                };
                cells[SOLUTIONS_ONLY].rejections = 100.0;
                cells[OSP_BF].rejections = 100.0 * (1.0 - least(run) - more);
            }
        }
        let mut points = runs.points.iter();
        let place = points.position(|&point| point == LEAST_REDUCTION).unwrap();
        for strategy in [OSP_BF, SOLUTIONS_ONLY] {
            runs.cells[place][0][strategy].rejections = 0.0;
        }
        // Each replication paired with the next would put the least reduction above the others.
        assert_eq!(between(&runs).verdict, Holds);
        assert!(reduction(&runs, LEAST_REDUCTION, OSP_BF)[0].is_nan());
        assert!(
            !reduced_by(&runs, LEAST_REDUCTION, LEAST)
                .measured
                .contains("NaN")
        );
    }

    #[test]
    fn the_fewest_rejections_are_told_from_others() {
        assert_eq!(fewest(&sheet(AS_DRAWN)).verdict, Holds);
        assert_eq!(fewest(&sheet(OPPOSITE)).verdict, Fails);
    }
}
