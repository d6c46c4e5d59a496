//! The streaming floor: what it costs merely to read the masks of a window once.

use std::ops::Range;

/// 1,024 bits, one per PE.
pub type Mask = [u64; 16];

/// One mask per slot, contiguous.
#[derive(Clone, Debug)]
pub struct Floor {
    masks: Vec<Mask>,
}

impl Floor {
    /// `slots` slots without a busy PE.
    #[must_use]
    pub fn new(slots: usize) -> Self {
        Self {
            masks: vec![[0; 16]; slots],
        }
    }

    /// How many slots there are.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a floor has slots")]
    pub fn len(&self) -> usize {
        self.masks.len()
    }

    /// Marks, or unmarks, the PEs of `words` throughout `slots`.
    pub fn flip(&mut self, slots: Range<usize>, words: &[u64]) {
        for mask in &mut self.masks[slots] {
            for (word, flipped) in mask.iter_mut().zip(words) {
                *word ^= flipped;
            }
        }
    }

    /// The union of the masks of `slots`.
    ///
    /// The sixteen words are sixteen accumulators, eight in registers of 16 bytes, none of which waits for another.
    #[must_use]
    #[inline(never)]
    pub fn union(&self, slots: Range<usize>) -> Mask {
        let mut union = [0; 16];
        for mask in &self.masks[slots] {
            for (word, more) in union.iter_mut().zip(mask) {
                *word |= more;
            }
        }
        union
    }

    /// The OR of all words of `slots`, without regard to which slot or PE they belong to: the same bytes, the least work.
    #[must_use]
    #[inline(never)]
    pub fn plain_fold(&self, slots: Range<usize>) -> u64 {
        let words = self.masks[slots].as_flattened();
        words.iter().fold(0, |union, word| union | word)
    }
}
