//! Claims 1.22 to 1.24: figures 4 and 5.

use super::super::{points::Axis, runs::Sheet};
use super::{Measured, POLICIES, acceptance, slowdown};
use crate::experiment::{
    claims::Claim,
    curves::Curves,
    rules::{Judgement, Verdict, judge},
    statistics::rank_correlation,
};

/// From here on seven ranks agree more than chance explains (5 %, two sides).
const SAME_ORDER: f64 = 0.786;
/// Below this they do not look alike.
const OTHER_ORDER: f64 = 0.5;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 3] = [
    Measured::along(
        Claim {
            id: "1.22",
            kind: "T",
            claim: "Figure 4: acceptance of every policy falls as the arrival factor rises.",
            claimed: "falling in every step",
            rule: "each step's paired difference falls on average; a step whose interval lies wholly on the other side fails.",
        },
        |sheet| steps(&acceptance(sheet, Axis::Load), -1.0),
    ),
    Measured::along(
        Claim {
            id: "1.23",
            kind: "T",
            claim: "Figure 5: slowdown of every policy rises with the arrival factor.",
            claimed: "rising in every step",
            rule: "each step's paired difference rises on average; a step whose interval lies wholly on the other side fails.",
        },
        |sheet| steps(&slowdown(sheet, Axis::Load), 1.0),
    ),
    Measured::along(
        Claim {
            id: "1.24",
            kind: "O",
            claim: "Figures 4 and 5: the policies keep the order of figures 2 and 3.",
            claimed: "similar relative performance",
            rule: "Spearman's rank correlation of the policies' means at each arrival factor with their means over all UMed is at least 0.786 (5 % for seven ranks); fails where it is below 0.5.",
        },
        order,
    ),
];

pub(super) fn steps(curves: &Curves, sign: f64) -> Judgement {
    judge(&curves.ends(&POLICIES), &curves.steps(&POLICIES, sign))
}

fn order(sheet: &Sheet) -> Judgement {
    let figures = [
        (
            "figure 4",
            acceptance(sheet, Axis::Sizes),
            acceptance(sheet, Axis::Load),
        ),
        (
            "figure 5",
            slowdown(sheet, Axis::Sizes),
            slowdown(sheet, Axis::Load),
        ),
    ];
    same_order(&figures)
}

fn same_order(figures: &[(&str, Curves, Curves)]) -> Judgement {
    let mut verdicts = Vec::new();
    let mut measured = Vec::new();
    for (name, sizes, load) in figures {
        let over_all: Vec<f64> = POLICIES
            .iter()
            .map(|&policy| (0..sizes.len()).map(|tick| sizes.mean(policy, tick)).sum())
            .collect();
        let mut texts = Vec::new();
        for tick in 0..load.len() {
            let means: Vec<f64> = POLICIES
                .iter()
                .map(|&policy| load.mean(policy, tick))
                .collect();
            let agreement = rank_correlation(&over_all, &means);
            verdicts.push(agreement.map_or(Verdict::Undecidable, agrees));
            texts.push(agreement.map_or("-".to_owned(), |rank| format!("{rank:.2}")));
        }
        measured.push(format!("{name}: {}", texts.join(" ")));
    }
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: format!(
            "rank correlation by arrival factor, {}",
            measured.join("; ")
        ),
        ci95: None,
        note: "Means of all replications are ranked; curves that nearly coincide may swap ranks. "
            .to_owned(),
    }
}

fn agrees(rank: f64) -> Verdict {
    if rank >= SAME_ORDER {
        Verdict::Holds
    } else if rank < OTHER_ORDER {
        Verdict::Fails
    } else {
        Verdict::Undecidable
    }
}

#[cfg(test)]
mod tests {
    use super::{same_order, steps};
    use crate::experiment::{
        li::claims::tests::curves,
        rules::Verdict::{Fails, Holds, Undecidable},
    };

    const VALUES: [f64; 7] = [0.60, 0.56, 0.70, 0.69, 0.57, 0.64, 0.65];

    #[test]
    fn trends_hold_and_fail() {
        assert_eq!(steps(&curves(VALUES, -0.1), -1.0).verdict, Holds);
        assert_eq!(steps(&curves(VALUES, 0.1), -1.0).verdict, Fails);
        assert_eq!(steps(&curves(VALUES, 0.1), 1.0).verdict, Holds);
    }

    #[test]
    fn orders_agree_or_not() {
        let sizes = || curves(VALUES, -0.1);
        let judge = |other| same_order(&[("figure", sizes(), other)]).verdict;
        assert_eq!(judge(curves(VALUES, 0.1)), Holds);
        assert_eq!(judge(curves(VALUES.map(|value| -value), 0.0)), Fails);
        let shuffled = [0.60, 0.66, 0.70, 0.69, 0.57, 0.64, 0.65];
        assert_eq!(judge(curves(shuffled, 0.0)), Undecidable);
    }
}
