//! Sliding windows over busy sets.

use core::ops::Range;

use super::{
    busy_sets::{ColumnView, GROUP},
    counts::Counts,
    element::{Column, busy, chunk, fold},
    sliding_window::SlidingWindow,
    sweep::Sweep,
};

/// How many elements per slot of its range a search over wide columns may read in single windows before it turns to the sweep, whose cost
/// is linear in the worst case.
const ALLOWANCE: usize = 3;

/// How many slots a rectangle grows by at first.
const STRETCH: usize = 32;

/// Sliding windows over busy sets.
pub(crate) struct SlidingSets<'r, C> {
    counts: &'r Counts<'r>,
    any: &'r [C],
    /// What is busy at some time of the window that was joined last.
    joined: &'r mut [C],
    sweep: Sweep<'r, C>,
    /// Elements that may still be read in single windows.
    allowance: usize,
    /// How many are busy in the window that was examined last.
    busy_of_fit: u32,
    /// Whether the next window is unlikely to fit.
    doubtful: bool,
}

impl<'r, C: Column> SlidingSets<'r, C> {
    /// Creates the windows of a search over a range of `reach` slots; `any` holds the unions of 8 slots, `joined` is scratch memory.
    pub(crate) fn new(
        counts: &'r Counts<'r>,
        any: &'r [C],
        joined: &'r mut [C],
        sweep: Sweep<'r, C>,
        reach: usize,
    ) -> Self {
        Self {
            counts,
            any,
            joined,
            sweep,
            allowance: reach.saturating_mul(ALLOWANCE),
            busy_of_fit: 0,
            doubtful: false,
        }
    }

    fn column(&self, number: usize) -> ColumnView<'_, C> {
        let storage = self.sweep.axis.storage();
        ColumnView {
            rows: chunk(self.sweep.rows, number, storage),
            any: chunk(self.any, number, storage / GROUP),
        }
    }

    /// Joins one window by the unions of 8 slots, and returns the last start that is known not to fit, if any. If too many are busy even
    /// without the window's first group of slots, no start in that group fits; if too many are busy in its second half, no start in the first
    /// half fits. O(duration / 8 x columns).
    fn probe(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let end = start.saturating_add(self.sweep.duration);
        let core = self.behind_first_group(start);
        let tail = self.last_group_edge(core, end);
        self.join(core..tail);
        // When a fit is unlikely, whole groups often decide, and single elements need not be fetched.
        if self.doubtful && busy(self.joined) > max_busy {
            return Some(self.settled(core, end, max_busy));
        }
        self.join_edges(start..core, tail..end);
        self.busy_of_fit = busy(self.joined);
        // After a fit the bound is lower, and after a failure the next window is nearly as full: either way it is unlikely to fit.
        self.doubtful = true;
        if self.busy_of_fit <= max_busy {
            return None;
        }
        if busy(self.sweep.scratch()) <= max_busy {
            return Some(start);
        }
        Some(self.settled(core, end, max_busy))
    }

    /// Returns, when too many are busy from `core` to `end`, the last start that is known not to fit: the middle if too many are busy in the
    /// second half too, otherwise `core`.
    fn settled(&mut self, core: usize, end: usize, max_busy: u32) -> usize {
        let half = core.saturating_add(end.saturating_sub(core) / 2);
        let half = self.last_group_edge(core, half);
        if half == core {
            return core;
        }
        self.join(half..end);
        if busy(self.joined) > max_busy {
            half
        } else {
            core
        }
    }

    /// Returns the last edge of a group at or before `offset`, but at least `from`.
    fn last_group_edge(&self, from: usize, offset: usize) -> usize {
        let into_group = self.sweep.axis.index(offset) % GROUP;
        offset.saturating_sub(into_group).max(from)
    }

    /// Returns the end of the first group of the window at `start`, or of the window if that is earlier.
    fn behind_first_group(&self, start: usize) -> usize {
        let into_group = self.sweep.axis.index(start) % GROUP;
        let ahead = GROUP.wrapping_sub(into_group).min(self.sweep.duration);
        start.saturating_add(ahead)
    }

    /// Adds the elements of `head` and `tail` to `joined`; each is at most a group. The result without the head is stored in the sweep's
    /// scratch memory. All columns are read before anything is counted, so that the processor can load several at a time.
    fn join_edges(&mut self, head: Range<usize>, tail: Range<usize>) {
        let storage = self.sweep.axis.storage();
        // Groups do not straddle the end of the arrays.
        let [head, _] = self.sweep.axis.indices(head);
        let [tail, _] = self.sweep.axis.indices(tail);
        let (rows, cores) = self.sweep.rows_and_scratch();
        for (number, (joined, core)) in self.joined.iter_mut().zip(cores).enumerate() {
            let rows = chunk(rows, number, storage);
            *core = joined.join(fold(rows, tail.clone()));
            *joined = core.join(fold(rows, head.clone()));
        }
    }

    /// Stores in `joined` what is busy at some time of `offsets`.
    fn join(&mut self, offsets: Range<usize>) {
        let storage = self.sweep.axis.storage();
        let [early, late] = self.sweep.axis.indices(offsets);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let column = ColumnView {
                rows: chunk(self.sweep.rows, number, storage),
                any: chunk(self.any, number, storage / GROUP),
            };
            *joined = column.union(early.clone());
            if !late.is_empty() {
                *joined = joined.join(column.union(late.clone()));
            }
        }
    }
}

impl<C: Column> SlidingWindow for SlidingSets<'_, C> {
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        // Reading narrow sets takes no longer than reading their counts, and decides more.
        if C::WIDE {
            let blocked = self.counts.last_above(self.sweep.axis, unchecked, max_busy);
            if blocked.is_some() {
                return blocked;
            }
        }
        let max_busy = u32::from(max_busy);
        let price = (self.sweep.duration / GROUP).saturating_add(GROUP);
        if C::WIDE
            && let Some(left) = self.allowance.checked_sub(price)
        {
            self.allowance = left;
            return self.probe(start, max_busy);
        }
        self.sweep.slide_to(start);
        self.busy_of_fit = self.sweep.busy(start);
        (self.busy_of_fit > max_busy).then(|| self.last_start_above(start, max_busy))
    }

    /// The sweep goes forward only.
    fn can_return(&self) -> bool {
        false
    }

    fn busy_of_fit(&self, _start: usize) -> u32 {
        self.busy_of_fit
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        self.sweep.slide_to(start);
        let mut busy = 0_u32;
        for (joined, now) in self.joined.iter_mut().zip(self.sweep.joined(start)) {
            *joined = now;
            busy = busy.wrapping_add(now.busy());
        }
        busy
    }

    fn last_start_above(&self, start: usize, max_busy: u32) -> usize {
        if C::WIDE {
            self.sweep.last_start_above(start, max_busy)
        } else {
            start
        }
    }

    fn conflicts(&self, offset: usize) -> bool {
        let storage = self.sweep.axis.storage();
        let index = self.sweep.axis.index(offset);
        self.joined.iter().enumerate().any(|(number, joined)| {
            let row = chunk(self.sweep.rows, number, storage).get(index);
            row.is_some_and(|row| !row.and_not(*joined).is_idle())
        })
    }

    /// Outwards in stretches that double, each over all columns: what one column leaves free for long, another mostly does not.
    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize> {
        let mut inner = start..start.saturating_add(self.sweep.duration);
        // Narrow columns are cheap to read.
        if !C::WIDE {
            return self.grown(&inner, within);
        }
        let mut within = within;
        let mut stretch = STRETCH;
        // Each round doubles the stretch, and the last one reaches both ends.
        while inner != within {
            let outer = inner.start.saturating_sub(stretch).max(within.start)
                ..inner.end.saturating_add(stretch).min(within.end);
            let grown = self.grown(&inner, outer.clone());
            // A side that has met a conflict grows no further.
            if grown.start > outer.start {
                within.start = grown.start;
            }
            if grown.end < outer.end {
                within.end = grown.end;
            }
            inner = grown;
            stretch = stretch.saturating_mul(2);
        }
        inner
    }
}

impl<C: Column> SlidingSets<'_, C> {
    /// Returns the longest range in `outer` around `inner` during which everything free in the window stays free.
    fn grown(&self, inner: &Range<usize>, outer: Range<usize>) -> Range<usize> {
        let axis = self.sweep.axis;
        let mut grown = outer;
        for (number, joined) in self.joined.iter().enumerate() {
            let column = self.column(number);
            // Later columns are examined only as far as the earlier ones are free.
            let before = column.last_conflict(axis, grown.start..inner.start, *joined);
            if let Some(slot) = before {
                grown.start = slot.saturating_add(1);
            }
            let behind = column.first_conflict(axis, inner.end..grown.end, *joined);
            if let Some(slot) = behind {
                grown.end = slot;
            }
        }
        grown
    }
}
