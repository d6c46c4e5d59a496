//! Mean and exact percentiles of any number of numbers in little memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::distribution::{Distribution, Percentiles, rate};

/// How many numbers are kept in memory before they are written to a file: 64 KiB.
const KEPT: usize = 1 << 13;

/// Numbers of which mean and percentiles are taken.
///
/// Where a folder is given, no more than [`KEPT`] of them are in memory: the others are in a file there that has no name and 8 bytes for each, and of
/// these the percentiles are found digit by digit, which takes seven passes over the file.
pub(crate) struct Sample {
    sum: f64,
    count: usize,
    kept: Vec<u64>,
    most: usize,
    folder: Option<PathBuf>,
    spilled: Option<Spilled>,
    failed: Option<io::Error>,
}

/// The numbers that are in the file.
struct Spilled {
    out: BufWriter<File>,
    /// How many have which first digit.
    first: Vec<usize>,
}

impl Sample {
    /// No numbers so far; where there is a folder, not many of them are kept in memory.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self::keeping(KEPT, folder)
    }

    fn keeping(most: usize, folder: Option<&Path>) -> Self {
        Self {
            sum: 0.0,
            count: 0,
            kept: Vec::new(),
            most,
            folder: folder.map(Path::to_owned),
            spilled: None,
            failed: None,
        }
    }

    pub(crate) fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
        self.kept.push(in_order(number));
        if self.kept.len() >= self.most
            && let Err(error) = self.spill()
        {
            self.failed.get_or_insert(error);
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            None => self.spilled.insert(Spilled {
                out: BufWriter::new(tempfile::tempfile_in(folder)?),
                first: vec![0; DIGITS],
            }),
        };
        for number in self.kept.drain(..) {
            spilled.out.write_all(&number.to_le_bytes())?;
            spilled.first[digit(number, 0)] += 1;
        }
        Ok(())
    }

    /// Their mean and percentiles.
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(crate) fn finish(mut self) -> io::Result<Distribution> {
        let mean = rate(self.sum, self.count as f64);
        if self.spilled.is_some() {
            self.spill()?;
        }
        if let Some(error) = self.failed {
            return Err(error);
        }
        let ranks = [50, 90, 99].map(|percent: usize| {
            let rank = (percent as u128 * self.count as u128).div_ceil(100) as usize;
            rank.checked_sub(1)
        });
        let found = match self.spilled {
            None => {
                self.kept.sort_unstable();
                ranks.map(|rank| self.kept.get(rank?).copied())
            }
            Some(spilled) => spilled.at(ranks)?,
        };
        let [p50, p90, p99] = found.map(|number| number.map(from_order));
        Ok(Distribution {
            mean,
            percentiles: Percentiles { p50, p90, p99 },
        })
    }
}

impl Sample {
    /// As [`Self::finish`], where no folder was given.
    pub(crate) fn in_memory(self) -> Distribution {
        debug_assert!(self.folder.is_none());
        // Nothing is written, so that nothing fails.
        self.finish().unwrap_or_default()
    }
}

/// Bits of a digit.
const BITS: u32 = 8;
/// How many values a digit has.
const DIGITS: usize = 1 << BITS;

/// A digit of a number, of which number 0 counts most.
const fn digit(number: u64, which: u32) -> usize {
    (number >> (u64::BITS - BITS * (which + 1))) as usize % DIGITS
}

impl Spilled {
    /// The numbers at these places of the sorted ones: digit by digit, how many numbers begin with the digits found so far and have which next one.
    fn at(self, ranks: [Option<usize>; 3]) -> io::Result<[Option<u64>; 3]> {
        let mut file = self.out.into_inner()?;
        let mut wanted = ranks.map(|rank| Some((0_u64, rank?)));
        for wanted in wanted.iter_mut().flatten() {
            next_digit(wanted, &self.first);
        }
        for which in 1..u64::BITS / BITS {
            let mut counts: Vec<(u64, Vec<usize>)> = Vec::new();
            for (begin, _) in wanted.iter().flatten() {
                if counts.iter().all(|(known, _)| known != begin) {
                    counts.push((*begin, vec![0; DIGITS]));
                }
            }
            file.seek(SeekFrom::Start(0))?;
            let mut numbers = BufReader::with_capacity(1 << 16, &mut file);
            let mut bytes = [0; 8];
            while !numbers.fill_buf()?.is_empty() {
                numbers.read_exact(&mut bytes)?;
                let number = u64::from_le_bytes(bytes);
                let begin = number >> (u64::BITS - BITS * which);
                for (known, counts) in &mut counts {
                    if *known == begin {
                        counts[digit(number, which)] += 1;
                    }
                }
            }
            for wanted in wanted.iter_mut().flatten() {
                if let Some((_, counts)) = counts.iter().find(|(known, _)| *known == wanted.0) {
                    next_digit(wanted, counts);
                }
            }
        }
        Ok(wanted.map(|wanted| Some(wanted?.0)))
    }
}

/// Adds the digit that the number at the place `rank` of those that begin so has, of which `counts` have each digit.
fn next_digit((begin, rank): &mut (u64, usize), counts: &[usize]) {
    for (digit, count) in (0_u64..).zip(counts) {
        if *rank < *count {
            *begin = *begin << BITS | digit;
            return;
        }
        *rank -= count;
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
        fn a_file_gives_what_sorting_gives(numbers in prop::collection::vec(number(), 0..300), most in 1_usize..50) {
            let folder = tempfile::tempdir().unwrap();
            let of = |mut sample: Sample| {
                numbers.iter().for_each(|number| sample.add(*number));
                sample.finish().unwrap()
            };
            let spilled = of(Sample::keeping(most, Some(folder.path())));
            let sorted = of(Sample::new(None));
            prop_assert_eq!(spilled, sorted);
            let mut all = numbers.clone();
            all.sort_by(f64::total_cmp);
            let least = |percent: usize| all.iter().copied().enumerate().find(|(at, _)| 100 * (at + 1) >= percent * all.len());
            let Percentiles { p50, p90, p99 } = sorted.percentiles;
            prop_assert_eq!([p50, p90, p99], [50, 90, 99].map(|percent| Some(least(percent)?.1)));
            // Nothing is left.
            prop_assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        }
    }

    #[test]
    fn whole_numbers_stand_in_the_order_of_floats() {
        let mut floats = [0.0, -0.0, 1.5, -1.5, f64::MAX, f64::MIN, 1e-300, -1e-300];
        floats.sort_by(f64::total_cmp);
        assert!(floats.is_sorted_by_key(|number| in_order(*number)));
        assert!(
            floats
                .iter()
                .all(|number| from_order(in_order(*number)).to_bits() == number.to_bits())
        );
    }
}
