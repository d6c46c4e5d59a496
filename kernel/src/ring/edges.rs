//! Two bits per slot: whether it differs from the slot before, and whether something is released in it.

use core::ops::Range;

use super::axis::Axis;

/// Change bits and release bits of a ring.
///
/// A booking changes all its slots alike, so inside it equal neighbours stay equal and releases stay releases. Only the bits of its first
/// slot and of the slot after its last one have to be computed again. The bits of `now` and of slots that are not covered are 0.
///
/// Words have 32 bits: wider ones cost much more on small devices and gain almost nothing on hosts.
pub(crate) struct Edges<'a> {
    pub(crate) change: &'a mut [u32],
    pub(crate) release: &'a mut [u32],
}

/// Slots per word.
pub(crate) const WORD: usize = 32;

/// The comparison of a slot with the one before it.
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
    /// Become as the others.
    #[cfg(feature = "plan")]
    pub(super) fn copy(&mut self, other: &Self) {
        super::planning::copy(self.change, other.change);
        super::planning::copy(self.release, other.release);
    }

    pub(crate) fn set(&mut self, index: usize, edge: Edge) {
        write_bit(self.change, index, edge.change);
        write_bit(self.release, index, edge.release);
    }

    pub(crate) fn get(&self, index: usize) -> Edge {
        Edge {
            change: read_bit(self.change, index),
            release: read_bit(self.release, index),
        }
    }

    /// Clears the bits of `offsets`.
    pub(crate) fn wipe(&mut self, axis: &Axis, offsets: Range<usize>) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, WORD);
            rest.start = rest.start.wrapping_add(indices.len());
            let wiped = low_bits(indices.len()).wrapping_shl(indices.start as u32);
            for bits in [&mut *self.change, &mut *self.release] {
                if let Some(word) = bits.get_mut(indices.start / WORD) {
                    *word &= !wiped;
                }
            }
        }
    }

    /// Returns the first change at an offset in `offsets`.
    pub(crate) fn next_change(&self, axis: &Axis, offsets: Range<usize>) -> Option<usize> {
        next_bit(self.change, axis, offsets)
    }

    /// Returns a bit for each of the 32 offsets from `from` on: whether it has a change. What lies behind the ring has any.
    pub(crate) fn changes_from(&self, axis: &Axis, from: usize) -> u32 {
        bits_from(self.change, axis, from)
    }

    /// As [`Self::changes_from`], for releases.
    pub(crate) fn releases_from(&self, axis: &Axis, from: usize) -> u32 {
        bits_from(self.release, axis, from)
    }

    /// Returns the last change at an offset in `offsets`.
    pub(crate) fn last_change(&self, axis: &Axis, offsets: Range<usize>) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.last_unit(&rest, WORD);
            let word = self.change.get(indices.start / WORD)?;
            let before = word & low_bits(indices.len()).wrapping_shl(indices.start as u32);
            rest.end = rest.end.wrapping_sub(indices.len());
            if before != 0 {
                let found = (before.ilog2() as usize).wrapping_sub(indices.start % WORD);
                return Some(rest.end.wrapping_add(found));
            }
        }
        None
    }

    /// Returns the first release at an offset in `offsets`.
    pub(crate) fn next_release(&self, axis: &Axis, offsets: Range<usize>) -> Option<usize> {
        next_bit(self.release, axis, offsets)
    }
}

fn next_bit(bits: &[u32], axis: &Axis, offsets: Range<usize>) -> Option<usize> {
    let mut rest = offsets;
    while !rest.is_empty() {
        let indices = axis.first_unit(&rest, WORD);
        let word = bits.get(indices.start / WORD)?;
        let ahead = word.wrapping_shr(indices.start as u32);
        if ahead != 0 {
            let found = rest.start.wrapping_add(ahead.trailing_zeros() as usize);
            return (found < rest.end).then_some(found);
        }
        rest.start = rest.start.wrapping_add(indices.len());
    }
    None
}

fn bits_from(bits: &[u32], axis: &Axis, from: usize) -> u32 {
    let index = axis.index(from);
    let word = index / WORD;
    let next = bits.get(word.wrapping_add(1)).or(bits.first());
    let [word, next] =
        [bits.get(word), next].map(|word| u64::from(word.copied().unwrap_or_default()));
    (next << WORD | word).wrapping_shr((index % WORD) as u32) as u32
}

/// Returns a word with its `count` lowest bits set.
pub(crate) const fn low_bits(count: usize) -> u32 {
    if count < WORD {
        !u32::MAX.wrapping_shl(count as u32)
    } else {
        u32::MAX
    }
}

fn write_bit(bits: &mut [u32], index: usize, value: bool) {
    if let Some(word) = bits.get_mut(index / WORD) {
        let shift = (index % WORD) as u32;
        *word = *word & !1_u32.wrapping_shl(shift) | u32::from(value).wrapping_shl(shift);
    }
}

fn read_bit(bits: &[u32], index: usize) -> bool {
    let word = bits.get(index / WORD).copied().unwrap_or_default();
    word.wrapping_shr((index % WORD) as u32) & 1 == 1
}
