//! Processing elements that leave for a while, and come back.
#![cfg(all(feature = "outages", feature = "placement"))]

use bookahead::{
    Broken, Class, Commitment, Conflict, Error, Event, EventKind, Handle, Layout, Outage, Pe,
    PeCount, PeWorkspace, PlacedBook, PlacedView, Policy, Refusal, Request, Reservation, Shape,
    Slot, Span, UsageError, Window,
};

type Memory = PlacedBook<u32, 1, 1, 12, 2, 0>;

/// Four nodes of two: node `n` has the numbers `2 n` and `2 n + 1`.
const NODES: Layout<'_> = Layout {
    groups: 4,
    kinds: &[2],
    missing: &[],
    levels: &[],
};

const fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

fn request(window: Window, duration: u32, pes: u32) -> Request {
    Request {
        ready: window.start,
        duration: Span::new(duration),
        deadline: window.end,
        pes: PeCount::new(pes),
    }
}

fn reserve(book: &mut PlacedView<'_, u32>, window: Window, duration: u32, pes: u32) -> Handle {
    let request = request(window, duration, pes);
    let made = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    made.unwrap().handle
}

fn advance(book: &mut PlacedView<'_, u32>, to: u64) -> Vec<(EventKind, Handle)> {
    let mut events = heapless::Vec::<Event, 16>::new();
    let _ = book.advance(Slot::new(to), &mut events).unwrap();
    events.iter().map(|told| (told.kind, told.handle)).collect()
}

fn pes_of(book: &PlacedView<'_, u32>, handle: Handle) -> Vec<u16> {
    book.pes_of(handle).unwrap().map(Pe::get).collect()
}

/// Takes a set out of service, and returns the parts and whose promise is broken.
fn take_out(
    book: &mut PlacedView<'_, u32>,
    outage: Outage,
    set: u32,
) -> Result<(Vec<Handle>, Vec<Broken>), Error> {
    let mut workspace = PeWorkspace::<u32, 1, 16, 0>::new();
    let (mut parts, mut broken) = (
        heapless::Vec::<_, 8>::new(),
        heapless::Vec::<Broken, 8>::new(),
    );
    let mut transaction = book.transaction(workspace.view(), 10_000);
    transaction.take_out(outage, &[set], &mut parts, &mut broken)?;
    transaction.commit()?;
    book.check_invariants().unwrap();
    Ok((parts.to_vec(), broken.to_vec()))
}

#[test]
fn maintenance_waits_for_what_runs_and_a_failure_does_not() {
    for breaks in [false, true] {
        let mut memory = Memory::zeroed();
        let mut book = memory.init(&NODES, Span::new(48)).unwrap();
        let long = reserve(&mut book, window(0, 9), 9, 1);
        let short = reserve(&mut book, window(0, 4), 4, 1);
        advance(&mut book, 2);
        assert_eq!([pes_of(&book, long), pes_of(&book, short)], [[0], [1]]);

        let until = Slot::new(12);
        let outage = if breaks {
            Outage::Failure { until }
        } else {
            Outage::Maintenance {
                window: window(2, 12),
            }
        };
        // Nodes 0 and 1.
        let (parts, broken) = take_out(&mut book, outage, 0b1111).unwrap();
        let parts: Vec<_> = parts
            .iter()
            .map(|part| (book.get(*part).unwrap().window, pes_of(&book, *part)))
            .collect();
        let broken: Vec<Handle> = broken.iter().map(|broken| broken.handle).collect();
        if breaks {
            assert_eq!(broken, [long, short]);
            assert_eq!(parts, [(window(2, 12), vec![0, 1, 2, 3])]);
            continue;
        }
        assert_eq!(broken, []);
        let expected = [
            (window(2, 12), vec![2, 3]),
            (window(4, 12), vec![1]),
            (window(9, 12), vec![0]),
        ];
        assert_eq!(parts, expected);
        // Not even by force.
        let mut workspace = PeWorkspace::<u32, 1, 16, 0>::new();
        let mut transaction = book.transaction(workspace.view(), 10_000);
        let mut none = heapless::Vec::<Broken, 8>::new();
        let longer = transaction.extend_by_force(long, Slot::new(10), &mut none);
        assert_eq!(longer, Err(Refusal::Pinned.into()));
        drop(transaction);
        assert_eq!(book.extension(long), Ok(Slot::new(9)));
    }
}

#[test]
fn what_is_out_already_stays_and_is_part_of_no_other_outage() {
    let mut memory = Memory::zeroed();
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    let later = Outage::Maintenance {
        window: window(6, 9),
    };
    let (first, _) = take_out(&mut book, later, 0b11).unwrap();
    let (second, broken) = take_out(
        &mut book,
        Outage::Failure {
            until: Slot::new(20),
        },
        0b110,
    )
    .unwrap();
    assert_eq!(broken, []);
    let parts = second
        .iter()
        .map(|part| (book.get(*part).unwrap().window, pes_of(&book, *part)));
    let expected = [
        (window(0, 6), vec![1, 2]),
        (window(6, 20), vec![2]),
        (window(9, 20), vec![1]),
    ];
    assert!(parts.eq(expected));
    assert!(second.iter().all(|part| book.is_outage(*part) == Ok(true)));
    // All of it is out, so there is nothing to take.
    let within = Outage::Maintenance {
        window: window(7, 9),
    };
    assert_eq!(take_out(&mut book, within, 0b111), Ok((vec![], vec![])));
    assert_eq!(pes_of(&book, first[0]), [0, 1]);
    // Who has exactly these is told apart, and is in the way of nothing.
    let mut there = Conflict::NONE;
    let exactly = book
        .reserve_exactly(window(22, 25), &[0b1], Commitment::Confirmed, &mut there)
        .unwrap();
    assert_eq!(book.is_outage(exactly), Ok(false));
    let whole = Outage::Maintenance {
        window: window(22, 25),
    };
    let (_, broken) = take_out(&mut book, whole, 0b1).unwrap();
    assert_eq!(broken[0].handle, exactly);
}

#[test]
fn an_outage_that_is_withdrawn_leaves_those_whom_it_did_not_move_as_they_were() {
    let mut memory = Memory::zeroed();
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    let whole = book
        .class_add(&Class {
            shape: Shape::WholeGroups,
            ..Class::ANY
        })
        .unwrap();
    let moved = reserve(&mut book, window(10, 30), 5, 4);
    let strict = request(window(10, 15), 5, 4);
    let lost = book.reserve((whole, &strict), Policy::FirstFit, Commitment::Confirmed);
    let lost = lost.unwrap().handle;
    let apart = reserve(&mut book, window(20, 25), 5, 8);
    let look = |book: &PlacedView<'_, u32>| -> (Reservation, Vec<u16>) {
        (book.get(apart).unwrap(), pes_of(book, apart))
    };
    let before = look(&book);
    assert_eq!(pes_of(&book, lost), [4, 5, 6, 7]);

    let outage = Outage::Maintenance {
        window: window(8, 18),
    };
    // Nodes 0 and 3: the first moves to 15, and the other one has nowhere to go.
    let (parts, broken) = take_out(&mut book, outage, 0b1100_0011).unwrap();
    let told = (
        broken[0].handle,
        broken[0].request,
        broken[0].placement.start,
    );
    assert_eq!((broken.len(), told), (1, (lost, strict, Slot::new(10))));
    assert_eq!(book.get(moved).unwrap().window, window(10, 15));
    assert_eq!(pes_of(&book, moved), [2, 3, 4, 5]);
    for part in parts {
        book.cancel(part).unwrap();
    }
    assert_eq!(look(&book), before);
    assert_eq!(pes_of(&book, moved), [2, 3, 4, 5]);
    book.check_invariants().unwrap();
}

#[test]
fn an_outage_without_an_end_is_prolonged_and_hurts_nobody() {
    let mut memory = Memory::zeroed();
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    let until = book.now().saturating_add(book.horizon());
    let (parts, _) = take_out(&mut book, Outage::Failure { until }, 0b11).unwrap();
    let mut promised = Vec::new();
    for now in 0..200 {
        advance(&mut book, now);
        let mut workspace = PeWorkspace::<u32, 1, 4, 0>::new();
        let mut broken = heapless::Vec::<Broken, 1>::new();
        let until = book.now().saturating_add(book.horizon());
        if now > 0 {
            let mut transaction = book.transaction(workspace.view(), 10_000);
            transaction
                .extend_by_force(parts[0], until, &mut broken)
                .unwrap();
            assert!(transaction.moves().map(|to| to.handle).eq([parts[0]]));
            transaction.commit().unwrap();
        }
        book.check_invariants().unwrap();
        // All that is left of the machine, up to the horizon.
        let end = until.get();
        if now % 7 == 0 {
            let request = request(window(end - 5, end), 5, 6);
            let made = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            promised.push(made.unwrap().handle);
        }
    }
    let whole = request(window(200, 247), 1, 7);
    let refused = book.reserve(&whole, Policy::FirstFit, Commitment::Confirmed);
    assert_eq!(refused, Err(Refusal::NoRoom.into()));
    book.cancel(parts[0]).unwrap();
    assert!(promised.len() > 20 && book.len() > 1);
}

#[test]
fn who_is_refused_has_changed_nothing() {
    let mut memory = Memory::zeroed();
    let mut book = memory.init(&NODES, Span::new(48)).unwrap();
    for start in [3, 10] {
        reserve(&mut book, window(start, start + 5), 5, 8);
    }
    let untouched = memory.clone();
    let mut book = memory.view();
    let outage = |start, end| Outage::Maintenance {
        window: window(start, end),
    };
    let mut out = |pes: &[u32], outage, entries: usize, work| {
        let mut workspace = PeWorkspace::<u32, 1, 16, 0>::new();
        let mut short = PeWorkspace::<u32, 1, 2, 0>::new();
        let mut parts = heapless::Vec::<_, 1>::new();
        let mut broken = heapless::Vec::<Broken, 1>::new();
        let workspace = match entries {
            2 => short.view(),
            _ => workspace.view(),
        };
        let mut transaction = book.transaction(workspace, work);
        let refused = transaction.take_out(outage, pes, &mut parts, &mut broken);
        assert!(refused.is_ok() || parts.is_empty() && broken.is_empty());
        refused.err()
    };
    let cases: [(&[u32], Outage, usize, u64, Error); 9] = [
        (&[0], outage(1, 2), 16, 99, UsageError::BadPes.into()),
        (&[1 << 8], outage(1, 2), 16, 99, UsageError::BadPes.into()),
        (&[1], outage(2, 2), 16, 99, UsageError::ZeroDuration.into()),
        (&[1], outage(0, 49), 16, 99, Refusal::TooLong.into()),
        (&[1], outage(9, 49), 16, 99, Refusal::BeyondHorizon.into()),
        (&[1], outage(1, 20), 2, 99, Refusal::MoveLimit.into()),
        (&[1], outage(1, 20), 16, 4, Refusal::WorkLimit.into()),
        (&[1], outage(1, 20), 16, 28, Refusal::WorkLimit.into()),
        (
            &[1],
            Outage::Failure {
                until: Slot::new(0),
            },
            16,
            99,
            UsageError::ZeroDuration.into(),
        ),
    ];
    for (pes, outage, entries, work, expected) in cases {
        assert_eq!(out(pes, outage, entries, work), Some(expected));
    }
    // Wherever the work ends: also when the outage has its place and those lifted have not.
    let refusals = (0..).map_while(|work| out(&[1], outage(1, 20), 16, work));
    assert!(refusals.count() > 50);
    assert_eq!(memory, untouched);
}
