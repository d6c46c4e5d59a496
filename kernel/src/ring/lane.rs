//! The elements that rings are made of, one per slot, and how neighbours in time are joined.

/// An element of which a stretch of slots can be joined into one: busy counts by their maximum, busy sets by union.
pub(crate) trait Lane: Copy {
    /// What an idle slot holds; joining it changes nothing.
    const IDLE: Self;
    /// What holds of a job that needs both slots.
    fn join(self, other: Self) -> Self;
    /// How many processing elements it keeps busy.
    fn busy(self) -> u32;
}

impl Lane for u16 {
    const IDLE: Self = 0;

    #[inline]
    fn join(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline]
    fn busy(self) -> u32 {
        u32::from(self)
    }
}

/// A bitset of neighbouring processing elements: the columns of which a [`PeRing`](crate::PeRing) is made.
///
/// `u32` suits devices of up to some 128 processing elements, `[u64; 8]` hosts. The trait is sealed.
///
/// ```
/// use bookahead::Column;
/// assert_eq!(<[u64; 8] as Column>::BITS, 512);
/// ```
#[allow(private_bounds, reason = "sealed: only the crate's own columns")]
pub trait Column: Sealed + PartialEq + Default + core::fmt::Debug {
    /// Processing elements per column.
    const BITS: usize;
    /// No processing element.
    const NONE: Self;
}

pub(crate) trait Sealed: Lane {
    /// The `count` lowest bits; all of them when there are no more than `count`.
    fn lowest(count: usize) -> Self;
    fn and(self, other: Self) -> Self;
    fn and_not(self, other: Self) -> Self;
    fn is_idle(self) -> bool;
    /// Drops all but the `count` lowest members.
    fn keep_lowest(self, count: u32) -> Self;
    /// Its lowest member at or above `from`.
    fn next_member(self, from: usize) -> Option<usize>;
}

/// Union, count and the like for one machine word; a column of several words goes through them word by word.
macro_rules! word_column {
    ($word:ty) => {
        impl Lane for $word {
            const IDLE: Self = 0;

            #[inline]
            fn join(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn busy(self) -> u32 {
                self.count_ones()
            }
        }

        impl Sealed for $word {
            #[inline]
            fn lowest(count: usize) -> Self {
                if count >= Self::BITS as usize {
                    Self::MAX
                } else {
                    !Self::MAX.wrapping_shl(count as u32)
                }
            }

            #[inline]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline]
            fn and_not(self, other: Self) -> Self {
                self & !other
            }

            #[inline]
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

            #[inline]
            fn next_member(self, from: usize) -> Option<usize> {
                let rest = self.and_not(Self::lowest(from));
                (rest != 0).then_some(rest.trailing_zeros() as usize)
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

impl Lane for [u64; 8] {
    const IDLE: Self = [0; 8];

    #[inline]
    fn join(self, other: Self) -> Self {
        zip(self, other, Lane::join)
    }

    #[inline]
    fn busy(self) -> u32 {
        self.iter()
            .fold(0, |sum, word| sum.wrapping_add(word.count_ones()))
    }
}

impl Sealed for [u64; 8] {
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
}

#[inline]
fn zip(left: [u64; 8], right: [u64; 8], combine: impl Fn(u64, u64) -> u64) -> [u64; 8] {
    let mut out = left;
    for (word, other) in out.iter_mut().zip(right) {
        *word = combine(*word, other);
    }
    out
}

/// Lane number `lane` of `lanes` arrays of `storage` slots that lie one behind the other.
#[inline]
pub(crate) fn lane<L>(lanes: &[L], lane: usize, storage: usize) -> &[L] {
    let from = lane.wrapping_mul(storage);
    lanes
        .get(from..from.wrapping_add(storage))
        .unwrap_or_default()
}

/// The same, to be written.
#[inline]
pub(crate) fn lane_mut<L>(lanes: &mut [L], lane: usize, storage: usize) -> &mut [L] {
    let from = lane.wrapping_mul(storage);
    lanes
        .get_mut(from..from.wrapping_add(storage))
        .unwrap_or_default()
}
