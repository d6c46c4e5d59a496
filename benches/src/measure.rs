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

/// A mean that grows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    /// `count` more operations, which took `sum` nanoseconds together.
    pub fn add(&mut self, sum: f64, count: usize) {
        self.sum += sum;
        self.count += count as f64;
    }

    /// The mean.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.sum / self.count
    }
}
