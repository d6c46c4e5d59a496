//! Rules that no general rule says: what is flat, a number that some runs cannot tell, falls somewhere, extremes.

use super::{
    curves::{BY_THE_LETTER, TAKEN, TAKEN_WITH_SECOND, WITH_SECOND},
    points::{GREATEST_REDUCTION, LEAST_REDUCTION, Point},
    systems::OSP_BF,
};
use crate::experiment::{Comparison, Curves, Finding, Panel, Row};
use crate::statistics::{Estimate, Expected, Verdict, finite, mean_of, paired};

/// How far from a printed number is still the same.
const SAME: f64 = 0.02;
/// Of fewer rejections in a run no share can be told: as fractions of whole numbers the paper's need 163 and 79 of them.
const FEW: f64 = 5.0;

/// What is found, with something that begins the names of its comparisons.
pub(super) fn labelled(label: &str, mut found: Finding) -> Finding {
    for comparison in &mut found.comparisons {
        comparison.what.insert_str(0, label);
    }
    found
}

/// At every point a series is as far from its mean over all points, at most.
pub(super) fn flat(curves: &Curves, series: usize, within: f64) -> Finding {
    let means = curves.panels.iter();
    let level = mean_of(means.map(|panel| panel.mean_over(series, &panel.all())));
    let compare = |(panel, tick): (&Panel, usize)| Comparison {
        what: panel.names[series].clone(),
        place: format!("{} less its mean", panel.at(tick)),
        differences: paired(panel.samples(series, tick), &level),
        expected: Expected::Within(within),
    };
    let name = curves.names(&[series]);
    let rule = format!(
        "{}: at every point, {name} differs from its mean over all points by {within} at most",
        curves.name
    );
    Finding::comparing(rule, curves.points().map(compare))
}

/// A printed reduction by the letter, opened with how many are rejected and by what shares alternatives change that. Open where runs have
/// too few rejections to tell a share.
pub(super) fn reduced(reductions: &Curves, rejected: &str, cases: f64, claimed: f64) -> Finding {
    let name = reductions.names(&[BY_THE_LETTER]);
    let shares = finite(reductions.first().samples(BY_THE_LETTER, 0).to_vec());
    let comparison = Comparison {
        what: format!("{name} less the paper's"),
        place: String::new(),
        differences: shares.iter().map(|share| share - claimed).collect(),
        expected: Expected::Within(SAME),
    };
    let words = format!(
        "{}: {name} is {claimed}, give or take {SAME}; open with fewer than {FEW} rejections in a run",
        reductions.name
    );
    let counted = Row::fact(format!("{rejected} in a run"), format!("{cases:.1}"));
    let found = if cases >= FEW {
        Finding::comparing(words, [comparison]).with([counted])
    } else {
        let verdict = Some(comparison.verdict());
        let row = Row::estimate(comparison.what, &comparison.differences);
        let measured = format!("{cases:.1} {rejected} in a run, too few for a share");
        let found = Finding::once(Verdict::Undecidable, measured).by_rule(words);
        found.with([counted, Row { verdict, ..row }])
    };
    found.opening(counts(reductions.first(), cases))
}

/// At some book-ahead time non-AR jobs wait less at the longest search limit time than without any.
pub(super) fn somewhere_falls(waited: &Curves) -> Finding {
    let last = |panel: &Panel| panel.len().saturating_sub(1);
    let fall = |panel: &Panel| Estimate::of(&panel.gain(OSP_BF, last(panel), 0));
    let falls = waited.panels.iter().map(|panel| (panel, fall(panel)));
    let falls: Vec<(&Panel, Estimate)> = falls.collect();
    let sure = falls.iter().any(|(_, fall)| fall.low() > 0.0);
    let none = !falls.is_empty() && falls.iter().all(|(_, fall)| fall.high() < 0.0);
    let text = |(panel, fall): &(&Panel, Estimate)| format!("{} {fall}", panel.place);
    let texts: Vec<String> = falls.iter().map(text).collect();
    let half = falls.iter().map(|(_, fall)| fall.half).fold(0.0, f64::max);
    let measured = format!("fall from slt 0 to the longest (h): {}", texts.join(", "));
    Finding {
        ci95: Some(half).filter(|half| half.is_finite()),
        ..Finding::once(Verdict::when(sure, none), measured).by_rule(format!(
            "{}: {} falls from the first point to the last in at least one panel, interval included; fails where it rises in all",
            waited.name,
            waited.names(&[OSP_BF])
        ))
    }
}

/// How many are rejected, and by what shares alternatives change that.
fn counts(reductions: &Panel, without: f64) -> String {
    let percent = |series: usize| {
        let shares = finite(reductions.samples(series, 0).to_vec());
        let share = Estimate::of(&shares);
        if share.mean.is_nan() {
            return "no rejections".to_owned();
        }
        let half = share.ci95();
        let half = half.map_or(String::new(), |half| format!(" ± {:.2}", 100.0 * half));
        format!("{:.2}{half} %", 100.0 * share.mean)
    };
    let [letter, second, taken, taken_second] =
        [BY_THE_LETTER, WITH_SECOND, TAKEN, TAKEN_WITH_SECOND].map(percent);
    format!(
        "{letter} by the letter of {without:.1} rejections in a run, {second} with a second query; counted within a run, alternatives are taken by {taken} of those without a solution, {taken_second} with a second query"
    )
}

/// Points of figure 7, where they are, with the reduction by the letter in each replication.
pub(super) fn places(fewer: &Curves) -> Vec<(String, Vec<f64>)> {
    let of = |(panel, tick): (&Panel, usize)| {
        let Panel {
            place, axis, unit, ..
        } = panel;
        let at = format!("{place}, {axis} {} {unit}", panel.ticks[tick].text);
        (at, panel.samples(BY_THE_LETTER, tick).to_vec())
    };
    fewer.points().map(of).collect()
}

/// The extremes of figure 7 are where the paper sees them.
pub(super) fn between(fewer: &Curves, least: &Curves, greatest: &Curves) -> Finding {
    let [least, greatest] = [least, greatest].map(|one| one.first().samples(BY_THE_LETTER, 0));
    let [lowest, highest] = [LEAST_REDUCTION, GREATEST_REDUCTION].map(Point::name);
    let mut finding = Finding::default().by_rule(format!(
        "no reduction is below that at {lowest} nor above that at {highest}: the paired difference is not on average on the wrong side (replications in which both points have a share); an interval wholly there fails"
    ));
    for (place, here) in places(fewer) {
        let mut not_above = |what: &str, lower: &[f64], upper: &[f64]| {
            finding.comparisons.push(Comparison {
                what: what.to_owned(),
                place: format!("at {place}"),
                differences: finite(paired(lower, upper)),
                expected: Expected::NotAbove,
            });
        };
        if place != lowest {
            not_above("least reduction less that", least, &here);
        }
        if place != highest {
            not_above("excess over the greatest", &here, greatest);
        }
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::{flat, labelled};
    use crate::experiment::{Curves, Panel, Tick, above};
    use crate::statistics::Verdict::{Fails, Holds};

    /// Two series over three points, with a little noise that differs between replications.
    fn curves(value: fn(usize, usize) -> f64) -> Curves {
        let at = |series, tick| vec![value(series, tick) + 1e-6, value(series, tick) - 1e-6];
        let points = [0, 1, 2].map(|tick| {
            let samples = [0, 1].map(|series| at(series, tick));
            (Tick::number(tick as f64), samples)
        });
        Curves::one("view", Panel::of(("x", ""), ["a", "b"], points))
    }

    #[test]
    fn what_is_flat_holds_and_what_rises_fails() {
        let found = flat(&curves(|_, tick| 0.5 * tick as f64), 0, 0.75);
        let words = "view: at every point, a differs from its mean over all points by 0.75 at most";
        assert!(found.rule.contains(words), "{}", found.rule);
        assert_eq!(found.verdict(), Holds);
        let rising = curves(|_, tick| tick as f64);
        assert_eq!(flat(&rising, 0, 0.75).verdict(), Fails);
    }

    #[test]
    fn a_label_begins_each_comparison() {
        let curves = curves(|series, _| 2.0 - series as f64);
        let found = labelled("rates of ", curves.everywhere([above(0, 1)]));
        let mut rows = found.evidence().into_iter();
        assert!(rows.all(|row| row.what == "rates of a - b"));
    }
}
