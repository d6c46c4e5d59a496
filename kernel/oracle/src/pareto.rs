//! The Pareto front of start, length and width, by looking at every window.

use crate::Free;

/// So many PEs for so many slots from an offset on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Room {
    /// Offset of its start.
    pub start: usize,
    /// Slots.
    pub length: usize,
    /// PEs.
    pub width: u32,
}

impl Room {
    /// Whether it is at least as good as `other` in every way and better in one.
    #[must_use]
    pub fn dominates(&self, other: &Self) -> bool {
        self != other
            && self.start <= other.start
            && self.length >= other.length
            && self.width >= other.width
    }
}

/// For every window of `slots` up to `longest` the most PEs it can give, up to `widest`; windows that give none are left out.
///
/// By start, then the longest first, so that nothing comes before what dominates it.
#[must_use]
pub fn rooms(slots: &[Free], longest: usize, widest: u32) -> Vec<Room> {
    let mut rooms = Vec::new();
    for start in 0..slots.len() {
        let mut from_here = Vec::new();
        let mut free = slots[start].clone();
        for (last, slot) in slots.iter().enumerate().skip(start).take(longest) {
            free = free.and(slot);
            let width = free.count().min(widest);
            if width == 0 {
                break;
            }
            from_here.push(Room {
                start,
                length: last + 1 - start,
                width,
            });
        }
        rooms.extend(from_here.into_iter().rev());
    }
    rooms
}

/// What nothing dominates: by start, then the widest first.
#[must_use]
pub fn pareto_front(slots: &[Free], longest: usize, widest: u32) -> Vec<Room> {
    let mut front: Vec<Room> = Vec::new();
    for room in rooms(slots, longest, widest) {
        // Whatever is dominated is dominated by something on the front, and that has been seen; mostly a moment ago.
        if !front.iter().rev().any(|better| better.dominates(&room)) {
            front.push(room);
        }
    }
    front.sort_by_key(|room| (room.start, std::cmp::Reverse(room.width)));
    front
}
