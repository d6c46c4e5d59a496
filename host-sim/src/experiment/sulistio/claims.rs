//! Claims 3.09 to 3.27 about figures 4 to 9, each with its rule.

use super::{
    rules::{between, flat, labelled, reduced, reductions, somewhere_falls},
    systems::{
        FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY,
    },
    views::{
        BUSY, CHANGING, GREATEST_REDUCED, GREATEST_REJECTED, GREATEST_ROOM, LEAST_REDUCED,
        LEAST_REJECTED, LEAST_ROOM, PAID, REJECTED, SWINGING, USED, USED_AT_1, USED_LATER,
        USED_TO_END, WAITED, WAITED_AT_ENDS, WAITED_BY_AHEAD, WAITED_LATER, WIDE_ACCEPTED,
        WIDE_ASKED,
    },
};
use crate::experiment::At::{Beyond, Mean, MeanBelow, MeanOfAll};
use crate::experiment::{
    By, Claim, Comparison, Falls, Panel, Panels, Row, Rule, Test, View, above, above_by, alike,
    all, compare, ends, everywhere, mostly, points_above, shift, steps,
};
use crate::statistics::{Estimate, finite, paired};

/// Much is this share of the distance from the lowest to the highest curve.
const MUCH: By = By::Spread(0.25, &OF_THE_PAPER);
/// What is slight, what is flat, and what is not too far, in points of utilisation.
const SLIGHT: By = By::Fixed(0.05);
const FLAT: f64 = 0.01;
const NOT_TOO_FAR: By = By::Fixed(0.05);
/// From this search limit time (h) on the paper sees OSP improve.
const LATER: f64 = 6.0;
/// More revenue by this share of Rigid+BF's is a major advantage.
const MAJOR: By = By::Share(0.1, RIGID_BF);
/// What the paper gives for bt 5 h, slt 0 h, and for bt 10 h, slt 12 h.
const LEAST: f64 = 0.135;
const GREATEST: f64 = 0.7722;

/// Every strategy beside OSP+BF.
const OTHERS: [usize; 4] = [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF];
/// Backfilling and FCFS under the same reservation algorithm.
const QUEUES: [(usize, usize); 2] = [(FF_BF, FF_FCFS), (RIGID_BF, RIGID_FCFS)];
/// Flexible reservation algorithms and the rigid one, with the same queue.
const FLEXIBLE: [(usize, usize); 2] = [(FF_BF, RIGID_BF), (OSP_BF, RIGID_BF)];

const LOAD: &str = "Whoever accepts more has more load, and other jobs wait longer.";
const ADMISSION: &str = "Other jobs are booked, too, and no reservation displaces them.";
const RIGID_TIMES: &str = concat!(
    "A rigid request has no search limit, so only bt can matter: reservations known earlier shift against the other jobs and ",
    "beyond the two weeks."
);
const RESTLESS: &str = "Each start and end is a change, so a strategy that runs more jobs has more changes, though not larger ones.";
const WEIGHTY: &str =
    "Revenue goes by slots and CNs, so a few long and wide jobs weigh more than many others.";
const WITHIN: &str = "By the letter alternatives only shorten a job; a second query narrows it, too. What is accepted so may take the room of others.";

/// The claims.
pub(super) fn claims() -> Vec<Claim> {
    [figures_4_and_5(), figures_6_to_8(), waits_and_conclusions()]
        .into_iter()
        .flatten()
        .collect()
}

fn figures_4_and_5() -> Vec<Claim> {
    let much_more = QUEUES.map(|(with, without)| above_by(with, without, MUCH));
    let backfilling = everywhere(USED, much_more);
    let backfilling = backfilling.opening(|p| p.overall(USED, &OF_THE_PAPER));
    let on_average = compare(USED, MeanOfAll, FLEXIBLE.map(|(a, b)| above(a, b)));
    let at_1_h = |p: &Panels| p.ends(USED_AT_1, &[FF_BF, OSP_BF]);
    let slightly = [above(FF_BF, OSP_BF), alike(FF_BF, OSP_BF, SLIGHT)];
    let later = compare(USED_LATER, Mean, [above(OSP_BF, FF_BF)]);
    let wider = everywhere(
        WIDE_ACCEPTED,
        [FF_BF, RIGID_FCFS].map(|other| above(OSP_BF, other)),
    );
    vec![
        Claim::along("3.09", backfilling).with(|p| {
            let to_end = p.overall(USED_TO_END, &OF_THE_PAPER);
            vec![Row::fact("until the last end", to_end)]
        }),
        Claim::along(
            "3.10",
            all([on_average, mostly(USED, &FLEXIBLE)]).opening(higher),
        ),
        Claim::along("3.11", flat(USED, RIGID_BF, FLAT).opening(rigid_level))
            .with(until_the_last_end)
            .remark(RIGID_TIMES),
        Claim::along(
            "3.12",
            compare(USED_AT_1, MeanBelow(LATER), slightly).opening(at_1_h),
        )
        .with(without_alternatives),
        Claim::along("3.13", shift(USED_AT_1, OSP_BF, LATER).opening(at_1_h))
            .with(|p| [beside_first_fit(p), without_alternatives(p)].concat()),
        Claim::along(
            "3.14",
            later.opening(|p| p.ends(USED_LATER, &[FF_BF, OSP_BF])),
        ),
        Claim::parts(
            "3.15",
            [
                ("slot edges at which the number changes", calmer(CHANGING)),
                ("mean size of a step", calmer(SWINGING)),
            ],
        )
        .remark(RESTLESS),
        Claim::along(
            "3.16",
            labelled("wide jobs accepted, ", wider).opening(wide),
        )
        .remark("Reduced reservations count as accepted."),
    ]
}

fn figures_6_to_8() -> Vec<Claim> {
    let fewest = [
        compare(REJECTED, Beyond(0.0), against_others()),
        ends(REJECTED, &[OSP_BF], Falls),
    ];
    // With no room to move first fit is rigid.
    let more_revenue = [
        above(FF_FCFS, RIGID_FCFS),
        above(FF_BF, RIGID_BF),
        above(OSP_BF, RIGID_BF),
    ];
    let revenue = all([
        compare(PAID, Beyond(0.0), more_revenue),
        compare(PAID, Mean, [above_by(OSP_BF, RIGID_BF, MAJOR)]),
    ]);
    vec![
        Claim::along(
            "3.17",
            all(fewest).opening(|p| p.overall(REJECTED, &OF_THE_PAPER)),
        )
        .with(room)
        .remark(format!("{LOAD} {ADMISSION}")),
        Claim::along("3.18", reduced(LEAST_REDUCED, LEAST_REJECTED, LEAST))
            .with(|p| room_of(p, LEAST_ROOM))
            .remark(WITHIN),
        Claim::along(
            "3.19",
            reduced(GREATEST_REDUCED, GREATEST_REJECTED, GREATEST),
        )
        .with(|p| room_of(p, GREATEST_ROOM))
        .remark(WITHIN),
        Claim::along("3.20", between().opening(extremes)),
        Claim::along(
            "3.21",
            revenue.opening(|p| format!("dollars, {}", p.overall(PAID, &OF_THE_PAPER))),
        )
        .remark(WEIGHTY),
    ]
}

fn waits_and_conclusions() -> Vec<Claim> {
    let hours = |series: &'static [usize]| {
        move |p: &Panels| format!("hours, {}", p.overall(WAITED, series))
    };
    let shorter = all([
        ends(WAITED, &[FF_BF, OSP_BF], Falls),
        ends(WAITED_BY_AHEAD, &[FF_BF, OSP_BF], Falls),
    ]);
    let with_bt = everywhere(WAITED_AT_ENDS, [above(0, 1)]);
    let below_first_fit = compare(WAITED_LATER, Mean, [above(FF_BF, OSP_BF)]);
    let backfilled = everywhere(WAITED, QUEUES.map(|(with, without)| above(without, with)));
    let rejections = |tests| labelled("rejections of ", compare(REJECTED, Mean, tests));
    let utilisation = |test| labelled("utilisation of ", compare(USED, Mean, [test]));
    let best = all([
        rejections(against_others()),
        utilisation(alike(OSP_BF, FF_BF, NOT_TOO_FAR)),
    ]);
    let better_than_rigid = all([
        rejections(vec![above(RIGID_BF, OSP_BF)]),
        utilisation(above(OSP_BF, RIGID_BF)),
    ]);
    vec![
        Claim::along("3.22", shorter.opening(hours(&[FF_BF, OSP_BF])))
            .with(crowded_out)
            .remark(LOAD),
        Claim::parts(
            "3.23",
            [
                (
                    "falls with bt",
                    with_bt.opening(|p| p.ends(WAITED_BY_AHEAD, &[OSP_BF])),
                ),
                (
                    "below first-fit+BF, which the sentence does not name",
                    below_first_fit.opening(|p| p.ends(WAITED_LATER, &[FF_BF, OSP_BF])),
                ),
            ],
        )
        .with(|p| {
            let reserved = p.overall(PAID, &[FF_BF, OSP_BF]);
            vec![Row::fact("CN-slots reserved", reserved)]
        })
        .remark(LOAD),
        Claim::along("3.24", somewhere_falls())
            .with(|p| [steps_down(p), crowded_out(p)].concat())
            .remark(LOAD),
        Claim::along("3.25", backfilled.opening(hours(&OF_THE_PAPER))),
        Claim::along(
            "3.26",
            best.opening(|p| both(p, &[FF_BF, RIGID_BF, OSP_BF])),
        )
        .with(room)
        .remark(ADMISSION),
        Claim::along(
            "3.27",
            better_than_rigid.opening(|p| both(p, &[RIGID_BF, OSP_BF])),
        ),
    ]
}

/// OSP+BF below every other strategy.
fn against_others() -> Vec<Test> {
    OTHERS.map(|other| above(other, OSP_BF)).into()
}

/// OSP+BF below the others that figure 5 shows.
fn calmer(view: View) -> Rule {
    let others = [FF_BF, RIGID_FCFS].map(|other| above(other, OSP_BF));
    everywhere(view, others).opening(move |p| p.ends(view, &BUSY))
}

fn higher(panels: &Panels) -> String {
    let count = |(a, b)| {
        let (higher, all) = points_above(panels.of(USED), a, b);
        format!(
            "{} higher at {higher} of {all} points",
            panels.names(USED, &[a])
        )
    };
    let counts = FLEXIBLE.map(count).join(", ");
    format!(
        "{}; {counts}",
        panels.overall(USED, &[FF_BF, RIGID_BF, OSP_BF])
    )
}

fn rigid_level(panels: &Panels) -> String {
    let [used, until] = [USED, USED_TO_END].map(|view| panels.overall_values(view, &[RIGID_BF]));
    format!("mean over all points, over the two weeks {used}, until the last end {until}")
}

/// Claim 3.11 with the other cut, and the means by book-ahead time with both.
fn until_the_last_end(panels: &Panels) -> Vec<Row> {
    let found = flat(USED_TO_END, RIGID_BF, FLAT).look(panels);
    let other = "the same until the last end";
    let other = Row::verdict(other, found.numbers(), found.verdict());
    let means = [USED, USED_TO_END].into_iter().flat_map(|view| {
        let mean = move |panel: &Panel| {
            Row::estimate(view, &panel.mean_over(RIGID_BF, &panel.all())).at(&panel.place)
        };
        panels.of(view).iter().map(mean)
    });
    [other].into_iter().chain(means).collect()
}

/// By how much a strategy uses more than first-fit+BF, on average over some search limit times.
fn lead(panel: &Panel, which: impl Fn(f64) -> bool, a: usize) -> Vec<f64> {
    panel.mean_difference(a, FF_BF, &panel.ticks_where(which))
}

/// What OSP does beside first fit without the alternatives; the rest is what alternatives add.
fn without_alternatives(panels: &Panels) -> Vec<Row> {
    let lead = lead(panels.first(USED_AT_1), |slt| slt < LATER, SOLUTIONS_ONLY);
    let what = "OSP+BF without alternatives - first-fit+BF for slt < 6 h";
    vec![Row::estimate(what, &lead)]
}

fn beside_first_fit(panels: &Panels) -> Vec<Row> {
    let panel = panels.first(USED_AT_1);
    let late = lead(panel, |slt| slt >= LATER, OSP_BF);
    let early = lead(panel, |slt| slt < LATER, OSP_BF);
    vec![Row::estimate(
        "rise of OSP+BF - first-fit+BF",
        &paired(&late, &early),
    )]
}

fn wide(panels: &Panels) -> String {
    let panel = panels.first(WIDE_ACCEPTED);
    let share = |series: usize| {
        let shares = finite(panel.samples(series, 0).to_vec());
        let mean = match shares.is_empty() {
            true => "-".to_owned(),
            false => format!("{:.3}", Estimate::of(&shares).mean),
        };
        format!("{} {mean}", panel.names[series])
    };
    let asked = panels.first(WIDE_ASKED).mean(OSP_BF, 0);
    format!(
        "bt 5 h, slt 8 h: accepted of {asked:.1} requests for more than 32 CNs, {}",
        BUSY.map(share).join(", ")
    )
}

/// Why others may reject less: the less the other jobs take of the machine, the more room is left to reserve; and alternatives take room
/// from those who come later.
fn room(panels: &Panels) -> Vec<Row> {
    let used = panels.overall(USED, &[FF_FCFS, FF_BF]);
    let rejected = panels.overall(REJECTED, &[OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY]);
    [("utilisation", used), ("rejections", rejected)]
        .map(|(what, value)| Row::fact(what, value))
        .into()
}

/// How large alternatives are beside all reservations.
fn room_of(panels: &Panels, view: View) -> Vec<Row> {
    let panel = panels.first(view);
    let row = |(series, tick): (usize, usize)| {
        let samples = finite(panel.samples(series, tick).to_vec());
        Row::estimate(&panel.names[series], &samples)
    };
    panel.values().map(row).collect()
}

fn extremes(panels: &Panels) -> String {
    let reductions = reductions(panels).into_iter();
    let means = reductions.map(|(place, shares)| (Estimate::of(&finite(shares)).mean, place));
    let mut means: Vec<(f64, String)> = means.filter(|(mean, _)| !mean.is_nan()).collect();
    means.sort_by(|a, b| a.0.total_cmp(&b.0));
    let text = |end: Option<&(f64, String)>| {
        end.map_or("none".to_owned(), |(mean, place)| {
            format!("{:.2} % at {place}", 100.0 * mean)
        })
    };
    format!("from {} to {}", text(means.first()), text(means.last()))
}

/// What reservations take the others wait for: how much more is reserved at the longest search limit time than without any.
fn crowded_out(panels: &Panels) -> Vec<Row> {
    let row = |panel: &Panel| {
        let last = panel.len().saturating_sub(1);
        let share = panel.mean(OSP_BF, last) / panel.mean(OSP_BF, 0) - 1.0;
        let what = "CN-slots reserved under OSP+BF from slt 0 to the longest";
        Row::fact(what, format!("{:+.1} %", 100.0 * share)).at(&panel.place)
    };
    panels.of(PAID).iter().map(row).collect()
}

/// How many of the single steps of slt go down.
fn steps_down(panels: &Panels) -> Vec<Row> {
    let found = steps(WAITED, &[OSP_BF], Falls).look(panels).comparisons;
    let steps: Vec<Estimate> = found.iter().map(Comparison::estimate).collect();
    let count = |falls: fn(&Estimate) -> bool| {
        let down = steps.iter().filter(|step| falls(step)).count();
        format!("{down} of {}", steps.len())
    };
    let (on_average, surely) = (
        count(|step| step.mean > 0.0),
        count(|step| step.low() > 0.0),
    );
    vec![
        Row::fact("single steps of slt that fall on average", on_average),
        Row::fact("single steps of slt that surely fall", surely),
    ]
}

fn both(panels: &Panels, series: &[usize]) -> String {
    format!(
        "rejections, {}; utilisation, {}",
        panels.overall(REJECTED, series),
        panels.overall(USED, series)
    )
}

#[cfg(test)]
mod tests {
    use super::{
        CHANGING, GREATEST_REDUCED, GREATEST_REJECTED, LEAST_REDUCED, LEAST_REJECTED, PAID,
        REJECTED, SWINGING, USED, USED_AT_1, USED_LATER, WAITED, WAITED_AT_ENDS, WAITED_BY_AHEAD,
        WAITED_LATER, WIDE_ACCEPTED, claims,
    };
    use crate::experiment::{
        Panel, Panels, Tick, View,
        claims::tests::verdict,
        sulistio::{
            points::{BOOK_AHEAD, SEARCH_LIMIT},
            systems::NAMES,
            views::REDUCTIONS,
        },
    };
    use crate::statistics::Verdict::{self, Fails, Holds, Undecidable};

    /// A value of a strategy at a book-ahead time and a search limit time.
    type Picture = fn(usize, u64, u64) -> f64;

    /// A panel of all strategies, with a little noise that differs between replications and strategies.
    fn panel(
        place: String,
        unit: &'static str,
        ticks: &[f64],
        value: impl Fn(usize, f64) -> f64,
    ) -> Panel {
        let noise = |run: usize, series: usize| [1e-6, -1e-6][(run + series) % 2];
        let at = |series: usize, tick: f64| {
            (0..6)
                .map(|run| value(series, tick) + noise(run, series))
                .collect()
        };
        Panel {
            place,
            axis: if ticks.len() > 1 { "slt" } else { "" },
            unit,
            ticks: ticks.iter().copied().map(Tick::number).collect(),
            names: NAMES.map(str::to_owned).to_vec(),
            samples: (0..NAMES.len())
                .map(|series| ticks.iter().map(|tick| at(series, *tick)).collect())
                .collect(),
            ..Panel::default()
        }
    }

    fn over_limits(picture: Picture) -> Vec<Panel> {
        let limits = SEARCH_LIMIT.map(|limit| limit as f64);
        let one = |ahead| {
            panel(format!("bt {ahead} h"), "h", &limits, |series, slt| {
                picture(series, ahead, slt as u64)
            })
        };
        BOOK_AHEAD.map(one).to_vec()
    }

    fn single(values: [f64; 7]) -> Vec<Panel> {
        vec![panel(String::new(), "", &[0.0], |series, _| values[series])]
    }

    /// One picture seen through every view over the search limit times.
    fn views(picture: Picture) -> Panels {
        let all = over_limits(picture);
        let by_ahead = |series: usize, ahead: f64| picture(series, ahead as u64, 6);
        let by_ahead = panel(
            String::new(),
            "h",
            &BOOK_AHEAD.map(|ahead| ahead as f64),
            by_ahead,
        );
        let ends = [picture(4, 1, 6), picture(4, 10, 6), 0.0, 0.0, 0.0, 0.0, 0.0];
        Panels::new([
            (USED_AT_1, all[..1].to_vec()),
            (USED_LATER, all[1..].to_vec()),
            (WAITED_LATER, all[1..].to_vec()),
            (WAITED_BY_AHEAD, vec![by_ahead]),
            (WAITED_AT_ENDS, single(ends)),
            (USED, all.clone()),
            (REJECTED, all.clone()),
            (PAID, all.clone()),
            (WAITED, all),
        ])
    }

    // first-fit+FCFS, first-fit+BF, Rigid+FCFS, Rigid+BF, OSP+BF and its two variants, as the paper draws them.
    const UTILISATION: Picture =
        |strategy, _, _| [0.40, 0.60, 0.35, 0.55, 0.62, 0.6, 0.6][strategy];
    const UPSIDE_DOWN: Picture = |strategy, ahead, slt| 1.0 - UTILISATION(strategy, ahead, slt);
    const ONE_HOUR: Picture = |strategy, _, slt| {
        let later = [0.0, 0.03][usize::from(strategy == 4 && slt >= 6)];
        0.6 - 0.02 * f64::from(u8::from(strategy == 4)) + later
    };
    const SLOPING: Picture = |_, _, slt| 0.8 - 0.02 * slt as f64;
    const WAIT: Picture = |strategy, ahead, slt| {
        [30.0, 15.0, 35.0, 18.0, 14.0, 14.0, 14.0][strategy] - 0.1 * (ahead + slt) as f64
    };
    const LONG_WAIT: Picture = |strategy, ahead, slt| 100.0 - WAIT(strategy, ahead, slt);
    const REJECTIONS: Picture =
        |strategy, _, slt| [120.0, 120.0, 120.0, 120.0, 60.0, 100.0, 50.0][strategy] - slt as f64;
    const MORE_REJECTIONS: Picture =
        |strategy, _, _| [50.0, 50.0, 50.0, 50.0, 95.0, 100.0, 100.0][strategy];
    const REVENUE: Picture =
        |strategy, _, _| [1_100.0, 1_100.0, 900.0, 900.0, 1_300.0, 0.0, 0.0][strategy];
    const HARDLY_MORE: Picture =
        |strategy, _, _| [1_100.0, 1_100.0, 900.0, 900.0, 950.0, 0.0, 0.0][strategy];

    #[test]
    fn each_rule_holds_for_the_papers_picture_and_fails_for_its_opposite() {
        let claims = claims();
        let table: [(&str, Picture, Picture); 12] = [
            ("3.09", UTILISATION, UPSIDE_DOWN),
            ("3.10", UTILISATION, UPSIDE_DOWN),
            ("3.11", UTILISATION, SLOPING),
            ("3.12", ONE_HOUR, UTILISATION),
            ("3.13", ONE_HOUR, SLOPING),
            ("3.14", UTILISATION, UPSIDE_DOWN),
            ("3.17", REJECTIONS, MORE_REJECTIONS),
            ("3.21", REVENUE, HARDLY_MORE),
            ("3.22", WAIT, LONG_WAIT),
            ("3.23", WAIT, LONG_WAIT),
            ("3.24", WAIT, LONG_WAIT),
            ("3.25", WAIT, LONG_WAIT),
        ];
        for (id, drawn, opposite) in table {
            assert_eq!(verdict(&claims, id, &views(drawn)), Holds, "{id}");
            assert_eq!(verdict(&claims, id, &views(opposite)), Fails, "{id}");
        }
        let level = views(|_, _, _| 1.0);
        assert_eq!(verdict(&claims, "3.24", &level), Undecidable);
    }

    #[test]
    fn conclusions_rest_on_rejections_and_utilisation() {
        let claims = claims();
        let both = |rejections: Picture, utilisation: Picture| {
            Panels::new([
                (REJECTED, over_limits(rejections)),
                (USED, over_limits(utilisation)),
            ])
        };
        const FEWER: Picture =
            |strategy, _, _| [60.0, 60.0, 90.0, 90.0, 40.0, 50.0, 30.0][strategy];
        const FAR: Picture = |strategy, ahead, slt| {
            UTILISATION(strategy, ahead, slt) - 0.2 * f64::from(u8::from(strategy == 4))
        };
        for id in ["3.26", "3.27"] {
            assert_eq!(
                verdict(&claims, id, &both(FEWER, UTILISATION)),
                Holds,
                "{id}"
            );
            assert_eq!(verdict(&claims, id, &both(FEWER, FAR)), Fails, "{id}");
        }
    }

    #[test]
    fn what_figure_5_shows_is_told_from_its_opposite() {
        let claims = claims();
        let busy =
            |changes, steps| Panels::new([(CHANGING, single(changes)), (SWINGING, single(steps))]);
        let (calm, restless) = (
            [9.0, 9.0, 9.0, 9.0, 7.0, 9.0, 9.0],
            [9.0, 9.0, 9.0, 9.0, 11.0, 9.0, 9.0],
        );
        assert_eq!(verdict(&claims, "3.15", &busy(calm, calm)), Holds);
        assert_eq!(verdict(&claims, "3.15", &busy(restless, calm)), Fails);
        assert_eq!(verdict(&claims, "3.15", &busy(calm, restless)), Fails);
        let wide = |shares| {
            verdict(
                &claims,
                "3.16",
                &Panels::new([(WIDE_ACCEPTED, single(shares))]),
            )
        };
        assert_eq!(wide(restless), Holds);
        assert_eq!(wide(calm), Fails);
        assert_eq!(wide([f64::NAN; 7]), Undecidable);
    }

    /// Panels of reductions by the letter, and of rejections without alternatives.
    fn reductions(share: fn(u64, u64) -> f64, rejections: f64) -> Panels {
        let picture = |ahead: u64| {
            let limits = SEARCH_LIMIT.map(|limit| limit as f64);
            panel(format!("bt {ahead} h"), "h", &limits, |_, slt| {
                share(ahead, slt as u64)
            })
        };
        let at = |ahead, slt| single([share(ahead, slt); 7]);
        Panels::new([
            (REDUCTIONS, BOOK_AHEAD.map(picture).to_vec()),
            (LEAST_REDUCED, at(5, 0)),
            (GREATEST_REDUCED, at(10, 12)),
            (LEAST_REJECTED, single([rejections; 7])),
            (GREATEST_REJECTED, single([rejections; 7])),
        ])
    }

    #[test]
    fn reductions_are_compared_with_the_printed_ones_where_a_run_has_enough_rejections() {
        let claims = claims();
        const DRAWN: fn(u64, u64) -> f64 = |ahead, slt| match (ahead, slt) {
            (5, 0) => 0.135,
            (10, 12) => 0.7722,
            _ => 0.4,
        };
        const TURNED: fn(u64, u64) -> f64 = |_, slt| 0.6 - slt as f64 / 20.0;
        let judge = |id: &str, share, rejections| -> Verdict {
            verdict(&claims, id, &reductions(share, rejections))
        };
        for id in ["3.18", "3.19"] {
            assert_eq!(judge(id, DRAWN, 100.0), Holds, "{id}");
            assert_eq!(judge(id, TURNED, 100.0), Fails, "{id}");
            assert_eq!(judge(id, TURNED, 3.0), Undecidable, "{id}");
        }
        assert_eq!(judge("3.20", DRAWN, 100.0), Holds);
        assert_eq!(judge("3.20", TURNED, 100.0), Fails);
    }

    #[test]
    fn a_replication_without_rejections_leaves_the_others_in_their_pairs() {
        let least = |run: usize| 0.1 * run as f64;
        let samples = |more: f64, first: f64| -> Vec<f64> {
            std::iter::once(first)
                .chain((1..6).map(|run| least(run) + more))
                .collect()
        };
        let with = |panel: Panel, place: &str, samples: Vec<f64>| Panel {
            place: place.to_owned(),
            axis: "slt",
            samples: vec![vec![samples]; NAMES.len()],
            ..panel
        };
        let one = || single([0.0; 7]).remove(0);
        let view = |view: View, place: &str, samples| (view, vec![with(one(), place, samples)]);
        let panels = Panels::new([
            view(LEAST_REDUCED, "", samples(0.0, f64::NAN)),
            view(GREATEST_REDUCED, "", samples(0.1, 0.1)),
            view(REDUCTIONS, "bt 1 h", samples(0.05, 0.05)),
        ]);
        // Each replication paired with the next would put the least reduction above the others.
        assert_eq!(verdict(&claims(), "3.20", &panels), Holds);
    }
}
