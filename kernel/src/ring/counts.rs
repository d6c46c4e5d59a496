//! How many processing elements are busy in each slot, with the peak of every 64 slots.

use core::ops::Range;

use super::axis::Axis;

/// Busy counts in blocks of 64 slots, with each block's peak.
///
/// Busy rather than free, so that idle memory is all zeros.
pub(crate) struct Counts<'a> {
    pub(crate) busy: &'a mut [u16],
    pub(crate) most: &'a mut [u16],
}

const BLOCK: usize = 64;

impl Counts<'_> {
    /// Slots in the arrays.
    pub(crate) const fn storage(&self) -> usize {
        self.busy.len()
    }

    pub(crate) fn at(&self, place: usize) -> u16 {
        self.busy.get(place).copied().unwrap_or_default()
    }

    /// Makes `pes` more busy throughout `places`, or fewer. O(places).
    pub(crate) fn write(&mut self, places: Range<usize>, pes: u16, busy: bool) {
        let more = if busy { pes } else { pes.wrapping_neg() };
        self.shift(places, u16::MAX, more);
    }

    /// Wipes `places`. O(places).
    pub(crate) fn wipe(&mut self, places: Range<usize>) {
        self.shift(places, 0, 0);
    }

    /// Masks each count with `keep`, then adds `more`. Once in the program, however many calls there are: they differ in numbers only.
    #[inline(never)]
    fn shift(&mut self, places: Range<usize>, keep: u16, more: u16) {
        let shifted = |count: u16| (count & keep).wrapping_add(more);
        let mut from = places.start;
        while from < places.end {
            let end = block_end(from).min(places.end);
            let mut was = 0;
            for count in self.busy.get_mut(from..end).unwrap_or_default() {
                was = was.max(*count);
                *count = shifted(*count);
            }
            // All counts of the part move alike, so its peak does too.
            let peak = shifted(was);
            let block = from / BLOCK;
            let Some(most) = self.most.get_mut(block) else {
                return;
            };
            if peak >= *most || end.wrapping_sub(from) == BLOCK {
                *most = peak;
            } else if was == *most {
                // The block's peak was in the part, and now is anywhere.
                let all = block.wrapping_mul(BLOCK)..block_end(from);
                *most = peak_of(self.busy.get(all).unwrap_or_default());
            }
            from = end;
        }
    }

    /// The last of `offsets` with more than `limit` busy. O(offsets), 64 at a time where a block's peak decides.
    pub(crate) fn last_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        limit: u16,
    ) -> Option<usize> {
        let storage = self.storage();
        let [early, late] = axis.places(offsets, storage);
        let place = self
            .last_place_above(late, limit)
            .or_else(|| self.last_place_above(early, limit))?;
        Some(axis.offset_of(place, storage))
    }

    fn last_place_above(&self, places: Range<usize>, limit: u16) -> Option<usize> {
        let mut end = places.end;
        while end > places.start {
            let block = end.wrapping_sub(1) / BLOCK;
            let from = block.wrapping_mul(BLOCK).max(places.start);
            if self.exceeds(block, limit) {
                let part = self.busy.get(from..end).unwrap_or_default();
                if let Some(found) = last_above(part, limit) {
                    return Some(from.wrapping_add(found));
                }
            }
            end = from;
        }
        None
    }

    /// The first of `offsets` with more than `limit` busy. O(offsets), 64 at a time where a block's peak decides.
    pub(crate) fn first_above(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        limit: u16,
    ) -> Option<usize> {
        let storage = self.storage();
        let [early, late] = axis.places(offsets, storage);
        let place = self
            .first_place_above(early, limit)
            .or_else(|| self.first_place_above(late, limit))?;
        Some(axis.offset_of(place, storage))
    }

    fn first_place_above(&self, places: Range<usize>, limit: u16) -> Option<usize> {
        let mut from = places.start;
        while from < places.end {
            let end = block_end(from).min(places.end);
            if self.exceeds(from / BLOCK, limit) {
                let part = self.busy.get(from..end).unwrap_or_default();
                if let Some(found) = part.iter().position(|busy| *busy > limit) {
                    return Some(from.wrapping_add(found));
                }
            }
            from = end;
        }
        None
    }

    /// The most that are busy in any of `places`. O(places), 64 at a time for whole blocks.
    pub(crate) fn peak(&self, places: Range<usize>) -> u16 {
        let mut peak = 0;
        let mut from = places.start;
        while from < places.end {
            let end = block_end(from).min(places.end);
            let most = self.most.get(from / BLOCK).copied().unwrap_or_default();
            if end.wrapping_sub(from) == BLOCK {
                peak = peak.max(most);
            } else if most > peak {
                peak = peak.max(peak_of(self.busy.get(from..end).unwrap_or_default()));
            }
            from = end;
        }
        peak
    }

    /// Whether the peaks are what the slots say.
    pub(crate) fn summaries_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        let peaks = blocks.iter().map(|slots| peak_of(slots));
        rest.is_empty() && peaks.eq(self.most.iter().copied())
    }

    fn exceeds(&self, block: usize, limit: u16) -> bool {
        self.most.get(block).is_some_and(|most| *most > limit)
    }
}

/// Where the block of `place` ends.
const fn block_end(place: usize) -> usize {
    (place | BLOCK.wrapping_sub(1)).wrapping_add(1)
}

/// The last of `counts` above `limit`, 16 at a time, so that the compiler can compare many at once.
fn last_above(counts: &[u16], limit: u16) -> Option<usize> {
    let (rest, chunks) = counts.as_rchunks::<16>();
    let above = |busy: &u16| *busy > limit;
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if peak_of(chunk) > limit {
            let found = chunk.iter().rposition(above)?;
            return Some(rest.len().wrapping_add(index << 4).wrapping_add(found));
        }
    }
    rest.iter().rposition(above)
}

fn peak_of(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, busy| peak.max(*busy))
}
