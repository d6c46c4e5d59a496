//! What [`BulkScan`] knows of many counts at once.

mod runs;
mod windows;

use core::ops::Range;

use super::{
    axis::{Axis, BLOCK},
    counts::{Counts, FEW, peak_of},
    scan::{BulkScan, CountScan, searches_over_counts},
};

/// How many peaks are compared at once.
const CHUNK: usize = 32;

impl CountScan for BulkScan {
    const BULK: bool = true;

    searches_over_counts!();

    #[inline]
    fn last_in_block(counts: &[u16], max_busy: u16) -> Option<usize> {
        last_above::<FEW>(counts, max_busy)
    }

    #[inline]
    fn first_in_block(counts: &[u16], max_busy: u16) -> Option<usize> {
        first_above::<FEW>(counts, max_busy)
    }

    #[inline]
    fn known_before(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: &Range<usize>,
        max_busy: u16,
    ) -> usize {
        if offsets.len() < BLOCK {
            return 0;
        }
        let peaks = counts.peaks_before(axis, offsets);
        let kept = last_above::<CHUNK>(peaks, max_busy).map_or(0, |block| block.wrapping_add(1));
        peaks.len().wrapping_sub(kept).wrapping_mul(BLOCK)
    }

    #[inline]
    fn known_from(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: &Range<usize>,
        max_busy: u16,
    ) -> usize {
        if offsets.len() < BLOCK {
            return 0;
        }
        let peaks = counts.peaks_from(axis, offsets);
        let passed = first_above::<CHUNK>(peaks, max_busy).unwrap_or(peaks.len());
        passed.wrapping_mul(BLOCK)
    }

    #[inline]
    fn known_peak_from(counts: &Counts<'_>, axis: &Axis, offsets: &Range<usize>) -> (usize, u16) {
        if offsets.len() < BLOCK {
            return (0, 0);
        }
        let peaks = counts.peaks_from(axis, offsets);
        (peaks.len().wrapping_mul(BLOCK), peak_of(peaks))
    }

    #[inline]
    fn peak_of_few(counts: &Counts<'_>, axis: &Axis, offsets: &Range<usize>) -> Option<u16> {
        if offsets.len() > 2 * BLOCK {
            return None;
        }
        let first = axis.index(offsets.start);
        let few = counts.busy.get(first..first.wrapping_add(offsets.len()))?;
        Some(peak_of(few))
    }
}

impl Counts<'_> {
    /// Returns the first of `offsets` with at most `max_busy` busy. O(offsets).
    pub(crate) fn first_within(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        let mut unit = FEW;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, unit);
            let from = rest.start;
            rest.start = from.wrapping_add(indices.len());
            // The first is mostly near, so only from the second block on whole blocks are looked at.
            if indices.end.is_multiple_of(BLOCK) {
                unit = BLOCK;
            }
            let part = self.part(indices);
            if any_within(part, max_busy)
                && let Some(found) = part.iter().position(|busy| *busy <= max_busy)
            {
                return Some(from.wrapping_add(found));
            }
        }
        None
    }

    /// Returns the peaks of the whole blocks from the beginning of `offsets` on, where a block begins, up to the end of the arrays.
    fn peaks_from(&self, axis: &Axis, offsets: &Range<usize>) -> &[u16] {
        let first = axis.index(offsets.start) / BLOCK;
        let blocks = offsets.len() / BLOCK;
        let end = first.wrapping_add(blocks).min(self.most.len());
        self.most.get(first..end).unwrap_or_default()
    }

    /// Returns the peaks of the whole blocks before the end of `offsets`, where a block ends, down to the beginning of the arrays.
    fn peaks_before(&self, axis: &Axis, offsets: &Range<usize>) -> &[u16] {
        let last = axis.index(offsets.end.wrapping_sub(1)) / BLOCK;
        let end = last.wrapping_add(1);
        let blocks = offsets.len() / BLOCK;
        self.most
            .get(end.saturating_sub(blocks)..end)
            .unwrap_or_default()
    }
}

/// Returns the last of `counts` above `max_busy`, `N` at a time, so that the compiler can vectorise the comparison.
fn last_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    let (rest, chunks) = counts.as_rchunks::<N>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if any_above(chunk, max_busy) {
            let found = chunk.iter().rposition(above)?;
            let before = index.wrapping_mul(N).wrapping_add(rest.len());
            return Some(before.wrapping_add(found));
        }
    }
    rest.iter().rposition(above)
}

/// Returns the first of `counts` above `max_busy`, as [`last_above`] returns the last.
fn first_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    let (chunks, rest) = counts.as_chunks::<N>();
    for (index, chunk) in chunks.iter().enumerate() {
        if any_above(chunk, max_busy) {
            let found = chunk.iter().position(above)?;
            return Some(index.wrapping_mul(N).wrapping_add(found));
        }
    }
    let found = rest.iter().position(above)?;
    Some(chunks.len().wrapping_mul(N).wrapping_add(found))
}

/// Returns whether any of `counts` is above `max_busy`. What is above is joined bit by bit, which vector instructions test at once; a maximum
/// would have to be found among their lanes first. Inlined, so that the bound is spread over the lanes once in a loop.
#[inline(always)]
fn any_above(counts: &[u16], max_busy: u16) -> bool {
    let above = |all, busy: &u16| all | busy.saturating_sub(max_busy);
    counts.iter().fold(0, above) != 0
}

/// Returns whether any of `counts` is at most `max_busy`, all of them compared at once where they are a whole block.
fn any_within(counts: &[u16], max_busy: u16) -> bool {
    let least = |counts: &[u16]| counts.iter().fold(u16::MAX, |least, busy| least.min(*busy));
    let (blocks, few) = counts.as_chunks::<BLOCK>();
    let least = match blocks.first() {
        Some(block) => least(block),
        None => least(few),
    };
    least <= max_busy
}
