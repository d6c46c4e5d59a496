//! Every sequence of operations up to a stated length in a small world: 3 PEs, 6 slots, at most 3 reservations.
//!
//! Storage comes in blocks of 64 slots, so from slots 0, 60 and 62 on the six slots lie at the block's start, across its end, and
//! cross it while time passes.

mod common;

use bookahead::{Discipline, EventKind, Misuse, Refusal};
use bookahead_oracle::{
    Ask, Disturbance, Forgery, Harness, Inquiry, Operation, Pick, Subject, Submission, Taking,
    Tally, Verb,
};
use common::kernels;

const PES: u16 = 3;
const SLOTS: u16 = 6;
const ROWS: usize = 3;
const ORIGINS: [u64; 3] = [0, 60, 62];

/// Tries every continuation of `harness` by up to `length` operations and adds up what happened in each.
fn explore<S: Subject>(
    harness: &Harness<S>,
    alphabet: &[Operation],
    trail: &mut Vec<Operation>,
    length: usize,
    sum: &mut Tally,
) {
    if length == 0 {
        return;
    }
    for operation in alphabet {
        let mut next = harness.clone();
        next.tally = Tally::default();
        trail.push(*operation);
        if let Err(difference) = next.apply(operation) {
            panic!("after {trail:#?}\n{difference}");
        }
        sum.add(&next.tally);
        explore(&next, alphabet, trail, length - 1, sum);
        trail.pop();
    }
}

fn exhaust<S: Subject>(make: impl Fn() -> S, alphabet: &[Operation], length: usize) -> Tally {
    let mut sum = Tally::default();
    for origin in ORIGINS {
        let mut harness = Harness::new(make());
        harness
            .apply(&Operation::AdvanceTo {
                to: origin,
                room: 0,
            })
            .unwrap();
        explore(&harness, alphabet, &mut Vec::new(), length, &mut sum);
    }
    sum
}

/// Two durations, every width, exactly at one place or anywhere up to the horizon.
fn asks() -> Vec<Ask> {
    let mut asks = Vec::new();
    for (lead, duration) in [(0, 1), (0, 4), (1, 1), (2, 3)] {
        for pes in 1..=PES {
            let up_to_horizon = SLOTS as i16 - lead - duration;
            for slack in [0, up_to_horizon] {
                let policy = if slack == 0 { 0 } else { 2 };
                asks.push(Ask {
                    lead,
                    duration: duration as u16,
                    slack,
                    pes,
                    policy,
                });
            }
        }
    }
    asks.dedup();
    asks
}

fn acts(nths: std::ops::Range<u8>) -> Vec<Operation> {
    let verbs = [
        Verb::Confirm,
        Verb::Cancel,
        Verb::Complete(0),
        Verb::Complete(1),
    ];
    let act = |nth| verbs.map(|verb| Operation::Act(Pick::Live(nth), verb));
    nths.flat_map(act).collect()
}

fn advances(steps: &[(u16, u8)]) -> Vec<Operation> {
    steps
        .iter()
        .map(|&(by, room)| Operation::Advance { by, room })
        .collect()
}

/// Rich: 24 requests, 3 holds, 8 acts on the first two reservations, 5 advances.
fn rich() -> Vec<Operation> {
    let asks = asks();
    let holds = [(0, 1), (5, 2), (20, 3)];
    let mut alphabet: Vec<_> = asks.iter().map(|ask| Operation::Reserve(*ask)).collect();
    alphabet.extend(holds.map(|(index, ttl)| Operation::Hold {
        ask: asks[index],
        ttl,
    }));
    alphabet.extend(acts(0..2));
    alphabet.extend(advances(&[(0, 8), (1, 8), (3, 8), (6, 8), (2, 1)]));
    alphabet
}

/// Lean: 5 requests, a hold, 4 acts on the first reservation, 2 advances.
fn lean() -> Vec<Operation> {
    let ask = |lead, duration, slack, pes| Ask {
        lead,
        duration,
        slack,
        pes,
        policy: 0,
    };
    let first = ask(0, 2, 0, 2);
    let mut alphabet = vec![
        Operation::Reserve(first),
        Operation::Reserve(ask(0, 2, 4, 1)),
        Operation::Reserve(ask(0, 2, 4, 3)),
        Operation::Reserve(ask(4, 2, 0, 1)),
        Operation::Hold {
            ask: ask(1, 3, 2, 2),
            ttl: 3,
        },
    ];
    alphabet.extend(acts(0..1));
    alphabet.extend(advances(&[(1, 8), (3, 1)]));
    alphabet
}

/// Elastic: 3 queries under both searches, 8 acceptances, 4 requests, a cancellation, 2 advances.
fn elastic() -> Vec<Operation> {
    let inquiry = |search, duration, pes| Inquiry {
        lead: 0,
        length: SLOTS as i16,
        duration,
        pes,
        search,
        order: 0,
        ttl: 2,
        tariff: 1,
        room: u8::MAX,
    };
    let both = |duration, pes| [0, 1].map(|search| inquiry(search, duration, pes));
    let questions = [
        both(None, None),
        both(Some(2), Some(2)),
        both(Some(4), Some(1)),
    ];
    let mut alphabet: Vec<_> = questions
        .iter()
        .flatten()
        .copied()
        .map(Operation::Query)
        .collect();
    let late = Ask {
        lead: 3,
        duration: 1,
        slack: 2,
        pes: 2,
        policy: 0,
    };
    let whole = Taking {
        nth: 0,
        fewer_slots: 0,
        fewer_pes: 0,
        ttl: None,
    };
    let part = Taking {
        fewer_slots: 1,
        ttl: Some(2),
        ..whole
    };
    for (inquiry, taking, between) in [
        (questions[0][0], whole, Disturbance::Nothing),
        (
            questions[0][0],
            Taking { nth: 1, ..part },
            Disturbance::Reserve(late),
        ),
        (questions[0][1], whole, Disturbance::Reserve(late)),
        (questions[1][0], whole, Disturbance::Advance(1)),
        (questions[1][1], part, Disturbance::Nothing),
        (questions[2][0], part, Disturbance::Advance(2)),
        (
            questions[2][1],
            Taking { nth: 1, ..whole },
            Disturbance::Act(Pick::Live(0), Verb::Cancel),
        ),
        (
            questions[2][0],
            Taking {
                fewer_pes: -1,
                ..whole
            },
            Disturbance::Nothing,
        ),
    ] {
        alphabet.push(Operation::QueryAccept {
            inquiry,
            taking,
            forgery: Forgery::Genuine,
            between,
        });
    }
    let first = Ask { lead: 0, ..late };
    let second = Ask {
        pes: 1,
        lead: 1,
        duration: 2,
        slack: 0,
        ..late
    };
    let asks = [
        first,
        second,
        Ask {
            duration: 3,
            ..second
        },
        Ask {
            lead: 5,
            slack: 0,
            ..late
        },
    ];
    alphabet.extend(asks.map(Operation::Reserve));
    alphabet.push(Operation::Act(Pick::Live(0), Verb::Cancel));
    alphabet.extend(advances(&[(1, 8), (4, 8)]));
    alphabet
}

/// Queueing: 4 jobs, 2 requests, an early end, a withdrawal, 3 advances.
fn queueing() -> Vec<Operation> {
    let ask = |lead, duration, pes| Ask {
        lead,
        duration,
        slack: 0,
        pes,
        policy: 0,
    };
    let jobs = [(1, 1), (3, 1), (2, 2), (2, 3)];
    let mut alphabet = jobs
        .map(|(estimate, pes)| Operation::Submit(Submission { estimate, pes }))
        .to_vec();
    alphabet.extend([
        Operation::Reserve(ask(0, 2, 2)),
        Operation::Reserve(ask(2, 3, 1)),
        Operation::Act(Pick::Live(0), Verb::Complete(0)),
        Operation::Withdraw(Pick::Live(0)),
    ]);
    let steps = [(0, 8), (1, 8), (3, 1)];
    alphabet.extend(steps.map(|(by, room)| Operation::AdvanceQueue { by, room }));
    alphabet
}

/// All sequences up to `length` from an alphabet of `letters` letters, from three origins.
fn expected(letters: u64, length: u32) -> u64 {
    3 * (1..=length).map(|length| letters.pow(length)).sum::<u64>()
}

/// 40 letters, length 3: 196,920 operations.
fn rich_sequences<S: Subject>(make: impl Fn() -> S) {
    let alphabet = rich();
    let sum = exhaust(make, &alphabet, 3);
    assert_eq!(sum.operations, expected(40, 3));
}

/// 11 letters, length 5: 531,468 operations.
fn lean_sequences<S: Subject>(make: impl Fn() -> S) {
    let alphabet = lean();
    let sum = exhaust(make, &alphabet, 5);
    assert_eq!(sum.operations, expected(11, 5));
}

/// 21 letters, length 4: 612,612 operations.
fn elastic_sequences<S: Subject>(make: impl Fn() -> S) {
    let sum = exhaust(make, &elastic(), 4);
    assert_eq!(sum.operations, expected(21, 4));
    assert!(sum.solutions > 0 && sum.alternatives > 0, "{sum:?}");
    assert!(sum.taken > sum.reduced && sum.reduced > 0, "{sum:?}");
    for refusal in [
        Refusal::Overtaken,
        Refusal::OfferExpired,
        Refusal::TableFull,
    ] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    assert!(sum.because(Misuse::BeyondOffer) > 0, "{sum:?}");
}

/// 11 letters, length 5: 531,468 operations.
fn queueing_sequences<S: Subject>(make: impl Fn() -> S) {
    let sum = exhaust(make, &queueing(), 5);
    assert_eq!(sum.operations, expected(11, 5));
    assert!(sum.of(EventKind::BestEffortStarted) > 0, "{sum:?}");
    assert!(sum.passed > 0 && sum.looks_cut_short > 0, "{sum:?}");
}

#[test]
fn counts_rich() {
    rich_sequences(|| kernels::counts::<1, 3, ROWS>(PES, SLOTS));
}

#[test]
fn counts_lean() {
    lean_sequences(|| kernels::counts::<1, 3, ROWS>(PES, SLOTS));
}

#[test]
fn sets_rich() {
    rich_sequences(|| kernels::narrow::<1, 1, ROWS>(PES, SLOTS));
}

#[test]
fn sets_lean() {
    lean_sequences(|| kernels::narrow::<1, 1, ROWS>(PES, SLOTS));
}

#[test]
fn counts_elastic() {
    elastic_sequences(|| kernels::counts::<1, 3, ROWS>(PES, SLOTS));
}

#[test]
fn sets_elastic() {
    elastic_sequences(|| kernels::narrow::<1, 1, ROWS>(PES, SLOTS));
}

#[test]
fn counts_easy() {
    queueing_sequences(|| kernels::counts::<1, 3, ROWS>(PES, SLOTS).under(Discipline::Easy));
}

#[test]
fn sets_easy() {
    queueing_sequences(|| kernels::narrow::<1, 1, ROWS>(PES, SLOTS).under(Discipline::Easy));
}
