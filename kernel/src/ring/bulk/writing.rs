//! Writing counts with all their summaries.

use core::ops::Range;

use super::levels::{FAN, HEIGHT, places};
use crate::ring::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::Counts,
};

/// How counts change.
#[derive(Clone, Copy)]
pub(super) enum Change<N> {
    /// Every count becomes this one.
    To(N),
    /// So many are added, modulo the width.
    More(N),
}

impl<N: Count> Change<N> {
    /// Returns what a count becomes.
    fn of(self, old: N) -> N {
        match self {
            Self::To(count) => count,
            Self::More(pes) => old.plus(pes),
        }
    }

    /// Changes all of `counts`, or of the summaries of counts that all change.
    #[inline(always)]
    fn apply(self, counts: &mut [N]) {
        match self {
            Self::To(count) => counts.fill(count),
            Self::More(pes) => {
                for count in counts {
                    *count = count.plus(pes);
                }
            }
        }
    }
}

/// How many are busy at most and at least.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Extremes<N> {
    most: N,
    least: N,
}

impl<N: Count> Extremes<N> {
    /// Adds `more` to the counts of a block `from` one `to` another, and returns the extremes of the whole block. All 64 counts are written again: that takes
    /// less time than a loop over the part, since no branch depends on its length and each vector is read once.
    #[inline(always)]
    fn after_adding(more: N, from: usize, to: usize, block: &mut [N; BLOCK]) -> Self {
        let mask = |first: usize| {
            let masks = N::masks().as_flattened().get(first..);
            masks.and_then(<[N]>::first_chunk::<BLOCK>)
        };
        let behind = mask(BLOCK.wrapping_sub(from));
        let before = mask((2 * BLOCK).wrapping_sub(to));
        let mut extremes = SignedExtremes::<N>::NONE;
        if let (Some(behind), Some(before)) = (behind, before) {
            for (count, (behind, before)) in block.iter_mut().zip(behind.iter().zip(before)) {
                *count = count.plus(more & *behind & *before);
                extremes.join(*count, *count);
            }
        }
        extremes.unsigned()
    }

    /// Returns the greatest of `most` and the least of `least`: the extremes of slots of which there are such summaries.
    #[inline(always)]
    fn of(most: &[N; FAN], least: &[N; FAN]) -> Self {
        let mut extremes = SignedExtremes::<N>::NONE;
        for (most, least) in most.iter().zip(least) {
            extremes.join(*most, *least);
        }
        extremes.unsigned()
    }
}

/// Extremes as signed numbers: more processors have vector instructions to compare these.
#[derive(Clone, Copy)]
struct SignedExtremes<N: Count> {
    most: N::Signed,
    least: N::Signed,
}

impl<N: Count> SignedExtremes<N> {
    const NONE: Self = Self {
        most: N::SIGNED[0],
        least: N::SIGNED[1],
    };

    #[inline(always)]
    fn join(&mut self, most: N, least: N) {
        self.most = self.most.max(most.signed());
        self.least = self.least.min(least.signed());
    }

    #[inline(always)]
    fn unsigned(self) -> Extremes<N> {
        Extremes {
            most: N::unsigned(self.most),
            least: N::unsigned(self.least),
        }
    }
}

impl<N: Count> Counts<'_, N> {
    /// Adds `more` to the counts of `offsets`, modulo the width. O(offsets). Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(super) fn add(&mut self, axis: &Axis, offsets: Range<usize>, more: N) {
        self.change(axis, offsets, Change::More(more));
    }

    /// Makes each count of `offsets` the same. O(offsets). Not inlined, as [`Self::add`].
    #[inline(never)]
    pub(super) fn fill(&mut self, axis: &Axis, offsets: Range<usize>, count: N) {
        self.change(axis, offsets, Change::To(count));
    }

    /// Changes the counts of `offsets` block by block, then the levels above if they may have changed.
    #[inline(always)]
    fn change(&mut self, axis: &Axis, offsets: Range<usize>, change: Change<N>) {
        let mut climbs = false;
        let mut from = offsets.start;
        while from < offsets.end {
            let first = axis.index(from);
            let (block, inner) = (first / BLOCK, first % BLOCK);
            let len = BLOCK
                .wrapping_sub(inner)
                .min(offsets.end.wrapping_sub(from));
            climbs |= self.change_block(block, inner, len, change);
            from = from.wrapping_add(len);
        }
        if climbs {
            let [indices, wrapped] = axis.indices(offsets);
            self.climb(indices, change);
            if !wrapped.is_empty() {
                self.climb(wrapped, change);
            }
        }
    }

    /// Sets each count of `offsets`, given by its index. O(offsets).
    #[cfg(feature = "risk")]
    pub(super) fn set_each(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> N,
    ) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            for index in indices.clone() {
                if let Some(busy) = self.busy.get_mut(index) {
                    *busy = count(index);
                }
            }
            if self.change_block(indices.start / BLOCK, 0, 0, Change::More(N::ZERO)) {
                self.climb(indices, Change::More(N::ZERO));
            }
        }
    }

    /// Changes `len` counts of a block from the one at `from` on, and returns whether the summary above may be another one then. O(1).
    #[inline(always)]
    fn change_block(&mut self, number: usize, from: usize, len: usize, change: Change<N>) -> bool {
        let (slots, _) = self.busy.as_chunks_mut::<BLOCK>();
        let blocks = slots.len();
        let (Some(block), Some(old)) = (slots.get_mut(number), get(self.summaries, number, blocks))
        else {
            return false;
        };
        let new = if len == BLOCK {
            change.apply(block);
            Extremes {
                most: change.of(old.most),
                least: change.of(old.least),
            }
        } else {
            let to = from.wrapping_add(len);
            let more = match change {
                Change::More(pes) => pes,
                Change::To(count) => {
                    block.get_mut(from..to).unwrap_or_default().fill(count);
                    N::ZERO
                }
            };
            Extremes::after_adding(more, from, to, block)
        };
        if new == old {
            return false;
        }
        set(self.summaries, number, blocks, new);
        let (group, groups) = (number / FAN, blocks / FAN);
        let place = group.wrapping_add(blocks).wrapping_add(blocks);
        match get(self.summaries, place, groups) {
            Some(above) if group < groups => {
                let most = new.most > above.most || old.most == above.most;
                most || new.least < above.least || old.least == above.least
            }
            _ => false,
        }
    }

    /// Brings the levels above the blocks up to date, after the counts at `indices` have changed. O(log indices) and a 4,096th of them.
    #[inline(never)]
    fn climb(&mut self, indices: Range<usize>, change: Change<N>) {
        // What may have changed of a level, and what of it has as counts do, each by the same.
        let mut changed = indices.start / BLOCK..indices.end.div_ceil(BLOCK);
        let mut alike = indices.start.div_ceil(BLOCK)..indices.end / BLOCK;
        let (mut rest, mut len) = (&mut *self.summaries, self.busy.len() / BLOCK);
        for _ in 1..HEIGHT {
            let (below, rest_above) = rest
                .split_at_mut_checked(len.wrapping_mul(2))
                .unwrap_or_default();
            let (most, least) = below.split_at_checked(len).unwrap_or_default();
            let ((most, _), (least, _)) = (most.as_chunks(), least.as_chunks());
            len = most.len();
            let level = rest_above
                .get_mut(..len.wrapping_mul(2))
                .unwrap_or_default();
            changed = changed.start / FAN..changed.end.div_ceil(FAN).min(len);
            alike = alike.start.div_ceil(FAN)..alike.end / FAN;
            let mut goes_on = !alike.is_empty();
            if goes_on {
                let (most, least) = level.split_at_mut_checked(len).unwrap_or_default();
                for summaries in [most, least] {
                    change.apply(summaries.get_mut(alike.clone()).unwrap_or_default());
                }
            }
            let mut number = changed.start;
            while number < changed.end {
                if let (Some(most), Some(least)) = (most.get(number), least.get(number)) {
                    let new = Extremes::of(most, least);
                    goes_on |= get(level, number, len) != Some(new);
                    set(level, number, len, new);
                }
                // Those between the first and the last have changed alike.
                number = number.wrapping_add(1).max(changed.end.wrapping_sub(1));
            }
            if !goes_on {
                return;
            }
            rest = rest_above;
        }
    }
}

/// Returns the summary at `place`; the second kind lies `len` behind the first.
#[inline(always)]
fn get<N: Count>(summaries: &[N], place: usize, len: usize) -> Option<Extremes<N>> {
    Some(Extremes {
        most: *summaries.get(place)?,
        least: *summaries.get(place.wrapping_add(len))?,
    })
}

/// Sets the summary at `place`, as [`get`] returns it.
#[inline(always)]
fn set<N: Count>(summaries: &mut [N], place: usize, len: usize, new: Extremes<N>) {
    if let Some(most) = summaries.get_mut(place) {
        *most = new.most;
    }
    if let Some(least) = summaries.get_mut(place.wrapping_add(len)) {
        *least = new.least;
    }
}

impl<N: Count> Counts<'_, N> {
    /// Returns whether all summaries agree with what they are of.
    pub(super) fn levels_hold(&self) -> bool {
        let whole = self.busy.len().is_multiple_of(BLOCK);
        let [most, least] = places(self.blocks());
        let unused = self.summaries.get(least_end(&least)..);
        whole
            && unused.is_some_and(|unused| unused.iter().all(|summary| *summary == N::ZERO))
            && self.kind_holds(&most, |of| of.iter().max())
            && self.kind_holds(&least, |of| of.iter().min())
    }

    fn kind_holds(
        &self,
        places: &[Range<usize>; HEIGHT],
        extreme: impl Fn(&[N; FAN]) -> Option<&N>,
    ) -> bool {
        let mut below: &[N] = self.busy;
        places.iter().all(|place| {
            let level = self.summaries.get(place.clone()).unwrap_or_default();
            let (groups, _) = below.as_chunks::<FAN>();
            below = level;
            groups.iter().map(&extreme).eq(level.iter().map(Some))
        })
    }
}

/// Returns where the summaries end: those of how many are busy at least come last.
fn least_end(least: &[Range<usize>; HEIGHT]) -> usize {
    least.last().map_or(0, |place| place.end)
}
