//! Claims 2.01 to 2.14 and 2.20, about figures 2 to 7, each with its rule.

use super::{
    points::{INTERVALS, LOADS},
    systems::{EDF, FIFO, SHUFFLE, SORTED},
    views::{
        ACTUAL_PHI, EDF_USED, EXACT, FIFO_AT, FIFO_BY_LOAD, FIFO_TO_END, FIXED_MEDIUM,
        FIXED_OTHERS, FLEXIBLE, GAINS, LEVELS, ORDERS, OVERESTIMATED, REJECTED_BY_INTERVAL,
        SUGGESTION, SUGGESTIONS, USED_BY_INTERVAL, WITHOUT,
    },
};
use crate::experiment::{
    Claim, Comparison, Finding, Panel, Panels, Rises, Row, Rule, View, above, all, everywhere,
    range, special, steps,
};
use crate::statistics::{Expected, Verdict};

/// What the paper gives for each load, and how far from that is the same (%).
const FIFO_USED: [(f64, f64); LOADS.len()] = [(46.8, 3.3), (50.9, 3.5), (54.7, 3.7)];
/// From this share of the maximum on, a mean phi is not significantly less.
const NEARLY: f64 = 0.8;

const LEVEL: &str = concat!(
    "The paper does not say for which intervals, over which time, nor what ± stands for: fixed intervals here, over the ",
    "fifteen days, which begin with an idle machine."
);
const SAME_ORDER: &str = concat!(
    "on average over the flexible intervals no two sorting criteria, Shuffle included, lie one way round at the first load and the other way ",
    "round at another, each time by more than the interval of their difference; open where means change their order within it"
);
const SHRINKS: &str = concat!(
    "Jobs that end early use less, which shrinks all differences in utilisation; the evidence has the gains by the level of ",
    "fixed intervals, too."
);
const EVERYBODY: &str =
    "Every user who is refused takes a suggestion, while only half have flexible intervals.";
const NEAREST: &str = concat!(
    "What is not significantly less is taken as four fifths of the maximum or more. Options are sorted by phi and the first that is ",
    "possible is taken, so that phi spreads over the whole range that is allowed."
);
const FEWER_BUT_LARGER: &str =
    "Flexible intervals let wide and long jobs in, which take the room of many small ones.";
const TWO_HALVES: &str = "Half of the jobs keep fixed intervals at every length.";

/// The claims.
pub(super) fn claims() -> Vec<Claim> {
    let orders = SORTED.into_iter().filter(|order| *order != EDF);
    let others = orders.chain([SHUFFLE]);
    let others: Vec<_> = others.map(|other| above(EDF, other)).collect();
    let best = everywhere(ORDERS, others);
    let suggested = everywhere(SUGGESTIONS, [above(SUGGESTION, WITHOUT)]);
    let flexible = everywhere(SUGGESTIONS, [above(FLEXIBLE, SUGGESTION)]);
    let strict = [
        everywhere(REJECTED_BY_INTERVAL, LONGER.map(|other| above(0, other))),
        everywhere(USED_BY_INTERVAL, LONGER.map(|other| above(other, 0))),
    ];
    let everything = [rises(EDF_USED), rises(FIXED_MEDIUM), greater_gain()];
    vec![
        level("2.01", 0).with(|p| beside(p, 0)),
        level("2.02", 1).with(|p| beside(p, 1)),
        level("2.03", 2).with(|p| beside(p, 2)),
        Claim::along("2.04", rises(FIFO_BY_LOAD)),
        Claim::along(
            "2.05",
            best.opening(|p| p.overall(ORDERS, &[SHUFFLE, 1, 2, 3, EDF])),
        )
        .pointwise(),
        Claim::along("2.06", special(SAME_ORDER, same_order)),
        Claim::along("2.07", rises(EDF_USED)).remark(TWO_HALVES),
        Claim::along(
            "2.08",
            greater_gain().opening(|p| p.overall(GAINS, &[EXACT, OVERESTIMATED])),
        )
        .with(relative_gains)
        .remark(SHRINKS),
        Claim::along("2.09", rises(FIXED_MEDIUM)),
        Claim::along("2.10", rises(FIXED_OTHERS)),
        Claim::along("2.11", suggested.opening(suggestions)),
        Claim::along("2.12", flexible.opening(suggestions)).remark(EVERYBODY),
        Claim::along(
            "2.13",
            range(ACTUAL_PHI, NEARLY, 1.0).opening(|p| p.ends(ACTUAL_PHI, &[0])),
        )
        .remark(NEAREST),
        Claim::along("2.14", all(everything)),
        Claim::along(
            "2.20",
            all(strict).opening(|p| p.overall(REJECTED_BY_INTERVAL, &[0, 1, 2, 3])),
        )
        .with(|p| {
            let used = p.overall(USED_BY_INTERVAL, &[0, 1, 2, 3]);
            vec![Row::fact("utilisation", used)]
        })
        .remark(FEWER_BUT_LARGER),
    ]
}

/// The flexible intervals by their places.
const LONGER: [usize; INTERVALS.len() - 1] = [1, 2, 3];

/// The only series of a view goes up.
fn rises(view: View) -> Rule {
    steps(view, &[0], Rises).opening(move |p| p.ends(view, &[0]))
}

fn greater_gain() -> Rule {
    everywhere(GAINS, [above(OVERESTIMATED, EXACT)])
}

fn level(id: &'static str, place: usize) -> Claim {
    let (claimed, within) = FIFO_USED[place];
    let near = range(FIFO_AT[place], claimed - within, claimed + within);
    let both = move |panels: &Panels| {
        let mean = |view| panels.first(view).mean(0, place);
        let [used, to_end] = [FIFO_BY_LOAD, FIFO_TO_END].map(mean);
        format!("{used:.1} % over the fifteen days, {to_end:.1} % until the last end")
    };
    Claim::along(id, near.opening(both)).remark(LEVEL)
}

fn suggestions(panels: &Panels) -> String {
    panels.overall(SUGGESTIONS, &[WITHOUT, SUGGESTION, FLEXIBLE])
}

/// What intervals gain in percent of the utilisation with fixed ones, exact and overestimated, on average over loads and intervals.
fn relative_gains(panels: &Panels) -> Vec<Row> {
    let gains = panels.of(GAINS).iter();
    let of = |series: usize| {
        let relative = gains.clone().enumerate().flat_map(|(load, panel)| {
            let level = panels.first(LEVELS).mean(series, load);
            (0..panel.len()).map(move |tick| 100.0 * panel.mean(series, tick) / level)
        });
        let relative: Vec<f64> = relative.collect();
        relative.iter().sum::<f64>() / relative.len().max(1) as f64
    };
    let (exact, over) = (of(EXACT), of(OVERESTIMATED));
    let value = format!("{exact:.2} % exact, {over:.2} % overestimated");
    let what = "gain by the utilisation with fixed intervals";
    vec![Row::fact(what, value)]
}

/// The same for flexible intervals, and until the last end.
fn beside(panels: &Panels, place: usize) -> Vec<Row> {
    let tick = |panel: &Panel, series, tick, what: String| {
        Row::estimate(what, panel.samples(series, tick))
    };
    let flexible = panels.of(ORDERS).get(place).into_iter().flat_map(|panel| {
        (0..panel.len()).map(|at| {
            let what = format!("with {} intervals", panel.ticks[at].text);
            tick(panel, FIFO, at, what)
        })
    });
    let to_end = panels.of(FIFO_TO_END).first().into_iter();
    let to_end = to_end.map(|panel| tick(panel, 0, place, "until the last end".to_owned()));
    flexible.chain(to_end).collect()
}

/// Claim 2.06: pairs of criteria at the first load and at the others.
fn same_order(panels: &Panels) -> Finding {
    let mut finding = Finding::default();
    let [first, others @ ..] = panels.of(ORDERS) else {
        return finding;
    };
    let criteria = [SHUFFLE, SORTED[0], SORTED[1], SORTED[2], SORTED[3]];
    let difference = |panel: &Panel, a, b| Comparison {
        what: format!("{} - {}", panel.names[a], panel.names[b]),
        place: format!("at {}", panel.place),
        differences: panel.mean_difference(a, b, &panel.all()),
        expected: Expected::Above(0.0),
    };
    let (mut same, mut all) = (0, 0);
    for (place, &a) in criteria.iter().enumerate() {
        for &b in &criteria[place + 1..] {
            let here = difference(first, a, b);
            for panel in others {
                let there = difference(panel, a, b);
                let means = [here.estimate().mean, there.estimate().mean];
                let opposite = [
                    (&here, Verdict::Holds, &there, Verdict::Fails),
                    (&here, Verdict::Fails, &there, Verdict::Holds),
                ];
                let turned = opposite
                    .iter()
                    .any(|(one, up, other, down)| one.verdict() == *up && other.verdict() == *down);
                let verdict = match (means[0] * means[1] >= 0.0, turned) {
                    (true, _) => Verdict::Holds,
                    (false, true) => Verdict::Fails,
                    (false, false) => Verdict::Undecidable,
                };
                (same, all) = (same + usize::from(means[0] * means[1] >= 0.0), all + 1);
                let both = format!("{:+.3} and {:+.3}", means[0], means[1]);
                let row = Row::verdict(&here.what, both, verdict);
                finding.decide(row.at(format!("{} and {}", here.place, there.place)));
            }
        }
    }
    finding.measured = Some(format!(
        "{same} of {all} pairs of criteria lie the same way round"
    ));
    finding
}

#[cfg(test)]
mod tests {
    use super::{ORDERS, SAME_ORDER, Verdict, same_order, special};
    use crate::experiment::{Panel, Panels, Tick};

    /// Five criteria at two loads, each with these values at the second load and a little noise.
    fn verdict(there: [f64; 5], noise: f64) -> Verdict {
        let panel = |place: &str, values: [f64; 5]| {
            let noisy =
                |value: f64, number: f64| vec![value - noise * number, value + noise * number];
            let values = (1..).zip(values);
            let values: Vec<Vec<f64>> = values
                .map(|(number, value)| noisy(value, f64::from(number)))
                .collect();
            let names = ["Shuffle", "FIFO", "BJF", "LFF", "EDF"];
            Panel {
                place: place.to_owned(),
                ..Panel::of(("interval", ""), names, [(Tick::number(25.0), values)])
            }
        };
        let here = [1.0, 2.0, 3.0, 4.0, 5.0];
        let panels = Panels::new([(ORDERS, vec![panel("one", here), panel("two", there)])]);
        special(SAME_ORDER, same_order).look(&panels).verdict()
    }

    #[test]
    fn an_order_is_the_same_or_another_or_open() {
        let turned = [1.0, 2.0, 3.0, 5.0, 4.0];
        assert_eq!(verdict([2.0, 3.0, 4.0, 5.0, 9.0], 1e-3), Verdict::Holds);
        assert_eq!(verdict(turned, 1e-3), Verdict::Fails);
        assert_eq!(verdict(turned, 1.0), Verdict::Undecidable);
    }
}
