//! Windows over busy sets.

use core::ops::Range;

use super::{
    busy_sets::{ColumnView, GROUP},
    counts::Counts,
    lane::{Column, busy, fold, lane},
    shape::Shape,
    sweep::Sweep,
};

/// How many rows per slot of the stretch it covers a search over wide columns may read by single windows before it turns to the sweep, whose cost is linear
/// in the worst case.
const ALLOWANCE: usize = 3;

/// Windows over busy sets.
pub(crate) struct PeShape<'r, C> {
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

impl<'r, C: Column> PeShape<'r, C> {
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
            rows: lane(self.sweep.rows, number, storage),
            any: lane(self.any, number, storage / GROUP),
        }
    }

    /// Joins one window by the unions of 8. If there is too much in it even without its first group of slots, that settles all
    /// the starts in the group, and if in its second half, half a window. O(duration / 8 x columns).
    fn probe(&mut self, start: usize, limit: u32) -> Option<usize> {
        let end = start.saturating_add(self.sweep.duration);
        let core = self.behind_first_group(start);
        let tail = self.last_group_edge(core, end);
        self.join(core..tail);
        // Where a fit is unlikely, whole groups often settle it, and single rows need not be fetched.
        if self.doubtful && busy(self.joined) > limit {
            return Some(self.settled(core, end, limit));
        }
        self.join_edges(start..core, tail..end);
        self.busy_of_fit = busy(self.joined);
        // What has fitted raises the bar, and what has not tells of a full window: either way the next will hardly fit.
        self.doubtful = true;
        if self.busy_of_fit <= limit {
            return None;
        }
        if busy(self.sweep.scratch()) <= limit {
            return Some(start);
        }
        Some(self.settled(core, end, limit))
    }

    /// With too much busy from `core` to `end`: the last start that this settles, by the second half of it if that is too much too.
    fn settled(&mut self, core: usize, end: usize, limit: u32) -> usize {
        let half = core.saturating_add(end.saturating_sub(core) / 2);
        let half = self.last_group_edge(core, half);
        if half == core {
            return core;
        }
        self.join(half..end);
        if busy(self.joined) > limit {
            half
        } else {
            core
        }
    }

    /// The last edge of a group up to `offset`, or `from`.
    fn last_group_edge(&self, from: usize, offset: usize) -> usize {
        let into_group = self.sweep.axis.place(offset) % GROUP;
        offset.saturating_sub(into_group).max(from)
    }

    /// Where the first group of the window at `start` ends, or the window.
    fn behind_first_group(&self, start: usize) -> usize {
        let into_group = self.sweep.axis.place(start) % GROUP;
        let ahead = GROUP.wrapping_sub(into_group).min(self.sweep.duration);
        start.saturating_add(ahead)
    }

    /// Adds to `joined` the rows of `head` and `tail`, neither more than a group; without the head it is left in the sweep's scratch
    /// memory too. All columns are read before anything is counted, so that the processor can wait for several at a time.
    fn join_edges(&mut self, head: Range<usize>, tail: Range<usize>) {
        let storage = self.sweep.axis.storage();
        // Groups do not straddle the end of the arrays.
        let [head, _] = self.sweep.axis.places(head);
        let [tail, _] = self.sweep.axis.places(tail);
        let (rows, cores) = self.sweep.rows_and_scratch();
        for (number, (joined, core)) in self.joined.iter_mut().zip(cores).enumerate() {
            let rows = lane(rows, number, storage);
            *core = joined.join(fold(rows, tail.clone()));
            *joined = core.join(fold(rows, head.clone()));
        }
    }

    /// Leaves in `joined` what is busy at some time of `offsets`.
    fn join(&mut self, offsets: Range<usize>) {
        let storage = self.sweep.axis.storage();
        let [early, late] = self.sweep.axis.places(offsets);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let column = ColumnView {
                rows: lane(self.sweep.rows, number, storage),
                any: lane(self.any, number, storage / GROUP),
            };
            *joined = column.union(early.clone());
            if !late.is_empty() {
                *joined = joined.join(column.union(late.clone()));
            }
        }
    }
}

impl<C: Column> Shape for PeShape<'_, C> {
    fn last_blocked(&mut self, start: usize, unchecked: Range<usize>, limit: u16) -> Option<usize> {
        // Narrow sets are looked at in no more time than their counts, and tell more.
        if C::WIDE {
            let blocked = self.counts.last_above(self.sweep.axis, unchecked, limit);
            if blocked.is_some() {
                return blocked;
            }
        }
        let limit = u32::from(limit);
        let price = (self.sweep.duration / GROUP).saturating_add(GROUP);
        if C::WIDE
            && let Some(left) = self.allowance.checked_sub(price)
        {
            self.allowance = left;
            return self.probe(start, limit);
        }
        self.sweep.slide_to(start);
        self.busy_of_fit = self.sweep.busy(start);
        (self.busy_of_fit > limit).then(|| self.last_start_above(start, limit))
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

    fn last_start_above(&self, start: usize, limit: u32) -> usize {
        if C::WIDE {
            self.sweep.last_start_above(start, limit)
        } else {
            start
        }
    }

    fn conflicts(&self, offset: usize) -> bool {
        let storage = self.sweep.axis.storage();
        let place = self.sweep.axis.place(offset);
        self.joined.iter().enumerate().any(|(number, joined)| {
            let row = lane(self.sweep.rows, number, storage).get(place);
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
