//! Growing windows over busy counts.

use core::{marker::PhantomData, ops::Range};

use super::{count::Count, growing_window::GrowingWindow, profile::Profile, scan::Scan};

/// A growing window over busy counts: it is as busy as its fullest slot.
pub(crate) struct GrowingCounts<'r, S, N> {
    profile: Profile<'r, N>,
    peak: N,
    scan: PhantomData<S>,
}

impl<'r, S, N: Count> GrowingCounts<'r, S, N> {
    pub(crate) const fn new(profile: Profile<'r, N>) -> Self {
        Self {
            profile,
            peak: N::ZERO,
            scan: PhantomData,
        }
    }
}

impl<S: Scan, N: Count> GrowingWindow for GrowingCounts<'_, S, N> {
    const COUNTS_DECIDE: bool = true;

    fn begin(&mut self, offset: usize) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = counts.at(axis.index(offset));
    }

    fn begin_with(&mut self, window: Range<usize>) {
        let Profile { axis, counts, .. } = self.profile;
        self.peak = S::peak(counts, axis, window);
    }

    fn extend(&mut self, offset: usize, max_busy: u32) -> bool {
        let Profile { axis, counts, .. } = self.profile;
        let peak = self.peak.max(counts.at(axis.index(offset)));
        let fits = peak.get() <= max_busy;
        if fits {
            self.peak = peak;
        }
        fits
    }

    fn busy(&self) -> u32 {
        self.peak.get()
    }
}
