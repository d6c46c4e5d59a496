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

/// A line of waiting reservations in order, in memory of the caller.
pub(super) struct Line<'m> {
    memory: &'m mut [Movable],
    /// Those before this index are out of the line.
    first: usize,
    /// The next one to come.
    next: usize,
    len: usize,
}

impl<'m> Line<'m> {
    pub(super) const fn new(memory: &'m mut [Movable]) -> Self {
        Self {
            memory,
            first: 0,
            next: 0,
            len: 0,
        }
    }

    /// Adds a reservation, in no order yet. O(1).
    pub(super) fn push(&mut self, new: Movable) -> Result<(), Refusal> {
        let place = self.memory.get_mut(self.len).ok_or(Refusal::MoveLimit)?;
        *place = new;
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    /// Sorts the line. O(waiting x log waiting).
    pub(super) fn sort(&mut self) {
        sort(self.memory.get_mut(..self.len).unwrap_or_default());
    }

    /// Returns the next one in order, which has come then.
    pub(super) fn next(&mut self) -> Option<Movable> {
        let next = self.all().get(self.next).copied()?;
        self.next = self.next.saturating_add(1);
        Some(next)
    }

    /// Returns those that have come since the line was last shortened, in order.
    pub(super) fn come(&self) -> &[Movable] {
        self.memory.get(self.first..self.next).unwrap_or_default()
    }

    /// Takes those that have come out of the line.
    pub(super) const fn shorten(&mut self) {
        self.first = self.next;
    }

    /// Returns all that have ever been in the line.
    pub(super) fn all(&self) -> &[Movable] {
        self.memory.get(..self.len).unwrap_or_default()
    }
}

/// Heapsort: without memory of its own, and without the panic paths of the sorts in `core`.
fn sort(elements: &mut [Movable]) {
    for parent in (0..elements.len() / 2).rev() {
        sift_down(elements, parent);
    }
    let mut rest = elements;
    // The last of the rest changes places with the greatest, and the rest gets shorter.
    while let [greatest, .., last] = rest {
        core::mem::swap(greatest, last);
        rest = match rest.split_last_mut() {
            Some((_, shorter)) => shorter,
            None => return,
        };
        sift_down(rest, 0);
    }
}

/// Moves an element of a heap, whose parents come after their children, down to its place. O(log elements).
fn sift_down(heap: &mut [Movable], from: usize) {
    let Some(moved) = heap.get(from).copied() else {
        return;
    };
    let mut hole = from;
    // Each round doubles the index.
    loop {
        let left = hole.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let Some(mut child) = heap.get(left).copied() else {
            break;
        };
        let mut index = left;
        if let Some(other) = heap.get(right).copied()
            && other.place() > child.place()
        {
            (child, index) = (other, right);
        }
        if child.place() <= moved.place() {
            break;
        }
        if let Some(place) = heap.get_mut(hole) {
            *place = child;
        }
        hole = index;
    }
    if let Some(place) = heap.get_mut(hole) {
        *place = moved;
    }
}
