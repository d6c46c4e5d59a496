//! Every sequence of operations up to a stated length in a small world whose PEs leave and come back.

use bookahead::{
    EventKind, Outage, Refusal, Slot, Span, Window,
    raw::{BulkScan, Column, PlainScan, Scan},
};
use bookahead_commands::{
    Call, Command, Ending, LONG_LOG, Machine, Placed, Reply, Scope, Transact,
};
use bookahead_heap::HostColumn;
use bookahead_oracle::{Harness, Oracle, Recorded, Twin, generate::later};

use crate::common::kernels::on;
use crate::common::letters::{Ask, Letter, act, advance, complete, hold, letter, nth, reserve};
use crate::exhaustive::{self, SLOTS};

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

/// PEs fail for so many slots.
fn failure(slots: i64, pes: &'static [u16]) -> Letter {
    forced(move |oracle| {
        let until = later(oracle.now(), slots);
        Some(Call::TakeOut(Outage::Failure { until }, pes.to_vec()))
    })
}

/// PEs are wanted in so many slots, for so many.
fn maintenance(by: i64, slots: u32, pes: &'static [u16]) -> Letter {
    forced(move |oracle| {
        let start: Slot = later(oracle.now(), by);
        let end = start.saturating_add(Span::new(slots));
        let window = Window { start, end };
        Some(Call::TakeOut(Outage::Maintenance { window }, pes.to_vec()))
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

/// 15 letters, length 4: 162,720 operations.
fn sequences(make: fn() -> Recorded) {
    let sum = exhaustive::exhaust(make, &alphabet(), 4);
    for what in ["take out", "extend by force"] {
        assert!(sum.times(what, "broken") > 0, "no {what} in {sum:?}");
    }
    assert!(sum.times("take out", "in parts") > 0, "{sum:?}");
    for refusal in [Refusal::Pinned, Refusal::TableFull, Refusal::BeyondHorizon] {
        assert!(sum.because(refusal) > 0, "no {refusal:?} in {sum:?}");
    }
    assert!(sum.of(EventKind::EndReached) > 0, "{sum:?}");
}

#[test]
fn narrow() {
    sequences(beside::<u32, PlainScan>);
}

#[test]
fn wide() {
    sequences(beside::<HostColumn, BulkScan>);
}
