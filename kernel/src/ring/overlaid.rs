//! What of a ring waits for others to end early.

use core::ops::Range;

/// The overlaid layer of a ring. Rings without one have the defaults, so programs without overlays contain none of the code behind them.
pub(crate) trait Overlaid {
    /// Whether the ring has such a layer.
    const OVERLAYS: bool = false;

    /// Returns how many processing elements of the reservation in `row` are overlaid.
    fn overlaid(&self, _row: usize) -> u32 {
        0
    }

    /// Returns whether something is overlaid in a slot of `offsets`. O(offsets).
    fn is_overlaid(&self, _offsets: Range<usize>) -> bool {
        false
    }

    /// Returns how many processing elements are not firmly booked throughout `offsets`. O(offsets).
    #[cfg(feature = "risk")]
    fn firmly_free(&self, _offsets: Range<usize>) -> u32 {
        0
    }

    /// Turns `pes` of the overlaid part of `row` into an ordinary booking throughout `offsets`, where so many are firmly free. O(offsets).
    #[cfg(feature = "risk")]
    fn book(&mut self, _row: usize, _offsets: Range<usize>, _pes: u32) {}

    /// Returns how many processing elements no job runs on. O(PEs).
    #[cfg(feature = "risk")]
    fn idle(&self) -> u32 {
        0
    }

    /// Returns the revision of the book after which overlays were last examined for becoming ordinary bookings.
    #[cfg(feature = "risk")]
    fn seen(&self) -> Option<u64> {
        None
    }

    /// Sets that revision.
    #[cfg(feature = "risk")]
    fn set_seen(&mut self, _revision: u64) {}
}
