//! Juggling, shifting and overlays in states that defeat what searches skip: with little work or memory granted they say so, and change nothing.

use std::collections::BTreeSet;

use bookahead::{
    Book, Booking, Commitment, Direction, Error, Exponential, Flexibility, Freeze, Guarantee,
    Insertion, Juggling, Movable, Order, Overlaying, PeCount, Probability, Refusal, Request, Run,
    RunTimeLaw, Shifting, Slot, Span, Transaction,
    raw::{Ring, UndoEntry, UndoLog},
};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, Sizes};
use bookahead_oracle::Skyline;

const SLOTS: usize = 400;
const MACHINE: u16 = 30;
/// How far a reservation may be moved from where it is, to either side.
const SLACK: usize = 6;

const FLEXIBLE: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

/// Fills each slot with a reservation that can be moved.
fn fill<R: Ring>(
    book: &mut Book<'_, R>,
    skyline: Skyline,
    lent: &mut [UndoEntry],
    sets: &mut [R::Part],
) {
    let mut transaction = book.transaction(UndoLog::new(lent, sets), u64::MAX);
    for slot in 0..SLOTS {
        let busy = skyline.busy(slot, SLOTS, MACHINE);
        let request = Request {
            ready: Slot::new(slot.saturating_sub(SLACK) as u64),
            duration: Span::new(1),
            deadline: Slot::new((slot + SLACK + 1).min(SLOTS) as u64),
            pes: PeCount::new(busy),
        };
        if busy > 0 {
            transaction
                .insert(&request, Slot::new(slot as u64), FLEXIBLE)
                .unwrap();
        }
    }
    transaction.commit().unwrap();
}

/// Says what came of every newcomer with each grant of work.
fn limits<R: Ring>(
    book: &mut Book<'_, R>,
    on: &str,
    mut admit: impl FnMut(&mut Transaction<'_, '_, R>, &Request) -> Result<Booking, Error>,
    seen: &mut BTreeSet<String>,
) {
    let mut entries = vec![UndoEntry::NONE; 2_000];
    let mut sets = vec![R::Part::default(); 2_000];
    for (duration, pes) in [
        (1, MACHINE / 2),
        (7, MACHINE / 3),
        (SLOTS / 4, 2),
        (SLOTS / 2, 1),
    ] {
        let request = Request {
            ready: Slot::new(0),
            duration: Span::new(duration as u32),
            deadline: Slot::new(SLOTS as u64),
            pes: PeCount::new(pes),
        };
        let before: Vec<_> = book.iter().collect();
        let mut enough = None;
        for work in [0, 100, 10_000, 300_000] {
            let mut transaction = book.transaction(UndoLog::new(&mut entries, &mut sets), work);
            let answer = admit(&mut transaction, &request).map(|booking| booking.start);
            assert!(transaction.work_left() <= work);
            drop(transaction);
            assert!(
                book.iter().eq(before.iter().cloned()),
                "{on}, {request:?}, {work}"
            );
            book.check_invariants().unwrap();
            // Whoever is granted more is never told of less.
            let limited = answer == Err(Refusal::WorkLimit.into());
            assert!(!limited || enough.is_none(), "{on}, {request:?}, {work}");
            if !limited {
                assert_eq!(*enough.get_or_insert(answer), answer, "{on}, {request:?}");
            }
            seen.insert(match answer {
                Ok(_) => "accepted".into(),
                Err(error) => format!("{error:?}"),
            });
        }
    }
}

fn juggle<R: Ring>(
    transaction: &mut Transaction<'_, '_, R>,
    request: &Request,
) -> Result<Booking, Error> {
    let mut waiting = vec![Movable::NONE; 2 * SLOTS];
    transaction.juggle(
        request,
        FLEXIBLE,
        &Juggling::by(Order::EarliestDeadline),
        &mut waiting,
    )
}

fn shift<R: Ring>(
    transaction: &mut Transaction<'_, '_, R>,
    request: &Request,
) -> Result<Booking, Error> {
    transaction.shift_in(request, FLEXIBLE, &Shifting::LRH)
}

fn exactly<R: Ring>(
    transaction: &mut Transaction<'_, '_, R>,
    request: &Request,
) -> Result<Booking, Error> {
    let rules = Shifting {
        insertion: Insertion::FewestMoves,
        direction: Direction::Both,
        max_moves: 3,
        ..Shifting::LRH
    };
    transaction.shift_in(request, FLEXIBLE, &rules)
}

const SIZES: Sizes = Sizes {
    pes: MACHINE,
    slots: SLOTS as u32,
    reservations: SLOTS + 1,
};

fn skylines() -> impl Iterator<Item = Skyline> {
    // One of each shape and width of teeth is enough.
    Skyline::all(SLOTS).into_iter().step_by(3)
}

fn all_limits<R: Ring>(book: &mut Book<'_, R>, skyline: Skyline, seen: &mut BTreeSet<String>) {
    let mut entries = vec![UndoEntry::NONE; SLOTS];
    let mut sets = vec![R::Part::default(); SLOTS];
    fill(book, skyline, &mut entries, &mut sets);
    limits(book, &format!("juggling {skyline:?}"), juggle, seen);
    limits(book, &format!("shifting {skyline:?}"), shift, seen);
    limits(book, &format!("fewest moves {skyline:?}"), exactly, seen);
}

fn assert_all(seen: &BTreeSet<String>) {
    for answer in ["accepted", "Refused(WorkLimit)", "Refused(NoRoom)"] {
        assert!(seen.contains(answer), "{answer} is not in {seen:?}");
    }
}

#[test]
fn counts() {
    let mut seen = BTreeSet::new();
    for skyline in skylines() {
        let mut memory = BoxedCountBook::new(SIZES).unwrap();
        all_limits(&mut memory.view(), skyline, &mut seen);
    }
    assert_all(&seen);
}

#[test]
fn sets() {
    let mut seen = BTreeSet::new();
    for skyline in skylines() {
        let mut memory = BoxedPeBook::<u32>::new(SIZES).unwrap();
        all_limits(&mut memory.view(), skyline, &mut seen);
    }
    assert_all(&seen);
}

#[test]
fn overlays() {
    let law = |booked: Span| {
        let mean = u64::from(booked.get()).div_ceil(3);
        RunTimeLaw::Exponential(Exponential::new(1, mean).unwrap())
    };
    let mut seen = BTreeSet::new();
    for skyline in skylines() {
        let mut memory = BoxedOverlayBook::new(SIZES).unwrap();
        let mut book = memory.view();
        fill(
            &mut book,
            skyline,
            &mut vec![UndoEntry::NONE; SLOTS],
            &mut [],
        );
        for (duration, pes) in [(1, MACHINE), (7, MACHINE / 2), (SLOTS / 4, 2)] {
            let request = Request {
                ready: Slot::new(0),
                duration: Span::new(duration as u32),
                deadline: Slot::new(SLOTS as u64),
                pes: PeCount::new(pes),
            };
            let overlaying = Overlaying {
                guarantee: Guarantee::Access,
                threshold: Probability::rounding_up(1, 10).unwrap(),
                law: law(request.duration),
            };
            for entries in [0, usize::from(MACHINE)] {
                let mut predecessors = heapless::Vec::<Run<'_>, { MACHINE as usize }>::new();
                let mut table = vec![Probability::ZERO; entries];
                let plan = book.plan_overlay(
                    &request,
                    &overlaying,
                    |_, known| law(known.request.duration),
                    &mut predecessors,
                    &mut table,
                );
                // What has room needs no overlay.
                seen.insert(match plan {
                    Ok(_) => "planned".into(),
                    Err(error) => format!("{error:?}"),
                });
            }
            book.check_invariants().unwrap();
        }
    }
    for answer in ["planned", "Refused(ScratchTooShort)", "Refused(TooRisky)"] {
        assert!(seen.contains(answer), "{answer} is not in {seen:?}");
    }
}
