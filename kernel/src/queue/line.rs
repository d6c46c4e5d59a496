//! Those who wait, in order: the first elements of an array. The others are empty.
//!
//! Not inlined, so that the one turn of an array in each is, which shows that it cannot panic.

/// Inserts an entry before index `place`, if there is an element left for it. O(entries behind it).
#[cfg(any(feature = "plan", feature = "journal"))]
#[inline(never)]
pub(super) fn insert<E>(line: &mut [E], len: &mut u32, place: usize, entry: E) -> bool {
    let end = (*len as usize).saturating_add(1);
    let tail = line.get_mut(place..end).unwrap_or_default();
    let [.., last] = tail else {
        return false;
    };
    *last = entry;
    tail.rotate_right(1);
    *len = len.saturating_add(1);
    true
}

/// Removes the entry at `place`, if there is one. O(entries behind it).
#[inline(never)]
pub(super) fn remove<E: Default>(line: &mut [E], len: &mut u32, place: usize) -> bool {
    let tail = line.get_mut(place..*len as usize).unwrap_or_default();
    let [gone, ..] = tail else {
        return false;
    };
    *gone = E::default();
    tail.rotate_left(1);
    *len = len.saturating_sub(1);
    true
}
