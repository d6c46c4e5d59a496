//! The number of busy processing elements of each slot, with the peak of every 64 slots.

use core::ops::Range;

use super::axis::{Axis, BLOCK};

/// Busy counts in blocks of 64 slots, with each block's peak.
///
/// The counts are of busy and not of free processing elements, so that idle memory is all zeros.
pub(crate) struct Counts<'a> {
    pub(crate) busy: &'a mut [u16],
    pub(crate) most: &'a mut [u16],
}

/// The number of slots up to which reading them all takes less time than finding the blocks they lie in.
const FEW: usize = 16;

/// The number of slots that are compared at once where no peak decides.
const CHUNK: usize = 16;

impl Counts<'_> {
    pub(crate) fn at(&self, index: usize) -> u16 {
        self.busy.get(index).copied().unwrap_or_default()
    }

    /// Adds `pes` to the counts of `offsets`, or subtracts it. O(offsets).
    pub(crate) fn write(&mut self, axis: &Axis, offsets: Range<usize>, pes: u16, busy: bool) {
        let more = if busy { pes } else { pes.wrapping_neg() };
        self.shift(axis, offsets, u16::MAX, more);
    }

    /// Clears `offsets`. O(offsets).
    pub(crate) fn wipe(&mut self, axis: &Axis, offsets: Range<usize>) {
        self.shift(axis, offsets, 0, 0);
    }

    /// Masks each count with `keep`, then adds `more`. Not inlined, so that the code exists once in a program.
    #[inline(never)]
    fn shift(&mut self, axis: &Axis, offsets: Range<usize>, keep: u16, more: u16) {
        let shifted = |count: u16| (count & keep).wrapping_add(more);
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let block = indices.start / BLOCK;
            let Some(most) = self.most.get_mut(block) else {
                return;
            };
            let part = self.busy.get_mut(indices).unwrap_or_default();
            let whole = part.len() == BLOCK;
            // When all counts of a block change alike, so does their peak.
            let mut was = *most;
            if whole {
                part.iter_mut().for_each(|count| *count = shifted(*count));
            } else {
                was = 0;
                for count in part {
                    was = was.max(*count);
                    *count = shifted(*count);
                }
            }
            let peak = shifted(was);
            if whole || peak >= *most {
                *most = peak;
            } else if was == *most {
                // The block's peak was in the part that has changed; now it may be anywhere in the block.
                let from = block.wrapping_mul(BLOCK);
                let all = self.busy.get(from..from.wrapping_add(BLOCK));
                *most = peak_of(all.unwrap_or_default());
            }
        }
    }

    /// Returns the last of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    #[inline]
    pub(crate) fn last_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let len = offsets.len();
        if len <= FEW {
            let first = axis.index(offsets.start);
            if let Some(few) = self.busy.get(first..first.wrapping_add(len)) {
                let found = few.iter().rposition(|busy| *busy > max_busy)?;
                return Some(offsets.start.wrapping_add(found));
            }
        }
        self.last_above_of_many(axis, offsets, max_busy)
    }

    fn last_above_of_many(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let [early, late] = axis.indices(offsets.clone());
        let wrap = offsets.end.wrapping_sub(late.len());
        if let Some(found) = self.last_index_above(late, max_busy) {
            return Some(wrap.wrapping_add(found));
        }
        let first = early.start;
        let found = self.last_index_above(early, max_busy)?;
        Some(offsets.start.wrapping_add(found.wrapping_sub(first)))
    }

    /// Returns the last of `indices`, which do not wrap, with more than `max_busy` busy.
    fn last_index_above(&self, indices: Range<usize>, max_busy: u16) -> Option<usize> {
        let [head, blocks, tail] = in_blocks(&indices);
        self.last_of_part_above(tail, max_busy)
            .or_else(|| {
                let peaks = self.most.get(blocks.clone()).unwrap_or_default();
                let block = blocks.start.wrapping_add(last_above(peaks, max_busy)?);
                let from = block.wrapping_mul(BLOCK);
                self.last_of_part_above(from..from.wrapping_add(BLOCK), max_busy)
            })
            .or_else(|| self.last_of_part_above(head, max_busy))
    }

    /// The same for indices in one block.
    fn last_of_part_above(&self, indices: Range<usize>, max_busy: u16) -> Option<usize> {
        if self.peak_of_block(&indices) <= max_busy {
            return None;
        }
        let first = indices.start;
        let found = last_above(self.part(indices), max_busy)?;
        Some(first.wrapping_add(found))
    }

    /// Returns the first of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    pub(crate) fn first_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let [early, late] = axis.indices(offsets.clone());
        let (first, wrap) = (early.start, offsets.start.wrapping_add(early.len()));
        if let Some(found) = self.first_index_above(early, max_busy) {
            return Some(offsets.start.wrapping_add(found.wrapping_sub(first)));
        }
        let found = self.first_index_above(late, max_busy)?;
        Some(wrap.wrapping_add(found))
    }

    /// Returns the first of `indices`, which do not wrap, with more than `max_busy` busy.
    fn first_index_above(&self, indices: Range<usize>, max_busy: u16) -> Option<usize> {
        let [head, blocks, tail] = in_blocks(&indices);
        self.first_of_part_above(head, max_busy)
            .or_else(|| {
                let peaks = self.most.get(blocks.clone()).unwrap_or_default();
                let block = blocks.start.wrapping_add(first_above(peaks, max_busy)?);
                let from = block.wrapping_mul(BLOCK);
                self.first_of_part_above(from..from.wrapping_add(BLOCK), max_busy)
            })
            .or_else(|| self.first_of_part_above(tail, max_busy))
    }

    /// The same for indices in one block.
    fn first_of_part_above(&self, indices: Range<usize>, max_busy: u16) -> Option<usize> {
        if self.peak_of_block(&indices) <= max_busy {
            return None;
        }
        let first = indices.start;
        let found = first_above(self.part(indices), max_busy)?;
        Some(first.wrapping_add(found))
    }

    /// Returns the first of `offsets` with at most `max_busy` busy. O(offsets).
    pub(crate) fn first_within(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, CHUNK);
            let from = rest.start;
            rest.start = from.wrapping_add(indices.len());
            let part = self.part(indices);
            if least_of(part) <= max_busy
                && let Some(found) = part.iter().position(|busy| *busy <= max_busy)
            {
                return Some(from.wrapping_add(found));
            }
        }
        None
    }

    /// Returns the greatest count in `offsets`. O(offsets), 64 at a time for whole blocks.
    pub(crate) fn peak(&self, axis: &Axis, offsets: Range<usize>) -> u16 {
        let mut peak = 0;
        for indices in axis.indices(offsets) {
            let [head, blocks, tail] = in_blocks(&indices);
            peak = peak.max(peak_of(self.most.get(blocks).unwrap_or_default()));
            for part in [head, tail] {
                if self.peak_of_block(&part) > peak {
                    peak = peak.max(peak_of(self.part(part)));
                }
            }
        }
        peak
    }

    /// Returns whether the peaks agree with the slots.
    pub(crate) fn summaries_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        let peaks = blocks.iter().map(|slots| peak_of(slots));
        rest.is_empty() && peaks.eq(self.most.iter().copied())
    }

    /// Returns the peak of the block that holds `indices`.
    fn peak_of_block(&self, indices: &Range<usize>) -> u16 {
        let most = self.most.get(indices.start / BLOCK);
        most.copied().unwrap_or_default()
    }

    fn part(&self, indices: Range<usize>) -> &[u16] {
        self.busy.get(indices).unwrap_or_default()
    }
}

/// Returns the last of `counts` above `max_busy`; on a host 16 at a time, so that the compiler can vectorise the comparison.
fn last_above(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    if cfg!(not(target_pointer_width = "64")) {
        return counts.iter().rposition(above);
    }
    let (rest, chunks) = counts.as_rchunks::<16>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if peak_of(chunk) > max_busy {
            let found = chunk.iter().rposition(above)?;
            return Some(rest.len().wrapping_add(index << 4).wrapping_add(found));
        }
    }
    rest.iter().rposition(above)
}

/// Returns the first of `counts` above `max_busy`; as [`last_above`].
fn first_above(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    if cfg!(not(target_pointer_width = "64")) {
        return counts.iter().position(above);
    }
    let (chunks, rest) = counts.as_chunks::<16>();
    for (index, chunk) in chunks.iter().enumerate() {
        if peak_of(chunk) > max_busy {
            let found = chunk.iter().position(above)?;
            return Some((index << 4).wrapping_add(found));
        }
    }
    let found = rest.iter().position(above)?;
    Some((chunks.len() << 4).wrapping_add(found))
}

fn least_of(counts: &[u16]) -> u16 {
    counts.iter().fold(u16::MAX, |least, busy| least.min(*busy))
}

fn peak_of(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, busy| peak.max(*busy))
}

/// Splits indices into those before the first whole block, the numbers of the whole blocks, and the indices behind them. What lies in one block
/// is all head.
fn in_blocks(indices: &Range<usize>) -> [Range<usize>; 3] {
    let first = indices.start.div_ceil(BLOCK);
    let end = indices.end / BLOCK;
    let head = indices.start..first.wrapping_mul(BLOCK).min(indices.end);
    let tail = end.wrapping_mul(BLOCK).max(head.end)..indices.end;
    [head, first..end.max(first), tail]
}
