//! How wide a count is: what counts of 16 and of 32 bits have in common.

use core::{
    fmt::Debug,
    ops::{BitAnd, BitOr},
};

use super::{
    axis::BLOCK,
    occupancy::{SetPart, Unnumbered},
};

/// How wide the counts of a book are: `u16`, or `u32` for more than 65,535 units. The trait is sealed.
///
/// ```
/// use bookahead::{PeCount, Span, UnitBook};
/// // The memory of a machine in MiB.
/// let mut memory = UnitBook::<1, 8>::new(PeCount::new(16 << 20), Span::new(48)).unwrap();
/// assert_eq!(memory.view().pes().get(), 16_777_216);
/// ```
#[allow(private_bounds, reason = "sealed: only the crate's own widths")]
pub trait Width: Count {
    /// What stands in for the sets that such a book has none of.
    type NoSet: SetPart<Count = Self>;
}

impl Width for u16 {
    type NoSet = ();
}

impl Width for u32 {
    type NoSet = Unnumbered;
}

/// A number of busy units in one slot.
///
/// Searches are written once for all widths, and the compiler makes code for each that is used. All arithmetic is that of the width itself, so that vector
/// instructions take as many counts at once as fit.
pub(crate) trait Count:
    Copy + Ord + Default + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + 'static
{
    /// The type of counts less half of what the width can say: more processors have vector instructions to compare signed numbers.
    type Signed: Copy + Ord;

    const ZERO: Self;
    const MAX: Self;
    /// Whether units have numbers, by which running jobs are bound to them. More units than there are numbers are all alike, as those of memory or
    /// bandwidth are.
    const NUMBERED: bool;
    /// Slots in which nothing is free.
    const FULL: &'static [Self; 2 * BLOCK];
    /// The least and the greatest signed number.
    const SIGNED: [Self::Signed; 2];

    /// Takes the lower bits of a number, which says no more than that in a ring of this width.
    fn of(pes: u32) -> Self;

    fn get(self) -> u32;

    /// Returns an area, of so many units for some slots, divided by a number of units, which is not 0.
    fn quotient(area: u64, units: u32) -> u64;

    /// Adds modulo the width.
    fn plus(self, more: Self) -> Self;

    /// Returns what [`plus`](Self::plus) takes away again.
    fn negative(self) -> Self;

    /// Returns how many this is above `other`, 0 if it is not.
    fn above(self, other: Self) -> Self;

    /// Returns the next number, `None` behind the greatest one.
    fn next(self) -> Option<Self>;

    fn signed(self) -> Self::Signed;

    fn unsigned(signed: Self::Signed) -> Self;

    /// For each part of a block, a mask of 64 of these selects the counts from its first one on, and another those up to its last one.
    fn masks() -> &'static [[Self; BLOCK]; 3];
}

macro_rules! count {
    ($count:ty, $signed:ty, $numbered:literal, $quotient:expr) => {
        impl Count for $count {
            type Signed = $signed;

            const ZERO: Self = 0;
            const MAX: Self = <$count>::MAX;
            const NUMBERED: bool = $numbered;
            const FULL: &'static [Self; 2 * BLOCK] = &[<$count>::MAX; 2 * BLOCK];
            const SIGNED: [$signed; 2] = [<$signed>::MIN, <$signed>::MAX];

            #[inline(always)]
            fn of(pes: u32) -> Self {
                pes as Self
            }

            #[inline(always)]
            fn get(self) -> u32 {
                self.into()
            }

            fn quotient(area: u64, units: u32) -> u64 {
                $quotient(area, units)
            }

            #[inline(always)]
            fn plus(self, more: Self) -> Self {
                self.wrapping_add(more)
            }

            #[inline(always)]
            fn negative(self) -> Self {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn above(self, other: Self) -> Self {
                self.saturating_sub(other)
            }

            #[inline(always)]
            fn next(self) -> Option<Self> {
                self.checked_add(1)
            }

            #[inline(always)]
            fn signed(self) -> $signed {
                (self ^ 1 << (<$count>::BITS - 1)) as $signed
            }

            #[inline(always)]
            fn unsigned(signed: $signed) -> Self {
                signed as Self ^ 1 << (<$count>::BITS - 1)
            }

            #[inline(always)]
            fn masks() -> &'static [[Self; BLOCK]; 3] {
                static MASKS: [[$count; BLOCK]; 3] =
                    [[0; BLOCK], [<$count>::MAX; BLOCK], [0; BLOCK]];
                &MASKS
            }
        }
    };
}

count!(u16, i16, true, short_quotient);
count!(u32, i32, false, |area: u64, units: u32| area
    .checked_div(units.into())
    .unwrap_or_default());

/// Returns `dividend / divisor`, for an area and a divisor below 2^16. It divides 16 bits at a time: small devices divide at most 32 bits
/// at once.
fn short_quotient(dividend: u64, divisor: u32) -> u64 {
    let (mut quotient, mut rest) = (0_u64, 0_u32);
    for shift in [32, 16, 0] {
        let digits = rest << 16 | (dividend >> shift) as u32 & 0xFFFF;
        quotient = quotient << 16 | u64::from(digits.checked_div(divisor).unwrap_or_default());
        rest = digits.checked_rem(divisor).unwrap_or_default();
    }
    quotient
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may panic"
)]
mod tests {
    extern crate std;
    use std::{fmt::Debug, ops::Range, vec, vec::Vec};

    use super::Count;
    use crate::{
        ring::{Axis, BLOCK, BulkScan, CountScan, Counts, PlainScan, Scan},
        time::Slot,
    };

    /// Below the limit, in no order.
    fn number(state: &mut u64, limit: u64) -> u64 {
        *state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (*state >> 31) % limit
    }

    /// What every slot has, one number each, in order of time.
    struct Plain(Vec<u64>);

    impl Plain {
        fn peak(&self, offsets: Range<usize>) -> u64 {
            self.0[offsets].iter().copied().max().unwrap_or(0)
        }

        fn first(&self, offsets: Range<usize>, wanted: impl Fn(u64) -> bool) -> Option<usize> {
            { offsets }.find(|slot| wanted(self.0[*slot]))
        }

        fn last(&self, offsets: Range<usize>, wanted: impl Fn(u64) -> bool) -> Option<usize> {
            { offsets }.rfind(|slot| wanted(self.0[*slot]))
        }

        fn run(&self, offsets: Range<usize>, len: usize, most: u64) -> Option<usize> {
            let mut start = offsets.start;
            while start + len <= offsets.end {
                match self.last(start..start + len, |busy| busy > most) {
                    None => return Some(start),
                    Some(full) => start = full + 1,
                }
            }
            None
        }
    }

    /// A range of some of the slots, mostly of a few blocks.
    fn some(state: &mut u64, slots: usize) -> Range<usize> {
        let start = number(state, slots as u64) as usize;
        let most = [200, slots][number(state, 2) as usize].min(slots - start);
        start..start + 1 + number(state, most as u64) as usize
    }

    /// Asks everything about a bound near a count that there is, in a range.
    fn compare<S: CountScan, N>(counts: &Counts<'_, N>, axis: &Axis, plain: &Plain, state: &mut u64)
    where
        N: Count + TryFrom<u64, Error: Debug> + Into<u64>,
    {
        let slots = plain.0.len();
        let range = some(state, slots);
        let seen = plain.0[number(state, slots as u64) as usize];
        let near = [seen.saturating_sub(1), seen, seen + 1][number(state, 3) as usize];
        let bound = near.min(N::MAX.into());
        let most = N::try_from(bound).unwrap();
        let wide = |count: N| -> u64 { count.into() };
        let above = |busy| busy > bound;
        assert_eq!(
            wide(S::peak(counts, axis, range.clone())),
            plain.peak(range.clone())
        );
        let found = S::first_above(counts, axis, range.clone(), most);
        assert_eq!(found, plain.first(range.clone(), above), "{range:?}");
        let found = counts.last_above::<S>(axis, range.clone(), most);
        assert_eq!(found, plain.last(range.clone(), above), "{range:?}");
        if !S::BULK {
            return;
        }
        let found = counts.first_within(axis, range.clone(), most);
        assert_eq!(found, plain.first(range.clone(), |busy| busy <= bound));
        let found = counts.last_within(axis, range.clone(), most);
        assert_eq!(found, plain.last(range.clone(), |busy| busy <= bound));
        let len = 1 + number(state, 400) as usize;
        let found = counts.first_run(axis, range.clone(), len, most);
        assert_eq!(
            found,
            plain.run(range.clone(), len, bound),
            "{len} in {range:?}"
        );
        if range.start + len > slots {
            // At least the first window has to lie in the ring.
            return;
        }
        let peaks = counts.window_peaks(axis, range.start, len, slots);
        for (start, peak) in (range.start..).zip(peaks) {
            let end = start + len;
            let whole = (end <= slots).then(|| plain.peak(start..end));
            assert_eq!(
                wide(peak),
                whole.unwrap_or(N::MAX.into()),
                "{len} at {start}"
            );
        }
    }

    /// Books, frees and clears at random up to the greatest count there is, and compares each slot and each search.
    fn live<S: Scan, N>(seed: u64, blocks: usize, steps: usize)
    where
        N: Count + TryFrom<u64, Error: Debug> + Into<u64>,
    {
        let state = &mut { seed };
        let slots = blocks * BLOCK - number(state, BLOCK as u64) as usize;
        let mut axis = Axis::new(9, slots as u32, blocks as u32);
        axis.move_now(Slot::new(1), number(state, slots as u64) as usize);
        let mut busy = vec![N::ZERO; blocks * BLOCK];
        let mut summaries = vec![N::ZERO; blocks * S::SUMMARIES];
        let mut counts = Counts {
            busy: &mut busy,
            summaries: &mut summaries,
        };
        let mut plain = Plain(vec![0; slots]);
        let mut booked: Vec<(Range<usize>, u64)> = Vec::new();
        for _ in 0..steps {
            match number(state, 8) {
                0..4 => {
                    let range = some(state, slots);
                    let room = N::MAX.into() - plain.peak(range.clone());
                    let pes = [room, room / 2, 65_536, 1][number(state, 4) as usize];
                    let pes = [pes, number(state, room + 1)][number(state, 2) as usize].min(room);
                    S::write(
                        &mut counts,
                        &axis,
                        range.clone(),
                        N::try_from(pes).unwrap(),
                        true,
                    );
                    plain.0[range.clone()]
                        .iter_mut()
                        .for_each(|busy| *busy += pes);
                    booked.push((range, pes));
                }
                4..7 if !booked.is_empty() => {
                    let (range, pes) =
                        booked.swap_remove(number(state, booked.len() as u64) as usize);
                    S::write(
                        &mut counts,
                        &axis,
                        range.clone(),
                        N::try_from(pes).unwrap(),
                        false,
                    );
                    plain.0[range].iter_mut().for_each(|busy| *busy -= pes);
                }
                _ => {
                    // What is cleared is booked no longer.
                    let range = some(state, slots);
                    S::fill(&mut counts, &axis, range.clone(), N::ZERO);
                    plain.0[range.clone()].fill(0);
                    booked
                        .retain(|(other, _)| other.end <= range.start || range.end <= other.start);
                    for offset in 0..slots {
                        let sum = booked.iter().filter(|(range, _)| range.contains(&offset));
                        let sum: u64 = sum.map(|(_, pes)| *pes).sum();
                        let mut less = plain.0[offset] - sum;
                        while less > 0 {
                            let some = less.min(N::MAX.into());
                            let (one, some) = (offset..offset + 1, N::try_from(some).unwrap());
                            S::write(&mut counts, &axis, one, some, false);
                            less -= some.into();
                        }
                        plain.0[offset] = sum;
                    }
                }
            }
            assert!(S::summaries_hold(&counts));
            for (offset, busy) in plain.0.iter().enumerate() {
                assert_eq!(counts.at(axis.index(offset)).into(), *busy, "{offset}");
            }
            for _ in 0..4 {
                compare::<S, N>(&counts, &axis, &plain, state);
            }
        }
    }

    fn all_sizes<S: Scan, N>()
    where
        N: Count + TryFrom<u64, Error: Debug> + Into<u64>,
    {
        for seed in 0..12 {
            live::<S, N>(seed, 1 + seed as usize % 7, 60);
        }
        // Summaries of 4,096 slots.
        live::<S, N>(20, 3 * 64 + 9, 15);
    }

    #[test]
    fn counts_of_16_bits_are_what_slot_by_slot_is_found() {
        all_sizes::<PlainScan, u16>();
        all_sizes::<BulkScan, u16>();
    }

    #[test]
    fn counts_of_32_bits_are_what_slot_by_slot_is_found() {
        all_sizes::<PlainScan, u32>();
        all_sizes::<BulkScan, u32>();
    }

    #[test]
    fn areas_are_divided_as_numbers_are() {
        let areas = [
            0,
            1,
            65_534,
            65_535,
            65_536,
            1 << 32,
            (1 << 48) - 1,
            0xFFFE_0001_FFFF,
        ];
        for area in areas {
            for divisor in [1, 2, 3, 255, 256, 65_534, 65_535] {
                assert_eq!(
                    <u16 as Count>::quotient(area, divisor),
                    area / u64::from(divisor)
                );
            }
        }
    }
}
