//! How searches read a ring: plainly, or many slots at once.

use core::ops::Range;

use super::{axis::Axis, counts::Counts};

/// How searches read a ring. The answers are the same, and so is what the ring holds. It is the last type parameter of a ring,
/// [`NativeScan`] unless said otherwise. The trait is sealed.
///
/// ```
/// use bookahead::{PeCount, Policy, Request, Slot, Span, raw::{BulkScan, PlainScan, Scan}};
/// use bookahead_heap::{BoxedCountBook, Sizes};
/// fn start<S: Scan>(memory: &mut BoxedCountBook) -> Option<Slot> {
///     let request = Request {
///         ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
///     };
///     let mut book = memory.parts().view_with::<S>();
///     book.plan(&request, Policy::PeBestFit).ok().map(|plan| plan.window().start)
/// }
/// let mut memory = BoxedCountBook::new(Sizes { pes: 4, slots: 48, reservations: 8 }).unwrap();
/// assert_eq!(start::<PlainScan>(&mut memory), start::<BulkScan>(&mut memory));
/// ```
#[allow(private_bounds, reason = "sealed: only the crate's own scans")]
pub trait Scan: CountScan + Copy + PartialEq + core::fmt::Debug + 'static {}

/// A [`Scan`] in little code, for microcontrollers: slot by slot, and block by block where a block's peak decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainScan {}

/// A [`Scan`] for speed, for processors that compare many counts at once and can spare the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkScan {}

/// The [`Scan`] that suits the target.
#[cfg(target_pointer_width = "64")]
pub type NativeScan = BulkScan;
/// The [`Scan`] that suits the target.
#[cfg(not(target_pointer_width = "64"))]
pub type NativeScan = PlainScan;

impl Scan for PlainScan {}

impl Scan for BulkScan {}

/// Implements the searches over counts without type parameters, so that they are compiled with this crate.
macro_rules! searches_over_counts {
    () => {
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
    };
}
pub(super) use searches_over_counts;

/// The searches over counts, and what a [`Scan`] may know of many counts at once; by default nothing.
pub(crate) trait CountScan: Sized {
    /// Whether searches over whole starts look at many of them at once.
    const BULK: bool;

    /// Returns the last of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    fn last_above(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize>;

    /// Returns the first of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    fn first_above(
        counts: &Counts<'_>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize>;

    /// Returns the greatest count in `offsets`. O(offsets), 64 at a time for whole blocks.
    fn peak(counts: &Counts<'_>, axis: &Axis, offsets: Range<usize>) -> u16;

    /// Returns the position of the last of `counts`, at most a block, above `max_busy`.
    fn last_in_block(counts: &[u16], max_busy: u16) -> Option<usize> {
        counts.iter().rposition(|busy| *busy > max_busy)
    }

    /// Returns the position of the first of `counts`, at most a block, above `max_busy`.
    fn first_in_block(counts: &[u16], max_busy: u16) -> Option<usize> {
        counts.iter().position(|busy| *busy > max_busy)
    }

    /// Returns how many slots before the end of `offsets`, where a block ends, are known to be within `max_busy`.
    fn known_before(
        _counts: &Counts<'_>,
        _axis: &Axis,
        _offsets: &Range<usize>,
        _max_busy: u16,
    ) -> usize {
        0
    }

    /// Returns how many slots from the beginning of `offsets` on, where a block begins, are known to be within `max_busy`.
    fn known_from(
        _counts: &Counts<'_>,
        _axis: &Axis,
        _offsets: &Range<usize>,
        _max_busy: u16,
    ) -> usize {
        0
    }

    /// Returns how many slots from the beginning of `offsets` on, where a block begins, have a peak that is known, and that peak.
    fn known_peak_from(
        _counts: &Counts<'_>,
        _axis: &Axis,
        _offsets: &Range<usize>,
    ) -> (usize, u16) {
        (0, 0)
    }

    /// Returns the greatest count in `offsets`, if reading each of them costs least.
    fn peak_of_few(_counts: &Counts<'_>, _axis: &Axis, _offsets: &Range<usize>) -> Option<u16> {
        None
    }
}

impl CountScan for PlainScan {
    const BULK: bool = false;

    searches_over_counts!();
}
