//! Claims 1.32 to 1.34: what the paper concludes.

use super::super::{points::Axis, runs::Sheet};
use super::{
    Measured, POLICIES, acceptance, flexibility::best, load::steps, sizes::lowest_slowdown,
    slowdown,
};
use crate::experiment::{
    claims::Claim,
    rules::{Comparison, Judgement, Verdict, judge},
};

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 3] = [
    Measured::at_points(
        Claim {
            id: "1.32",
            kind: "O",
            claim: "Over all experiments PE_W has the highest acceptance and FF the lowest slowdown.",
            claimed: "PE_W highest acceptance, FF lowest slowdown",
            rule: "at every point of all three axes PE_W accepts more than each other policy and FF slows less (paired intervals); fails where an interval lies wholly on the other side.",
        },
        conclusion,
    ),
    Measured::along(
        Claim {
            id: "1.33",
            kind: "T",
            claim: "Larger jobs and more load mean lower acceptance and longer waiting.",
            claimed: "acceptance falls, waiting rises",
            rule: "with UMed and with the arrival factor acceptance falls in each step on average, and the mean wait (s) rises from the first point to the last; an interval wholly on the other side fails.",
        },
        heavier,
    ),
    Measured::along(
        Claim {
            id: "1.34",
            kind: "T",
            claim: "Higher factors relieve the competition between jobs.",
            claimed: "acceptance of all policies rises with flexibility",
            rule: "each step's paired difference of acceptance rises on average; a step whose interval lies wholly on the other side fails.",
        },
        |sheet| steps(&acceptance(sheet, Axis::Flexibility), 1.0),
    ),
];

/// Several judgements as one.
fn together(parts: Vec<(&str, Judgement)>) -> Judgement {
    let verdict = Verdict::all(parts.iter().map(|(_, part)| part.verdict));
    let text = |field: fn(&Judgement) -> &String| -> String {
        let texts: Vec<String> = parts
            .iter()
            .filter(|(_, part)| !field(part).is_empty())
            .map(|(name, part)| format!("{name}: {}", field(part).trim()))
            .collect();
        texts.join("; ")
    };
    Judgement {
        verdict,
        measured: text(|part| &part.measured),
        ci95: parts
            .iter()
            .filter_map(|(_, part)| part.ci95)
            .reduce(f64::max),
        note: format!("{} ", text(|part| &part.note)),
    }
}

fn conclusion(sheet: &Sheet) -> Judgement {
    let parts = Axis::ALL.into_iter().flat_map(|axis| {
        let highest = best(&acceptance(sheet, axis));
        let lowest = lowest_slowdown(&slowdown(sheet, axis));
        let [first, second] = match axis {
            Axis::Sizes => ["figure 2", "figure 3"],
            Axis::Load => ["figure 4", "figure 5"],
            Axis::Flexibility => ["figure 6", "figure 7"],
        };
        [(first, highest), (second, lowest)]
    });
    together(parts.collect())
}

fn heavier(sheet: &Sheet) -> Judgement {
    let mut parts = Vec::new();
    for (axis, fewer, longer) in [
        (Axis::Sizes, "acceptance by UMed", "wait by UMed"),
        (Axis::Load, "acceptance by load", "wait by load"),
    ] {
        parts.push((fewer, steps(&acceptance(sheet, axis), -1.0)));
        let wait = sheet.curves(axis, |cell| cell.wait);
        let last = wait.len().saturating_sub(1);
        let rises: Vec<Comparison> = POLICIES
            .iter()
            .map(|&policy| wait.trend(policy, 0, last, 1.0))
            .collect();
        parts.push((longer, judge(&wait.ends(&POLICIES), &rises)));
    }
    together(parts)
}

#[cfg(test)]
mod tests {
    use super::together;
    use crate::experiment::{
        li::claims::{flexibility::best, tests::curves},
        rules::Verdict,
    };

    #[test]
    fn a_conclusion_is_as_good_as_its_worst_part() {
        let good = || best(&curves([0.6, 0.5, 0.7, 0.6, 0.5, 0.6, 0.6], 0.0));
        let bad = || best(&curves([0.6, 0.5, 0.4, 0.6, 0.5, 0.6, 0.6], 0.0));
        assert_eq!(
            together(vec![("a", good()), ("b", good())]).verdict,
            Verdict::Holds
        );
        assert_eq!(
            together(vec![("a", good()), ("b", bad())]).verdict,
            Verdict::Fails
        );
    }
}
