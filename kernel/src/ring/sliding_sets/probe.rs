//! Single windows of wide columns, joined by the unions of 8 slots, for searches that skip starts.

use core::ops::Range;

use super::{Measure, SlidingSets};
use crate::column::{Column, chunk, fold};
use crate::ring::{
    busy_sets::{ColumnView, GROUP},
    scan::Scan,
};

impl<C: Column, S: Scan, M: Measure<C>> SlidingSets<'_, C, S, M> {
    /// Returns whether at most `max_busy` are busy at some time of the groups in which the window at `start` lies. O(duration / 8 x columns).
    pub(super) fn fits_in_groups(&mut self, start: usize, max_busy: u32) -> bool {
        let circle = self.axis.circle_of_groups(GROUP);
        let last = start.saturating_add(self.duration).saturating_sub(1);
        let behind = self.position(last).saturating_add(1);
        let [early, late] = circle.indices(self.position(start)..behind);
        let unions = (0..self.joined.len()).map(|number| {
            let any = chunk(self.any, number, circle.len);
            fold(any, early.clone()).join(fold(any, late.clone()))
        });
        self.measure.busy_of(unions, self.joined) <= max_busy
    }

    /// Stores in `joined` what is busy in the whole groups of the window at `start`, without the first.
    fn join_inner(&mut self, start: usize) {
        let circle = self.axis.circle_of_groups(GROUP);
        let first = self.position(start).saturating_add(1);
        let behind = self
            .position(start.saturating_add(self.duration))
            .max(first);
        let [early, late] = circle.indices(first..behind);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let any = chunk(self.any, number, circle.len);
            *joined = fold(any, early.clone());
            if !late.is_empty() {
                *joined = joined.join(fold(any, late.clone()));
            }
        }
    }

    /// Joins one window by the unions of 8 slots, and returns the last start that is known not to fit, if any. If too many are busy even
    /// without the window's first group of slots, no start in that group fits; if too many are busy in its second half, no start in the first
    /// half fits. O(duration / 8 x columns).
    pub(super) fn probe(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let end = start.saturating_add(self.duration);
        let core = self.behind_first_group(start);
        let tail = self.last_group_edge(core, end);
        self.join_inner(start);
        // When a fit is unlikely, whole groups often decide, and single elements need not be fetched.
        if self.doubtful && self.measure.busy(self.joined) > max_busy {
            return Some(self.settled(core, end, max_busy));
        }
        self.join_edges(start..core, tail..end);
        self.busy_of_fit = self.measure.busy(self.joined);
        // After a fit the bound is lower, and after a failure the next window is nearly as full: either way it is unlikely to fit.
        self.doubtful = true;
        if self.busy_of_fit <= max_busy {
            return None;
        }
        if self.measure.busy(self.sweep.scratch()) <= max_busy {
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
        if self.measure.busy(self.joined) > max_busy {
            half
        } else {
            core
        }
    }

    /// Returns the last edge of a group at or before `offset`, but at least `from`.
    fn last_group_edge(&self, from: usize, offset: usize) -> usize {
        let into_group = self.axis.index(offset) % GROUP;
        offset.saturating_sub(into_group).max(from)
    }

    /// Returns the end of the first group of the window at `start`, or of the window if that is earlier.
    fn behind_first_group(&self, start: usize) -> usize {
        let into_group = self.axis.index(start) % GROUP;
        let ahead = GROUP.wrapping_sub(into_group).min(self.duration);
        start.saturating_add(ahead)
    }

    /// Adds the elements of `head` and `tail` to `joined`; each is at most a group. The result without the head is stored in the sweep's
    /// scratch memory. All columns are read before anything is counted, so that the processor can load several at a time.
    fn join_edges(&mut self, head: Range<usize>, tail: Range<usize>) {
        let storage = self.axis.storage();
        // Groups do not straddle the end of the arrays.
        let [head, _] = self.axis.indices(head);
        let [tail, _] = self.axis.indices(tail);
        let cores = self.sweep.scratch();
        for (number, (joined, core)) in self.joined.iter_mut().zip(cores).enumerate() {
            let rows = chunk(self.rows, number, storage);
            *core = joined.join(fold(rows, tail.clone()));
            *joined = core.join(fold(rows, head.clone()));
        }
    }

    /// Stores in `joined` what is busy at some time of `offsets`.
    fn join(&mut self, offsets: Range<usize>) {
        let storage = self.axis.storage();
        let [early, late] = self.axis.indices(offsets);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            let column = ColumnView {
                rows: chunk(self.rows, number, storage),
                any: chunk(self.any, number, storage / GROUP),
            };
            *joined = column.union(early.clone());
            if !late.is_empty() {
                *joined = joined.join(column.union(late.clone()));
            }
        }
    }
}
