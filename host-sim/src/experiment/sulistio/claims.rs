//! Claims 3.09 to 3.27 about figures 4 to 9, each with its rule.

use super::{
    curves::{
        BUSY, REDUCTIONS_NAMED, at, at_ends, by_book_ahead, over_limits, reductions,
        reductions_over, room,
    },
    measures::{
        ACCEPTED_OF, ASKED_WIDE, CHANGES, REJECTIONS, REVENUE, SWING, UTILISATION,
        UTILISATION_TO_END, WAIT, WIDE,
    },
    points::{BUSY_NODES, GREATEST_REDUCTION, LEAST_REDUCTION, Point},
    rules::{between, flat, labelled, places, reduced, somewhere_falls},
    systems::{
        FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS, SECOND_QUERY, SOLUTIONS_ONLY,
    },
};
use crate::experiment::At::{Beyond, Mean, MeanBelow, MeanOfAll};
use crate::experiment::{
    By, Claim, Comparison, Curves, Falls, Finding, Kind, Measure, Panel, Row, Samples, above,
    above_by, alike, all, claim, parts,
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

const QUEUE: &str = "The paper has OSP+BF reject the fewest requests. Here first-fit+FCFS rejects fewer in some cases: its queue leaves much of the machine idle, as the evidence shows, which leaves more room to reserve.";

/// The claims.
pub(super) fn claims(runs: &Samples<Point>) -> Vec<Claim> {
    use Kind::{Number, Order, Trend};
    // Over the search limit times, a panel for each book-ahead time.
    let over = |name, measure: &Measure| Curves::new(name, over_limits(runs, measure));
    let used = over("utilisation over the two weeks", &UTILISATION);
    let used_to_end = over("utilisation until the last end", &UTILISATION_TO_END);
    let rejected = over("rejections", &REJECTIONS);
    let paid = over("revenue of reservations", &REVENUE);
    let waited = over("wait of non-AR jobs", &WAIT);
    let fewer = Curves::new("fewer rejections by alternatives", reductions_over(runs));
    // Some of these panels.
    let used_at_1 = used.part("utilisation at bt 1 h", 0..1);
    let used_later = used.part("utilisation at bt 5 and 10 h", 1..3);
    let waited_later = waited.part("wait of non-AR jobs at bt 5 and 10 h", 1..3);
    let by_ahead = by_book_ahead(&waited.panels);
    let waited_at_ends = Curves::one(
        "wait of non-AR jobs under OSP+BF, mean over slt",
        at_ends(&by_ahead),
    );
    let waited_by_ahead = Curves::one("wait of non-AR jobs, mean over slt", by_ahead);
    // At one point.
    let busy = |name, measure: &Measure| Curves::one(name, at(runs, BUSY_NODES, measure));
    let changing = busy("changes of the busy CNs at bt 5 h, slt 8 h", &CHANGES);
    let swinging = busy(
        "mean size of a step of the busy CNs at bt 5 h, slt 8 h",
        &SWING,
    );
    let wide_accepted = busy(
        "share accepted of the requests for more than 32 CNs at bt 5 h, slt 8 h",
        &ACCEPTED_OF[WIDE],
    );
    let reduced_at = |name, point| {
        Curves::one(
            name,
            Panel::single(REDUCTIONS_NAMED, reductions(runs, point)),
        )
    };
    let least = reduced_at(
        "fewer rejections by alternatives at bt 5 h, slt 0 h",
        LEAST_REDUCTION,
    );
    let greatest = reduced_at(
        "fewer rejections by alternatives at bt 10 h, slt 12 h",
        GREATEST_REDUCTION,
    );
    let rejected_at = |point| Estimate::of(&runs.at(point, SOLUTIONS_ONLY, &REJECTIONS)).mean;

    // The same queue under a flexible reservation algorithm and the rigid one, and the same algorithm over a backfilled queue and the other.
    let flexible = [(FF_BF, RIGID_BF), (OSP_BF, RIGID_BF)];
    let queues = [(FF_BF, FF_FCFS), (RIGID_BF, RIGID_FCFS)];
    let osp_below_all = [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF].map(|other| above(other, OSP_BF));
    let osp_calmer = [FF_BF, RIGID_FCFS].map(|other| above(other, OSP_BF));
    let at_1_h = used_at_1.ends(&[FF_BF, OSP_BF]);
    let later = [FF_BF, OSP_BF];
    vec![
        claim("3.09", Order, "Figure 4: backfilling performs much better than FCFS under the same reservation algorithm.", "FF+BF >> FF+FCFS, Rigid+BF >> Rigid+FCFS",
            used.everywhere(queues.map(|(with, without)| above_by(with, without, MUCH))).opening(used.overall(&OF_THE_PAPER)))
            .with([Row::fact("until the last end", used_to_end.overall(&OF_THE_PAPER))]),
        claim("3.10", Order, "Figure 4: flexibility improves utilisation in most cases, and Rigid+BF lies below first-fit+BF and OSP+BF overall.", "FF+BF, OSP+BF > Rigid+BF",
            all([used.compare(MeanOfAll, flexible.map(|(a, b)| above(a, b))), used.mostly(&flexible)]).opening(higher(&used, flexible))),
        claim("3.11", Trend, "Figure 4: bt and slt do not affect Rigid+BF.", "flat",
            flat(&used, RIGID_BF, FLAT).opening(rigid_level(&used, &used_to_end)))
            .with(until_the_last_end(&used, &used_to_end))
            .remark("A rigid request has no search limit, so only bt can matter: reservations known earlier shift against the other jobs and beyond the two weeks.")
            .fails_since("The paper has Rigid+BF flat. Here it uses more where reservations are booked one hour ahead than where it is five or ten: those known earlier shift against the other jobs, and beyond the two weeks that count. Until the last end the difference is smaller."),
        claim("3.12", Order, "Figure 4: for bt = 1 h OSP is slightly worse than first-fit.", "OSP+BF slightly below FF+BF for slt < 6 h",
            used_at_1.compare(MeanBelow(LATER), [above(FF_BF, OSP_BF), alike(FF_BF, OSP_BF, SLIGHT)]).opening(&at_1_h))
            .with([without_alternatives(&used_at_1)])
            .fails_since("The paper has OSP+BF slightly below first-fit+BF for bt = 1 h. Here it is above. Without alternatives the two use the same, so that the difference comes from alternatives, which let in more."),
        claim("3.13", Trend, "Figure 4: for bt = 1 h OSP improves when slt >= 6 h.", "OSP+BF higher for slt >= 6 h than below",
            used_at_1.shift(OSP_BF, LATER).opening(&at_1_h))
            .with([beside_first_fit(&used_at_1), without_alternatives(&used_at_1)]),
        claim("3.14", Order, "Figure 4: for bt = 5 and 10 h OSP performs better than first-fit on average.", "OSP+BF > FF+BF",
            used_later.compare(Mean, [above(OSP_BF, FF_BF)]).opening(used_later.ends(&later))),
        claim("3.15", Order, "Figure 5: busy CNs fluctuate often under first-fit+BF and Rigid+FCFS, and less under OSP+BF.", "OSP+BF below FF+BF and Rigid+FCFS",
            parts([("slot edges at which the number changes", &changing), ("mean size of a step", &swinging)]
                .map(|(name, busy)| (name, busy.everywhere(&osp_calmer).opening(busy.ends(&BUSY))))))
            .remark("Each start and end is a change, so a strategy that runs more jobs has more changes, though not larger ones.")
            .fails_since("The paper's drawings are calmer under OSP+BF than under Rigid+FCFS. Here Rigid+FCFS has fewer and smaller changes, probably since it leaves much of the machine idle: each start and end of a job is a change. The paper draws one run and names no measure."),
        claim("3.16", Trend, "Jobs that require many CNs are more probably accepted under OSP+BF than under first-fit+BF and Rigid+FCFS.", "OSP+BF above FF+BF and Rigid+FCFS",
            labelled("wide jobs accepted, ", wide_accepted.everywhere([FF_BF, RIGID_FCFS].map(|other| above(OSP_BF, other)))).opening(wide(runs, &wide_accepted)))
            .remark("Reduced reservations count as accepted."),
        claim("3.17", Order, "Figure 6: OSP has the lowest number of rejections as slt increases.", "OSP+BF below all others",
            all([rejected.compare(Beyond(0.0), &osp_below_all), rejected.first_to_last(&[OSP_BF], Falls)]).opening(rejected.overall(&OF_THE_PAPER)))
            .with(why_others_reject_less(&used, &rejected))
            .remark(format!("{LOAD} {ADMISSION}"))
            .fails_since(QUEUE),
        claim("3.18", Number, "Figure 7: choosing alternative offers reduces rejections by around 13.50 % at bt = 5 h, slt = 0.", "13.50 %",
            reduced(&least, "rejections without alternatives at bt 5 h, slt 0 h", rejected_at(LEAST_REDUCTION), 0.135))
            .with(room_of(&room(runs, LEAST_REDUCTION)))
            .remark(WITHIN)
            .fails_since("The paper has alternatives save 13.5 % of the rejections. Here there are more rejections with them: what is accepted as an alternative takes the room of requests that come later. The paper does not say whether it counts between runs, as we do, or within a run."),
        claim("3.19", Number, "Figure 7: choosing alternative offers reduces rejections by 77.22 % at bt = 10 h, slt = 12 h.", "77.22 %",
            reduced(&greatest, "rejections without alternatives at bt 10 h, slt 12 h", rejected_at(GREATEST_REDUCTION), 0.7722))
            .with(room_of(&room(runs, GREATEST_REDUCTION)))
            .remark(WITHIN),
        claim("3.20", Trend, "Figure 7: the reductions lie between that at bt 5 h, slt 0 and that at bt 10 h, slt 12 h.", "least at bt 5 h, slt 0; greatest at bt 10 h, slt 12 h",
            between(&fewer, &least, &greatest).opening(extremes(&fewer))),
        // With no room to move first fit is rigid.
        claim("3.21", Order, "Figure 8: the Rigid algorithm has the lowest revenue, and the elastic model a major advantage.", "Rigid lowest, OSP+BF much higher",
            all([
                paid.compare(Beyond(0.0), [above(FF_FCFS, RIGID_FCFS), above(FF_BF, RIGID_BF), above(OSP_BF, RIGID_BF)]),
                paid.compare(Mean, [above_by(OSP_BF, RIGID_BF, MAJOR)]),
            ]).opening(format!("dollars, {}", paid.overall(&OF_THE_PAPER))))
            .remark("Revenue goes by slots and CNs, so a few long and wide jobs weigh more than many others."),
        claim("3.22", Trend, "Figure 9: the impact on non-AR jobs is worse when a request has a short time interval.", "longer waits at small bt and slt",
            all([&waited, &waited_by_ahead].map(|waited| waited.first_to_last(&later, Falls))).opening(format!("hours, {}", waited.overall(&later))))
            .with(crowded_out(&paid))
            .remark(LOAD)
            .fails_since("The paper has other jobs wait longer where intervals are short. Here they wait longer where intervals are long: then more is reserved, which takes the room of other jobs, as the evidence shows."),
        claim("3.23", Order, "Figure 9: as bt becomes larger, OSP+BF reduces the wait significantly.", "OSP+BF below FF+BF at bt 5 and 10 h",
            parts([
                ("falls with bt", waited_at_ends.everywhere([above(0, 1)]).opening(waited_by_ahead.ends(&[OSP_BF]))),
                ("below first-fit+BF, which the sentence does not name", waited_later.compare(Mean, [above(FF_BF, OSP_BF)]).opening(waited_later.ends(&later))),
            ]))
            .with([Row::fact("CN-slots reserved", paid.overall(&later))])
            .remark(LOAD)
            .fails_since("The paper has the wait under OSP+BF fall as bt becomes larger. Here it does not, and is longer than under first-fit+BF, since OSP+BF reserves more: whoever accepts more has more load."),
        claim("3.24", Trend, "Figure 9: at constant bt a larger slt reduces the wait further in some cases.", "OSP+BF falls with slt for some bt",
            somewhere_falls(&waited))
            .with(steps_down(&waited))
            .with(crowded_out(&paid))
            .remark(LOAD)
            .fails_since("The paper has a larger slt reduce the wait for some bt. Here the wait rises for each bt, since with a larger slt more is reserved, which takes the room of other jobs."),
        claim("3.25", Order, "Figure 9: waits are shorter with backfilling than with FCFS.", "FF+BF < FF+FCFS, Rigid+BF < Rigid+FCFS",
            waited.everywhere(queues.map(|(with, without)| above(without, with))).opening(format!("hours, {}", waited.overall(&OF_THE_PAPER)))),
        claim("3.26", Order, "OSP accepts more reservations than first-fit and Rigid, at a utilisation not too far from first-fit's.", "most accepted; utilisation close to FF's",
            all([
                labelled("rejections of ", rejected.compare(Mean, &osp_below_all)),
                labelled("utilisation of ", used.compare(Mean, [alike(OSP_BF, FF_BF, NOT_TOO_FAR)])),
            ]).opening(both(&rejected, &used, &[FF_BF, RIGID_BF, OSP_BF])))
            .with(why_others_reject_less(&used, &rejected))
            .remark(ADMISSION)
            .fails_since(QUEUE),
        claim("3.27", Order, "Utilisation and acceptance are higher than with a rigid approach.", "OSP+BF above Rigid+BF in both",
            all([
                labelled("rejections of ", rejected.compare(Mean, [above(RIGID_BF, OSP_BF)])),
                labelled("utilisation of ", used.compare(Mean, [above(OSP_BF, RIGID_BF)])),
            ]).opening(both(&rejected, &used, &[RIGID_BF, OSP_BF]))),
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

fn rigid_level(used: &Curves, to_end: &Curves) -> String {
    let [used, until] = [used, to_end].map(|used| used.overall_values(&[RIGID_BF]));
    format!("mean over all points, over the two weeks {used}, until the last end {until}")
}

/// Claim 3.11 with the other cut, and the means by book-ahead time with both.
fn until_the_last_end(used: &Curves, to_end: &Curves) -> Vec<Row> {
    let found = flat(to_end, RIGID_BF, FLAT);
    let other = "the same until the last end";
    let other = Row::verdict(other, found.numbers(), found.verdict());
    let means = [used, to_end].into_iter().flat_map(|used| {
        let mean = |panel: &Panel| {
            Row::estimate(used.name, &panel.mean_over(RIGID_BF, &panel.all())).at(&panel.place)
        };
        used.panels.iter().map(mean)
    });
    [other].into_iter().chain(means).collect()
}

/// By how much a strategy uses more than first-fit+BF, on average over some search limit times.
fn lead(panel: &Panel, which: impl Fn(f64) -> bool, a: usize) -> Vec<f64> {
    panel.mean_difference(a, FF_BF, &panel.ticks_where(which))
}

/// What OSP does beside first fit without the alternatives; the rest is what alternatives add.
fn without_alternatives(used_at_1: &Curves) -> Row {
    let lead = lead(used_at_1.first(), |slt| slt < LATER, SOLUTIONS_ONLY);
    let what = "OSP+BF without alternatives - first-fit+BF for slt < 6 h";
    Row::estimate(what, &lead)
}

fn beside_first_fit(used_at_1: &Curves) -> Row {
    let panel = used_at_1.first();
    let late = lead(panel, |slt| slt >= LATER, OSP_BF);
    let early = lead(panel, |slt| slt < LATER, OSP_BF);
    Row::estimate("rise of OSP+BF - first-fit+BF", &paired(&late, &early))
}

fn wide(runs: &Samples<Point>, accepted: &Curves) -> String {
    let share = |series: usize| {
        let shares = finite(accepted.first().samples(series, 0).to_vec());
        let mean = match shares.is_empty() {
            true => "-".to_owned(),
            false => format!("{:.3}", Estimate::of(&shares).mean),
        };
        format!("{} {mean}", accepted.names(&[series]))
    };
    let asked = Estimate::of(&runs.at(BUSY_NODES, OSP_BF, &ASKED_WIDE)).mean;
    format!(
        "bt 5 h, slt 8 h: accepted of {asked:.1} requests for more than 32 CNs, {}",
        BUSY.map(share).join(", ")
    )
}

/// Why others may reject less: the less the other jobs take of the machine, the more room is left to reserve; and alternatives take room
/// from those who come later.
fn why_others_reject_less(used: &Curves, rejected: &Curves) -> [Row; 2] {
    let used = used.overall(&[FF_FCFS, FF_BF]);
    let rejected = rejected.overall(&[OSP_BF, SOLUTIONS_ONLY, SECOND_QUERY]);
    [("utilisation", used), ("rejections", rejected)].map(|(what, value)| Row::fact(what, value))
}

/// How large alternatives are beside all reservations.
fn room_of(panel: &Panel) -> Vec<Row> {
    let row = |(series, tick): (usize, usize)| {
        let samples = finite(panel.samples(series, tick).to_vec());
        Row::estimate(&panel.names[series], &samples)
    };
    panel.values().map(row).collect()
}

fn extremes(fewer: &Curves) -> String {
    let reductions = places(fewer).into_iter();
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
fn crowded_out(paid: &Curves) -> Vec<Row> {
    let row = |panel: &Panel| {
        let last = panel.len().saturating_sub(1);
        let share = panel.mean(OSP_BF, last) / panel.mean(OSP_BF, 0) - 1.0;
        let what = "CN-slots reserved under OSP+BF from slt 0 to the longest";
        Row::fact(what, format!("{:+.1} %", 100.0 * share)).at(&panel.place)
    };
    paid.panels.iter().map(row).collect()
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

fn both(rejected: &Curves, used: &Curves, series: &[usize]) -> String {
    format!(
        "rejections, {}; utilisation, {}",
        rejected.overall(series),
        used.overall(series)
    )
}

#[cfg(test)]
mod tests {
    use super::{CHANGES, OSP_BF, REJECTIONS as REJECTED, SOLUTIONS_ONLY, SWING, claims};
    use crate::experiment::{
        Measure, Samples,
        claims::tests::verdict,
        sulistio::{
            measures::MEASURES,
            points::{Point, SEARCH_LIMIT, grid},
            systems::NAMES,
        },
    };
    use crate::statistics::Verdict::{self, Fails, Holds, Undecidable};

    /// A value of a strategy at a book-ahead time and a search limit time.
    type Picture = fn(usize, u64, u64) -> f64;

    fn drawn(value: impl Fn(&Measure, usize, Point, usize) -> f64) -> Samples<Point> {
        Samples::drawn(&NAMES, &MEASURES, grid(&SEARCH_LIMIT), value)
    }

    /// One picture of every measure.
    fn all(picture: Picture) -> Samples<Point> {
        drawn(|_, strategy, point, _| picture(strategy, point.book_ahead, point.search_limit))
    }

    // first-fit+FCFS, first-fit+BF, Rigid+FCFS, Rigid+BF, OSP+BF and its two variants, as the paper draws them.
    const USED: Picture = |strategy, _, _| [0.40, 0.60, 0.35, 0.55, 0.62, 0.6, 0.6][strategy];
    const UPSIDE_DOWN: Picture = |strategy, ahead, slt| 1.0 - USED(strategy, ahead, slt);
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
            ("3.09", USED, UPSIDE_DOWN),
            ("3.10", USED, UPSIDE_DOWN),
            ("3.11", USED, SLOPING),
            ("3.12", ONE_HOUR, USED),
            ("3.13", ONE_HOUR, SLOPING),
            ("3.14", USED, UPSIDE_DOWN),
            ("3.17", REJECTIONS, MORE_REJECTIONS),
            ("3.21", REVENUE, HARDLY_MORE),
            ("3.22", WAIT, LONG_WAIT),
            ("3.23", WAIT, LONG_WAIT),
            ("3.24", WAIT, LONG_WAIT),
            ("3.25", WAIT, LONG_WAIT),
        ];
        for (id, drawn, opposite) in table {
            assert_eq!(verdict(claims, id, &all(drawn)), Holds, "{id}");
            assert_eq!(verdict(claims, id, &all(opposite)), Fails, "{id}");
        }
        let level = all(|_, _, _| 1.0);
        assert_eq!(verdict(claims, "3.24", &level), Undecidable);
    }

    #[test]
    fn conclusions_rest_on_rejections_and_utilisation() {
        let both = |rejections: Picture, utilisation: Picture| {
            drawn(|measure, strategy, point, _| {
                let is_rejections = measure.name == REJECTED.name;
                let picture = if is_rejections {
                    rejections
                } else {
                    utilisation
                };
                picture(strategy, point.book_ahead, point.search_limit)
            })
        };
        const FEWER: Picture =
            |strategy, _, _| [60.0, 60.0, 90.0, 90.0, 40.0, 50.0, 30.0][strategy];
        const FAR: Picture = |strategy, ahead, slt| {
            USED(strategy, ahead, slt) - 0.2 * f64::from(u8::from(strategy == 4))
        };
        for id in ["3.26", "3.27"] {
            assert_eq!(verdict(claims, id, &both(FEWER, USED)), Holds, "{id}");
            assert_eq!(verdict(claims, id, &both(FEWER, FAR)), Fails, "{id}");
        }
    }

    #[test]
    fn what_figure_5_shows_is_told_from_its_opposite() {
        let busy = |changes: [f64; 7], steps: [f64; 7]| {
            drawn(|measure, strategy, _, _| match measure.name {
                name if name == CHANGES.name => changes[strategy],
                name if name == SWING.name => steps[strategy],
                _ => 0.0,
            })
        };
        let (calm, restless) = (
            [9.0, 9.0, 9.0, 9.0, 7.0, 9.0, 9.0],
            [9.0, 9.0, 9.0, 9.0, 11.0, 9.0, 9.0],
        );
        assert_eq!(verdict(claims, "3.15", &busy(calm, calm)), Holds);
        assert_eq!(verdict(claims, "3.15", &busy(restless, calm)), Fails);
        assert_eq!(verdict(claims, "3.15", &busy(calm, restless)), Fails);
        let wide = |shares: [f64; 7]| {
            verdict(claims, "3.16", &drawn(|_, strategy, _, _| shares[strategy]))
        };
        assert_eq!(wide(restless), Holds);
        assert_eq!(wide(calm), Fails);
        assert_eq!(wide([f64::NAN; 7]), Undecidable);
    }

    /// Rejections without alternatives, and with them as many less as a share says of a point and a replication.
    fn reductions(share: impl Fn(Point, usize) -> f64, rejections: f64) -> Samples<Point> {
        drawn(|_, strategy, point, run| match strategy {
            OSP_BF => rejections * (1.0 - share(point, run)),
            SOLUTIONS_ONLY => rejections,
            _ => 0.0,
        })
    }

    #[test]
    fn reductions_are_compared_with_the_printed_ones_where_a_run_has_enough_rejections() {
        const DRAWN: fn(Point, usize) -> f64 =
            |point, _| match (point.book_ahead, point.search_limit) {
                (5, 0) => 0.135,
                (10, 12) => 0.7722,
                _ => 0.4,
            };
        const TURNED: fn(Point, usize) -> f64 = |point, _| 0.6 - point.search_limit as f64 / 20.0;
        let judge = |id: &str, share: fn(Point, usize) -> f64, rejections| -> Verdict {
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
        let panels = reductions(
            |point, run| match (point.book_ahead, point.search_limit) {
                (5, 0) if run == 0 => f64::NAN,
                (5, 0) => 0.1 * run as f64,
                (10, 12) => 0.1 * run as f64 + 0.1,
                _ => 0.1 * run as f64 + 0.05,
            },
            100.0,
        );
        // Each replication paired with the next would put the least reduction above the others.
        assert_eq!(verdict(claims, "3.20", &panels), Holds);
    }
}
