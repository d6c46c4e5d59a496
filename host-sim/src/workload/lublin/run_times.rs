//! How long a job runs.

use rand_chacha::ChaCha8Rng;

use super::{
    hyper_gamma::{HyperGamma, HyperGammaSampler},
    six_class::{self, Reconstruction},
};
use crate::error::Result;

/// Which distribution run times have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunTimes {
    /// The model's own.
    HyperGamma(HyperGamma),
    /// Six classes only.
    SixClass(Reconstruction),
}

#[derive(Clone, Debug)]
pub(super) enum RunTimeSampler {
    HyperGamma(HyperGammaSampler),
    SixClass(six_class::Sampler),
}

impl RunTimeSampler {
    pub(super) fn new(run_times: &RunTimes) -> Result<Self> {
        Ok(match run_times {
            RunTimes::HyperGamma(model) => Self::HyperGamma(HyperGammaSampler::new(model)?),
            RunTimes::SixClass(reconstruction) => {
                Self::SixClass(six_class::Sampler::new(*reconstruction)?)
            }
        })
    }

    pub(super) fn sample(&self, size: u64, rng: &mut ChaCha8Rng) -> u64 {
        match self {
            Self::HyperGamma(model) => model.sample(size, rng),
            Self::SixClass(classes) => classes.sample(size, rng),
        }
    }
}
