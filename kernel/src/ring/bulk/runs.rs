//! Slots in a row that are not too full.

use core::ops::Range;

use super::long_runs::LONG;
use crate::ring::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::Counts,
};

/// After how many full blocks in a row it is asked where the next one is that is not: what is full mostly stays full for long.
const PATIENCE: usize = 4;

impl<N: Count> Counts<'_, N> {
    /// Returns the start of the first `len` slots in a row, in `offsets`, with at most `max_busy` busy. O(offsets / 64), where
    /// stretches that stay too full are skipped; at most as [`Self::first_long_run`] for many slots in a row.
    #[inline(never)]
    pub(crate) fn first_run(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        len: usize,
        max_busy: N,
    ) -> Option<usize> {
        if offsets.len() < len {
            return None;
        }
        if len >= LONG {
            return self.first_long_run(axis, offsets, len, max_busy);
        }
        let ones = Ones::new(len);
        let first = axis.index(offsets.start);
        let lead = first % BLOCK;
        // In the first block, what lies before the offsets counts as too full.
        let mut outside = !u64::MAX.wrapping_shl(lead as u32);
        let mut from = offsets.start.wrapping_sub(lead);
        // How many slots in a row before `from` are not too full.
        let mut known = 0_usize;
        // The earliest run is sought wherever it ends, since later ones do not end earlier.
        let whole = |start: usize| {
            let end = start.wrapping_add(len);
            (end <= offsets.end).then_some(start)
        };
        // A ring may begin and end in one block.
        let (begin, blocks) = (first / BLOCK, self.blocks());
        for turn in [begin..blocks, 0..begin, begin..blocks] {
            let mut next = turn.start;
            while next < turn.end {
                let mut full_blocks = 0_usize;
                for (block, most) in self.blocks_of(next..turn.end) {
                    next = next.wrapping_add(1);
                    if *most > max_busy || outside != 0 {
                        let full = bits_above(block, max_busy) | outside;
                        outside = 0;
                        if known.wrapping_add(full.trailing_zeros() as usize) >= len {
                            return whole(from.wrapping_sub(known));
                        }
                        if let Some(found) = ones.first_in(!full) {
                            return whole(from.wrapping_add(found));
                        }
                        known = full.leading_zeros() as usize;
                        full_blocks = if full == u64::MAX {
                            full_blocks.wrapping_add(1)
                        } else {
                            0
                        };
                    } else {
                        known = known.wrapping_add(BLOCK);
                        if known >= len {
                            return whole(from.wrapping_add(BLOCK).wrapping_sub(known));
                        }
                        full_blocks = 0;
                    }
                    from = from.wrapping_add(BLOCK);
                    if from >= offsets.end {
                        return None;
                    }
                    if full_blocks == PATIENCE {
                        break;
                    }
                }
                if full_blocks == PATIENCE {
                    let open = self.first_block_within(next..turn.end, max_busy);
                    let open = open.unwrap_or(turn.end);
                    from = from.wrapping_add(open.wrapping_sub(next).wrapping_mul(BLOCK));
                    next = open;
                }
                if from >= offsets.end {
                    return None;
                }
            }
        }
        None
    }

    /// Returns blocks, with how many are busy in each at most.
    fn blocks_of(&self, blocks: Range<usize>) -> impl Iterator<Item = (&[N; BLOCK], &N)> {
        let (slots, _) = self.busy.as_chunks::<BLOCK>();
        let slots = slots.get(blocks.clone()).unwrap_or_default();
        slots.iter().zip(self.most_of(blocks))
    }
}

/// Returns a bit for each of `counts`: whether it is above `max_busy`.
fn bits_above<N: Count>(counts: &[N; BLOCK], max_busy: N) -> u64 {
    let [a, b, c, d, e, f, g, h] = lanes_above(counts, max_busy).map(u64::from);
    let lower = a | b << 16 | c << 32 | d << 48;
    let upper = e | f << 16 | g << 32 | h << 48;
    let mut bits = lower | upper << 8;
    // In binary, the number of a bit now consists of digits 1, 0 and 2 of its lane and then 0, 2 and 1 of its row. Each step exchanges one of
    // the former for one of the latter.
    for (places, shift) in [
        (0x0000_0000_CCCC_CCCC, 30),
        (0x0000_AAAA_0000_AAAA, 15),
        (0x00F0_00F0_00F0_00F0, 4),
    ] {
        let other = (bits ^ bits >> shift) & places;
        bits ^= other ^ other << shift;
    }
    bits
}

/// Returns whether counts are above `max_busy`: for those of each row of 8 a bit of its own in 8 lanes. Not inlined, since this becomes vector
/// code throughout only where nothing else looks at the lanes.
#[inline(never)]
fn lanes_above<N: Count>(counts: &[N; BLOCK], max_busy: N) -> [u16; 8] {
    const BIT_OF_ROW: [u32; 8] = [0, 4, 1, 5, 2, 6, 3, 7];
    let (rows, _) = counts.as_chunks::<8>();
    let mut lanes = [0_u16; 8];
    for (row, bit) in rows.iter().zip(BIT_OF_ROW) {
        let own = 1_u16.wrapping_shl(bit);
        for (lane, busy) in lanes.iter_mut().zip(row) {
            *lane |= if *busy > max_busy { own } else { 0 };
        }
    }
    lanes
}

/// Finds ones in a row among 64 bits.
struct Ones {
    /// By how many bits they are shifted, one after the other, so that just the first of each so many in a row are left.
    shifts: [u32; 6],
}

impl Ones {
    /// Finds `len` ones in a row, at most 64; no bits hold more, and then the first bit of 64 is found.
    fn new(len: usize) -> Self {
        let mut known = 1_usize;
        let shifts = [(); 6].map(|()| {
            let more = known.min(len.saturating_sub(known));
            known = known.wrapping_add(more);
            more as u32
        });
        Self { shifts }
    }

    /// Returns the first bit of the first ones in `bits`, if there are so many.
    fn first_in(&self, bits: u64) -> Option<usize> {
        let starts = self
            .shifts
            .iter()
            .fold(bits, |starts, shift| starts & starts.wrapping_shr(*shift));
        (starts != 0).then(|| starts.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Ones, bits_above};

    /// Words in no order.
    fn words() -> impl Iterator<Item = u64> {
        let next = |word: &u64| Some(word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1));
        core::iter::successors(Some(1), next).map(|word| word ^ word >> 32)
    }

    #[test]
    fn each_count_has_its_bit() {
        let mut words = words();
        for max_busy in [0_u16, 1, 5, 127, 32_767, 32_768, 40_000, 65_534, 65_535] {
            let near = |word: u64| max_busy.wrapping_add(word as u16 % 3).wrapping_sub(1);
            let draw = |word: u64| {
                if word.is_multiple_of(5) {
                    word as u16
                } else {
                    near(word >> 8)
                }
            };
            let counts = [(); BLOCK].map(|()| words.next().map_or(0, draw));
            let bits = bits_above(&counts, max_busy);
            for (number, count) in counts.iter().enumerate() {
                assert_eq!(bits >> number & 1 == 1, *count > max_busy, "{number}");
            }
        }
    }

    #[test]
    fn ones_in_a_row_are_found() {
        for (word, other) in words().zip(words().skip(7)).take(200) {
            for bits in [
                word,
                word | other,
                !(word & other & other >> 9),
                u64::MAX << 3,
                0,
            ] {
                for len in 1..=BLOCK {
                    let ones = |from: &usize| (*from..*from + len).all(|bit| bits >> bit & 1 == 1);
                    let plain = (0..=BLOCK - len).find(ones);
                    assert_eq!(Ones::new(len).first_in(bits), plain, "{len} in {bits:#x}");
                }
            }
        }
    }
}
