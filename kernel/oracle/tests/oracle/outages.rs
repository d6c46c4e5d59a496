//! Every sequence of operations up to a stated length in a small world whose PEs leave and come back.

use bookahead::{
    EventKind, Outage, PeCount, Refusal, Slot, Span, Window,
    raw::{BulkScan, Column, PlainScan, Scan},
};
use bookahead_commands::{
    Call, Command, Ending, Gone, Kind, LONG_LOG, Machine, Placed, Reply, Scope, Transact,
};
use bookahead_heap::HostColumn;
use bookahead_oracle::{Harness, Oracle, Recorded, Tally, Twin, generate::later};

use crate::common::kernels::{counts, on, ruled_counts, units};
use crate::common::letters::{Ask, Letter, act, advance, complete, hold, letter, nth, reserve};
use crate::exhaustive::{self, PES, SLOTS};

/// One call in a transaction that is committed.
fn forced(meant: impl Fn(&Oracle) -> Option<Call> + 'static) -> Letter {
    letter(move |oracle| {
        Some(Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: vec![meant(oracle)?],
            ending: Ending::Commit,
            watched: oracle.live(),
        }))
    })
}

/// These PEs of a machine with a layout, and as many with late binding.
fn gone(oracle: &Oracle, pes: &[u16]) -> Gone {
    match oracle.kind().binding() {
        Kind::Counts => Gone::Number(PeCount::new(pes.len() as u32)),
        _ => Gone::These(pes.to_vec()),
    }
}

/// PEs fail for so many slots.
fn failure(slots: i64, pes: &'static [u16]) -> Letter {
    forced(move |oracle| {
        let until = later(oracle.now(), slots);
        let outage = Outage::Failure { until };
        Some(Call::TakeOut(outage, gone(oracle, pes)))
    })
}

/// PEs are wanted in so many slots, for so many.
fn maintenance(by: i64, slots: u32, pes: &'static [u16]) -> Letter {
    forced(move |oracle| {
        let start: Slot = later(oracle.now(), by);
        let end = start.saturating_add(Span::new(slots));
        let outage = Outage::Maintenance {
            window: Window { start, end },
        };
        Some(Call::TakeOut(outage, gone(oracle, pes)))
    })
}

/// The nth live reservation takes so much longer.
fn longer(number: usize, by: i64) -> Letter {
    forced(move |oracle| {
        let number = nth(oracle, number)?;
        let end = oracle.get(number).ok()?.window.end;
        Some(Call::ExtendByForce(number, later(end, by)))
    })
}

/// 4 requests, 2 advances, 2 ends, 5 outages, 2 that take longer.
fn alphabet() -> Vec<Letter> {
    vec![
        reserve(Ask(0, 2, 4, 2)),
        reserve(Ask(1, 3, 0, 1)),
        reserve(Ask(0, 4, 1, 1)),
        hold(Ask(1, 2, 2, 2), 4),
        advance(1, 8),
        advance(2, 1),
        act(0, Command::Cancel),
        complete(0, 1),
        failure(3, &[0, 1]),
        failure(5, &[1, 2]),
        maintenance(1, 3, &[0]),
        maintenance(0, 3, &[1, 2]),
        maintenance(2, 4, &[0, 1, 2]),
        longer(0, 2),
        longer(1, 1),
    ]
}

/// With late binding, also 1 failure of PEs that jobs have, and 2 that say which PEs somebody has.
fn with_names() -> Vec<Letter> {
    let mut all = alphabet();
    all.extend([
        forced(|oracle| {
            let until = later(oracle.now(), 4);
            let named = Gone::These(vec![0, 2]);
            Some(Call::TakeOut(Outage::Failure { until }, named))
        }),
        bind(0, &[2]),
        bind(1, &[1, 2]),
    ]);
    all
}

/// The nth live reservation has these PEs.
fn bind(number: usize, pes: &'static [u16]) -> Letter {
    letter(move |oracle| Some(Command::Bind(nth(oracle, number)?, pes.to_vec())))
}

/// A node of two kinds of PEs, in a book of a certain column.
fn beside<C: Column + 'static, S: Scan>() -> Recorded {
    let placed = Placed {
        machine: Machine {
            groups: 1,
            kinds: vec![2, 1],
            missing: Vec::new(),
            levels: Vec::new(),
        },
        classes: 1,
        order: 0,
    };
    let mut subject = on::<C, S>(&placed, SLOTS, 4);
    let Reply::Size(size) = subject.perform(&Command::Size) else {
        panic!("a book has a size");
    };
    let twin = Twin::on(&size, &placed);
    Recorded::of(Harness::beside(Scope::Whole, subject, twin))
}

/// 15 letters, length 4: 162,720 operations; with 18, 333,450.
fn sequences(make: fn() -> Recorded, alphabet: &[Letter]) -> Tally {
    let sum = exhaustive::exhaust(make, alphabet, 4);
    for what in ["take out", "extend by force"] {
        assert!(sum.times(what, "broken") > 0, "no {what} in {sum:?}");
    }
    assert!(sum.times("take out", "in parts") > 0, "{sum:?}");
    for refusal in [Refusal::Pinned, Refusal::TableFull, Refusal::BeyondHorizon] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    assert!(sum.of(EventKind::EndReached) > 0, "{sum:?}");
    sum
}

#[test]
fn narrow() {
    sequences(beside::<u32, PlainScan>, &alphabet());
}

#[test]
fn wide() {
    sequences(beside::<HostColumn, BulkScan>, &alphabet());
}

/// As many with late binding, where a failure may name those that jobs have.
#[test]
fn of_counts() {
    for make in [
        || Recorded::new(counts(PES, SLOTS, 4)),
        || Recorded::new(ruled_counts::<PlainScan>(PES, SLOTS, 4)),
    ] {
        let sum = sequences(make, &with_names());
        for state in ["running", "confirmed"] {
            assert!(sum.times("bind", state) > 0, "no {state}: {sum:?}");
        }
    }
}

/// Units have no names.
#[test]
fn of_units() {
    let sum = sequences(
        || Recorded::new(units::<BulkScan>(PES.into(), SLOTS, 4)),
        &with_names(),
    );
    assert_eq!(
        sum.times("bind", "running") + sum.times("bind", "confirmed"),
        0
    );
}
