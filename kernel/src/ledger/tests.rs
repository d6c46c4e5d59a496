//! Tests of the crate's internals: rows, counters and timers in states that sequences of calls reach late or never.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that fails has to stop"
)]

extern crate std;
use std::{collections::BTreeSet, vec, vec::Vec};

use super::{Phase, Row, Timer};
use crate::{
    best_effort::BestEffortJob,
    book::{Advanced, Book, Commitment},
    error::{Refusal, UsageError},
    event::Event,
    handle::Handle,
    pe::PeCount,
    policy::Policy,
    queue::{Discipline, JobQueue},
    request::Request,
    ring::CountRing,
    storage::{CountBook, PeBook},
    time::{Slot, Span},
    violation::Violation,
};

fn ask(ready: u64, duration: u32, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(60),
        pes: PeCount::new(pes.into()),
    }
}

/// Returns what the checker finds in a book with a running, a held and two confirmed reservations, in rows 0 to 3 of 6,
/// after `damage`.
fn found(damage: impl FnOnce(&mut Book<'_, CountRing<'_>>)) -> Result<(), Violation> {
    let mut memory = new();
    let mut book = memory.view();
    fill(&mut book);
    assert_eq!(book.check_invariants(), Ok(()));
    damage(&mut book);
    book.check_invariants()
}

type Memory = CountBook<1, 8, 6>;

fn new() -> Memory {
    CountBook::new(PeCount::new(8), Span::new(64)).unwrap()
}

fn fill(book: &mut Book<'_, CountRing<'_>>) {
    let mut events = heapless::Vec::<Event, 8>::new();
    book.reserve(&ask(0, 30, 2), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let _ = book.advance(Slot::new(5), &mut events).unwrap();
    book.reserve(
        &ask(20, 5, 1),
        Policy::FirstFit,
        Commitment::Held { ttl: Span::new(9) },
    )
    .unwrap();
    for ready in [10, 11] {
        book.reserve(&ask(ready, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
    }
}

/// Returns all that follows from rows, but the shape of the heap of timers, on which nothing depends.
#[cfg(feature = "journal")]
fn derived(book: &Book<'_, CountRing<'_>>) -> (Vec<Vec<u32>>, Vec<Timer>) {
    let wide = |counts: &[u16]| counts.iter().copied().map(u32::from).collect();
    let (counts, edges, state) = (&book.ring.counts, &book.ring.edges, &*book.ledger.state);
    let live = book.ledger.rows.iter().filter(|row| row.is_live());
    let arrays = vec![
        wide(counts.busy),
        wide(counts.summaries),
        edges.change.to_vec(),
        edges.release.to_vec(),
        book.ledger.starts.to_vec(),
        live.flat_map(|row| [row.next, row.previous]).collect(),
        vec![
            state.vacant,
            state.vacated,
            state.retired,
            state.live,
            state.running,
        ],
    ];
    let mut timers = book.ledger.timers[..state.live as usize].to_vec();
    timers.sort_by_key(|timer| timer.row);
    (arrays, timers)
}

/// Each field that a snapshot does not carry is damaged, which the checker notices; the snapshot is the same, and what is read from it is right.
#[cfg(feature = "journal")]
#[test]
fn what_is_not_carried_is_made_anew() {
    type Damage = fn(&mut Book<'_, CountRing<'_>>);
    let damages: [(&str, Damage); 14] = [
        ("busy", |book| book.ring.counts.busy[7] ^= 1),
        ("summaries", |book| book.ring.counts.summaries[0] ^= 1),
        ("change", |book| book.ring.edges.change[0] ^= 1 << 10),
        ("release", |book| book.ring.edges.release[0] ^= 1 << 15),
        ("starts", |book| book.ledger.starts[10] = 0),
        ("next", |book| book.ledger.rows[2].next = 4),
        ("previous", |book| book.ledger.rows[3].previous = 1),
        ("timer", |book| book.ledger.rows[2].timer ^= 1),
        ("due", |book| book.ledger.timers[0].due ^= 1),
        ("row", |book| book.ledger.timers[1].row ^= 1),
        ("vacated", |book| book.ledger.state.vacated ^= 1),
        ("retired", |book| book.ledger.state.retired = 1),
        ("live", |book| book.ledger.state.live = 3),
        ("running", |book| book.ledger.state.running = 0),
    ];
    let written = |memory: &mut Memory| {
        let mut bytes = Vec::new();
        let mut take = |piece: &[u8]| {
            bytes.extend_from_slice(piece);
            true
        };
        memory.view().write_snapshot(&mut take).unwrap();
        bytes
    };
    let mut whole = new();
    fill(&mut whole.view());
    for ready in [30, 31] {
        let mut book = whole.view();
        let booked = book.reserve(&ask(ready, 5, 1), Policy::FirstFit, Commitment::Confirmed);
        if ready == 30 {
            book.cancel(booked.unwrap().handle).unwrap();
        }
    }
    for (name, damage) in damages {
        let mut damaged = whole.clone();
        damage(&mut damaged.view());
        assert!(damaged.view().check_invariants().is_err(), "{name}");
        let bytes = written(&mut damaged);
        assert_eq!(bytes, written(&mut whole), "{name}");
        let (mut read, mut rest) = (new(), &bytes[..]);
        let mut give = |piece: &mut [u8]| {
            piece.copy_from_slice(&rest[..piece.len()]);
            rest = &rest[piece.len()..];
            true
        };
        read.view().read_snapshot(&mut give).unwrap();
        assert_eq!(derived(&read.view()), derived(&whole.view()), "{name}");
    }
}

#[test]
fn rows_that_no_call_makes_are_noticed() {
    let window = Err(Violation::Window);
    let late = found(|book| book.ledger.rows[2].phase = Phase::RUNNING);
    assert_eq!(late, window, "it runs and has not started");
    let timed = found(|book| book.ledger.rows[2].note = 3);
    assert_eq!(timed, window, "confirmed, and with a time to live");
    let lasting = found(|book| book.ledger.rows[1].phase = Phase::HELD_TO_START);
    assert_eq!(lasting, window, "held to its start by its phase alone");
    let unknown = found(|book| {
        // A phase from damaged memory.
        book.ledger.rows[2].phase = Phase::from_number(77);
    });
    assert_eq!(unknown, window);
    let freezing = found(|book| book.ledger.rows[2].phase = Phase::FREEZING);
    assert_eq!(freezing, window, "to be fixed, and not flexible");
    let ruled = found(|book| book.ledger.rows[2].marks = super::terms::SHARE);
    assert_eq!(ruled, window, "with a rule, and not flexible");
    let whole = found(|book| {
        let row = &mut book.ledger.rows[2];
        (row.marks, row.note) = (super::terms::FLEXIBLE | super::terms::SHARE, 1_001);
    });
    assert_eq!(whole, window, "fixed after more than the whole of its wait");
    let due = found(|book| {
        let row = &mut book.ledger.rows[2];
        (row.marks, row.note) = (super::terms::FLEXIBLE | super::terms::LEAD, 3);
    });
    assert_eq!(
        due, window,
        "to be fixed before its start, and in no phase for that"
    );
    let running = found(|book| book.ledger.rows[0].marks = super::terms::FLEXIBLE);
    assert_eq!(running, window, "flexible, and it runs");
    let passed = found(|book| book.ledger.rows[2].lead = Span::new(u32::MAX));
    assert_eq!(passed, window, "beyond its own deadline");
    let marked = found(|book| book.ledger.rows[2].marks = super::mark::LIFTED);
    assert_eq!(marked, window, "marked outside of a transaction");
    let rows = Err(Violation::Rows);
    let unborn = found(|book| book.ledger.rows[3].accepted = 4);
    assert_eq!(unborn, rows, "accepted beyond the counter");
    let longer = found(|book| book.ledger.state.longest = Span::new(29));
    assert_eq!(longer, rows, "longer than the longest");
    let retired = found(|book| book.ledger.state.retired = 1);
    assert_eq!(retired, rows, "retired without a row");
}

#[test]
fn rubbish_among_the_timers_is_noticed() {
    let timer = Err(Violation::Timer);
    let behind = found(|book| book.ledger.timers[5] = Timer { due: 0, row: 1 });
    assert_eq!(behind, timer, "behind the end of the heap");
    let due = found(|book| book.ledger.timers[0].due += 1);
    assert_eq!(due, timer, "due at another time than its row says");
    let many = found(|book| book.ledger.state.live = 7);
    assert_eq!(many, Err(Violation::Rows), "more timers than rows");
}

#[test]
fn a_set_left_in_a_vacant_row_is_noticed() {
    let mut memory = PeBook::<u32, 1, 1, 2>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    let booking = book
        .reserve(&ask(5, 5, 3), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    book.cancel(booking.handle).unwrap();
    assert_eq!(book.check_invariants(), Ok(()));
    book.ring.sets[0] = 1;
    assert_eq!(book.check_invariants(), Err(Violation::Rows));
}

#[test]
fn rows_are_used_in_turn_and_no_handle_repeats() {
    let mut memory = CountBook::<1, 8, 6>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    let handles: Vec<Handle> = (0..1_000)
        .map(|_| {
            let booking = book
                .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
                .unwrap();
            book.cancel(booking.handle).unwrap();
            booking.handle
        })
        .collect();
    let different: BTreeSet<u64> = handles.iter().map(|handle| handle.to_bits()).collect();
    assert_eq!(different.len(), 1_000);
    // With last in, first out, one row would be used a thousand times.
    let most = handles.iter().map(|handle| handle.generation).max();
    assert_eq!(most, Some(1_000_u32.div_ceil(6)));
    for handle in handles {
        assert_eq!(book.get(handle), Err(UsageError::StaleHandle.into()));
    }
    // Rows are reused in the order in which they became vacant.
    let three = [(); 3].map(|()| {
        book.reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
            .handle
    });
    for index in [1, 0, 2] {
        book.cancel(three[index]).unwrap();
    }
    let rest = [(); 3].map(|()| {
        book.reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
            .handle
    });
    let again = book
        .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
        .unwrap()
        .handle;
    assert!(
        !rest
            .iter()
            .any(|handle| three.iter().any(|old| old.row == handle.row))
    );
    assert_eq!(again.row, three[1].row);
}

#[test]
fn a_row_whose_generations_are_used_up_is_retired() {
    let mut memory = CountBook::<1, 8, 2>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    for _ in 0..2 {
        let booking = book
            .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
        book.cancel(booking.handle).unwrap();
    }
    book.ledger.rows[0].generation = u32::MAX - 1;
    let last = book
        .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
        .unwrap()
        .handle;
    assert_eq!((last.row, last.generation), (0, u32::MAX));
    assert_eq!(book.retired(), 0);
    book.cancel(last).unwrap();
    assert_eq!((book.retired(), book.check_invariants()), (1, Ok(())));
    assert_eq!(book.get(last), Err(UsageError::StaleHandle.into()));
    // Only the other row is used from now on.
    for generation in 2..5 {
        let handle = book
            .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
            .handle;
        assert_eq!((handle.row, handle.generation), (1, generation));
        let full = book.reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed);
        assert_eq!(full, Err(Refusal::TableFull.into()));
        book.cancel(handle).unwrap();
        assert_eq!(book.check_invariants(), Ok(()));
    }
    // Until its generations are used up, too.
    book.ledger.rows[1].generation = u32::MAX - 1;
    let last = book
        .reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed)
        .unwrap()
        .handle;
    book.cancel(last).unwrap();
    assert_eq!((book.retired(), book.check_invariants()), (2, Ok(())));
    let full = book.reserve(&ask(5, 5, 1), Policy::FirstFit, Commitment::Confirmed);
    assert_eq!(full, Err(Refusal::TableFull.into()));
}

/// Due times are compared by the low halves of slot numbers, which wrap around.
#[test]
fn timers_are_in_order_where_the_low_half_of_time_begins_anew() {
    let mut memory = CountBook::<1, 8, 6>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    let edge = 1 << 32;
    assert_eq!(book.next(Slot::new(edge - 10)), Ok(None));
    let starts = [edge + 7, edge - 3, edge, edge - 1, edge + 20];
    for start in starts {
        let request = Request {
            ready: Slot::new(start),
            duration: Span::new(2),
            deadline: Slot::new(start + 2),
            pes: PeCount::new(2),
        };
        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
        assert_eq!(book.check_invariants(), Ok(()));
    }
    let mut seen = vec![];
    while let Some(next) = book.next_event() {
        let event = book.next(next).unwrap().unwrap();
        assert_eq!(event.at, next);
        seen.push(event.at.get());
    }
    assert!(seen.is_sorted());
    assert_eq!(seen.len(), 10, "five starts and five ends");
}

/// Heap entries without a row, and rows that are in no list, end a loop instead of repeating it forever.
#[test]
fn loops_over_damaged_memory_end() {
    let mut memory = CountBook::<1, 8, 6>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    for ready in [10, 11, 12] {
        book.reserve(&ask(ready, 5, 1), Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
    }
    let mut events = heapless::Vec::<Event, 64>::new();
    book.ledger.rows.fill(Row::VACANT);
    // Each event removes a timer, or starts a job whose end is another event. This bypasses the checks of the whole
    // book, which find the damage.
    let mut writer = book.writer();
    let _ = writer.advance(Slot::new(63), &mut events);
    assert!(events.len() <= 6, "two for each timer: {}", events.len());
    writer.ledger.state.live = u32::MAX;
    let _ = writer.advance(Slot::new(200), &mut events);
    assert_eq!(book.now(), Slot::new(200));
}

/// Regression test: a queue reported forever that an event was waiting, namely the start of a job for which there was
/// no row.
#[test]
fn a_queue_over_damaged_memory_ends() {
    let mut memory = CountBook::<1, 8, 2>::new(PeCount::new(8), Span::new(64)).unwrap();
    let mut book = memory.view();
    let mut waiting = JobQueue::<2>::new(Discipline::Fcfs);
    let mut queue = waiting.view();
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(1),
    };
    queue.submit(&mut book, &job).unwrap();
    (book.ledger.state.fresh, book.ledger.state.vacant) = (2, 99);
    let mut events = heapless::Vec::<Event, 4>::new();
    let advanced = queue.advance(&mut book, Slot::new(9), &mut events);
    assert_eq!(advanced, Ok(Advanced::Done));
    assert_eq!((events.len(), queue.len()), (0, 1));
}
