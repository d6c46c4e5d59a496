//! A ring that holds what the ring of a book does, and more.

#[cfg(feature = "plan")]
use core::ops::Range;

use super::occupancy::SetParts;

/// What a [`Schedule`](crate::Schedule) of queued jobs needs of its ring. Rings that cannot have one have the defaults, so programs without schedules contain
/// none of the code behind them. The other ring has the same `now` in all of it.
pub(crate) trait Planning: SetParts {
    /// Whether the other ring has as many slots and processing elements, in arrays of the same lengths.
    #[cfg(feature = "plan")]
    fn is_like(&self, _other: &Self) -> bool {
        false
    }

    /// Becomes a copy of the other ring's slots, at `offsets` at least. O(slots x columns).
    #[cfg(feature = "plan")]
    fn copy_slots(&mut self, _other: &Self, _offsets: Range<usize>) {}

    /// Knows the classes that the other ring knows. O(classes x columns).
    #[cfg(feature = "plan")]
    fn copy_classes(&mut self, _other: &Self) {}

    /// Becomes idle, where counts decide. O(slots).
    #[cfg(feature = "plan")]
    fn clear_slots(&mut self) {}

    /// Returns whether some of a set is busy at some of `offsets`, where sets decide. O(offsets x columns).
    #[cfg(feature = "plan")]
    fn is_booked_on(&self, _set: &[Self::Part], _offsets: Range<usize>) -> bool {
        false
    }

    /// Returns whether something is busy in the slot at `here` that is free at `there` in the other ring, wherever both are. O(columns).
    #[cfg(feature = "plan")]
    fn is_busier(&self, _here: usize, _other: &Self, _there: usize) -> bool {
        false
    }

    /// Returns from the first to the last of `offsets` at which something is busy here that is free in the other ring, and whether there is one at which it is the
    /// other way round. O(offsets x columns).
    #[cfg(feature = "plan")]
    fn compare(&self, other: &Self, offsets: Range<usize>) -> (Option<Range<usize>>, bool) {
        let mut freed = None;
        let mut taken = false;
        for offset in offsets {
            if self.is_busier(offset, other, offset) {
                let here = offset..offset.saturating_add(1);
                freed = freed.into_iter().chain(Some(here)).reduce(hull);
            }
            taken = taken || other.is_busier(offset, self, offset);
        }
        (freed, taken)
    }
}

/// Returns the least range that holds both.
#[cfg(feature = "plan")]
pub(crate) fn hull(one: Range<usize>, other: Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Copies an array, as far as both are long.
#[cfg(feature = "plan")]
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
