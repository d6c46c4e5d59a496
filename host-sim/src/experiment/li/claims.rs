//! Claims 1.13 to 1.34 about figures 2 to 7, each with its rule.

use super::{
    curves::{lead_grows, linear, same_order, unstable},
    measures::{
        ACCEPTANCE_BY_FLEXIBILITY as ACCEPTANCE_6, ACCEPTANCE_BY_LOAD as ACCEPTANCE_4,
        ACCEPTANCE_BY_SIZE as ACCEPTANCE_2, JOBS_BY_SIZE, SLOWDOWN_BY_FLEXIBILITY as SLOWDOWN_7,
        SLOWDOWN_BY_LOAD as SLOWDOWN_5, SLOWDOWN_BY_SIZE as SLOWDOWN_3, WAIT_BY_LOAD, WAIT_BY_SIZE,
    },
    points::{DU_B, DU_W, FF, PE_B, PE_W, PEDU_B, PEDU_W, POLICIES},
};
use crate::experiment::{
    By, Claim, Falls, Panels, Rises, Row, Rule, Test, View, Way, above, above_by, alike, apart,
    ends, everywhere, not_above, range, steps,
};
use crate::statistics::Verdict;

/// Two curves look the same, or clearly different, by this share of the distance from the lowest to the highest of all seven.
const SAME: By = By::Spread(0.25, &POLICIES);
/// What looks the same in figure 2.
const PAIRS: [(usize, usize); 3] = [(PE_W, DU_B), (PEDU_B, PEDU_W), (PE_B, DU_W)];

/// The claims.
pub(super) fn claims() -> Vec<Claim> {
    let pairs_2 = PAIRS.map(|(a, b)| alike(a, b, SAME));
    let apart_2 = [apart(PE_W, PE_B, SAME), apart(DU_B, DU_W, SAME)];
    let pairs_3 = [
        alike(PE_W, DU_B, SAME),
        alike(PE_B, DU_W, SAME),
        apart(PEDU_B, PEDU_W, SAME),
    ];
    let everywhere_best = [
        ("figure 2", accepts_most(ACCEPTANCE_2)),
        ("figure 3", slows_least(SLOWDOWN_3)),
        ("figure 4", accepts_most(ACCEPTANCE_4)),
        ("figure 5", slows_least(SLOWDOWN_5)),
        ("figure 6", accepts_most(ACCEPTANCE_6)),
        ("figure 7", slows_least(SLOWDOWN_7)),
    ];
    let scarcer = [
        ("acceptance by UMed", all_steps(ACCEPTANCE_2, Falls)),
        ("wait by UMed", all_ends(WAIT_BY_SIZE, Rises)),
        ("acceptance by load", all_steps(ACCEPTANCE_4, Falls)),
        ("wait by load", all_ends(WAIT_BY_LOAD, Rises)),
    ];
    let jobs = steps(JOBS_BY_SIZE, &[0, 1], Rises).opening(|p| p.ends(JOBS_BY_SIZE, &[0, 1]));
    vec![
        Claim::along("1.13", all_steps(ACCEPTANCE_2, Falls)),
        Claim::along("1.14", jobs),
        Claim::along("1.15", everywhere(ACCEPTANCE_2, pairs_2))
            .pointwise()
            .with(closest),
        Claim::along("1.16", everywhere(ACCEPTANCE_2, against_first_fit())).pointwise(),
        Claim::along("1.17", best_two()).pointwise(),
        Claim::along("1.18", everywhere(ACCEPTANCE_2, apart_2)).pointwise(),
        Claim::along("1.19", all_ends(SLOWDOWN_3, Rises))
            .with(falling_steps)
            .remark("\"In general\" is read as from the first point to the last."),
        Claim::along("1.20", slows_least(SLOWDOWN_3)).pointwise(),
        Claim::along("1.21", everywhere(SLOWDOWN_3, pairs_3)).pointwise(),
        Claim::along("1.22", all_steps(ACCEPTANCE_4, Falls)),
        Claim::along("1.23", all_steps(SLOWDOWN_5, Rises)),
        Claim::along("1.24", same_order()).remark(
            "Means of all replications are ranked; curves that nearly coincide may swap ranks.",
        ),
        Claim::along("1.25", linear()),
        Claim::along("1.26", unstable()),
        Claim::along("1.27", accepts_most(ACCEPTANCE_6)).pointwise(),
        Claim::along("1.28", lead_grows()),
        Claim::along("1.29", all_steps(SLOWDOWN_7, Rises)),
        Claim::along("1.30", slows_least(SLOWDOWN_7)).pointwise(),
        Claim::along("1.31", range(SLOWDOWN_7, 1.0, 2.0)).pointwise(),
        Claim::parts("1.32", everywhere_best).pointwise(),
        Claim::parts("1.33", scarcer),
        Claim::along("1.34", all_steps(ACCEPTANCE_6, Rises)),
    ]
}

/// All curves, in every step.
fn all_steps(view: View, way: Way) -> Rule {
    steps(view, &POLICIES, way).opening(move |p| p.ends(view, &POLICIES))
}

/// All curves, from the first point to the last.
fn all_ends(view: View, way: Way) -> Rule {
    ends(view, &POLICIES, way).opening(move |p| p.ends(view, &POLICIES))
}

fn against_first_fit() -> Vec<Test> {
    let better = [PE_W, DU_B, PEDU_B, PEDU_W].map(|policy| above(policy, FF));
    let not = [PE_B, DU_W].map(|policy| not_above(policy, FF));
    better.into_iter().chain(not).collect()
}

/// "Much" more than first fit, and more than the others.
fn best_two() -> Rule {
    let much = [PE_W, DU_B].map(|best| above_by(best, FF, SAME));
    let over = |best| [PE_B, DU_W, PEDU_B, PEDU_W].map(|other| above(best, other));
    let tests = [PE_W, DU_B].map(over).concat();
    let both = everywhere(ACCEPTANCE_2, [&much[..], &tests[..]].concat());
    both.opening(|p| p.ends(ACCEPTANCE_2, &[PE_W, DU_B, FF]))
}

/// PE worst fit above all others.
fn accepts_most(view: View) -> Rule {
    let rule = everywhere(view, others(PE_W, |other| above(PE_W, other)));
    rule.opening(move |p| p.ends(view, &[PE_W]))
}

/// First fit below all others.
fn slows_least(view: View) -> Rule {
    let rule = everywhere(view, others(FF, |other| above(other, FF)));
    rule.opening(move |p| p.ends(view, &[FF]))
}

fn others(one: usize, test: impl Fn(usize) -> Test) -> Vec<Test> {
    let others = POLICIES.into_iter().filter(|policy| *policy != one);
    others.map(test).collect()
}

/// Of each policy of the pairs the curve with the least mean distance from it.
fn closest(panels: &Panels) -> Vec<Row> {
    let panel = panels.first(ACCEPTANCE_2);
    let distance = |one: usize, other: usize| -> f64 {
        let at = |tick| (panel.mean(one, tick) - panel.mean(other, tick)).abs();
        (0..panel.len()).map(at).sum()
    };
    let closest = |(one, other): (usize, usize)| {
        let others = POLICIES.into_iter().filter(|other| *other != one);
        let found = others.min_by(|&a, &b| distance(one, a).total_cmp(&distance(one, b)));
        let found = found.unwrap_or(one);
        Row::verdict(
            format!("the curve closest to {}", panel.names[one]),
            &panel.names[found],
            Verdict::of(found == other),
        )
    };
    let both = PAIRS.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    both.map(closest).collect()
}

/// How many single steps of figure 3 go down on average all the same.
fn falling_steps(panels: &Panels) -> Vec<Row> {
    let found = steps(SLOWDOWN_3, &POLICIES, Rises).look(panels).comparisons;
    let down = found.iter().filter(|step| step.estimate().mean < 0.0);
    let value = format!("{} of {}", down.count(), found.len());
    vec![Row::fact("single steps that go down on average", value)]
}

#[cfg(test)]
mod tests {
    use bookahead::Policy;

    use super::{
        ACCEPTANCE_2, ACCEPTANCE_4, ACCEPTANCE_6, SLOWDOWN_3, SLOWDOWN_5, SLOWDOWN_7, claims,
    };
    use crate::experiment::{
        Panel, Panels,
        claims::tests::verdict,
        li::points::{Axis, FLEXIBILITIES, LOADS, SIZES},
    };
    use crate::statistics::Verdict::{self, Fails, Holds, Undecidable};

    /// Acceptance and slowdown as the paper draws them: FF, PE_B, PE_W, Du_B, Du_W, PEDu_B, PEDu_W.
    const ACCEPTANCE: [f64; 7] = [0.60, 0.56, 0.70, 0.69, 0.57, 0.64, 0.65];
    const SLOWDOWN: [f64; 7] = [1.1, 1.3, 1.6, 1.58, 1.32, 1.2, 1.5];

    /// Seven curves over five ticks, with a little noise that all share and that differs in sign between replications.
    fn panel(axis: Axis, value: impl Fn(usize, usize) -> f64) -> Panel {
        let at = |policy: usize, tick: usize| -> Vec<f64> {
            let own = 1.0 + policy as f64 + 3.0 * (tick % 2) as f64;
            let noise = |run: usize| if run.is_multiple_of(2) { 1e-4 } else { -1e-4 };
            (0..6)
                .map(|run| value(policy, tick) + own * noise(run))
                .collect()
        };
        Panel {
            axis: axis.name,
            ticks: axis.points().into_iter().map(|(tick, _)| tick).collect(),
            names: Policy::ALL.map(|policy| policy.name().to_owned()).to_vec(),
            samples: (0..7)
                .map(|policy| (0..5).map(|tick| at(policy, tick)).collect())
                .collect(),
            ..Panel::default()
        }
    }

    /// All figures of acceptance and of slowdown, with what each step adds to each.
    fn figures(acceptance: [f64; 7], slowdown: [f64; 7], steps: [f64; 2]) -> Panels {
        shaped(acceptance, slowdown, |tick| {
            steps.map(|step| step * tick as f64)
        })
    }

    fn shaped(
        acceptance: [f64; 7],
        slowdown: [f64; 7],
        shape: impl Fn(usize) -> [f64; 2],
    ) -> Panels {
        let views = [
            (SIZES, [ACCEPTANCE_2, SLOWDOWN_3]),
            (LOADS, [ACCEPTANCE_4, SLOWDOWN_5]),
            (FLEXIBILITIES, [ACCEPTANCE_6, SLOWDOWN_7]),
        ];
        let both = |(axis, [accepted, slowed]): (Axis, [&'static str; 2])| {
            let accepts = |policy: usize, tick| acceptance[policy] + shape(tick)[0];
            let slows = |policy: usize, tick| slowdown[policy] + shape(tick)[1];
            [
                (accepted, vec![panel(axis, accepts)]),
                (slowed, vec![panel(axis, slows)]),
            ]
        };
        Panels::new(views.into_iter().flat_map(both))
    }

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
        let claims = claims();
        let drawn = || figures(ACCEPTANCE, SLOWDOWN, [-0.02, 0.02]);
        let opposite = || {
            figures(
                ACCEPTANCE.map(|rate| 1.3 - rate),
                SLOWDOWN.map(|slow| -slow),
                [0.02, -0.6],
            )
        };
        for id in [
            "1.13", "1.16", "1.17", "1.19", "1.20", "1.22", "1.23", "1.27", "1.29", "1.30", "1.31",
            "1.32",
        ] {
            assert_eq!(verdict(&claims, id, &drawn()), Holds, "{id}");
            assert_eq!(verdict(&claims, id, &opposite()), Fails, "{id}");
        }
        for id in ["1.15", "1.18", "1.21"] {
            assert_eq!(verdict(&claims, id, &drawn()), Holds, "{id}");
        }
        let moved = |acceptance, slowdown| figures(acceptance, slowdown, [0.0, 0.0]);
        let cases: [(&str, Panels, Verdict); 7] = [
            (
                "1.15",
                moved([0.60, 0.56, 0.70, 0.58, 0.57, 0.64, 0.65], SLOWDOWN),
                Fails,
            ),
            (
                "1.18",
                moved([0.60, 0.56, 0.57, 0.69, 0.57, 0.64, 0.65], SLOWDOWN),
                Fails,
            ),
            (
                "1.21",
                moved(ACCEPTANCE, [1.1, 1.3, 1.6, 1.58, 1.32, 1.2, 1.21]),
                Fails,
            ),
            (
                "1.27",
                moved([0.60, 0.56, 0.70, 0.75, 0.57, 0.64, 0.65], SLOWDOWN),
                Fails,
            ),
            (
                "1.31",
                moved(ACCEPTANCE, SLOWDOWN.map(|slow| slow + 0.5)),
                Fails,
            ),
            (
                "1.32",
                moved([0.6, 0.5, 0.4, 0.6, 0.5, 0.6, 0.6], SLOWDOWN),
                Fails,
            ),
            ("1.34", figures(ACCEPTANCE, SLOWDOWN, [0.02, 0.0]), Holds),
        ];
        for (id, panels, expected) in cases {
            assert_eq!(verdict(&claims, id, &panels), expected, "{id}");
        }
    }

    #[test]
    fn shapes_of_curves_are_told_apart() {
        let claims = claims();
        let straight = |step| figures(ACCEPTANCE, SLOWDOWN, [step, 0.0]);
        let bent = |shape: [f64; 5]| shaped([0.5; 7], SLOWDOWN, |tick| [shape[tick], 0.0]);
        let lines = [
            (straight(0.02), Holds),
            (straight(-0.02), Fails),
            (bent([0.0, 0.02, 0.04, 0.0, 0.08]), Fails),
            (bent([0.0, 0.08, 0.12, 0.14, 0.15]), Fails),
        ];
        for (panels, expected) in lines {
            assert_eq!(verdict(&claims, "1.25", &panels), expected);
        }
        let unstable = [
            (straight(0.02), Fails),
            (bent([0.0, 0.02, 0.04, 0.0, 0.08]), Holds),
            (bent([0.0, 0.08, 0.0, 0.04, 0.06]), Fails),
        ];
        for (panels, expected) in unstable {
            assert_eq!(verdict(&claims, "1.26", &panels), expected);
        }
    }

    #[test]
    fn leads_grow_shrink_or_stay_and_orders_agree_or_not() {
        let claims = claims();
        let lead = |growth: f64| {
            let value = |policy: usize, tick: usize| {
                ACCEPTANCE[policy]
                    + if policy == super::PE_W {
                        growth * tick as f64
                    } else {
                        0.0
                    }
            };
            let panels = Panels::new([(ACCEPTANCE_6, vec![panel(FLEXIBILITIES, value)])]);
            verdict(&claims, "1.28", &panels)
        };
        assert_eq!(
            [lead(0.01), lead(-0.01), lead(0.0)],
            [Holds, Fails, Undecidable]
        );
        let order = |other: [f64; 7]| {
            let sizes = |axis, values: [f64; 7]| vec![panel(axis, |policy, _| values[policy])];
            let panels = Panels::new([
                (ACCEPTANCE_2, sizes(SIZES, ACCEPTANCE)),
                (ACCEPTANCE_4, sizes(LOADS, other)),
                (SLOWDOWN_3, sizes(SIZES, ACCEPTANCE)),
                (SLOWDOWN_5, sizes(LOADS, other)),
            ]);
            verdict(&claims, "1.24", &panels)
        };
        assert_eq!(order(ACCEPTANCE), Holds);
        assert_eq!(order(ACCEPTANCE.map(|rate| -rate)), Fails);
        assert_eq!(
            order([0.60, 0.66, 0.70, 0.69, 0.57, 0.64, 0.65]),
            Undecidable
        );
    }
}
