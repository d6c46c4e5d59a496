//! Mean and exact percentiles of any number of numbers in little memory.

use std::{io, path::Path};

use super::distribution::{Distribution, Percentiles, rate};
use crate::{
    saved::{Saved, saves},
    sorting::Sorter,
};

/// Numbers of which mean and percentiles are taken; where a folder is given, few of them are in memory.
pub(crate) struct Sample {
    sum: f64,
    sorter: Sorter<u64>,
}

impl Saved for Sample {
    saves!(sum; sorter);
}

impl Default for Sample {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Sample {
    /// No numbers so far; where there is a folder, few of them are kept in memory.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self {
            sum: 0.0,
            sorter: Sorter::new(folder),
        }
    }

    /// As [`new`](Self::new), of one that goes on after its process was ended.
    pub(crate) fn going_on(folder: &Path) -> Self {
        Self {
            sum: 0.0,
            sorter: Sorter::going_on(folder),
        }
    }

    /// The names of the files in which it keeps numbers.
    pub(crate) fn files(&self) -> impl Iterator<Item = &String> {
        self.sorter.names()
    }

    pub(crate) fn add(&mut self, number: f64) {
        self.sum += number;
        self.sorter.add(in_order(number));
    }

    /// Their mean and percentiles.
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(crate) fn finish(self) -> io::Result<Distribution> {
        let count = self.sorter.count();
        let ranks = [50, 90, 99].map(|percent: u128| (percent * count as u128).div_ceil(100));
        let mut found = [None; 3];
        for (rank, number) in (1..).zip(self.sorter.sorted()?) {
            let number = number?;
            for (found, wanted) in found.iter_mut().zip(ranks) {
                if rank == wanted {
                    *found = Some(from_order(number));
                }
            }
        }
        let [p50, p90, p99] = found;
        Ok(Distribution {
            mean: rate(self.sum, count as f64),
            percentiles: Percentiles { p50, p90, p99 },
        })
    }

    /// As [`Self::finish`], where no folder was given.
    pub(crate) fn in_memory(self) -> Distribution {
        // Nothing is written, so that nothing fails.
        self.finish().unwrap_or_default()
    }
}

/// A whole number for a float, in the order of [`f64::total_cmp`].
const fn in_order(number: f64) -> u64 {
    let bits = number.to_bits();
    match bits >> 63 {
        0 => bits | 1 << 63,
        _ => !bits,
    }
}

const fn from_order(number: u64) -> f64 {
    f64::from_bits(match number >> 63 {
        0 => !number,
        _ => number & !(1 << 63),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-50_i32..50).prop_map(f64::from),
            (1_u32..1_000).prop_map(|n| 1.0 + f64::from(n) / 1e9),
            -1e300..1e300,
            Just(-0.0),
        ]
    }

    proptest! {
        #[test]
        fn percentiles_are_the_least_that_enough_do_not_exceed(mut numbers in prop::collection::vec(number(), 0..300)) {
            let mut sample = Sample::new(None);
            numbers.iter().for_each(|number| sample.add(*number));
            let Percentiles { p50, p90, p99 } = sample.in_memory().percentiles;
            numbers.sort_by(f64::total_cmp);
            let least = |percent: usize| numbers.iter().zip(1..).find(|(_, at)| 100 * at >= percent * numbers.len());
            let bits = [p50, p90, p99].map(|number| number.map(f64::to_bits));
            prop_assert_eq!(bits, [50, 90, 99].map(|percent| Some(least(percent)?.0.to_bits())));
        }
    }
}
