//! Claims 2.01 to 2.14 and 2.20, about figures 2 to 7, each with its rule.

use super::{
    points::INTERVALS,
    systems::{EDF, FIFO, SHUFFLE, SORTED},
    views::{EXACT, FLEXIBLE, OVERESTIMATED, SUGGESTION, Views, WITHOUT},
};
use crate::experiment::{
    Claim, Comparison, Curves, Finding, Kind, Panel, Rises, Row, above, all, claim,
};
use crate::statistics::{Expected, Verdict};

/// From this share of the maximum on, a mean phi is not significantly less.
const NEARLY: f64 = 0.8;

const LEVEL: &str = "The paper does not say for which intervals, over which time, nor what ± stands for: fixed intervals here, over the fifteen days, which begin with an idle machine.";

const OTHER_JOBS: &str = "The paper's number is that of parts of a log that it does not name. Ours is of other parts, or of synthetic jobs where the log is missing, and begins with an idle machine; which of these differences is the cause is not known.";

/// The claims.
pub(super) fn claims(p: &Views) -> Vec<Claim> {
    use Kind::{Number, Order, Trend};
    let others = SORTED
        .into_iter()
        .filter(|order| *order != EDF)
        .chain([SHUFFLE]);
    let edf_above_all: Vec<_> = others.map(|other| above(EDF, other)).collect();
    // The flexible intervals by their places, beside the fixed one.
    let longer: [usize; INTERVALS.len() - 1] = [1, 2, 3];
    let greater_gain = p.gains.everywhere([above(OVERESTIMATED, EXACT)]);
    let suggested = p.suggestions.overall(&[WITHOUT, SUGGESTION, FLEXIBLE]);
    vec![
        claim("2.01", Number, "With FIFO on the original workload the utilisation is 46.8 % (figure 2, text).", "46.8 ± 3.3 %",
            level(p, 0, 46.8, 3.3)).with(beside(p, 0)).remark(LEVEL)
            .fails_since(OTHER_JOBS),
        claim("2.02", Number, "With FIFO and submissions 25 % more frequent it is 50.9 %.", "50.9 ± 3.5 %",
            level(p, 1, 50.9, 3.5)).with(beside(p, 1)).remark(LEVEL)
            .fails_since(OTHER_JOBS),
        claim("2.03", Number, "With FIFO and submissions 50 % more frequent it is 54.7 %.", "54.7 ± 3.7 %",
            level(p, 2, 54.7, 3.7)).with(beside(p, 2)).remark(LEVEL)
            .fails_since(OTHER_JOBS),
        claim("2.04", Order, "The utilisation with FIFO rises with the load.", "46.8 < 50.9 < 54.7",
            rises(&p.fifo_by_load)),
        claim("2.05", Order, "In all cases EDF with flexible intervals has the highest utilisation (figure 2).", "EDF above LFF, BJF, FIFO and Shuffle",
            p.orders.everywhere(edf_above_all).opening(p.orders.overall(&[SHUFFLE, 1, 2, 3, EDF])))
            .pointwise(),
        claim("2.06", Trend, "The results are not load sensitive: the order of the sorting criteria is the same at all loads (figure 2).", "the same order",
            same_order(&p.orders)),
        claim("2.07", Trend, "The longer the interval the higher the utilisation (figure 3).", "fixed < short < medium < long",
            rises(&p.edf_used))
            .remark("Half of the jobs keep fixed intervals at every length."),
        claim("2.08", Trend, "Flexible intervals have more effect when users overestimate their execution times (figure 4).", "a greater gain than in figure 3",
            greater_gain.clone().opening(p.gains.overall(&[EXACT, OVERESTIMATED])))
            .with([relative_gains(p)])
            .remark("Jobs that end early use less, which shrinks all differences in utilisation; the evidence has the gains by the level of fixed intervals, too.")
            .fails_since("The paper has flexible intervals gain more where users overestimate. Here they gain fewer points, since jobs that end early use less and all differences in utilisation shrink with that; by the utilisation with fixed intervals the two gains are about alike."),
        claim("2.09", Trend, "The later a job is fixed the better is the utilisation (figure 5, medium workload).", "acceptance < 25 % < 50 % < 75 %",
            rises(&p.fixed_medium)),
        claim("2.10", Trend, "The results of fixing jobs are similar for all workloads.", "the same at the other loads",
            rises(&p.fixed_others)),
        claim("2.11", Order, "The option suggested by the resource provider increases the utilisation (figure 6).", "suggestion above fixed intervals",
            p.suggestions.everywhere([above(SUGGESTION, WITHOUT)]).opening(&suggested)),
        claim("2.12", Order, "It does not perform as well as flexible intervals (figure 6).", "flexible intervals above suggestion",
            p.suggestions.everywhere([above(FLEXIBLE, SUGGESTION)]).opening(&suggested))
            .remark("Every user who is refused takes a suggestion, while only half have flexible intervals."),
        claim("2.13", Number, "The average phi of jobs accepted by suggestion is not significantly less than the maximum phi (figure 7).", "about the maximum",
            p.actual_phi.range(NEARLY, 1.0).opening(p.actual_phi.ends(&[0])))
            .remark("What is not significantly less is taken as four fifths of the maximum or more. Options are sorted by phi and the first that is possible is taken, so that phi spreads over the whole range that is allowed.")
            .fails_since("The paper has suggestions lie about as far from the request as users allow. Here they lie about half as far on average: options are sorted by their distance, and the first that is possible is taken."),
        claim("2.14", Order, "Utilisation grows with the flexibility of intervals and with the time for which users allow it, particularly when they overestimate execution times (section 6).", "2.07 to 2.09",
            all([rises(&p.edf_used), rises(&p.fixed_medium), greater_gain]))
            .fails_since("This sums up 2.07, 2.08 and 2.09, and fails with one of them. Here it is that flexible intervals gain fewer points where execution times are overestimated (2.08)."),
        claim("2.20", Trend, "Reservations with strict times fragment the resource: more rejections, less utilisation (section 2.1).", "fixed intervals worse than flexible ones",
            all([
                p.rejected_by_interval.everywhere(longer.map(|other| above(0, other))),
                p.used_by_interval.everywhere(longer.map(|other| above(other, 0))),
            ]).opening(p.rejected_by_interval.overall(&[0, 1, 2, 3])))
            .with([Row::fact("utilisation", p.used_by_interval.overall(&[0, 1, 2, 3]))])
            .remark("Flexible intervals let wide and long jobs in, which take the room of many small ones.")
            .fails_since("The paper has fixed intervals reject more. Here flexible ones use more of the machine but do not reject fewer requests at each load: they let wide and long jobs in, which take the room of many small ones."),
    ]
}

/// The only series goes up.
fn rises(curves: &Curves) -> Finding {
    curves.steps(&[0], Rises).opening(curves.ends(&[0]))
}

/// What the paper prints for FIFO at a load, and how far from that is the same (%).
fn level(p: &Views, place: usize, claimed: f64, within: f64) -> Finding {
    let mean = |curves: &Curves| curves.first().mean(0, place);
    let [used, to_end] = [&p.fifo_by_load, &p.fifo_to_end].map(mean);
    p.fifo_at[place]
        .range(claimed - within, claimed + within)
        .opening(format!(
            "{used:.1} % over the fifteen days, {to_end:.1} % until the last end"
        ))
}

/// What intervals gain in percent of the utilisation with fixed ones, exact and overestimated, on average over loads and intervals.
fn relative_gains(p: &Views) -> Row {
    let gains = p.gains.panels.iter();
    let of = |series: usize| {
        let relative = gains.clone().enumerate().flat_map(|(load, panel)| {
            let level = p.levels.mean(series, load);
            (0..panel.len()).map(move |tick| 100.0 * panel.mean(series, tick) / level)
        });
        let relative: Vec<f64> = relative.collect();
        relative.iter().sum::<f64>() / relative.len().max(1) as f64
    };
    let (exact, over) = (of(EXACT), of(OVERESTIMATED));
    let value = format!("{exact:.2} % exact, {over:.2} % overestimated");
    Row::fact("gain by the utilisation with fixed intervals", value)
}

/// The same for flexible intervals, and until the last end.
fn beside(p: &Views, place: usize) -> Vec<Row> {
    let tick = |panel: &Panel, series, tick, what: String| {
        Row::estimate(what, panel.samples(series, tick))
    };
    let flexible = p.orders.panels.get(place).into_iter().flat_map(|panel| {
        (0..panel.len()).map(|at| {
            let what = format!("with {} intervals", panel.ticks[at].text);
            tick(panel, FIFO, at, what)
        })
    });
    let to_end = p.fifo_to_end.panels.first().into_iter();
    let to_end = to_end.map(|panel| tick(panel, 0, place, "until the last end".to_owned()));
    flexible.chain(to_end).collect()
}

/// Claim 2.06: pairs of criteria at the first load and at the others.
fn same_order(orders: &Curves) -> Finding {
    let mut finding = Finding::default().by_rule("on average over the flexible intervals no two sorting criteria, Shuffle included, lie one way round at the first load and the other way round at another, each time by more than the interval of their difference; open where means change their order within it");
    let [first, others @ ..] = &orders.panels[..] else {
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
    use super::{Curves, Verdict, same_order};
    use crate::experiment::{Panel, Tick};

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
        let panels = [panel("one", here), panel("two", there)];
        same_order(&Curves::new("", panels)).verdict()
    }

    #[test]
    fn an_order_is_the_same_or_another_or_open() {
        let turned = [1.0, 2.0, 3.0, 5.0, 4.0];
        assert_eq!(verdict([2.0, 3.0, 4.0, 5.0, 9.0], 1e-3), Verdict::Holds);
        assert_eq!(verdict(turned, 1e-3), Verdict::Fails);
        assert_eq!(verdict(turned, 1.0), Verdict::Undecidable);
    }
}
