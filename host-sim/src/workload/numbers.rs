//! Which numbers have occurred: exact, and small where most of them follow each other, as those of logs do.

use rangemap::RangeInclusiveSet;

/// Numbers that have occurred, as ranges without gaps: two words for each range.
#[derive(Default)]
pub(super) struct Numbers {
    ranges: RangeInclusiveSet<u64>,
    /// The range that grows at present, which is not among the others: most numbers are the next.
    growing: Option<[u64; 2]>,
}

impl Numbers {
    /// Adds a number, and says whether it is a new one.
    pub(super) fn insert(&mut self, number: u64) -> bool {
        if let Some([first, last]) = &mut self.growing {
            if (*first..=*last).contains(&number) {
                return false;
            }
            // A number that follows may be in one of the other ranges, too.
            if last.checked_add(1) == Some(number) && !self.ranges.contains(&number) {
                *last = number;
                return true;
            }
            self.ranges.insert(*first..=*last);
        }
        self.growing = None;
        if self.ranges.contains(&number) {
            return false;
        }
        self.growing = Some([number; 2]);
        true
    }

    #[cfg(test)]
    fn ranges(&self) -> usize {
        self.ranges.len() + usize::from(self.growing.is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::Numbers;

    proptest! {
        #[test]
        fn a_number_is_new_once(numbers in prop::collection::vec(prop_oneof![0_u64..40, Just(u64::MAX), u64::MAX - 3..u64::MAX], 0..200)) {
            let (mut ranges, mut set) = (Numbers::default(), HashSet::new());
            for number in numbers {
                prop_assert_eq!(ranges.insert(number), set.insert(number), "{}", number);
            }
        }
    }

    #[test]
    fn numbers_that_follow_each_other_take_one_range() {
        let mut numbers = Numbers::default();
        assert!((1..100_000).all(|number| numbers.insert(number)));
        assert_eq!(numbers.ranges(), 1);
        assert!(!numbers.insert(77));
    }
}
