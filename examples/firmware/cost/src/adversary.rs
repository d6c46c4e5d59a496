//! States that make a search work hard.

use crate::state::{Move, State};

/// A machine and the size of its ledger.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub slots: u32,
    pub pes: u32,
    pub rows: u32,
}

/// A state with a name that says what is wrong with it.
pub struct Adversary {
    pub name: String,
    pub state: State,
}

/// The listed adversaries for a book with all but `spare` rows of its ledger taken, on a ring whose beginning lies at place `head`.
pub fn listed(size: Size, spare: u32, head: u32) -> Vec<Adversary> {
    let mut all = Vec::new();
    let mut add = |name: String, bookings: Vec<(u32, u32, u32)>| {
        let mut state = State::default();
        if head > 0 {
            state.moves.push(Move::Pass(head));
        }
        for (start, len, pes) in bookings {
            state.book(start, len, pes);
        }
        let wrapped = if head > 0 { ", wrapped" } else { "" };
        all.push(Adversary {
            name: format!("{name}{wrapped}"),
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
    for busy in [1, pes / 2, pes - 1, pes] {
        add(format!("alternating slots, {busy} busy"), teeth(1, 2, 1, busy));
        let from = slots.saturating_sub(2 * rows);
        add(
            format!("alternating slots at the end, {busy} busy"),
            teeth(from, 2, 1, busy),
        );
        for period in 3..=step {
            for len in [1, period / 2, period - 1] {
                add(
                    format!("comb of period {period}, {len} long, {busy} busy"),
                    teeth(period - len, period, len, busy),
                );
            }
        }
        add(
            format!("room only at the end, {busy} busy"),
            (0..rows).map(|i| (i * (step - 1), step - 1, busy)).collect(),
        );
    }
    // One processing element each, so that the counts climb or fall step by step.
    let width = (pes / rows).max(1);
    for stride in 1..=step {
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
        let half = slots / 2;
        add(
            format!("pyramid by {stride}"),
            (0..rows)
                .filter(|i| at(i + 1) < half)
                .map(|i| (at(i), slots - 2 * at(i), width))
                .collect(),
        );
    }
    // Neighbours overlap by a slot, so they get different processing elements: the counts fit while no few are free for long.
    for len in 2..=step + 1 {
        for width in [1, 2, pes / 4, pes / 2] {
            for overlap in [1, len / 2, len - 1] {
                let period = len - overlap;
                if period > 0 {
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
    }
    all
}
