//! Sliding windows over busy sets.

use core::ops::Range;

use super::{
    axis::Axis,
    busy_sets::{BusySets, ColumnView, GROUP},
    counts::Counts,
    element::{Column, busy, chunk, fold},
    sliding_window::{Bounds, SlidingWindow},
    sweep::{Stacks, Sweep},
};

/// How many elements per slot of its range a search over wide columns may read in single windows before it turns to the sweep, whose cost
/// is linear in the worst case.
const ALLOWANCE: usize = 3;

/// How many slots a rectangle grows by at first.
const STRETCH: usize = 32;

/// Sliding windows over busy sets.
///
/// Narrow columns are swept slot by slot. Wide columns are expensive to fetch, so their unions of 8 slots are swept. What is busy in all windows
/// that begin in the same 8 slots, their core, then comes with a few loads, and so does what is busy in any of them. Where these do not decide,
/// all 8 windows are joined at once.
pub(crate) struct SlidingSets<'r, C> {
    axis: &'r Axis,
    counts: &'r Counts<'r>,
    rows: &'r [C],
    any: &'r [C],
    /// What is busy at some time of the window that was joined last.
    joined: &'r mut [C],
    /// Over wide columns, the windows are the cores, in groups of 8 slots.
    sweep: Sweep<'r, C>,
    duration: usize,
    /// The starts whose windows are stored.
    stored: Range<usize>,
    /// The last rectangle.
    known: Range<usize>,
    /// Elements that may still be read in single windows.
    allowance: usize,
    /// How many are busy in the window that was examined last.
    busy_of_fit: u32,
    /// Whether the next window is unlikely to fit.
    doubtful: bool,
}

impl<'r, C: Column> SlidingSets<'r, C> {
    /// Creates the windows of a search over a range of `reach` slots; `joined` is scratch memory.
    pub(crate) fn new(
        axis: &'r Axis,
        counts: &'r Counts<'r>,
        busy: &'r BusySets<'_, C>,
        joined: &'r mut [C],
        stacks: Stacks<'r, C>,
        duration: usize,
        reach: usize,
    ) -> Self {
        let sweep = if C::WIDE {
            let groups = (duration / GROUP).saturating_sub(1);
            Sweep::new(axis.circle_of_groups(GROUP), busy.any, stacks, groups)
        } else {
            Sweep::new(axis.circle(), busy.rows, stacks, duration)
        };
        Self {
            axis,
            counts,
            rows: busy.rows,
            any: busy.any,
            joined,
            sweep,
            duration,
            stored: 0..0,
            known: 0..0,
            allowance: reach.saturating_mul(ALLOWANCE),
            busy_of_fit: 0,
            doubtful: false,
        }
    }

    fn column(&self, number: usize) -> ColumnView<'_, C> {
        let storage = self.axis.storage();
        ColumnView {
            rows: chunk(self.rows, number, storage),
            any: chunk(self.any, number, storage / GROUP),
        }
    }

    /// Joins one window by the unions of 8 slots, and returns the last start that is known not to fit, if any. If too many are busy even
    /// without the window's first group of slots, no start in that group fits; if too many are busy in its second half, no start in the first
    /// half fits. O(duration / 8 x columns).
    fn probe(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let end = start.saturating_add(self.duration);
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

impl<C: Column> SlidingWindow for SlidingSets<'_, C> {
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        // Reading narrow sets takes no longer than reading their counts, and decides more.
        if C::WIDE {
            let blocked = self.counts.last_above(self.axis, unchecked, max_busy);
            if blocked.is_some() {
                return blocked;
            }
        }
        let max_busy = u32::from(max_busy);
        let price = (self.duration / GROUP).saturating_add(GROUP);
        if C::WIDE
            && let Some(left) = self.allowance.checked_sub(price)
        {
            self.allowance = left;
            return self.probe(start, max_busy);
        }
        if C::WIDE
            && let Some(blocked) = self.blocked_group(start, max_busy)
        {
            return Some(blocked);
        }
        self.busy_of_fit = self.slide_to(start);
        (self.busy_of_fit > max_busy).then_some(start)
    }

    /// The sweep goes forward only.
    fn can_return(&self) -> bool {
        false
    }

    fn busy_of_fit(&self, _start: usize) -> u32 {
        self.busy_of_fit
    }

    fn bounds(&mut self, start: usize) -> Option<Bounds> {
        C::WIDE.then(|| self.bounds_of_group(start))
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        if C::WIDE {
            return self.load_window(start);
        }
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
            self.settled_by_core(start, max_busy).unwrap_or(start)
        } else {
            start
        }
    }

    fn conflicts(&self, offset: usize) -> bool {
        let storage = self.axis.storage();
        let index = self.axis.index(offset);
        self.joined.iter().enumerate().any(|(number, joined)| {
            let row = chunk(self.rows, number, storage).get(index);
            row.is_some_and(|row| !row.and_not(*joined).is_idle())
        })
    }

    /// Outwards in stretches that double, each over all columns: what one column leaves free for long, another mostly does not.
    fn rectangle(&mut self, window: Range<usize>, within: Range<usize>) -> Range<usize> {
        let mut inner = window;
        // Narrow columns are cheap to read.
        if !C::WIDE {
            return self.grown(&inner, within);
        }
        let mut within = within;
        let mut stretch = STRETCH;
        self.widen_to_known(&mut inner, &within);
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
        self.know(inner.clone());
        inner
    }
}

/// Windows of wide columns, 8 neighbouring starts at a time.
impl<C: Column> SlidingSets<'_, C> {
    /// Widens `inner` by the last rectangle, as far as it lies `within`, if all that is free in the current window was free in that one's.
    fn widen_to_known(&mut self, inner: &mut Range<usize>, within: &Range<usize>) {
        let known = self.known.start.max(within.start)..self.known.end.min(within.end);
        if known.start > inner.end || known.end < inner.start {
            return;
        }
        let sets = self
            .sweep
            .spare()
            .get(self.joined.len().wrapping_mul(GROUP)..);
        let mut parts = self.joined.iter().zip(sets.unwrap_or_default());
        if parts.all(|(joined, known)| known.and_not(*joined).is_idle()) {
            *inner = inner.start.min(known.start)..inner.end.max(known.end);
        }
    }

    /// Remembers a range during which everything free in the current window is free, behind the stored windows.
    fn know(&mut self, rectangle: Range<usize>) {
        self.known = rectangle;
        let stored = self.joined.len().wrapping_mul(GROUP);
        let sets = self.sweep.spare().get_mut(stored..).unwrap_or_default();
        for (known, joined) in sets.iter_mut().zip(self.joined.iter()) {
            *known = *joined;
        }
    }

    /// Returns the starts from `start` to the end of its group, as far as their windows lie in the ring.
    fn group_from(&self, start: usize) -> Range<usize> {
        let into_group = self.axis.index(start) % GROUP;
        let behind = start.saturating_add(GROUP).saturating_sub(into_group);
        let latest = self.axis.slots().saturating_sub(self.duration);
        start..behind.min(latest.saturating_add(1))
    }

    /// Returns the position, among the groups of slots, of the group behind that of `start`.
    fn behind_group_of(&self, start: usize) -> usize {
        self.position(start).saturating_add(1)
    }

    /// Returns the position of the group that holds `offset`.
    fn position(&self, offset: usize) -> usize {
        let ahead = self.axis.index(0) % GROUP;
        offset.saturating_add(ahead) / GROUP
    }

    /// Returns the offset at which the group at `position` begins.
    fn offset_of(&self, position: usize) -> usize {
        let ahead = self.axis.index(0) % GROUP;
        position.saturating_mul(GROUP).saturating_sub(ahead)
    }

    /// Returns how many groups a core has.
    const fn core_len(&self) -> usize {
        (self.duration / GROUP).saturating_sub(1)
    }

    /// Stores in `joined` what is busy in some window of the group of `start`, and returns how many are busy in all of them, and in any of
    /// them.
    fn bounds_of_group(&mut self, start: usize) -> Bounds {
        let circle = self.axis.circle_of_groups(GROUP);
        let starts = self.group_from(start);
        let core = self.behind_group_of(start);
        let core_len = self.core_len();
        let end = starts.end.saturating_add(self.duration).saturating_sub(1);
        let behind_hull = self.position(end.saturating_sub(1)).saturating_add(1);
        self.load_core(start);
        let (mut least, mut most) = (0_u32, 0_u32);
        for (number, joined) in self.joined.iter_mut().enumerate() {
            least = least.wrapping_add(joined.busy());
            let any = chunk(self.any, number, circle.len);
            let tail = core.saturating_add(core_len)..behind_hull;
            for position in [core.wrapping_sub(1)].into_iter().chain(tail) {
                let union = any.get(circle.index(position));
                *joined = joined.join(union.copied().unwrap_or(C::NONE));
            }
            most = most.wrapping_add(joined.busy());
        }
        Bounds {
            starts,
            least,
            most,
        }
    }

    /// Stores in `joined` what is busy in all windows of the group of `start`, as far as that follows from whole groups.
    fn load_core(&mut self, start: usize) {
        if self.core_len() == 0 {
            self.joined.fill(C::NONE);
            return;
        }
        let core = self.behind_group_of(start);
        self.sweep.slide_to(core);
        for (joined, core) in self.joined.iter_mut().zip(self.sweep.joined(core)) {
            *joined = core;
        }
    }

    /// Stores in `joined` what is busy in the window at `start`, and returns how many that are.
    fn load_window(&mut self, start: usize) -> u32 {
        if !self.stored.contains(&start) {
            self.store_windows(start);
        }
        let place = start.wrapping_sub(self.stored.start);
        let windows = self.sweep.spare().as_chunks::<GROUP>().0;
        let mut busy = 0_u32;
        for (joined, windows) in self.joined.iter_mut().zip(windows) {
            *joined = windows.get(place).copied().unwrap_or(C::NONE);
            busy = busy.wrapping_add(joined.busy());
        }
        busy
    }

    /// Joins the windows from `start` to the end of its group, behind the stacks of the sweep. O(columns), at most 8 + 15 slots each.
    fn store_windows(&mut self, start: usize) {
        self.load_core(start);
        self.stored = self.group_from(start);
        let Self {
            axis,
            rows,
            duration,
            ..
        } = *self;
        let storage = axis.storage();
        let core_len = self.core_len().wrapping_mul(GROUP);
        let behind_group = self.offset_of(self.behind_group_of(start));
        let starts = self.stored.clone();
        let windows = self.sweep.spare().as_chunks_mut::<GROUP>().0;
        for (number, (core, windows)) in self.joined.iter().zip(windows).enumerate() {
            let rows = chunk(rows, number, storage);
            let row = |offset| rows.get(axis.index(offset)).copied().unwrap_or(C::NONE);
            let mut rest = starts.clone();
            // Windows shorter than a group are joined in several turns, so that all of a turn have a slot in common.
            while !rest.is_empty() {
                let turn = rest.start..rest.end.min(rest.start.saturating_add(duration));
                rest.start = turn.end;
                let first = turn.start.wrapping_sub(starts.start);
                let windows = windows.get_mut(first..).unwrap_or_default();
                let middle = if core_len > 0 { behind_group } else { turn.end };
                let mut joined = *core;
                for (offset, window) in (turn.start..middle).zip(windows.iter_mut()).rev() {
                    joined = joined.join(row(offset));
                    *window = joined;
                }
                let mut joined = C::NONE;
                let mut next = middle.saturating_add(core_len);
                for (offset, window) in turn.zip(windows) {
                    let end = offset.saturating_add(duration);
                    for offset in next..end {
                        joined = joined.join(row(offset));
                    }
                    next = next.max(end);
                    *window = window.join(joined);
                }
            }
        }
    }

    /// Returns, when more than `max_busy` are busy in all windows of the group of `start`, the last start that is known not to fit.
    fn blocked_group(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        if self.stored.contains(&start) {
            return None;
        }
        self.load_core(start);
        self.settled_by_core(start, max_busy)
    }

    /// As [`Self::blocked_group`], once its core has been loaded. O(columns log duration).
    fn settled_by_core(&self, start: usize, max_busy: u32) -> Option<usize> {
        let core = self.behind_group_of(start);
        if self.core_len() == 0 || self.sweep.busy(core) <= max_busy {
            return None;
        }
        let last = self.sweep.last_start_above(core, max_busy);
        Some(self.offset_of(last).max(start))
    }

    /// Returns the longest range in `outer` around `inner` during which everything free in the window stays free.
    fn grown(&self, inner: &Range<usize>, outer: Range<usize>) -> Range<usize> {
        let axis = self.axis;
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
