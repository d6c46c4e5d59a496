//! Which processing elements are booked, where they are assigned when a reservation is made.

use std::{collections::BTreeMap, ops::Range};

use crate::files::PeRanges;

/// Bookings that are not over, by start and number, with their end and their processing elements.
#[derive(Default)]
pub(super) struct PeSets(BTreeMap<(u64, usize), (u64, PeSet)>);

/// A set of processing elements, a bit for each.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct PeSet(Vec<u64>);

impl PeSet {
    /// Of `pes` processing elements at most; others the machine has not.
    pub(super) fn of(ranges: &PeRanges, pes: u32) -> Self {
        let mut set = Self::default();
        for &(first, last) in &ranges.0 {
            let last = last.min(pes.saturating_sub(1));
            let words = first / 64..=last / 64;
            if set.0.len() <= last as usize / 64 {
                set.0.resize(last as usize / 64 + 1, 0);
            }
            for word in words.filter(|_| first <= last) {
                let from = first.max(64 * word) % 64;
                let to = last.min(64 * word + 63) % 64;
                set.0[word as usize] |= (u64::MAX >> (63 - to)) & (u64::MAX << from);
            }
        }
        set
    }

    pub(super) fn insert(&mut self, pe: u32) {
        let word = pe as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (pe % 64);
    }

    pub(super) fn contains(&self, pe: u32) -> bool {
        let word = self.0.get(pe as usize / 64);
        word.is_some_and(|word| word & (1 << (pe % 64)) != 0)
    }

    /// The set with all of `other` in it.
    pub(super) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// The set without all of `other`.
    pub(super) fn beside(&self, other: &Self) -> Self {
        let others = other.0.iter().chain(std::iter::repeat(&0));
        Self(
            self.0
                .iter()
                .zip(others)
                .map(|(word, other)| word & !other)
                .collect(),
        )
    }

    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The `count` lowest numbers that are not in it.
    pub(super) fn lowest_free(&self, count: u64) -> Self {
        let mut lowest = Self::default();
        let free = (0..u32::MAX).filter(|pe| !self.contains(*pe));
        for pe in free.take(count as usize) {
            lowest.insert(pe);
        }
        lowest
    }
}

impl PeSets {
    pub(super) fn insert(&mut self, start: u64, number: usize, end: u64, pes: PeSet) {
        self.0.insert((start, number), (end, pes));
    }

    pub(super) fn remove(&mut self, start: u64, number: usize) {
        self.0.remove(&(start, number));
    }

    /// When the next booking is over after `time`. O(bookings).
    pub(super) fn next_end(&self, time: u64) -> Option<u64> {
        let ends = self.0.values().map(|(end, _)| *end);
        ends.filter(|end| *end > time).min()
    }

    /// What is booked at some time in `window`. O(bookings).
    pub(super) fn busy(&self, window: &Range<u64>) -> PeSet {
        let mut busy = PeSet::default();
        let begun = self.0.range(..(window.end, 0));
        for (_, (_, pes)) in begun.filter(|(_, (end, _))| *end > window.start) {
            busy.join(pes);
        }
        busy
    }
}

#[cfg(test)]
mod tests {
    use super::{PeSet, PeSets};
    use crate::files::PeRanges;

    fn set(ranges: &[(u32, u32)]) -> PeSet {
        PeSet::of(&PeRanges(ranges.to_vec()), 200)
    }

    #[test]
    fn sets_hold_their_ranges() {
        let set = set(&[(3, 3), (60, 130), (190, 500), (900, 901)]);
        let members: Vec<u32> = (0..1000).filter(|pe| set.contains(*pe)).collect();
        let expected: Vec<u32> = (3..=3).chain(60..=130).chain(190..=199).collect();
        assert_eq!(members, expected);
        assert_eq!(set.len(), expected.len() as u64);
        let mut free = set.lowest_free(58);
        assert_eq!(
            (free.len(), free.contains(58), free.contains(59)),
            (58, true, false)
        );
        free.join(&set);
        assert_eq!(free.len(), 58 + set.len());
    }

    #[test]
    fn what_is_booked_in_a_window_is_busy() {
        let mut sets = PeSets::default();
        sets.insert(10, 1, 20, set(&[(0, 1)]));
        sets.insert(15, 2, 40, set(&[(2, 4)]));
        let busy = |sets: &PeSets, window| sets.busy(&window).len();
        assert_eq!(
            [0, 20, 40].map(|time| sets.next_end(time)),
            [Some(20), Some(40), None]
        );
        let counts = [0..10, 0..11, 19..20, 20..40, 40..50].map(|window| busy(&sets, window));
        assert_eq!(counts, [0, 2, 5, 3, 0]);
        sets.remove(15, 2);
        assert_eq!(busy(&sets, 0..50), 2);
    }
}
