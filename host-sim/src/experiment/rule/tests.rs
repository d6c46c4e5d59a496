use super::{
    At, By, Rule, Way, above, above_by, alike, apart, compare, ends, everywhere, not_above, steps,
};
use crate::experiment::{
    comparison::{Judgement, Verdict},
    panel::{Panel, Panels, Tick},
};

const VIEW: &str = "view";

/// Two panels with two series over three points, and a little noise that differs between replications.
fn panels(value: impl Fn(usize, usize) -> f64) -> Panels {
    let panel = |place: &str| Panel {
        place: place.to_owned(),
        axis: "x",
        unit: "h",
        ticks: [0.0, 1.0, 2.0].map(Tick::number).to_vec(),
        value_unit: "s",
        names: ["a", "b"].map(str::to_owned).to_vec(),
        samples: (0..2)
            .map(|series| {
                let at = |tick: usize| {
                    [1e-6, -1e-6].map(|noise| value(series, tick) + noise * (1 + series) as f64)
                };
                (0..3).map(|tick| at(tick).to_vec()).collect()
            })
            .collect(),
    };
    Panels::new([
        (VIEW, vec![panel("first"), panel("second")]),
        ("counted", vec![panel("")]),
    ])
}

fn verdict(rule: &Rule, value: impl Fn(usize, usize) -> f64) -> Verdict {
    Judgement::of(String::new(), rule.look(&panels(value))).verdict
}

#[test]
fn every_rule_can_hold_and_fail_and_prints_what_decides() {
    let trend = |way| steps(VIEW, &[0], way);
    let number = Rule::Number {
        view: VIEW,
        series: 0,
        claimed: 7.0,
        within: 0.5,
        counted: "counted",
        least: 5.0,
    };
    let flat = Rule::Flat {
        view: VIEW,
        series: 0,
        within: 0.75,
    };
    let range = Rule::Range {
        view: VIEW,
        low: 0.25,
        high: 8.5,
    };
    let mostly = Rule::Mostly {
        view: VIEW,
        pairs: vec![(0, 1)],
    };
    let shift = Rule::Shift {
        view: VIEW,
        series: 0,
        from: 1.5,
    };
    let falls = Rule::AnyFalls {
        view: VIEW,
        series: 0,
    };
    const SPREAD: By = By::Spread(0.125, &[0, 1]);
    type Value = fn(usize, usize) -> f64;
    let table: [(Rule, &str, Value, Value); 18] = [
        (
            everywhere(VIEW, vec![above(0, 1)]),
            "a above b",
            |s, _| 2.0 - s as f64,
            |s, _| s as f64,
        ),
        (
            everywhere(VIEW, vec![above_by(0, 1, By::Fixed(0.375))]),
            "0.375",
            |s, _| 2.0 - s as f64,
            |s, _| 0.25 * (2 - s) as f64,
        ),
        (
            everywhere(VIEW, vec![not_above(0, 1)]),
            "not above b",
            |s, _| s as f64,
            |s, _| 2.0 - s as f64,
        ),
        (
            everywhere(VIEW, vec![alike(0, 1, By::Fixed(0.625))]),
            "0.625",
            |s, _| 0.5 * s as f64,
            |s, _| s as f64,
        ),
        (
            everywhere(VIEW, vec![apart(0, 1, By::Fixed(0.5))]),
            "more than 0.5",
            |s, _| s as f64,
            |_, _| 1.0,
        ),
        (
            everywhere(VIEW, vec![above_by(0, 1, SPREAD)]),
            "0.125 of the distance",
            |s, _| 2.0 - s as f64,
            |s, _| s as f64,
        ),
        (
            compare(VIEW, At::Beyond(0.5), vec![above(0, 1)]),
            "beyond 0.5",
            |s, t| (s * 9 * usize::from(t == 0)) as f64 - s as f64,
            |s, _| s as f64,
        ),
        (
            compare(VIEW, At::Mean, vec![above(0, 1)]),
            "over each axis",
            |s, t| if s == t { 0.0 } else { 2.0 - s as f64 },
            |s, _| s as f64,
        ),
        (
            compare(VIEW, At::Mean, vec![above_by(0, 1, By::Share(0.25, 1))]),
            "0.25 of it",
            |s, _| 3.0 - s as f64,
            |s, _| 9.0 - s as f64,
        ),
        (
            compare(VIEW, At::MeanBelow(1.5), vec![above(0, 1)]),
            "below 1.5",
            |s, t| (s * 99 * usize::from(t == 2)) as f64 - s as f64,
            |s, _| s as f64,
        ),
        (
            compare(VIEW, At::MeanOfAll, vec![above(0, 1)]),
            "over all points",
            |s, _| 2.0 - s as f64,
            |s, _| s as f64,
        ),
        (
            trend(Way::Rises),
            "rise in every step",
            |_, t| t as f64,
            |_, t| (t % 2) as f64,
        ),
        (
            ends(VIEW, &[0], Way::Falls),
            "fall from the first",
            |_, t| [3.0, 9.0, 1.0][t],
            |_, t| t as f64,
        ),
        (shift, "from 1.5 on", |_, t| t as f64, |_, t| -(t as f64)),
        (
            flat,
            "by 0.75 at most",
            |_, t| 0.5 * t as f64,
            |_, t| t as f64,
        ),
        (number, "is 7, give or take 0.5", |_, _| 7.25, |_, _| 9.0),
        (
            range,
            "from 0.25 to 8.5",
            |_, t| 1.0 + t as f64,
            |_, t| 9.0 * t as f64,
        ),
        (
            mostly,
            "at more than half of all points",
            |s, t| if t == 0 { 0.0 } else { 2.0 - s as f64 },
            |s, t| if t == 0 { 2.0 - s as f64 } else { s as f64 },
        ),
    ];
    for (rule, words, good, bad) in table {
        let printed = rule.words(&panels(good));
        assert!(
            printed.contains(words) && printed.contains(VIEW) | printed.contains("points"),
            "{printed}"
        );
        assert_eq!(verdict(&rule, good), Verdict::Holds, "{printed}");
        assert_eq!(verdict(&rule, bad), Verdict::Fails, "{printed}");
    }
    assert_eq!(verdict(&falls, |_, t| -(t as f64)), Verdict::Holds);
    assert_eq!(verdict(&falls, |_, t| t as f64), Verdict::Fails);
    assert_eq!(verdict(&falls, |_, _| 1.0), Verdict::Undecidable);
}

#[test]
fn a_share_of_few_cases_stays_open() {
    let number = |least| Rule::Number {
        view: VIEW,
        series: 0,
        claimed: 7.0,
        within: 0.5,
        counted: "counted",
        least,
    };
    assert_eq!(verdict(&number(6.0), |_, _| 7.0), Verdict::Holds);
    assert_eq!(verdict(&number(8.0), |_, _| 7.0), Verdict::Undecidable);
}

#[test]
fn all_of_several_rules_is_as_good_as_its_worst() {
    let two = |second| {
        Rule::All(vec![
            everywhere(VIEW, vec![above(0, 1)]),
            steps(VIEW, &[0], second),
        ])
    };
    let rising = |series: usize, tick: usize| tick as f64 - series as f64;
    assert_eq!(verdict(&two(Way::Rises), rising), Verdict::Holds);
    assert_eq!(verdict(&two(Way::Falls), rising), Verdict::Fails);
}
