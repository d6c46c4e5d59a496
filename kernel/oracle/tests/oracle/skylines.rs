//! Each of the seven policies gets the start of the plain reading in states that are made to defeat what the search skips.

use crate::common::{job, kernels};
use bookahead::{
    PeCount, Policy, Refusal, Request, Slot, Span, Window,
    raw::{BulkScan, PlainScan, Ring, Scan, find},
};
use bookahead_commands::{Command, Reply, Subject};
use bookahead_heap::{BoxedCountBook, Sizes};
use bookahead_oracle::generate::{LONG_LIST, request};
use bookahead_oracle::{Harness, Skyline};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Which processing elements are busy, given how many.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// The lowest-numbered, so that fuller slots contain emptier ones.
    Lowest,
    /// Consecutive ones that begin elsewhere in each slot.
    Turning,
}

/// Fills each slot, with a ring that begins inside its arrays.
fn build(harness: &mut Harness, skyline: Skyline, members: Members) {
    let slots = harness.twin.oracle.horizon().get() as u16;
    let machine = harness.twin.oracle.pes().get() as u16;
    let mut apply = |command| harness.apply(&command).unwrap();
    let now = 37;
    apply(Command::Advance(Slot::new(now), LONG_LIST));
    for slot in 0..slots {
        let busy = skyline.busy(slot.into(), slots.into(), machine);
        if busy == 0 {
            continue;
        }
        let below = match members {
            Members::Lowest => 0,
            Members::Turning => (slot * 7 % machine).min(machine - busy),
        };
        let start = now + u64::from(slot);
        // What is to be below the wanted ones is busy while they are booked.
        let lowest = (below > 0).then(|| apply(job(start, start + 1, below.into())));
        apply(job(start, start + 1, busy.into()));
        if let Some(Reply::Booked(number, _)) = lowest {
            apply(Command::Cancel(number));
        }
    }
}

pub fn agree(subject: impl Fn() -> Box<dyn Subject>, members: Members) {
    let (mut found, mut asked) = (0, 0);
    let slots = Harness::new(subject()).twin.oracle.horizon().get() as u16;
    for skyline in Skyline::all(slots.into()) {
        let mut harness = Harness::new(subject());
        build(&mut harness, skyline, members);
        let machine = harness.twin.oracle.pes().get() as u16;
        for duration in [1, 2, 17, 64, slots / 2] {
            for pes in [1, machine / 3] {
                let slack = i64::from(slots - duration);
                let now = harness.twin.oracle.now();
                let request = request(now, 0, duration.into(), slack, pes.into());
                if let Err(difference) = harness.search(&request) {
                    panic!("{skyline:?}, {members:?}, {request:?}: {difference}");
                }
                let feasible = harness.twin.oracle.feasible(&request);
                found += u32::from(feasible.is_ok_and(|starts| !starts.is_empty()));
                asked += 1;
            }
        }
    }
    assert!(
        asked / 20 < found && found < asked,
        "{found} of {asked} found room"
    );
}

#[test]
fn counts() {
    agree(|| kernels::counts(40, 200, 256), Members::Lowest);
}

#[test]
fn narrow_lowest() {
    agree(|| kernels::narrow(40, 150, 192), Members::Lowest);
}

#[test]
fn narrow_turning() {
    agree(|| kernels::narrow(40, 150, 192), Members::Turning);
}

/// The ring takes all of its arrays, so that its first and its last slots lie in the same group of 8.
#[test]
fn wide_lowest() {
    agree(|| kernels::wide(530, 192, 200), Members::Lowest);
}

#[test]
fn wide_turning() {
    agree(|| kernels::wide(530, 150, 192), Members::Turning);
}

/// A ring of counts long enough for searches that look at it stretch by stretch, and so many at once.
mod many_slots {
    use std::collections::BTreeSet;

    use super::*;

    const SLOTS: usize = 2_500;
    const MACHINE: u16 = 1_000;
    /// The ring begins here, inside its arrays.
    const NOW: usize = 1_234;

    fn window(first: usize, last: usize) -> Window {
        Window {
            start: Slot::new((NOW + first) as u64),
            end: Slot::new((NOW + last + 1) as u64),
        }
    }

    /// The most that are busy in each window of `duration` slots.
    fn peaks(busy: &[u16], duration: usize) -> Vec<u16> {
        let peak = |window: &[u16]| window.iter().copied().max().unwrap();
        busy.windows(duration).map(peak).collect()
    }

    /// The candidate starts: the changes, with the first and the last slot, and those a duration earlier.
    fn candidates(busy: &[u16], duration: usize) -> Vec<usize> {
        let changed = |slot: &usize| busy[slot - 1] != busy[*slot];
        let ends = (1..SLOTS).filter(changed).chain([0, SLOTS]);
        let starts = ends.flat_map(|end| [Some(end), end.checked_sub(duration)]);
        let starts: BTreeSet<usize> = starts.flatten().collect();
        starts
            .into_iter()
            .filter(|start| start + duration <= SLOTS)
            .collect()
    }

    /// The number of slots around the window at `start` in which no more are busy than at its peak.
    fn length(busy: &[u16], start: usize, duration: usize, peak: u16) -> u64 {
        let before = busy[..start].iter().rev();
        let behind = busy[start + duration..].iter();
        let fits = |busy: &&u16| **busy <= peak;
        (before.take_while(fits).count() + duration + behind.take_while(fits).count()) as u64
    }

    /// The candidate that fits, with the least or greatest of what the policy measures, the earliest of equals.
    fn expected(starts: &[(usize, u16, u64)], policy: Policy, max_busy: u16) -> Option<usize> {
        let measure = |(start, peak, length): &(usize, u16, u64)| {
            let free = u64::from(MACHINE - peak);
            let measured = match policy {
                Policy::FirstFit => 0,
                Policy::PeBestFit => free,
                Policy::PeWorstFit => u64::MAX - free,
                Policy::DurationBestFit => *length,
                Policy::DurationWorstFit => u64::MAX - length,
                Policy::PeDurationBestFit => free * length,
                Policy::PeDurationWorstFit => u64::MAX - free * length,
            };
            (measured, *start)
        };
        let fitting = starts.iter().filter(|(_, peak, _)| *peak <= max_busy);
        fitting.map(measure).min().map(|(_, start)| start)
    }

    fn answers<S: Scan>(memory: &mut BoxedCountBook, busy: &[u16], on: &str) {
        let mut ring = memory
            .parts()
            .init_ring(PeCount::new(MACHINE.into()), Span::new(SLOTS as u32))
            .unwrap();
        ring.advance(Slot::new(NOW as u64));
        for (slot, busy) in busy.iter().enumerate() {
            ring.add(window(slot, slot), &PeCount::new((*busy).into()))
                .unwrap();
        }
        let mut book = memory.parts().view_with::<S>();
        for duration in [1, 2, 3, 17, 63, 64, 65, 129, 300, 1_100] {
            let peaks = peaks(busy, duration);
            let start = |start| {
                let peak: u16 = peaks[start];
                (start, peak, length(busy, start, duration, peak))
            };
            let starts = candidates(busy, duration);
            let starts: Vec<_> = starts.into_iter().map(start).collect();
            for pes in [1, MACHINE / 3] {
                for policy in Policy::ALL {
                    let expected = expected(&starts, policy, MACHINE - pes);
                    let Window { start, end } = window(0, SLOTS - 1);
                    let request = Request {
                        ready: start,
                        duration: Span::new(duration as u32),
                        deadline: end,
                        pes: PeCount::new(pes.into()),
                    };
                    let expected = expected.map(|start| Slot::new((NOW + start) as u64));
                    let found = book.plan(&request, policy);
                    assert_eq!(
                        found.map(|plan| plan.window().start),
                        expected.ok_or(Refusal::NoRoom.into()),
                        "{on}: {policy:?}, {request:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn answers_in_bulk_are_the_literal_ones() {
        answers_are_literal::<BulkScan>();
    }

    #[test]
    fn plain_answers_are_the_literal_ones() {
        answers_are_literal::<PlainScan>();
    }

    fn answers_are_literal<S: Scan>() {
        let mut memory = BoxedCountBook::new(Sizes {
            pes: MACHINE.into(),
            slots: SLOTS as u32,
            reservations: 1,
        })
        .unwrap();
        for skyline in Skyline::all(SLOTS) {
            let busy = |slot| skyline.busy(slot, SLOTS, MACHINE);
            let busy: Vec<u16> = (0..SLOTS).map(busy).collect();
            answers::<S>(&mut memory, &busy, &format!("{skyline:?}"));
        }
        // Without any order, in steps of many widths, with few and with many full slots.
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (state, widest) in [1, 1, 3, 20, 70, 200].into_iter().enumerate() {
            let mut busy = Vec::new();
            while busy.len() < SLOTS {
                let full = rng.random_range(0..40) == 0;
                let height = rng.random_range(0..=MACHINE / (state as u16 % 3 + 1));
                let width = rng.random_range(1..=widest);
                busy.extend(vec![if full { MACHINE } else { height }; width]);
            }
            busy.truncate(SLOTS);
            answers::<S>(&mut memory, &busy, &format!("state {state}"));
        }
    }
}

/// Wide sets in a ring long enough for rectangles to reach the unions of many slots.
mod many_sets {
    use std::collections::BTreeSet;

    use bookahead_heap::{BoxedPeBook, HostColumn};

    use super::*;

    /// No multiple of 8, in arrays that are longer.
    const SLOTS: usize = 3_001;
    const MACHINE: u16 = 100;
    /// The ring begins here, inside its arrays, and not at a multiple of 8.
    const NOW: usize = 1_237;

    fn slot(now: usize, offset: usize) -> Slot {
        Slot::new((now + offset) as u64)
    }

    /// The sets of a slot, one bit for each processing element.
    fn busy(skyline: Skyline, members: Members, slot: usize) -> u128 {
        let first = match members {
            Members::Lowest => 0,
            Members::Turning => slot * 37,
        };
        let busy = skyline.busy(slot, SLOTS, MACHINE) as usize;
        (first..first + busy).fold(0, |set, pe| set | 1 << (pe % usize::from(MACHINE)))
    }

    /// A candidate that fits: its start, how many are free, and the length of its rectangle.
    fn fitting(sets: &[u128], duration: usize) -> Vec<(usize, u64, u64)> {
        let changed = |slot: &usize| sets[slot - 1] != sets[*slot];
        let ends = (1..sets.len()).filter(changed).chain([0, sets.len()]);
        let starts = ends.flat_map(|end| [Some(end), end.checked_sub(duration)]);
        let starts: BTreeSet<usize> = starts.flatten().collect();
        let mut fitting = Vec::new();
        for start in starts {
            let Some(window) = sets.get(start..start + duration) else {
                continue;
            };
            let union = window.iter().fold(0, |union, set| union | set);
            let free = u64::from(MACHINE) - u64::from(union.count_ones());
            if free > 0 {
                let stays = |set: &&u128| **set & !union == 0;
                let before = sets[..start].iter().rev().take_while(stays).count();
                let behind = sets[start + duration..].iter().take_while(stays).count();
                fitting.push((start, free, (before + duration + behind) as u64));
            }
        }
        fitting
    }

    fn expected(fitting: &[(usize, u64, u64)], policy: Policy) -> Option<usize> {
        let measure = |(start, free, length): &(usize, u64, u64)| {
            let measured = match policy {
                Policy::FirstFit => 0,
                Policy::PeBestFit => *free,
                Policy::PeWorstFit => u64::MAX - free,
                Policy::DurationBestFit => *length,
                Policy::DurationWorstFit => u64::MAX - length,
                Policy::PeDurationBestFit => free * length,
                Policy::PeDurationWorstFit => u64::MAX - free * length,
            };
            (measured, *start)
        };
        fitting.iter().map(measure).min().map(|(_, start)| start)
    }

    fn answers(memory: &mut BoxedPeBook<HostColumn>, now: usize, sets: &[u128], on: &str) {
        let slots = Span::new(sets.len() as u32);
        let mut ring = memory
            .parts()
            .init_ring(PeCount::new(MACHINE.into()), slots)
            .unwrap();
        ring.advance(Slot::new(now as u64));
        for (offset, set) in sets.iter().enumerate() {
            let mut column = HostColumn::default();
            (column[0], column[1]) = (*set as u64, (*set >> 64) as u64);
            let window = Window {
                start: slot(now, offset),
                end: slot(now, offset + 1),
            };
            ring.add(window, &[column]).unwrap();
        }
        for duration in [1, 7, 8, 9, 19, 300] {
            let mut fitting = fitting(sets, duration);
            for pes in [1, MACHINE / 3] {
                fitting.retain(|(_, free, _)| *free >= u64::from(pes));
                for policy in Policy::ALL {
                    let request = Request {
                        ready: slot(now, 0),
                        duration: Span::new(duration as u32),
                        deadline: slot(now, sets.len()),
                        pes: PeCount::new(pes.into()),
                    };
                    let expected = expected(&fitting, policy);
                    let expected = expected.map(|start| slot(now, start)).ok_or(
                        if duration > sets.len() {
                            Refusal::TooLong
                        } else {
                            Refusal::NoRoom
                        }
                        .into(),
                    );
                    assert_eq!(
                        find(&mut ring, &request, policy),
                        expected,
                        "{on}: {policy:?}, {request:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn answers_are_the_plain_ones() {
        let mut memory = BoxedPeBook::new(Sizes {
            pes: MACHINE.into(),
            slots: SLOTS as u32,
            reservations: 1,
        })
        .unwrap();
        for members in [Members::Lowest, Members::Turning] {
            for skyline in Skyline::all(SLOTS) {
                let sets: Vec<u128> = (0..SLOTS)
                    .map(|slot| busy(skyline, members, slot))
                    .collect();
                answers(
                    &mut memory,
                    NOW,
                    &sets,
                    &format!("{skyline:?}, {members:?}"),
                );
            }
        }
        // Without any order: in some states few are ever busy, so that rectangles reach far.
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for (state, widest) in [1, 3, 20, 70, 400, 900].into_iter().enumerate() {
            let mut sets = Vec::new();
            while sets.len() < SLOTS {
                let mut set = u128::MAX >> 28;
                for _ in 0..=state {
                    set &= rng.random::<u128>();
                }
                sets.extend(vec![set; rng.random_range(1..=widest)]);
            }
            sets.truncate(SLOTS);
            answers(&mut memory, NOW, &sets, &format!("state {state}"));
        }
    }

    /// Wherever a ring begins that takes all of its arrays, the last windows end in the group of its first slots.
    #[test]
    fn a_full_ring_may_begin_anywhere() {
        let mut memory = BoxedPeBook::new(Sizes {
            pes: MACHINE.into(),
            slots: 64,
            reservations: 1,
        })
        .unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        for now in 0..64 {
            for spread in 0..4 {
                let mut sets = Vec::new();
                while sets.len() < 64 {
                    let mut set = u128::MAX >> 28;
                    for _ in 0..=spread {
                        set &= rng.random::<u128>();
                    }
                    sets.extend(vec![set; rng.random_range(1..=4)]);
                }
                sets.truncate(64);
                answers(&mut memory, now, &sets, &format!("from {now}, {spread}"));
            }
        }
    }
}
