//! What [`BulkScan`] knows of many counts at once.

mod finders;
mod levels;
mod long_runs;
mod runs;
mod windows;
mod writing;

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::{Counts, FEW, peak_of},
    scan::{BulkScan, CountScan},
};
pub(crate) use long_runs::LONG;

use finders::{first_above, first_within, last_above, last_within};
use levels::{FAN, NEAR};

/// The number of slots up to which the peaks of blocks are looked at one after the other, since what is sought is mostly near.
const FAR: usize = 32 * STEP;

/// How many slots are looked at in this way first, where there are more.
const STEP: usize = FAN * BLOCK;

impl CountScan for BulkScan {
    const BULK: bool = true;

    fn last_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        if offsets.end.wrapping_sub(offsets.start) > FAR {
            return counts.last_above_far(axis, offsets, max_busy);
        }
        counts.last_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    fn first_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        if offsets.end.wrapping_sub(offsets.start) > FAR {
            return counts.first_above_far(axis, offsets, max_busy);
        }
        counts.first_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    fn peak<N: Count>(counts: &Counts<'_, N>, axis: &Axis, offsets: Range<usize>) -> N {
        if offsets.end.wrapping_sub(offsets.start) > FAR {
            return counts.peak_far(axis, offsets);
        }
        counts.peak_by_blocks::<Self>(axis, offsets)
    }

    fn write<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        pes: N,
        busy: bool,
    ) {
        let more = if busy { pes } else { pes.negative() };
        counts.add(axis, offsets, more);
    }

    fn fill<N: Count>(counts: &mut Counts<'_, N>, axis: &Axis, offsets: Range<usize>, count: N) {
        counts.fill(axis, offsets, count);
    }

    #[cfg(feature = "risk")]
    fn replace<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> N,
    ) {
        counts.set_each(axis, offsets, count);
    }

    /// Slots in a row of which 64 at a time are not all idle; fewer are not worth a look.
    #[inline]
    fn next_busy<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
    ) -> Option<Range<usize>> {
        if offsets.len() < BLOCK {
            return (!offsets.is_empty()).then_some(offsets);
        }
        let start = Self::first_above(counts, axis, offsets.clone(), N::ZERO)?;
        let mut end = start;
        loop {
            let indices = axis.first_unit(&(end..offsets.end), BLOCK);
            if indices.is_empty() || counts.peak_of_block(&indices) == N::ZERO {
                return Some(start..end);
            }
            end = end.wrapping_add(indices.len());
        }
    }

    fn summaries_hold<N: Count>(counts: &Counts<'_, N>) -> bool {
        counts.levels_hold()
    }

    #[inline]
    fn last_in_block<N: Count>(counts: &[N], max_busy: N) -> Option<usize> {
        last_above::<FEW, _>(counts, max_busy)
    }

    #[inline]
    fn first_in_block<N: Count>(counts: &[N], max_busy: N) -> Option<usize> {
        first_above::<FEW, _>(counts, max_busy)
    }

    #[inline]
    fn known_before<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: &Range<usize>,
        max_busy: N,
    ) -> usize {
        if offsets.len() < BLOCK {
            return 0;
        }
        let most = counts.most_of(counts.blocks_before(axis, offsets));
        let kept = last_above::<NEAR, _>(most, max_busy).map_or(0, |block| block.wrapping_add(1));
        most.len().wrapping_sub(kept).wrapping_mul(BLOCK)
    }

    #[inline]
    fn known_from<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: &Range<usize>,
        max_busy: N,
    ) -> usize {
        if offsets.len() < BLOCK {
            return 0;
        }
        let most = counts.most_of(counts.blocks_from(axis, offsets));
        let passed = first_above::<NEAR, _>(most, max_busy).unwrap_or(most.len());
        passed.wrapping_mul(BLOCK)
    }

    #[inline]
    fn known_peak_from<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: &Range<usize>,
    ) -> (usize, N) {
        if offsets.len() < BLOCK {
            return (0, N::ZERO);
        }
        let most = counts.most_of(counts.blocks_from(axis, offsets));
        (most.len().wrapping_mul(BLOCK), peak_of(most))
    }

    #[inline]
    fn peak_of_few<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: &Range<usize>,
    ) -> Option<N> {
        if offsets.len() > 2 * BLOCK {
            return None;
        }
        let first = axis.index(offsets.start);
        let few = counts.busy.get(first..first.wrapping_add(offsets.len()))?;
        Some(peak_of(few))
    }
}

impl<N: Count> Counts<'_, N> {
    /// As [`CountScan::last_above`], for many slots. O(log offsets): what is sought is mostly near; blocks that are skipped lead to one in which it lies.
    #[inline(never)]
    fn last_above_far(&self, axis: &Axis, offsets: Range<usize>, max_busy: N) -> Option<usize> {
        let mut rest = offsets;
        while rest.len() > FAR {
            let near = rest.end.wrapping_sub(STEP);
            let near = near.wrapping_sub(axis.index(near) % BLOCK);
            let found = self.last_above_by_blocks::<BulkScan>(axis, near..rest.end, max_busy);
            if found.is_some() {
                return found;
            }
            rest.end = near;
            let blocks = self.blocks_before(axis, &rest);
            let last = self.last_block_above(blocks.clone(), max_busy);
            let kept = last.map_or(blocks.start, |last| last.wrapping_add(1));
            let within = blocks.end.wrapping_sub(kept).wrapping_mul(BLOCK);
            rest.end = near.wrapping_sub(within);
        }
        self.last_above_by_blocks::<BulkScan>(axis, rest, max_busy)
    }

    /// As [`CountScan::first_above`], for many slots; otherwise as [`Self::last_above_far`].
    #[inline(never)]
    fn first_above_far(&self, axis: &Axis, offsets: Range<usize>, max_busy: N) -> Option<usize> {
        let mut rest = offsets;
        while rest.len() > FAR {
            let near = rest.start.wrapping_add(STEP);
            let near = near.wrapping_sub(axis.index(near) % BLOCK);
            let found = self.first_above_by_blocks::<BulkScan>(axis, rest.start..near, max_busy);
            if found.is_some() {
                return found;
            }
            rest.start = near;
            let blocks = self.blocks_from(axis, &rest);
            let first = self.first_block_above(blocks.clone(), max_busy);
            let within = first.unwrap_or(blocks.end).wrapping_sub(blocks.start);
            rest.start = near.wrapping_add(within.wrapping_mul(BLOCK));
        }
        self.first_above_by_blocks::<BulkScan>(axis, rest, max_busy)
    }

    /// As [`CountScan::peak`], for many slots. O(log offsets).
    #[inline(never)]
    fn peak_far(&self, axis: &Axis, offsets: Range<usize>) -> N {
        let lead = axis.first_unit(&offsets, BLOCK).len();
        let from = offsets.start.wrapping_add(lead);
        let to = offsets.end.wrapping_sub(axis.index(offsets.end) % BLOCK);
        let [before, after] = [offsets.start..from, to..offsets.end];
        let [early, late] = axis
            .indices(from..to)
            .map(|indices| self.peak_of_blocks(indices.start / BLOCK..indices.end / BLOCK));
        let ends = [before, after].map(|end| self.peak_by_blocks::<BulkScan>(axis, end));
        peak_of(&[early, late]).max(peak_of(&ends))
    }

    /// Returns the first of `offsets` with at most `max_busy` busy. O(log offsets).
    pub(crate) fn first_within(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        let mut rest = offsets;
        if rest.is_empty() {
            return None;
        }
        let indices = axis.first_unit(&rest, BLOCK);
        if self.least_of_block(indices.start / BLOCK) <= max_busy
            && let Some(found) = first_within::<FEW, _>(self.part(indices.clone()), max_busy)
        {
            return Some(rest.start.wrapping_add(found));
        }
        rest.start = rest.start.wrapping_add(indices.len());
        self.first_within_blocks(axis, rest, max_busy)
    }

    /// As [`Self::first_within`], for offsets that begin with a block.
    fn first_within_blocks(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        let mut from = offsets.start;
        let indices = axis.indices(offsets).into_iter();
        for indices in indices.filter(|indices| !indices.is_empty()) {
            let blocks = indices.start / BLOCK..indices.end.div_ceil(BLOCK);
            if let Some(block) = self.first_block_within(blocks, max_busy) {
                let first = block.wrapping_mul(BLOCK);
                let end = first.wrapping_add(BLOCK).min(indices.end);
                // If it is not found, it lies in the last block, behind the offsets.
                let found = first_within::<FEW, _>(self.part(first..end), max_busy)?;
                let before = first.wrapping_sub(indices.start).wrapping_add(found);
                return Some(from.wrapping_add(before));
            }
            from = from.wrapping_add(indices.len());
        }
        None
    }

    /// Returns the last of `offsets` with at most `max_busy` busy. O(log offsets).
    pub(crate) fn last_within(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        let [early, late] = axis.indices(offsets.clone());
        let wrap = offsets.start.wrapping_add(early.len());
        let in_part = |first: usize, indices: Range<usize>| {
            let from = indices.start;
            let found = self.last_index_within(indices, max_busy)?;
            Some(first.wrapping_add(found.wrapping_sub(from)))
        };
        in_part(wrap, late).or_else(|| in_part(offsets.start, early))
    }

    /// Returns the last of `indices`, which do not wrap, with at most `max_busy` busy.
    fn last_index_within(&self, indices: Range<usize>, max_busy: N) -> Option<usize> {
        let mut blocks = indices.start / BLOCK..indices.end.div_ceil(BLOCK);
        while let Some(block) = self.last_block_within(blocks.clone(), max_busy) {
            let first = block.wrapping_mul(BLOCK).max(indices.start);
            let end = block.wrapping_add(1).wrapping_mul(BLOCK).min(indices.end);
            let found = last_within::<FEW, _>(self.part(first..end), max_busy);
            // Of the last block and of the first one, some slots may be outside.
            if let Some(found) = found {
                return Some(first.wrapping_add(found));
            }
            blocks.end = block;
        }
        None
    }

    /// Returns the whole blocks from the beginning of `offsets` on, where a block begins, up to the end of the arrays.
    fn blocks_from(&self, axis: &Axis, offsets: &Range<usize>) -> Range<usize> {
        let first = axis.index(offsets.start) / BLOCK;
        let end = first.wrapping_add(offsets.len() / BLOCK);
        first..end.min(self.blocks())
    }

    /// Returns the whole blocks before the end of `offsets`, where a block ends, down to the beginning of the arrays.
    fn blocks_before(&self, axis: &Axis, offsets: &Range<usize>) -> Range<usize> {
        let last = axis.index(offsets.end.wrapping_sub(1)) / BLOCK;
        let end = last.wrapping_add(1);
        end.saturating_sub(offsets.len() / BLOCK)..end
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]
mod tests {
    use super::{Axis, BulkScan, Count, CountScan, Counts, FAR};
    use crate::time::Slot;
    extern crate std;
    use std::vec;

    const BLOCKS: usize = 2 * FAR / 64 + 70;

    #[test]
    fn what_is_far_is_what_slot_by_slot_is_found() {
        look_far(1_u16);
        // Halves of such counts say nothing.
        look_far(1_u32 << 16);
    }

    /// With bookings of `pes`.
    fn look_far<N: Count>(pes: N) {
        let mut state = 5_u64;
        let mut number = |limit: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        for _ in 0..12 {
            let slots = BLOCKS * 64 - number(64);
            let mut axis = Axis::new(9, slots as u32, BLOCKS as u32);
            axis.move_now(Slot::new(1), number(slots));
            let mut busy = vec![N::ZERO; BLOCKS * 64];
            let mut summaries = vec![N::ZERO; BLOCKS * 3];
            let mut counts = Counts {
                busy: &mut busy,
                summaries: &mut summaries,
            };
            let mut last = 0;
            for _ in 0..number(5) {
                let start = number(slots - 200);
                last = start + 1 + number(150);
                BulkScan::write(&mut counts, &axis, start..last, pes, true);
            }
            for _ in 0..12 {
                let from = number(slots - FAR);
                // Now and then, what is busy begins just before the end.
                let end = [last, from + FAR + number(slots - FAR - from + 1)][number(2)];
                let range = end.saturating_sub(FAR + 1 + from)..end;
                let at = |slot: &usize| counts.at(axis.index(*slot));
                let above = |slot: &usize| at(slot) > N::ZERO;
                let first = BulkScan::first_above(&counts, &axis, range.clone(), N::ZERO);
                assert_eq!(first, range.clone().find(above), "{range:?}");
                let last = BulkScan::last_above(&counts, &axis, range.clone(), N::ZERO);
                assert_eq!(last, range.clone().rfind(above), "{range:?}");
                let peak = BulkScan::peak(&counts, &axis, range.clone());
                assert_eq!(peak, range.map(|slot| at(&slot)).max().unwrap_or_default());
            }
        }
    }
}
