//! Windows over busy sets.

use core::ops::Range;

use super::{
    busy_sets::{ColumnView, GROUP},
    counts::Counts,
    element::{Column, busy, chunk, fold},
    sliding_window::SlidingWindow,
    sweep::Sweep,
};

/// How many rows per slot of the stretch it covers a search over wide columns may read by single windows before it turns to the sweep, whose cost is linear
/// in the worst case.
const ALLOWANCE: usize = 3;

/// Windows over busy sets.
pub(crate) struct SlidingSets<'r, C> {
    counts: &'r Counts<'r>,
    any: &'r [C],
    /// What is busy at some time of the window joined last.
    joined: &'r mut [C],
    sweep: Sweep<'r, C>,
    /// Rows that may still be read by single windows.
    allowance: usize,
    /// How many are busy in the window looked at last.
    busy_of_fit: u32,
    /// Whether the next window will hardly fit.
    doubtful: bool,
}

impl<'r, C: Column> SlidingSets<'r, C> {
    /// Windows for a search over a stretch of `reach` slots; `any` are the unions of 8, `joined` is scratch memory.
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

    /// Joins one window by the unions of 8. If there is too much in it even without its first group of slots, that settles all
    /// the starts in the group, and if in its second half, half a window. O(duration / 8 x columns).
    fn probe(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let end = start.saturating_add(self.sweep.duration);
        let core = self.behind_first_group(start);
        let tail = self.last_group_edge(core, end);
        self.join(core..tail);
        // Where a fit is unlikely, whole groups often settle it, and single rows need not be fetched.
        if self.doubtful && busy(self.joined) > max_busy {
            return Some(self.settled(core, end, max_busy));
        }
        self.join_edges(start..core, tail..end);
        self.busy_of_fit = busy(self.joined);
        // What has fitted raises the bar, and what has not tells of a full window: either way the next will hardly fit.
        self.doubtful = true;
        if self.busy_of_fit <= max_busy {
            return None;
        }
        if busy(self.sweep.scratch()) <= max_busy {
            return Some(start);
        }
        Some(self.settled(core, end, max_busy))
    }

    /// With too much busy from `core` to `end`: the last start that this settles, by the second half of it if that is too much too.
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

    /// The last edge of a group up to `offset`, or `from`.
    fn last_group_edge(&self, from: usize, offset: usize) -> usize {
        let into_group = self.sweep.axis.index(offset) % GROUP;
        offset.saturating_sub(into_group).max(from)
    }

    /// Where the first group of the window at `start` ends, or the window.
    fn behind_first_group(&self, start: usize) -> usize {
        let into_group = self.sweep.axis.index(start) % GROUP;
        let ahead = GROUP.wrapping_sub(into_group).min(self.sweep.duration);
        start.saturating_add(ahead)
    }

    /// Adds to `joined` the rows of `head` and `tail`, neither more than a group; without the head it is left in the sweep's scratch
    /// memory too. All columns are read before anything is counted, so that the processor can wait for several at a time.
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

    /// Leaves in `joined` what is busy at some time of `offsets`.
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
        // Narrow sets are looked at in no more time than their counts, and tell more.
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

    fn rectangle(&mut self, start: usize, within: Range<usize>) -> Range<usize> {
        let axis = self.sweep.axis;
        let end = start.saturating_add(self.sweep.duration);
        let mut rectangle = within;
        for (number, joined) in self.joined.iter().enumerate() {
            let column = self.column(number);
            // Later columns need to be looked at only as far as the earlier ones are free.
            let before = column.last_conflict(axis, rectangle.start..start, *joined);
            if let Some(slot) = before {
                rectangle.start = slot.saturating_add(1);
            }
            let behind = column.first_conflict(axis, end..rectangle.end, *joined);
            if let Some(slot) = behind {
                rectangle.end = slot;
            }
        }
        rectangle
    }
}
