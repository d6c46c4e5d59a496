//! Summaries of ever more slots, so that searches skip what does not decide.

use core::ops::Range;

use super::{
    finders::{first_above, first_within, last_above, last_within},
    peak_of,
};
use crate::ring::{axis::BLOCK, count::Count, counts::Counts};

/// How many summaries one of the next level is of: as many as slots are in a block.
pub(super) const FAN: usize = BLOCK;

/// How many levels there are: summaries of 64, of 4,096 and of 262,144 slots.
pub(super) const HEIGHT: usize = 3;

/// Summaries of one kind, by level. Each is of [`FAN`] elements of the level below, the first level's of as many slots. Elements at the end of the
/// arrays that are too few for a summary have none.
#[derive(Clone, Copy)]
pub(super) struct Levels<'r, N>([&'r [N]; HEIGHT]);

/// Where the summaries of one kind lie in the array of a ring of so many blocks.
///
/// First come the two kinds of summaries of each block. All levels above are together shorter than one summary for each block.
pub(super) fn places(blocks: usize) -> [[Range<usize>; HEIGHT]; 2] {
    let mut next = 0_usize;
    let mut place = |len: usize| {
        let from = next;
        next = next.wrapping_add(len);
        from..next
    };
    let lengths = [blocks, blocks / FAN, blocks / (FAN * FAN)];
    let [mut most, mut least] = [[0..0, 0..0, 0..0], [0..0, 0..0, 0..0]];
    for ((most, least), len) in most.iter_mut().zip(&mut least).zip(lengths) {
        *most = place(len);
        *least = place(len);
    }
    [most, least]
}

impl<N: Count> Counts<'_, N> {
    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.busy.len() / BLOCK
    }

    /// Returns how many are busy at most in each of `blocks`: these summaries come first.
    pub(super) fn most_of(&self, blocks: Range<usize>) -> &[N] {
        self.summaries.get(blocks).unwrap_or_default()
    }

    /// Returns how many are busy at most.
    fn most(&self) -> Levels<'_, N> {
        let [most, _] = places(self.blocks());
        self.levels(most)
    }

    /// Returns how many are busy at least.
    fn least(&self) -> Levels<'_, N> {
        let [_, least] = places(self.blocks());
        self.levels(least)
    }

    fn levels(&self, places: [Range<usize>; HEIGHT]) -> Levels<'_, N> {
        Levels(places.map(|place| self.summaries.get(place).unwrap_or_default()))
    }

    /// Returns how many are busy at least in a block.
    pub(super) fn least_of_block(&self, block: usize) -> N {
        let least = self.summaries.get(self.blocks().wrapping_add(block));
        least.copied().unwrap_or_default()
    }

    /// Returns the first of `blocks` in which more than `max_busy` are busy at some time. O(log blocks).
    pub(super) fn first_block_above(&self, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        let first = |most: &[N]| first_above::<NEAR, _>(most, max_busy);
        self.most().first(blocks, first)
    }

    /// Returns the last of `blocks` in which more than `max_busy` are busy at some time. O(log blocks).
    pub(super) fn last_block_above(&self, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        let last = |most: &[N]| last_above::<NEAR, _>(most, max_busy);
        self.most().last(blocks, last)
    }

    /// Returns the first of `blocks` in which at most `max_busy` are busy at some time. O(log blocks).
    #[inline]
    pub(super) fn first_block_within(&self, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        let first = |least: &[N]| first_within::<NEAR, _>(least, max_busy);
        let [near, far] = from_first(blocks);
        let (from, all) = (near.start, self.blocks());
        let near = near.start.wrapping_add(all)..near.end.wrapping_add(all);
        match first(self.summaries.get(near).unwrap_or_default()) {
            Some(found) => Some(from.wrapping_add(found)),
            None if far.is_empty() => None,
            None => self.least().first(far, first),
        }
    }

    /// Returns the last of `blocks` in which at most `max_busy` are busy at some time. O(log blocks).
    pub(super) fn last_block_within(&self, blocks: Range<usize>, max_busy: N) -> Option<usize> {
        self.least()
            .last(blocks, |least| last_within::<NEAR, _>(least, max_busy))
    }

    /// Returns how many are busy at most in `blocks`. O(log blocks).
    pub(super) fn peak_of_blocks(&self, blocks: Range<usize>) -> N {
        self.most().peak(blocks)
    }
}

/// How many summaries are compared at once.
pub(super) const NEAR: usize = 32;

/// Returns the first of `blocks`, which are looked at one by one since what is sought is mostly near, and the others.
fn from_first(blocks: Range<usize>) -> [Range<usize>; 2] {
    let near = blocks.start.saturating_add(FAN).min(blocks.end);
    [blocks.start..near, near..blocks.end]
}

impl<'r, N: Count> Levels<'r, N> {
    /// Returns the first of `blocks` that meets a condition, or the block that the condition's first summary leads to. `first` finds the first of
    /// several that does; a summary meets it if one of those it is of does. Not inlined: what is near is found without.
    #[inline(never)]
    fn first(&self, blocks: Range<usize>, first: impl Fn(&[N]) -> Option<usize>) -> Option<usize> {
        pieces(blocks)
            .into_iter()
            .find_map(|piece| self.in_piece(piece, &first))
    }

    /// As [`Self::first`], with the last.
    #[inline(never)]
    fn last(&self, blocks: Range<usize>, last: impl Fn(&[N]) -> Option<usize>) -> Option<usize> {
        let pieces = pieces(blocks).into_iter().rev();
        { pieces }.find_map(|piece| self.in_piece(piece, &last))
    }

    /// Finds a summary of `piece`, and descends to the block that makes it meet the condition.
    fn in_piece(
        &self,
        (height, piece): (usize, Range<usize>),
        find: impl Fn(&[N]) -> Option<usize>,
    ) -> Option<usize> {
        let from = piece.start;
        let mut found = from.wrapping_add(find(self.part(height, piece))?);
        for height in (0..height).rev() {
            let from = found.wrapping_mul(FAN);
            let below = self.part(height, from..from.wrapping_add(FAN));
            found = from.wrapping_add(find(below)?);
        }
        Some(found)
    }

    fn peak(&self, blocks: Range<usize>) -> N {
        let peaks = pieces(blocks).map(|(height, piece)| peak_of(self.part(height, piece)));
        peak_of(&peaks)
    }

    fn part(&self, height: usize, summaries: Range<usize>) -> &'r [N] {
        let level = self.0.get(height);
        level
            .and_then(|level| level.get(summaries))
            .unwrap_or_default()
    }
}

/// Takes `blocks` apart, in order, into summaries as high as possible: the height of each piece, and which of that level it has.
fn pieces(blocks: Range<usize>) -> [(usize, Range<usize>); 5] {
    let [before, inner, behind] = apart(blocks);
    let [lead, middle, trail] = apart(inner);
    [(0, before), (1, lead), (2, middle), (1, trail), (0, behind)]
}

/// Returns those before the first whole summary of the next level, which summaries of the next level are whole, and those behind them.
fn apart(all: Range<usize>) -> [Range<usize>; 3] {
    let whole = all.start.div_ceil(FAN)..all.end / FAN;
    if whole.is_empty() {
        return [all, 0..0, 0..0];
    }
    [
        all.start..whole.start.wrapping_mul(FAN),
        whole.clone(),
        whole.end.wrapping_mul(FAN)..all.end,
    ]
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a test may panic"
)]
mod tests {
    use super::{Levels, first_above, last_above, peak_of};

    const BLOCKS: usize = 2 * 4_096 + 50 * 64 + 7;

    #[test]
    fn what_summaries_lead_to_is_what_block_by_block_is_found() {
        let mut state = 3_u64;
        let mut number = |limit: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        for _ in 0..400 {
            let mut blocks = [0_u16; BLOCKS];
            for _ in 0..number(4) {
                blocks[number(BLOCKS)] = 1 + number(3) as u16;
            }
            let (mut middle, mut top) = ([0_u16; BLOCKS / 64], [0_u16; BLOCKS / 4_096]);
            for (summary, of) in middle.iter_mut().zip(blocks.as_chunks::<64>().0) {
                *summary = peak_of(of);
            }
            for (summary, of) in top.iter_mut().zip(middle.as_chunks::<64>().0) {
                *summary = peak_of(of);
            }
            let levels = Levels([&blocks, &middle, &top]);
            for _ in 0..20 {
                let from = number(BLOCKS);
                let range = from..from + number(BLOCKS - from + 1);
                let above = |block: &usize| blocks[*block] > 1;
                let first = levels.first(range.clone(), |part| first_above::<32, _>(part, 1));
                assert_eq!(first, range.clone().find(above), "{range:?}");
                let last = levels.last(range.clone(), |part| last_above::<32, _>(part, 1));
                assert_eq!(last, range.clone().rfind(above), "{range:?}");
                assert_eq!(levels.peak(range.clone()), peak_of(&blocks[range]));
            }
        }
    }
}
