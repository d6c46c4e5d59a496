//! States that make a search work hard.

use crate::state::{Move, State};

/// A machine and the size of its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub slots: u32,
    pub pes: u32,
    pub rows: u32,
}

/// A state with a name that says what is wrong with it.
#[derive(Clone)]
pub struct Adversary {
    pub name: String,
    pub state: State,
}

/// Every listed adversary: with one row of the ledger spare and with none, on a ring that begins where its arrays do and on one that
/// wraps.
pub fn all(size: Size) -> Vec<Adversary> {
    let mut all = with_a_row_spare(size);
    all.extend(listed(size, 1, 0));
    all.extend(listed(size, 0, middle(size)));
    all
}

/// Those with a row of the ledger spare, on a ring that wraps.
pub fn with_a_row_spare(size: Size) -> Vec<Adversary> {
    listed(size, 1, middle(size))
}

/// Where a ring wraps that begins in the midst of a word of the bit arrays and of a group of 8 slots.
fn middle(size: Size) -> u32 {
    size.slots * 3 / 8 + 4
}

/// The listed adversaries for a book with all but `spare` rows of its ledger taken, on a ring whose beginning lies at place `head`.
fn listed(size: Size, spare: u32, head: u32) -> Vec<Adversary> {
    let mut all = Vec::new();
    let at_head = |head| State {
        moves: if head > 0 {
            vec![Move::Pass(head)]
        } else {
            vec![]
        },
    };
    let named = |name: &str| {
        let wrapped = if head > 0 { ", wrapped" } else { "" };
        let spare = if spare == 0 { ", ledger full" } else { "" };
        format!("{name}{wrapped}{spare}")
    };
    let mut add = |name: String, bookings: Vec<(u32, u32, u32)>| {
        let mut state = at_head(head);
        for (start, len, pes) in bookings {
            state.book(start, len, pes);
        }
        all.push(Adversary {
            name: named(&name),
            state,
        });
    };
    let Size { slots, pes, .. } = size;
    let rows = size.rows - spare;
    let step = slots / rows;
    add("idle".into(), vec![]);
    // Every slot differs from its neighbours, at one end of the ring or at the other.
    let teeth = |from: u32, period: u32, len: u32, pes: u32| -> Vec<_> {
        let fits = move |i: &u32| from + i * period + len <= slots;
        (0..rows)
            .filter(fits)
            .map(|i| (from + i * period, len, pes))
            .collect()
    };
    for busy in [1, pes / 2, pes] {
        add(
            format!("alternating slots, {busy} busy"),
            teeth(1, 2, 1, busy),
        );
        let from = slots.saturating_sub(2 * rows);
        add(
            format!("alternating slots at the end, {busy} busy"),
            teeth(from, 2, 1, busy),
        );
        for period in (3..=8).chain(step.max(9) - 1..=step) {
            for len in [1, period / 2, period - 1] {
                add(
                    format!("comb of period {period}, {len} long, {busy} busy"),
                    teeth(period - len, period, len, busy),
                );
            }
        }
        let all_but_the_end = (0..rows).map(|i| (i * (step - 1), step - 1, busy));
        add(
            format!("room only at the end, {busy} busy"),
            all_but_the_end.collect(),
        );
    }
    // A few processing elements each, so that the counts climb or fall step by step.
    let width = (pes / rows).max(1);
    for stride in [1, 2, 3, step - 1, step] {
        let at = move |i: u32| i * stride;
        add(
            format!("staircase up by {stride}"),
            (0..rows).map(|i| (at(i), slots - at(i), width)).collect(),
        );
        add(
            format!("staircase down by {stride}"),
            (0..rows).map(|i| (0, slots - at(i), width)).collect(),
        );
        add(
            format!("staircase down at the beginning by {stride}"),
            (0..rows).map(|i| (0, at(i + 1), width)).collect(),
        );
        let narrowing = (0..rows).filter(|i| 2 * at(*i) < slots);
        add(
            format!("pyramid by {stride}"),
            narrowing
                .map(|i| (at(i), slots - 2 * at(i), width))
                .collect(),
        );
    }
    // Neighbours overlap, so they get different processing elements: the counts fit while few are free for long.
    for len in [2, 3, step / 2, step - 1, step, step + 1, 2 * step] {
        for width in [1, pes / 8, pes / 4, pes / 2] {
            for overlap in [1, len / 2, len - 1] {
                let period = len - overlap;
                add(
                    format!("rotating {width}, {len} long, {overlap} shared"),
                    teeth(0, period, len, width),
                );
                let from = slots.saturating_sub(rows * period + overlap);
                add(
                    format!("rotating {width} at the end, {len} long, {overlap} shared"),
                    teeth(from, period, len, width),
                );
            }
        }
    }
    // In other phases of their lives: running, held, or all at once when time jumps.
    for (phase, len) in [("short", 1), ("half", slots / 2), ("whole", slots)] {
        let mut state = at_head(head);
        for number in 0..rows {
            state.book(number % step, len - number.min(len - 1) % step, width);
        }
        all.push(Adversary {
            name: named(&format!("{phase} jobs to come")),
            state: state.clone(),
        });
        state.moves.push(Move::Pass(step - 1));
        all.push(Adversary {
            name: named(&format!("{phase} jobs running")),
            state,
        });
        for ttl in [1, slots / 2] {
            let mut state = at_head(head);
            for number in 0..rows {
                state.moves.push(Move::Hold {
                    start: (slots / 2 + number).min(slots - len.min(slots / 2)),
                    len: len.min(slots / 2),
                    pes: width,
                    ttl: ttl + number % step,
                });
            }
            all.push(Adversary {
                name: named(&format!("{phase} holds of {ttl} slots and more")),
                state,
            });
        }
    }
    all
}
