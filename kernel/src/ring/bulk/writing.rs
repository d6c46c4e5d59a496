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
    fn apply(self, counts: &mut [u16]) {
        for count in counts {
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

    /// Returns whether `one` decides before `other`.
    fn decides(one: u16, other: u16) -> bool;
}

/// How many are busy at most.
enum Most {}

/// How many are busy at least.
enum Least {}

impl Kind for Most {
    fn of(counts: &[u16]) -> u16 {
        peak_of(counts)
    }

    fn decides(one: u16, other: u16) -> bool {
        one >= other
    }

    #[inline]
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

    fn decides(one: u16, other: u16) -> bool {
        one <= other
    }

    #[inline]
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
        let [indices, wrapped] = axis.indices(offsets);
        if !indices.is_empty() {
            self.change_at(indices, change);
        }
        if !wrapped.is_empty() {
            self.change_at(wrapped, change);
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
            self.change_part(all, Change::WRITTEN);
        }
    }

    fn change_at(&mut self, indices: Range<usize>, change: Change) {
        let whole = indices.start.div_ceil(BLOCK)..indices.end / BLOCK;
        if whole.start > whole.end {
            return self.change_part(indices, change);
        }
        let before = indices.start..whole.start.wrapping_mul(BLOCK);
        let behind = whole.end.wrapping_mul(BLOCK)..indices.end;
        if !whole.is_empty() {
            self.change_blocks(whole, change);
        }
        for part in [before, behind] {
            if !part.is_empty() {
                self.change_part(part, change);
            }
        }
    }

    /// Changes whole blocks: each of their summaries by the same.
    fn change_blocks(&mut self, whole: Range<usize>, change: Change) {
        let blocks = self.each_block();
        let slots = blocks.slots.get_mut(whole.clone());
        change.apply(slots.unwrap_or_default().as_flattened_mut());
        for summaries in [blocks.most, blocks.least] {
            change.apply(summaries.get_mut(whole.clone()).unwrap_or_default());
        }
        let alike = whole.clone();
        self.climb(Changed { all: whole, alike }, change);
    }

    /// Changes the counts at `indices`, part of one block. O(1); what a summary was that was decided by them takes another look at those it is of.
    fn change_part(&mut self, indices: Range<usize>, change: Change) {
        let number = indices.start / BLOCK;
        let Some([most, least]) = self.each_block().change_part(indices, change) else {
            return;
        };
        self.climb_from::<Most>(0, number, most);
        self.climb_from::<Least>(1, number, least);
    }

    /// Brings the levels above a block up to date, after its summary of the kind that is stored as the `kind`-th has changed from what it was `before`.
    fn climb_from<K: Kind>(&mut self, kind: usize, block: usize, before: u16) {
        let (mut number, mut before) = (block, before);
        let (mut from, mut len) = (0_usize, self.blocks());
        for _ in 1..HEIGHT {
            let (above, place) = (len / FAN, number / FAN);
            let to = from.wrapping_add(len).wrapping_add(len);
            let apart = self.summaries.split_at_mut_checked(to);
            let (lower, upper) = apart.unwrap_or_default();
            let lower = lower.get(from.wrapping_add(len.wrapping_mul(kind))..);
            let lower = lower.and_then(|lower| lower.get(..len)).unwrap_or_default();
            let (groups, _) = lower.as_chunks::<FAN>();
            let (Some(now), Some(group), Some(summary)) = (
                lower.get(number),
                groups.get(place),
                upper.get_mut(above.wrapping_mul(kind).wrapping_add(place)),
            ) else {
                return;
            };
            let becomes = if K::decides(*now, *summary) {
                *now
            } else if before == *summary {
                K::of(group)
            } else {
                return;
            };
            if becomes == *summary {
                return;
            }
            before = core::mem::replace(summary, becomes);
            (number, from, len) = (place, to, above);
        }
    }

    /// Returns the blocks and their summaries.
    fn each_block(&mut self) -> Blocks<'_> {
        let (slots, _) = self.busy.as_chunks_mut();
        let rest = self.summaries.split_at_mut_checked(slots.len());
        let (most, rest) = rest.unwrap_or_default();
        let (least, _) = rest.split_at_mut_checked(slots.len()).unwrap_or_default();
        Blocks { slots, most, least }
    }

    /// Brings the levels above up to date, after summaries of blocks have changed.
    fn climb(&mut self, blocks: Changed, change: Change) {
        let mut below = blocks;
        // Where the level below begins, and how many it has of each kind.
        let (mut from, mut len) = (0_usize, self.blocks());
        for _ in 1..HEIGHT {
            let above = len / FAN;
            if above == 0 {
                break;
            }
            let level = below.above(above);
            let to = from.wrapping_add(len).wrapping_add(len);
            let apart = self.summaries.split_at_mut_checked(to);
            let (lower, upper) = apart.unwrap_or_default();
            let lower = lower.get(from..).unwrap_or_default();
            let (most, least) = lower.split_at_checked(len).unwrap_or_default();
            let (upper_most, upper_least) = upper.split_at_mut_checked(above).unwrap_or_default();
            let both = [&below, &level];
            let changed = renew::<Most>(most, upper_most, both, change)
                | renew::<Least>(least, upper_least, both, change);
            if !changed {
                break;
            }
            (below, from, len) = (level, to, above);
        }
    }
}

/// All blocks, with how many are busy in each at most and at least.
struct Blocks<'a> {
    slots: &'a mut [[u16; BLOCK]],
    most: &'a mut [u16],
    least: &'a mut [u16],
}

impl Blocks<'_> {
    /// Changes the counts at `indices`, part of one block, and returns what its summaries were, if one has changed.
    #[inline]
    fn change_part(self, indices: Range<usize>, change: Change) -> Option<[u16; 2]> {
        let number = indices.start / BLOCK;
        let most = self.most.get_mut(number)?;
        let least = self.least.get_mut(number)?;
        let block = self.slots.get_mut(number)?;
        let from = indices.start % BLOCK;
        let part = block.get_mut(from..from.wrapping_add(indices.len()));
        let (mut high, mut low) = (0_u16, u16::MAX);
        for count in part.unwrap_or_default() {
            *count = change.of(*count);
            high = high.max(*count);
            low = low.min(*count);
        }
        let before = [*most, *least];
        *most = Most::becomes(*most, high, block, change);
        *least = Least::becomes(*least, low, block, change);
        (before != [*most, *least]).then_some(before)
    }
}

/// Brings the summaries `to` up to date, after those `from` which they are have changed: of both levels it is said what has. Returns whether one
/// of them has.
fn renew<K: Kind>(
    from: &[u16],
    to: &mut [u16],
    [below, level]: [&Changed; 2],
    change: Change,
) -> bool {
    let Changed { all, alike } = level;
    let mut changed = !alike.is_empty();
    if changed {
        change.apply(to.get_mut(alike.clone()).unwrap_or_default());
    }
    let (groups, _) = from.as_chunks::<FAN>();
    let mut edge = all.start;
    while edge < all.end {
        let first = edge.wrapping_mul(FAN);
        let part = below.all.start.max(first)..below.all.end.min(first.wrapping_add(FAN));
        if !alike.contains(&edge)
            && let (Some(summary), Some(group), Some(part)) =
                (to.get_mut(edge), groups.get(edge), from.get(part))
        {
            let becomes = K::becomes(*summary, K::of(part), group, change);
            changed |= becomes != *summary;
            *summary = becomes;
        }
        // Those between the first and the last have changed alike.
        edge = edge.wrapping_add(1).max(all.end.wrapping_sub(1));
    }
    changed
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
