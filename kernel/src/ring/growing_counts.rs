//! Growing windows over busy counts.

use core::ops::Range;

use super::{growing_window::GrowingWindow, profile::Profile};

/// A growing window over busy counts: it is as busy as its fullest slot.
pub(crate) struct GrowingCounts<'r> {
    pub(crate) profile: Profile<'r>,
    pub(crate) peak: u16,
}

impl GrowingWindow for GrowingCounts<'_> {
    const COUNTS_DECIDE: bool = true;

    fn begin(&mut self, offset: usize) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = counts.at(axis.index(offset));
    }

    fn begin_with(&mut self, window: Range<usize>) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = counts.peak(axis, window);
    }

    fn extend(&mut self, offset: usize, max_busy: u16) -> bool {
        let Profile { axis, counts, .. } = self.profile;
        let peak = self.peak.max(counts.at(axis.index(offset)));
        let fits = peak <= max_busy;
        if fits {
            self.peak = peak;
        }
        fits
    }

    fn busy(&self) -> u16 {
        self.peak
    }
}
