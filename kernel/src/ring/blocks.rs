//! Searches over counts, block by block where a block's peak decides.

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::{Counts, FEW, peak_of},
    scan::CountScan,
};

impl<N: Count> Counts<'_, N> {
    /// As [`CountScan::last_above`]; a few slots are read where they lie.
    #[inline]
    pub(crate) fn last_above<S: CountScan>(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
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
        max_busy: N,
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
        max_busy: N,
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
    pub(super) fn peak_by_blocks<S: CountScan>(&self, axis: &Axis, offsets: Range<usize>) -> N {
        if let Some(peak) = S::peak_of_few(self, axis, &offsets) {
            return peak;
        }
        let mut peak = N::ZERO;
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
}
