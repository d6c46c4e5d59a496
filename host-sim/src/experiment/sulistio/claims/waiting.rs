//! Claims 3.22 to 3.25: figure 9.

use super::super::{
    points::BOOK_AHEAD,
    runs::{Measure, Sheet},
    strategies::{FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS},
};
use super::{Measured, all, curves, everywhere, mean_over, on_average, overall, revenue::REVENUE};
use crate::experiment::{
    claims::Claim,
    curves::Curves,
    rules::{Comparison, Expected, Judgement, Verdict, interval, judge},
    statistics::{Estimate, paired},
};

pub(super) const WAIT: Measure = |cell| cell.wait;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 4] = [
    Measured {
        claim: Claim {
            id: "3.22",
            kind: "T",
            claim: "Figure 9: the impact on non-AR jobs is worse when a request has a short time interval.",
            claimed: "longer waits at small bt and slt",
            rule: "for FF+BF and OSP+BF the mean wait falls from slt 0 to the longest slt at each bt, and on average over slt from bt 1 h to bt 10 h; an interval wholly on the other side fails.",
        },
        judge: short_intervals,
    },
    Measured {
        claim: Claim {
            id: "3.23",
            kind: "O",
            claim: "Figure 9: as bt becomes larger, OSP+BF reduces the wait significantly.",
            claimed: "OSP+BF below FF+BF at bt 5 and 10 h",
            rule: "at bt 5 and 10 h the mean over slt of FF+BF less OSP+BF has an interval above 0, below 0 fails; and so has OSP+BF at bt 1 h less at bt 10 h.",
        },
        judge: larger_book_ahead,
    },
    Measured {
        claim: Claim {
            id: "3.24",
            kind: "T",
            claim: "Figure 9: at constant bt a larger slt reduces the wait further in some cases.",
            claimed: "OSP+BF falls with slt for some bt",
            rule: "for at least one bt the wait under OSP+BF at the longest slt is below that at slt 0, interval included; fails when at every bt the interval lies wholly on the other side.",
        },
        judge: some_cases,
    },
    Measured {
        claim: Claim {
            id: "3.25",
            kind: "O",
            claim: "Figure 9: waits are shorter with backfilling than with FCFS.",
            claimed: "FF+BF < FF+FCFS, Rigid+BF < Rigid+FCFS",
            rule: "at every point the paired interval of FCFS less backfilling under the same reservation algorithm lies above 0; wholly below fails.",
        },
        judge: backfilling,
    },
];

fn short_intervals(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, WAIT);
    let two = [FF_BF, OSP_BF];
    let mut comparisons: Vec<Comparison> = found
        .iter()
        .flat_map(|curves| two.map(|strategy| curves.trend(strategy, 0, curves.len() - 1, -1.0)))
        .collect();
    comparisons.extend(two.map(|strategy| by_book_ahead(&found, strategy, Expected::Rising)));
    let mut judgement = judge(&format!("hours, {}", overall(&found, &two)), &comparisons);
    judgement.note.push_str(&crowded_out(sheet));
    judgement
}

/// What more flexible reservations take.
fn crowded_out(sheet: &Sheet) -> String {
    let reserved = curves(sheet, REVENUE).into_iter().map(|curves| {
        let last = curves.len() - 1;
        let share = curves.mean(OSP_BF, last) / curves.mean(OSP_BF, 0) - 1.0;
        format!("{} {:+.1} %", curves.axis, 100.0 * share)
    });
    format!(
        "What reservations take the others wait for: from slt 0 to the longest the CN-slots reserved under OSP+BF change by {}. ",
        reserved.collect::<Vec<_>>().join(", ")
    )
}

/// What a strategy's wait falls by from the shortest book-ahead time to the longest, on average over slt.
fn by_book_ahead(found: &[Curves], strategy: usize, expected: Expected) -> Comparison {
    let (first, last) = (&found[0], &found[found.len() - 1]);
    let mean = |curves: &Curves| mean_over(curves, strategy, &all(curves));
    Comparison {
        what: format!(
            "fall of {} from bt 1 h to bt 10 h on average",
            first.names[strategy]
        ),
        differences: paired(&mean(first), &mean(last)),
        expected,
    }
}

fn larger_book_ahead(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, WAIT);
    let above = Expected::Above(0.0);
    let mut comparisons: Vec<Comparison> = found[1..]
        .iter()
        .map(|curves| on_average(curves, FF_BF, OSP_BF, above))
        .collect();
    comparisons.push(by_book_ahead(&found, OSP_BF, above));
    let ends: Vec<String> = found
        .iter()
        .map(|curves| format!("{}: {}", curves.axis, curves.ends(&[FF_BF, OSP_BF])))
        .collect();
    let mut judgement = judge(&format!("hours, {}", ends.join("; ")), &comparisons);
    judgement.note.push_str(&format!(
        "What reservations take the others wait for: CN-slots reserved, {}. ",
        overall(&curves(sheet, REVENUE), &[FF_BF, OSP_BF])
    ));
    judgement
}

fn some_cases(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, WAIT);
    let falls: Vec<Estimate> = found
        .iter()
        .filter_map(|curves| Estimate::of(&curves.gain(OSP_BF, curves.len() - 1, 0)))
        .collect();
    let verdict = if falls.iter().any(|fall| fall.low() > 0.0) {
        Verdict::Holds
    } else if !falls.is_empty() && falls.iter().all(|fall| fall.high() < 0.0) {
        Verdict::Fails
    } else {
        Verdict::Undecidable
    };
    let text = |(ahead, fall): (&u64, &Estimate)| {
        format!("bt {ahead} h {:+.4} {}", fall.mean, interval(fall.half))
    };
    let texts: Vec<String> = BOOK_AHEAD.iter().zip(&falls).map(text).collect();
    let half = falls.iter().map(|fall| fall.half).fold(0.0, f64::max);
    Judgement {
        verdict,
        measured: format!("fall from slt 0 to the longest (h): {}", texts.join(", ")),
        ci95: Some(half).filter(|half| half.is_finite()),
        note: format!("{}{}", steps(&found), crowded_out(sheet)),
    }
}

/// How many of the single steps of slt go down.
fn steps(found: &[Curves]) -> String {
    let steps: Vec<Estimate> = found
        .iter()
        .flat_map(|curves| curves.steps(&[OSP_BF], -1.0))
        .filter_map(|step| Estimate::of(&step.differences))
        .collect();
    let count = |falls: fn(&Estimate) -> bool| steps.iter().filter(|step| falls(step)).count();
    format!(
        "Of {} single steps of slt {} fall on average and {} surely. ",
        steps.len(),
        count(|step| step.mean > 0.0),
        count(|step| step.low() > 0.0)
    )
}

fn backfilling(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, WAIT);
    let above = Expected::Above(0.0);
    let comparisons = everywhere(&found, |curves, tick| {
        [(FF_FCFS, FF_BF), (RIGID_FCFS, RIGID_BF)]
            .map(|(without, with)| curves.compare(without, with, tick, above))
            .to_vec()
    });
    judge(
        &format!("hours, {}", overall(&found, &OF_THE_PAPER)),
        &comparisons,
    )
}

#[cfg(test)]
mod tests {
    use super::{backfilling, larger_book_ahead, short_intervals, some_cases};
    use crate::experiment::{
        rules::{
            Judgement,
            Verdict::{self, Fails, Holds},
        },
        sulistio::{
            claims::tests::{Picture, sheet},
            runs::Sheet,
        },
    };

    type Rule = fn(&Sheet) -> Judgement;

    const AS_DRAWN: Picture = |strategy, point, cell| {
        let base = [30.0, 15.0, 35.0, 18.0, 14.0, 14.0, 14.0][strategy];
        cell.wait = base - 0.1 * (point.book_ahead + point.search_limit) as f64;
    };
    const UPSIDE_DOWN: Picture = |strategy, point, cell| {
        AS_DRAWN(strategy, point, cell);
        cell.wait = 100.0 - cell.wait;
    };

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
        let rules: [Rule; 4] = [short_intervals, larger_book_ahead, some_cases, backfilling];
        for (line, rule) in rules.into_iter().enumerate() {
            let verdict = |picture| -> Verdict { rule(&sheet(picture)).verdict };
            assert_eq!(verdict(AS_DRAWN), Holds, "line {line}");
            assert_eq!(verdict(UPSIDE_DOWN), Fails, "line {line}");
        }
    }
}
