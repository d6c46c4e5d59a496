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

/// These states with all that is booked free to move.
pub fn free(adversaries: &[Adversary]) -> Vec<Adversary> {
    let free = |adversary: &Adversary| {
        let mut adversary = adversary.clone();
        adversary.state.set_free();
        adversary
    };
    adversaries.iter().map(free).collect()
}

/// These states, each with full queues of three kinds: a job that is as wide as the machine before narrow ones that would delay it, before ones that fill half
/// of what there is, and before short ones, all of which start as soon as there is room.
pub fn crowded(size: Size, adversaries: &[Adversary]) -> Vec<Adversary> {
    let Size { slots, pes, .. } = size;
    let kinds = [
        ("long jobs behind a wide one", slots, 1),
        ("half jobs behind a wide one", slots / 2, pes / 2),
        ("short jobs behind a wide one", 1, 1),
    ];
    let mut all = Vec::new();
    for adversary in adversaries {
        if adversary.state.jobs() > 0 {
            all.push(adversary.clone());
            continue;
        }
        for (name, estimate, narrow) in kinds {
            let mut state = adversary.state.clone();
            state.moves.push(Move::Submit { estimate, pes });
            let behind = Move::Submit {
                estimate,
                pes: narrow,
            };
            state.moves.extend([behind; JOBS - 1]);
            all.push(Adversary {
                name: format!("{}, {name}", adversary.name),
                state,
            });
        }
    }
    all
}

/// How many jobs the queue of the meter holds.
const JOBS: usize = 32;

/// Where a ring wraps that begins in the midst of a word of the bit arrays and of a group of 8 slots.
fn middle(size: Size) -> u32 {
    size.slots * 3 / 8 + 4
}

/// The listed adversaries for a book with all but `spare` rows of its ledger taken, on a ring that begins at place `head`.
fn listed(size: Size, spare: u32, head: u32) -> Vec<Adversary> {
    let rows = size.rows - spare;
    let mut all = vec![("idle".to_owned(), vec![])];
    all.extend(combs(size, rows));
    all.extend(stairs(size, rows));
    all.extend(rotations(size, rows));
    all.extend(lives(size, rows));
    let wrapped = if head > 0 { ", wrapped" } else { "" };
    let full = if spare == 0 { ", ledger full" } else { "" };
    let adversary = |(name, moves): (String, Vec<Move>)| {
        let mut state = State::default();
        if head > 0 {
            state.moves.push(Move::Pass(head));
        }
        state.moves.extend(moves);
        Adversary {
            name: format!("{name}{wrapped}{full}"),
            state,
        }
    };
    all.into_iter().map(adversary).collect()
}

/// A name and moves on an empty book.
type Named = (String, Vec<Move>);

/// As many bookings as fit and as there are rows, each `len` long, `period` apart.
fn teeth(size: Size, rows: u32, from: u32, period: u32, len: u32, pes: u32) -> Vec<Move> {
    let starts = (0..rows).map(|number| from + number * period);
    starts
        .filter(|start| start + len <= size.slots)
        .map(|start| Move::Book { start, len, pes })
        .collect()
}

/// Gaps of one length between bookings of another: at the beginning of the ring, at its end, or all over.
fn combs(size: Size, rows: u32) -> Vec<Named> {
    let Size { slots, pes, .. } = size;
    let step = slots / rows;
    let mut all = Vec::new();
    for busy in [1, pes / 2, pes] {
        let teeth = |from, period, len| teeth(size, rows, from, period, len, busy);
        all.push((format!("alternating slots, {busy} busy"), teeth(1, 2, 1)));
        all.push((
            format!("alternating slots at the end, {busy} busy"),
            teeth(slots.saturating_sub(2 * rows), 2, 1),
        ));
        for period in (3..=8).chain(step.max(9) - 1..=step) {
            for len in [1, period / 2, period - 1] {
                all.push((
                    format!("comb of period {period}, {len} long, {busy} busy"),
                    teeth(period - len, period, len),
                ));
            }
        }
        all.push((
            format!("room only at the end, {busy} busy"),
            teeth(0, step - 1, step - 1),
        ));
    }
    all
}

/// A few processing elements each, so that the counts climb or fall step by step.
fn stairs(size: Size, rows: u32) -> Vec<Named> {
    let Size { slots, pes, .. } = size;
    let step = slots / rows;
    let width = (pes / rows).max(1);
    let mut all = Vec::new();
    for stride in [1, 2, 3, step - 1, step] {
        let bookings = |place: &dyn Fn(u32) -> (u32, u32)| -> Vec<Move> {
            let places = (0..rows).map(|number| place(number * stride));
            places
                .filter(|(_, len)| *len > 0)
                .map(|(start, len)| Move::Book {
                    start,
                    len,
                    pes: width,
                })
                .collect()
        };
        all.push((
            format!("staircase up by {stride}"),
            bookings(&|at| (at, slots - at)),
        ));
        all.push((
            format!("staircase down by {stride}"),
            bookings(&|at| (0, slots - at)),
        ));
        all.push((
            format!("staircase down at the beginning by {stride}"),
            bookings(&|at| (0, at + stride)),
        ));
        all.push((
            format!("pyramid by {stride}"),
            bookings(&|at| (at, slots.saturating_sub(2 * at))),
        ));
    }
    all
}

/// Neighbours overlap, so they get different processing elements: the counts fit while few are free for long.
fn rotations(size: Size, rows: u32) -> Vec<Named> {
    let Size { slots, pes, .. } = size;
    let step = slots / rows;
    let mut all = Vec::new();
    for len in [2, 3, step / 2, step - 1, step, step + 1, 2 * step] {
        for width in [1, pes / 8, pes / 4, pes / 2] {
            for overlap in [1, len / 2, len - 1] {
                let period = len - overlap;
                let teeth = |from| teeth(size, rows, from, period, len, width);
                all.push((
                    format!("rotating {width}, {len} long, {overlap} shared"),
                    teeth(0),
                ));
                all.push((
                    format!("rotating {width} at the end, {len} long, {overlap} shared"),
                    teeth(slots.saturating_sub(rows * period + overlap)),
                ));
            }
        }
    }
    all
}

/// In other phases of their lives: to come, running, held.
fn lives(size: Size, rows: u32) -> Vec<Named> {
    let Size { slots, pes, .. } = size;
    let step = slots / rows;
    let width = (pes / rows).max(1);
    let mut all = Vec::new();
    for (name, len) in [("short", 1), ("half", slots / 2), ("whole", slots)] {
        let job = |number: u32| Move::Book {
            start: number % step,
            len: len - number.min(len - 1) % step,
            pes: width,
        };
        let mut moves: Vec<Move> = (0..rows).map(job).collect();
        all.push((format!("{name} jobs to come"), moves.clone()));
        moves.push(Move::Pass(step - 1));
        all.push((format!("{name} jobs running"), moves));
        for ttl in [1, slots / 2] {
            let len = len.min(slots / 2);
            let hold = |number: u32| Move::Hold {
                start: (slots / 2 + number).min(slots - len),
                len,
                pes: width,
                ttl: ttl + number % step,
            };
            all.push((
                format!("{name} holds of {ttl} slots and more"),
                (0..rows).map(hold).collect(),
            ));
        }
    }
    all
}
