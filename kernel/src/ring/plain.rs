//! A ring that is read plainly.

use core::ops::Range;

use super::{
    axis::Axis,
    counts::Counts,
    scan::{CountScan, PlainScan},
};

impl CountScan for PlainScan {
    const BULK: bool = false;

    fn write(counts: &mut Counts<'_>, axis: &Axis, offsets: Range<usize>, pes: u16, busy: bool) {
        let more = if busy { pes } else { pes.wrapping_neg() };
        counts.shift(axis, offsets, u16::MAX, more);
    }

    fn wipe(counts: &mut Counts<'_>, axis: &Axis, offsets: Range<usize>) {
        counts.shift(axis, offsets, 0, 0);
    }

    #[cfg(feature = "risk")]
    fn replace(
        counts: &mut Counts<'_>,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> u16,
    ) {
        counts.replace(axis, offsets, count);
    }

    fn summaries_hold(counts: &Counts<'_>) -> bool {
        counts.peaks_hold()
    }

    fn last_above(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        counts.last_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    fn first_above(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        counts.first_above_by_blocks::<Self>(axis, offsets, max_busy)
    }

    // Not inlined on small devices, so that the code exists once in a program.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn peak(counts: &Counts<'_>, axis: &Axis, offsets: Range<usize>) -> u16 {
        counts.peak_by_blocks::<Self>(axis, offsets)
    }
}
