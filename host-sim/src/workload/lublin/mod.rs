//! The Lublin-Feitelson model of rigid parallel jobs.
//!
//! A job's size comes from a two-stage uniform distribution of log2(size), its run time from a hyper-gamma distribution of
//! ln(run time) that depends on the size, its submission from gamma-distributed logarithms of gaps, stretched and squeezed by
//! a daily cycle. Either one set of parameters describes all jobs (combined), or interactive and batch jobs have their own
//! (two types).
//!
//! Defaults are those of the authors' program. It cuts its clock to whole seconds at every arrival but not its place in
//! the daily cycle, so the two drift apart and the cycle wears away; here the clock keeps its fractions.
//!
//! Source: Lublin and Feitelson, "The workload on parallel supercomputers", JPDC 63 (2003).

mod arrivals;
mod hyper_gamma;
mod parameters;
mod run_times;
pub mod six_class;
mod sizes;

pub use arrivals::Arrivals;
pub use hyper_gamma::HyperGamma;
pub use run_times::RunTimes;
pub use sizes::Sizes;

use std::ops::RangeInclusive;

use rand_chacha::ChaCha8Rng;

use self::{arrivals::ArrivalClock, run_times::RunTimeSampler, six_class::Reconstruction};
use super::{
    Job,
    rng::{Purpose, stream},
};
use crate::error::{Error, Result};

/// Parameters of one type of jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct JobType {
    /// How many processing elements.
    pub sizes: Sizes,
    /// How long.
    pub run_times: RunTimes,
    /// When.
    pub arrivals: Arrivals,
}

impl JobType {
    /// All jobs together.
    pub const COMBINED: Self = Self {
        sizes: Sizes::COMBINED,
        run_times: RunTimes::HyperGamma(HyperGamma::COMBINED),
        arrivals: Arrivals::COMBINED,
    };
    /// Jobs somebody waits for at a terminal.
    pub const INTERACTIVE: Self = Self {
        sizes: Sizes::INTERACTIVE,
        run_times: RunTimes::HyperGamma(HyperGamma::INTERACTIVE),
        arrivals: Arrivals::INTERACTIVE,
    };
    /// Jobs from batch queues.
    pub const BATCH: Self = Self {
        sizes: Sizes::BATCH,
        run_times: RunTimes::HyperGamma(HyperGamma::BATCH),
        arrivals: Arrivals::BATCH,
    };
}

/// Which jobs there are.
#[derive(Clone, Debug, PartialEq)]
pub enum JobTypes {
    /// One type for all; its jobs are in queue 0.
    Combined(JobType),
    /// Two streams merged by time; of two jobs at the same time the interactive one is first.
    Two {
        /// Jobs in queue 0.
        interactive: JobType,
        /// Jobs in queue 1.
        batch: JobType,
    },
}

/// The model.
#[derive(Clone, Debug, PartialEq)]
pub struct Lublin {
    /// Which jobs there are.
    pub types: JobTypes,
    /// Divides all times of submission, daily cycle included; 1 leaves them.
    pub time_divisor: f64,
}

impl Default for Lublin {
    /// The combined model.
    fn default() -> Self {
        Self {
            types: JobTypes::Combined(JobType::COMBINED),
            time_divisor: 1.0,
        }
    }
}

impl Lublin {
    /// What [`Lublin::time_divisor`] must be for the combined model's gaps (mean 919 s) to have the mean of the cleaned
    /// LANL CM-5 log (510 s).
    pub const LANL_CM5_TIME_DIVISOR: f64 = 1.80;

    /// log2 of the sizes between which the stages of the LANL CM-5 can meet (`ULow` and `UHi`).
    pub const LANL_CM5_STAGES: RangeInclusive<f64> = 4.5..=10.0;

    /// Interactive and batch jobs apart.
    #[must_use]
    pub fn two_types() -> Self {
        Self {
            types: JobTypes::Two {
                interactive: JobType::INTERACTIVE,
                batch: JobType::BATCH,
            },
            time_divisor: 1.0,
        }
    }

    /// The LANL CM-5 as `li` (section 6.1) sets it up: sizes are powers of two from 32 to 1024, run times of six classes.
    /// `u_med` is the log2 of the size at which the stages meet, 7 for the log, 5 to 9 in the experiments.
    ///
    /// The site's own arrival parameters were never published, so the gaps are those of the combined model; see
    /// [`Lublin::LANL_CM5_TIME_DIVISOR`].
    #[must_use]
    pub fn lanl_cm5(u_med: f64, run_times: Reconstruction) -> Self {
        let sizes = Sizes {
            serial: 0.0,
            power_of_two: 1.0,
            low: *Self::LANL_CM5_STAGES.start(),
            medium: u_med,
            high: *Self::LANL_CM5_STAGES.end(),
            first_stage: 0.82,
        };
        let job_type = JobType {
            sizes,
            run_times: RunTimes::SixClass(run_times),
            ..JobType::COMBINED
        };
        Self {
            types: JobTypes::Combined(job_type),
            time_divisor: 1.0,
        }
    }

    /// The jobs of one replication, without end; each books as long as it runs.
    ///
    /// # Errors
    /// [`Error::Usage`] if a parameter is out of its range, or so extreme that the redraws might not end.
    pub fn jobs(&self, seed: u64, replication: u32) -> Result<impl Iterator<Item = Job> + use<>> {
        if !(self.time_divisor.is_finite() && self.time_divisor > 0.0) {
            return Err(Error::Usage(format!(
                "time divisor {}: expected a finite number above 0",
                self.time_divisor
            )));
        }
        let source = |job_type: &JobType, queue, arrivals| {
            Source::new(job_type, queue, stream(seed, arrivals, replication))
        };
        let sources = match &self.types {
            JobTypes::Combined(all) => vec![source(all, 0, Purpose::Arrivals)?],
            JobTypes::Two { interactive, batch } => {
                vec![
                    source(interactive, 0, Purpose::Arrivals)?,
                    source(batch, 1, Purpose::BatchArrivals)?,
                ]
            }
        };
        Ok(Jobs {
            sources,
            time_divisor: self.time_divisor,
            size_rng: stream(seed, Purpose::Sizes, replication),
            run_rng: stream(seed, Purpose::RunTimes, replication),
            next_id: 1,
        })
    }
}

/// One type of jobs with its next submission.
struct Source {
    sizes: Sizes,
    run_times: RunTimeSampler,
    clock: ArrivalClock,
    next_submit: f64,
    queue: u64,
}

impl Source {
    fn new(job_type: &JobType, queue: u64, arrival_rng: ChaCha8Rng) -> Result<Self> {
        job_type.sizes.check()?;
        let mut clock = ArrivalClock::new(&job_type.arrivals, arrival_rng)?;
        Ok(Self {
            sizes: job_type.sizes,
            run_times: RunTimeSampler::new(&job_type.run_times)?,
            next_submit: clock.next(),
            clock,
            queue,
        })
    }
}

struct Jobs {
    sources: Vec<Source>,
    time_divisor: f64,
    size_rng: ChaCha8Rng,
    run_rng: ChaCha8Rng,
    next_id: u64,
}

impl Iterator for Jobs {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        // The first of equals wins, and interactive jobs come first.
        let source = self
            .sources
            .iter_mut()
            .min_by(|a, b| a.next_submit.total_cmp(&b.next_submit))?;
        let submit = source.next_submit / self.time_divisor;
        source.next_submit = source.clock.next();
        let pes = source.sizes.sample(&mut self.size_rng);
        let run = source.run_times.sample(pes, &mut self.run_rng);
        let id = self.next_id;
        self.next_id += 1;
        Some(Job {
            id,
            submit,
            run,
            duration: run,
            pes,
            queue: Some(source.queue),
            user: None,
            partition: None,
        })
    }
}
