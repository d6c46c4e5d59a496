//! Every sequence of operations up to a stated length in a small world: 3 PEs, 6 slots, at most 3 reservations.
//!
//! Storage comes in blocks of 64 slots, so from slots 0, 60 and 62 on the six slots lie at the block's start, across its end, and
//! cross it while time passes.

mod common;

use bookahead_oracle::{Ask, Harness, Operation, Pick, Subject, Verb};
use common::kernels;

const PES: u16 = 3;
const SLOTS: u16 = 6;
const ROWS: usize = 3;
const ORIGINS: [u64; 3] = [0, 60, 62];

/// Tries every continuation of `harness` by up to `length` operations and says how many operations that took.
fn explore<S: Subject>(
    harness: &Harness<S>,
    alphabet: &[Operation],
    trail: &mut Vec<Operation>,
    length: usize,
) -> u64 {
    if length == 0 {
        return 0;
    }
    let mut tried = 0;
    for operation in alphabet {
        let mut next = harness.clone();
        trail.push(*operation);
        if let Err(difference) = next.apply(operation) {
            panic!("after {trail:#?}\n{difference}");
        }
        tried += 1 + explore(&next, alphabet, trail, length - 1);
        trail.pop();
    }
    tried
}

fn exhaust<S: Subject>(make: impl Fn() -> S, alphabet: &[Operation], length: usize) -> u64 {
    let from = |origin: u64| {
        let mut harness = Harness::new(make());
        harness
            .apply(&Operation::AdvanceTo {
                to: origin,
                room: 0,
            })
            .unwrap();
        explore(&harness, alphabet, &mut Vec::new(), length)
    };
    ORIGINS.into_iter().map(from).sum()
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

/// All sequences up to `length` from an alphabet of `letters` letters, from three origins.
fn expected(letters: u64, length: u32) -> u64 {
    3 * (1..=length).map(|length| letters.pow(length)).sum::<u64>()
}

/// 40 letters, length 3: 196,920 operations.
fn rich_sequences<S: Subject>(make: impl Fn() -> S) {
    let alphabet = rich();
    assert_eq!(exhaust(make, &alphabet, 3), expected(40, 3));
}

/// 11 letters, length 5: 531,468 operations.
fn lean_sequences<S: Subject>(make: impl Fn() -> S) {
    let alphabet = lean();
    assert_eq!(exhaust(make, &alphabet, 5), expected(11, 5));
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
