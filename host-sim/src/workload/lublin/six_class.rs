//! Run times of six classes only, as `li` (section 6.1) uses them.
//!
//! The paper names the classes and says that their weights came from comparing a log's estimates with the model's run
//! times, but prints no weights. Two reconstructions are offered; in both the mean run time grows with the sizes.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::hyper_gamma::{HyperGamma, HyperGammaSampler};
use crate::error::Result;

/// The classes (s).
pub const CLASSES: [u64; 6] = [60, 300, 900, 1800, 3600, 10_800];

/// Where the weights of the classes come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconstruction {
    /// Requested times in a sample of 958 jobs of the LANL CM-5 log, by size, rounded up to a class. The sample is
    /// clustered: a share may be off by 0.1.
    #[default]
    LogSample,
    /// The model's own run times (combined parameters), rounded up to a class.
    ModelRounded,
}

/// Jobs of the sample by size and class.
const SAMPLE: [(u64, [u32; 6]); 5] = [
    (32, [87, 155, 61, 27, 123, 33]),
    (64, [9, 48, 17, 14, 58, 5]),
    (128, [4, 13, 42, 8, 105, 20]),
    (256, [1, 0, 0, 5, 4, 39]),
    (512, [1, 5, 14, 10, 9, 41]),
];

/// No job in the sample is larger than 512; larger ones follow its 256s and 512s together, as either alone is few.
const LARGEST: [u32; 6] = [2, 5, 14, 15, 13, 80];

/// Draws run times by one reconstruction.
#[derive(Clone, Debug)]
pub(super) enum Sampler {
    LogSample,
    ModelRounded(HyperGammaSampler),
}

impl Sampler {
    pub(super) fn new(reconstruction: Reconstruction) -> Result<Self> {
        Ok(match reconstruction {
            Reconstruction::LogSample => Self::LogSample,
            Reconstruction::ModelRounded => {
                Self::ModelRounded(HyperGammaSampler::new(&HyperGamma::COMBINED)?)
            }
        })
    }

    pub(super) fn sample(&self, size: u64, rng: &mut ChaCha8Rng) -> u64 {
        match self {
            Self::LogSample => draw(sample_counts(size), rng),
            Self::ModelRounded(model) => round_up(model.sample(size, rng)),
        }
    }
}

/// The tally of the smallest sampled size that holds the job.
fn sample_counts(size: u64) -> &'static [u32; 6] {
    SAMPLE
        .iter()
        .find(|(sampled, _)| size <= *sampled)
        .map_or(&LARGEST, |(_, counts)| counts)
}

fn draw(counts: &[u32; 6], rng: &mut ChaCha8Rng) -> u64 {
    let rank = rng.random_range(0..counts.iter().sum());
    let mut up_to_here = 0;
    let (last, others) = (CLASSES[5], &counts[..5]);
    let found = others.iter().zip(CLASSES).find(|(count, _)| {
        up_to_here += **count;
        rank < up_to_here
    });
    found.map_or(last, |(_, class)| class)
}

/// The smallest class that holds the run time; the largest if none does.
fn round_up(run: u64) -> u64 {
    CLASSES
        .into_iter()
        .find(|&class| run <= class)
        .unwrap_or(CLASSES[5])
}

#[cfg(test)]
mod tests {
    use super::round_up;

    #[test]
    fn run_times_round_up_to_a_class() {
        let runs = [1, 60, 61, 300, 3601, 10_800, 10_801];
        assert_eq!(
            runs.map(round_up),
            [60, 60, 300, 300, 10_800, 10_800, 10_800]
        );
    }
}
