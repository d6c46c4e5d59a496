//! Rules about the shapes of figures 4 to 7 that no general rule says: straight lines, bends, growing leads, kept orders.

use super::points::{DU_B, DU_W, FF, PE_B, PE_W, PEDU_B, PEDU_W, POLICIES};
use crate::experiment::{Comparison, Curves, Finding, Panel, Row};
use crate::statistics::{Estimate, Expected, LinearFit, Verdict, paired, rank_correlation};

/// A line explains at least this share of the variance of what grows "almost linearly".
const LINEAR: f64 = 0.90;
/// The last gain of what grows "almost linearly" is at least this share of the first.
const STILL: f64 = 0.5;
/// Where the paper sees the disturbance.
const DISTURBED: &str = "{4,4}";
/// So many curves that bend most there show it, and fewer than so many show that it is not so.
const ENOUGH: usize = 3;
const TOO_FEW: usize = 2;
/// From here on seven ranks agree more than chance explains (5 %, two sides).
const SAME_ORDER: f64 = 0.786;
/// Below this they do not look alike.
const OTHER_ORDER: f64 = 0.5;

/// What rises almost linearly in figure 6, and what does not.
const STRAIGHT: [usize; 3] = [PE_W, DU_B, PEDU_B];
const UNSTABLE: [usize; 4] = [FF, PE_B, DU_W, PEDU_W];

/// The line through some values over the levels.
fn line(values: impl Iterator<Item = f64>) -> Option<LinearFit> {
    let points: Vec<(f64, f64)> = (1..).map(f64::from).zip(values).collect();
    LinearFit::through(&points)
}

/// The slope over the levels in each replication.
fn slopes(levels: &[Vec<f64>]) -> Vec<f64> {
    let runs = levels.first().map_or(0, Vec::len);
    let lines = (0..runs).filter_map(|run| line(levels.iter().map(|samples| samples[run])));
    lines.map(|line| line.slope).collect()
}

/// The mean gain of each step.
fn gains(panel: &Panel, policy: usize) -> String {
    let gain = |tick| panel.mean(policy, tick) - panel.mean(policy, tick - 1);
    let texts = (1..panel.len()).map(|tick| format!("{:+.3}", gain(tick)));
    texts.collect::<Vec<_>>().join(" ")
}

/// What rises by more than nothing.
fn rising(what: String, differences: Vec<f64>) -> Comparison {
    Comparison {
        what,
        place: String::new(),
        differences,
        expected: Expected::Above(0.0),
    }
}

/// Claim 1.25: rising, and almost as much in the last step as in the first.
pub(super) fn linear(panel: &Panel) -> Finding {
    let words = format!(
        "figure 6: of {} the slope over the levels has an interval above 0, and so has the gain of the last step less {STILL} of that of the first; fails where an interval lies wholly below, or a line through the means has R^2 below {LINEAR}",
        panel.listed(&STRAIGHT)
    );
    let mut finding = Finding::default().by_rule(words);
    let mut fits = Vec::new();
    for policy in STRAIGHT.into_iter().filter(|_| panel.len() > 2) {
        let name = &panel.names[policy];
        let slopes = slopes(&panel.samples[policy]);
        let last = panel.len() - 1;
        let (late, early) = (panel.gain(policy, last - 1, last), panel.gain(policy, 0, 1));
        let half: Vec<f64> = early.iter().map(|early| STILL * early).collect();
        let less = format!("last gain of {name} less half of its first");
        finding.comparisons.extend([
            rising(format!("slope of {name}"), slopes),
            rising(less, paired(&late, &half)),
        ]);
        let gains = gains(panel, policy);
        // The share of the variance of the means that a line through them explains.
        let line = line((0..panel.len()).map(|tick| panel.mean(policy, tick)));
        let r_squared = line.map_or(f64::NAN, |line| line.r_squared);
        finding.verdicts.push(Verdict::of(r_squared >= LINEAR));
        fits.push(format!("{name} {gains} (R^2 {r_squared:.3})"));
    }
    finding.context = format!("gains by step: {}", fits.join("; "));
    finding
}

/// Claim 1.26: gains that come and go.
pub(super) fn unstable(panel: &Panel) -> Finding {
    let words = format!(
        "figure 6: {} are unstable, that is some step does not surely rise, or gains surely grow at one level and shrink at another; and at least {ENOUGH} of them bend most at {DISTURBED}; fails when one is stable or fewer than {TOO_FEW} bend there",
        panel.listed(&UNSTABLE)
    );
    let mut finding = Finding::default().by_rule(words);
    let mut measured = Vec::new();
    let mut bends_there = 0;
    for policy in UNSTABLE.into_iter().filter(|_| panel.len() > 2) {
        finding.verdicts.push(Verdict::of(wavers(panel, policy)));
        let bend = sharpest_bend(panel, policy);
        bends_there += usize::from(bend == Some(DISTURBED));
        let (name, gains) = (&panel.names[policy], gains(panel, policy));
        let bend = bend.unwrap_or("-");
        measured.push(format!("{name} gains {gains}, sharpest bend at {bend}"));
    }
    let there = Verdict::when(bends_there >= ENOUGH, bends_there < TOO_FEW);
    finding.verdicts.push(there);
    finding.measured = Some(measured.join("; "));
    let what = format!(
        "replications in which one of the four gains less by the step to {DISTURBED} than by the next"
    );
    let value = format!("{} of {}", dents_alone(panel), panel.replications());
    finding.with([Row::fact(what, value)])
}

/// Whether some step does not surely rise, or the gains surely grow at one level and surely shrink at another.
fn wavers(panel: &Panel, policy: usize) -> bool {
    let gain = |tick: usize| panel.gain(policy, tick - 1, tick);
    let surely_rises = |tick| Estimate::of(&gain(tick)).low() > 0.0;
    let stalls = !(1..panel.len()).all(surely_rises);
    let bend = |tick| Estimate::of(&paired(&gain(tick + 1), &gain(tick)));
    let mut bends = (1..panel.len().saturating_sub(1)).map(bend);
    let up = bends.clone().any(|bend| bend.low() > 0.0);
    stalls || (up && bends.any(|bend| bend.high() < 0.0))
}

/// The tick at which the means turn most.
fn sharpest_bend(panel: &Panel, policy: usize) -> Option<&str> {
    let bend = |tick: usize| {
        let mean = |tick| panel.mean(policy, tick);
        (mean(tick + 1) - 2.0 * mean(tick) + mean(tick - 1)).abs()
    };
    let inner = 1..panel.len().saturating_sub(1);
    let tick = inner.max_by(|&a, &b| bend(a).total_cmp(&bend(b)))?;
    Some(&panel.ticks[tick].text)
}

fn dents_alone(panel: &Panel) -> usize {
    let tick = panel.ticks.iter().position(|tick| tick.text == DISTURBED);
    let Some(tick) = tick.filter(|tick| (1..panel.len() - 1).contains(tick)) else {
        return 0;
    };
    let gain = |policy, to: usize, run: usize| panel.gain(policy, to - 1, to)[run];
    let dented = |&run: &usize| {
        let less = |policy: &usize| gain(*policy, tick, run) < gain(*policy, tick + 1, run);
        UNSTABLE.iter().any(less)
    };
    (0..panel.replications()).filter(dented).count()
}

/// Claim 1.28: the lead of PE worst fit over duration best fit.
pub(super) fn lead_grows(panel: &Panel) -> Finding {
    let [best, second] = [PE_W, DU_B].map(|policy| panel.listed(&[policy]));
    let words = format!(
        "figure 6: the slope of {best}'s lead over {second}, taken over the levels in each replication, has an interval above 0; below 0 fails"
    );
    let lead = |tick| panel.difference(PE_W, DU_B, tick);
    let leads: Vec<Vec<f64>> = (0..panel.len()).map(lead).collect();
    let texts = leads.iter().map(|lead| Estimate::of(lead).to_string());
    let texts: Vec<String> = texts.collect();
    let slopes = slopes(&leads);
    Finding {
        context: format!("lead by level {}", texts.join(", ")),
        comparisons: vec![rising("slope of the lead per level".to_owned(), slopes)],
        ..Finding::default().by_rule(words)
    }
}

/// Claim 1.24: figures 4 and 5 keep the order of figures 2 and 3.
pub(super) fn same_order(figures: [(&str, &Curves, &Curves); 2]) -> Finding {
    let words = format!(
        "Spearman's rank correlation of the policies' means at each arrival factor with their means over all UMed is at least {SAME_ORDER} (5 % for seven ranks); fails where it is below {OTHER_ORDER}"
    );
    let mut finding = Finding::default().by_rule(words);
    let mut measured = Vec::new();
    for (name, sizes, load) in figures {
        let found = agreements(sizes.first(), load.first());
        // Without a rank it neither holds nor fails.
        let ranks = found.iter().map(|rank| rank.unwrap_or(f64::NAN));
        let agrees = ranks.map(|rank| Verdict::when(rank >= SAME_ORDER, rank < OTHER_ORDER));
        finding.verdicts.extend(agrees);
        let text = |rank: &Option<f64>| rank.map_or("-".to_owned(), |rank| format!("{rank:.2}"));
        let texts: Vec<String> = found.iter().map(text).collect();
        measured.push(format!("{name}: {}", texts.join(" ")));
    }
    let measured = measured.join("; ");
    finding.measured = Some(format!("rank correlation by arrival factor, {measured}"));
    finding
}

/// The rank correlation with the means over all sizes, at each load.
fn agreements(sizes: &Panel, load: &Panel) -> Vec<Option<f64>> {
    let over_all =
        POLICIES.map(|policy| (0..sizes.len()).map(|tick| sizes.mean(policy, tick)).sum());
    let at = |tick| {
        let means = POLICIES.map(|policy| load.mean(policy, tick));
        rank_correlation(&over_all, &means)
    };
    (0..load.len()).map(at).collect()
}
