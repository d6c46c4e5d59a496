//! Growing windows over busy counts.

use core::{marker::PhantomData, ops::Range};

use super::{growing_window::GrowingWindow, profile::Profile, scan::Scan};

/// A growing window over busy counts: it is as busy as its fullest slot.
pub(crate) struct GrowingCounts<'r, S> {
    profile: Profile<'r>,
    peak: u16,
    scan: PhantomData<S>,
}

impl<'r, S> GrowingCounts<'r, S> {
    pub(crate) const fn new(profile: Profile<'r>) -> Self {
        Self {
            profile,
            peak: 0,
            scan: PhantomData,
        }
    }
}

impl<S: Scan> GrowingWindow for GrowingCounts<'_, S> {
    const COUNTS_DECIDE: bool = true;

    fn begin(&mut self, offset: usize) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = counts.at(axis.index(offset));
    }

    fn begin_with(&mut self, window: Range<usize>) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = S::peak(counts, axis, window);
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
