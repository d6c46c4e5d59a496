//! A plain model: exponential gaps, log-uniform sizes and durations.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp};

use super::{
    Job,
    rng::{Purpose, stream},
};
use crate::error::{Error, Result};

/// Parameters; every job runs as long as it books.
#[derive(Clone, Debug, PartialEq)]
pub struct Poisson {
    /// Mean time between submissions (s).
    pub mean_gap: f64,
    /// Smallest and largest number of processing elements, both included.
    pub pes: (u64, u64),
    /// Shortest and longest duration (s), both included.
    pub duration: (u64, u64),
}

impl Default for Poisson {
    /// A machine of some 128 processing elements, about half loaded.
    fn default() -> Self {
        Self {
            mean_gap: 300.0,
            pes: (1, 32),
            duration: (60, 10_800),
        }
    }
}

impl Poisson {
    /// The jobs of one replication, without end.
    ///
    /// # Errors
    /// [`Error::Usage`] if a parameter is out of its range; it is named as the option that sets it.
    pub fn jobs(&self, seed: u64, replication: u32) -> Result<impl Iterator<Item = Job> + use<>> {
        if !(self.mean_gap.is_finite() && self.mean_gap > 0.0) {
            return Err(Error::Usage(format!(
                "--mean-gap {}: expected a finite number above 0",
                self.mean_gap
            )));
        }
        let gaps = Exp::new(self.mean_gap.recip())
            .map_err(|error| Error::Usage(format!("--mean-gap {}: {error}", self.mean_gap)))?;
        let sizes = LogUniform::new("--job-pes", self.pes)?;
        let durations = LogUniform::new("--job-seconds", self.duration)?;
        let mut arrival_rng = stream(seed, Purpose::Arrivals, replication);
        let mut size_rng = stream(seed, Purpose::Sizes, replication);
        let mut run_rng = stream(seed, Purpose::RunTimes, replication);
        let mut submit = 0.0;
        Ok((1..).map(move |id| {
            submit += gaps.sample(&mut arrival_rng);
            let run = durations.sample(&mut run_rng);
            Job {
                id,
                submit,
                run,
                duration: run,
                pes: sizes.sample(&mut size_rng),
                queue: None,
                user: None,
                partition: None,
            }
        }))
    }
}

/// Whole numbers whose logarithm is uniform: k has probability proportional to ln((k + 1) / k).
struct LogUniform {
    least: u64,
    most: u64,
}

impl LogUniform {
    fn new(name: &str, (least, most): (u64, u64)) -> Result<Self> {
        if least == 0 || most < least {
            return Err(Error::Usage(format!(
                "{name} {least}-{most}: expected a least number of 1 or more, and a most that is no less"
            )));
        }
        Ok(Self { least, most })
    }

    fn sample(&self, rng: &mut ChaCha8Rng) -> u64 {
        let ratio = (self.most as f64 + 1.0) / self.least as f64;
        let value = self.least as f64 * ratio.powf(rng.random());
        // Rounding in the power may reach just past either end.
        (value as u64).clamp(self.least, self.most)
    }
}
