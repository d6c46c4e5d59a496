//! Claims 3.01 to 3.08: the log, the small cases, algorithm 1 and the data structure.

use bookahead_oracle::papers::sulistio::{
    SLOTS,
    example::{self, Answer, OFFER, Prices, Slots},
    growth::{self, Access, SHAPES},
};
use rayon::prelude::*;

use super::{
    Sulistio,
    points::{ComputeNode, grid},
    recheck::{Asks, Recheck, recheck},
    systems::{MAIN, OFFERS, OSP_BF, PROCESSORS, SECOND_QUERY},
    workload::{Facts, Workload},
};
use crate::experiment::{Claim, Finding, Kind, Row, claim, refused};
use crate::{error::Result, progress::Progress, statistics::Verdict};

/// What the paper counts.
const JOBS: f64 = 3_200.0;
/// How far from that is still "approximately".
const ABOUT: f64 = 0.05;
/// Jobs of a kind make a mixture from this share on.
const MIXED: f64 = 0.05;

/// The claims.
pub(super) fn claims(paper: &Sulistio, progress: &Progress) -> Result<Vec<Claim>> {
    let recheck = recheck_all(paper, progress)?;
    let sweeps = SHAPES.map(|shape| (shape.name, growth::operations(shape)));
    let workload = &paper.workload;
    let header = format!(
        "The header gives {} processors to a node; jobs wider than 64 CNs are cut to them, as the paper does.",
        workload.per_node
    );
    let figure_1 = example::figure_1().map_err(refused)?;
    let slots = example::slots().map_err(refused)?;
    let prices = example::prices().map_err(refused)?;
    Ok(vec![
        claim("3.01", Kind::Number, "The first two weeks of the log are approximately 3200 jobs.", "3200",
            count(workload).by_rule("jobs submitted in the two weeks from the first submission on, counted by their numbers, since a filtered log keeps the numbers of what it leaves out; within 5 % of 3200 holds, else fails; undecidable without a log"))
            .remark("Simulated are those whose run time is above 0; the others, cancelled before they started, have nothing to run."),
        claim("3.02", Kind::Definition, "The log contains a mixture of single and parallel jobs.", "single and parallel jobs",
            mixture(workload).by_rule("of the jobs that ran, at least 5 % take one compute node and at least 5 % more than one, under the main reading of a compute node; undecidable without a log"))
            .remark(header),
        claim("3.03", Kind::Worked, "Figure 1: on 3 nodes queryReserv(11, 16, 2, 2) finds the solution offer(13, 15, 2), which is then reserved.", "offer(13, 15, 2), reserved",
            offered(&figure_1).by_rule("the kernel with both rings, and algorithm 1 by the letter, offer exactly this, and what is booked is what was offered; one difference fails"))
            .remark("The existing reservations of the figure are lost; here are some that leave two nodes free from 13 to 15 only."),
        claim("3.04", Kind::Definition, "Equation 1: the slot of time t is ceil(t / delta) mod M.", "ceil(t / delta) mod M",
            found(&slots).by_rule("every second of three days gets the slot ceil(t / 300 s), as in section 4.1, and each place of a ring of 8640 slots can be booked again once it has passed and not before; one exception fails"))
            .remark("The kernel counts slots without end, so the modulus is seen by its effect."),
        claim("3.05", Kind::Definition, "Equations 2 and 3: a job costs dur x numCN x bcost, a reservation numSlot x numCN x bcostAR with bcostAR = tau x bcost x delta.", "bcostAR $1.00; an hour on one CN $3.00, reserved $12.00",
            charged(&prices).by_rule("the kernel's prices at $0.05 per minute, tau 4 and slots of 5 minutes equal these, to the micro-dollar")),
        claim("3.06", Kind::Definition, "Algorithm 1 starts from the slots with the least free CNs that suffice, grows left before right until long enough, puts the solution first and stops there.", "the offers of algorithm 1",
            algorithm(&recheck).by_rule("queries met in the runs are answered once more by the algorithm taken literally, from the jobs alone: offers and what is then booked must be the kernel's; one difference fails"))
            .remark("By the letter, slots with fewer free CNs than asked are skipped, so that the user's minimum of numCN / 2 never binds; a second query gives it something to do."),
        claim("3.07", Kind::Built, "Algorithm 1 takes O(n^2) for n groups of consecutive slots.", "n^2",
            quadratic(&sweeps).by_rule("the literal algorithm counts its comparisons and visits while n grows 32-fold, over lists of three shapes, the worst included; a count that outgrows n^2 by more than a quarter fails"))
            .remark("Counted is our transcription, so the row says what the paper says; the kernel looks at each group once."),
        claim("3.08", Kind::Built, "A slot is accessed in O(1).", "1 access",
            at_once(&growth::accesses()).by_rule("every slot of the paper's array, taken literally, is read at its computed place, for 64 to 8640 slots and up to 5000 reservations; fails where that place holds a wrong number"))
            .remark("Nothing is searched, whatever is stored; so it is in the kernel."),
    ])
}

/// Answers queries of OSP+BF once more, in the first replication of all points.
fn recheck_all(paper: &Sulistio, progress: &Progress) -> Result<Recheck> {
    let main = &super::systems::assumptions(paper)[0];
    let users = [(OSP_BF, Asks::Once), (SECOND_QUERY, Asks::Again)];
    let both = grid(paper.search_limits).into_iter();
    let both: Vec<_> = both
        .flat_map(|point| users.map(|user| (point, user)))
        .collect();
    let bar = progress.bar("sulistio: offers again", both.len() as u64);
    let found: Vec<Recheck> = both
        .into_par_iter()
        .map(|(point, (strategy, asks))| {
            let story = main.one(point, 0, strategy)?;
            let found = recheck(&story.outcomes, asks, paper.recheck_every);
            bar.tick();
            found
        })
        .collect::<Result<_>>()?;
    Ok(found.iter().fold(Recheck::default(), Recheck::and))
}

fn no_log(workload: &Workload) -> Finding {
    let measured = format!("no log; {} jobs of a model", workload.len());
    Finding::once(Verdict::Undecidable, measured)
}

fn count(workload: &Workload) -> Finding {
    let Some(Facts { numbered, .. }) = workload.facts else {
        return no_log(workload);
    };
    let near = (numbered as f64 - JOBS).abs() <= ABOUT * JOBS;
    let measured = format!("{numbered} submitted, {} of them simulated", workload.len());
    Finding::once(Verdict::of(near), measured)
}

fn mixture(workload: &Workload) -> Finding {
    let Some(facts) = workload.facts else {
        return no_log(workload);
    };
    let share = |single: usize| single as f64 / workload.len().max(1) as f64;
    let mixed = |single: usize| Verdict::of((MIXED..=1.0 - MIXED).contains(&share(single)));
    let reading = |name, single: usize, node| {
        let (share, load) = (100.0 * share(single), workload.load(node));
        format!("{name}: {share:.1} % single, load of 64 CNs {load:.2}")
    };
    let texts = [
        reading(MAIN, facts.one_node, ComputeNode::Node),
        reading(PROCESSORS, facts.one_processor, ComputeNode::Processor),
    ];
    let other = format!("assuming: {PROCESSORS}");
    let other = Row::verdict(other, &texts[1], mixed(facts.one_processor));
    Finding::once(mixed(facts.one_node), texts.join("; ")).with([other])
}

fn offered(answers: &[Answer; 3]) -> Finding {
    let printed = describe(&Answer {
        offers: vec![(OFFER, true)],
        booked: Some(OFFER),
    });
    let who = ["late binding", "early binding", "by the letter"];
    let answers = who.into_iter().zip(answers);
    let rows = answers.map(|(who, answer)| Row::exact(who, &printed, describe(answer)));
    let rows: Vec<Row> = rows.collect();
    let texts = rows
        .iter()
        .map(|row| format!("{}: {}", row.what, row.value));
    Finding::all_of(texts.collect::<Vec<_>>().join("; "), rows)
}

fn describe(answer: &Answer) -> String {
    let mut words: Vec<String> = Vec::new();
    for ((start, end, nodes), solution) in &answer.offers {
        let what = if *solution { "solution" } else { "offer" };
        words.push(format!("{what} ({start}, {end}, {nodes})"));
    }
    words.push(match answer.booked {
        Some((start, end, nodes)) => format!("reserved ({start}, {end}, {nodes})"),
        None => "nothing reserved".to_owned(),
    });
    words.join(", ")
}

fn found(slots: &Slots) -> Finding {
    let Slots {
        times,
        misplaced,
        after_1_03_05,
        booked,
        places,
        stale,
        beyond,
    } = slots;
    let index = *times > 0 && *misplaced == 0 && *after_1_03_05 == 3_900;
    let ring = *places == SLOTS as usize && *stale == 0 && *beyond == 0;
    let [hour, minute, second] = [3_600, 60, 1].map(|unit| after_1_03_05 / unit % 60);
    let measured = format!(
        "{misplaced} of {times} times misplaced; 01:03:05 becomes {hour:02}:{minute:02}:{second:02}; {places} of {SLOTS} places booked each time they came up; of {booked} slots booked {stale} not free before or not busy after, {beyond} booked beyond the ring"
    );
    Finding::once(Verdict::of(index && ring), measured)
}

fn charged(prices: &Prices) -> Finding {
    let text = |[slot, best_effort, reserved]: [u64; 3]| {
        let dollars = |micro: u64| format!("${:.2}", micro as f64 / 1e6);
        let [slot, best_effort, reserved] = [slot, best_effort, reserved].map(dollars);
        format!("bcostAR {slot}; an hour on one CN {best_effort}, reserved {reserved}")
    };
    let Prices {
        slot,
        reserved,
        best_effort,
    } = *prices;
    let right = (slot, reserved, best_effort) == (1_000_000, 12_000_000, 3_000_000);
    Finding::once(Verdict::of(right), text([slot, best_effort, reserved]))
}

fn algorithm(recheck: &Recheck) -> Finding {
    let Recheck {
        count,
        offers,
        cut,
        left_out,
    } = recheck;
    let (wrong, queries) = (count.wrong, count.looked_at);
    let measured = format!("{wrong} of {queries} answers differ, {offers} offers in them");
    let shown = format!("answers cut to the {OFFERS} offers that a user is shown");
    count.measured(measured).with([
        Row::fact(shown, cut.to_string()),
        Row::fact("reservations left out, since a best-effort job starts in the slot of the query and results do not tell what came first", left_out.to_string()),
    ])
}

fn quadratic(sweeps: &[(&str, Vec<(u64, u64)>)]) -> Finding {
    let (mut measured, mut rows) = (Vec::new(), Vec::new());
    for (name, steps) in sweeps {
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
            continue;
        };
        let by = last.0 as f64 / first.0 as f64;
        let count = last.1 as f64 / first.1 as f64;
        let (size, operations, exponent) = (last.0, last.1, count.log(by));
        measured.push(format!(
            "{name}: {operations} operations for n = {size}, exponent {exponent:.2}"
        ));
        rows.push(Row::growth(
            &format!("groups, {name}"),
            by,
            count,
            by.powi(2),
        ));
    }
    Finding::all_of(measured.join("; "), rows)
}

fn at_once(found: &[Access]) -> Finding {
    let wrong: u64 = found.iter().map(|access| access.wrong).sum();
    let size = |one: &Access| format!("{} slots with {} reservations", one.slots, one.reservations);
    let sizes: Vec<String> = found.iter().map(size).collect();
    let verdict = Verdict::all(found.iter().map(|access| Verdict::of(access.wrong == 0)));
    Finding::once(
        verdict,
        format!("{wrong} wrong numbers: {}", sizes.join(", ")),
    )
}

#[cfg(test)]
mod tests {
    use bookahead_oracle::papers::sulistio::example::{figure_1, prices, slots};

    use super::{
        Access, Facts, Recheck, Slots, Workload, algorithm, at_once, charged, count, found,
        mixture, offered, quadratic,
    };
    use crate::experiment::Count;
    use crate::statistics::Verdict::{Fails, Holds, Undecidable};

    #[test]
    fn the_small_cases_hold_and_each_can_fail() {
        let mut answers = figure_1().unwrap();
        assert_eq!(offered(&answers).verdict(), Holds);
        answers[1].booked = Some((11, 13, 2));
        assert_eq!(offered(&answers).verdict(), Fails);
        let seen = slots().unwrap();
        assert_eq!(found(&seen).verdict(), Holds);
        let fewer = Slots {
            places: seen.places - 1,
            ..seen.clone()
        };
        assert_eq!(found(&fewer).verdict(), Fails);
        for field in 0..4 {
            let mut wrong = seen.clone();
            *[
                &mut wrong.misplaced,
                &mut wrong.after_1_03_05,
                &mut wrong.stale,
                &mut wrong.beyond,
            ][field] += 1;
            assert_eq!(found(&wrong).verdict(), Fails, "{wrong:?}");
        }
        let mut wrong = prices().unwrap();
        assert_eq!(charged(&wrong).verdict(), Holds);
        wrong.reserved += 1;
        assert_eq!(charged(&wrong).verdict(), Fails);
    }

    #[test]
    fn counts_beyond_the_square_fail() {
        let sweep = |last| quadratic(&[("x", vec![(8, 64), (256, last)])]).verdict();
        assert_eq!(sweep(65_536), Holds);
        assert_eq!(sweep(65_536 * 2), Fails);
        assert_eq!(quadratic(&[]).verdict(), Undecidable);
    }

    #[test]
    fn a_wrong_number_in_one_array_fails() {
        let access = |wrong| Access {
            slots: 64,
            reservations: 5,
            wrong,
        };
        assert_eq!(at_once(&[access(0), access(0)]).verdict(), Holds);
        assert_eq!(at_once(&[access(0), access(1)]).verdict(), Fails);
        assert_eq!(at_once(&[]).verdict(), Undecidable);
    }

    #[test]
    fn one_different_answer_fails() {
        let recheck = |queries, different| {
            let found = Recheck {
                count: Count {
                    looked_at: queries,
                    wrong: different,
                    ..Count::default()
                },
                ..Recheck::default()
            };
            algorithm(&found).verdict()
        };
        assert_eq!(
            [recheck(9, 0), recheck(9, 1), recheck(0, 0)],
            [Holds, Fails, Undecidable]
        );
    }

    #[test]
    fn logs_are_counted_and_sorted() {
        let mut workload = Workload::synthetic(1).unwrap();
        assert_eq!(count(&workload).verdict(), Undecidable);
        let half = workload.len() / 2;
        let mut judge = |numbered, one_node| {
            workload.facts = Some(Facts {
                numbered,
                one_processor: 0,
                one_node,
            });
            [count(&workload).verdict(), mixture(&workload).verdict()]
        };
        assert_eq!(judge(3_271, half), [Holds, Holds]);
        assert_eq!(judge(2_673, 0), [Fails, Fails]);
        assert_eq!(judge(3_200, 2 * half), [Holds, Fails]);
    }
}
