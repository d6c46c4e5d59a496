//! The worst cases of the searches: states made to defeat what they skip, beside one pass over the same slots.

use std::hint::black_box;

use bookahead::{
    PeCount, Policy, Request, Slot, Span, Window,
    raw::{Ring, find},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::Skyline;

use crate::{Stopwatch, stand::policy_name};

/// Which processing elements are busy, given how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// The lowest-numbered, so that fuller slots contain emptier ones.
    Lowest,
    /// Consecutive ones that begin elsewhere in each slot.
    Turning,
}

/// The slowest search of a policy that was found.
#[derive(Clone, Debug)]
pub struct Worst {
    /// The policy's name in the output.
    pub name: &'static str,
    /// How many times as long as one pass over the slots it took.
    pub over_floor: f64,
    /// How long it took (ns).
    pub ns: f64,
    /// On what, and for what request.
    pub on: String,
}

/// How often a search is timed that may be the slowest.
const LOOKS: usize = 20;

/// Remembers the slowest search of each policy.
struct Slowest {
    floor: f64,
    worst: Vec<Worst>,
}

impl Slowest {
    fn new(floor: f64) -> Self {
        let none = |policy| Worst {
            name: match policy {
                Policy::FirstFit => policy_name(policy),
                _ => policy_name(policy).trim_start_matches("find_"),
            },
            over_floor: 0.0,
            ns: 0.0,
            on: String::new(),
        };
        Self {
            floor,
            worst: Policy::ALL.map(none).into(),
        }
    }

    /// Times each policy on the ring, for each duration; `on` says what the ring holds.
    fn look(&mut self, watch: &Stopwatch, ring: &mut impl Ring, slots: usize, on: &str) {
        for duration in durations(slots) {
            for (worst, policy) in self.worst.iter_mut().zip(Policy::ALL) {
                let request = Request {
                    ready: Slot::new(0),
                    duration: Span::new(duration as u32),
                    deadline: Slot::new(slots as u64),
                    pes: PeCount::new(1),
                };
                // What is above the least of many comes from other programs. Of few it would: the slowest of some thousand searches is wanted, so that
                // those are kept which others have disturbed.
                let mut ns = f64::INFINITY;
                for _ in 0..LOOKS {
                    ns = ns.min(watch.time(&[request], |request| search(ring, request, policy)));
                    if ns <= worst.ns {
                        break;
                    }
                }
                if ns > worst.ns {
                    worst.ns = ns;
                    worst.over_floor = ns / self.floor;
                    worst.on = format!("{on}, {duration} slots asked for");
                }
            }
        }
    }
}

fn durations(slots: usize) -> Vec<usize> {
    let short = [1, 2, 3, 16, 63, 64, 100, 129, 700, 4_097];
    let long = [slots / 16, slots / 4, slots / 2];
    short.into_iter().chain(long).collect()
}

#[inline(never)]
fn search(ring: &mut impl Ring, request: &Request, policy: Policy) -> bool {
    black_box(find(ring, black_box(request), policy)).is_ok()
}

/// The slowest searches on counts, of 65,535 processing elements and 65,536 slots.
///
/// # Panics
///
/// When the machine has no memory.
#[must_use]
pub fn counts(watch: &Stopwatch) -> Vec<Worst> {
    const MACHINE: u16 = 65_535;
    const SLOTS: usize = 65_536;
    let sizes = Sizes {
        pes: MACHINE.into(),
        slots: SLOTS as u32,
        reservations: 1,
    };
    let mut memory = BoxedCountBook::new(sizes).expect("a host has the memory");
    let masks: Vec<u16> = vec![7; SLOTS];
    let mut slowest = Slowest::new(floor(watch, || peak(black_box(&masks))));
    for skyline in Skyline::all(SLOTS) {
        let mut ring = memory
            .parts()
            .init_ring(PeCount::new(MACHINE.into()), Span::new(SLOTS as u32))
            .expect("the memory is for this");
        for slot in 0..SLOTS {
            let busy = skyline.busy(slot, SLOTS, MACHINE);
            ring.add(one(slot), &PeCount::new(busy.into()))
                .expect("it is free");
        }
        slowest.look(watch, &mut ring, SLOTS, &format!("{skyline:?}"));
    }
    slowest.worst
}

/// The slowest searches on sets, of 1,024 processing elements and 100,000 slots.
///
/// # Panics
///
/// When the machine has no memory.
#[must_use]
pub fn sets(watch: &Stopwatch) -> Vec<Worst> {
    const MACHINE: u16 = 1_024;
    const SLOTS: usize = 100_000;
    let sizes = Sizes {
        pes: MACHINE.into(),
        slots: SLOTS as u32,
        reservations: 1,
    };
    let mut memory = BoxedPeBook::<HostColumn>::new(sizes).expect("a host has the memory");
    let mut masks = crate::Floor::new(SLOTS);
    // Untouched memory is one and the same page.
    masks.flip(0..SLOTS, &[1]);
    let mut slowest = Slowest::new(floor(watch, || masks.union(black_box(0..SLOTS))));
    for members in [Members::Lowest, Members::Turning] {
        for skyline in Skyline::all(SLOTS) {
            let mut ring = memory
                .parts()
                .init_ring(PeCount::new(MACHINE.into()), Span::new(SLOTS as u32))
                .expect("the memory is for this");
            for slot in 0..SLOTS {
                let busy = skyline.busy(slot, SLOTS, MACHINE);
                let set = columns(members, slot, busy);
                ring.add(one(slot), &set).expect("it is free");
            }
            slowest.look(watch, &mut ring, SLOTS, &format!("{skyline:?} {members:?}"));
        }
    }
    slowest.worst
}

fn columns(members: Members, slot: usize, busy: u16) -> [HostColumn; 2] {
    let first = match members {
        Members::Lowest => 0,
        Members::Turning => slot * 37,
    };
    let mut columns = [HostColumn::default(); 2];
    let words = columns.as_flattened_mut();
    for pe in first..first + usize::from(busy) {
        words[pe / 64 % 16] |= 1 << (pe % 64);
    }
    columns
}

fn one(slot: usize) -> Window {
    Window {
        start: Slot::new(slot as u64),
        end: Slot::new(slot as u64 + 1),
    }
}

fn floor<T>(watch: &Stopwatch, mut pass: impl FnMut() -> T) -> f64 {
    let least = (0..50).map(|_| watch.time(&[()], |()| pass()));
    least.fold(f64::INFINITY, f64::min)
}

#[inline(never)]
fn peak(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, count| peak.max(*count))
}
