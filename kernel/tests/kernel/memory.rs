//! Memory: the published formula, statics, and books on the heap.

use std::sync::Mutex;

use bookahead::{
    Book, Commitment, CountBook, Event, PeBook, PeCount, Policy, Refusal, Request, Slot, Span,
    raw::{CountParts, NativeScan, Ring, Scan, count_book_bytes, pe_book_bytes},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};

#[test]
fn the_formula_is_what_the_compiler_lays_out() {
    assert_eq!(
        count_book_bytes::<NativeScan>(64, 1, 1),
        CountBook::<1, 1, 1>::BYTES
    );
    assert_eq!(
        count_book_bytes::<NativeScan>(200, 7, 5),
        CountBook::<4, 7, 5>::BYTES
    );
    assert_eq!(
        count_book_bytes::<NativeScan>(256, 32, 32),
        CountBook::<4, 32, 32>::BYTES
    );
    assert_eq!(
        count_book_bytes::<NativeScan>(2048, 1024, 600),
        CountBook::<32, 1024, 600>::BYTES
    );
    assert_eq!(
        pe_book_bytes::<u32, NativeScan>(64, 1, 1),
        PeBook::<u32, 1, 1, 1>::BYTES
    );
    assert_eq!(
        pe_book_bytes::<u32, NativeScan>(200, 33, 3),
        PeBook::<u32, 4, 2, 3>::BYTES
    );
    assert_eq!(
        pe_book_bytes::<u32, NativeScan>(256, 128, 32),
        PeBook::<u32, 4, 4, 32>::BYTES
    );
    type Host = [u64; 8];
    assert_eq!(
        pe_book_bytes::<Host, NativeScan>(64, 512, 9),
        PeBook::<Host, 1, 1, 9>::BYTES
    );
    assert_eq!(
        pe_book_bytes::<Host, NativeScan>(2048, 1024, 600),
        PeBook::<Host, 32, 2, 600>::BYTES
    );
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(5), Span::new(64)).is_err());
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(65)).is_err());
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(0), Span::new(64)).is_err());
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(0)).is_err());
    assert!(PeBook::<u32, 1, 1, 8>::new(PeCount::new(33), Span::new(64)).is_err());
    assert!(PeBook::<u32, 1, 1, 8>::new(PeCount::new(32), Span::new(65)).is_err());
}

static COUNT_BOOK: Mutex<CountBook<2, 6, 12>> =
    Mutex::new(match CountBook::new(PeCount::new(6), Span::new(100)) {
        Ok(book) => book,
        Err(_) => panic!(),
    });
static PE_BOOK: Mutex<PeBook<u32, 2, 1, 12>> =
    Mutex::new(match PeBook::new(PeCount::new(6), Span::new(100)) {
        Ok(book) => book,
        Err(_) => panic!(),
    });

/// Everything that can be seen of a book, after each of a few hundred calls.
fn history<R: Ring>(book: &mut Book<'_, R>) -> Vec<String> {
    let mut seen = Vec::new();
    let mut handles = Vec::new();
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |limit: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % limit
    };
    for step in 0..400 {
        let now = book.now().get();
        let request = Request {
            ready: Slot::new(now + below(50)),
            duration: Span::new(1 + below(20) as u32),
            deadline: Slot::new(now + 30 + below(70)),
            pes: PeCount::new((1 + below(6) as u16).into()),
        };
        let policy = Policy::ALL[step % 7];
        match below(6) {
            0..3 => {
                let booking = book.reserve(&request, policy, Commitment::Confirmed);
                handles.extend(booking.map(|booking| booking.handle));
                seen.push(format!("{booking:?}"));
            }
            3 => {
                let booking =
                    book.reserve(&request, policy, Commitment::Held { ttl: Span::new(9) });
                seen.push(format!("{booking:?}"));
            }
            4 if !handles.is_empty() => {
                let handle = handles[below(handles.len() as u64) as usize];
                seen.push(format!("{:?}", book.cancel(handle)));
            }
            _ => {
                let mut events = heapless::Vec::<Event, 3>::new();
                let advanced = book.advance(Slot::new(now + below(9)), &mut events);
                seen.push(format!("{advanced:?} {events:?}"));
            }
        }
        seen.push(format!("{:?}", book.iter().collect::<Vec<_>>()));
        seen.push(format!("{:?}", book.records().collect::<Vec<_>>()));
        assert_eq!(book.check_invariants(), Ok(()));
    }
    seen
}

#[test]
fn a_static_book_and_a_larger_one_on_the_heap_agree() {
    // More storage and processing elements' owners than needed: the answers must not depend on it.
    let (rows, slots, more) = (12, 100, 300);
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 9,
        slots: more,
        reservations: rows,
    })
    .unwrap();
    let heap = history(
        &mut memory
            .parts()
            .init(PeCount::new(6), Span::new(slots))
            .unwrap(),
    );
    assert_eq!(heap, history(&mut COUNT_BOOK.lock().unwrap().view()));

    let mut memory = BoxedPeBook::<HostColumn>::new(Sizes {
        pes: 9,
        slots: more,
        reservations: rows,
    })
    .unwrap();
    let heap = history(
        &mut memory
            .parts()
            .init(PeCount::new(6), Span::new(slots))
            .unwrap(),
    );
    assert_eq!(heap, history(&mut PE_BOOK.lock().unwrap().view()));
}

#[test]
fn memory_that_does_not_fit_together_is_no_book() {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 4,
        slots: 64,
        reservations: 4,
    })
    .unwrap();
    let mut parts = |starts: usize, owner: usize, pes: u16, slots: u32| {
        let parts = memory.parts();
        let parts = CountParts {
            starts: &mut parts.starts[..starts],
            owner: &mut parts.owner[..owner],
            ..parts
        };
        parts
            .init(PeCount::new(pes.into()), Span::new(slots))
            .is_ok()
    };
    assert!(parts(64, 4, 4, 64));
    assert!(!parts(63, 4, 4, 64), "a start list short");
    assert!(!parts(64, 3, 4, 64), "a processing element short");
    assert!(!parts(64, 4, 4, 65), "a slot short");
    assert!(!parts(64, 4, 0, 64), "no processing element");
    assert!(!parts(64, 4, 4, 0), "no slot");
}

/// The first `blocks` blocks of the memory.
fn cut(memory: &mut BoxedCountBook, blocks: usize) -> CountParts<'_> {
    let parts = memory.parts();
    CountParts {
        starts: &mut parts.starts[..blocks * 64],
        busy: &mut parts.busy[..blocks * 64],
        summaries: &mut parts.summaries[..blocks * NativeScan::SUMMARIES],
        change: &mut parts.change[..blocks * 2],
        release: &mut parts.release[..blocks * 2],
        ..parts
    }
}

#[test]
fn a_book_opens_with_the_arrays_it_was_formatted_with_only() {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 4,
        slots: 190,
        reservations: 4,
    })
    .unwrap();
    let mut events = heapless::Vec::<Event, 4>::new();
    let mut book = memory.parts().init(PeCount::new(4), Span::new(60)).unwrap();
    let _ = book.advance(Slot::new(40), &mut events).unwrap();
    assert!(cut(&mut memory, 1).open().is_none());
    assert!(cut(&mut memory, 2).open().is_none());
    assert_eq!(cut(&mut memory, 3).open().unwrap().now(), Slot::new(40));
}

#[test]
fn a_format_that_does_not_fit_leaves_the_book_alone() {
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 4,
        slots: 190,
        reservations: 4,
    })
    .unwrap();
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(2),
        deadline: Slot::new(9),
        pes: PeCount::new(1),
    };
    memory
        .view()
        .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let before = memory.clone();
    for (pes, slots) in [(5, 64), (4, 193), (0, 64), (4, 0)] {
        assert!(
            memory
                .parts()
                .init(PeCount::new(pes), Span::new(slots))
                .is_err(),
            "{pes} PEs, {slots} slots"
        );
    }
    assert_eq!(memory, before);
}

const PES: u16 = u16::MAX;
// Too large for a test's stack.
static EARLY: Mutex<PeBook<[u64; 8], 1, 128, 2>> =
    Mutex::new(match PeBook::new(PeCount::new(PES as u32), Span::new(3)) {
        Ok(book) => book,
        Err(_) => panic!(),
    });
static LATE: Mutex<CountBook<1, { PES as usize }, 2>> = Mutex::new(
    match CountBook::new(PeCount::new(PES as u32), Span::new(3)) {
        Ok(book) => book,
        Err(_) => panic!(),
    },
);

#[test]
fn the_widest_machine_books_its_last_pe() {
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(2),
        deadline: Slot::new(2),
        pes: PeCount::new(PES.into()),
    };
    let (mut early, mut late) = (EARLY.lock().unwrap(), LATE.lock().unwrap());
    let mut events = heapless::Vec::<Event, 4>::new();
    let booking = early
        .view()
        .reserve(&request, Policy::PeWorstFit, Commitment::Confirmed)
        .unwrap();
    let book = early.view();
    assert_eq!(
        book.pes_of(booking.handle).unwrap().last(),
        Some(bookahead::Pe::new(PES - 1))
    );
    let booking = late
        .view()
        .reserve(&request, Policy::PeWorstFit, Commitment::Confirmed)
        .unwrap();
    let mut book = late.view();
    let _ = book.advance(Slot::new(0), &mut events).unwrap();
    assert_eq!(
        book.pes_of(booking.handle).unwrap().count(),
        usize::from(PES)
    );
    assert_eq!(book.check_invariants(), Ok(()));
}

#[test]
fn blank_memory_is_a_book_of_no_size_until_it_is_formatted() {
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(1),
        deadline: Slot::new(1),
        pes: PeCount::new(1),
    };
    let mut events = heapless::Vec::<Event, 4>::new();
    let mut late = CountBook::<1, 4, 2>::zeroed();
    let mut early = PeBook::<u32, 1, 1, 2>::zeroed();
    assert_eq!(
        late.view()
            .reserve(&request, Policy::FirstFit, Commitment::Confirmed),
        Err(Refusal::TooWide.into())
    );
    assert_eq!(
        early
            .view()
            .reserve(&request, Policy::PeBestFit, Commitment::Confirmed),
        Err(Refusal::TooWide.into())
    );
    for to in [0, 7, 300] {
        let _ = late.view().advance(Slot::new(to), &mut events).unwrap();
        let _ = early.view().advance(Slot::new(to), &mut events).unwrap();
        assert_eq!(late.view().check_invariants(), Ok(()));
        assert_eq!(early.view().check_invariants(), Ok(()));
    }
    assert!(events.is_empty());

    assert!(
        late.init(PeCount::new(5), Span::new(64)).is_err()
            && early.init(PeCount::new(33), Span::new(64)).is_err()
    );
    // Wherever it was, formatted memory is as new.
    assert!(
        late.init(PeCount::new(4), Span::new(64)).is_ok()
            && early.init(PeCount::new(4), Span::new(64)).is_ok()
    );
    assert_eq!(
        late,
        CountBook::new(PeCount::new(4), Span::new(64)).unwrap()
    );
    assert_eq!(early, PeBook::new(PeCount::new(4), Span::new(64)).unwrap());
    assert!(
        late.view()
            .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .is_ok()
    );
    assert!(
        early
            .view()
            .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .is_ok()
    );
}
