//! Juggling, shifting and overlays in the worst states that are known, of the fixed shapes and of those that were found: with little work or memory granted they
//! say so, and change nothing.

use std::collections::BTreeSet;

use bookahead::{
    Book, Booking, Commitment, Direction, Error, Exponential, Flexibility, Freeze, Guarantee,
    Insertion, Juggling, Order, Overlaying, PeCount, Probability, Refusal, Request, Run,
    RunTimeLaw, Shifting, Slot, Span, Transaction,
    raw::{Ring, Workspace},
};
use bookahead_benches::worst::{State, Structure, finds};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, BoxedWorkspace, Sizes};
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
fn fill<R: Ring>(book: &mut Book<'_, R>, busy: &[u16], workspace: Workspace<'_, R::Part>) {
    let mut transaction = book.transaction(workspace, u64::MAX);
    for (slot, busy) in busy.iter().copied().enumerate() {
        let request = Request {
            ready: Slot::new(slot.saturating_sub(SLACK) as u64),
            duration: Span::new(1),
            deadline: Slot::new((slot + SLACK + 1).min(SLOTS) as u64),
            pes: PeCount::new(busy.into()),
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
    let mut workspace = BoxedWorkspace::with_columns(1, 2_000, 2 * SLOTS).unwrap();
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
            pes: PeCount::new(pes.into()),
        };
        let before: Vec<_> = book.iter().collect();
        let mut enough = None;
        for work in [0, 100, 10_000, 300_000] {
            let mut transaction = book.transaction(workspace.view(), work);
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
    transaction.juggle(request, FLEXIBLE, &Juggling::by(Order::EarliestDeadline))
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
    pes: MACHINE as u32,
    slots: SLOTS as u32,
    reservations: SLOTS + 1,
};

/// What is busy in each slot, and of what state that is.
fn states(structure: Structure) -> Vec<(String, Vec<u16>)> {
    // One of each shape and width of teeth is enough.
    let skylines = Skyline::all(SLOTS).into_iter().step_by(3).map(|skyline| {
        let busy = (0..SLOTS).map(|slot| skyline.busy(slot, SLOTS, MACHINE));
        (format!("{skyline:?}"), busy.collect())
    });
    let of_structure = |find: &finds::Find| find.structure == structure;
    let found = finds::kept().into_iter().filter(of_structure).map(|find| {
        let state = find.state.resized(SLOTS as u32, MACHINE, true);
        (state.to_string(), busy(structure, &state))
    });
    skylines.chain(found).collect()
}

fn busy(structure: Structure, state: &State) -> Vec<u16> {
    match structure {
        Structure::Count => state.counts(),
        Structure::Pe => {
            let sets = state.sets(1);
            sets.iter().map(|set| set.count_ones() as u16).collect()
        }
    }
}

fn all_limits<R: Ring>(
    book: &mut Book<'_, R>,
    (on, busy): &(String, Vec<u16>),
    seen: &mut BTreeSet<String>,
) {
    let mut workspace = BoxedWorkspace::with_columns(1, SLOTS, 0).unwrap();
    fill(book, busy, workspace.view());
    limits(book, &format!("juggling {on}"), juggle, seen);
    limits(book, &format!("shifting {on}"), shift, seen);
    limits(book, &format!("fewest moves {on}"), exactly, seen);
}

fn assert_all(seen: &BTreeSet<String>) {
    for answer in ["accepted", "Refused(WorkLimit)", "Refused(NoRoom)"] {
        assert!(seen.contains(answer), "{answer} is not in {seen:?}");
    }
}

#[test]
fn counts() {
    let mut seen = BTreeSet::new();
    for state in states(Structure::Count) {
        let mut memory = BoxedCountBook::new(SIZES).unwrap();
        all_limits(&mut memory.view(), &state, &mut seen);
    }
    assert_all(&seen);
}

#[test]
fn sets() {
    let mut seen = BTreeSet::new();
    for state in states(Structure::Pe) {
        let mut memory = BoxedPeBook::<u32>::new(SIZES).unwrap();
        all_limits(&mut memory.view(), &state, &mut seen);
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
    for (_, busy) in states(Structure::Count) {
        let mut memory = BoxedOverlayBook::new(SIZES).unwrap();
        let mut book = memory.view();
        let mut workspace = BoxedWorkspace::late(SLOTS, 0).unwrap();
        fill(&mut book, &busy, workspace.view());
        for (duration, pes) in [(1, MACHINE), (7, MACHINE / 2), (SLOTS / 4, 2)] {
            let request = Request {
                ready: Slot::new(0),
                duration: Span::new(duration as u32),
                deadline: Slot::new(SLOTS as u64),
                pes: PeCount::new(pes.into()),
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
