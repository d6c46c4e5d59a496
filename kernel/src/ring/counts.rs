//! The number of busy processing elements of each slot, with the peak of every 64 slots.

use core::ops::Range;

use super::axis::{Axis, BLOCK};

/// Busy counts in blocks of 64 slots, with each block's peak.
///
/// The counts are of busy and not of free processing elements, so that idle memory is all zeros.
pub(crate) struct Counts<'a> {
    pub(crate) busy: &'a mut [u16],
    pub(crate) most: &'a mut [u16],
}

/// The number of slots up to which reading them all takes less time than finding the blocks they lie in.
const FEW: usize = 16;

/// Whether many counts or peaks are compared at once, which processors of hosts can and small devices cannot.
pub(crate) const VECTORS: bool = cfg!(target_pointer_width = "64");

/// How many peaks are compared at once.
const CHUNK: usize = 32;

impl Counts<'_> {
    pub(crate) fn at(&self, index: usize) -> u16 {
        self.busy.get(index).copied().unwrap_or_default()
    }

    /// Adds `pes` to the counts of `offsets`, or subtracts it. O(offsets).
    pub(crate) fn write(&mut self, axis: &Axis, offsets: Range<usize>, pes: u16, busy: bool) {
        let more = if busy { pes } else { pes.wrapping_neg() };
        self.shift(axis, offsets, u16::MAX, more);
    }

    /// Clears `offsets`. O(offsets).
    pub(crate) fn wipe(&mut self, axis: &Axis, offsets: Range<usize>) {
        self.shift(axis, offsets, 0, 0);
    }

    /// Masks each count with `keep`, then adds `more`. Not inlined, so that the code exists once in a program.
    #[inline(never)]
    fn shift(&mut self, axis: &Axis, offsets: Range<usize>, keep: u16, more: u16) {
        let shifted = |count: u16| (count & keep).wrapping_add(more);
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let block = indices.start / BLOCK;
            let Some(most) = self.most.get_mut(block) else {
                return;
            };
            let part = self.busy.get_mut(indices).unwrap_or_default();
            let whole = part.len() == BLOCK;
            // When all counts of a block change alike, so does their peak.
            let mut was = *most;
            if whole {
                part.iter_mut().for_each(|count| *count = shifted(*count));
            } else {
                was = 0;
                for count in part {
                    was = was.max(*count);
                    *count = shifted(*count);
                }
            }
            let peak = shifted(was);
            if whole || peak >= *most {
                *most = peak;
            } else if was == *most {
                // The block's peak was in the part that has changed; now it may be anywhere in the block.
                let from = block.wrapping_mul(BLOCK);
                let all = self.busy.get(from..from.wrapping_add(BLOCK));
                *most = peak_of(all.unwrap_or_default());
            }
        }
    }

    /// Sets each count of `offsets`, given by its index. O(offsets).
    #[cfg(feature = "risk")]
    pub(crate) fn replace(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> u16,
    ) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let block = indices.start / BLOCK;
            for index in indices {
                if let Some(busy) = self.busy.get_mut(index) {
                    *busy = count(index);
                }
            }
            let from = block.wrapping_mul(BLOCK);
            let all = self.busy.get(from..from.wrapping_add(BLOCK));
            if let Some(most) = self.most.get_mut(block) {
                *most = peak_of(all.unwrap_or_default());
            }
        }
    }

    /// Returns the last of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    #[inline]
    pub(crate) fn last_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let len = offsets.len();
        if len <= FEW {
            let first = axis.index(offsets.start);
            if let Some(few) = self.busy.get(first..first.wrapping_add(len)) {
                let found = few.iter().rposition(|busy| *busy > max_busy)?;
                return Some(offsets.start.wrapping_add(found));
            }
        }
        self.last_above_of_many(axis, offsets, max_busy)
    }

    fn last_above_of_many(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.last_unit(&rest, BLOCK);
            rest.end = rest.end.wrapping_sub(indices.len());
            if self.peak_of_block(&indices) > max_busy
                && let Some(found) = last_above::<FEW>(self.part(indices), max_busy)
            {
                return Some(rest.end.wrapping_add(found));
            }
            if VECTORS && rest.len() >= BLOCK {
                let peaks = self.peaks_before(axis, &rest);
                let kept =
                    last_above::<CHUNK>(peaks, max_busy).map_or(0, |block| block.wrapping_add(1));
                let passed = peaks.len().wrapping_sub(kept);
                rest.end = rest.end.wrapping_sub(passed.wrapping_mul(BLOCK));
            }
        }
        None
    }

    /// Returns the first of `offsets` with more than `max_busy` busy. O(offsets), 64 at a time where a block's peak decides.
    pub(crate) fn first_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            let from = rest.start;
            rest.start = from.wrapping_add(indices.len());
            if self.peak_of_block(&indices) > max_busy
                && let Some(found) = first_above::<FEW>(self.part(indices), max_busy)
            {
                return Some(from.wrapping_add(found));
            }
            if VECTORS && rest.len() >= BLOCK {
                let peaks = self.peaks_from(axis, &rest);
                let passed = first_above::<CHUNK>(peaks, max_busy).unwrap_or(peaks.len());
                rest.start = rest.start.wrapping_add(passed.wrapping_mul(BLOCK));
            }
        }
        None
    }

    /// Returns the first of `offsets` with at most `max_busy` busy. O(offsets).
    pub(crate) fn first_within(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let mut rest = offsets;
        let mut unit = FEW;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, unit);
            let from = rest.start;
            rest.start = from.wrapping_add(indices.len());
            // The first is mostly near, so only from the second block on whole blocks are looked at.
            if indices.end.is_multiple_of(BLOCK) {
                unit = BLOCK;
            }
            let part = self.part(indices);
            if any_within(part, max_busy)
                && let Some(found) = part.iter().position(|busy| *busy <= max_busy)
            {
                return Some(from.wrapping_add(found));
            }
        }
        None
    }

    /// Returns the start of the first `len` slots in a row, in `offsets`, with at most `max_busy` busy. O(offsets), 64 at a time; for hosts.
    #[inline(never)]
    pub(crate) fn first_run(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        len: usize,
        max_busy: u16,
    ) -> Option<usize> {
        if offsets.len() < len {
            return None;
        }
        let ones = Ones::new(len);
        let first = axis.index(offsets.start);
        let lead = first % BLOCK;
        let (blocks, _) = self.busy.as_chunks::<BLOCK>();
        let (earlier, later) = blocks.split_at_checked(first / BLOCK)?;
        let (peaks_earlier, peaks_later) = self.most.split_at_checked(first / BLOCK)?;
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
        let turns = [
            (later, peaks_later),
            (earlier, peaks_earlier),
            (later, peaks_later),
        ];
        for (blocks, peaks) in turns {
            for (block, most) in blocks.iter().zip(peaks) {
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
                } else {
                    known = known.wrapping_add(BLOCK);
                    if known >= len {
                        return whole(from.wrapping_add(BLOCK).wrapping_sub(known));
                    }
                }
                from = from.wrapping_add(BLOCK);
                if from >= offsets.end {
                    return None;
                }
            }
        }
        None
    }

    /// Returns the greatest count of each window of `len` slots that begins at `start` or in one of the 63 slots after it; windows that end
    /// after `end` count as full. O(len / 64), for hosts.
    #[inline(never)]
    pub(crate) fn window_peaks(
        &self,
        axis: &Axis,
        start: usize,
        len: usize,
        end: usize,
    ) -> [u16; BLOCK] {
        // Long windows share their middle. What only some of them have are the slots before and behind it, which, put side by side, are
        // windows of 64 slots.
        let middle = start.saturating_add(BLOCK)..start.saturating_add(len.max(BLOCK));
        let behind = middle.end.saturating_add(BLOCK).min(end);
        let mut peaks = [u16::MAX; 2 * BLOCK];
        let (before, after) = peaks.split_at_mut(BLOCK);
        self.copy_to(axis, start..middle.start.min(end), before);
        self.copy_to(axis, middle.end.min(behind)..behind, after);
        let short = len.min(BLOCK);
        let mut known = 1_usize;
        // Behind the slots is room for those that are later, so that the loop has a length known beforehand.
        let mut all = [u16::MAX; 3 * BLOCK];
        while known < short {
            let more = known.min(short.wrapping_sub(known));
            for (slot, peak) in all.iter_mut().zip(peaks) {
                *slot = peak;
            }
            let later = all.get(more..).and_then(<[u16]>::first_chunk);
            let later: &[u16; 2 * BLOCK] = later.unwrap_or(&[u16::MAX; 2 * BLOCK]);
            for (peak, later) in peaks.iter_mut().zip(later) {
                *peak = (*peak).max(*later);
            }
            known = known.wrapping_add(more);
        }
        let shared = self.peak(axis, middle);
        let peaks = peaks.first_chunk().unwrap_or(&[u16::MAX; BLOCK]);
        peaks.map(|peak| peak.max(shared))
    }

    /// Copies the counts of `offsets` to the beginning of `copy`.
    fn copy_to(&self, axis: &Axis, offsets: Range<usize>, copy: &mut [u16]) {
        let mut rest = copy;
        for indices in axis.indices(offsets) {
            let part = self.part(indices);
            let (copy, behind) = rest.split_at_mut_checked(part.len()).unwrap_or_default();
            for (copy, busy) in copy.iter_mut().zip(part) {
                *copy = *busy;
            }
            rest = behind;
        }
    }

    /// Returns the greatest count in `offsets`. O(offsets), 64 at a time for whole blocks. Not inlined on small devices, so that the code exists
    /// once in a program.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    pub(crate) fn peak(&self, axis: &Axis, offsets: Range<usize>) -> u16 {
        if VECTORS && offsets.len() <= 2 * BLOCK {
            let first = axis.index(offsets.start);
            if let Some(few) = self.busy.get(first..first.wrapping_add(offsets.len())) {
                return peak_of(few);
            }
        }
        let mut peak = 0;
        let mut rest = offsets;
        while !rest.is_empty() {
            let indices = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(indices.len());
            let most = self.peak_of_block(&indices);
            if most > peak {
                peak = if indices.len() == BLOCK {
                    most
                } else {
                    peak.max(peak_of(self.part(indices)))
                };
            }
            if VECTORS && rest.len() >= BLOCK {
                let peaks = self.peaks_from(axis, &rest);
                peak = peak.max(peak_of(peaks));
                rest.start = rest.start.wrapping_add(peaks.len().wrapping_mul(BLOCK));
            }
        }
        peak
    }

    /// Returns the peaks of the whole blocks from the beginning of `offsets` on, where a block begins, up to the end of the arrays.
    fn peaks_from(&self, axis: &Axis, offsets: &Range<usize>) -> &[u16] {
        let first = axis.index(offsets.start) / BLOCK;
        let blocks = offsets.len() / BLOCK;
        let end = first.wrapping_add(blocks).min(self.most.len());
        self.most.get(first..end).unwrap_or_default()
    }

    /// Returns the peaks of the whole blocks before the end of `offsets`, where a block ends, down to the beginning of the arrays.
    fn peaks_before(&self, axis: &Axis, offsets: &Range<usize>) -> &[u16] {
        let last = axis.index(offsets.end.wrapping_sub(1)) / BLOCK;
        let end = last.wrapping_add(1);
        let blocks = offsets.len() / BLOCK;
        self.most
            .get(end.saturating_sub(blocks)..end)
            .unwrap_or_default()
    }

    /// Returns whether the peaks agree with the slots.
    pub(crate) fn summaries_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        let peaks = blocks.iter().map(|slots| peak_of(slots));
        rest.is_empty() && peaks.eq(self.most.iter().copied())
    }

    /// Returns the peak of the block that holds `indices`.
    fn peak_of_block(&self, indices: &Range<usize>) -> u16 {
        let most = self.most.get(indices.start / BLOCK);
        most.copied().unwrap_or_default()
    }

    fn part(&self, indices: Range<usize>) -> &[u16] {
        self.busy.get(indices).unwrap_or_default()
    }
}

/// Returns the last of `counts` above `max_busy`; on a host `N` at a time, so that the compiler can vectorise the comparison.
fn last_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    if !VECTORS {
        return counts.iter().rposition(above);
    }
    let (rest, chunks) = counts.as_rchunks::<N>();
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if any_above(chunk, max_busy) {
            let found = chunk.iter().rposition(above)?;
            let before = index.wrapping_mul(N).wrapping_add(rest.len());
            return Some(before.wrapping_add(found));
        }
    }
    rest.iter().rposition(above)
}

/// Returns the first of `counts` above `max_busy`, as [`last_above`] returns the last.
fn first_above<const N: usize>(counts: &[u16], max_busy: u16) -> Option<usize> {
    let above = |busy: &u16| *busy > max_busy;
    if !VECTORS {
        return counts.iter().position(above);
    }
    let (chunks, rest) = counts.as_chunks::<N>();
    for (index, chunk) in chunks.iter().enumerate() {
        if any_above(chunk, max_busy) {
            let found = chunk.iter().position(above)?;
            return Some(index.wrapping_mul(N).wrapping_add(found));
        }
    }
    let found = rest.iter().position(above)?;
    Some(chunks.len().wrapping_mul(N).wrapping_add(found))
}

/// Returns whether any of `counts` is above `max_busy`. What is above is joined bit by bit, which vector instructions test at once; a maximum
/// would have to be found among their lanes first. Inlined, so that the bound is spread over the lanes once in a loop.
#[inline(always)]
fn any_above(counts: &[u16], max_busy: u16) -> bool {
    let above = |all, busy: &u16| all | busy.saturating_sub(max_busy);
    counts.iter().fold(0, above) != 0
}

/// Returns a bit for each of `counts`: whether it is above `max_busy`.
fn bits_above(counts: &[u16; BLOCK], max_busy: u16) -> u64 {
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
fn lanes_above(counts: &[u16; BLOCK], max_busy: u16) -> [u16; 8] {
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

/// Returns whether any of `counts` is at most `max_busy`, all of them compared at once where they are a whole block.
fn any_within(counts: &[u16], max_busy: u16) -> bool {
    let least = |counts: &[u16]| counts.iter().fold(u16::MAX, |least, busy| least.min(*busy));
    let (blocks, few) = counts.as_chunks::<BLOCK>();
    let least = match blocks.first() {
        Some(block) => least(block),
        None => least(few),
    };
    least <= max_busy
}

fn peak_of(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, busy| peak.max(*busy))
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
