use super::{At, By, Finding, Way, above, above_by, alike, all, apart, not_above};
use crate::{
    experiment::panel::{Curves, Panel, Tick},
    statistics::Verdict::{Fails, Holds},
};

const SPREAD: By = By::Spread(0.125, &[0, 1]);

/// The value of a series at a tick.
type Picture = fn(usize, usize) -> f64;

// Series `a` a unit above `b`, and below it; everything rising, and falling.
const A_ABOVE: Picture = |series, _| 2.0 - series as f64;
const B_ABOVE: Picture = |series, _| series as f64;
const UP: Picture = |_, tick| tick as f64;
const DOWN: Picture = |_, tick| -(tick as f64);

/// Curves in two panels with two series over three points, and a little noise that differs between replications.
fn curves(value: Picture) -> Curves {
    let samples = |series: usize, tick: usize| {
        let noise = 1e-6 * (1 + series) as f64;
        vec![value(series, tick) + noise, value(series, tick) - noise]
    };
    let panel = |place: &str| Panel {
        place: place.to_owned(),
        axis: "x",
        unit: "h",
        ticks: [0.0, 1.0, 2.0].map(Tick::number).to_vec(),
        names: ["a", "b"].map(str::to_owned).to_vec(),
        samples: [0, 1]
            .map(|series| [0, 1, 2].map(|tick| samples(series, tick)).to_vec())
            .to_vec(),
        ..Panel::default()
    };
    Curves {
        name: "view",
        panels: vec![panel("first"), panel("second")],
    }
}

/// What must be seen in curves.
type Rule<'a> = &'a dyn Fn(&Curves) -> Finding;

#[test]
fn every_rule_can_hold_and_fail_and_prints_what_decides() {
    let share = By::Share(0.25, 1);
    let table: [(Rule<'_>, &str, Picture, Picture); 16] = [
        (
            &|v: &Curves| v.everywhere([above(0, 1)]),
            "view: at every point, a above b",
            A_ABOVE,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.everywhere([above_by(0, 1, By::Fixed(0.375))]),
            "a above b by more than 0.375",
            A_ABOVE,
            |s, _| 0.25 * (2 - s) as f64,
        ),
        (
            &|v: &Curves| v.everywhere([above_by(0, 1, SPREAD)]),
            "0.125 of the spread of the curves",
            A_ABOVE,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.everywhere([not_above(0, 1)]),
            "not above b",
            B_ABOVE,
            A_ABOVE,
        ),
        (
            &|v: &Curves| v.everywhere([alike(0, 1, By::Fixed(0.625))]),
            "apart by 0.625 at most",
            |s, _| 0.5 * s as f64,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.everywhere([apart(0, 1, By::Fixed(0.5))]),
            "apart by more than 0.5",
            B_ABOVE,
            |_, _| 1.0,
        ),
        (
            &|v: &Curves| v.compare(At::Beyond(0.5), [above(0, 1)]),
            "view: at every point beyond 0.5, a",
            |s, t| (s * 9 * usize::from(t == 0)) as f64 - s as f64,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.compare(At::Mean, [above(0, 1)]),
            "view: on average over each axis, a",
            |s, t| if s == t { 0.0 } else { 2.0 - s as f64 },
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.compare(At::Mean, [above_by(0, 1, share)]),
            "0.25 of it",
            |s, _| 3.0 - s as f64,
            |s, _| 9.0 - s as f64,
        ),
        (
            &|v: &Curves| v.compare(At::MeanBelow(1.5), [above(0, 1)]),
            "below 1.5, a above b",
            |s, t| (s * 99 * usize::from(t == 2)) as f64 - s as f64,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.compare(At::MeanOfAll, [above(0, 1)]),
            "view: on average over all points, a",
            A_ABOVE,
            B_ABOVE,
        ),
        (
            &|v: &Curves| v.steps(&[0], Way::Rises),
            "view: a rise in every step",
            UP,
            |_, t| (t % 2) as f64,
        ),
        (
            &|v: &Curves| v.first_to_last(&[0], Way::Falls),
            "view: a fall from the first",
            |_, t| [3.0, 9.0, 1.0][t],
            UP,
        ),
        (
            &|v: &Curves| v.shift(0, 1.5),
            "view: a is higher on average from 1.5 on",
            UP,
            DOWN,
        ),
        (
            &|v: &Curves| v.range(0.25, 8.5),
            "view: the interval of every mean lies from 0.25 to 8.5",
            |_, t| 1.0 + t as f64,
            |_, t| 9.0 * t as f64,
        ),
        (
            &|v: &Curves| v.mostly(&[(0, 1)]),
            "view: at more than half of all points on average a above b",
            |s, t| if t == 0 { 0.0 } else { 2.0 - s as f64 },
            |s, t| if t == 0 { 2.0 - s as f64 } else { s as f64 },
        ),
    ];
    for (rule, words, good, bad) in table {
        let printed = rule(&curves(good)).rule;
        assert!(printed.contains(words), "{printed}");
        assert_eq!(rule(&curves(good)).verdict(), Holds, "{printed}");
        assert_eq!(rule(&curves(bad)).verdict(), Fails, "{printed}");
    }
}

#[test]
fn all_of_several_rules_is_as_good_as_its_worst() {
    let rising = curves(|series, tick| tick as f64 - series as f64);
    let two = |way| all([rising.everywhere([above(0, 1)]), rising.steps(&[0], way)]);
    assert_eq!(two(Way::Rises).verdict(), Holds);
    assert_eq!(two(Way::Falls).verdict(), Fails);
    assert_eq!(
        two(Way::Rises).rule,
        "view: at every point, a above b; a rise in every step on average"
    );
}

#[test]
fn what_several_rules_have_in_common_is_said_once() {
    let rules = ["x: a above b", "y: a above b", "x: b falls", "z: no colon"];
    assert_eq!(
        super::together(&rules.map(str::to_owned)),
        "x and y: a above b; x: b falls; z: no colon"
    );
    let panel = Panel {
        names: ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec(),
        ..Panel::default()
    };
    let said = [
        (vec![0, 1, 2], vec![]),
        (vec![0, 1, 2, 3, 4], vec![]),
        (vec![0, 1, 2, 3], vec![4]),
        (vec![1, 2, 3, 4], vec![]),
    ];
    assert_eq!(
        said.map(|(series, beside)| panel.said(&series, &beside)),
        ["a, b, c", "all", "all others", "all but a"]
    );
}

#[test]
fn a_context_begins_what_was_measured() {
    let found = curves(A_ABOVE).everywhere([above(0, 1)]).opening("two");
    assert!(found.numbers().starts_with("two; 6 of 6 comparisons hold"));
}
