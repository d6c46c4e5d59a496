//! Bytes that somebody says are a snapshot of a book or a record of what has changed in one, or in its queue: they are refused, or book and queue are sound and go on.
//!
//! The first byte chooses among books on counts, on sets, on nodes and with overlays, a queue and the schedule of one, and between a snapshot and a record. A snapshot gets its right sum here: no
//! fuzzer finds that.
#![no_main]

use bookahead::{
    BestEffortJob, Class, Commitment, Discipline, Event, Layout, PeCount, Policy, Request, Shape,
    Slot, SnapshotError, Span,
};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, LeadsQueue,
    PlacedSizes, Sizes, Survives,
};
use libfuzzer_sys::fuzz_target;

const SLOTS: u32 = 70;
const ROWS: usize = 6;

fn sizes() -> Sizes {
    Sizes {
        pes: 12,
        slots: SLOTS,
        reservations: ROWS,
    }
}

fn nodes() -> BoxedPlacedBook<u32> {
    let layout = Layout {
        groups: 4,
        kinds: &[2, 1],
        missing: &[],
        levels: &[2],
    };
    let sizes = PlacedSizes {
        slots: SLOTS,
        reservations: ROWS,
        classes: 3,
        order: 4,
    };
    BoxedPlacedBook::new(&layout, sizes).expect("it is small")
}

fn request(number: u64) -> Request {
    Request {
        ready: Slot::new(number * 3),
        duration: Span::new(4 + number as u32),
        deadline: Slot::new(number * 3 + 30),
        pes: PeCount::new(3),
    }
}

/// What is done with a book of either kind: some live, one runs, one has gone, and a class is there where there are classes. Then the bytes are read.
macro_rules! attack {
    ($new:expr, $bytes:expr, $is_record:expr, |$first:ident| $begin:block) => {{
        let mut memory = $new;
        if $is_record {
            let $first = &mut memory.view();
            $begin
            let mut handles = Vec::new();
            for number in 0..5 {
                let commitment = match number {
                    3 => Commitment::Held { ttl: Span::new(9) },
                    _ => Commitment::Confirmed,
                };
                let booked = $first.reserve(&request(number), Policy::FirstFit, commitment);
                handles.extend(booked.map(|booking| booking.handle));
            }
            $first.cancel(handles[1]).expect("it lives");
            let mut events = heapless::Vec::<Event, 8>::new();
            let _ = $first.advance(Slot::new(5), &mut events);
        }
        let before = memory.state_hash();
        let read = match $is_record {
            true => memory.apply_record($bytes),
            false => memory.read_snapshot($bytes),
        };
        let mut book = memory.view();
        assert_eq!(book.check_invariants(), Ok(()), "{read:?}");
        match read {
            Ok(()) => {}
            // Bytes behind what was read are found behind it.
            Err(SnapshotError::OtherBook | SnapshotError::Stopped) => {}
            Err(SnapshotError::Damaged(_) | SnapshotError::WrongSum) => {
                assert!(book.is_empty() && book.now() == Slot::new(0));
            }
            Err(_) => assert_eq!(book.state_hash(), before),
        }
        for number in 0..4 {
            let _ = book.reserve(&request(number), Policy::PeBestFit, Commitment::Confirmed);
        }
        let mut events = heapless::Vec::<Event, 16>::new();
        let to = book.now().saturating_add(Span::new(40)).min(Slot::LAST_NOW);
        let _ = book.advance(to, &mut events);
    }};
}

/// What is done with a queue: two jobs and a request wait. Then the bytes are read.
fn attack_queue(bytes: &[u8], is_record: bool) {
    let mut memory = BoxedCountBook::new(sizes()).expect("it is small");
    let queue = BoxedJobQueue::new(Discipline::Easy, 4).and_then(|queue| queue.with_requests(3));
    let mut queue = queue.expect("it is small");
    let mut view = queue.view();
    for number in 0..3 {
        let book = &mut memory.view();
        let _ = book.reserve(&request(number), Policy::FirstFit, Commitment::Confirmed);
        if is_record {
            let job = BestEffortJob {
                estimate: Span::new(9),
                pes: PeCount::new(4 + number as u32),
            };
            let _ = view.submit(book, &job);
            let (policy, commitment) = (Policy::PeBestFit, Commitment::Confirmed);
            let _ = view.wait(
                book,
                &request(number + 7),
                policy,
                commitment,
                number as u32,
            );
        }
    }
    let before = view.state_hash();
    let read = match is_record {
        true => memory.apply_to_queue(&mut view, bytes),
        false => memory.read_queue(&mut view, bytes),
    };
    let mut book = memory.view();
    assert_eq!(view.check_invariants(&mut book), Ok(()), "{read:?}");
    let empty = view.is_empty() && view.waiting_requests().next().is_none();
    // Bytes behind what was read are found behind it.
    let known = matches!(read, Ok(()) | Err(SnapshotError::OtherBook));
    assert!(known || empty || view.state_hash() == before, "{read:?}");
    view.set_incarnation(0);
    let mut events = heapless::Vec::<Event, 16>::new();
    let _ = view.advance(&mut book, Slot::new(40), &mut events);
    assert_eq!(view.check_invariants(&mut book), Ok(()));
}

/// What is done with the schedule of a queue: the bytes stand behind those of a queue in which two jobs wait beside what is booked.
fn attack_schedule(bytes: &[u8]) {
    let new = || BoxedPeBook::<u32>::new(sizes()).expect("it is small");
    let planned = || BoxedJobQueue::new(Discipline::Conservative, 4);
    let mut memory = new();
    let mut jobs = planned().expect("it is small");
    let (mut book, mut queue) = (memory.view(), jobs.view());
    for number in 0..2 {
        let _ = book.reserve(&request(number), Policy::FirstFit, Commitment::Confirmed);
        let job = BestEffortJob {
            estimate: Span::new(9),
            pes: PeCount::new(4 + number as u32),
        };
        let _ = queue.submit(&mut book, &job);
    }
    let mut file = Vec::new();
    let written = queue.write_snapshot(&mut |piece| {
        file.extend_from_slice(piece);
        true
    });
    assert_eq!(written, Ok(()));
    file.extend_from_slice(bytes);
    let jobs = planned().and_then(BoxedJobQueue::with_schedule);
    let (mut jobs, mut second) = (jobs.expect("it is small"), new());
    let mut queue = jobs.planned(second.view());
    let mut rest = &file[..];
    let read = queue.read_snapshot(&book, &mut |piece| {
        let Some((read, behind)) = rest.split_at_checked(piece.len()) else {
            return false;
        };
        piece.copy_from_slice(read);
        rest = behind;
        true
    });
    assert_eq!(queue.check_invariants(&mut book), Ok(()), "{read:?}");
    assert!(read.is_ok() || queue.queue().is_empty() && queue.starts().next().is_none());
    queue.queue_mut().set_incarnation(0);
    for to in [0, 20, 40] {
        let mut events = heapless::Vec::<Event, 16>::new();
        let _ = queue.advance(&mut book, Slot::new(to), &mut events);
        assert_eq!(queue.check_invariants(&mut book), Ok(()));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else {
        return;
    };
    let is_record = choice & 1 == 1;
    let mut bytes = bytes.to_vec();
    if !is_record {
        let sum = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
        });
        bytes.extend(sum.to_le_bytes());
    }
    match choice >> 3 & 3 {
        0 | 2 => {}
        3 if !is_record => return attack_schedule(&bytes),
        _ => return attack_queue(&bytes, is_record),
    }
    match choice >> 1 & 3 {
        0 => {
            let new = BoxedCountBook::new(sizes()).expect("it is small");
            attack!(new, &bytes, is_record, |_first| {});
        }
        1 => {
            let new = BoxedPeBook::<u32>::new(sizes()).expect("it is small");
            attack!(new, &bytes, is_record, |_first| {});
        }
        3 => {
            let new = BoxedOverlayBook::new(sizes()).expect("it is small");
            attack!(new, &bytes, is_record, |_first| {});
        }
        _ => attack!(nodes(), &bytes, is_record, |first| {
            let whole = Class {
                shape: Shape::WholeGroups,
                ..Class::ANY
            };
            let class = first.class_add(&whole).expect("there is room");
            let asked = (class, &request(6));
            let _ = first.reserve(asked, Policy::FirstFit, Commitment::Confirmed);
        }),
    }
});
