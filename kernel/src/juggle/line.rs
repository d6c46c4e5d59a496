//! The waiting reservations in the order in which they are placed.

use crate::error::Refusal;

/// An element of the memory that a caller lends for juggling: a waiting reservation and its sort key.
///
/// ```
/// use bookahead::Movable;
/// // Memory for juggling up to 100 reservations.
/// let mut waiting = [Movable::NONE; 100];
/// assert_eq!(size_of_val(&waiting), 2_400);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Movable {
    key: u64,
    accepted: u64,
    row: u32,
}

impl Movable {
    /// An unused element.
    pub const NONE: Self = Self {
        key: 0,
        accepted: 0,
        row: 0,
    };

    pub(super) const fn new(key: u64, accepted: u64, row: usize) -> Self {
        Self {
            key,
            accepted,
            row: row as u32,
        }
    }

    pub(super) const fn row(&self) -> usize {
        self.row as usize
    }

    /// Returns its position in the order: ties of the key are decided by acceptance.
    pub(super) const fn place(&self) -> u128 {
        (self.key as u128) << 64 | self.accepted as u128
    }
}

/// A line of waiting reservations, in memory of the caller: first a heap of those that are still to come, then those
/// that have come since the line was last shortened, the last one first.
///
/// A heap, because an arrangement often ends before the line does; the rest is then never sorted.
pub(super) struct Line<'m> {
    memory: &'m mut [Movable],
    to_come: usize,
    len: usize,
}

impl<'m> Line<'m> {
    pub(super) const fn new(memory: &'m mut [Movable]) -> Self {
        Self {
            memory,
            to_come: 0,
            len: 0,
        }
    }

    /// Adds a reservation; nothing may have come yet. O(log waiting).
    pub(super) fn push(&mut self, new: Movable) -> Result<(), Refusal> {
        let last = self.len;
        let place = self.memory.get_mut(last).ok_or(Refusal::MoveLimit)?;
        *place = new;
        self.len = last.saturating_add(1);
        self.to_come = self.len;
        self.sift_up(last);
        Ok(())
    }

    /// Returns the next one in order, which has come then. O(log waiting).
    pub(super) fn next(&mut self) -> Option<Movable> {
        let last = self.to_come.checked_sub(1)?;
        let next = self.at(0)?;
        self.swap(0, last);
        self.to_come = last;
        self.sift_down();
        Some(next)
    }

    /// Returns all that have come since the line was last shortened, the last one first.
    pub(super) fn come(&self) -> &[Movable] {
        self.memory.get(self.to_come..self.len).unwrap_or_default()
    }

    /// Removes those that have come.
    pub(super) fn shorten(&mut self) {
        self.len = self.to_come;
    }

    /// Returns all of the line, in no order.
    pub(super) fn all(&self) -> &[Movable] {
        self.memory.get(..self.len).unwrap_or_default()
    }

    fn at(&self, index: usize) -> Option<Movable> {
        self.memory.get(..self.to_come)?.get(index).copied()
    }

    fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |index| self.at(index).map_or(u128::MAX, |it| it.place());
        place(one) < place(other)
    }

    fn sift_up(&mut self, from: usize) {
        let mut index = from;
        while index > 0 {
            let parent = index.wrapping_sub(1) / 2;
            if !self.is_before(index, parent) {
                break;
            }
            self.swap(index, parent);
            index = parent;
        }
    }

    fn sift_down(&mut self) {
        let mut index = 0_usize;
        // Each round doubles `index`.
        loop {
            let left = index.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let child = if self.is_before(right, left) {
                right
            } else {
                left
            };
            if !self.is_before(child, index) {
                break;
            }
            self.swap(index, child);
            index = child;
        }
    }

    /// Swaps two elements, if there are both. `slice::swap` panics where one is missing.
    fn swap(&mut self, one: usize, other: usize) {
        let (Some(first), Some(second)) = (self.at(one), self.at(other)) else {
            return;
        };
        for (index, element) in [(one, second), (other, first)] {
            if let Some(place) = self.memory.get_mut(index) {
                *place = element;
            }
        }
    }
}
