//! The requests.
//!
//! Source: `xiao`, section 5.1.

use std::path::Path;

use super::{OVER, Point, SLOT};
use crate::{
    error::Result,
    operation::Script,
    request::Demand,
    workload::{
        Job,
        from_swf::{self, DurationFrom, Options},
        lublin::Lublin,
        reserve::Factors,
        swf::Log,
    },
};

/// How many durations a start may be put off.
const SLACK: f64 = 1.0;

/// The model's jobs, so many times faster. A reservation is asked for up to so many of its durations ahead; its start may be put off by one
/// duration at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workload {
    pub(super) seed: u64,
    pub(super) jobs: usize,
    pub(super) arrival: f64,
    pub(super) ahead: f64,
}

impl Workload {
    /// What arrives at a point in a replication.
    pub(super) fn script(&self, point: Point, replication: u32) -> Result<Script> {
        let jobs = Lublin::default().jobs(self.seed, replication)?;
        let factors = Factors {
            arrival: self.arrival,
            share: point.share as f64 / 100.0,
            over: Some(OVER[point.over]),
            book_ahead: self.ahead,
            deadline: SLACK,
            ..Factors::default()
        };
        // A site serves one request, however wide it is.
        let jobs = jobs.take(self.jobs).map(|job| Job { pes: 1, ..job });
        demands(jobs, &factors, self.seed, replication)
    }

    /// The first jobs of a log, which book what their users requested, so many of them reservations (%).
    pub(super) fn of_log(&self, log: &Path, share: u64) -> Result<Script> {
        let options = Options {
            duration_from: DurationFrom::Requested,
            ..Options::default()
        };
        let mut jobs = from_swf::jobs(&Log::read(log)?, options)?.jobs;
        jobs.truncate(self.jobs);
        let factors = Factors {
            share: share as f64 / 100.0,
            deadline: SLACK,
            ..Factors::default()
        };
        demands(jobs.into_iter(), &factors, self.seed, 0)
    }
}

/// Requests in whole slots, so that rounding refuses none.
fn demands(
    jobs: impl Iterator<Item = Job>,
    factors: &Factors,
    seed: u64,
    replication: u32,
) -> Result<Script> {
    let in_slots = |seconds: u64| seconds.next_multiple_of(SLOT);
    let demands = factors.demands(jobs, seed, replication)?.map(|mut demand| {
        if let Demand::Reserve(request) = &mut demand {
            let slack = request.deadline - request.ready - request.duration;
            request.ready = in_slots(request.ready);
            request.deadline = request.ready + in_slots(request.duration) + in_slots(slack);
        }
        demand
    });
    Ok(demands.collect::<Vec<_>>().into())
}
