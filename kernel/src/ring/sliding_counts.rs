//! Sliding windows over busy counts.

use core::{marker::PhantomData, ops::Range};

use super::{
    count::Count,
    profile::Profile,
    scan::Scan,
    sliding_window::{BulkWindow, SlidingWindow},
};

/// Sliding windows over busy counts: the busiest slot decides how many are free throughout.
pub(crate) struct SlidingCounts<'r, S, N> {
    profile: Profile<'r, N>,
    duration: usize,
    /// The end of the current window.
    end: usize,
    /// The greatest count of the current window, and the last offset that has it.
    peak: N,
    peak_at: usize,
    scan: PhantomData<S>,
}

impl<'r, S, N: Count> SlidingCounts<'r, S, N> {
    pub(crate) const fn new(profile: Profile<'r, N>, duration: usize) -> Self {
        Self {
            profile,
            duration,
            end: 0,
            peak: N::ZERO,
            peak_at: 0,
            scan: PhantomData,
        }
    }

    fn window(&self, start: usize) -> Range<usize> {
        start..start.saturating_add(self.duration)
    }
}

impl<S: Scan, N: Count> SlidingWindow for SlidingCounts<'_, S, N> {
    fn last_blocked(
        &mut self,
        _start: usize,
        unchecked: Range<usize>,
        max_busy: u32,
    ) -> Option<usize> {
        let Profile { axis, counts, .. } = self.profile;
        counts.last_above::<S>(axis, unchecked, N::of(max_busy))
    }

    fn busy_of_fit(&self, start: usize) -> u32 {
        let Profile { axis, counts, .. } = self.profile;
        S::peak(counts, axis, self.window(start)).get()
    }

    /// While the peak stays in the window, only the added slots are read; when it leaves, all are read, 64 at a time.
    fn slide_to(&mut self, start: usize) -> u32 {
        let Profile { axis, counts, .. } = self.profile;
        let window = self.window(start);
        let kept = self.peak_at >= start;
        let fresh = if kept { self.end.max(start) } else { start }..window.end;
        self.end = window.end;
        let peak = S::peak(counts, axis, fresh.clone());
        if !kept || peak >= self.peak {
            self.peak = peak;
            // When nothing is busy, every slot is a peak.
            let last = match peak.get().checked_sub(1) {
                Some(below) => counts.last_above::<S>(axis, fresh, N::of(below)),
                None => fresh.last(),
            };
            self.peak_at = last.unwrap_or(start);
        }
        self.peak.get()
    }

    fn last_start_above(&mut self, start: usize, _limit: u32) -> usize {
        start
    }

    fn conflicts(&self, offset: usize) -> bool {
        let Profile { axis, counts, .. } = self.profile;
        counts.at(axis.index(offset)) > self.peak
    }

    // Not inlined on small devices, where it takes stack.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    fn rectangle(&mut self, window: Range<usize>, within: Range<usize>) -> Range<usize> {
        let Profile { axis, counts, .. } = self.profile;
        let before = counts.last_above::<S>(axis, within.start..window.start, self.peak);
        let behind = S::first_above(counts, axis, window.end..within.end, self.peak);
        before.map_or(within.start, |slot| slot.saturating_add(1))..behind.unwrap_or(within.end)
    }
}

impl<S: Scan, N: Count> BulkWindow for SlidingCounts<'_, S, N> {}
