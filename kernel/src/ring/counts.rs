//! The number of busy processing elements of each slot, with summaries: plainly, the peak of every 64 slots.

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    scan::CountScan,
};

/// Busy counts in blocks of 64 slots, with summaries: first each block's peak, then what the [`Scan`](super::Scan) keeps besides.
///
/// The counts are of busy and not of free processing elements, so that idle memory is all zeros.
pub(crate) struct Counts<'a> {
    pub(crate) busy: &'a mut [u16],
    pub(crate) summaries: &'a mut [u16],
}

/// The number of slots up to which reading them all takes less time than finding the blocks they lie in.
pub(super) const FEW: usize = 16;

impl Counts<'_> {
    pub(crate) fn at(&self, index: usize) -> u16 {
        self.busy.get(index).copied().unwrap_or_default()
    }

    /// Masks each count with `keep`, then adds `more`. Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(super) fn shift(&mut self, axis: &Axis, offsets: Range<usize>, keep: u16, more: u16) {
        let shifted = |count: u16| (count & keep).wrapping_add(more);
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let block = indices.start / BLOCK;
            let Some(most) = self.summaries.get_mut(block) else {
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

    /// See [`CountScan::replace`].
    #[cfg(feature = "risk")]
    pub(super) fn replace(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> u16,
    ) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let block = indices.start / BLOCK;
            for index in indices {
                if let Some(busy) = self.busy.get_mut(index) {
                    *busy = count(index);
                }
            }
            let from = block.wrapping_mul(BLOCK);
            let all = self.busy.get(from..from.wrapping_add(BLOCK));
            if let Some(most) = self.summaries.get_mut(block) {
                *most = peak_of(all.unwrap_or_default());
            }
        }
    }

    /// As [`CountScan::last_above`]; a few slots are read where they lie.
    #[inline]
    pub(crate) fn last_above<S: CountScan>(
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
        S::last_above(self, axis, offsets, max_busy)
    }

    /// See [`CountScan::last_above`].
    pub(super) fn last_above_by_blocks<S: CountScan>(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.last_unit(&rest, BLOCK);
            rest.end = rest.end.wrapping_sub(indices.len());
            if self.peak_of_block(&indices) > max_busy
                && let Some(found) = S::last_in_block(self.part(indices), max_busy)
            {
                return Some(rest.end.wrapping_add(found));
            }
            let known = S::known_before(self, axis, &rest, max_busy);
            rest.end = rest.end.wrapping_sub(known);
        }
        None
    }

    /// See [`CountScan::first_above`].
    pub(super) fn first_above_by_blocks<S: CountScan>(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            let from = rest.start;
            rest.start = from.wrapping_add(indices.len());
            if self.peak_of_block(&indices) > max_busy
                && let Some(found) = S::first_in_block(self.part(indices), max_busy)
            {
                return Some(from.wrapping_add(found));
            }
            let known = S::known_from(self, axis, &rest, max_busy);
            rest.start = rest.start.wrapping_add(known);
        }
        None
    }

    /// See [`CountScan::peak`].
    pub(super) fn peak_by_blocks<S: CountScan>(&self, axis: &Axis, offsets: Range<usize>) -> u16 {
        if let Some(peak) = S::peak_of_few(self, axis, &offsets) {
            return peak;
        }
        let mut peak = 0;
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let most = self.peak_of_block(&indices);
            if most > peak {
                peak = if indices.len() == BLOCK {
                    most
                } else {
                    peak.max(peak_of(self.part(indices)))
                };
            }
            let (known, most) = S::known_peak_from(self, axis, &rest);
            peak = peak.max(most);
            rest.start = rest.start.wrapping_add(known);
        }
        peak
    }

    /// Returns whether the peaks agree with the slots.
    pub(super) fn peaks_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        let peaks = blocks.iter().map(|slots| peak_of(slots));
        let kept = self.summaries.get(..blocks.len()).unwrap_or_default();
        rest.is_empty() && peaks.eq(kept.iter().copied())
    }

    /// Returns the peak of the block that holds `indices`.
    pub(super) fn peak_of_block(&self, indices: &Range<usize>) -> u16 {
        let most = self.summaries.get(indices.start / BLOCK);
        most.copied().unwrap_or_default()
    }

    pub(super) fn part(&self, indices: Range<usize>) -> &[u16] {
        self.busy.get(indices).unwrap_or_default()
    }
}

pub(super) fn peak_of(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, busy| peak.max(*busy))
}
