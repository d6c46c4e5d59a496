//! How many processing elements are busy in each slot, with the least and the most of every 64 slots.

use core::ops::Range;

use super::axis::Axis;

/// Busy counts in blocks of 64 slots, with each block's extremes.
///
/// Busy rather than free, so that idle memory is all zeros.
pub(crate) struct Counts<'a> {
    pub(crate) busy: &'a mut [u16],
    pub(crate) least: &'a mut [u16],
    pub(crate) most: &'a mut [u16],
}

const BLOCK: usize = 64;

impl Counts<'_> {
    /// Slots in the arrays.
    #[inline]
    pub(crate) const fn storage(&self) -> usize {
        self.busy.len()
    }

    #[inline]
    pub(crate) fn at(&self, place: usize) -> u16 {
        self.busy.get(place).copied().unwrap_or_default()
    }

    /// Makes `pes` more busy throughout `places`. O(places).
    pub(crate) fn add(&mut self, places: Range<usize>, pes: u16) {
        self.shift(places, |count| count.saturating_add(pes));
    }

    /// Makes `pes` fewer busy throughout `places`. O(places).
    pub(crate) fn subtract(&mut self, places: Range<usize>, pes: u16) {
        self.shift(places, |count| count.saturating_sub(pes));
    }

    /// Wipes `places`. O(places).
    pub(crate) fn wipe(&mut self, places: Range<usize>) {
        self.shift(places, |_| 0);
    }

    fn shift(&mut self, places: Range<usize>, change: impl Fn(u16) -> u16 + Copy) {
        for (block, within) in blocks_of(places) {
            let from = block.wrapping_mul(BLOCK);
            let Some(slots) = self.busy.get_mut(from..from.wrapping_add(BLOCK)) else {
                return;
            };
            let (Some(least), Some(most)) = (self.least.get_mut(block), self.most.get_mut(block))
            else {
                return;
            };
            let whole = within.len() == BLOCK;
            if let Some(part) = slots.get_mut(within) {
                part.iter_mut().for_each(|count| *count = change(*count));
            }
            if whole {
                // The change is monotone, so it carries the extremes along.
                (*least, *most) = (change(*least), change(*most));
            } else {
                (*least, *most) = extremes(slots);
            }
        }
    }

    /// The last of `offsets` with more than `limit` busy. O(offsets), 64 at a time where a block's extremes decide.
    #[inline]
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
        for (block, within) in blocks_of(places).rev() {
            if self.most.get(block).is_none_or(|most| *most <= limit) {
                continue;
            }
            let from = block.wrapping_mul(BLOCK);
            let part = self.part(block, within.clone());
            if let Some(found) = last_above(part, limit) {
                return Some(from.wrapping_add(within.start).wrapping_add(found));
            }
        }
        None
    }

    /// The first of `offsets` with more than `limit` busy. O(offsets), 64 at a time where a block's extremes decide.
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
        for (block, within) in blocks_of(places) {
            if self.most.get(block).is_none_or(|most| *most <= limit) {
                continue;
            }
            let from = block.wrapping_mul(BLOCK);
            let part = self.part(block, within.clone());
            if let Some(found) = part.iter().position(|busy| *busy > limit) {
                return Some(from.wrapping_add(within.start).wrapping_add(found));
            }
        }
        None
    }

    /// The most that are busy in any of `places`. O(places), 64 at a time for whole blocks.
    pub(crate) fn peak(&self, places: Range<usize>) -> u16 {
        let mut peak = 0;
        for (block, within) in blocks_of(places) {
            let most = self.most.get(block).copied().unwrap_or_default();
            if within.len() == BLOCK {
                peak = peak.max(most);
            } else if most > peak {
                peak = self
                    .part(block, within)
                    .iter()
                    .fold(peak, |peak, busy| peak.max(*busy));
            }
        }
        peak
    }

    /// Whether the extremes are what the slots say.
    pub(crate) fn summaries_hold(&self) -> bool {
        let (blocks, rest) = self.busy.as_chunks::<BLOCK>();
        rest.is_empty()
            && blocks
                .iter()
                .zip(self.least.iter().zip(self.most.iter()))
                .all(|(slots, (least, most))| extremes(slots) == (*least, *most))
    }

    #[inline]
    fn part(&self, block: usize, within: Range<usize>) -> &[u16] {
        let from = block.wrapping_mul(BLOCK);
        self.busy
            .get(from.wrapping_add(within.start)..from.wrapping_add(within.end))
            .unwrap_or_default()
    }
}

/// The last of `counts` above `limit`, 16 at a time, so that the compiler can compare many at once.
#[inline]
fn last_above(counts: &[u16], limit: u16) -> Option<usize> {
    let (rest, chunks) = counts.as_rchunks::<16>();
    let above = |busy: &u16| *busy > limit;
    for (index, chunk) in chunks.iter().enumerate().rev() {
        if chunk.iter().fold(0, |most, busy| most.max(*busy)) > limit {
            let found = chunk.iter().rposition(above)?;
            return Some(rest.len().wrapping_add(index << 4).wrapping_add(found));
        }
    }
    rest.iter().rposition(above)
}

#[inline]
fn extremes(slots: &[u16]) -> (u16, u16) {
    slots.iter().fold((u16::MAX, 0), |(least, most), busy| {
        (least.min(*busy), most.max(*busy))
    })
}

/// The blocks that `places` touches, each with the part of it that they cover.
#[inline]
fn blocks_of(places: Range<usize>) -> impl DoubleEndedIterator<Item = (usize, Range<usize>)> {
    let end = if places.is_empty() {
        0
    } else {
        places.end.div_ceil(BLOCK)
    };
    (places.start / BLOCK..end).map(move |block| {
        let from = block.wrapping_mul(BLOCK);
        let start = places.start.saturating_sub(from);
        (block, start..places.end.saturating_sub(from).min(BLOCK))
    })
}
