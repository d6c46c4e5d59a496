//! The peaks of windows that begin one after the other.

use core::ops::Range;

use crate::ring::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::Counts,
    scan::{BulkScan, CountScan},
};

impl<N: Count> Counts<'_, N> {
    /// Returns the greatest count of each window of `len` slots that begins at `start` or in one of the 63 slots after it; windows that end
    /// after `end` count as full. O(len / 64).
    #[inline(never)]
    pub(crate) fn window_peaks(
        &self,
        axis: &Axis,
        start: usize,
        len: usize,
        end: usize,
    ) -> [N; BLOCK] {
        // Long windows share their middle. What only some of them have are the slots before and behind it, which, put side by side, are
        // windows of 64 slots.
        let middle = start.saturating_add(BLOCK)..start.saturating_add(len.max(BLOCK));
        let behind = middle.end.saturating_add(BLOCK).min(end);
        let mut peaks = [N::MAX; 2 * BLOCK];
        let (before, after) = peaks.split_at_mut(BLOCK);
        self.copy_to(axis, start..middle.start.min(end), before);
        self.copy_to(axis, middle.end.min(behind)..behind, after);
        let short = len.min(BLOCK);
        let mut known = 1_usize;
        // Behind the slots is room for those that are later, so that the loop has a length known beforehand.
        let mut all = [N::MAX; 3 * BLOCK];
        while known < short {
            let more = known.min(short.wrapping_sub(known));
            for (slot, peak) in all.iter_mut().zip(peaks) {
                *slot = peak;
            }
            let later = all.get(more..).and_then(<[N]>::first_chunk);
            let later: &[N; 2 * BLOCK] = later.unwrap_or(N::FULL);
            for (peak, later) in peaks.iter_mut().zip(later) {
                *peak = (*peak).max(*later);
            }
            known = known.wrapping_add(more);
        }
        let shared = BulkScan::peak(self, axis, middle);
        let peaks = peaks.first_chunk().copied().unwrap_or([N::MAX; BLOCK]);
        peaks.map(|peak| peak.max(shared))
    }

    /// Copies the counts of `offsets` to the beginning of `copy`.
    fn copy_to(&self, axis: &Axis, offsets: Range<usize>, copy: &mut [N]) {
        let mut rest = copy;
        for indices in axis.indices(offsets) {
            let part = self.part(indices);
            let (copy, behind) = rest.split_at_mut_checked(part.len()).unwrap_or_default();
            for (copy, busy) in copy.iter_mut().zip(part) {
                *copy = *busy;
            }
            rest = behind;
        }
    }
}
