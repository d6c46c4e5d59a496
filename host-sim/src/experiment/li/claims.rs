//! Claims 1.13 to 1.34 about figures 2 to 7, each with its rule.

use super::{
    curves::{lead_grows, linear, same_order, unstable},
    measures::{ACCEPTANCE, DURATION, SIZE, SLOWDOWN, WAIT},
    points::{
        Axis, DU_B, DU_W, FF, FLEXIBILITIES, LOADS, PE_B, PE_W, PEDU_B, PEDU_W, POLICIES, Point,
        SIZES,
    },
};
use crate::experiment::{
    By, Claim, Curves, Falls, Finding, Kind, Rises, Row, Samples, Test, Way, above, above_by,
    alike, apart, claim, not_above, parts,
};
use crate::statistics::Verdict;

/// Two curves look the same, or clearly different, by this share of the distance from the lowest to the highest of all seven.
const SAME: By = By::Spread(0.25, &POLICIES);
/// What looks the same in figure 2.
const PAIRS: [(usize, usize); 3] = [(PE_W, DU_B), (PEDU_B, PEDU_W), (PE_B, DU_W)];

/// The claims.
pub(super) fn claims(runs: &Samples<Point>) -> Vec<Claim> {
    use Kind::{Number, Order, Trend};
    let along = |name, axis: Axis, measure| {
        Curves::one(name, runs.panel((axis.name, ""), &axis.points(), &measure))
    };
    let acceptance_2 = along("acceptance by UMed", SIZES, ACCEPTANCE);
    let slowdown_3 = along("slowdown by UMed", SIZES, SLOWDOWN);
    let acceptance_4 = along("acceptance by load", LOADS, ACCEPTANCE);
    let slowdown_5 = along("slowdown by load", LOADS, SLOWDOWN);
    let acceptance_6 = along("acceptance by flexibility", FLEXIBILITIES, ACCEPTANCE);
    let slowdown_7 = along("slowdown by flexibility", FLEXIBILITIES, SLOWDOWN);
    let wait_by_size = along("wait by UMed", SIZES, WAIT);
    let wait_by_load = along("wait by load", LOADS, WAIT);
    let jobs = [("size", 0, &SIZE), ("duration", 0, &DURATION)];
    let jobs = runs.panel_of((SIZES.name, ""), &SIZES.points(), &jobs);
    let jobs = Curves::one("jobs by UMed", jobs);
    let as_figure_3 = [
        alike(PE_W, DU_B, SAME),
        alike(PE_B, DU_W, SAME),
        apart(PEDU_B, PEDU_W, SAME),
    ];
    let better = [PE_W, DU_B, PEDU_B, PEDU_W].map(|policy| above(policy, FF));
    let no_better = [PE_B, DU_W].map(|policy| not_above(policy, FF));
    let much_better = [PE_W, DU_B].map(|best| above_by(best, FF, SAME));
    let best = |best| [PE_B, DU_W, PEDU_B, PEDU_W].map(|other| above(best, other));
    vec![
        claim("1.13", Trend, "Figure 2: acceptance of every policy falls gradually as UMed rises from 5 to 9.", "falling in every step",
            all_steps(&acceptance_2, Falls)),
        claim("1.14", Trend, "Mean size and mean duration of the jobs rise with UMed.", "rising in every step",
            jobs.steps(&[0, 1], Rises).opening(jobs.ends(&[0, 1]))),
        claim("1.15", Order, "Figure 2: three pairs behave almost identically.", "PE_W ~ Du_B, PEDu_B ~ PEDu_W, PE_B ~ Du_W",
            acceptance_2.everywhere(PAIRS.map(|(a, b)| alike(a, b, SAME))))
            .pointwise()
            .with(closest(&acceptance_2))
            .fails_since("The paper has three pairs of curves lie upon each other. Here two pairs do, while pe-duration-best-fit accepts clearly less than pe-duration-worst-fit. Most other readings of the paper show the same; the cause is not known."),
        claim("1.16", Order, "Figure 2: four policies accept more than first-fit, pe-best-fit and duration-worst-fit do not.", "PE_W, Du_B, PEDu_B, PEDu_W > FF >= PE_B, Du_W",
            acceptance_2.everywhere([&better[..], &no_better].concat()))
            .pointwise(),
        claim("1.17", Order, "Figure 2: pe-worst-fit and duration-best-fit accept much more than first-fit and most of all at every UMed.", "PE_W, Du_B > all others; much more than FF",
            acceptance_2.everywhere([&much_better[..], &best(PE_W), &best(DU_B)].concat()).opening(acceptance_2.ends(&[PE_W, DU_B, FF])))
            .pointwise(),
        claim("1.18", Order, "Figure 2: best and worst fit by PEs differ clearly, and so do those by duration.", "PE_B # PE_W, Du_B # Du_W",
            acceptance_2.everywhere([apart(PE_W, PE_B, SAME), apart(DU_B, DU_W, SAME)]))
            .pointwise(),
        claim("1.19", Trend, "Figure 3: slowdown of every policy rises in general with UMed.", "higher at UMed 9 than at 5",
            all_ends(&slowdown_3, Rises))
            .with([falling_steps(&slowdown_3)])
            .remark("\"In general\" is read as from the first point to the last."),
        claim("1.20", Order, "Figure 3: first-fit has the lowest slowdown everywhere.", "FF below all others",
            slows_least(&slowdown_3))
            .pointwise(),
        claim("1.21", Order, "Figure 3: pe-worst-fit and duration-best-fit are similar, pe-best-fit and duration-worst-fit are similar, pe-duration-best-fit and pe-duration-worst-fit are not.", "PE_W ~ Du_B, PE_B ~ Du_W, PEDu_B # PEDu_W",
            slowdown_3.everywhere(as_figure_3))
            .pointwise(),
        claim("1.22", Trend, "Figure 4: acceptance of every policy falls as the arrival factor rises.", "falling in every step",
            all_steps(&acceptance_4, Falls)),
        claim("1.23", Trend, "Figure 5: slowdown of every policy rises with the arrival factor.", "rising in every step",
            all_steps(&slowdown_5, Rises)),
        claim("1.24", Order, "Figures 4 and 5: the policies keep the order of figures 2 and 3.", "similar relative performance",
            same_order([("figure 4", &acceptance_2, &acceptance_4), ("figure 5", &slowdown_3, &slowdown_5)]))
            .remark("Means of all replications are ranked; curves that nearly coincide may swap ranks."),
        claim("1.25", Trend, "Figure 6: acceptance of pe-worst-fit, duration-best-fit and pe-duration-best-fit rises almost linearly with the factors.", "linear, rising",
            linear(acceptance_6.first()))
            .fails_since("The paper draws almost straight lines. Here the last step of flexibility gains much less than the first, probably since fewer requests are left that it can help. The paper does not print its load, which would tell."),
        claim("1.26", Order, "Figure 6: the gains of first-fit, pe-best-fit, duration-worst-fit and pe-duration-worst-fit are not stable, especially at {4,4}.", "unstable, most at {4,4}",
            unstable(acceptance_6.first()))
            .fails_since("The paper sees the gains of four policies jump, most of all at {4,4}. Here at least one of them rises steadily, or hardly one bends there. The paper does not say how often it ran each point; in some of our single replications there are such jumps, too, so that its own may be chance."),
        claim("1.27", Order, "Figure 6: pe-worst-fit accepts most of all at every level.", "PE_W above all others",
            accepts_most(&acceptance_6))
            .pointwise(),
        claim("1.28", Order, "Figure 6: pe-worst-fit's lead over duration-best-fit grows with flexibility.", "lead grows",
            lead_grows(acceptance_6.first())),
        claim("1.29", Trend, "Figure 7: slowdown of every policy rises with flexibility.", "rising in every step",
            all_steps(&slowdown_7, Rises)),
        claim("1.30", Order, "Figure 7: first-fit has the lowest slowdown at every level.", "FF below all others",
            slows_least(&slowdown_7))
            .pointwise(),
        claim("1.31", Number, "Figure 7: every slowdown lies on the axis from 1.0 to 2.0.", "[1.0, 2.0]",
            slowdown_7.range(1.0, 2.0))
            .pointwise()
            .fails_since("The axis of the paper ends at 2.0. Here pe-duration-worst-fit lies a little above that where jobs have the most freedom, in most other readings of the paper as well. The weights of run times and the arrivals, which the paper does not print, may be the cause."),
        claim("1.32", Order, "Over all experiments pe-worst-fit has the highest acceptance and first-fit the lowest slowdown.", "PE_W highest acceptance, FF lowest slowdown",
            parts([
                ("figure 2", accepts_most(&acceptance_2)),
                ("figure 3", slows_least(&slowdown_3)),
                ("figure 4", accepts_most(&acceptance_4)),
                ("figure 5", slows_least(&slowdown_5)),
                ("figure 6", accepts_most(&acceptance_6)),
                ("figure 7", slows_least(&slowdown_7)),
            ]))
            .pointwise(),
        claim("1.33", Trend, "Larger jobs and more load mean lower acceptance and longer waiting.", "acceptance falls, waiting rises",
            parts([
                ("acceptance by UMed", all_steps(&acceptance_2, Falls)),
                ("wait by UMed", all_ends(&wait_by_size, Rises)),
                ("acceptance by load", all_steps(&acceptance_4, Falls)),
                ("wait by load", all_ends(&wait_by_load, Rises)),
            ])),
        claim("1.34", Trend, "Higher factors relieve the competition between jobs.", "acceptance of all policies rises with flexibility",
            all_steps(&acceptance_6, Rises)),
    ]
}

/// All curves, in every step.
fn all_steps(curves: &Curves, way: Way) -> Finding {
    curves.steps(&POLICIES, way).opening(curves.ends(&POLICIES))
}

/// All curves, from the first point to the last.
fn all_ends(curves: &Curves, way: Way) -> Finding {
    let found = curves.first_to_last(&POLICIES, way);
    found.opening(curves.ends(&POLICIES))
}

/// PE worst fit above all others.
fn accepts_most(curves: &Curves) -> Finding {
    let found = curves.everywhere(others(PE_W, |other| above(PE_W, other)));
    found.opening(curves.ends(&[PE_W]))
}

/// First fit below all others.
fn slows_least(curves: &Curves) -> Finding {
    let found = curves.everywhere(others(FF, |other| above(other, FF)));
    found.opening(curves.ends(&[FF]))
}

fn others(one: usize, test: impl Fn(usize) -> Test) -> Vec<Test> {
    let others = POLICIES.into_iter().filter(|policy| *policy != one);
    others.map(test).collect()
}

/// Of each policy of the pairs the curve with the least mean distance from it.
fn closest(curves: &Curves) -> Vec<Row> {
    let panel = curves.first();
    let distance = |one: usize, other: usize| -> f64 {
        let at = |tick| (panel.mean(one, tick) - panel.mean(other, tick)).abs();
        (0..panel.len()).map(at).sum()
    };
    let closest = |(one, other): (usize, usize)| {
        let others = POLICIES.into_iter().filter(|other| *other != one);
        let found = others.min_by(|&a, &b| distance(one, a).total_cmp(&distance(one, b)));
        let found = found.unwrap_or(one);
        Row::verdict(
            format!("the curve closest to {}", curves.names(&[one])),
            curves.names(&[found]),
            Verdict::of(found == other),
        )
    };
    let both = PAIRS.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]);
    both.map(closest).collect()
}

/// How many single steps of figure 3 go down on average all the same.
fn falling_steps(curves: &Curves) -> Row {
    let found = curves.steps(&POLICIES, Rises).comparisons;
    let down = found.iter().filter(|step| step.estimate().mean < 0.0);
    let value = format!("{} of {}", down.count(), found.len());
    Row::fact("single steps that go down on average", value)
}

#[cfg(test)]
mod tests {
    use bookahead::Policy;

    use super::{ACCEPTANCE as ACCEPTED, PE_W, claims};
    use crate::experiment::{
        Samples,
        claims::tests::verdict,
        li::{
            measures::MEASURES,
            points::{DEFAULT, FLEXIBILITIES, LOADS, Point, SIZES, all},
        },
    };
    use crate::statistics::Verdict::{self, Fails, Holds, Undecidable};

    /// Acceptance and slowdown as the paper draws them: FF, PE_B, PE_W, Du_B, Du_W, PEDu_B, PEDu_W.
    const ACCEPTANCE: [f64; 7] = [0.60, 0.56, 0.70, 0.69, 0.57, 0.64, 0.65];
    const SLOWDOWN: [f64; 7] = [1.1, 1.3, 1.6, 1.58, 1.32, 1.2, 1.5];

    /// Where a point lies on its axis, counted from its first value. The axes cross at their middles.
    fn place(point: Point) -> usize {
        let on = |(_, other): &(_, Point)| *other == point;
        let axes = [SIZES, LOADS, FLEXIBILITIES].map(|axis| axis.points().iter().position(on));
        axes.into_iter().flatten().next().unwrap()
    }

    /// Acceptance, and of all other measures slowdown, by policy and point; with a little noise that all share.
    fn drawn(value: impl Fn(usize, Point) -> [f64; 2]) -> Samples<Point> {
        let names = Policy::ALL.map(Policy::name);
        Samples::drawn(&names, &MEASURES, all(), |measure, policy, point, run| {
            let own = 1.0 + policy as f64 + 3.0 * (place(point) % 2) as f64;
            let noise = if run.is_multiple_of(2) { 1e-4 } else { -1e-4 };
            value(policy, point)[usize::from(measure.name != ACCEPTED.name)] + own * noise
        })
    }

    /// All figures of acceptance and of slowdown, with what each step adds to each.
    fn figures(acceptance: [f64; 7], slowdown: [f64; 7], steps: [f64; 2]) -> Samples<Point> {
        shaped(acceptance, slowdown, |tick| {
            steps.map(|step| step * tick as f64)
        })
    }

    fn shaped(
        acceptance: [f64; 7],
        slowdown: [f64; 7],
        shape: impl Fn(usize) -> [f64; 2],
    ) -> Samples<Point> {
        drawn(|policy, point| {
            let [accepts, slows] = shape(place(point));
            [acceptance[policy] + accepts, slowdown[policy] + slows]
        })
    }

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
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
            assert_eq!(verdict(claims, id, &drawn()), Holds, "{id}");
            assert_eq!(verdict(claims, id, &opposite()), Fails, "{id}");
        }
        for id in ["1.15", "1.18", "1.21"] {
            assert_eq!(verdict(claims, id, &drawn()), Holds, "{id}");
        }
        let moved = |acceptance, slowdown| figures(acceptance, slowdown, [0.0, 0.0]);
        let cases: [(&str, Samples<Point>, Verdict); 7] = [
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
            assert_eq!(verdict(claims, id, &panels), expected, "{id}");
        }
    }

    #[test]
    fn shapes_of_curves_are_told_apart() {
        let straight = |step| figures(ACCEPTANCE, SLOWDOWN, [step, 0.0]);
        let bent = |shape: [f64; 5]| shaped([0.5; 7], SLOWDOWN, |tick| [shape[tick], 0.0]);
        let lines = [
            (straight(0.02), Holds),
            (straight(-0.02), Fails),
            (bent([0.0, 0.02, 0.04, 0.0, 0.08]), Fails),
            (bent([0.0, 0.08, 0.12, 0.14, 0.15]), Fails),
        ];
        for (panels, expected) in lines {
            assert_eq!(verdict(claims, "1.25", &panels), expected);
        }
        let unstable = [
            (straight(0.02), Fails),
            (bent([0.0, 0.02, 0.04, 0.0, 0.08]), Holds),
            (bent([0.0, 0.08, 0.0, 0.04, 0.06]), Fails),
        ];
        for (panels, expected) in unstable {
            assert_eq!(verdict(claims, "1.26", &panels), expected);
        }
    }

    #[test]
    fn leads_grow_shrink_or_stay_and_orders_agree_or_not() {
        let lead = |growth: f64| {
            let runs = drawn(|policy, point| {
                let tick = [0, place(point)][usize::from(policy == PE_W)];
                [ACCEPTANCE[policy] + growth * tick as f64, 1.0]
            });
            verdict(claims, "1.28", &runs)
        };
        assert_eq!(
            [lead(0.01), lead(-0.01), lead(0.0)],
            [Holds, Fails, Undecidable]
        );
        // Where the load is not the default, policies have another order.
        let order = |other: [f64; 7]| {
            let runs = drawn(|policy, point| {
                let by_size = point.arrival == DEFAULT.arrival;
                [[other, ACCEPTANCE][usize::from(by_size)][policy]; 2]
            });
            verdict(claims, "1.24", &runs)
        };
        assert_eq!(order(ACCEPTANCE), Holds);
        assert_eq!(order(ACCEPTANCE.map(|rate| -rate)), Fails);
        assert_eq!(
            order([0.60, 0.66, 0.70, 0.69, 0.57, 0.64, 0.65]),
            Undecidable
        );
    }
}
