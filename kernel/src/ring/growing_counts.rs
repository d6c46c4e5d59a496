//! Growing windows over busy counts.

use super::{growing_window::GrowingWindow, profile::Profile};

/// A growing window over busy counts: it is as busy as its fullest slot.
pub(crate) struct GrowingCounts<'r> {
    pub(crate) profile: Profile<'r>,
    pub(crate) peak: u16,
}

impl GrowingWindow for GrowingCounts<'_> {
    fn begin(&mut self, offset: usize) {
        self.peak = 0;
        self.extend(offset, u16::MAX);
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
