//! Which stretches of a table tell numbers of a range, so that few of its rows have to be read again.

use std::{iter, path::Path};

use super::{Row, Rows};
use crate::error::Result;

/// Stretches are joined two by two when there are so many.
const MOST: usize = 1 << 10;

/// A table in stretches of equally many rows, each with the least and the greatest of the numbers that its rows tell.
#[derive(Default)]
pub(crate) struct Stretches {
    all: Vec<Stretch>,
    /// How many rows each of them has, but the last.
    size: usize,
    /// How many rows the last one has.
    last: usize,
}

struct Stretch {
    position: csv::Position,
    /// Nothing where no row tells any.
    numbers: Option<[u64; 2]>,
}

impl Stretches {
    /// The row that was read last of a table that is read from its beginning, with the range of its numbers.
    pub(crate) fn add<R: Row>(&mut self, rows: &Rows<R>, numbers: Option<[u64; 2]>) {
        let Some(position) = rows.position() else {
            return;
        };
        if self.last == self.size {
            if self.all.len() == MOST {
                self.join();
            }
            self.all.push(Stretch {
                position: position.clone(),
                numbers: None,
            });
            self.size = self.size.max(1);
            self.last = 0;
        }
        self.last += 1;
        if let Some(stretch) = self.all.last_mut() {
            stretch.numbers = together(stretch.numbers, numbers);
        }
    }

    fn join(&mut self) {
        let mut joined: Vec<Stretch> = Vec::with_capacity(MOST);
        for (place, stretch) in self.all.drain(..).enumerate() {
            match joined.last_mut().filter(|_| place % 2 == 1) {
                Some(before) => before.numbers = together(before.numbers, stretch.numbers),
                None => joined.push(stretch),
            }
        }
        self.all = joined;
        self.size *= 2;
    }

    /// Reads the rows of those stretches again of which `meets` says so by the least and the greatest of their numbers.
    pub(crate) fn rows<'a, R: Row, F: Fn([u64; 2]) -> bool>(
        &'a self,
        file: &Path,
        meets: F,
    ) -> Result<impl Iterator<Item = Result<R>> + use<'a, R, F>> {
        let mut rows = Rows::open(file)?;
        let mut wanted = (self.all.iter()).filter(move |one| one.numbers.is_some_and(&meets));
        let mut left = 0;
        Ok(iter::from_fn(move || {
            let rows = rows.as_mut()?;
            if left == 0 {
                let stretch = wanted.next()?;
                left = self.size;
                if let Err(error) = rows.seek(stretch.position.clone()) {
                    return Some(Err(error));
                }
            }
            left -= 1;
            rows.next()
        }))
    }
}

/// The range that both lie in.
fn together(one: Option<[u64; 2]>, other: Option<[u64; 2]>) -> Option<[u64; 2]> {
    match (one, other) {
        (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::files;

    #[derive(Serialize, Deserialize)]
    struct Numbered {
        number: u64,
    }

    impl Row for Numbered {
        const COLUMNS: &'static [&'static str] = &["number"];
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// With many more rows than stretches, and with few.
        #[test]
        fn what_is_read_again_has_all_rows_in_the_range(
            numbers in prop::collection::vec(0_u64..1_000, 0..6_000),
            (sorted, from, length) in (0_usize..6_000, 0_u64..1_000, 0_u64..100),
        ) {
            let mut numbers = numbers;
            let sorted = sorted.min(numbers.len());
            numbers[..sorted].sort_unstable();
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("numbers.csv");
            let row = |number: &u64| Numbered { number: *number };
            files::write(&file, Numbered::COLUMNS, numbers.iter().map(row)).unwrap();

            let (mut rows, mut stretches) = (Rows::<Numbered>::open(&file).unwrap().unwrap(), Stretches::default());
            while let Some(row) = rows.next() {
                let number = row.unwrap().number;
                // Some tell nothing.
                stretches.add(&rows, (number % 7 != 0).then_some([number; 2]));
            }
            prop_assert!(stretches.all.len() <= MOST);
            let wanted = |number: u64| (from..from + length).contains(&number);
            let meets = |[least, greatest]: [u64; 2]| least < from + length && greatest >= from;
            let again = stretches.rows::<Numbered, _>(&file, meets).unwrap();
            let again: Vec<u64> = again.map(|row| row.unwrap().number).collect();
            let found: Vec<u64> = again.iter().copied().filter(|number| number % 7 != 0 && wanted(*number)).collect();
            let expected: Vec<u64> = numbers.iter().copied().filter(|number| number % 7 != 0 && wanted(*number)).collect();
            prop_assert_eq!(&found, &expected);
            if sorted == numbers.len() {
                let most = expected.len() * 7 / 6 + 4 * stretches.size + numbers.len() / 50;
                prop_assert!(again.len() <= most, "{} rows of {} for {}", again.len(), numbers.len(), expected.len());
            }
        }
    }
}
