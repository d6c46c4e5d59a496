//! The elements that rings are made of, one per slot, and how the elements of neighbouring slots are joined.

use core::{
    ops::Range,
    sync::atomic::{Ordering, compiler_fence},
};

#[cfg(feature = "placement")]
use crate::placement::at_least;
use crate::ring::SetPart;

/// An element that can be joined with others, so that one element describes several slots: a set, by union.
pub(crate) trait Element: Copy {
    /// The element of an idle slot; joining it changes nothing.
    const IDLE: Self;
    /// Returns what is busy in at least one of two slots, and so not available to a job that needs both.
    fn join(self, other: Self) -> Self;
    /// Returns the number of busy processing elements.
    fn busy(self) -> u32;
    /// Joins the elements of several slots.
    fn join_all(rows: &[Self]) -> Self {
        rows.iter()
            .fold(Self::IDLE, |joined, row| joined.join(*row))
    }
}

/// A bitset of consecutive processing elements: the integer that the columns of a [`PeRing`](crate::raw::PeRing) are made of.
///
/// `u32` suits devices with up to about 128 processing elements, `[u64; 8]` suits hosts. The trait is sealed.
///
/// ```
/// use bookahead::raw::Column;
/// assert_eq!(<[u64; 8] as Column>::BITS, 512);
/// ```
#[allow(private_bounds, reason = "sealed: only the crate's own columns")]
pub trait Column: Sealed + SetPart<Count = u16> {
    /// Processing elements per column.
    const BITS: usize;
    /// No processing element.
    const NONE: Self;
}

pub(crate) trait Sealed: Element {
    /// Whether fetching one column of a slot costs more than computing with it, so that extra work to avoid the fetch pays off.
    const WIDE: bool;
    /// Returns the set of the `count` lowest bits; of all bits when there are no more than `count`.
    fn lowest(count: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn is_idle(self) -> bool;
    /// Returns the `count` lowest members.
    fn keep_lowest(self, count: u32) -> Self;
    /// Returns the lowest member at or above `from`.
    fn next_member(self, from: usize) -> Option<usize>;
    /// Bits of a word.
    #[cfg(any(feature = "journal", feature = "placement"))]
    const WORD: u32;
    /// Returns a word, counted from the lowest.
    #[cfg(any(feature = "journal", feature = "placement"))]
    fn word(&self, number: usize) -> u64;
    /// Adds bits to a word.
    #[cfg(feature = "placement")]
    fn add_to_word(&mut self, number: usize, bits: u64);
    /// Returns the lowest bit of each part of a word, with 2^`log` bits, in which at least `need` bits are set.
    #[cfg(feature = "placement")]
    fn at_least(self, log: u8, need: u32) -> Self;
}

/// Implements union, count and the other operations for one machine word; a column of several words applies them word by word.
macro_rules! word_column {
    ($word:ty) => {
        impl Element for $word {
            const IDLE: Self = 0;

            fn join(self, other: Self) -> Self {
                self | other
            }

            fn busy(self) -> u32 {
                self.count_ones()
            }
        }

        impl Sealed for $word {
            const WIDE: bool = false;

            fn lowest(count: usize) -> Self {
                if count >= Self::BITS as usize {
                    Self::MAX
                } else {
                    !Self::MAX.wrapping_shl(count as u32)
                }
            }

            fn and(self, other: Self) -> Self {
                self & other
            }

            fn and_not(self, other: Self) -> Self {
                self & !other
            }

            fn is_idle(self) -> bool {
                self == 0
            }

            fn keep_lowest(self, count: u32) -> Self {
                let mut kept = 0;
                let mut rest = self;
                for _ in 0..count.min(Self::BITS) {
                    kept |= rest & rest.wrapping_neg();
                    rest &= rest.wrapping_sub(1);
                }
                kept
            }

            fn next_member(self, from: usize) -> Option<usize> {
                let rest = self.and_not(Self::lowest(from));
                (rest != 0).then_some(rest.trailing_zeros() as usize)
            }

            #[cfg(any(feature = "journal", feature = "placement"))]
            const WORD: u32 = Self::BITS;

            #[cfg(any(feature = "journal", feature = "placement"))]
            fn word(&self, number: usize) -> u64 {
                if number == 0 { (*self).into() } else { 0 }
            }

            #[cfg(feature = "placement")]
            fn add_to_word(&mut self, number: usize, bits: u64) {
                if number == 0 {
                    *self |= bits as Self;
                }
            }

            #[cfg(feature = "placement")]
            fn at_least(self, log: u8, need: u32) -> Self {
                let [parts] = at_least([self.into()], log, need);
                parts as Self
            }
        }
    };
}

word_column!(u32);
word_column!(u64);

impl Column for u32 {
    const BITS: usize = 32;
    const NONE: Self = 0;
}

impl Column for [u64; 8] {
    const BITS: usize = 512;
    const NONE: Self = [0; 8];
}

impl Element for [u64; 8] {
    const IDLE: Self = [0; 8];

    #[inline]
    fn join(self, other: Self) -> Self {
        zip(self, other, Element::join)
    }

    #[inline]
    fn busy(self) -> u32 {
        in_one_piece();
        if cfg!(target_feature = "popcnt") {
            let members = self.map(u64::count_ones);
            members.into_iter().fold(0, u32::wrapping_add)
        } else {
            count_ones(self)
        }
    }

    #[inline]
    fn join_all(rows: &[Self]) -> Self {
        rows.iter().fold(Self::IDLE, |joined, row| {
            in_one_piece();
            joined.join(*row)
        })
    }
}

/// Keeps compilers for wide vectors from taking the same word of several columns into one vector: they lie so far apart that collecting them takes
/// twice as long as what is done with them. No instruction.
#[inline]
fn in_one_piece() {
    compiler_fence(Ordering::SeqCst);
}

impl Sealed for [u64; 8] {
    const WIDE: bool = true;

    #[inline]
    fn lowest(count: usize) -> Self {
        let mut left = count;
        let mut column = Self::NONE;
        for word in &mut column {
            *word = u64::lowest(left);
            left = left.saturating_sub(64);
        }
        column
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        zip(self, other, Sealed::and)
    }

    #[inline]
    fn and_not(self, other: Self) -> Self {
        zip(self, other, Sealed::and_not)
    }

    #[inline]
    fn is_idle(self) -> bool {
        self.iter().fold(0, |all, word| all | word) == 0
    }

    fn keep_lowest(self, count: u32) -> Self {
        let mut left = count;
        self.map(|word| {
            let kept = if word.count_ones() <= left {
                word
            } else {
                word.keep_lowest(left)
            };
            left = left.saturating_sub(kept.count_ones());
            kept
        })
    }

    fn next_member(self, from: usize) -> Option<usize> {
        let first = from >> 6;
        for (index, word) in self.iter().enumerate().skip(first) {
            let within = if index == first { from & 63 } else { 0 };
            if let Some(member) = word.next_member(within) {
                return Some((index << 6) | member);
            }
        }
        None
    }

    #[cfg(any(feature = "journal", feature = "placement"))]
    const WORD: u32 = 64;

    #[cfg(any(feature = "journal", feature = "placement"))]
    fn word(&self, number: usize) -> u64 {
        self.get(number).copied().unwrap_or_default()
    }

    #[cfg(feature = "placement")]
    fn add_to_word(&mut self, number: usize, bits: u64) {
        if let Some(word) = self.get_mut(number) {
            *word |= bits;
        }
    }

    #[cfg(feature = "placement")]
    #[inline]
    fn at_least(self, log: u8, need: u32) -> Self {
        at_least(self, log, need)
    }
}

/// Counts the members of a column. Bits are summed in parallel in ever wider fields, for all words at once; compilers turn this into
/// vector code even for processors without an instruction that counts bits.
#[inline]
fn count_ones(column: [u64; 8]) -> u32 {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const NIBBLES: u64 = 0x3333_3333_3333_3333;
    const BYTES: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    const HALVES: u64 = 0x00FF_00FF_00FF_00FF;
    let in_nibbles = column.map(|word| {
        let pairs = word.wrapping_sub(word >> 1 & PAIRS);
        (pairs & NIBBLES).wrapping_add(pairs >> 2 & NIBBLES)
    });
    // A nibble can hold 15 and here holds at most 4, so two words can be added; a byte then holds at most 16, so four can be added. Words
    // of the two halves are added, so that neighbours are loaded together: what was just stored as neighbours is otherwise not yet readable.
    let [a, b, c, d, e, f, g, h] = in_nibbles;
    let in_bytes = [(a, e), (b, f), (c, g), (d, h)].map(|(one, other)| {
        let nibbles = one.wrapping_add(other);
        (nibbles & BYTES).wrapping_add(nibbles >> 4 & BYTES)
    });
    let bytes = in_bytes.into_iter().fold(0, u64::wrapping_add);
    let halves = (bytes & HALVES).wrapping_add(bytes >> 8 & HALVES);
    (halves.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

#[inline]
fn zip(left: [u64; 8], right: [u64; 8], combine: impl Fn(u64, u64) -> u64) -> [u64; 8] {
    let mut out = left;
    for (word, other) in out.iter_mut().zip(right) {
        *word = combine(*word, other);
    }
    out
}

/// Returns the number of members of a set that is given column by column.
pub(crate) fn busy<C: Column>(set: &[C]) -> u32 {
    set.iter()
        .fold(0, |sum, part| sum.wrapping_add(part.busy()))
}

/// Joins the elements of consecutive slots.
#[cfg_attr(target_pointer_width = "64", inline)]
pub(crate) fn fold<L: Element>(rows: &[L], indices: Range<usize>) -> L {
    L::join_all(rows.get(indices).unwrap_or_default())
}

/// Converts indices within one array of slots into indices of a larger array that contains it from `base` on.
pub(crate) const fn from_base(base: usize, indices: Range<usize>) -> Range<usize> {
    base.wrapping_add(indices.start)..base.wrapping_add(indices.end)
}

/// Returns array number `lane` of the arrays of `storage` slots each that are stored one after the other in `lanes`.
pub(crate) fn chunk<L>(lanes: &[L], lane: usize, storage: usize) -> &[L] {
    let from = lane.wrapping_mul(storage);
    lanes
        .get(from..from.wrapping_add(storage))
        .unwrap_or_default()
}

/// As [`chunk`], for writing.
pub(crate) fn chunk_mut<L>(lanes: &mut [L], lane: usize, storage: usize) -> &mut [L] {
    let from = lane.wrapping_mul(storage);
    lanes
        .get_mut(from..from.wrapping_add(storage))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Column, Element, Sealed, count_ones};

    #[test]
    fn members_are_counted_in_every_place() {
        for bit in 0..512 {
            let mut column = <[u64; 8]>::NONE;
            for (index, word) in column.iter_mut().enumerate() {
                *word = if index == bit / 64 {
                    1 << (bit % 64)
                } else {
                    0
                };
            }
            assert_eq!(count_ones(column), 1);
            assert_eq!(count_ones(column.map(|word| !word)), 511);
            assert_eq!(<[u64; 8]>::lowest(bit).busy(), bit as u32);
        }
        assert_eq!(count_ones([u64::MAX; 8]), 512);
    }

    #[test]
    fn the_lowest_members_are_kept() {
        assert_eq!(0b1011_0100_u32.keep_lowest(2), 0b1_0100);
        assert_eq!(0b1011_0100_u32.keep_lowest(9), 0b1011_0100);
        let column = [0, 0b110, 0, 1 << 63, 0, 0, 0, 0];
        assert_eq!(column.keep_lowest(2), [0, 0b110, 0, 0, 0, 0, 0, 0]);
        assert_eq!(column.keep_lowest(3), column);
        assert_eq!(column.next_member(0), Some(65));
        assert_eq!(column.next_member(67), Some(255));
        assert_eq!(column.next_member(256), None);
    }
}
