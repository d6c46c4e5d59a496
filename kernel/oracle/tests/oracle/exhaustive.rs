//! Every sequence of operations up to a stated length in a small world: 3 PEs, 6 slots, at most 3 reservations.
//!
//! Storage comes in blocks of 64 slots, so from slots 0, 60 and 62 on the six slots lie at the block's start, across its end, and
//! cross it while time passes.

use crate::common::kernels;
use bookahead::{Discipline, EventKind, Refusal, UsageError};
use bookahead_commands::Subject;
use bookahead_oracle::{
    Ask, Change, Disturbance, Finish, Forgery, Harness, Hop, Inquiry, Juggle, Operation, Pick,
    Script, Share, Shift, Spot, Step, Submission, Taking, Tally, Terms, Thaw, Verb,
};

pub const PES: u16 = 3;
pub const SLOTS: u16 = 6;
pub const ROWS: usize = 3;
const ORIGINS: [u64; 3] = [0, 60, 62];

/// Tries every continuation of `harness` by up to `length` operations and adds up what happened in each.
fn explore(
    harness: &Harness,
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

fn exhaust(make: impl Fn() -> Box<dyn Subject>, alphabet: &[Operation], length: usize) -> Tally {
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

/// By first fit.
const fn ask(lead: i16, duration: u16, slack: i16, pes: u16) -> Ask {
    Ask {
        lead,
        duration,
        slack,
        pes,
        policy: 0,
    }
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
    let late = ask(3, 1, 2, 2);
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
    let jobs = [(1, 1), (3, 1), (2, 2), (2, 3)];
    let mut alphabet = jobs
        .map(|(estimate, pes)| Operation::Submit(Submission { estimate, pes }))
        .to_vec();
    alphabet.extend([
        Operation::Reserve(ask(0, 2, 0, 2)),
        Operation::Reserve(ask(2, 3, 0, 1)),
        Operation::Act(Pick::Live(0), Verb::Complete(0)),
        Operation::Withdraw(Pick::Live(0)),
    ]);
    let steps = [(0, 8), (1, 8), (3, 1)];
    alphabet.extend(steps.map(|(by, room)| Operation::AdvanceQueue { by, room }));
    alphabet
}

/// Changing: 2 requests, a hold, 3 acts, 3 advances, 8 alterations and a split, 9 transactions, 4 calls for several.
fn changing() -> Vec<Operation> {
    let first = Pick::Live(0);
    let second = Pick::Live(1);
    let mut alphabet = vec![
        Operation::Reserve(ask(0, 2, 4, 2)),
        Operation::Reserve(ask(1, 3, 0, 1)),
        Operation::Hold {
            ask: ask(1, 2, 2, 2),
            ttl: 4,
        },
        Operation::Act(first, Verb::Confirm),
        Operation::Act(first, Verb::Cancel),
        Operation::Act(first, Verb::Complete(1)),
        Operation::Advance { by: 1, room: 8 },
        Operation::Advance { by: 2, room: 1 },
        Operation::NextOfQueue { by: 1, most: 2 },
    ];
    let changes = [
        Change::Shift(1),
        Change::Shift(-1),
        Change::Extend(1),
        Change::Shorten(1),
        Change::Widen(1),
        Change::Narrow(1),
        Change::Window { lead: 0, slack: 2 },
        Change::Window { lead: 2, slack: 0 },
    ];
    alphabet.extend(changes.map(|change| Operation::Alter {
        pick: first,
        change,
        log: 1,
    }));
    alphabet.push(Operation::Split {
        pick: first,
        after: 1,
        log: 2,
    });
    alphabet.extend(scripts(first, second).map(Operation::Transaction));
    let share = |offset, duration, pes| Share {
        offset,
        duration,
        pes,
    };
    alphabet.extend([
        Operation::Series {
            ask: ask(0, 1, 1, 2),
            ttl: None,
            period: 2,
            count: 2,
            without: [9, 9],
            log: 2,
            room: 2,
        },
        Operation::Together {
            lead: 0,
            length: SLOTS as i16,
            parts: [
                share(0, 2, 1),
                share(1, 2, 2),
                share(0, 0, 0),
                share(0, 0, 0),
            ],
            count: 2,
            ttl: None,
            log: 2,
            room: 2,
        },
        Operation::CancelAll {
            picks: [first, second, Pick::Ended(0), Pick::Ended(1)],
            length: 4,
        },
        Operation::Explain {
            ask: ask(0, 2, 2, 3),
            room: 2,
        },
    ]);
    alphabet
}

/// Moving: 2 flexible newcomers, 6 that others slide aside for, one that others are juggled for, a new arrangement, a hold, a split,
/// 3 acts, 2 advances.
fn moving() -> Vec<Operation> {
    let aside = Shift {
        both: true,
        depth: 2,
        earliest: 0,
        moves: None,
        work: None,
        log: u8::MAX,
        end: 0,
    };
    let juggle = Juggle {
        order: 1,
        seed: 0,
        always: false,
        retry: true,
        earliest: 0,
        moves: None,
        work: None,
        log: u8::MAX,
        list: u8::MAX,
        end: 0,
    };
    let flexible = |deadline, thaw| Terms::Flexible { deadline, thaw };
    let patient = flexible(false, Thaw::Never);
    let shift = |ask, terms, how| Operation::Shift { ask, terms, how };
    let (urgent, wide) = (ask(0, 2, 0, 2), ask(1, 2, 2, 3));
    let right = Shift {
        both: false,
        ..aside
    };
    let (committed, planned) = (Shift { end: 1, ..aside }, Shift { end: 2, ..aside });
    let short = Shift { log: 2, ..aside };
    let lone = Shift {
        moves: Some(1),
        ..aside
    };
    let first = Pick::Live(0);
    vec![
        shift(ask(0, 2, 4, 2), patient, aside),
        shift(ask(1, 3, 2, 1), flexible(true, Thaw::Lead(1)), aside),
        shift(urgent, Terms::Strict, right),
        shift(urgent, Terms::Held(2), committed),
        shift(wide, Terms::Strict, aside),
        shift(wide, patient, planned),
        shift(wide, patient, short),
        shift(ask(2, 2, 0, 2), patient, lone),
        Operation::Juggle {
            ask: urgent,
            terms: Terms::Strict,
            how: juggle,
        },
        Operation::Replan(juggle),
        Operation::Hold {
            ask: ask(3, 1, 2, 2),
            ttl: 2,
        },
        Operation::Split {
            pick: first,
            after: 1,
            log: 2,
        },
        Operation::Act(first, Verb::Freeze),
        Operation::Act(first, Verb::Cancel),
        Operation::Act(first, Verb::Complete(1)),
        Operation::Advance { by: 1, room: 8 },
        Operation::Advance { by: 2, room: 1 },
    ]
}

/// Two swap places; one makes room for a newcomer, for good, for now, or with too short a log or too little work; what comes behind
/// savepoints is undone; one goes for another; what was planned is done a slot later, or not, since
/// it is outdated.
fn scripts(first: Pick, second: Pick) -> [Script; 9] {
    let swap = [
        Step::Lift(first),
        Step::Lift(second),
        Step::Place(first, Spot::Of(second)),
        Step::Place(second, Spot::Of(first)),
    ];
    let insert = |pes| Step::Insert {
        ask: ask(0, 2, 0, pes),
        after: 0,
        ttl: None,
    };
    let yields = [
        Step::Lift(first),
        insert(2),
        Step::FirstFit(Pick::Lifted(0), 0),
    ];
    let later = Spot::Near(Hop {
        by: 1,
        longer: 0,
        wider: 0,
    });
    let undone = [
        Step::Alter(first, Change::Narrow(1)),
        Step::Savepoint,
        Step::Lift(first),
        Step::Place(first, later),
        Step::Savepoint,
        Step::Remove(second),
        Step::RollbackTo(1),
        Step::Split(first, 1),
        Step::RollbackTo(0),
    ];
    let replaced = [Step::Remove(first), insert(3)];
    [
        Script::of(&swap, Finish::Commit),
        Script::of(&swap, Finish::PlanApply(Disturbance::Nothing)),
        Script::of(&yields, Finish::Commit),
        Script::of(&yields, Finish::Drop),
        Script {
            log: 1,
            work: Some(5),
            ..Script::of(&yields, Finish::Commit)
        },
        Script::of(&undone, Finish::Commit),
        Script::of(&replaced, Finish::Commit),
        Script::of(
            &[Step::Alter(second, Change::Shift(2))],
            Finish::PlanApply(Disturbance::Advance(1)),
        ),
        Script::of(
            &[Step::Alter(first, Change::Narrow(1))],
            Finish::PlanApply(Disturbance::Alter(first, Change::Shift(1))),
        ),
    ]
}

/// All sequences up to `length` from an alphabet of `letters` letters, from three origins.
fn expected(letters: u64, length: u32) -> u64 {
    3 * (1..=length).map(|length| letters.pow(length)).sum::<u64>()
}

/// 40 letters, length 3: 196,920 operations.
pub fn rich_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = rich();
    let sum = exhaust(make, &alphabet, 3);
    assert_eq!(sum.operations, expected(40, 3));
}

/// 11 letters, length 5: 531,468 operations.
pub fn lean_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let alphabet = lean();
    let sum = exhaust(make, &alphabet, 5);
    assert_eq!(sum.operations, expected(11, 5));
}

/// 21 letters, length 4: 612,612 operations.
pub fn elastic_sequences(make: impl Fn() -> Box<dyn Subject>) {
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
    assert!(sum.because(UsageError::BeyondOffer) > 0, "{sum:?}");
}

/// 11 letters, length 5: 531,468 operations.
pub fn queueing_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let sum = exhaust(make, &queueing(), 5);
    assert_eq!(sum.operations, expected(11, 5));
    assert!(sum.of(EventKind::BestEffortStarted) > 0, "{sum:?}");
    assert!(sum.passed > 0 && sum.looks_cut_short > 0, "{sum:?}");
}

/// 31 letters, length 3: 92,349 operations.
pub fn changing_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let sum = exhaust(make, &changing(), 3);
    assert_eq!(sum.operations, expected(31, 3));
    let done = |what, states: &[&'static str]| {
        for state in states {
            assert!(sum.times(what, state) > 0, "no {what} {state} in {sum:?}");
        }
    };
    for what in ["shift", "widen", "change-window"] {
        done(what, &["held", "confirmed"]);
    }
    for what in ["extend", "shorten", "narrow", "lift", "place"] {
        done(what, &["held", "confirmed", "running"]);
    }
    done("split", &["confirmed", "running"]);
    done("remove", &["held", "confirmed", "running"]);
    done("apply", &["", "nothing"]);
    done("commit", &["changed", "unchanged", "refused"]);
    done("in the way of the alteration", &[""]);
    done("in the way of the parts", &[""]);
    done("expired", &["at its start"]);
    for refusal in [
        Refusal::NoRoom,
        Refusal::TableFull,
        Refusal::MoveLimit,
        Refusal::WorkLimit,
        Refusal::OutsideWindow,
    ] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    for misuse in [
        UsageError::WrongState,
        UsageError::StillLifted,
        UsageError::StalePlan,
    ] {
        assert!(sum.because(misuse) > 0, "no {misuse:?} in {sum:?}");
    }
}

/// 17 letters, length 4: 266,220 operations.
fn moving_sequences(make: impl Fn() -> Box<dyn Subject>) {
    let sum = exhaust(make, &moving(), 4);
    assert_eq!(sum.operations, expected(17, 4));
    for how in [
        "moved",
        "plain",
        "planned",
        "no-room",
        "move-limit",
        "table-full",
    ] {
        assert!(sum.times("shift in", how) > 0, "no {how} in {sum:?}");
    }
    assert!(sum.times("juggle", "moved") > 0, "{sum:?}");
    assert!(sum.times("replan", "moved") > 0, "{sum:?}");
    assert!(sum.of(EventKind::StartFixed) > 0, "{sum:?}");
}

#[test]
fn counts_moving() {
    moving_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_moving() {
    moving_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_changing() {
    changing_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn narrow_changing() {
    changing_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn wide_changing() {
    changing_sequences(|| kernels::wide(PES, SLOTS, ROWS));
}

#[test]
fn counts_rich() {
    rich_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_lean() {
    lean_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_rich() {
    rich_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn sets_lean() {
    lean_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_elastic() {
    elastic_sequences(|| kernels::counts(PES, SLOTS, ROWS));
}

#[test]
fn sets_elastic() {
    elastic_sequences(|| kernels::narrow(PES, SLOTS, ROWS));
}

#[test]
fn counts_easy() {
    queueing_sequences(|| kernels::counts(PES, SLOTS, ROWS).under(Discipline::Easy));
}

#[test]
fn sets_easy() {
    queueing_sequences(|| kernels::narrow(PES, SLOTS, ROWS).under(Discipline::Easy));
}
