//! How a record of a log becomes a job.
//!
//! | the record says | the job |
//! |---|---|
//! | status 2, 3 or 4 | skipped: one stretch of a job whose summary line is converted |
//! | run time -1 | skipped: unknown, mostly jobs that never started |
//! | run time 0 | skipped: nothing to reserve |
//! | run time > 0, [`DurationFrom::Run`] | books and runs its run time |
//! | run time <= requested time, [`DurationFrom::Requested`] | books the requested time, runs its run time |
//! | run time > requested time, [`DurationFrom::Requested`] | books the requested time and is stopped there, because a booked end is final; counted |
//! | requested time -1 or 0, [`DurationFrom::Requested`] | books its run time; counted |
//! | requested processors > 0 | takes them, also if it was allocated another number: a reservation is made for what was asked |
//! | requested processors -1 or 0 | takes the allocated ones |
//! | neither known | skipped |
//! | more processors than the machine has | kept as it is, to be refused as too wide; or clipped and counted, with [`Options::clip_pes`] |
//! | a fraction of a second | run and requested time round up, so that a job never gets less than it needs; the submission keeps it |

use super::{
    Job,
    numbers::Numbers,
    swf::{Log, Record},
};
use crate::error::Result;

/// What a job books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DurationFrom {
    /// Its run time, as if every user's estimate were right.
    #[default]
    Run,
    /// The time its user requested.
    Requested,
}

/// How to read a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What a job books.
    pub duration_from: DurationFrom,
    /// Gives wider jobs this many processing elements; without it they stay as wide as they are.
    pub clip_pes: Option<u64>,
    /// Keeps run times beyond what a job books; without it the job is stopped then.
    pub overruns: bool,
}

/// Records that became no job, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Partial executions.
    pub partial: u64,
    /// Run time unknown.
    pub unknown_run: u64,
    /// Run time zero.
    pub zero_run: u64,
    /// Processors neither requested nor allocated.
    pub no_processors: u64,
}

impl Skipped {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.partial + self.unknown_run + self.zero_run + self.no_processors
    }
}

/// Jobs that differ from what their record says, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjusted {
    /// Ran longer than requested and is stopped at the requested time.
    pub stopped_at_request: u64,
    /// Requested no time and books its run time.
    pub no_requested_time: u64,
    /// Wider than [`Options::clip_pes`].
    pub clipped_pes: u64,
}

/// The jobs of a log and what was lost on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversion {
    /// The jobs in order of submission.
    pub jobs: Vec<Job>,
    /// Records left out.
    pub skipped: Skipped,
    /// Records changed.
    pub adjusted: Adjusted,
}

/// What became of the records of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Jobs.
    pub jobs: usize,
    /// Records left out.
    pub skipped: Skipped,
    /// Records changed.
    pub adjusted: Adjusted,
}

/// Converts a whole log.
///
/// # Errors
/// As [`check`].
pub fn jobs(log: &Log, options: Options) -> Result<Conversion> {
    let mut jobs = Vec::new();
    let losses = each(log, options, |job| jobs.push(job))?;
    Ok(Conversion {
        jobs,
        skipped: losses.skipped,
        adjusted: losses.adjusted,
    })
}

/// Converts a whole log, of which nothing is kept but what was lost on the way.
///
/// # Errors
/// The first bad record, see [`Log::records`], or the first job with the number of another.
pub fn check(log: &Log, options: Options) -> Result<Losses> {
    each(log, options, drop)
}

fn each(log: &Log, options: Options, mut add: impl FnMut(Job)) -> Result<Losses> {
    let mut losses = Losses::default();
    let mut numbers = Numbers::default();
    for numbered in log.records() {
        let numbered = numbered?;
        if let Some(job) = losses.convert(&numbered.record, options) {
            if !numbers.insert(job.id) {
                return Err(log.repeated(&numbered));
            }
            add(job);
        }
    }
    Ok(losses)
}

/// The jobs of a log one after the other; each may be a bad record. That no two have one number, and what is lost, [`check`] tells.
pub fn stream(log: &Log, options: Options) -> impl Iterator<Item = Result<Job>> + use<> {
    let mut losses = Losses::default();
    log.records().filter_map(move |numbered| match numbered {
        Ok(numbered) => losses.convert(&numbered.record, options).map(Ok),
        Err(error) => Some(Err(error)),
    })
}

impl Losses {
    /// The job of a record, if it becomes one.
    fn convert(&mut self, record: &Record, options: Options) -> Option<Job> {
        let skipped = &mut self.skipped;
        let pes = if record.requested_processors > 0 {
            record.requested_processors
        } else {
            record.allocated_processors
        };
        let reason = if record.is_partial() {
            Some(&mut skipped.partial)
        } else if record.run_time < 0.0 {
            Some(&mut skipped.unknown_run)
        } else if record.run_time == 0.0 {
            Some(&mut skipped.zero_run)
        } else if pes <= 0 {
            Some(&mut skipped.no_processors)
        } else {
            None
        };
        if let Some(count) = reason {
            *count += 1;
            return None;
        }
        let run = record.run_time.ceil() as u64;
        let duration = match options.duration_from {
            DurationFrom::Run => run,
            DurationFrom::Requested => self.requested_duration(record, run),
        };
        let stopped = run > duration && !options.overruns;
        self.adjusted.stopped_at_request += u64::from(stopped);
        let pes = self.clip(pes.unsigned_abs(), options.clip_pes);
        self.jobs += 1;
        Some(Job {
            id: record.job_number,
            submit: record.submit_time,
            run: if stopped { duration } else { run },
            duration,
            pes,
            queue: u64::try_from(record.queue).ok(),
            user: u64::try_from(record.user).ok(),
            partition: u64::try_from(record.partition).ok(),
        })
    }

    fn requested_duration(&mut self, record: &Record, run: u64) -> u64 {
        if record.requested_time <= 0.0 {
            self.adjusted.no_requested_time += 1;
            return run;
        }
        record.requested_time.ceil() as u64
    }

    fn clip(&mut self, pes: u64, limit: Option<u64>) -> u64 {
        let clipped = limit.map_or(pes, |limit| pes.min(limit));
        self.adjusted.clipped_pes += u64::from(clipped < pes);
        clipped
    }
}

/// The record of a job, for writing a model's workload as a log: what the job does not say is -1, the submission is cut to
/// whole seconds.
#[must_use]
pub fn record(job: &Job) -> Record {
    let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    Record {
        job_number: job.id,
        submit_time: job.submit.floor(),
        wait_time: -1.0,
        run_time: job.run as f64,
        allocated_processors: signed(job.pes),
        average_cpu_time: -1.0,
        used_memory: -1.0,
        requested_processors: signed(job.pes),
        requested_time: job.duration as f64,
        requested_memory: -1.0,
        status: 1,
        user: job.user.map_or(-1, signed),
        group: -1,
        executable: -1,
        queue: job.queue.map_or(-1, signed),
        partition: job.partition.map_or(-1, signed),
        preceding_job: -1,
        think_time: -1.0,
    }
}
