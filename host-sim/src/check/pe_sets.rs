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
            for pe in first..=last.min(pes.saturating_sub(1)) {
                set.insert(pe);
            }
        }
        set
    }

    fn insert(&mut self, pe: u32) {
        let word = pe as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (pe % 64);
    }

    fn contains(&self, pe: u32) -> bool {
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
