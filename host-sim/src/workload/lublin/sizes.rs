//! How many processing elements a job takes.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::parameters::check_probability;
use crate::error::{Error, Result};

/// Two-stage uniform distribution of log2(size), with a share of serial jobs and one of powers of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Probability that a job is serial.
    pub serial: f64,
    /// Probability that a job is parallel and its size a power of two; among all jobs, not among the parallel ones.
    pub power_of_two: f64,
    /// log2 of the smallest parallel size (`ULow`).
    pub low: f64,
    /// log2 of the size at which the stages meet (`UMed`).
    pub medium: f64,
    /// log2 of the largest size (`UHi`).
    pub high: f64,
    /// Weight of the stage from `low` to `medium` (`Uprob`).
    pub first_stage: f64,
}

impl Sizes {
    /// All jobs together.
    pub const COMBINED: Self = Self {
        serial: 0.244,
        power_of_two: 0.576,
        low: 0.8,
        medium: 4.5,
        high: 7.0,
        first_stage: 0.86,
    };
    /// Interactive jobs.
    pub const INTERACTIVE: Self = Self {
        serial: 0.1541,
        power_of_two: 0.625,
        low: 1.0,
        medium: 3.0,
        high: 5.5,
        first_stage: 0.705,
    };
    /// Batch jobs.
    pub const BATCH: Self = Self {
        serial: 0.2927,
        power_of_two: 0.6686,
        low: 1.2,
        medium: 5.0,
        high: 7.0,
        first_stage: 0.875,
    };

    pub(super) fn check(&self) -> Result<()> {
        check_probability("share of serial jobs", self.serial)?;
        check_probability("share of powers of two", self.power_of_two)?;
        check_probability("weight of the first size stage", self.first_stage)?;
        let Self {
            low, medium, high, ..
        } = *self;
        if 0.0 <= low && low <= medium && medium <= high && high <= 32.0 {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "size stages {low}, {medium}, {high}: expected 0 <= low <= medium <= high <= 32"
        )))
    }

    pub(super) fn sample(&self, rng: &mut ChaCha8Rng) -> u64 {
        // One draw decides both questions, so the share of powers of two is absolute. It is below 1, hence the strict `<`.
        let kind: f64 = rng.random();
        if kind < self.serial {
            return 1;
        }
        let (from, to) = if rng.random::<f64>() < self.first_stage {
            (self.low, self.medium)
        } else {
            (self.medium, self.high)
        };
        let log2 = from + (to - from) * rng.random::<f64>();
        let log2 = if kind < self.serial + self.power_of_two {
            (log2 + 0.5).floor()
        } else {
            log2
        };
        (log2.exp2() + 0.5) as u64
    }
}
