//! Claims 3.03 to 3.05: the small cases.

use super::super::{
    example::{Answer, Prices, Slots},
    points::SLOTS,
};
use super::Judged;
use crate::experiment::{
    claims::Claim,
    rules::{Judgement, Verdict},
};

const FIGURE_1: Claim = Claim {
    id: "3.03",
    kind: "W",
    claim: "Figure 1: on 3 nodes queryReserv(11, 16, 2, 2) finds the solution offer(13, 15, 2), which is then reserved.",
    claimed: "offer(13, 15, 2), reserved",
    rule: "the kernel with both rings, and algorithm 1 by the letter, offer exactly this, and what is booked is what was offered; one difference fails.",
};

const INDEX: Claim = Claim {
    id: "3.04",
    kind: "D",
    claim: "Equation 1: the slot of time t is ceil(t / delta) mod M.",
    claimed: "ceil(t / delta) mod M",
    rule: "every second of three days gets the slot ceil(t / 300 s), 01:03:05 becomes 01:05:00 as in section 4.1, and round the ring of 8640 slots each place can be booked again once it has passed and not before; one exception fails.",
};

const COST: Claim = Claim {
    id: "3.05",
    kind: "D",
    claim: "Equations 2 and 3: a job costs dur x numCN x bcost, a reservation numSlot x numCN x bcostAR with bcostAR = tau x bcost x delta.",
    claimed: "bcostAR $1.00; an hour on one CN $3.00, reserved $12.00",
    rule: "the kernel's prices at $0.05 per minute, tau 4 and slots of 5 minutes equal these, to the micro-dollar.",
};

/// The rows.
pub(super) fn rows(figure_1: &[Answer; 3], slots: &Slots, prices: &Prices) -> Vec<Judged> {
    vec![
        (FIGURE_1, offered(figure_1)),
        (INDEX, found(slots)),
        (COST, charged(prices)),
    ]
}

fn offered(answers: &[Answer; 3]) -> Judgement {
    let expected = Answer {
        offers: vec![((13, 15, 2), true)],
        booked: Some((13, 15, 2)),
    };
    let names = ["late binding", "early binding", "by the letter"];
    let text = |(name, answer): (&str, &Answer)| format!("{name}: {}", describe(answer));
    Judgement {
        verdict: Verdict::all(answers.iter().map(|answer| Verdict::of(*answer == expected))),
        measured: names.into_iter().zip(answers).map(text).collect::<Vec<_>>().join("; "),
        ci95: None,
        note: "The existing reservations of the figure are lost; here are some that leave two nodes free from 13 to 15 only. ".to_owned(),
    }
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

fn found(slots: &Slots) -> Judgement {
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
    Judgement {
        verdict: Verdict::of(index && ring),
        measured: format!(
            "{misplaced} of {times} times misplaced; 01:03:05 becomes {:02}:{:02}:{:02}; {places} of {SLOTS} places booked each time they came up; of {booked} slots booked {stale} not free before or not busy after, {beyond} booked beyond the ring",
            after_1_03_05 / 3_600,
            after_1_03_05 / 60 % 60,
            after_1_03_05 % 60
        ),
        ci95: None,
        note: "The kernel counts slots without end and turns them into places of the ring by itself, so the modulus is seen by its effect. ".to_owned(),
    }
}

fn charged(prices: &Prices) -> Judgement {
    let Prices {
        slot,
        reserved,
        best_effort,
    } = prices;
    let dollars = |micro: &u64| format!("${:.2}", *micro as f64 / 1e6);
    Judgement {
        verdict: Verdict::of(
            (*slot, *reserved, *best_effort) == (1_000_000, 12_000_000, 3_000_000),
        ),
        measured: format!(
            "bcostAR {}; an hour on one CN {}, reserved {}",
            dollars(slot),
            dollars(best_effort),
            dollars(reserved)
        ),
        ci95: None,
        note: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Slots, charged, found, offered};
    use crate::experiment::{
        rules::Verdict::{Fails, Holds},
        sulistio::example::{figure_1, prices, slots},
    };

    #[test]
    fn the_small_cases_hold_and_each_can_fail() {
        let mut answers = figure_1().unwrap();
        assert_eq!(offered(&answers).verdict, Holds);
        answers[1].booked = Some((11, 13, 2));
        assert_eq!(offered(&answers).verdict, Fails);
        let seen = slots().unwrap();
        assert_eq!(found(&seen).verdict, Holds);
        let fewer = Slots {
            places: seen.places - 1,
            ..seen.clone()
        };
        assert_eq!(found(&fewer).verdict, Fails);
        for field in 0..4 {
            let mut wrong = seen.clone();
            *[
                &mut wrong.misplaced,
                &mut wrong.after_1_03_05,
                &mut wrong.stale,
                &mut wrong.beyond,
            ][field] += 1;
            assert_eq!(found(&wrong).verdict, Fails, "{wrong:?}");
        }
        let mut wrong = prices().unwrap();
        assert_eq!(charged(&wrong).verdict, Holds);
        wrong.reserved += 1;
        assert_eq!(charged(&wrong).verdict, Fails);
    }
}
