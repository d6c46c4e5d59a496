//! The waiting reservations in the order in which they are placed.

use crate::{error::Refusal, transaction::Movable};

/// A line of waiting reservations, in memory of the caller: a heap, as an arrangement often ends long before the line.
pub(super) struct Line<'m> {
    pub(super) memory: &'m mut [Movable],
    len: usize,
}

impl<'m> Line<'m> {
    pub(super) const fn new(memory: &'m mut [Movable]) -> Self {
        Self { memory, len: 0 }
    }

    /// Adds a reservation. O(log waiting).
    pub(super) fn push(&mut self, new: Movable) -> Result<(), Refusal> {
        let mut hole = self.len;
        // There is room if the hole is in the memory.
        self.memory.get(hole).ok_or(Refusal::MoveLimit)?;
        self.len = hole.saturating_add(1);
        while hole > 0 {
            let parent = hole.wrapping_sub(1) / 2;
            match self.at(parent) {
                Some(above) if new.place() < above.place() => self.put(hole, above),
                _ => break,
            }
            hole = parent;
        }
        self.put(hole, new);
        Ok(())
    }

    /// Removes all that do not satisfy `stays`. O(waiting).
    pub(super) fn retain(&mut self, stays: impl Fn(&Movable) -> bool) {
        let all = self.len;
        self.len = 0;
        for index in 0..all {
            // An element is moved to the front, and then up.
            if let Some(one) = self.memory.get(index).copied()
                && stays(&one)
            {
                // Cannot fail: there are no more than before.
                let _ = self.push(one);
            }
        }
    }

    /// Removes the first of the line, and returns it. O(log waiting).
    pub(super) fn next(&mut self) -> Option<Movable> {
        let first = self.at(0)?;
        let last = self.len.checked_sub(1)?;
        let moved = self.at(last)?;
        self.len = last;
        self.settle(0, moved);
        Some(first)
    }

    fn at(&self, index: usize) -> Option<Movable> {
        self.memory.get(..self.len)?.get(index).copied()
    }

    /// Inserts `moved` at its position, given that the element at `from` is free: sifts down.
    fn settle(&mut self, from: usize, moved: Movable) {
        let heap = self.memory.get_mut(..self.len).unwrap_or_default();
        let mut hole = from;
        // Each round doubles the index.
        loop {
            let left = hole.saturating_mul(2).saturating_add(1);
            let Some(mut child) = heap.get(left).copied() else {
                break;
            };
            let mut index = left;
            let right = left.saturating_add(1);
            if let Some(other) = heap.get(right)
                && other.place() < child.place()
            {
                (child, index) = (*other, right);
            }
            if moved.place() <= child.place() {
                break;
            }
            if let Some(place) = heap.get_mut(hole) {
                *place = child;
            }
            hole = index;
        }
        self.put(hole, moved);
    }

    fn put(&mut self, index: usize, element: Movable) {
        if let Some(place) = self.memory.get_mut(index) {
            *place = element;
        }
    }
}
