//! Windows of wide columns, 8 neighbouring starts at a time.

use core::ops::Range;

use super::{Measure, SlidingSets};
use crate::column::{Column, Element, chunk, fold};
use crate::ring::{
    axis::{Axis, Indices},
    busy_sets::GROUP,
    scan::Scan,
    sliding_window::GroupedWindows,
    sweep::Sweep,
};

impl<C: Column, S: Scan, M: Measure<C>> GroupedWindows for SlidingSets<'_, C, S, M> {
    fn group(&self, start: usize) -> Range<usize> {
        start..self.offset_of(self.position(start).saturating_add(1))
    }

    fn busy_in_all(&mut self, start: usize) -> u32 {
        self.load_core(self.position(start));
        // Also where there is no core: what is never free has to be in `joined` for what is busy in any of the windows.
        self.measure.busy(self.joined)
    }

    fn busy_in_any(&self, start: usize) -> u32 {
        let circle = self.axis.circle_of_groups(GROUP);
        let first = self.position(start);
        let behind_core = first.saturating_add(self.duration / GROUP);
        let last = self
            .group(start)
            .end
            .saturating_add(self.duration)
            .saturating_sub(2);
        let last = self.position(last.min(self.axis.slots().saturating_sub(1)));
        // Windows begin in one group and end in two; the core is between.
        let groups = [first, behind_core.min(last), last].map(|position| circle.index(position));
        let mut busy = 0_u32;
        for (number, core) in self.joined.iter().enumerate() {
            let any = chunk(self.any, number, circle.len);
            let unions = groups.map(|group| any.get(group).copied().unwrap_or(C::NONE));
            let hull = unions.into_iter().fold(*core, Element::join);
            busy = busy.wrapping_add(hull.busy());
        }
        busy
    }
}

impl<C: Column, S: Scan, M: Measure<C>> SlidingSets<'_, C, S, M> {
    /// Returns the position of the group that holds `offset`.
    pub(super) fn position(&self, offset: usize) -> usize {
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

    /// Stores in `joined` what is busy in all windows of the group at `position`, as far as that follows from whole groups.
    fn load_core(&mut self, position: usize) {
        if self.core_len() == 0 {
            self.joined.fill(C::NONE);
            return;
        }
        let core = position.saturating_add(1);
        self.sweep.slide_to(core);
        for (joined, core) in self.joined.iter_mut().zip(self.sweep.joined(core)) {
            *joined = core;
        }
    }

    /// Stores in `joined` what is busy in the window at `start`, and returns how many that are.
    pub(super) fn load_window(&mut self, start: usize) -> u32 {
        self.store_windows(start);
        let windows = stored_windows(&self.sweep, self.axis, start);
        let window = windows.map(|windows| windows.first().copied().unwrap_or(C::NONE));
        self.measure.store(window, self.joined)
    }

    /// Stores the windows at `start` and behind it that begin in the same group, unless some of that group are stored. O(columns).
    fn store_windows(&mut self, start: usize) {
        let position = self.position(start);
        if self.stored == position {
            return;
        }
        self.load_core(position);
        self.stored = position;
        let place = self.axis.index(start) % GROUP;
        let starts = self.group(start);
        let behind_core = self.offset_of(position.saturating_add(self.duration / GROUP));
        let neighbours = Neighbours::new(self.axis, starts, behind_core, self.duration);
        let storage = self.axis.storage();
        let (windows, _) = self.sweep.spare_mut().as_chunks_mut::<GROUP>();
        for (number, (core, windows)) in self.joined.iter().zip(windows).enumerate() {
            let rows = chunk(self.rows, number, storage);
            neighbours.join(rows, *core, windows.get_mut(place..).unwrap_or_default());
        }
    }

    /// Returns, when more than `max_busy` are busy in all windows of the group of `start`, or what is busy in each of those from `start` on is too much, the last
    /// start that is known not to fit.
    pub(super) fn blocked_group(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let position = self.position(start);
        if self.stored == position {
            return None;
        }
        self.load_core(position);
        if let Some(settled) = self.settled_by_core(start, max_busy) {
            return Some(settled);
        }
        // Where how many are busy decides, to look at each window costs no more.
        if self.measure.allowance() > 0 {
            return None;
        }
        self.store_windows(start);
        let last = self.group(start).end.saturating_sub(1);
        // Some may end outside the ring, and be wrong: what all have in common is in the others as well.
        let windows = stored_windows(&self.sweep, self.axis, start);
        let common =
            windows.map(|windows| windows.iter().copied().reduce(C::and).unwrap_or(C::NONE));
        (self.measure.store(common, self.joined) > max_busy).then_some(last)
    }

    /// As [`Self::blocked_group`], once its core has been loaded. O(columns log duration).
    pub(super) fn settled_by_core(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let core = self.position(start).saturating_add(1);
        if self.core_len() == 0 {
            return None;
        }
        let (sweep, measure, scratch) = (&self.sweep, &self.measure, &mut *self.joined);
        let mut is_above = |core| measure.busy_of(sweep.joined(core), scratch) > max_busy;
        if !is_above(core) {
            return None;
        }
        let last = sweep.last_start_above(core, is_above);
        Some(self.offset_of(last).max(start))
    }
}

/// Returns those of the windows stored behind the stacks that begin at `start` and behind it, column by column.
fn stored_windows<'s, C: Column>(
    sweep: &'s Sweep<'_, C>,
    axis: &Axis,
    start: usize,
) -> impl Iterator<Item = &'s [C]> {
    let place = axis.index(start) % GROUP;
    let (windows, _) = sweep.spare().as_chunks::<GROUP>();
    windows
        .iter()
        .map(move |windows| windows.get(place..).unwrap_or_default())
}

/// Where the slots of windows lie that begin in the same group.
struct Neighbours {
    /// The slots up to the end of the group.
    head: Range<usize>,
    /// The slots behind the core that all windows contain.
    shared: Indices,
    /// The slot behind each window.
    ends: Indices,
    duration: usize,
}

impl Neighbours {
    /// `starts` end with their group, even if the last of their windows lie outside the ring.
    fn new(axis: &Axis, starts: Range<usize>, behind_core: usize, duration: usize) -> Self {
        let [first, last] = [starts.start, starts.end].map(|start| start.saturating_add(duration));
        // Groups do not straddle the end of the arrays.
        let [head, _] = axis.indices(starts);
        Self {
            head,
            shared: axis.indices(behind_core..first),
            ends: axis.indices(first..last),
            duration,
        }
    }

    /// Joins the windows of one column, which contain `core`.
    fn join<C: Element>(&self, rows: &[C], core: C, windows: &mut [C]) {
        if self.duration < GROUP {
            self.join_short(rows, windows);
        } else {
            self.join_long(rows, core, windows);
        }
    }

    fn join_short<C: Element>(&self, rows: &[C], windows: &mut [C]) {
        for (first, window) in self.head.clone().zip(windows) {
            let end = first.wrapping_add(self.duration);
            *window = if end <= rows.len() {
                fold(rows, first..end)
            } else {
                let behind_wrap = 0..end.wrapping_sub(rows.len());
                fold(rows, first..rows.len()).join(fold(rows, behind_wrap))
            };
        }
    }

    /// Compilers unroll loops over slices whose lengths they know, and then join word by word.
    fn join_long<C: Element>(&self, rows: &[C], core: C, windows: &mut [C]) {
        let slots = |indices: &Range<usize>| rows.get(indices.clone()).unwrap_or_default();
        let mut joined = core;
        for (slot, window) in slots(&self.head).iter().zip(windows.iter_mut()).rev() {
            joined = joined.join(*slot);
            *window = joined;
        }
        let [early, late] = self.shared.clone().map(|indices| fold(rows, indices));
        let mut joined = early.join(late);
        let [before_wrap, behind_wrap] = self.ends.each_ref().map(slots);
        let (early, late) = windows
            .split_at_mut_checked(before_wrap.len())
            .unwrap_or_default();
        for (slots, windows) in [(before_wrap, early), (behind_wrap, late)] {
            for (slot, window) in slots.iter().zip(windows) {
                *window = window.join(joined);
                joined = joined.join(*slot);
            }
        }
    }
}
