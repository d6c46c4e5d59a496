//! The policies by their definitions, worked out anew from the accepted jobs alone, without any structure.
//!
//! Source: `li`, sections 4.2 and 5.

use std::ops::Range;

use bookahead::Policy;

use super::{
    Bits,
    search::{self, candidate_starts},
};

/// Processing elements of the paper's machine.
pub const PES: u16 = 1024;

/// A set of processing elements.
pub type Set = Bits;

/// An accepted job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Booked {
    /// The first slot.
    pub start: u64,
    /// The slot behind the last.
    pub end: u64,
    /// Its processing elements.
    pub on: Set,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The first slot in which it may start.
    pub ready: u64,
    /// Slots.
    pub duration: u64,
    /// The slot by which it has to end.
    pub deadline: u64,
    /// How many processing elements.
    pub pes: u64,
}

/// What a policy looks at.
struct Rectangle {
    start: u64,
    length: u64,
    free: Set,
}

impl search::Rectangle for Rectangle {
    fn free(&self) -> u64 {
        self.free.len().into()
    }
    fn length(&self) -> u64 {
        self.length
    }
}

/// The start and the processing elements that the definitions give at `now`, with rectangles that nothing limits ending at `open_end`.
#[must_use]
pub fn choose(
    live: &[Booked],
    now: u64,
    open_end: u64,
    wanted: &Wanted,
    policy: Policy,
) -> Option<(u64, Set)> {
    let feasible: Vec<Rectangle> = candidates(live, wanted)
        .map(|start| rectangle(live, now..open_end, start, wanted.duration))
        .filter(|found| search::Rectangle::free(found) >= wanted.pes)
        .collect();
    let chosen = search::choose(policy, &feasible)?;
    Some((chosen.start, chosen.free.lowest(wanted.pes as u16)))
}

/// Starts to look at, in increasing order; what changes is the set of busy processing elements.
fn candidates(live: &[Booked], wanted: &Wanted) -> impl Iterator<Item = u64> {
    let (ready, deadline) = (wanted.ready, wanted.deadline);
    let changes = live
        .iter()
        .flat_map(|booked| [booked.start, booked.end])
        .filter(|time| (ready..=deadline).contains(time))
        .filter(|&time| time == 0 || busy(live, time - 1) != busy(live, time));
    candidate_starts(changes, ready, wanted.duration, deadline).into_iter()
}

fn busy(live: &[Booked], slot: u64) -> Set {
    let mut busy = Bits::empty(PES);
    let covers = |booked: &&Booked| (booked.start..booked.end).contains(&slot);
    for booked in live.iter().filter(covers) {
        busy.add(&booked.on);
    }
    busy
}

fn rectangle(live: &[Booked], ring: Range<u64>, start: u64, duration: u64) -> Rectangle {
    let end = start + duration;
    let mut free = Bits::full(PES);
    let overlaps = |booked: &&Booked| booked.start < end && start < booked.end;
    for booked in live.iter().filter(overlaps) {
        free.subtract(&booked.on);
    }
    let in_the_way = || live.iter().filter(|booked| booked.on.meets(&free));
    let before = in_the_way()
        .map(|booked| booked.end)
        .filter(|time| *time <= start);
    let after = in_the_way()
        .map(|booked| booked.start)
        .filter(|time| *time >= end);
    let from = before.max().unwrap_or(0).max(ring.start);
    let to = after.min().unwrap_or(u64::MAX).min(ring.end.max(end));
    Rectangle {
        start,
        length: to - from,
        free,
    }
}

/// A set as ranges of members, both ends included.
#[must_use]
pub fn ranges(set: &Set) -> Vec<(u16, u16)> {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for pe in set.iter() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == pe => *last = pe,
            _ => ranges.push((pe, pe)),
        }
    }
    ranges
}

/// Ranges of members, both ends included, as a set; what the machine does not have is left out.
#[must_use]
pub fn set(ranges: &[(u16, u16)]) -> Set {
    let members = ranges.iter().flat_map(|&(first, last)| first..=last);
    Bits::of(PES, members.filter(|pe| *pe < PES))
}

#[cfg(test)]
mod tests {
    use super::{Booked, PES, Wanted, candidates, choose, ranges, rectangle, set};
    use crate::papers::li::{example, search::Rectangle};
    use bookahead::Policy;

    /// The worked example on the first four processing elements; the others are never free.
    fn three_jobs() -> Vec<Booked> {
        let on = [(0, 0), (1, 1), (0, 1)];
        let jobs = example::JOBS.into_iter().zip(on);
        let jobs = jobs.map(|((start, end, _), on)| Booked {
            start,
            end,
            on: set(&[on]),
        });
        let others = Booked {
            start: 0,
            end: u64::MAX,
            on: set(&[(example::PES, PES - 1)]),
        };
        jobs.chain([others]).collect()
    }

    fn wanted() -> Wanted {
        Wanted {
            ready: example::NEW.ready.get(),
            duration: example::NEW.duration.get().into(),
            deadline: example::NEW.deadline.get(),
            pes: example::NEW.pes.get().into(),
        }
    }

    #[test]
    fn the_definitions_go_through_the_example_of_the_paper() {
        let (live, wanted) = (three_jobs(), wanted());
        let starts: Vec<u64> = candidates(&live, &wanted).collect();
        assert_eq!(starts, example::CANDIDATES);
        let sizes = starts.into_iter().map(|start| {
            let found = rectangle(&live, 0..64, start, wanted.duration);
            (found.length(), found.free())
        });
        let printed = example::rectangles(64);
        let expected = printed.map(|(begin, end, free)| (end - begin, free.into()));
        assert!(sizes.eq(expected));
        for (policy, start) in Policy::ALL.into_iter().zip(example::STARTS) {
            let chosen = choose(&live, 0, 64, &wanted, policy).unwrap();
            // job1 ends at t3, and at t8 job3 takes both.
            let lowest = match start {
                2 => 1,
                7 => 2,
                _ => 0,
            };
            assert_eq!(chosen, (start, set(&[(lowest, lowest)])), "{policy:?}");
        }
    }

    #[test]
    fn open_rectangles_end_where_it_is_said_and_too_short_a_window_has_no_start() {
        let live = three_jobs();
        let length = |open_end| rectangle(&live, 0..open_end, 7, 2).length();
        assert_eq!([length(64), length(10), length(8)], [64, 10, 9]);
        let short = Wanted {
            deadline: 3,
            ..wanted()
        };
        assert_eq!(choose(&live, 0, 64, &short, Policy::FirstFit), None);
    }

    #[test]
    fn sets_are_their_ranges() {
        let parts = [(0, 0), (2, 65), (PES - 1, PES - 1)];
        assert_eq!(ranges(&set(&parts)), parts);
        assert_eq!(ranges(&set(&[(PES - 2, PES + 3)])), [(PES - 2, PES - 1)]);
    }
}
