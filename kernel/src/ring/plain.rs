//! A ring that is read plainly.

use core::ops::Range;

use super::{
    axis::Axis,
    count::Count,
    counts::Counts,
    scan::{CountScan, PlainScan},
};

// Searches are not inlined on small devices, so that their code exists once in a program.
impl CountScan for PlainScan {
    const BULK: bool = false;

    fn write<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        pes: N,
        busy: bool,
    ) {
        let more = if busy { pes } else { pes.negative() };
        counts.shift(axis, offsets, N::MAX, more);
    }

    fn fill<N: Count>(counts: &mut Counts<'_, N>, axis: &Axis, offsets: Range<usize>, count: N) {
        counts.shift(axis, offsets, N::ZERO, count);
    }

    #[cfg(feature = "risk")]
    fn replace<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> N,
    ) {
        counts.replace(axis, offsets, count);
    }

    fn summaries_hold<N: Count>(counts: &Counts<'_, N>) -> bool {
        counts.peaks_hold()
    }

    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn last_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        counts.last_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn first_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize> {
        counts.first_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn peak<N: Count>(counts: &Counts<'_, N>, axis: &Axis, offsets: Range<usize>) -> N {
        counts.peak_by_blocks::<Self>(axis, offsets)
    }
}
