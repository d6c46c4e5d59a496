//! The model's own run times.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Gamma};

use super::parameters::redrawn_gamma;
use crate::error::Result;

/// ln of the longest run time (s); a longer one is drawn again.
const LONGEST_LN: f64 = 12.0;

/// Two gamma distributions of ln(run time in s), mixed by the job's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperGamma {
    /// Shape and scale of the first (`a1`, `b1`): mostly short jobs.
    pub first: (f64, f64),
    /// Shape and scale of the second (`a2`, `b2`): long jobs.
    pub second: (f64, f64),
    /// Change of the first's probability with each processing element (`pa`).
    pub slope: f64,
    /// Probability of the first at size zero (`pb`); the sum is kept within 0 and 1.
    pub intercept: f64,
}

impl HyperGamma {
    /// All jobs together.
    pub const COMBINED: Self = Self {
        first: (4.2, 0.94),
        second: (312.0, 0.03),
        slope: -0.0054,
        intercept: 0.78,
    };
    /// Interactive jobs.
    pub const INTERACTIVE: Self = Self {
        first: (3.8351, 0.6605),
        second: (7.073, 0.6856),
        slope: -0.0118,
        intercept: 0.9156,
    };
    /// Batch jobs.
    pub const BATCH: Self = Self {
        first: (6.57, 0.823),
        second: (639.1, 0.0156),
        slope: -0.003,
        intercept: 0.6986,
    };
}

/// A [`HyperGamma`] with its distributions set up.
#[derive(Clone, Debug)]
pub(super) struct HyperGammaSampler {
    first: Gamma<f64>,
    second: Gamma<f64>,
    slope: f64,
    intercept: f64,
}

impl HyperGammaSampler {
    pub(super) fn new(model: &HyperGamma) -> Result<Self> {
        let gamma = |name, (shape, scale)| redrawn_gamma(name, shape, scale, LONGEST_LN);
        Ok(Self {
            first: gamma("first stage of run times", model.first)?,
            second: gamma("second stage of run times", model.second)?,
            slope: model.slope,
            intercept: model.intercept,
        })
    }

    /// Whole seconds, at least 1 because the logarithm is positive.
    pub(super) fn sample(&self, size: u64, rng: &mut ChaCha8Rng) -> u64 {
        let first = self.slope * size as f64 + self.intercept;
        loop {
            // The stage is drawn again with the value. A probability beyond 0 or 1 needs no clamp against a draw in [0, 1).
            let stage = if rng.random::<f64>() < first {
                &self.first
            } else {
                &self.second
            };
            let ln = stage.sample(rng);
            if ln <= LONGEST_LN {
                return ln.exp() as u64;
            }
        }
    }
}
