//! When jobs are submitted.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Gamma};
use statrs::function::gamma::checked_gamma_lr;

use super::parameters::redrawn_gamma;
use crate::error::{Error, Result};

/// The cycle is made of half hours.
const BUCKETS: usize = 48;
const BUCKET_SECONDS: f64 = 1800.0;
/// Bucket with which the day of the cycle's gamma distribution starts: 05:00, when the fewest jobs come.
const FIRST_BUCKET: usize = 10;
/// Where that day starts on the axis of the gamma distribution, whose unit is the half hour.
const AXIS_OFFSET: f64 = 11.0;
/// ln of the longest gap (s of rush hour); a longer one is drawn again.
const LONGEST_LN: f64 = 13.0;

/// Gamma-distributed ln(gap) in a daily cycle that is itself shaped like a gamma density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrivals {
    /// Shape of ln(gap) in the rush hour (`aarr`).
    pub shape: f64,
    /// Scale of ln(gap) (`barr`).
    pub scale: f64,
    /// Shape of the cycle (`anum`).
    pub cycle_shape: f64,
    /// Scale of the cycle, in half hours (`bnum`).
    pub cycle_scale: f64,
    /// Multiplies `shape` to make the mean gap of a whole day out of that of the rush hour (`arar`).
    pub rush_hour_ratio: f64,
}

impl Arrivals {
    /// All jobs together.
    pub const COMBINED: Self = Self {
        shape: 10.2303,
        scale: 0.4871,
        cycle_shape: 8.1737,
        cycle_scale: 3.9631,
        rush_hour_ratio: 1.0225,
    };
    /// Interactive jobs.
    pub const INTERACTIVE: Self = Self {
        shape: 6.5510,
        scale: 0.6621,
        cycle_shape: 8.9186,
        cycle_scale: 3.6680,
        rush_hour_ratio: 0.9797,
    };
    /// Batch jobs.
    pub const BATCH: Self = Self {
        shape: 6.0415,
        scale: 0.8531,
        cycle_shape: 6.1271,
        cycle_scale: 5.2740,
        rush_hour_ratio: 1.0519,
    };
}

/// The times of submission of one stream; starts at midnight.
///
/// Each gap is an amount of credit. It is spent by going through the cycle, where a half hour costs its weight: a busy half
/// hour has a large weight, so that a gap passes in a small part of it.
#[derive(Clone, Debug)]
pub(super) struct ArrivalClock {
    gaps: Gamma<f64>,
    weights: [f64; BUCKETS],
    bucket: usize,
    /// What is spent in the current bucket, at most its weight.
    credit: f64,
    /// Part of the current bucket that has passed.
    fraction: f64,
    time: f64,
    rng: ChaCha8Rng,
}

impl ArrivalClock {
    pub(super) fn new(arrivals: &Arrivals, rng: ChaCha8Rng) -> Result<Self> {
        Ok(Self {
            gaps: redrawn_gamma(
                "gaps",
                arrivals.shape * arrivals.rush_hour_ratio,
                arrivals.scale,
                LONGEST_LN,
            )?,
            weights: weights(arrivals.cycle_shape, arrivals.cycle_scale)?,
            bucket: 0,
            credit: 0.0,
            fraction: 0.0,
            time: 0.0,
            rng,
        })
    }

    /// The next submission (s).
    pub(super) fn next(&mut self) -> f64 {
        self.credit += self.rush_hour_gap() / BUCKET_SECONDS;
        let mut buckets = 0.0;
        while self.credit > self.weights[self.bucket] {
            self.credit -= self.weights[self.bucket];
            self.bucket = (self.bucket + 1) % BUCKETS;
            buckets += 1.0;
        }
        let fraction = self.credit / self.weights[self.bucket];
        self.time += BUCKET_SECONDS * (buckets + fraction - self.fraction);
        self.fraction = fraction;
        self.time
    }

    fn rush_hour_gap(&mut self) -> f64 {
        loop {
            let ln = self.gaps.sample(&mut self.rng);
            if ln <= LONGEST_LN {
                return ln.exp();
            }
        }
    }
}

/// Weight of each half hour from midnight, 1 on average.
fn weights(shape: f64, scale: f64) -> Result<[f64; BUCKETS]> {
    let usage =
        |problem: &str| Error::Usage(format!("daily cycle: Gamma({shape}, {scale}): {problem}"));
    let below =
        |x: f64| checked_gamma_lr(shape, x / scale).map_err(|error| usage(&error.to_string()));
    let mut weights = [0.0; BUCKETS];
    for half_hour in 0..BUCKETS {
        let middle = AXIS_OFFSET + half_hour as f64;
        weights[(FIRST_BUCKET + half_hour) % BUCKETS] = below(middle + 0.5)? - below(middle - 0.5)?;
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    for weight in &mut weights {
        *weight /= mean;
    }
    if weights
        .iter()
        .all(|weight| weight.is_finite() && *weight > 0.0)
    {
        Ok(weights)
    } else {
        Err(usage("expected some weight in every half hour of the day"))
    }
}
