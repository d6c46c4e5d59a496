//! Sets of PEs as plain bit vectors.

/// A set of PEs, one bit each.
///
/// ```
/// use bookahead_oracle::papers::li::Bits;
/// let all = Bits::full(70);
/// assert_eq!(all.len(), 70);
/// assert_eq!(all.lowest(3).iter().collect::<Vec<_>>(), [0, 1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// No PE, of `pes` possible ones.
    #[must_use]
    pub fn empty(pes: u16) -> Self {
        Self {
            words: vec![0; usize::from(pes).div_ceil(64)],
        }
    }

    /// All `pes` PEs.
    #[must_use]
    pub fn full(pes: u16) -> Self {
        let mut bits = Self::empty(pes);
        for pe in 0..pes {
            bits.insert(pe);
        }
        bits
    }

    /// The PEs of `members`, of `pes` possible ones.
    #[must_use]
    pub fn of(pes: u16, members: impl IntoIterator<Item = u16>) -> Self {
        let mut bits = Self::empty(pes);
        for pe in members {
            bits.insert(pe);
        }
        bits
    }

    fn insert(&mut self, pe: u16) {
        self.words[usize::from(pe / 64)] |= 1 << (pe % 64);
    }

    /// The words, lowest PEs first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many PEs.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Adds the PEs of `other`.
    pub fn add(&mut self, other: &Self) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Takes the PEs of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// Whether a PE is in both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Its `count` lowest-numbered PEs.
    #[must_use]
    pub fn lowest(&self, count: u16) -> Self {
        let mut left = u32::from(count);
        let take = |word: &u64| {
            let mut rest = *word;
            let mut taken = 0;
            while rest != 0 && left > 0 {
                let bit = rest & rest.wrapping_neg();
                taken |= bit;
                rest ^= bit;
                left -= 1;
            }
            taken
        };
        Self {
            words: self.words.iter().map(take).collect(),
        }
    }

    /// Its PEs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0u16..)
            .step_by(64)
            .zip(&self.words)
            .flat_map(|(base, word)| {
                let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
                bits.map(move |bit| base + bit)
            })
    }
}
