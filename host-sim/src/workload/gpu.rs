//! Jobs on nodes with 8 GPUs: exponential gaps, and the sizes and run times that two simulators of such clusters draw after those of Microsoft's Philly.
//!
//! | GPUs | 1 | 2 | 4 | 8, a whole node | 16, two whole nodes |
//! |---|---|---|---|---|---|
//! | share | 70 % | 10 % | 15 % | 4 % | 1 % |
//!
//! A job runs for 10^U minutes: U is uniform from 1.5 to 3 for 80 % of the jobs, and from 3 to 4 for the others. The cores that it gets beside its GPUs are its
//! share of a node's, as [`place`](super::place) says.
//!
//! Source of shares and run times: `get_job_gpu_demand` and `get_gavel_like_iter` in `simulator/helpers/utils.py` of the repository `msr-fiddle/synergy`, the
//! simulator of Synergy (OSDI 2022), which has them from Gavel (OSDI 2020); there they are called the distribution of Philly (Jeon and others: Analysis of
//! Large-Scale Multi-Tenant GPU Clusters for DNN Training Workloads, USENIX ATC 2019). It ends with 5 % of 8 GPUs. That one in five of these asks for two nodes
//! is ours, since only jobs on several nodes care about racks; so are the gaps.

use rand::RngExt;
use rand_distr::{Distribution, Exp};

use super::{
    Job,
    rng::{Purpose, stream},
};
use crate::error::{Error, Result};

/// GPUs of a job, and up to which draw from [0, 1) it has so many.
const SIZES: [(u64, f64); 5] = [(1, 0.7), (2, 0.8), (4, 0.95), (8, 0.99), (16, 1.0)];

/// The share of jobs that run for up to 1,000 minutes, and the exponents between which the minutes of these lie, and of the others.
const SHORT: f64 = 0.8;
const SHORT_EXPONENTS: (f64, f64) = (1.5, 3.0);
const LONG_EXPONENTS: (f64, f64) = (3.0, 4.0);

/// Parameters; every job runs as long as it books.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuJobs {
    /// Mean time between submissions (s).
    pub mean_gap: f64,
}

impl Default for GpuJobs {
    /// A machine of some 256 GPUs, about as many as are asked for.
    fn default() -> Self {
        Self { mean_gap: 480.0 }
    }
}

impl GpuJobs {
    /// The jobs of one replication, without end; their processing elements are GPUs.
    ///
    /// # Errors
    /// [`Error::Usage`] for a mean gap that is none; it is named as the option that sets it.
    pub fn jobs(&self, seed: u64, replication: u32) -> Result<impl Iterator<Item = Job> + use<>> {
        let gap = self.mean_gap;
        let gaps = Exp::new(gap.recip()).ok();
        let gaps = gaps.filter(|_| gap.is_finite() && gap > 0.0);
        let gaps = gaps.ok_or_else(|| {
            Error::Usage(format!(
                "--mean-gap {gap}: expected a finite number above 0"
            ))
        })?;
        let mut arrivals = stream(seed, Purpose::Arrivals, replication);
        let mut sizes = stream(seed, Purpose::Sizes, replication);
        let mut run_times = stream(seed, Purpose::RunTimes, replication);
        let mut submit = 0.0;
        Ok((1..).map(move |id| {
            submit += gaps.sample(&mut arrivals);
            let draw: f64 = sizes.random();
            let size = SIZES.iter().find(|(_, upto)| draw < *upto);
            let short = run_times.random::<f64>() < SHORT;
            let (least, most) = if short {
                SHORT_EXPONENTS
            } else {
                LONG_EXPONENTS
            };
            let exponent = least + (most - least) * run_times.random::<f64>();
            let run = (60.0 * 10_f64.powf(exponent)) as u64;
            Job {
                id,
                submit,
                run,
                duration: run,
                pes: size.map_or(1, |(gpus, _)| *gpus),
                queue: None,
                user: None,
                partition: None,
            }
        }))
    }
}
