//! Writing counts with all their summaries.

use core::ops::Range;

use super::{
    levels::{FAN, HEIGHT, places},
    peak_of,
};
use crate::ring::{
    axis::{Axis, BLOCK},
    counts::Counts,
};

/// How counts change: each is masked, then something is added.
#[derive(Clone, Copy)]
pub(super) struct Change {
    keep: u16,
    more: u16,
    /// How much a count may have risen.
    rise: u16,
    /// How much it may have fallen.
    fall: u16,
}

impl Change {
    /// Every count becomes 0.
    pub(super) const CLEARED: Self = Self {
        keep: 0,
        more: 0,
        rise: 0,
        fall: u16::MAX,
    };

    /// What has changed has been written, each count in its own way.
    #[cfg(feature = "risk")]
    const WRITTEN: Self = Self {
        keep: u16::MAX,
        more: 0,
        rise: u16::MAX,
        fall: u16::MAX,
    };

    pub(super) const fn more(pes: u16) -> Self {
        Self {
            keep: u16::MAX,
            more: pes,
            rise: pes,
            fall: 0,
        }
    }

    pub(super) const fn fewer(pes: u16) -> Self {
        Self {
            keep: u16::MAX,
            more: pes.wrapping_neg(),
            rise: 0,
            fall: pes,
        }
    }

    /// Returns what a count becomes.
    fn of(self, count: u16) -> u16 {
        (count & self.keep).wrapping_add(self.more)
    }

    /// Changes all of `counts`, or of the summaries of counts that all change.
    fn apply(self, counts: Option<&mut [u16]>) {
        for count in counts.unwrap_or_default() {
            *count = self.of(*count);
        }
    }
}

/// What a summary tells of those it is of.
trait Kind {
    /// Returns the summary of `counts`.
    fn of(counts: &[u16]) -> u16;

    /// Returns what a summary of `all` that was `before` becomes, after a part of them has changed, whose summary is `part` now. The others are asked
    /// only if what the summary was may have been in that part.
    fn becomes(before: u16, part: u16, all: &[u16; FAN], change: Change) -> u16;
}

/// How many are busy at most.
enum Most {}

/// How many are busy at least.
enum Least {}

impl Kind for Most {
    fn of(counts: &[u16]) -> u16 {
        peak_of(counts)
    }

    fn becomes(before: u16, part: u16, all: &[u16; FAN], change: Change) -> u16 {
        if part >= before {
            part
        } else if before <= part.saturating_add(change.fall) {
            Self::of(all)
        } else {
            before
        }
    }
}

impl Kind for Least {
    fn of(counts: &[u16]) -> u16 {
        let least = |least: u16, count: &u16| least.min(*count);
        counts.iter().fold(u16::MAX, least)
    }

    fn becomes(before: u16, part: u16, all: &[u16; FAN], change: Change) -> u16 {
        if part <= before {
            part
        } else if before >= part.saturating_sub(change.rise) {
            Self::of(all)
        } else {
            before
        }
    }
}

/// What has changed of one level.
#[derive(Clone)]
struct Changed {
    /// All that may have changed.
    all: Range<usize>,
    /// Those of them that have changed as counts do, each by the same: all but the first and the last at most.
    alike: Range<usize>,
}

impl Changed {
    /// Returns what has changed of a level of `len` summaries, if this has changed of the one below.
    fn above(&self, len: usize) -> Self {
        Self {
            all: self.all.start / FAN..self.all.end.div_ceil(FAN).min(len),
            alike: self.alike.start.div_ceil(FAN)..self.alike.end / FAN,
        }
    }
}

impl Counts<'_> {
    /// Changes the counts of `offsets`. O(offsets). Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(super) fn change(&mut self, axis: &Axis, offsets: Range<usize>, change: Change) {
        for indices in axis.indices(offsets) {
            if !indices.is_empty() {
                self.change_at(indices, change);
            }
        }
    }

    /// Sets each count of `offsets`, given by its index. O(offsets).
    #[cfg(feature = "risk")]
    pub(super) fn set_each(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> u16,
    ) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let all = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(all.len());
            for index in all.clone() {
                if let Some(busy) = self.busy.get_mut(index) {
                    *busy = count(index);
                }
            }
            let block = all.start / BLOCK;
            if self.change_edge(all, Change::WRITTEN) {
                let all = block..block.wrapping_add(1);
                self.climb(Changed { all, alike: 0..0 }, Change::WRITTEN);
            }
        }
    }

    fn change_at(&mut self, indices: Range<usize>, change: Change) {
        let blocks = Changed {
            all: indices.clone(),
            alike: indices.clone(),
        };
        let blocks = blocks.above(self.blocks());
        let whole = blocks.alike.clone();
        let mut changed = !whole.is_empty();
        if changed {
            let all = self.blocks();
            let slots = whole.start.wrapping_mul(BLOCK)..whole.end.wrapping_mul(BLOCK);
            let least = whole.start.wrapping_add(all)..whole.end.wrapping_add(all);
            change.apply(self.busy.get_mut(slots));
            change.apply(self.summaries.get_mut(whole.clone()));
            change.apply(self.summaries.get_mut(least));
        }
        if whole.start > whole.end {
            changed |= self.change_edge(indices, change);
        } else {
            let before = indices.start..whole.start.wrapping_mul(BLOCK);
            let behind = whole.end.wrapping_mul(BLOCK)..indices.end;
            for edge in [before, behind] {
                if !edge.is_empty() {
                    changed |= self.change_edge(edge, change);
                }
            }
        }
        if changed {
            self.climb(blocks, change);
        }
    }

    /// Changes the counts at `indices`, part of one block, and returns whether its summaries have changed.
    fn change_edge(&mut self, indices: Range<usize>, change: Change) -> bool {
        let number = indices.start / BLOCK;
        let blocks = self.blocks();
        let (most, least) = self
            .summaries
            .split_at_mut_checked(blocks)
            .unwrap_or_default();
        let (slots, _) = self.busy.as_chunks_mut::<BLOCK>();
        let (Some(most), Some(least), Some(block)) = (
            most.get_mut(number),
            least.get_mut(number),
            slots.get_mut(number),
        ) else {
            return false;
        };
        let from = indices.start % BLOCK;
        let part = block.get_mut(from..from.wrapping_add(indices.len()));
        let (mut high, mut low) = (0_u16, u16::MAX);
        for count in part.unwrap_or_default() {
            *count = change.of(*count);
            high = high.max(*count);
            low = low.min(*count);
        }
        let before = (*most, *least);
        *most = Most::becomes(*most, high, block, change);
        *least = Least::becomes(*least, low, block, change);
        before != (*most, *least)
    }

    /// Brings the levels above up to date, after summaries of blocks have changed.
    fn climb(&mut self, blocks: Changed, change: Change) {
        let all = self.blocks();
        if all < FAN {
            return;
        }
        let [most, least] = places(all);
        let mut below = blocks;
        for height in 1..HEIGHT {
            let Some([from, to]) = neighbours(self.summaries, &most, height) else {
                return;
            };
            let level = below.above(to.len());
            if level.all.is_empty() {
                return;
            }
            renew::<Most>(from, to, [&below, &level], change);
            let Some([from, to]) = neighbours(self.summaries, &least, height) else {
                return;
            };
            renew::<Least>(from, to, [&below, &level], change);
            below = level;
        }
    }
}

/// Returns a level and the one below it, which lies before it.
fn neighbours<'s>(
    summaries: &'s mut [u16],
    places: &[Range<usize>; HEIGHT],
    height: usize,
) -> Option<[&'s mut [u16]; 2]> {
    let below = places.get(height.wrapping_sub(1))?.clone();
    let level = places.get(height)?.clone();
    let (before, behind) = summaries.split_at_mut_checked(level.start)?;
    Some([before.get_mut(below)?, behind.get_mut(..level.len())?])
}

/// Brings the summaries `to` up to date, after those `from` which they are have changed: of both levels it is said what has.
fn renew<K: Kind>(from: &[u16], to: &mut [u16], [below, level]: [&Changed; 2], change: Change) {
    let Changed { all, alike } = level;
    change.apply(to.get_mut(alike.clone()));
    let edges = [all.start, all.end.wrapping_sub(1)];
    let edges = edges.get(..all.len().min(2)).unwrap_or_default();
    for edge in edges.iter().filter(|edge| !alike.contains(*edge)) {
        let first = edge.wrapping_mul(FAN);
        let of = first..first.wrapping_add(FAN);
        let part = below.all.start.max(of.start)..below.all.end.min(of.end);
        let (groups, _) = from.as_chunks::<FAN>();
        let (Some(summary), Some(group)) = (to.get_mut(*edge), groups.get(*edge)) else {
            continue;
        };
        let part = K::of(from.get(part).unwrap_or_default());
        *summary = K::becomes(*summary, part, group, change);
    }
}

impl Counts<'_> {
    /// Returns whether all summaries agree with what they are of.
    pub(super) fn levels_hold(&self) -> bool {
        let whole = self.busy.len().is_multiple_of(BLOCK);
        let [most, least] = places(self.blocks());
        let unused = self.summaries.get(least_end(&least)..);
        whole
            && unused.is_some_and(|unused| unused.iter().all(|summary| *summary == 0))
            && self.kind_holds::<Most>(&most)
            && self.kind_holds::<Least>(&least)
    }

    fn kind_holds<K: Kind>(&self, places: &[Range<usize>; HEIGHT]) -> bool {
        let mut below: &[u16] = self.busy;
        places.iter().all(|place| {
            let level = self.summaries.get(place.clone()).unwrap_or_default();
            let (groups, _) = below.as_chunks::<FAN>();
            below = level;
            groups
                .iter()
                .map(|group| K::of(group))
                .eq(level.iter().copied())
        })
    }
}

/// Returns where the summaries end: those of how many are busy at least come last.
fn least_end(least: &[Range<usize>; HEIGHT]) -> usize {
    least.last().map_or(0, |place| place.end)
}
