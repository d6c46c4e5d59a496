//! The number of busy processing elements of each slot, with summaries: plainly, the peak of every 64 slots.

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    count::Count,
};

/// Busy counts in blocks of 64 slots, with summaries: first each block's peak, then what the [`Scan`](super::Scan) keeps besides.
///
/// The counts are of busy and not of free processing elements, so that idle memory is all zeros.
pub(crate) struct Counts<'a, N = u16> {
    pub(crate) busy: &'a mut [N],
    pub(crate) summaries: &'a mut [N],
}

/// The number of slots up to which reading them all takes less time than finding the blocks they lie in.
pub(super) const FEW: usize = 16;

impl<N: Count> Counts<'_, N> {
    pub(crate) fn at(&self, index: usize) -> N {
        self.busy.get(index).copied().unwrap_or_default()
    }

    /// Becomes as the others.
    #[cfg(feature = "plan")]
    pub(super) fn copy(&mut self, other: &Self) {
        super::planning::copy(self.busy, other.busy);
        super::planning::copy(self.summaries, other.summaries);
    }

    /// Masks each count with `keep`, then adds `more`. Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(super) fn shift(&mut self, axis: &Axis, offsets: Range<usize>, keep: N, more: N) {
        let shifted = |count: N| (count & keep).plus(more);
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
                was = N::ZERO;
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

    /// See [`CountScan::replace`](super::CountScan::replace).
    #[cfg(feature = "risk")]
    pub(super) fn replace(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> N,
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

    /// Returns whether the peaks agree with the slots.
    pub(super) fn peaks_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        let peaks = blocks.iter().map(|slots| peak_of(slots));
        let kept = self.summaries.get(..blocks.len()).unwrap_or_default();
        rest.is_empty() && peaks.eq(kept.iter().copied())
    }

    /// Returns the peak of the block that holds `indices`.
    pub(super) fn peak_of_block(&self, indices: &Range<usize>) -> N {
        let most = self.summaries.get(indices.start / BLOCK);
        most.copied().unwrap_or_default()
    }

    pub(super) fn part(&self, indices: Range<usize>) -> &[N] {
        self.busy.get(indices).unwrap_or_default()
    }
}

pub(super) fn peak_of<N: Count>(counts: &[N]) -> N {
    counts.iter().fold(N::ZERO, |peak, busy| peak.max(*busy))
}
