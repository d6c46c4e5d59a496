//! Bytes as a source of choices: from a seeded generator, from proptest, which shrinks them, or from a fuzzer.

use std::ops::RangeInclusive;

/// Bytes that choices are made from. Zeros choose what comes first.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    bytes: &'a [u8],
}

impl<'a> Source<'a> {
    /// All choices that these bytes make.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether there are no more choices to be made.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The next so many bytes as a number, none when there are fewer.
    fn take<const BYTES: usize>(&mut self) -> Option<u64> {
        let (taken, rest) = self.bytes.split_first_chunk::<BYTES>()?;
        self.bytes = rest;
        Some(
            taken
                .iter()
                .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        )
    }

    /// Any number.
    pub fn any(&mut self) -> Option<u64> {
        self.take::<8>()
    }

    /// One of the two.
    pub fn flip(&mut self) -> Option<bool> {
        self.below(2).map(|number| number == 1)
    }

    /// Less than `limit`, which is not 0; each about as often as the others.
    pub fn below(&mut self, limit: u64) -> Option<u64> {
        let (number, bits) = match limit {
            0..=16 => (self.take::<1>()?, 8),
            17..=0x1000 => (self.take::<2>()?, 16),
            _ => (self.take::<8>()?, 64),
        };
        let product = u128::from(number) * u128::from(limit);
        Some((product >> bits) as u64)
    }

    /// A number of the range, whose first one comes first.
    pub fn within(&mut self, range: RangeInclusive<i64>) -> Option<i64> {
        let (first, last) = range.into_inner();
        let more = last.saturating_sub(first).max(0);
        Some(first + self.below(more as u64 + 1)? as i64)
    }

    /// One of them.
    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let nth = self.below(all.len().max(1) as u64)?;
        all.get(nth as usize).cloned()
    }

    /// One of them, each as often as its weight says.
    pub fn weighted<T: Copy>(&mut self, all: &[(u16, T)]) -> Option<T> {
        let sum = all.iter().map(|(weight, _)| u64::from(*weight)).sum();
        let mut nth = self.below(sum)?;
        for (weight, one) in all {
            match nth.checked_sub((*weight).into()) {
                Some(rest) => nth = rest,
                None => return Some(*one),
            }
        }
        None
    }

    /// Something, or nothing in one of two cases.
    pub fn perhaps<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flip()? {
            some(self).map(Some)
        } else {
            Some(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_is_made_as_often_as_its_weight_says() {
        let all = [(1, 'a'), (3, 'b'), (0, 'c'), (4, 'd')];
        let mut counts = [0; 4];
        for byte in 0..=u8::MAX {
            let chosen = Source::new(&[byte]).weighted(&all).unwrap();
            counts[usize::from(chosen as u8 - b'a')] += 1;
        }
        assert_eq!(counts, [32, 96, 0, 128]);
        assert_eq!(Source::new(&[]).weighted(&all), None);
    }

    #[test]
    fn ranges_are_met_from_end_to_end() {
        let ends = |bytes: &[u8], range| Source::new(bytes).within(range);
        assert_eq!(ends(&[0; 2], -3..=100), Some(-3));
        assert_eq!(ends(&[255; 2], -3..=100), Some(100));
        assert_eq!(ends(&[255; 1], 5..=5), Some(5));
        assert_eq!(ends(&[255; 8], 0..=i64::MAX - 1), Some(i64::MAX - 1));
        assert_eq!(ends(&[255; 7], 0..=i64::MAX - 1), None);
    }
}
