//! Which sizes there can be, what memory they take, and what is said of others.

use bookahead::{
    CountBook, Discipline, JobQueue, PeBook, PeCount, Span,
    raw::{Column, NativeScan, count_book_bytes, pe_book_bytes, queue_bytes},
};
use bookahead_heap::{
    Binding, BoxedBook, BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn, SizeError, Sizes,
};

const MOST_ROWS: usize = u32::MAX as usize - 1;

fn sizes(pes: u32, slots: u32, reservations: usize) -> Sizes {
    Sizes {
        pes,
        slots,
        reservations,
    }
}

#[test]
fn memory_is_what_the_kernel_lays_out() {
    assert_eq!(
        BoxedCountBook::bytes(sizes(7, 200, 5)),
        CountBook::<4, 7, 5>::BYTES
    );
    assert_eq!(
        BoxedPeBook::<u32>::bytes(sizes(33, 200, 3)),
        PeBook::<u32, 4, 2, 3>::BYTES
    );
    assert_eq!(
        BoxedPeBook::<HostColumn>::bytes(sizes(1_024, 64, 9)),
        PeBook::<HostColumn, 1, 2, 9>::BYTES
    );
    assert_eq!(BoxedJobQueue::bytes(16), JobQueue::<16>::BYTES);
}

fn early_in_exactly<C: Column>(numbered: u16, slots: u32, rows: usize) {
    let pes = numbered.into();
    let bytes = pe_book_bytes::<C, NativeScan>(slots, numbered, rows);
    assert_eq!(BoxedPeBook::<C>::bytes(sizes(pes, slots, rows)), bytes);
    let mut memory = BoxedPeBook::<C>::new_within(bytes, sizes(pes, slots, rows)).unwrap();
    let book = memory.view();
    assert_eq!((book.pes().get(), book.horizon().get()), (pes, slots));
    assert_eq!(book.capacity(), rows);
    let refused = BoxedPeBook::<C>::new_within(bytes - 1, sizes(pes, slots, rows));
    let most = bytes - 1;
    assert_eq!(
        refused.unwrap_err(),
        SizeError::TooMuchMemory { bytes, most }
    );
}

/// That the arrays take these bytes is asserted by the constructors.
#[test]
fn books_of_all_sizes_fit_in_what_the_formula_says_and_not_in_less() {
    for (numbered, slots, rows) in [
        (1, 1, 0),
        (4, 64, 1),
        (33, 65, 7),
        (512, 640, 3),
        (513, 100, 20),
        (u16::MAX, 3, 2),
    ] {
        early_in_exactly::<u32>(numbered, slots, rows);
        early_in_exactly::<HostColumn>(numbered, slots, rows);
        let pes = numbered.into();
        let bytes = count_book_bytes::<NativeScan>(slots, numbered, rows);
        assert_eq!(BoxedCountBook::bytes(sizes(pes, slots, rows)), bytes);
        let mut memory = BoxedCountBook::new_within(bytes, sizes(pes, slots, rows)).unwrap();
        let book = memory.view();
        assert_eq!((book.pes().get(), book.horizon().get()), (pes, slots));
        assert_eq!(book.capacity(), rows);
        let most = bytes - 1;
        assert_eq!(
            BoxedCountBook::new_within(most, sizes(pes, slots, rows)).unwrap_err(),
            SizeError::TooMuchMemory { bytes, most }
        );
    }
}

#[test]
fn queues_fit_in_what_the_formula_says_and_not_in_less() {
    for jobs in [0, 1, 100] {
        for discipline in [Discipline::Fcfs, Discipline::Easy] {
            let bytes = queue_bytes(jobs);
            let mut memory = BoxedJobQueue::new_within(bytes, discipline, jobs).unwrap();
            let queue = memory.view();
            assert_eq!((queue.capacity(), queue.discipline()), (jobs, discipline));
            let most = bytes - 1;
            assert_eq!(
                BoxedJobQueue::new_within(most, discipline, jobs).unwrap_err(),
                SizeError::TooMuchMemory { bytes, most }
            );
        }
    }
}

#[test]
fn a_book_of_either_binding_takes_the_memory_of_its_kind() {
    for pes in [1, 128, 129, 1_024] {
        for binding in Binding::ALL {
            let bytes = BoxedBook::bytes(binding, sizes(pes, 100, 10));
            assert!(BoxedBook::new_within(bytes, binding, sizes(pes, 100, 10)).is_ok());
            assert!(BoxedBook::new_within(bytes - 1, binding, sizes(pes, 100, 10)).is_err());
            assert_eq!(Binding::from_name(binding.name()), Some(binding));
        }
    }
    assert_eq!(Binding::from_name("soon"), None);
}

#[test]
fn sizes_that_no_book_can_have_are_named() {
    for binding in Binding::ALL {
        let error =
            |pes, slots, rows| BoxedBook::new(binding, sizes(pes, slots, rows)).unwrap_err();
        assert_eq!(error(0, 0, usize::MAX), SizeError::NoPes);
        assert_eq!(error(1, 0, usize::MAX), SizeError::NoSlots);
        let (asked, most) = (MOST_ROWS + 1, MOST_ROWS);
        assert_eq!(
            error(1, 1, asked),
            SizeError::TooManyReservations { asked, most }
        );
        // That many reservations are allowed as such, but not within a limit.
        let bytes = BoxedBook::bytes(binding, sizes(1, 1, MOST_ROWS));
        assert_eq!(
            BoxedBook::new_within(9, binding, sizes(1, 1, MOST_ROWS)).unwrap_err(),
            SizeError::TooMuchMemory { bytes, most: 9 }
        );
    }
    let (asked, most) = (MOST_ROWS + 1, MOST_ROWS);
    assert_eq!(
        BoxedJobQueue::new(Discipline::Easy, asked).unwrap_err(),
        SizeError::TooManyJobs { asked, most }
    );
}

#[test]
fn messages_say_what_is_allowed() {
    for (error, message) in [
        (SizeError::NoPes, "0 PEs: expected at least 1"),
        (
            SizeError::TooManyPes {
                asked: 65_536,
                most: 65_535,
            },
            "65536 PEs: expected at most 65535",
        ),
        (SizeError::NoSlots, "0 slots: expected 1 to 4294967295"),
        (
            SizeError::TooManyReservations { asked: 9, most: 8 },
            "9 reservations: expected at most 8",
        ),
        (
            SizeError::TooManyJobs { asked: 9, most: 8 },
            "9 waiting jobs: expected at most 8",
        ),
        (
            SizeError::TooMuchMemory { bytes: 9, most: 8 },
            "9 bytes of memory are needed, allowed are 8",
        ),
        (
            SizeError::OutOfMemory { bytes: 9 },
            "9 bytes of memory are needed, and the allocator does not have them",
        ),
    ] {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn books_are_equal_whatever_is_in_their_scratch_memory() {
    let mut one = BoxedPeBook::<u32>::new(sizes(40, 100, 8)).unwrap();
    let other = one.clone();
    let parts = one.parts();
    parts.suffixes.fill(7);
    parts.prefix.fill(7);
    parts.joined.fill(7);
    assert_eq!(one, other);
    one.parts().sets[0] = 7;
    assert_ne!(one, other);
}

#[test]
fn a_clone_is_a_book_of_its_own() {
    let mut one = BoxedCountBook::new(sizes(4, 100, 8)).unwrap();
    let other = one.clone();
    assert!(one.parts().init(PeCount::new(3), Span::new(90)).is_ok());
    assert_ne!(one, other);
    assert!(one.parts().init(PeCount::new(4), Span::new(100)).is_ok());
    assert_eq!(one, other);
}
