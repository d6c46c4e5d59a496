//! Shifting in small worlds, in which all arrangements can be tried: how often it finds the room that there is, and what that costs.

use bookahead::{
    Book, Commitment, CountBook, Direction, Error, Flexibility, Freeze, Insertion, PeBook, PeCount,
    Policy, Refusal, Request, Shifting, Slot, Span,
    raw::{Ring, UndoEntry, Workspace},
};
use bookahead_oracle::arrangements::{Least, Seat, least};
use bookahead_oracle::papers::pujiyanta::literal::{Component, VirtualNodes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PES: u16 = 4;
const SLOTS: u32 = 14;
const WORLDS: u32 = 3_000;

const FLEXIBLE: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

/// A request that may start up to five slots late.
fn request(rng: &mut ChaCha8Rng) -> Request {
    let duration = rng.random_range(1..=4_u64);
    let latest = u64::from(SLOTS) - duration;
    let ready = rng.random_range(0..=latest);
    let slack = rng.random_range(0..=5).min(latest - ready);
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration as u32),
        deadline: Slot::new(ready + duration + slack),
        pes: PeCount::new(rng.random_range(1..=PES).into()),
    }
}

/// Makes up to thirteen reservations, of which some are strict, and cancels some so that there are holes.
fn fill<R: Ring>(book: &mut Book<'_, R>, rng: &mut ChaCha8Rng) {
    for _ in 0..rng.random_range(3..12) {
        let commitment = if rng.random_bool(0.15) {
            Commitment::Confirmed
        } else {
            FLEXIBLE
        };
        let _ = attempt(book, &request(rng), commitment, &Shifting::LRH, true);
    }
    let handles: Vec<_> = book.iter().map(|(handle, _)| handle).collect();
    for handle in handles {
        if rng.random_bool(0.2) {
            book.cancel(handle).unwrap();
        }
    }
    for _ in 0..2 {
        let _ = attempt(book, &request(rng), FLEXIBLE, &Shifting::LRH, true);
    }
}

/// Where everybody is, in order of start.
fn seats<R: Ring>(book: &Book<'_, R>) -> Vec<Seat> {
    let seat = |(handle, known): (_, bookahead::Reservation)| Seat {
        request: known.request,
        start: known.window.start.get(),
        movable: !book.is_frozen(handle).unwrap(),
    };
    book.iter().map(seat).collect()
}

/// Inserts a newcomer, for good or only to see what would move: how many, and by how much.
fn attempt<R: Ring>(
    book: &mut Book<'_, R>,
    newcomer: &Request,
    commitment: Commitment,
    rules: &Shifting,
    for_good: bool,
) -> Result<Least, Error> {
    let mut entries = [UndoEntry::NONE; 64];
    // A set has one column at most here.
    let mut sets = [R::Part::default(); 64];
    let log = Workspace::new(&mut entries, &mut sets, &mut []);
    let mut transaction = book.transaction(log, u64::MAX);
    transaction.shift_in(newcomer, commitment, rules)?;
    let shifts = transaction.moves().filter_map(|change| {
        let (from, to) = (change.from?.start.get(), change.to?.start.get());
        (from != to).then(|| from.abs_diff(to))
    });
    let cost = shifts.fold(Least { moves: 0, shift: 0 }, |sum, shift| Least {
        moves: sum.moves + 1,
        shift: sum.shift + shift,
    });
    if for_good {
        transaction.commit()?;
    }
    Ok(cost)
}

/// What was seen of newcomers that first fit refuses.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    /// How many there were.
    refused: u32,
    /// For how many of them some arrangement has room.
    room: u32,
    /// For how many of these slides find it, at depths 1 to 4.
    found: [u32; 4],
    /// For how many the literal algorithms find it.
    literally: u32,
    /// Where slides of depth 2 find it: how many they move, and how many have to be moved.
    moves: [u64; 2],
    /// The same in slots by which they are shifted.
    shift: [u64; 2],
}

/// Looks at many worlds with late binding.
fn look(direction: Direction) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut seen = Seen::default();
    for _ in 0..WORLDS {
        let mut memory =
            CountBook::<1, 4, 16>::new(PeCount::new(PES.into()), Span::new(SLOTS)).unwrap();
        let mut book = memory.view();
        fill(&mut book, &mut rng);
        let newcomer = request(&mut rng);
        if book.plan(&newcomer, Policy::FirstFit) != Err(Refusal::NoRoom.into()) {
            continue;
        }
        seen.refused += 1;
        let seats = seats(&book);
        let best = least(PES.into(), 0, &seats, &newcomer, direction);
        seen.room += u32::from(best.is_some());
        for (found, depth) in seen.found.iter_mut().zip(1..) {
            let rules = Shifting {
                direction,
                insertion: Insertion::Slides { depth },
                ..Shifting::LRH
            };
            let cost = attempt(&mut book, &newcomer, FLEXIBLE, &rules, false);
            let (Ok(cost), Some(best)) = (cost, best) else {
                assert_eq!(cost, Err(Refusal::NoRoom.into()));
                continue;
            };
            *found += 1;
            if depth == 2 {
                seen.moves = [seen.moves[0] + cost.moves, seen.moves[1] + best.moves];
                seen.shift = [seen.shift[0] + cost.shift, seen.shift[1] + best.shift];
            }
        }
        let found = literally(&seats, &newcomer);
        assert!(!found || direction == Direction::Both || best.is_some());
        seen.literally += u32::from(found);
        for insertion in [Insertion::FewestMoves, Insertion::LeastShift] {
            let rules = Shifting {
                direction,
                insertion,
                ..Shifting::LRH
            };
            let cost = attempt(&mut book, &newcomer, FLEXIBLE, &rules, false);
            let costs = |cost: Least| match insertion {
                Insertion::LeastShift => cost.shift,
                _ => cost.moves,
            };
            let expected = best.map(costs).ok_or(Refusal::NoRoom.into());
            assert_eq!(
                cost.map(costs),
                expected,
                "{insertion:?} {seats:?} {newcomer:?}"
            );
        }
    }
    seen
}

/// Whether the literal algorithms find room, in a plan where everybody is as in the book.
fn literally(seats: &[Seat], newcomer: &Request) -> bool {
    let mut plan = VirtualNodes::new(PES.into(), SLOTS as usize);
    let component = |request: &Request, user: u32| Component {
        user,
        earliest: request.ready.get() as usize,
        start: request.ready.get() as usize,
        latest: request.latest_start().unwrap().get() as usize,
        duration: request.duration.get() as usize,
        nodes: request.pes.get(),
    };
    for (seat, user) in seats.iter().zip(1..) {
        let start = seat.start as usize;
        let there = Component {
            earliest: start,
            start,
            latest: if seat.movable {
                seat.request.latest_start().unwrap().get() as usize
            } else {
                start
            },
            ..component(&seat.request, user)
        };
        assert!(plan.search_slot_free(&there, false));
    }
    let before = plan.planned();
    let found = plan.search_slot_free(&component(newcomer, 99), true);
    let mut after = plan.planned();
    if found {
        // Nobody has left its window.
        assert!(
            after
                .iter()
                .all(|at| (at.earliest..=at.latest).contains(&at.start))
        );
    } else {
        after.sort_unstable();
        assert_eq!(after, before, "a failed insertion changes nothing");
    }
    found
}

/// To the right alone. The exact searches come to what trying all arrangements comes to; slides find nine of ten at depth 2.
#[test]
fn to_the_right() {
    let seen = look(Direction::Right);
    println!("{seen:?}");
    assert!(seen.room >= 200);
    assert!(seen.found[0] * 10 >= seen.room * 7, "{seen:?}");
    assert!(seen.found[1] * 10 >= seen.room * 9, "{seen:?}");
    assert!(seen.found[3] * 100 >= seen.room * 99, "{seen:?}");
    // The printed algorithms push nobody, and take the whole slide or none.
    assert!(seen.literally <= seen.found[0], "{seen:?}");
}

/// To both sides there is more room, and more is found.
#[test]
fn to_both_sides() {
    let seen = look(Direction::Both);
    let right = look(Direction::Right);
    println!("{seen:?}");
    assert!(seen.room > right.room && seen.refused > 1_000);
    assert!(seen.found[0] * 10 >= seen.room * 6, "{seen:?}");
    assert!(seen.found[1] * 100 >= seen.room * 85, "{seen:?}");
    assert!(seen.found[3] * 100 >= seen.room * 94, "{seen:?}");
    // Slides move at most a tenth more than necessary, and shift by at most a fifth more.
    assert!(seen.moves[0] * 10 <= seen.moves[1] * 11, "{seen:?}");
    assert!(seen.shift[0] * 10 <= seen.shift[1] * 12, "{seen:?}");
}

/// With early binding: nobody finds room where interchangeable processing elements have none, and failures leave the book as it was.
#[test]
fn named_processing_elements_find_no_more() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut found, mut refused) = (0, 0);
    for _ in 0..WORLDS {
        let mut memory =
            PeBook::<u32, 1, 1, 16>::new(PeCount::new(PES.into()), Span::new(SLOTS)).unwrap();
        let mut book = memory.view();
        fill(&mut book, &mut rng);
        let newcomer = request(&mut rng);
        let seats = seats(&book);
        let best = least(PES.into(), 0, &seats, &newcomer, Direction::Both);
        for insertion in [Insertion::Slides { depth: 2 }, Insertion::FewestMoves] {
            let rules = Shifting {
                insertion,
                ..Shifting::LRH
            };
            let cost = attempt(&mut book, &newcomer, FLEXIBLE, &rules, false);
            assert_eq!(book.check_invariants(), Ok(()));
            assert_eq!(self::seats(&book), seats);
            match (cost, best) {
                (Ok(cost), Some(best)) => {
                    assert!(cost.moves >= best.moves);
                    found += u32::from(cost.moves > 0);
                }
                (cost, _) => {
                    assert_eq!(cost, Err(Refusal::NoRoom.into()));
                    refused += 1;
                }
            }
        }
    }
    assert!(found > 200 && refused > 1_000, "{found} {refused}");
}

/// Limits are answered: what would have needed more moves is a move limit, what would have needed more work a work limit.
#[test]
fn limits_are_answered() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut moves, mut works, mut logs) = (0, 0, 0);
    for _ in 0..WORLDS / 4 {
        let mut memory =
            CountBook::<1, 4, 16>::new(PeCount::new(PES.into()), Span::new(SLOTS)).unwrap();
        fill(&mut memory.view(), &mut rng);
        let before = memory.clone();
        let newcomer = request(&mut rng);
        for insertion in [
            Insertion::Slides { depth: 2 },
            Insertion::FewestMoves,
            Insertion::LeastShift,
        ] {
            let rules = Shifting {
                insertion,
                ..Shifting::LRH
            };
            let Ok(cost) = attempt(&mut memory.view(), &newcomer, FLEXIBLE, &rules, false) else {
                continue;
            };
            if cost.moves == 0 {
                continue;
            }
            let fewer = Shifting {
                max_moves: 0,
                ..rules
            };
            let limited = attempt(&mut memory.view(), &newcomer, FLEXIBLE, &fewer, false);
            assert_eq!(limited, Err(Refusal::MoveLimit.into()));
            moves += 1;
            for work in [0, 1] {
                let less = Shifting { work, ..rules };
                let mut entries = [UndoEntry::NONE; 64];
                let log = Workspace::new(&mut entries, &mut [], &mut []);
                let limited = memory.view().shift_in(&newcomer, FLEXIBLE, &less, log);
                assert_eq!(limited.map(|_| ()), Err(Refusal::WorkLimit.into()));
                assert!(memory == before, "a failure leaves no trace");
                works += 1;
            }
            let mut entries = [UndoEntry::NONE; 2];
            let log = Workspace::new(&mut entries, &mut [], &mut []);
            let limited = memory.view().shift_in(&newcomer, FLEXIBLE, &rules, log);
            if let Err(limited) = limited {
                assert_eq!(limited, Refusal::MoveLimit.into());
                assert!(memory == before, "a failure leaves no trace");
                logs += 1;
            }
            memory = before.clone();
        }
    }
    assert!(
        moves > 50 && works > 100 && logs > 10,
        "{moves} {works} {logs}"
    );
}
