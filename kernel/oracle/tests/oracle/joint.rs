//! Several books decided as one: random lives, in which somebody changes single books behind their back, many short ones, and every sequence of calls in a small
//! world.

use std::collections::BTreeMap;

use bookahead::{
    Alteration, JointRequest, Need, PeCount, Refusal, Several, Slot, Span, Tie, UsageError,
};
use bookahead_oracle::generate::Source;
use bookahead_oracle::joint::{Act, Alone, Measure, REFUSALS, Shelf, World, refused, together};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::common::lives::{operations, random, shown};
use crate::common::request;

/// Of a book that is a quota: which, where its periods end, and how much may be used in each.
type Limit = (usize, &'static [u64], u64);

/// A random life; prints what was called last if it fails.
fn life(world: World, seed: u8, operations: u64) -> BTreeMap<String, usize> {
    lived(world, &mut random(seed), (seed.into(), operations))
}

/// Life number `life` of those that these random numbers make.
fn lived(
    mut world: World,
    random: &mut ChaCha8Rng,
    (life, operations): (u64, u64),
) -> BTreeMap<String, usize> {
    for operation in 0..operations {
        let bytes: [u8; 64] = random.random();
        let act = world
            .draw(&mut Source::new(&bytes))
            .expect("64 bytes are enough");
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.act(&act)));
        if let Err(panic) = caught {
            eprintln!("life {life}, operation {operation}: {act:?}");
            std::panic::resume_unwind(panic);
        }
    }
    world.tally
}

/// How often all of it has to have been answered in lives of 5,000 operations.
fn check(tally: &BTreeMap<String, usize>) {
    let more = [
        "one after-booked-end",
        "one beyond-horizon",
        "one outside-window",
        "all zero-hold",
        "all bad-needs",
        "all time-went-back",
        "Started",
        "Missed",
        "Completed",
        "EndReached",
        "Expired",
        "Reserve",
        "Confirm",
        "Cancel",
        "Complete",
        "Alter",
        "Pass",
        "torn ended",
    ];
    for name in REFUSALS.into_iter().chain(more) {
        let times = tally.get(name).copied().unwrap_or_default();
        shown!(times >= 20, "{name}: {times} times in {tally:?}");
    }
}

#[test]
fn random_lives_answer_as_their_twins() {
    let worlds: [&[Measure]; 5] = [
        &[(2, 7, 12), (0, 3, 9)],
        &[(0, 9, 8), (3, 5, 12), (1, 4, 12)],
        &[(3, 6, 12), (2, 4, 12)],
        &[(0, 2, 9), (0, 5, 9), (1, 300, 12), (2, 70, 9)],
        &[(1, 3, 5)],
    ];
    let mut tally = BTreeMap::new();
    for (seed, measures) in (0..).zip(worlds) {
        let world = World::new(measures, 24);
        for (name, times) in life(world, seed, operations(25_000, 5)) {
            *tally.entry(name).or_default() += times;
        }
    }
    check(&tally);
}

#[test]
fn random_lives_with_quotas_answer_as_their_twins() {
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    // A machine, a user and a project; a user of many periods; a quota by itself, and one of sets without periods.
    let worlds: [(&[Measure], &[Limit]); 4] = [
        (
            &[(2, 7, 12), (0, 5, 12), (1, 6, 14)],
            &[(1, &[11, 19, 40], 30), (2, &[16, 48], 70)],
        ),
        (
            &[(1, 9, 14), (1, 9, 14)],
            &[(1, &[3, 4, 9, 14, 15, 22, 30], 16)],
        ),
        (&[(0, 4, 12)], &[(0, &[8, 16, 24, 32], 20)]),
        (
            &[(0, 7, 12), (3, 4, 12)],
            &[(0, &[6, 18, 30], 25), (1, &[], 0)],
        ),
    ];
    for (seed, (measures, quotas)) in (10..).zip(worlds) {
        let mut world = World::new(measures, 24);
        for (book, ends, most) in quotas {
            world.limit(*book, ends, *most);
        }
        for (name, times) in life(world, seed, operations(20_000, 4)) {
            *tally.entry(name).or_default() += times;
        }
    }
    for name in [
        "renewed",
        "not renewed",
        "all used",
        "Alter",
        "Complete",
        "Expired",
        "one no-room",
    ] {
        let times = tally.get(name).copied().unwrap_or_default();
        shown!(times >= 50, "{name}: {times} times in {tally:?}");
    }
}

/// Calls in each of many short histories.
const FEW: u64 = 10;

/// Machines of any size with up to two quotas of any size, whose periods end anywhere: what is used in each is the sum over all that is booked.
#[test]
fn short_histories_with_quotas_answer_as_their_twins() {
    let mut luck = random(90);
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let (mut history, histories) = (0, operations(60_000, FEW));
    while history < histories {
        let bytes: [u8; 64] = luck.random();
        let world = World::drawn(&mut Source::new(&bytes)).expect("64 bytes are enough");
        if world.periods.iter().all(Option::is_none) {
            continue;
        }
        history += 1;
        for (name, times) in lived(world, &mut luck, (history, FEW)) {
            *tally.entry(name).or_default() += times;
        }
    }
    for name in ["renewed", "all used", "Alter", "Complete", "one no-room"] {
        let times = tally.get(name).copied().unwrap_or_default();
        shown!(times >= 50, "{name}: {times} times in {tally:?}");
    }
}

/// What may be called at each step: acts that name who lives by its place.
fn letters(world: &World) -> Vec<Act> {
    let now = world.now().get();
    let live = world.twin.live();
    let mut acts = vec![
        Act::Reserve(request(now, 2, now + 3, 0), vec![1, 2], None),
        Act::Reserve(request(now, 1, now + 4, 0), vec![2, 1], None),
        Act::Reserve(
            request(now + 1, 2, now + 4, 0),
            vec![1, 1],
            Some(Span::new(1)),
        ),
        Act::Pass(Slot::new(now + 1)),
        Act::EndTorn,
    ];
    if let Some(first) = live.first() {
        acts.push(Act::Alone(first.0, Alone::Cancel(first.1)));
        acts.push(Act::Cancel(*first));
        acts.push(Act::Alter(*first, request(now + 1, 1, now + 4, 0)));
    }
    if let Some(last) = live.last() {
        let start = world.twin.books[last.0 as usize]
            .get(last.1)
            .map(|known| known.window.start);
        let start = start.expect("it lives").get();
        acts.push(Act::Confirm(*last));
        acts.push(Act::Complete(*last, Slot::new(now)));
        acts.push(Act::Alter(*last, request(start, 3, start + 3, 0)));
        acts.push(Act::Alone(
            last.0,
            Alone::Alter(
                last.1,
                Alteration::Widen {
                    pes: PeCount::new(2),
                },
            ),
        ));
    }
    // Nobody gets at the book of a quota by itself.
    acts.retain(|act| match act {
        Act::Alone(book, _) => world.periods[*book as usize].is_none(),
        _ => true,
    });
    let quotas = (0..).zip(&world.periods);
    let quotas = quotas.filter_map(|(book, periods)| Some((book, periods.as_ref()?.last()?)));
    for (book, last) in quotas {
        let until = last.until().saturating_add(Span::new(2));
        acts.push(Act::Renew(book, until, 3));
        acts.push(Act::SetMost(book, 0, 1));
    }
    acts
}

fn every_sequence(world: &World, depth: usize) -> usize {
    if depth == 0 {
        return 0;
    }
    let each = letters(world).into_iter().map(|act| {
        let mut next = world.clone();
        next.act(&act);
        1 + every_sequence(&next, depth - 1)
    });
    each.sum()
}

#[test]
fn every_sequence_in_a_small_world() {
    let depth = if cfg!(debug_assertions) { 5 } else { 6 };
    for measures in [[(1, 2, 2), (3, 2, 2)], [(2, 2, 2), (0, 2, 3)]] {
        let steps = every_sequence(&World::new(&measures, 4), depth);
        assert!(steps > 10_000, "{steps}");
    }
    let mut world = World::new(&[(1, 2, 2), (0, 2, 3)], 4);
    world.limit(1, &[2, 5], 3);
    let steps = every_sequence(&world, depth);
    assert!(steps > 10_000, "{steps}");
}

#[test]
fn a_search_stops_where_the_work_does_and_leaves_all_as_it_was() {
    let measures = [(0, 4, 9), (2, 4, 9)];
    let mut world = World::new(&measures, 24);
    // One book has room in each even slot, the other in each odd one, but at the end.
    for start in 0..8 {
        let job = request(start, 1, start + 1, 4);
        world.act(&Act::Alone((start % 2) as u32, Alone::Reserve(job)));
    }
    let needs = [Need::new(PeCount::new(3)); 2];
    let joint = JointRequest {
        ready: Slot::new(0),
        duration: Span::new(1),
        deadline: Slot::new(20),
        needs: &needs,
    };
    let before = world.memory();
    let mut enough = None;
    for work in 0..1_000 {
        let booked = world
            .clone()
            .several(|books| books.reserve(&joint, None, work));
        match booked {
            Ok(booked) => {
                assert_eq!(booked.start, Slot::new(8));
                enough = enough.or(Some(work));
            }
            Err(error) => {
                assert_eq!((error.error, enough), (Refusal::WorkLimit.into(), None));
                let same = world.several(|books| books.reserve(&joint, None, work));
                assert_eq!(same, Err(error));
                assert!(before == world.memory());
            }
        }
    }
    // The books in turn from 0, 1, .. 8 on: the rest of the window, and the slot that is asked for.
    let searched = (0..=8).map(|from| 20 - from + 1).sum();
    assert_eq!(enough, Some(searched));
}

#[test]
fn books_that_are_no_decision_are_refused_by_name() {
    let refusal = |measures: &[Measure], slots: [u16; 2], ties: usize, to: u64| {
        let shelves = measures.iter().zip(slots);
        let mut shelves: Vec<_> = shelves
            .map(|(measure, slots)| Shelf::new(*measure, slots))
            .collect();
        if let Some(last) = shelves.last_mut() {
            let passed = last.next(Slot::new(to));
            assert_eq!(passed, Ok(None));
        }
        let mut ties = vec![vec![Tie::NONE; ties]; shelves.len()];
        together(&mut shelves, &mut [None, None], &mut ties, |books| {
            books.err().map(refused)
        })
    };
    let two = [(0, 4, 9), (2, 4, 9)];
    assert_eq!(refusal(&two, [24, 24], 9, 0), None);
    let none = Some((None, UsageError::TooManyParts.into()));
    assert_eq!(refusal(&[], [24, 24], 9, 0), none);
    let apart = Some((Some(1), UsageError::BooksApart.into()));
    assert_eq!(refusal(&two, [24, 24], 9, 3), apart);
    assert_eq!(refusal(&two, [24, 25], 9, 0), apart);
    assert_eq!(
        refusal(&two, [24, 24], 8, 0),
        Some((Some(0), Refusal::ScratchTooShort.into()))
    );
    // Eight can be decided, nine cannot.
    for books in [Several::MOST, Several::MOST + 1] {
        let mut world = World::new(&vec![(0, 2, 2); books], 8);
        let refused = together(
            &mut world.shelves,
            &mut world.periods,
            &mut world.ties,
            |books| books.err().map(refused),
        );
        assert_eq!(
            refused,
            (books > 8).then_some((None, UsageError::TooManyParts.into()))
        );
        if books == 8 {
            world.act(&Act::Reserve(request(0, 2, 8, 0), vec![1; 8], None));
            world.act(&Act::Alter((5, 0), request(1, 3, 8, 0)));
            world.act(&Act::Cancel((7, 0)));
            assert!(world.twin.live().is_empty());
        }
    }
    assert_eq!(size_of::<Tie>(), 16);
}
