//! Claims 1.13 to 1.21: figures 2 and 3.

use super::super::{points::Axis, runs::Sheet};
use super::{DU_B, DU_W, FF, Measured, PE_B, PE_W, PEDU_B, PEDU_W, POLICIES, acceptance, slowdown};
use crate::experiment::{
    claims::Claim,
    curves::Curves,
    rules::{Comparison, Expected, Judgement, judge},
};

/// Two curves look the same, or clearly different, by this share of the distance from the lowest to the highest of all seven.
const SAME: f64 = 0.25;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 9] = [
    Measured::along(
        Claim {
            id: "1.13",
            kind: "T",
            claim: "Figure 2: acceptance of every policy falls gradually as UMed rises from 5 to 9.",
            claimed: "falling in every step",
            rule: "each step's paired difference falls on average; a step whose interval lies wholly on the other side fails.",
        },
        |sheet| falls(&acceptance(sheet, Axis::Sizes)),
    ),
    Measured::along(
        Claim {
            id: "1.14",
            kind: "T",
            claim: "Mean size and mean duration of the jobs rise with UMed.",
            claimed: "rising in every step",
            rule: "each step's paired difference rises on average; a step whose interval lies wholly on the other side fails.",
        },
        jobs_grow,
    ),
    Measured::at_points(
        Claim {
            id: "1.15",
            kind: "O",
            claim: "Figure 2: three pairs behave almost identically.",
            claimed: "PE_W ~ Du_B, PEDu_B ~ PEDu_W, PE_B ~ Du_W",
            rule: "at every point the gap of a pair is, interval included, at most a quarter of the distance from the lowest to the highest curve; fails where it is surely more.",
        },
        |sheet| pairs(&acceptance(sheet, Axis::Sizes)),
    ),
    Measured::at_points(
        Claim {
            id: "1.16",
            kind: "O",
            claim: "Figure 2: four policies accept more than FF, PE_B and Du_W do not.",
            claimed: "PE_W, Du_B, PEDu_B, PEDu_W > FF >= PE_B, Du_W",
            rule: "at every point the paired interval of each of the four lies above FF and the mean of the other two not above FF; fails where an interval lies wholly on the other side.",
        },
        |sheet| against_first_fit(&acceptance(sheet, Axis::Sizes)),
    ),
    Measured::at_points(
        Claim {
            id: "1.17",
            kind: "O",
            claim: "Figure 2: PE_W and Du_B accept much more than FF and most of all at every UMed.",
            claimed: "PE_W, Du_B > all others; much more than FF",
            rule: "at every point both lie above each of the other five (paired interval), above FF by more than a quarter of the distance from the lowest to the highest curve.",
        },
        |sheet| best_two(&acceptance(sheet, Axis::Sizes)),
    ),
    Measured::at_points(
        Claim {
            id: "1.18",
            kind: "O",
            claim: "Figure 2: best and worst fit by PEs differ clearly, and so do those by duration.",
            claimed: "PE_B # PE_W, Du_B # Du_W",
            rule: "at every point the gap is, interval included, more than a quarter of the distance from the lowest to the highest curve.",
        },
        |sheet| different(&acceptance(sheet, Axis::Sizes)),
    ),
    Measured::along(
        Claim {
            id: "1.19",
            kind: "T",
            claim: "Figure 3: slowdown of every policy rises in general with UMed.",
            claimed: "higher at UMed 9 than at 5",
            rule: "\"in general\" is read as from the first point to the last: that paired difference rises, its interval wholly on the other side fails.",
        },
        |sheet| overall_rise(&slowdown(sheet, Axis::Sizes)),
    ),
    Measured::at_points(
        Claim {
            id: "1.20",
            kind: "O",
            claim: "Figure 3: FF has the lowest slowdown everywhere.",
            claimed: "FF below all others",
            rule: "at every point the paired interval of each other policy less FF lies above 0; fails where it lies below.",
        },
        |sheet| lowest_slowdown(&slowdown(sheet, Axis::Sizes)),
    ),
    Measured::at_points(
        Claim {
            id: "1.21",
            kind: "O",
            claim: "Figure 3: PE_W and Du_B are similar, PE_B and Du_W are similar, PEDu_B and PEDu_W are not.",
            claimed: "PE_W ~ Du_B, PE_B ~ Du_W, PEDu_B # PEDu_W",
            rule: "at every point similar means a gap of at most a quarter of the distance from the lowest to the highest curve, different means more, interval included.",
        },
        |sheet| slowdown_pairs(&slowdown(sheet, Axis::Sizes)),
    ),
];

fn falls(curves: &Curves) -> Judgement {
    judge(&curves.ends(&POLICIES), &curves.steps(&POLICIES, -1.0))
}

fn jobs_grow(sheet: &Sheet) -> Judgement {
    let curves = sheet.traffic(
        Axis::Sizes,
        &[
            ("size", |traffic| traffic.size),
            ("duration", |traffic| traffic.duration),
        ],
    );
    judge(&curves.ends(&[0, 1]), &curves.steps(&[0, 1], 1.0))
}

fn pairs(curves: &Curves) -> Judgement {
    let pairs = [(PE_W, DU_B), (PEDU_B, PEDU_W), (PE_B, DU_W)];
    let mut judgement = judge(
        "",
        &everywhere(curves, |tick| similar(curves, &pairs, tick)),
    );
    for (a, b) in pairs {
        for (one, other) in [(a, b), (b, a)] {
            let closest = closest(curves, one);
            if closest != Some(other) {
                let closest = closest.map_or("nothing", |closest| &curves.names[closest]);
                let note = format!("Closest to {} runs {closest}. ", curves.names[one]);
                judgement.note.push_str(&note);
            }
        }
    }
    judgement
}

/// The curve with the least mean distance from another.
fn closest(curves: &Curves, policy: usize) -> Option<usize> {
    let distance = |other: usize| -> f64 {
        (0..curves.len())
            .map(|tick| (curves.mean(policy, tick) - curves.mean(other, tick)).abs())
            .sum()
    };
    let others = POLICIES.into_iter().filter(|other| *other != policy);
    others.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}

fn slowdown_pairs(curves: &Curves) -> Judgement {
    let similar = |tick| similar(curves, &[(PE_W, DU_B), (PE_B, DU_W)], tick);
    let apart = |tick| apart(curves, &[(PEDU_B, PEDU_W)], tick);
    judge(
        "",
        &everywhere(curves, |tick| [similar(tick), apart(tick)].concat()),
    )
}

fn different(curves: &Curves) -> Judgement {
    let pairs = [(PE_W, PE_B), (DU_B, DU_W)];
    judge("", &everywhere(curves, |tick| apart(curves, &pairs, tick)))
}

pub(super) fn against_first_fit(curves: &Curves) -> Judgement {
    let at = |tick| -> Vec<Comparison> {
        let better = [PE_W, DU_B, PEDU_B, PEDU_W]
            .map(|policy| curves.compare(policy, FF, tick, Expected::Above(0.0)));
        let not = [PE_B, DU_W].map(|policy| curves.compare(policy, FF, tick, Expected::NotAbove));
        better.into_iter().chain(not).collect()
    };
    judge("", &everywhere(curves, at))
}

fn best_two(curves: &Curves) -> Judgement {
    let at = |tick| -> Vec<Comparison> {
        let much = SAME * curves.spread(tick);
        let others = [FF, PE_B, DU_W, PEDU_B, PEDU_W];
        let over = |best: usize| {
            others.map(|other| {
                let lead = if other == FF { much } else { 0.0 };
                curves.compare(best, other, tick, Expected::Above(lead))
            })
        };
        [over(PE_W), over(DU_B)].concat()
    };
    judge(&curves.ends(&[PE_W, DU_B, FF]), &everywhere(curves, at))
}

/// FF below all others at every point.
pub(super) fn lowest_slowdown(curves: &Curves) -> Judgement {
    let others = [PE_B, PE_W, DU_B, DU_W, PEDU_B, PEDU_W];
    let at = |tick| -> Vec<Comparison> {
        let compare = |policy| curves.compare(policy, FF, tick, Expected::Above(0.0));
        others.map(compare).to_vec()
    };
    judge(&curves.ends(&[FF]), &everywhere(curves, at))
}

fn overall_rise(curves: &Curves) -> Judgement {
    let last = curves.len().saturating_sub(1);
    let rises: Vec<Comparison> = POLICIES
        .iter()
        .map(|&policy| curves.trend(policy, 0, last, 1.0))
        .collect();
    let mut judgement = judge(&curves.ends(&POLICIES), &rises);
    let falling: Vec<String> = curves
        .steps(&POLICIES, 1.0)
        .iter()
        .filter(|step| step.differences.iter().sum::<f64>() < 0.0)
        .map(|step| step.what.clone())
        .collect();
    if !falling.is_empty() {
        judgement.note.push_str(&format!(
            "Steps that go down on average all the same: {} of {}. ",
            falling.len(),
            curves.steps(&POLICIES, 1.0).len()
        ));
    }
    judgement
}

fn similar(curves: &Curves, pairs: &[(usize, usize)], tick: usize) -> Vec<Comparison> {
    let limit = SAME * curves.spread(tick);
    let compare = |&(a, b): &(usize, usize)| curves.compare(a, b, tick, Expected::Within(limit));
    pairs.iter().map(compare).collect()
}

fn apart(curves: &Curves, pairs: &[(usize, usize)], tick: usize) -> Vec<Comparison> {
    let limit = SAME * curves.spread(tick);
    let compare = |&(a, b): &(usize, usize)| curves.compare(a, b, tick, Expected::Outside(limit));
    pairs.iter().map(compare).collect()
}

/// The comparisons of every tick.
pub(super) fn everywhere(
    curves: &Curves,
    at: impl Fn(usize) -> Vec<Comparison>,
) -> Vec<Comparison> {
    (0..curves.len()).flat_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        against_first_fit, best_two, different, falls, lowest_slowdown, overall_rise, pairs,
        slowdown_pairs,
    };
    use crate::experiment::{
        curves::Curves,
        li::claims::tests::curves,
        rules::{
            Judgement,
            Verdict::{self, Fails, Holds},
        },
    };

    type Rule = fn(&Curves) -> Judgement;

    /// Acceptance and slowdown as the paper draws them: FF, PE_B, PE_W, Du_B, Du_W, PEDu_B, PEDu_W.
    const ACCEPTANCE: [f64; 7] = [0.60, 0.56, 0.70, 0.69, 0.57, 0.64, 0.65];
    const SLOWDOWN: [f64; 7] = [1.1, 1.3, 1.6, 1.58, 1.32, 1.2, 1.5];

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
        let upside_down = ACCEPTANCE.map(|rate| 1.3 - rate);
        let table: [(Rule, [f64; 7], f64, Verdict); 15] = [
            (falls, ACCEPTANCE, -0.02, Holds),
            (falls, ACCEPTANCE, 0.02, Fails),
            (pairs, ACCEPTANCE, 0.0, Holds),
            (
                pairs,
                [0.60, 0.56, 0.70, 0.58, 0.57, 0.64, 0.65],
                0.0,
                Fails,
            ),
            (against_first_fit, ACCEPTANCE, 0.0, Holds),
            (against_first_fit, upside_down, 0.0, Fails),
            (best_two, ACCEPTANCE, 0.0, Holds),
            (best_two, upside_down, 0.0, Fails),
            (different, ACCEPTANCE, 0.0, Holds),
            (
                different,
                [0.60, 0.56, 0.57, 0.69, 0.57, 0.64, 0.65],
                0.0,
                Fails,
            ),
            (overall_rise, SLOWDOWN, 0.1, Holds),
            (overall_rise, SLOWDOWN, -0.1, Fails),
            (lowest_slowdown, SLOWDOWN, 0.0, Holds),
            (lowest_slowdown, SLOWDOWN.map(|value| -value), 0.0, Fails),
            (slowdown_pairs, SLOWDOWN, 0.0, Holds),
        ];
        for (number, (rule, values, slope, verdict)) in table.into_iter().enumerate() {
            assert_eq!(
                rule(&curves(values, slope)).verdict,
                verdict,
                "line {number}"
            );
        }
        let twins = [1.1, 1.3, 1.6, 1.58, 1.32, 1.2, 1.21];
        assert_eq!(slowdown_pairs(&curves(twins, 0.0)).verdict, Fails);
    }
}
