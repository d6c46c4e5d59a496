//! One bit per slot for "differs from the slot before", one for "something is released here".

use core::ops::Range;

use super::axis::Axis;

/// Change bits and release bits of a ring.
///
/// A booking changes all its slots alike, so inside it neighbours that were equal stay equal and what was released
/// stays released: only the bits of its first slot and of the slot behind it have to be worked out again. The bits of `now` and of
/// everything not covered are 0.
pub(crate) struct Edges<'a> {
    pub(crate) change: &'a mut [u64],
    pub(crate) release: &'a mut [u64],
}

/// How a slot compares with the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) change: bool,
    pub(crate) release: bool,
}

impl Edge {
    /// No difference.
    pub(crate) const NONE: Self = Self {
        change: false,
        release: false,
    };
}

impl Edges<'_> {
    pub(crate) fn set(&mut self, place: usize, edge: Edge) {
        write_bit(self.change, place, edge.change);
        write_bit(self.release, place, edge.release);
    }

    pub(crate) fn get(&self, place: usize) -> Edge {
        Edge {
            change: read_bit(self.change, place),
            release: read_bit(self.release, place),
        }
    }

    /// Wipes the bits of `places`.
    pub(crate) fn wipe(&mut self, places: Range<usize>) {
        for bits in [&mut *self.change, &mut *self.release] {
            for (word, mask) in words_of(places.clone()) {
                if let Some(word) = bits.get_mut(word) {
                    *word &= !mask;
                }
            }
        }
    }

    /// The first change at an offset in `offsets`.
    #[inline]
    pub(crate) fn next_change(&self, axis: &Axis, offsets: Range<usize>) -> Option<usize> {
        next_bit(self.change, axis, offsets)
    }

    /// The first release at an offset in `offsets`.
    #[inline]
    pub(crate) fn next_release(&self, axis: &Axis, offsets: Range<usize>) -> Option<usize> {
        next_bit(self.release, axis, offsets)
    }
}

#[inline]
fn next_bit(bits: &[u64], axis: &Axis, offsets: Range<usize>) -> Option<usize> {
    if offsets.is_empty() {
        return None;
    }
    let storage = bits.len().wrapping_mul(64);
    for places in axis.places(offsets, storage) {
        for (index, mask) in words_of(places) {
            let found = bits.get(index).copied().unwrap_or_default() & mask;
            if found != 0 {
                let place = (index << 6) | found.trailing_zeros() as usize;
                return Some(axis.offset_of(place, storage));
            }
        }
    }
    None
}

/// The words that hold the bits of `places`, each with a mask of those bits.
#[inline]
fn words_of(places: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let first = places.start >> 6;
    let end = places.end.div_ceil(64);
    let words = if places.is_empty() { 0..0 } else { first..end };
    words.map(move |word| {
        let from = places.start.saturating_sub(word << 6) as u32;
        let to = places.end.saturating_sub(word << 6).min(64) as u32;
        let below = u64::MAX.checked_shl(to).unwrap_or_default();
        (word, u64::MAX.wrapping_shl(from) & !below)
    })
}

fn write_bit(bits: &mut [u64], place: usize, value: bool) {
    if let Some(word) = bits.get_mut(place >> 6) {
        let shift = (place & 63) as u32;
        *word = *word & !1u64.wrapping_shl(shift) | u64::from(value).wrapping_shl(shift);
    }
}

fn read_bit(bits: &[u64], place: usize) -> bool {
    let word = bits.get(place >> 6).copied().unwrap_or_default();
    word.wrapping_shr((place & 63) as u32) & 1 == 1
}
