//! Claims 3.09 to 3.14: figure 4.

use super::super::{
    points::BOOK_AHEAD,
    runs::{Measure, Sheet},
    strategies::{FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SOLUTIONS_ONLY},
};
use super::{
    Measured, curves, curves_at, everywhere, mean_difference, mean_of, mean_over, on_average,
    overall, ticks,
};
use crate::experiment::{
    claims::Claim,
    curves::Curves,
    rules::{Comparison, Expected, Judgement, Verdict, interval, judge},
    statistics::{Estimate, paired},
};

/// Much is this share of the distance from the lowest to the highest curve.
const MUCH: f64 = 0.25;
/// What is slight, and what is flat, in points of utilisation.
const SLIGHT: f64 = 0.05;
const FLAT: f64 = 0.01;
/// From this search limit time (h) on the paper sees OSP improve.
const LATER: u64 = 6;

pub(super) const UTILISATION: Measure = |cell| cell.utilisation;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 6] = [
    Measured {
        claim: Claim {
            id: "3.09",
            kind: "O",
            claim: "Figure 4: backfilling performs much better than FCFS under the same reservation algorithm.",
            claimed: "FF+BF >> FF+FCFS, Rigid+BF >> Rigid+FCFS",
            rule: "at every point the paired interval of the gain lies above a quarter of the distance from the lowest to the highest of the paper's five curves there; fails where one lies wholly below.",
        },
        judge: backfilling,
    },
    Measured {
        claim: Claim {
            id: "3.10",
            kind: "O",
            claim: "Figure 4: flexibility improves utilisation in most cases, and Rigid+BF lies below FF+BF and OSP+BF overall.",
            claimed: "FF+BF, OSP+BF > Rigid+BF",
            rule: "the mean over all points of FF+BF and of OSP+BF less Rigid+BF has an interval above 0 (below 0 fails), and each is higher on average at more than half of the points, else it fails.",
        },
        judge: flexibility,
    },
    Measured {
        claim: Claim {
            id: "3.11",
            kind: "T",
            claim: "Figure 4: bt and slt do not affect Rigid+BF.",
            claimed: "flat",
            rule: "at every point the utilisation differs from the mean over all points by at most 0.01, interval included; fails where it surely differs by more.",
        },
        judge: flat,
    },
    Measured {
        claim: Claim {
            id: "3.12",
            kind: "O",
            claim: "Figure 4: for bt = 1 h OSP is slightly worse than FF.",
            claimed: "OSP+BF slightly below FF+BF for slt < 6 h",
            rule: "the mean over slt < 6 h of FF+BF less OSP+BF has an interval above 0 (below 0 fails) and is at most 0.05, interval included.",
        },
        judge: slightly_worse,
    },
    Measured {
        claim: Claim {
            id: "3.13",
            kind: "T",
            claim: "Figure 4: for bt = 1 h OSP improves when slt >= 6 h.",
            claimed: "OSP+BF higher for slt >= 6 h than below",
            rule: "the utilisation of OSP+BF, mean over slt >= 6 h less that over slt < 6 h, rises on average; an interval wholly on the other side fails.",
        },
        judge: improves,
    },
    Measured {
        claim: Claim {
            id: "3.14",
            kind: "O",
            claim: "Figure 4: for bt = 5 and 10 h OSP performs better than FF on average.",
            claimed: "OSP+BF > FF+BF",
            rule: "at each of the two bt the mean over slt of OSP+BF less FF+BF has an interval above 0; below 0 fails.",
        },
        judge: better_on_average,
    },
];

fn backfilling(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, UTILISATION);
    let comparisons = everywhere(&found, |curves, tick| {
        let means = OF_THE_PAPER.map(|series| curves.mean(series, tick));
        let spread = means.iter().copied().fold(f64::MIN, f64::max)
            - means.iter().copied().fold(f64::MAX, f64::min);
        let much = Expected::Above(MUCH * spread);
        [(FF_BF, FF_FCFS), (RIGID_BF, RIGID_FCFS)]
            .map(|(with, without)| curves.compare(with, without, tick, much))
            .to_vec()
    });
    let mut judgement = judge(&overall(&found, &OF_THE_PAPER), &comparisons);
    let to_end = curves(sheet, |cell| cell.utilisation_to_end);
    judgement.note.push_str(&format!(
        "What is used in the two weeks is counted; up to the end of the last job instead, {}. ",
        overall(&to_end, &OF_THE_PAPER)
    ));
    judgement
}

fn flexibility(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, UTILISATION);
    let mut comparisons = Vec::new();
    let mut most = Vec::new();
    let mut counts = Vec::new();
    for flexible in [FF_BF, OSP_BF] {
        let means = found
            .iter()
            .map(|curves| mean_difference(curves, flexible, RIGID_BF, &super::all(curves)));
        let name = &found[0].names[flexible];
        comparisons.push(Comparison {
            what: format!("{name} - Rigid+BF on average over all points"),
            differences: mean_of(&means.collect::<Vec<_>>()),
            expected: Expected::Above(0.0),
        });
        let points = found
            .iter()
            .flat_map(|curves| (0..curves.len()).map(move |tick| (curves, tick)));
        let (higher, all) = points.fold((0, 0), |(higher, all), (curves, tick)| {
            let gain = curves.mean(flexible, tick) - curves.mean(RIGID_BF, tick);
            (higher + usize::from(gain > 0.0), all + 1)
        });
        most.push(Verdict::of(2 * higher > all));
        counts.push(format!("{name} higher at {higher} of {all} points"));
    }
    let context = format!(
        "{}; {}",
        overall(&found, &[FF_BF, RIGID_BF, OSP_BF]),
        counts.join(", ")
    );
    let mut judgement = judge(&context, &comparisons);
    judgement.verdict = Verdict::all(most.into_iter().chain([judgement.verdict]));
    judgement
}

fn flat(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, UTILISATION);
    let means = found
        .iter()
        .map(|curves| mean_over(curves, RIGID_BF, &super::all(curves)));
    let level = mean_of(&means.collect::<Vec<_>>());
    let comparisons = everywhere(&found, |curves, tick| {
        vec![Comparison {
            what: format!("Rigid+BF at {} less its mean", curves.at(tick)),
            differences: paired(curves.samples(RIGID_BF, tick), &level),
            expected: Expected::Within(FLAT),
        }]
    });
    let mut judgement = judge(&overall(&found, &[RIGID_BF]), &comparisons);
    let to_end = curves(sheet, |cell| cell.utilisation_to_end);
    judgement.note.push_str(&format!(
        "A rigid request does not use its search limit, so only bt can matter. It tells the machine of the reservations earlier, and shifts them against the other jobs and beyond the end of the two weeks. For {} over the two weeks, {} up to the end of the last job. ",
        by_book_ahead(&found),
        by_book_ahead(&to_end)
    ));
    judgement
}

/// Rigid+BF by book-ahead time.
fn by_book_ahead(found: &[Curves]) -> String {
    let mean = |curves: &Curves| {
        let means = mean_over(curves, RIGID_BF, &super::all(curves));
        means.iter().sum::<f64>() / means.len().max(1) as f64
    };
    let texts = BOOK_AHEAD.iter().zip(found);
    let texts = texts.map(|(ahead, curves)| format!("bt {ahead} h {:.3}", mean(curves)));
    texts.collect::<Vec<_>>().join(", ")
}

/// What OSP does beside first fit without the alternatives.
fn without_alternatives(curves: &Curves, ticks: &[usize]) -> String {
    let lead = mean_difference(curves, SOLUTIONS_ONLY, FF_BF, ticks);
    format!(
        "Without alternatives OSP+BF - FF+BF is {} for slt < 6 h; the rest is what alternatives add, shortened jobs where others reject. ",
        estimate(&lead)
    )
}

fn estimate(samples: &[f64]) -> String {
    Estimate::of(samples).map_or("unknown".to_owned(), |Estimate { mean, half }| {
        format!("{mean:+.4} {}", interval(half))
    })
}

fn slightly_worse(sheet: &Sheet) -> Judgement {
    let curves = curves_at(sheet, 1, UTILISATION);
    let early = ticks(&curves, |limit| limit < LATER);
    let lead = mean_difference(&curves, FF_BF, OSP_BF, &early);
    let comparison = |expected| Comparison {
        what: "FF+BF - OSP+BF at bt 1 h, mean over slt < 6 h".to_owned(),
        differences: lead.clone(),
        expected,
    };
    let comparisons = [Expected::Above(0.0), Expected::Within(SLIGHT)].map(comparison);
    let mut judgement = judge(&curves.ends(&[FF_BF, OSP_BF]), &comparisons);
    judgement
        .note
        .push_str(&without_alternatives(&curves, &early));
    judgement
}

fn improves(sheet: &Sheet) -> Judgement {
    let curves = curves_at(sheet, 1, UTILISATION);
    let (early, late) = (
        ticks(&curves, |limit| limit < LATER),
        ticks(&curves, |limit| limit >= LATER),
    );
    let osp = |ticks: &[usize]| mean_over(&curves, OSP_BF, ticks);
    let lead = |ticks: &[usize]| mean_difference(&curves, OSP_BF, FF_BF, ticks);
    let comparison = Comparison {
        what: "rise of OSP+BF from slt < 6 h to slt >= 6 h at bt 1 h".to_owned(),
        differences: paired(&osp(&late), &osp(&early)),
        expected: Expected::Rising,
    };
    let mut judgement = judge(&curves.ends(&[FF_BF, OSP_BF]), &[comparison]);
    judgement.note.push_str(&format!(
        "Beside FF+BF it changes by {}. {}",
        estimate(&paired(&lead(&late), &lead(&early))),
        without_alternatives(&curves, &early)
    ));
    judgement
}

fn better_on_average(sheet: &Sheet) -> Judgement {
    let found = [5, 10].map(|ahead| curves_at(sheet, ahead, UTILISATION));
    let above = |curves| on_average(curves, OSP_BF, FF_BF, Expected::Above(0.0));
    let ends: Vec<String> = found
        .iter()
        .map(|curves| format!("{}: {}", curves.axis, curves.ends(&[FF_BF, OSP_BF])))
        .collect();
    judge(&ends.join("; "), &found.each_ref().map(above))
}

#[cfg(test)]
mod tests {
    use super::{backfilling, better_on_average, flat, flexibility, improves, slightly_worse};
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

    /// FF+FCFS, FF+BF, Rigid+FCFS, Rigid+BF, OSP+BF and its two variants.
    const DRAWN: [f64; 7] = [0.40, 0.60, 0.35, 0.55, 0.62, 0.6, 0.6];

    const AS_DRAWN: Picture = |strategy, _, cell| cell.utilisation = DRAWN[strategy];
    const UPSIDE_DOWN: Picture = |strategy, _, cell| cell.utilisation = 1.0 - DRAWN[strategy];
    const ONE_HOUR: Picture = |strategy, point, cell| {
        let later = [0.0, 0.03][usize::from(strategy == 4 && point.search_limit >= 6)];
        cell.utilisation = 0.6 - 0.02 * f64::from(u8::from(strategy == 4)) + later;
    };
    const SLOPING: Picture =
        |_, point, cell| cell.utilisation = 0.8 - 0.02 * point.search_limit as f64;

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
        let table: [(Rule, Picture, Verdict); 13] = [
            (backfilling, AS_DRAWN, Holds),
            (backfilling, UPSIDE_DOWN, Fails),
            (flexibility, AS_DRAWN, Holds),
            (flexibility, UPSIDE_DOWN, Fails),
            (flat, AS_DRAWN, Holds),
            (flat, SLOPING, Fails),
            (slightly_worse, ONE_HOUR, Holds),
            (slightly_worse, AS_DRAWN, Fails),
            (improves, ONE_HOUR, Holds),
            (improves, SLOPING, Fails),
            (better_on_average, AS_DRAWN, Holds),
            (better_on_average, UPSIDE_DOWN, Fails),
            (slightly_worse, UPSIDE_DOWN, Holds),
        ];
        for (line, (rule, picture, verdict)) in table.into_iter().enumerate() {
            assert_eq!(rule(&sheet(picture)).verdict, verdict, "line {line}");
        }
    }
}
