//! Timing short calls.

use std::hint::black_box;
use std::time::Instant;

/// Times stretches of calls and takes out what looking at the clock costs.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    overhead: f64,
}

impl Stopwatch {
    /// Measures the cost of the clock.
    #[must_use]
    pub fn calibrated() -> Self {
        let mut readings: Vec<f64> = (0..10_001)
            .map(|_| {
                let start = Instant::now();
                start.elapsed().as_nanos() as f64
            })
            .collect();
        readings.sort_by(f64::total_cmp);
        Self {
            overhead: readings[readings.len() / 2],
        }
    }

    /// What looking at the clock costs, in nanoseconds.
    #[must_use]
    pub fn overhead(&self) -> f64 {
        self.overhead
    }

    /// Nanoseconds that `call` takes for all of `items`.
    pub fn time<T, R>(&self, items: &[T], mut call: impl FnMut(&T) -> R) -> f64 {
        let start = Instant::now();
        for item in items {
            black_box(call(black_box(item)));
        }
        (start.elapsed().as_nanos() as f64 - self.overhead).max(0.0)
    }
}

/// The mean time of an operation over batches that are measured several times.
///
/// Of the times of one batch only the least counts: the work and the state of the caches are the same each time, so whatever
/// is above comes from other programs on the machine.
#[derive(Clone, Debug)]
pub struct Mean {
    batch: usize,
    least: Vec<f64>,
}

impl Mean {
    /// A mean over batches of `batch` operations.
    #[must_use]
    pub fn over(batch: usize) -> Self {
        Self {
            batch,
            least: Vec::new(),
        }
    }

    /// The batch numbered `turn` took `sum` nanoseconds this time.
    pub fn add(&mut self, turn: usize, sum: f64) {
        if turn == self.least.len() {
            self.least.push(sum);
        }
        self.least[turn] = self.least[turn].min(sum);
    }

    /// The median of the batches, in nanoseconds per operation.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut least = self.least.clone();
        least.sort_by(f64::total_cmp);
        let middle = least.len() / 2;
        least.get(middle).map_or(0.0, |sum| sum / self.batch as f64)
    }

    /// The slowest of the batches, in nanoseconds per operation.
    #[must_use]
    pub fn worst(&self) -> f64 {
        let worst = self.least.iter().copied().fold(0.0, f64::max);
        worst / self.batch as f64
    }

    /// Nanoseconds per operation.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.least.iter().sum::<f64>() / (self.least.len() * self.batch) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_least_of_each_batch() {
        let mut mean = Mean::over(10);
        for round in [[100.0, 900.0], [700.0, 300.0]] {
            for (turn, sum) in round.into_iter().enumerate() {
                mean.add(turn, sum);
            }
        }
        assert_eq!(mean.value(), 20.0);
        assert_eq!(mean.worst(), 30.0);
        mean.add(2, 0.0);
        assert_eq!(mean.median(), 10.0);
    }
}
