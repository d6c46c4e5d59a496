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
    By, Claim, Comparison, Curves, Falls, Finding, Kind, Panel, Panels, Row, above, above_by,
    alike, all, claim, parts,
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

const LOAD: &str = "Whoever accepts more has more load, and other jobs wait longer.";
const ADMISSION: &str = "Other jobs are booked, too, and no reservation displaces them.";
const WITHIN: &str = "By the letter alternatives only shorten a job; a second query narrows it, too. What is accepted so may take the room of others.";

/// The claims.
pub(super) fn claims(p: &Panels) -> Vec<Claim> {
    use Kind::{Number, Order, Trend};
    // The same queue under a flexible reservation algorithm and the rigid one, and the same algorithm over a backfilled queue and the other.
    let flexible = [(FF_BF, RIGID_BF), (OSP_BF, RIGID_BF)];
    let queues = [(FF_BF, FF_FCFS), (RIGID_BF, RIGID_FCFS)];
    let osp_below_all = [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF].map(|other| above(other, OSP_BF));
    let osp_calmer = [FF_BF, RIGID_FCFS].map(|other| above(other, OSP_BF));
    let at_1_h = p[USED_AT_1].ends(&[FF_BF, OSP_BF]);
    let later = [FF_BF, OSP_BF];
    vec![
        claim("3.09", Order, "Figure 4: backfilling performs much better than FCFS under the same reservation algorithm.", "FF+BF >> FF+FCFS, Rigid+BF >> Rigid+FCFS",
            p[USED].everywhere(queues.map(|(with, without)| above_by(with, without, MUCH))).opening(p[USED].overall(&OF_THE_PAPER)))
            .with([Row::fact("until the last end", p[USED_TO_END].overall(&OF_THE_PAPER))]),
        claim("3.10", Order, "Figure 4: flexibility improves utilisation in most cases, and Rigid+BF lies below first-fit+BF and OSP+BF overall.", "FF+BF, OSP+BF > Rigid+BF",
            all([p[USED].compare(MeanOfAll, flexible.map(|(a, b)| above(a, b))), p[USED].mostly(&flexible)]).opening(higher(&p[USED], flexible))),
        claim("3.11", Trend, "Figure 4: bt and slt do not affect Rigid+BF.", "flat",
            flat(&p[USED], RIGID_BF, FLAT).opening(rigid_level(p)))
            .with(until_the_last_end(p))
            .remark("A rigid request has no search limit, so only bt can matter: reservations known earlier shift against the other jobs and beyond the two weeks."),
        claim("3.12", Order, "Figure 4: for bt = 1 h OSP is slightly worse than first-fit.", "OSP+BF slightly below FF+BF for slt < 6 h",
            p[USED_AT_1].compare(MeanBelow(LATER), [above(FF_BF, OSP_BF), alike(FF_BF, OSP_BF, SLIGHT)]).opening(&at_1_h))
            .with([without_alternatives(p)]),
        claim("3.13", Trend, "Figure 4: for bt = 1 h OSP improves when slt >= 6 h.", "OSP+BF higher for slt >= 6 h than below",
            p[USED_AT_1].shift(OSP_BF, LATER).opening(&at_1_h))
            .with([beside_first_fit(p), without_alternatives(p)]),
        claim("3.14", Order, "Figure 4: for bt = 5 and 10 h OSP performs better than first-fit on average.", "OSP+BF > FF+BF",
            p[USED_LATER].compare(Mean, [above(OSP_BF, FF_BF)]).opening(p[USED_LATER].ends(&later))),
        claim("3.15", Order, "Figure 5: busy CNs fluctuate often under first-fit+BF and Rigid+FCFS, and less under OSP+BF.", "OSP+BF below FF+BF and Rigid+FCFS",
            parts([("slot edges at which the number changes", CHANGING), ("mean size of a step", SWINGING)]
                .map(|(name, view)| (name, p[view].everywhere(&osp_calmer).opening(p[view].ends(&BUSY))))))
            .remark("Each start and end is a change, so a strategy that runs more jobs has more changes, though not larger ones."),
        claim("3.16", Trend, "Jobs that require many CNs are more probably accepted under OSP+BF than under first-fit+BF and Rigid+FCFS.", "OSP+BF above FF+BF and Rigid+FCFS",
            labelled("wide jobs accepted, ", p[WIDE_ACCEPTED].everywhere([FF_BF, RIGID_FCFS].map(|other| above(OSP_BF, other)))).opening(wide(p)))
            .remark("Reduced reservations count as accepted."),
        claim("3.17", Order, "Figure 6: OSP has the lowest number of rejections as slt increases.", "OSP+BF below all others",
            all([p[REJECTED].compare(Beyond(0.0), &osp_below_all), p[REJECTED].first_to_last(&[OSP_BF], Falls)]).opening(p[REJECTED].overall(&OF_THE_PAPER)))
            .with(room(p))
            .remark(format!("{LOAD} {ADMISSION}")),
        claim("3.18", Number, "Figure 7: choosing alternative offers reduces rejections by around 13.50 % at bt = 5 h, slt = 0.", "13.50 %",
            reduced(&p[LEAST_REDUCED], &p[LEAST_REJECTED], 0.135))
            .with(room_of(&p[LEAST_ROOM]))
            .remark(WITHIN),
        claim("3.19", Number, "Figure 7: choosing alternative offers reduces rejections by 77.22 % at bt = 10 h, slt = 12 h.", "77.22 %",
            reduced(&p[GREATEST_REDUCED], &p[GREATEST_REJECTED], 0.7722))
            .with(room_of(&p[GREATEST_ROOM]))
            .remark(WITHIN),
        claim("3.20", Trend, "Figure 7: the reductions lie between that at bt 5 h, slt 0 and that at bt 10 h, slt 12 h.", "least at bt 5 h, slt 0; greatest at bt 10 h, slt 12 h",
            between(p).opening(extremes(p))),
        // With no room to move first fit is rigid.
        claim("3.21", Order, "Figure 8: the Rigid algorithm has the lowest revenue, and the elastic model a major advantage.", "Rigid lowest, OSP+BF much higher",
            all([
                p[PAID].compare(Beyond(0.0), [above(FF_FCFS, RIGID_FCFS), above(FF_BF, RIGID_BF), above(OSP_BF, RIGID_BF)]),
                p[PAID].compare(Mean, [above_by(OSP_BF, RIGID_BF, MAJOR)]),
            ]).opening(format!("dollars, {}", p[PAID].overall(&OF_THE_PAPER))))
            .remark("Revenue goes by slots and CNs, so a few long and wide jobs weigh more than many others."),
        claim("3.22", Trend, "Figure 9: the impact on non-AR jobs is worse when a request has a short time interval.", "longer waits at small bt and slt",
            all([WAITED, WAITED_BY_AHEAD].map(|view| p[view].first_to_last(&later, Falls))).opening(format!("hours, {}", p[WAITED].overall(&later))))
            .with(crowded_out(p))
            .remark(LOAD),
        claim("3.23", Order, "Figure 9: as bt becomes larger, OSP+BF reduces the wait significantly.", "OSP+BF below FF+BF at bt 5 and 10 h",
            parts([
                ("falls with bt", p[WAITED_AT_ENDS].everywhere([above(0, 1)]).opening(p[WAITED_BY_AHEAD].ends(&[OSP_BF]))),
                ("below first-fit+BF, which the sentence does not name", p[WAITED_LATER].compare(Mean, [above(FF_BF, OSP_BF)]).opening(p[WAITED_LATER].ends(&later))),
            ]))
            .with([Row::fact("CN-slots reserved", p[PAID].overall(&later))])
            .remark(LOAD),
        claim("3.24", Trend, "Figure 9: at constant bt a larger slt reduces the wait further in some cases.", "OSP+BF falls with slt for some bt",
            somewhere_falls(&p[WAITED]))
            .with(steps_down(&p[WAITED]))
            .with(crowded_out(p))
            .remark(LOAD),
        claim("3.25", Order, "Figure 9: waits are shorter with backfilling than with FCFS.", "FF+BF < FF+FCFS, Rigid+BF < Rigid+FCFS",
            p[WAITED].everywhere(queues.map(|(with, without)| above(without, with))).opening(format!("hours, {}", p[WAITED].overall(&OF_THE_PAPER)))),
        claim("3.26", Order, "OSP accepts more reservations than first-fit and Rigid, at a utilisation not too far from first-fit's.", "most accepted; utilisation close to FF's",
            all([
                labelled("rejections of ", p[REJECTED].compare(Mean, &osp_below_all)),
                labelled("utilisation of ", p[USED].compare(Mean, [alike(OSP_BF, FF_BF, NOT_TOO_FAR)])),
            ]).opening(both(p, &[FF_BF, RIGID_BF, OSP_BF])))
            .with(room(p))
            .remark(ADMISSION),
        claim("3.27", Order, "Utilisation and acceptance are higher than with a rigid approach.", "OSP+BF above Rigid+BF in both",
            all([
                labelled("rejections of ", p[REJECTED].compare(Mean, [above(RIGID_BF, OSP_BF)])),
                labelled("utilisation of ", p[USED].compare(Mean, [above(OSP_BF, RIGID_BF)])),
            ]).opening(both(p, &[RIGID_BF, OSP_BF]))),
    ]
}

fn higher(used: &Curves, pairs: [(usize, usize); 2]) -> String {
    let count = |(a, b)| {
        let (higher, all) = used.points_above(a, b);
        format!("{} higher at {higher} of {all} points", used.names(&[a]))
    };
    let counts = pairs.map(count).join(", ");
    format!("{}; {counts}", used.overall(&[FF_BF, RIGID_BF, OSP_BF]))
}

fn rigid_level(panels: &Panels) -> String {
    let [used, until] = [USED, USED_TO_END].map(|view| panels[view].overall_values(&[RIGID_BF]));
    format!("mean over all points, over the two weeks {used}, until the last end {until}")
}

/// Claim 3.11 with the other cut, and the means by book-ahead time with both.
fn until_the_last_end(panels: &Panels) -> Vec<Row> {
    let found = flat(&panels[USED_TO_END], RIGID_BF, FLAT);
    let other = "the same until the last end";
    let other = Row::verdict(other, found.numbers(), found.verdict());
    let means = [USED, USED_TO_END].into_iter().flat_map(|view| {
        let mean = move |panel: &Panel| {
            Row::estimate(view, &panel.mean_over(RIGID_BF, &panel.all())).at(&panel.place)
        };
        panels[view].panels.iter().map(mean)
    });
    [other].into_iter().chain(means).collect()
}

/// By how much a strategy uses more than first-fit+BF, on average over some search limit times.
fn lead(panel: &Panel, which: impl Fn(f64) -> bool, a: usize) -> Vec<f64> {
    panel.mean_difference(a, FF_BF, &panel.ticks_where(which))
}

/// What OSP does beside first fit without the alternatives; the rest is what alternatives add.
fn without_alternatives(panels: &Panels) -> Row {
    let lead = lead(panels[USED_AT_1].first(), |slt| slt < LATER, SOLUTIONS_ONLY);
    let what = "OSP+BF without alternatives - first-fit+BF for slt < 6 h";
    Row::estimate(what, &lead)
}

fn beside_first_fit(panels: &Panels) -> Row {
    let panel = panels[USED_AT_1].first();
    let late = lead(panel, |slt| slt >= LATER, OSP_BF);
    let early = lead(panel, |slt| slt < LATER, OSP_BF);
    Row::estimate("rise of OSP+BF - first-fit+BF", &paired(&late, &early))
}

fn wide(panels: &Panels) -> String {
    let accepted = &panels[WIDE_ACCEPTED];
    let share = |series: usize| {
        let shares = finite(accepted.first().samples(series, 0).to_vec());
        let mean = match shares.is_empty() {
            true => "-".to_owned(),
            false => format!("{:.3}", Estimate::of(&shares).mean),
        };
        format!("{} {mean}", accepted.names(&[series]))
    };
    let asked = panels[WIDE_ASKED].first().mean(OSP_BF, 0);
    format!(
        "bt 5 h, slt 8 h: accepted of {asked:.1} requests for more than 32 CNs, {}",
        BUSY.map(share).join(", ")
    )
}

/// Why others may reject less: the less the other jobs take of the machine, the more room is left to reserve; and alternatives take room
/// from those who come later.
fn room(panels: &Panels) -> [Row; 2] {
    let used = panels[USED].overall(&[FF_FCFS, FF_BF]);
    let rejected = panels[REJECTED].overall(&[OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY]);
    [("utilisation", used), ("rejections", rejected)].map(|(what, value)| Row::fact(what, value))
}

/// How large alternatives are beside all reservations.
fn room_of(room: &Curves) -> Vec<Row> {
    let panel = room.first();
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
    panels[PAID].panels.iter().map(row).collect()
}

/// How many of the single steps of slt go down.
fn steps_down(waited: &Curves) -> [Row; 2] {
    let Finding { comparisons, .. } = waited.steps(&[OSP_BF], Falls);
    let steps: Vec<Estimate> = comparisons.iter().map(Comparison::estimate).collect();
    let count = |falls: fn(&Estimate) -> bool| {
        let down = steps.iter().filter(|step| falls(step)).count();
        format!("{down} of {}", steps.len())
    };
    [
        Row::fact(
            "single steps of slt that fall on average",
            count(|step| step.mean > 0.0),
        ),
        Row::fact(
            "single steps of slt that surely fall",
            count(|step| step.low() > 0.0),
        ),
    ]
}

fn both(panels: &Panels, series: &[usize]) -> String {
    format!(
        "rejections, {}; utilisation, {}",
        panels[REJECTED].overall(series),
        panels[USED].overall(series)
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
            assert_eq!(verdict(claims, id, &views(drawn)), Holds, "{id}");
            assert_eq!(verdict(claims, id, &views(opposite)), Fails, "{id}");
        }
        let level = views(|_, _, _| 1.0);
        assert_eq!(verdict(claims, "3.24", &level), Undecidable);
    }

    #[test]
    fn conclusions_rest_on_rejections_and_utilisation() {
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
                verdict(claims, id, &both(FEWER, UTILISATION)),
                Holds,
                "{id}"
            );
            assert_eq!(verdict(claims, id, &both(FEWER, FAR)), Fails, "{id}");
        }
    }

    #[test]
    fn what_figure_5_shows_is_told_from_its_opposite() {
        let busy =
            |changes, steps| Panels::new([(CHANGING, single(changes)), (SWINGING, single(steps))]);
        let (calm, restless) = (
            [9.0, 9.0, 9.0, 9.0, 7.0, 9.0, 9.0],
            [9.0, 9.0, 9.0, 9.0, 11.0, 9.0, 9.0],
        );
        assert_eq!(verdict(claims, "3.15", &busy(calm, calm)), Holds);
        assert_eq!(verdict(claims, "3.15", &busy(restless, calm)), Fails);
        assert_eq!(verdict(claims, "3.15", &busy(calm, restless)), Fails);
        let wide = |shares| {
            verdict(
                claims,
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
        const DRAWN: fn(u64, u64) -> f64 = |ahead, slt| match (ahead, slt) {
            (5, 0) => 0.135,
            (10, 12) => 0.7722,
            _ => 0.4,
        };
        const TURNED: fn(u64, u64) -> f64 = |_, slt| 0.6 - slt as f64 / 20.0;
        let judge = |id: &str, share, rejections| -> Verdict {
            verdict(claims, id, &reductions(share, rejections))
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
        assert_eq!(verdict(claims, "3.20", &panels), Holds);
    }
}
