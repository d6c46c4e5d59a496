//! Slots in a row that are not too full, so many that blocks decide.

use core::ops::Range;

use crate::ring::{
    axis::{Axis, BLOCK},
    count::Count,
    counts::Counts,
    scan::{BulkScan, CountScan},
};

/// The number of slots in a row from which blocks decide.
pub(crate) const LONG: usize = 4 * BLOCK;

impl<N: Count> Counts<'_, N> {
    /// As [`Self::first_run`], for at least a block. O(log offsets) for each time that slots in a row are too few, at most offsets / 64 times: a run
    /// that begins in some block contains the blocks behind it, and the last of those in which too many are busy tells where to go on.
    #[inline(never)]
    pub(super) fn first_long_run(
        &self,
        axis: &Axis,
        offsets: Range<usize>,
        len: usize,
        max_busy: N,
    ) -> Option<usize> {
        let lead = axis.index(0) % BLOCK;
        let begin = |block: usize| block.wrapping_mul(BLOCK).saturating_sub(lead);
        let blocks = offsets.end.wrapping_add(lead).div_ceil(BLOCK);
        // No run begins before this offset.
        let mut from = offsets.start;
        // The blocks behind that of `from` and before this one are not too full.
        let mut known = 0_usize;
        loop {
            let first = from.wrapping_add(lead) / BLOCK;
            let block = self.first_open(axis, first..blocks, max_busy)?;
            let behind = block.wrapping_add(1);
            from = from.max(begin(block));
            let end = from.checked_add(len).filter(|end| *end <= offsets.end)?;
            let inner = behind..end.wrapping_add(lead) / BLOCK;
            let unknown = behind.max(known)..inner.end;
            known = known.max(inner.end);
            if let Some(full) = self.last_full(axis, unknown, max_busy) {
                from = begin(full);
                continue;
            }
            // Now slots decide: those in the block, and those behind the blocks that every run from here has.
            let before = BulkScan::last_above(self, axis, from..begin(behind), max_busy);
            let start = before.map_or(from, |full| full.wrapping_add(1));
            let end = start.checked_add(len).filter(|end| *end <= offsets.end)?;
            let tail = begin(inner.end).min(end)..end;
            match BulkScan::last_above(self, axis, tail, max_busy) {
                None => return Some(start),
                Some(full) => from = full.wrapping_add(1),
            }
        }
    }

    /// Returns the first of `blocks`, counted from that of `now` on, in which at most `max_busy` are busy at some time.
    fn first_open(&self, axis: &Axis, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        let mut from = blocks.start;
        for part in axis.circle_of_groups(BLOCK).indices(blocks) {
            let (first, len) = (part.start, part.len());
            if let Some(found) = self.first_block_within(part, max_busy) {
                return Some(from.wrapping_add(found.wrapping_sub(first)));
            }
            from = from.wrapping_add(len);
        }
        None
    }

    /// Returns the last of `blocks`, counted from that of `now` on, in which more than `max_busy` are busy at some time; the one behind it if more are
    /// at all times.
    fn last_full(&self, axis: &Axis, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        if blocks.is_empty() {
            return None;
        }
        let [early, late] = axis.circle_of_groups(BLOCK).indices(blocks.clone());
        let wrap = blocks.start.wrapping_add(early.len());
        for (from, part) in [(wrap, late), (blocks.start, early)] {
            let first = part.start;
            if let Some(found) = self.last_block_above(part, max_busy) {
                let full = from.wrapping_add(found.wrapping_sub(first));
                let throughout = self.least_of_block(found) > max_busy;
                return Some(full.wrapping_add(usize::from(throughout)));
            }
        }
        None
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]
mod tests {
    use crate::{
        ring::{axis::Axis, bulk::BulkScan, counts::Counts, scan::CountScan},
        time::Slot,
    };

    /// Below the limit, in no order.
    fn number(state: &mut u64, limit: usize) -> usize {
        *state = state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (*state >> 33) as usize % limit
    }

    #[test]
    fn runs_are_those_that_slot_by_slot_is_found() {
        let mut state = 7;
        for _ in 0..600 {
            let blocks = 4 + number(&mut state, 12);
            let slots = blocks * 64 - number(&mut state, 64);
            let mut axis = Axis::new(9, slots as u32, blocks as u32);
            axis.move_now(Slot::new(1), number(&mut state, slots));
            let (mut busy, mut summaries) = ([0_u16; 16 * 64], [0; 16 * 3]);
            let mut counts = Counts {
                busy: &mut busy[..blocks * 64],
                summaries: &mut summaries[..blocks * 3],
            };
            for _ in 0..number(&mut state, 8) {
                let start = number(&mut state, slots);
                let len = 1 + number(&mut state, 1 + slots / 2).min(slots - start - 1);
                BulkScan::write(&mut counts, &axis, start..start + len, 1, true);
            }
            assert!(BulkScan::summaries_hold(&counts));
            for max_busy in [0, 1, 3] {
                let from = number(&mut state, slots);
                let end = slots - number(&mut state, slots - from);
                let long = 128 + number(&mut state, 100);
                let within = |slot| counts.at(axis.index(slot)) <= max_busy;
                let plain = |len: usize| {
                    let fits = |start: &usize| (*start..*start + len).all(within);
                    (from..(end + 1).saturating_sub(len)).find(fits)
                };
                let found = counts.first_long_run(&axis, from..end, long, max_busy);
                assert_eq!(found, plain(long), "{long} in {from}..{end} of {slots}");
                let short = 1 + number(&mut state, 200);
                let found = counts.first_run(&axis, from..end, short, max_busy);
                assert_eq!(found, plain(short), "{short} in {from}..{end} of {slots}");
            }
        }
    }
}
