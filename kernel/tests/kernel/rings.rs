//! Rings without a ledger.

use bookahead::{
    Commitment, PeCount, Policy, Refusal, Request, Slot, Span, Window,
    raw::{CountRing, PeRing, Ring, find},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, Sizes};

const SLOTS: u32 = 60;

fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

fn whole_machine(ready: u64, deadline: u64) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(5),
        deadline: Slot::new(deadline),
        pes: PeCount::new(20),
    }
}

fn with_counts(test: impl FnOnce(&mut CountRing<'_>, &PeCount)) {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 20,
        slots: SLOTS,
        reservations: 0,
    })
    .unwrap();
    let mut ring = memory
        .parts()
        .init_ring(PeCount::new(20), Span::new(SLOTS))
        .unwrap();
    test(&mut ring, &PeCount::new(20));
}

fn with_sets(test: impl FnOnce(&mut PeRing<'_, u32>, &[u32])) {
    let mut memory = BoxedPeBook::new(Sizes {
        pes: 20,
        slots: SLOTS,
        reservations: 0,
    })
    .unwrap();
    let mut ring = memory
        .parts()
        .init_ring(PeCount::new(20), Span::new(SLOTS))
        .unwrap();
    test(&mut ring, &[(1 << 20) - 1]);
}

/// Where every policy would start.
fn starts<R: Ring>(ring: &mut R, request: &Request) -> Vec<Result<u64, bookahead::Error>> {
    let start = |policy| find(ring, request, policy).map(Slot::get);
    Policy::ALL.map(start).to_vec()
}

fn empty_windows_write_nothing<R: Ring>(ring: &mut R, all: &R::Pes) {
    for (start, end) in [(13, 13), (13, 10), (16, 16), (60, 60)] {
        ring.add(window(start, end), all).unwrap();
        ring.remove(window(start, end), all).unwrap();
        ring.add(window(start, end), all).unwrap();
    }
    assert_eq!(starts(ring, &whole_machine(0, 60)), vec![Ok(0); 7]);
}

#[test]
fn windows_of_no_slots_write_nothing() {
    with_counts(|ring, all| empty_windows_write_nothing(ring, all));
    with_sets(|ring, all| empty_windows_write_nothing(ring, all));
}

fn windows_lie_in_the_ring<R: Ring>(ring: &mut R, all: &R::Pes) {
    ring.advance(Slot::new(30));
    assert_eq!(ring.now(), Slot::new(30));
    // Covered now: [30, 90).
    let beyond = Err(Refusal::BeyondHorizon.into());
    assert_eq!(ring.add(window(80, 91), all), beyond);
    assert_eq!(ring.add(window(100, 200), all), beyond);
    assert_eq!(starts(ring, &whole_machine(30, 90)), vec![Ok(30); 7]);
    ring.add(window(80, 90), all).unwrap();
    // What has passed does not count.
    ring.add(window(0, 40), all).unwrap();
    assert_eq!(starts(ring, &whole_machine(30, 90)), vec![Ok(40); 7]);
    let late = whole_machine(78, 90);
    assert_eq!(starts(ring, &late), vec![Err(Refusal::NoRoom.into()); 7]);
    ring.remove(window(80, 90), all).unwrap();
    assert_eq!(starts(ring, &late), vec![Ok(78); 7]);
    // What has passed is cleared, and time does not go back.
    ring.advance(Slot::new(45));
    ring.advance(Slot::new(20));
    assert_eq!(starts(ring, &whole_machine(45, 105)), vec![Ok(45); 7]);
}

#[test]
fn windows_beyond_the_ring_are_refused() {
    with_counts(|ring, all| windows_lie_in_the_ring(ring, all));
    with_sets(|ring, all| windows_lie_in_the_ring(ring, all));
}

/// A window that reaches beyond the horizon was once cut when it was added, and, some time later, not cut when it was removed: so more
/// was taken out than had been written.
fn removing_takes_out_what_adding_wrote<R: Ring>(ring: &mut R, all: &R::Pes) {
    let beyond = Err(Refusal::BeyondHorizon.into());
    assert_eq!(ring.add(window(56, 76), all), beyond);
    ring.add(window(56, 60), all).unwrap();
    assert_eq!(ring.remove(window(56, 76), all), beyond);
    ring.advance(Slot::new(10));
    ring.remove(window(56, 60), all).unwrap();
    assert_eq!(starts(ring, &whole_machine(10, 70)), vec![Ok(10); 7]);
    assert_eq!(starts(ring, &whole_machine(60, 70)), vec![Ok(60); 7]);
}

#[test]
fn more_than_was_added_is_not_removed() {
    with_counts(|ring, all| removing_takes_out_what_adding_wrote(ring, all));
    with_sets(|ring, all| removing_takes_out_what_adding_wrote(ring, all));
}

#[test]
fn nothing_is_explained_to_fit_behind_the_last_start() {
    let mut memory = BoxedPeBook::<[u64; 8]>::new(Sizes {
        pes: 4,
        slots: 64,
        reservations: 2,
    })
    .unwrap();
    let mut book = memory.view();
    let one_slot = Request {
        ready: Slot::new(15),
        duration: Span::new(1),
        deadline: Slot::new(16),
        pes: PeCount::new(4),
    };
    book.reserve(&one_slot, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    // Every window of 49 slots that ends in the ring contains slot 15, the one behind them does not.
    let long = Request {
        ready: Slot::new(9),
        duration: Span::new(49),
        deadline: Slot::new(64),
        pes: PeCount::new(4),
    };
    assert_eq!(
        book.reserve(&long, Policy::FirstFit, Commitment::Confirmed)
            .unwrap_err(),
        Refusal::NoRoom.into()
    );
    let mut in_the_way = heapless::Vec::<_, 2>::new();
    let explained = book.explain(&long, &mut in_the_way).unwrap();
    assert_eq!((explained.fits, explained.later), (None, None));
}
