//! How searches read a ring: plainly, or many slots at once.

use core::ops::Range;

use super::{axis::Axis, count::Count, counts::Counts};

/// How searches read a ring, and what it keeps for them. The answers are the same. It is the last type parameter of a ring,
/// [`NativeScan`] unless said otherwise, and stays the same as long as there is something in the ring. The trait is sealed.
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
pub trait Scan: CountScan + Copy + PartialEq + core::fmt::Debug + 'static {
    /// How many summaries, each as wide as a count, are kept for every 64 slots.
    const SUMMARIES: usize;
}

/// A [`Scan`] in little code, for microcontrollers: slot by slot, and block by block where a block's peak decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainScan {}

/// A [`Scan`] for speed, for processors that compare many counts at once and can spare the code. What is busy in 64, in 4,096 and in 262,144 slots,
/// at least and at most, is kept, so that stretches in which nothing happens are skipped in a few steps, however long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkScan {}

/// The [`Scan`] that suits the target.
#[cfg(target_pointer_width = "64")]
pub type NativeScan = BulkScan;
/// The [`Scan`] that suits the target.
#[cfg(not(target_pointer_width = "64"))]
pub type NativeScan = PlainScan;

impl Scan for PlainScan {
    const SUMMARIES: usize = 1;
}

impl Scan for BulkScan {
    const SUMMARIES: usize = 3;
}

/// Writing counts with their summaries, the searches over them, and what a [`Scan`] may know of many counts at once; by default nothing.
pub(crate) trait CountScan: Sized {
    /// Whether searches over whole starts look at many of them at once.
    const BULK: bool;

    /// Adds `pes` to the counts of `offsets`, or subtracts it. O(offsets).
    fn write<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        pes: N,
        busy: bool,
    );

    /// Makes each count of `offsets` the same. O(offsets).
    fn fill<N: Count>(counts: &mut Counts<'_, N>, axis: &Axis, offsets: Range<usize>, count: N);

    /// Sets each count of `offsets`, given by its index. O(offsets).
    #[cfg(feature = "risk")]
    fn replace<N: Count>(
        counts: &mut Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> N,
    );

    /// Returns the next of `offsets` where something may be busy. Between these slots and the next ones so found nothing is.
    fn next_busy<N: Count>(
        _counts: &Counts<'_, N>,
        _axis: &Axis,
        offsets: Range<usize>,
    ) -> Option<Range<usize>> {
        (!offsets.is_empty()).then_some(offsets)
    }

    /// Returns whether the summaries agree with the slots.
    fn summaries_hold<N: Count>(counts: &Counts<'_, N>) -> bool;

    /// Returns the last of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides; in bulk O(log offsets).
    fn last_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize>;

    /// Returns the first of `offsets` with more than `max_busy` busy. Cost as of [`last_above`](Self::last_above).
    fn first_above<N: Count>(
        counts: &Counts<'_, N>,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: N,
    ) -> Option<usize>;

    /// Returns the greatest count in `offsets`. Cost as of [`last_above`](Self::last_above).
    fn peak<N: Count>(counts: &Counts<'_, N>, axis: &Axis, offsets: Range<usize>) -> N;

    /// Returns the position of the last of `counts`, at most a block, above `max_busy`.
    fn last_in_block<N: Count>(counts: &[N], max_busy: N) -> Option<usize> {
        counts.iter().rposition(|busy| *busy > max_busy)
    }

    /// Returns the position of the first of `counts`, at most a block, above `max_busy`.
    fn first_in_block<N: Count>(counts: &[N], max_busy: N) -> Option<usize> {
        counts.iter().position(|busy| *busy > max_busy)
    }

    /// Returns how many slots before the end of `offsets`, where a block ends, are known to be within `max_busy`.
    fn known_before<N: Count>(
        _counts: &Counts<'_, N>,
        _axis: &Axis,
        _offsets: &Range<usize>,
        _max_busy: N,
    ) -> usize {
        0
    }

    /// Returns how many slots from the beginning of `offsets` on, where a block begins, are known to be within `max_busy`.
    fn known_from<N: Count>(
        _counts: &Counts<'_, N>,
        _axis: &Axis,
        _offsets: &Range<usize>,
        _max_busy: N,
    ) -> usize {
        0
    }

    /// Returns how many slots from the beginning of `offsets` on, where a block begins, have a peak that is known, and that peak.
    fn known_peak_from<N: Count>(
        _counts: &Counts<'_, N>,
        _axis: &Axis,
        _offsets: &Range<usize>,
    ) -> (usize, N) {
        (0, N::ZERO)
    }

    /// Returns the greatest count in `offsets`, if reading each of them costs least.
    fn peak_of_few<N: Count>(
        _counts: &Counts<'_, N>,
        _axis: &Axis,
        _offsets: &Range<usize>,
    ) -> Option<N> {
        None
    }
}
