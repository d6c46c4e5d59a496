//! Windows of wide columns, 8 neighbouring starts at a time.

use core::ops::Range;

use super::SlidingSets;
use crate::ring::{
    busy_sets::GROUP,
    element::{Column, Element, chunk, fold},
    sliding_window::Bounds,
};

impl<C: Column> SlidingSets<'_, C> {
    /// Returns the starts from `start` to the end of its group, as far as their windows lie in the ring.
    fn group_from(&self, start: usize) -> Range<usize> {
        let into_group = self.axis.index(start) % GROUP;
        let behind = start.saturating_add(GROUP).saturating_sub(into_group);
        let latest = self.axis.slots().saturating_sub(self.duration);
        start..behind.min(latest.saturating_add(1))
    }

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

    /// Counts what is busy in all windows of the group of `start`, as far as that follows from whole groups, and what is busy in any of them.
    pub(super) fn bounds_of_group(&mut self, start: usize) -> Bounds {
        let starts = self.group_from(start);
        let last = starts.end.saturating_sub(1);
        let first = self.position(start);
        let behind_core = first.saturating_add(self.duration / GROUP);
        let end = last.saturating_add(self.duration);
        let behind_hull = self.position(end.saturating_sub(1)).saturating_add(1);
        self.load_core(first);
        let circle = self.axis.circle_of_groups(GROUP);
        let (mut least, mut most) = (0_u32, 0_u32);
        for (number, core) in self.joined.iter().enumerate() {
            let any = chunk(self.any, number, circle.len);
            let union = |position| any.get(circle.index(position)).copied();
            let mut hull = core.join(union(first).unwrap_or(C::NONE));
            for position in behind_core..behind_hull {
                hull = hull.join(union(position).unwrap_or(C::NONE));
            }
            least = least.wrapping_add(core.busy());
            most = most.wrapping_add(hull.busy());
        }
        Bounds {
            starts,
            least,
            most,
        }
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
        let position = self.position(start);
        if self.stored != position {
            self.store_windows(position);
        }
        let place = self.axis.index(start) % GROUP;
        let mut busy = 0_u32;
        let (windows, _) = self.sweep.spare().as_chunks::<GROUP>();
        for (joined, windows) in self.joined.iter_mut().zip(windows) {
            *joined = windows.get(place).copied().unwrap_or(C::NONE);
            busy = busy.wrapping_add(joined.busy());
        }
        busy
    }

    /// Stores the windows that begin in the group at `position`. O(columns).
    fn store_windows(&mut self, position: usize) {
        self.load_core(position);
        self.stored = position;
        let storage = self.axis.storage();
        let circle = self.axis.circle_of_groups(GROUP);
        let tail = position.saturating_add(self.duration / GROUP);
        let groups = [position, tail, tail.saturating_add(1)];
        let groups = groups.map(|position| circle.index(position));
        let (windows, _) = self.sweep.spare_mut().as_chunks_mut::<GROUP>();
        let parts = self.joined.iter().zip(windows);
        for (number, (core, windows)) in parts.enumerate() {
            let (rows, _) = chunk(self.rows, number, storage).as_chunks::<GROUP>();
            let [Some(head), Some(tail), behind] = groups.map(|group| rows.get(group)) else {
                continue;
            };
            // Behind the arrays there is no slot of a window that lies in the ring.
            let behind = behind.unwrap_or(tail);
            if self.duration < GROUP {
                join_short(tail, behind, self.duration, windows);
            } else {
                join_long(*core, head, [tail, behind], self.duration % GROUP, windows);
            }
        }
    }

    /// Returns, when more than `max_busy` are busy in all windows of the group of `start`, the last start that is known not to fit.
    pub(super) fn blocked_group(&mut self, start: usize, max_busy: u32) -> Option<usize> {
        let position = self.position(start);
        if self.stored == position {
            return None;
        }
        self.load_core(position);
        self.settled_by_core(start, max_busy)
    }

    /// As [`Self::blocked_group`], once its core has been loaded. O(columns log duration).
    pub(super) fn settled_by_core(&self, start: usize, max_busy: u32) -> Option<usize> {
        let core = self.position(start).saturating_add(1);
        if self.core_len() == 0 || self.sweep.busy(core) <= max_busy {
            return None;
        }
        let last = self.sweep.last_start_above(core, max_busy);
        Some(self.offset_of(last).max(start))
    }
}

/// Joins the windows that begin in the group `head`, of which all contain `core`, and which end in `tails`, the first after `more` slots.
fn join_long<C: Element>(
    core: C,
    head: &[C; GROUP],
    tails: [&[C; GROUP]; 2],
    more: usize,
    windows: &mut [C; GROUP],
) {
    let mut joined = core;
    for (slot, window) in head.iter().zip(windows.iter_mut()).rev() {
        joined = joined.join(*slot);
        *window = joined;
    }
    let [tail, behind] = tails;
    let (first, tail) = tail.split_at_checked(more).unwrap_or_default();
    let mut joined = first
        .iter()
        .fold(C::IDLE, |joined, slot| joined.join(*slot));
    for (window, slot) in windows.iter_mut().zip(tail.iter().chain(behind)) {
        *window = window.join(joined);
        joined = joined.join(*slot);
    }
}

/// Joins the windows of `duration` slots, fewer than a group, that begin in the group `head`.
fn join_short<C: Element>(
    head: &[C; GROUP],
    behind: &[C; GROUP],
    duration: usize,
    windows: &mut [C; GROUP],
) {
    for (first, window) in windows.iter_mut().enumerate() {
        let end = first.wrapping_add(duration);
        let joined = fold(head, first..end.min(GROUP));
        *window = joined.join(fold(behind, 0..end.saturating_sub(GROUP)));
    }
}
