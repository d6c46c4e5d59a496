//! Books with rules: long random lives, and every sequence of operations up to a stated length in a small world.

use bookahead::{
    Discipline, PeCount, Refusal, Rule, Span,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Call, Command, Ending, Gone, LONG_LOG, Subject, Transact};
use bookahead_heap::HostColumn;
use bookahead_oracle::{Oracle, Recorded, generate::RULED};

use crate::common::{
    kernels::{ruled_counts, ruled_sets},
    letters::{Ask, Letter, advance, complete, hold, letter, nth, reserve},
    lives,
};
use crate::exhaustive::{self, SLOTS};
use crate::long_lives::CROWDED;

/// A life in which rules come, change and go, and break promises.
fn life(subject: Box<dyn Subject>, seed: u8) {
    let profile = CROWDED.used_for(RULED);
    let subject = subject.under(Discipline::Easy);
    let tally = lives::life(subject, seed, lives::operations(20_000, 4), &profile);
    for what in ["rule", "drop a rule"] {
        assert!(tally.times(what, "") > 0, "{tally:?}");
    }
    assert!(tally.times("rule", "broken") > 0, "{tally:?}");
}

#[test]
fn life_of_counts() {
    life(ruled_counts::<BulkScan>(CROWDED.pes, CROWDED.slots, 40), 1);
}

#[test]
fn life_of_counts_searched_plainly() {
    life(ruled_counts::<PlainScan>(CROWDED.pes, CROWDED.slots, 12), 2);
}

#[test]
fn life_of_narrow_sets() {
    life(ruled_sets::<u32, PlainScan>(40, CROWDED.slots, 40), 3);
}

#[test]
fn life_of_wide_sets() {
    life(
        ruled_sets::<HostColumn, BulkScan>(CROWDED.pes, CROWDED.slots, 40),
        4,
    );
}

/// A rule is set, or with no length dropped.
fn rule(number: usize, (phase, period, length): (u32, u32, u32), gone: Gone) -> Letter {
    let rule = Rule {
        phase: Span::new(phase),
        period: Span::new(period),
        length: Span::new(length),
    };
    let rule = (length > 0).then_some((rule, gone));
    calls(
        move |_| vec![Call::SetRule(number, rule.clone())],
        Ending::Commit,
    )
}

/// Calls in a transaction.
fn calls(meant: impl Fn(&Oracle) -> Vec<Call> + 'static, ending: Ending) -> Letter {
    letter(move |oracle| {
        Some(Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: meant(oracle),
            ending,
            watched: oracle.live(),
        }))
    })
}

/// What is taken, in a world of 3 PEs.
type Takes = fn(&[u16]) -> Gone;

/// A rule that comes, and goes again before all is forgotten; what was lifted comes back to its place in between.
fn there_and_back(takes: Takes) -> Letter {
    let calls_of = move |oracle: &Oracle| {
        let always = Rule {
            phase: Span::ZERO,
            period: Span::new(1),
            length: Span::new(1),
        };
        let Some(first) = nth(oracle, 0) else {
            return Vec::new();
        };
        let place = oracle.placement(first).expect("it lives");
        vec![
            Call::Lift(first),
            Call::SetRule(1, Some((always, takes(&[0, 1])))),
            Call::SetRule(1, None),
            Call::Place(first, place),
            Call::Resize(Some(takes(&[2]))),
            Call::SetRule(0, None),
            Call::PlaceFirstFit(first, oracle.now()),
        ]
    };
    calls(calls_of, Ending::Drop)
}

/// 4 requests, 2 advances, an end, 7 rules, 2 sizes.
fn alphabet(takes: Takes) -> Vec<Letter> {
    let resize = |pes: &[u16]| {
        let gone = (!pes.is_empty()).then(|| takes(pes));
        calls(move |_| vec![Call::Resize(gone.clone())], Ending::Commit)
    };
    vec![
        reserve(Ask(0, 2, 4, 2)),
        reserve(Ask(1, 3, 0, 1)),
        reserve(Ask(2, 3, 2, 3)),
        hold(Ask(1, 2, 2, 2), 4),
        advance(1, 8),
        advance(3, 8),
        complete(0, 1),
        rule(0, (2, 4, 1), takes(&[0, 1])),
        rule(0, (1, 11, 3), takes(&[0, 1, 2])),
        rule(0, (0, 0, 0), takes(&[])),
        rule(1, (3, 5, 2), takes(&[1])),
        rule(1, (0, 3, 4), takes(&[2])),
        there_and_back(takes),
        resize(&[0]),
        resize(&[]),
    ]
}

/// 15 letters, length 4.
fn sequences(takes: Takes, make: fn() -> Box<dyn Subject>) {
    let sum = exhaustive::exhaust(move || Recorded::new(make()), &alphabet(takes), 4);
    assert!(sum.times("rule", "broken") > 0, "{sum:?}");
    assert!(sum.because(Refusal::NoRoom) > 0, "{sum:?}");
}

fn numbers(pes: &[u16]) -> Gone {
    Gone::Number(PeCount::new(pes.len() as u32))
}

fn these(pes: &[u16]) -> Gone {
    Gone::These(pes.to_vec())
}

#[test]
fn every_sequence_of_counts() {
    sequences(numbers, || ruled_counts::<PlainScan>(3, SLOTS, 4));
}

#[test]
fn every_sequence_of_sets() {
    sequences(these, || ruled_sets::<u32, BulkScan>(3, SLOTS, 4));
}
