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
    statistics::{Estimate, Line},
};

/// A line explains at least this share of the variance of what grows "almost linearly".
const LINEAR: f64 = 0.95;
/// Below this share it does not.
const BENT: f64 = 0.90;
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
            rule: "the slopes of the replications have an interval above 0, and a line through the means has R^2 of at least 0.95; below 0.90 fails.",
        },
        |sheet| linear(&acceptance(sheet, Axis::Flexibility)),
    ),
    Measured::along(
        Claim {
            id: "1.26",
            kind: "O",
            claim: "Figure 6: the gains of FF, PE_B, Du_W and PEDu_W are not stable, especially at {4,4}.",
            claimed: "unstable, most at {4,4}",
            rule: "a policy is unstable when a line through its means has R^2 below 0.95 or some step does not rise (interval); all four must be, and the sharpest bend of at least three be at {4,4}; fails when one is stable or the bend of at most one is there.",
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
    Measured::along(
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
    let slopes: Vec<Comparison> = three
        .iter()
        .map(|&policy| Comparison {
            what: format!("slope of {}", curves.names[policy]),
            differences: slopes(curves, |tick, run| curves.samples(policy, tick)[run]),
            expected: Expected::Above(0.0),
        })
        .collect();
    let mut judgement = judge(&curves.ends(&three), &slopes);
    for policy in three {
        let found = line(curves, policy);
        let verdict = found.map_or(Verdict::Undecidable, |line| straight(line.r_squared));
        judgement.verdict = Verdict::all([judgement.verdict, verdict]);
        let r_squared = found.map_or(f64::NAN, |line| line.r_squared);
        let name = &curves.names[policy];
        judgement
            .measured
            .push_str(&format!("; {name} R^2 {r_squared:.3}"));
    }
    judgement
}

fn straight(r_squared: f64) -> Verdict {
    if r_squared >= LINEAR {
        Verdict::Holds
    } else if r_squared < BENT {
        Verdict::Fails
    } else {
        Verdict::Undecidable
    }
}

fn unstable(curves: &Curves) -> Judgement {
    let four = [FF, PE_B, DU_W, PEDU_W];
    let mut verdicts = Vec::new();
    let mut measured = Vec::new();
    let mut bends_there = 0;
    for policy in four {
        let r_squared = line(curves, policy).map_or(f64::NAN, |line| line.r_squared);
        let stalls = (1..curves.len()).any(|tick| {
            let gain = Estimate::of(&curves.gain(policy, tick - 1, tick));
            gain.is_none_or(|gain| gain.low() <= 0.0)
        });
        verdicts.push(Verdict::of(r_squared < LINEAR || stalls));
        let bend = sharpest_bend(curves, policy);
        bends_there += usize::from(bend == Some(DISTURBED));
        let bend = bend.unwrap_or("-");
        let name = &curves.names[policy];
        measured.push(format!(
            "{name} R^2 {r_squared:.3}, sharpest bend at {bend}"
        ));
    }
    verdicts.push(match bends_there {
        3.. => Verdict::Holds,
        2 => Verdict::Undecidable,
        _ => Verdict::Fails,
    });
    let (drops, runs) = (drops_alone(curves, &four), curves.replications());
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: measured.join("; "),
        ci95: String::new(),
        note: format!(
            "Of {runs} replications taken singly {drops} have one of the four accept less at {DISTURBED} than at the level before. "
        ),
    }
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

fn drops_alone(curves: &Curves, policies: &[usize]) -> usize {
    let Some(tick) = curves.ticks.iter().position(|tick| tick == DISTURBED) else {
        return 0;
    };
    let Some(before) = tick.checked_sub(1) else {
        return 0;
    };
    let drops = |run: &usize| {
        policies
            .iter()
            .any(|&policy| curves.gain(policy, before, tick)[*run] < 0.0)
    };
    (0..curves.replications()).filter(drops).count()
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
        ci95: String::new(),
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
