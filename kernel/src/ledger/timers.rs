//! The timer heap: a binary heap of rows by the time of their next event.

use super::{Row, row::later};
use crate::{
    ring::Width,
    time::{Slot, Span},
};

/// An element of the timer heap: a row, and when its next event is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Timer {
    /// The low half of the slot. That suffices, as nothing is due further ahead than a horizon.
    pub(super) due: u32,
    pub(super) row: u32,
}

impl Timer {
    /// An unused element.
    pub const NONE: Self = Self { due: 0, row: 0 };

    const fn new(row: u32, due: Slot) -> Self {
        Self {
            due: due.get() as u32,
            row,
        }
    }

    pub(super) const fn row(self) -> usize {
        self.row as usize
    }

    /// Returns the slot at which it is due, which is not before `now`.
    pub(super) const fn due(self, now: Slot) -> Slot {
        later(now, Span::new(self.due.wrapping_sub(now.get() as u32)))
    }
}

/// The live rows in heap order: by the slot at which they are due, then by phase, then by acceptance. Each row stores
/// its index in the heap.
///
/// The slot is stored beside the row's number, so that rows, which are large and scattered, are read only to compare
/// timers that are due in the same slot.
pub(crate) struct Timers<'t, N> {
    pub(crate) heap: &'t mut [Timer],
    pub(crate) rows: &'t mut [Row<N>],
    pub(crate) len: &'t mut u32,
    /// The low half of the present slot; due times are compared by their distance from it.
    pub(crate) now: u32,
}

impl<N: Width> Timers<'_, N> {
    /// Inserts `row`, which is due at `due`. O(log rows).
    pub(crate) fn insert(&mut self, row: u32, due: Slot) {
        let last = *self.len;
        *self.len = last.saturating_add(1);
        self.settle(last, Timer::new(row, due));
    }

    /// Removes `row`. O(log rows).
    pub(crate) fn remove(&mut self, row: u32) {
        let Some(hole) = self.rows.get(row as usize).map(|row| row.timer) else {
            return;
        };
        let last = self.len.saturating_sub(1);
        *self.len = last;
        let moved = self.at(last);
        if let Some(cell) = self.heap.get_mut(last as usize) {
            *cell = Timer::NONE;
        }
        if hole != last {
            self.settle(hole, moved);
        }
    }

    /// Moves `row` in the heap, which is due at `due` from now on. O(log rows).
    pub(crate) fn changed(&mut self, row: u32, due: Slot) {
        if let Some(index) = self.rows.get(row as usize).map(|row| row.timer) {
            self.settle(index, Timer::new(row, due));
        }
    }

    /// Returns whether the heap is in order and has exactly the live rows in it, each with the slot at which it is due.
    pub(crate) fn in_order(&self) -> bool {
        let len = *self.len as usize;
        let Some((heap, rest)) = self.heap.split_at_checked(len) else {
            return false;
        };
        let live = self.rows.iter().filter(|row| row.is_live()).count();
        live == heap.len()
            && rest.iter().all(|timer| *timer == Timer::NONE)
            && (0..*self.len).zip(heap).all(|(index, timer)| {
                let known = self.rows.get(timer.row as usize);
                let parent = index.saturating_sub(1) / 2;
                let agrees = |row: &Row<N>| {
                    let there = row.is_live() && row.timer == index;
                    there && Timer::new(timer.row, row.due()) == *timer
                };
                known.is_some_and(agrees) && !(index > 0 && self.is_before(*timer, self.at(parent)))
            })
    }

    /// Inserts `timer` at its position in the heap, given that the element at `from` is free: sifts up, then down.
    fn settle(&mut self, from: u32, timer: Timer) {
        let mut index = from;
        while index > 0 {
            let parent = index.wrapping_sub(1) / 2;
            let above = self.at(parent);
            if !self.is_before(timer, above) {
                break;
            }
            self.put(index, above);
            index = parent;
        }
        // Each round doubles `index`, so there are at most 32.
        loop {
            let left = index.saturating_mul(2).saturating_add(1);
            if left >= *self.len {
                break;
            }
            let right = left.saturating_add(1);
            let (mut first, mut below) = (left, self.at(left));
            if right < *self.len {
                let other = self.at(right);
                if self.is_before(other, below) {
                    (first, below) = (right, other);
                }
            }
            if !self.is_before(below, timer) {
                break;
            }
            self.put(index, below);
            index = first;
        }
        self.put(index, timer);
    }

    /// Returns whether `one` is due before `other`. Not inlined, to save code size: it has many callers.
    #[inline(never)]
    fn is_before(&self, one: Timer, other: Timer) -> bool {
        if one.due != other.due {
            let ahead = |timer: Timer| timer.due.wrapping_sub(self.now);
            return ahead(one) < ahead(other);
        }
        let rows = (self.rows.get(one.row()), self.rows.get(other.row()));
        if let (Some(one), Some(other)) = rows {
            if one.phase != other.phase {
                return one.phase < other.phase;
            }
            return one.accepted < other.accepted;
        }
        false
    }

    fn at(&self, index: u32) -> Timer {
        self.heap
            .get(index as usize)
            .copied()
            .unwrap_or(Timer::NONE)
    }

    fn put(&mut self, index: u32, timer: Timer) {
        if let Some(cell) = self.heap.get_mut(index as usize) {
            *cell = timer;
        }
        if let Some(row) = self.rows.get_mut(timer.row as usize) {
            row.timer = index;
        }
    }
}
