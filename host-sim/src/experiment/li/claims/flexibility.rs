//! Claims 1.25 to 1.31: figures 6 and 7.

use super::super::points::Axis;
use super::{
    DU_B, DU_W, FF, Measured, PE_B, PE_W, PEDU_B, PEDU_W, POLICIES, acceptance,
    load::steps,
    sizes::{everywhere, lowest_slowdown},
    slowdown,
};
use crate::experiment::{
    claims::Claim,
    curves::Curves,
    rules::{Comparison, Expected, Judgement, Verdict, interval, judge},
    statistics::{Estimate, Line, paired},
};

/// A line explains at least this share of the variance of what grows "almost linearly".
const LINEAR: f64 = 0.90;
/// Where the paper sees the disturbance.
const DISTURBED: &str = "{4,4}";

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 7] = [
    Measured::along(
        Claim {
            id: "1.25",
            kind: "T",
            claim: "Figure 6: acceptance of PE_W, Du_B and PEDu_B rises almost linearly with the factors.",
            claimed: "linear, rising",
            rule: "the slopes of the replications have an interval above 0, and the gain of the last step is at least half of that of the first, interval included; fails where an interval lies wholly on the other side, or a line through the means has R^2 below 0.90.",
        },
        |sheet| linear(&acceptance(sheet, Axis::Flexibility)),
    ),
    Measured::along(
        Claim {
            id: "1.26",
            kind: "O",
            claim: "Figure 6: the gains of FF, PE_B, Du_W and PEDu_W are not stable, especially at {4,4}.",
            claimed: "unstable, most at {4,4}",
            rule: "a policy is unstable when some step does not surely rise, or its gains surely grow at one level and surely shrink at another (paired intervals); all four must be, and the sharpest bend of at least three be at {4,4}; fails when one is stable or the bend of at most one is there.",
        },
        |sheet| unstable(&acceptance(sheet, Axis::Flexibility)),
    ),
    Measured::at_points(
        Claim {
            id: "1.27",
            kind: "O",
            claim: "Figure 6: PE_W accepts most of all at every level.",
            claimed: "PE_W above all others",
            rule: "at every level the paired interval of PE_W less each other policy lies above 0; fails where it lies below.",
        },
        |sheet| best(&acceptance(sheet, Axis::Flexibility)),
    ),
    Measured::along(
        Claim {
            id: "1.28",
            kind: "O",
            claim: "Figure 6: PE_W's lead over Du_B grows with flexibility.",
            claimed: "lead grows",
            rule: "the slope of the lead over the levels, taken in each replication, has an interval above 0; below 0 fails.",
        },
        |sheet| lead_grows(&acceptance(sheet, Axis::Flexibility)),
    ),
    Measured::along(
        Claim {
            id: "1.29",
            kind: "T",
            claim: "Figure 7: slowdown of every policy rises with flexibility.",
            claimed: "rising in every step",
            rule: "each step's paired difference rises on average; a step whose interval lies wholly on the other side fails.",
        },
        |sheet| steps(&slowdown(sheet, Axis::Flexibility), 1.0),
    ),
    Measured::at_points(
        Claim {
            id: "1.30",
            kind: "O",
            claim: "Figure 7: FF has the lowest slowdown at every level.",
            claimed: "FF below all others",
            rule: "at every level the paired interval of each other policy less FF lies above 0; fails where it lies below.",
        },
        |sheet| lowest_slowdown(&slowdown(sheet, Axis::Flexibility)),
    ),
    Measured::at_points(
        Claim {
            id: "1.31",
            kind: "N",
            claim: "Figure 7: every slowdown lies on the axis from 1.0 to 2.0.",
            claimed: "[1.0, 2.0]",
            rule: "the interval of every mean lies inside; one wholly outside fails.",
        },
        |sheet| on_the_axis(&slowdown(sheet, Axis::Flexibility)),
    ),
];

/// A line through the means of a series over its levels 1, 2, ...
fn line(curves: &Curves, policy: usize) -> Option<Line> {
    let points: Vec<(f64, f64)> = (0..curves.len())
        .map(|tick| ((tick + 1) as f64, curves.mean(policy, tick)))
        .collect();
    Line::through(&points)
}

/// The slope of some value in each replication.
fn slopes(curves: &Curves, value: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..curves.replications())
        .filter_map(|run| {
            let points: Vec<(f64, f64)> = (0..curves.len())
                .map(|tick| ((tick + 1) as f64, value(tick, run)))
                .collect();
            Some(Line::through(&points)?.slope)
        })
        .collect()
}

fn linear(curves: &Curves) -> Judgement {
    let three = [PE_W, DU_B, PEDU_B];
    let mut comparisons = Vec::new();
    let (mut fits, mut straight) = (Vec::new(), true);
    for policy in three {
        let name = &curves.names[policy];
        comparisons.push(Comparison {
            what: format!("slope of {name}"),
            differences: slopes(curves, |tick, run| curves.samples(policy, tick)[run]),
            expected: Expected::Above(0.0),
        });
        comparisons.push(Comparison {
            what: format!("last gain of {name} less half of its first"),
            differences: late_less_half_early(curves, policy),
            expected: Expected::Above(0.0),
        });
        let r_squared = line(curves, policy).map_or(f64::NAN, |line| line.r_squared);
        straight &= r_squared >= LINEAR;
        fits.push(format!(
            "{name} {} (R^2 {r_squared:.3})",
            gains(curves, policy)
        ));
    }
    let context = format!("gains by step: {}", fits.join("; "));
    let mut judgement = judge(&context, &comparisons);
    judgement.verdict = Verdict::all([judgement.verdict, Verdict::of(straight)]);
    judgement
}

fn late_less_half_early(curves: &Curves, policy: usize) -> Vec<f64> {
    let Some(before_last) = curves.len().checked_sub(2) else {
        return Vec::new();
    };
    let late = curves.gain(policy, before_last, before_last + 1);
    let early = curves.gain(policy, 0, 1);
    late.iter()
        .zip(early)
        .map(|(late, early)| late - 0.5 * early)
        .collect()
}

/// The mean gain of each step.
fn gains(curves: &Curves, policy: usize) -> String {
    let gain = |tick| curves.mean(policy, tick) - curves.mean(policy, tick - 1);
    let texts: Vec<String> = (1..curves.len())
        .map(|tick| format!("{:+.3}", gain(tick)))
        .collect();
    texts.join(" ")
}

fn unstable(curves: &Curves) -> Judgement {
    let four = [FF, PE_B, DU_W, PEDU_W];
    let mut verdicts = Vec::new();
    let mut measured = Vec::new();
    let mut bends_there = 0;
    for policy in four {
        verdicts.push(Verdict::of(wavers(curves, policy)));
        let bend = sharpest_bend(curves, policy);
        bends_there += usize::from(bend == Some(DISTURBED));
        let (name, gains) = (&curves.names[policy], gains(curves, policy));
        let bend = bend.unwrap_or("-");
        measured.push(format!("{name} gains {gains}, sharpest bend at {bend}"));
    }
    verdicts.push(match bends_there {
        3.. => Verdict::Holds,
        2 => Verdict::Undecidable,
        _ => Verdict::Fails,
    });
    let (dents, runs) = (dents_alone(curves, &four), curves.replications());
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: measured.join("; "),
        ci95: None,
        note: format!(
            "Of {runs} replications taken singly {dents} have one of the four gain less by the step to {DISTURBED} than by the step behind it. "
        ),
    }
}

/// Whether some step does not surely rise, or the gains surely grow at one level and surely shrink at another.
fn wavers(curves: &Curves, policy: usize) -> bool {
    let gain = |tick: usize| curves.gain(policy, tick - 1, tick);
    let stalls = (1..curves.len())
        .any(|tick| Estimate::of(&gain(tick)).is_none_or(|gain| gain.low() <= 0.0));
    let bends: Vec<Estimate> = (1..curves.len().saturating_sub(1))
        .filter_map(|tick| Estimate::of(&paired(&gain(tick + 1), &gain(tick))))
        .collect();
    let up = bends.iter().any(|bend| bend.low() > 0.0);
    let down = bends.iter().any(|bend| bend.high() < 0.0);
    stalls || (up && down)
}

/// The tick at which the means turn most.
fn sharpest_bend(curves: &Curves, policy: usize) -> Option<&str> {
    let bend = |tick: usize| {
        let mean = |tick| curves.mean(policy, tick);
        (mean(tick + 1) - 2.0 * mean(tick) + mean(tick - 1)).abs()
    };
    let inner = 1..curves.len().saturating_sub(1);
    let tick = inner.max_by(|&a, &b| bend(a).total_cmp(&bend(b)))?;
    Some(&curves.ticks[tick])
}

fn dents_alone(curves: &Curves, policies: &[usize]) -> usize {
    let tick = curves.ticks.iter().position(|tick| tick == DISTURBED);
    let Some(tick) = tick.filter(|tick| (1..curves.len() - 1).contains(tick)) else {
        return 0;
    };
    let dented = |policy: usize, run: usize| {
        curves.gain(policy, tick - 1, tick)[run] < curves.gain(policy, tick, tick + 1)[run]
    };
    (0..curves.replications())
        .filter(|&run| policies.iter().any(|&policy| dented(policy, run)))
        .count()
}

/// PE_W above all others at every point.
pub(super) fn best(curves: &Curves) -> Judgement {
    let others = [FF, PE_B, DU_B, DU_W, PEDU_B, PEDU_W];
    let at = |tick| -> Vec<Comparison> {
        let compare = |other| curves.compare(PE_W, other, tick, Expected::Above(0.0));
        others.map(compare).to_vec()
    };
    judge(&curves.ends(&[PE_W]), &everywhere(curves, at))
}

fn lead_grows(curves: &Curves) -> Judgement {
    let lead =
        |tick: usize, run: usize| curves.samples(PE_W, tick)[run] - curves.samples(DU_B, tick)[run];
    let slope = Comparison {
        what: "slope of the lead per level".to_owned(),
        differences: slopes(curves, lead),
        expected: Expected::Above(0.0),
    };
    let leads: Vec<String> = (0..curves.len())
        .map(|tick| {
            let lead = Estimate::of(&curves.difference(PE_W, DU_B, tick));
            lead.map_or_else(String::new, |lead| {
                format!("{:+.4} {}", lead.mean, interval(lead.half))
            })
        })
        .collect();
    judge(&format!("lead by level {}", leads.join(", ")), &[slope])
}

fn on_the_axis(curves: &Curves) -> Judgement {
    let mut verdicts = Vec::new();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut outside = Vec::new();
    for policy in POLICIES {
        for tick in 0..curves.len() {
            let Some(found) = Estimate::of(curves.samples(policy, tick)) else {
                continue;
            };
            (low, high) = (low.min(found.mean), high.max(found.mean));
            let inside = found.low() >= 1.0 && found.high() <= 2.0;
            let away = found.high() < 1.0 || found.low() > 2.0;
            verdicts.push(match (inside, away) {
                (true, _) => Verdict::Holds,
                (_, true) => Verdict::Fails,
                _ => Verdict::Undecidable,
            });
            if !inside {
                let name = &curves.names[policy];
                outside.push(format!("{name} at {} {:.3}", curves.at(tick), found.mean));
            }
        }
    }
    let note = if outside.is_empty() {
        String::new()
    } else {
        format!("Not wholly inside: {}. ", outside.join(", "))
    };
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: format!("{low:.3} to {high:.3}"),
        ci95: None,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::{best, lead_grows, linear, on_the_axis, unstable};
    use crate::experiment::{
        li::claims::tests::{bent, curves},
        rules::Verdict::{Fails, Holds, Undecidable},
    };

    const VALUES: [f64; 7] = [0.60, 0.56, 0.70, 0.68, 0.57, 0.64, 0.65];

    #[test]
    fn lines_are_told_from_bends() {
        assert_eq!(linear(&curves(VALUES, 0.02)).verdict, Holds);
        assert_eq!(linear(&curves(VALUES, -0.02)).verdict, Fails);
        assert_eq!(linear(&bent([0.0, 0.02, 0.04, 0.0, 0.08])).verdict, Fails);
        let flattening = bent([0.0, 0.08, 0.12, 0.14, 0.15]);
        assert_eq!(linear(&flattening).verdict, Fails);
        assert_eq!(unstable(&curves(VALUES, 0.02)).verdict, Fails);
        assert_eq!(unstable(&bent([0.0, 0.02, 0.04, 0.0, 0.08])).verdict, Holds);
        assert_eq!(unstable(&bent([0.0, 0.08, 0.0, 0.04, 0.06])).verdict, Fails);
    }

    #[test]
    fn the_best_is_the_best() {
        assert_eq!(best(&curves(VALUES, 0.02)).verdict, Holds);
        let beaten = [0.60, 0.56, 0.70, 0.75, 0.57, 0.64, 0.65];
        assert_eq!(best(&curves(beaten, 0.02)).verdict, Fails);
    }

    #[test]
    fn leads_grow_shrink_or_stay() {
        let lead = |growth: f64| {
            let mut curves = curves(VALUES, 0.02);
            for (tick, samples) in curves.samples[super::PE_W].iter_mut().enumerate() {
                samples
                    .iter_mut()
                    .for_each(|sample| *sample += growth * tick as f64);
            }
            lead_grows(&curves).verdict
        };
        assert_eq!(
            [lead(0.01), lead(-0.01), lead(0.0)],
            [Holds, Fails, Undecidable]
        );
    }

    #[test]
    fn slowdowns_stay_on_the_axis_or_leave_it() {
        let slowdowns = VALUES.map(|value| 1.0 + value);
        assert_eq!(on_the_axis(&curves(slowdowns, 0.01)).verdict, Holds);
        assert_eq!(on_the_axis(&curves(slowdowns, 0.5)).verdict, Fails);
    }
}
