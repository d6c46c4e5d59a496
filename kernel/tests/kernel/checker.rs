//! The checker notices every kind of damage.

use bookahead::{
    Book, Commitment, Event, PeCount, Policy, Request, Slot, Span, Violation,
    raw::{CountParts, PeParts, Ring, Row},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, Sizes};

const PES: u32 = 6;
const SLOTS: u32 = 100;
const ROWS: usize = 8;

/// One running job, one held, two confirmed, and a row that has been given back.
fn fill<R: Ring>(mut book: Book<'_, R>) {
    let ask = |ready, duration, pes| Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(90),
        pes: PeCount::new(pes),
    };
    let mut events = heapless::Vec::<Event, 8>::new();
    book.reserve(&ask(0, 70, 2), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let _ = book.advance(Slot::new(0), &mut events).unwrap();
    book.reserve(&ask(3, 10, 3), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    book.reserve(&ask(3, 20, 1), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    book.reserve(
        &ask(5, 9, 4),
        Policy::FirstFit,
        Commitment::Held { ttl: Span::new(4) },
    )
    .unwrap();
    let gone = book
        .reserve(&ask(5, 4, 1), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    book.cancel(gone.handle).unwrap();
    assert_eq!(book.check_invariants(), Ok(()));
}

/// Late binding, in memory for more PEs than the machine has.
fn counts() -> BoxedCountBook {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 9,
        slots: SLOTS,
        reservations: ROWS,
    })
    .unwrap();
    fill(
        memory
            .parts()
            .init(PeCount::new(PES), Span::new(SLOTS))
            .unwrap(),
    );
    memory
}

fn check_counts(damage: impl FnOnce(CountParts<'_>)) -> Result<(), Violation> {
    let mut memory = counts();
    damage(memory.parts());
    memory.parts().open().unwrap().check_invariants()
}

fn check_sets(damage: impl FnOnce(PeParts<'_, u32>)) -> Result<(), Violation> {
    let mut memory = BoxedPeBook::new(Sizes {
        pes: PES,
        slots: SLOTS,
        reservations: ROWS,
    })
    .unwrap();
    fill(memory.view());
    damage(memory.parts());
    memory.parts().open().unwrap().check_invariants()
}

#[test]
fn damage_to_counts_is_noticed() {
    assert_eq!(check_counts(|_| ()), Ok(()));
    let occupancy = Err(Violation::Occupancy);
    assert_eq!(check_counts(|book| book.busy[4] += 1), occupancy);
    assert_eq!(
        check_counts(|book| book.busy[120] = 1),
        occupancy,
        "beyond the horizon"
    );
    let summary = Err(Violation::Summary);
    assert_eq!(check_counts(|book| book.summaries[1] += 1), summary);
    let edge = Err(Violation::Edge);
    assert_eq!(check_counts(|book| book.change[0] ^= 1 << 4), edge);
    assert_eq!(check_counts(|book| book.release[3] ^= 1 << 18), edge);
    let binding = Err(Violation::Binding);
    assert_eq!(check_counts(|book| book.owner[0] = 0), binding);
    assert_eq!(
        check_counts(|book| book.owner[3] = 2),
        binding,
        "before its start"
    );
    assert_eq!(
        check_counts(|book| book.owner[8] = 1),
        binding,
        "beyond the machine"
    );
}

#[test]
fn damage_to_sets_is_noticed() {
    assert_eq!(check_sets(|_| ()), Ok(()));
    let occupancy = Err(Violation::Occupancy);
    assert_eq!(check_sets(|book| book.busy[4] ^= 1), occupancy);
    assert_eq!(check_sets(|book| book.busy[4] |= 1 << 20), occupancy);
    let summary = Err(Violation::Summary);
    assert_eq!(check_sets(|book| book.any[15] = 1), summary);
    assert_eq!(check_sets(|book| book.counts[4] += 1), summary);
    assert_eq!(check_sets(|book| book.summaries[1] += 1), summary);
    let edge = Err(Violation::Edge);
    assert_eq!(check_sets(|book| book.change[0] ^= 1 << 4), edge);
    assert_eq!(check_sets(|book| book.release[3] ^= 1 << 18), edge);
    let binding = Err(Violation::Binding);
    assert_eq!(check_sets(|book| book.sets[1] = 1), binding, "too few");
    assert_eq!(
        check_sets(|book| book.sets[1] = 0b111),
        occupancy,
        "somebody else's"
    );
}

#[test]
fn damage_to_the_ledger_is_noticed() {
    let list = Err(Violation::List);
    assert_eq!(check_counts(|book| book.starts[3] = 0), list, "lost");
    assert_eq!(
        check_counts(|book| book.starts.swap(3, 90)),
        list,
        "misplaced"
    );
    let timer = Err(Violation::Timer);
    assert_eq!(check_counts(|book| book.timers.swap(0, 1)), timer);
    let rows = Err(Violation::Rows);
    assert_eq!(check_counts(|book| book.rows[7] = book.rows[4]), rows);
    assert_eq!(
        check_counts(|book| book.rows[2] = Row::VACANT),
        Err(Violation::Occupancy)
    );
    assert_eq!(
        check_counts(|book| book.rows[4] = Row::VACANT),
        rows,
        "given back, and as if never used"
    );
}

/// Two rows of two, both given back.
#[test]
fn damage_to_the_list_of_vacant_rows_is_noticed() {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: PES,
        slots: SLOTS,
        reservations: 2,
    })
    .unwrap();
    let mut book = memory.view();
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(5),
        deadline: Slot::new(20),
        pes: PeCount::new(1),
    };
    let bookings = [(); 2].map(|()| {
        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .unwrap()
    });
    for booking in bookings {
        book.cancel(booking.handle).unwrap();
    }
    assert_eq!(book.check_invariants(), Ok(()));
    // The second is the head of the list and names the first, which now names itself.
    let rows = memory.parts().rows;
    rows[0] = rows[1];
    let verdict = memory.parts().open().unwrap().check_invariants();
    assert_eq!(verdict, Err(Violation::Rows));
}

#[test]
fn a_time_gone_by_is_noticed() {
    // The scalars of a book whose `now` is later, over the rows of one whose is not.
    let mut later = counts();
    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = later
        .parts()
        .open()
        .unwrap()
        .advance(Slot::new(8), &mut events)
        .unwrap();
    let state = *later.parts().state;
    let verdict = check_counts(|book| *book.state = state);
    assert_eq!(verdict, Err(Violation::Window));
}
