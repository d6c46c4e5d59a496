//! The jobs: a Poisson number of requests in each slot, most other quantities uniform.
//!
//! Requests are made at the beginning of a slot and wish to start 0 to 24 slots later. A user who is not flexible has t_f = t_e. The paper
//! gives neither how long the jobs are nor how many nodes they take: both are uniform from 1 on, and fitted.
//!
//! Source: `pujiyanta`, section II.

use rand::RngExt;

use super::points::{AHEAD, LONGEST_FLEXIBILITY, Point, SLOT};
use crate::{
    operation::{Action, Operation, Script},
    request::{BestEffortRequest, Demand, JobRequest},
    workload::{
        reserve::poisson_percent as poisson,
        rng::{Purpose, stream},
    },
};

/// The longest job and the widest, in slots and nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jobs {
    pub(super) longest: u64,
    pub(super) widest: u64,
}

impl Jobs {
    /// Node-slots that are asked for in a slot, on average.
    pub(super) fn work(self, rate: u64) -> f64 {
        rate as f64 * (self.longest + 1) as f64 / 2.0 * (self.widest + 1) as f64 / 2.0
    }
}

/// What t_f of a flexible user is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flexibility {
    /// The window as figure 1 has it, t_esl - t_esr: from t_e, since f >= 1, to 12 slots.
    Window,
    /// What the window has beside the job, 1 to 12 slots.
    Slack,
}

/// A workload without its point and replication.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workload {
    pub(super) jobs: Jobs,
    pub(super) flexibility: Flexibility,
    /// For how many slots requests are made.
    pub(super) slots: u64,
    pub(super) seed: u64,
}

/// The share of the jobs that are cancelled where some are (%).
const CANCELLED: usize = 2;

impl Workload {
    /// What happens at a point in a replication. All points of a rate have the same jobs, and who is flexible at one share is so at all greater
    /// ones.
    pub(super) fn script(&self, point: Point, replication: u32) -> Script {
        let requests = self.requests(point, replication);
        let operations = match point.cancelling {
            true => self.cancellations(&requests, replication),
            false => Vec::new(),
        };
        Script {
            demands: requests.into_iter().map(Demand::Reserve).collect(),
            operations,
            notices: Vec::new(),
        }
    }

    fn requests(&self, point: Point, replication: u32) -> Vec<JobRequest> {
        let luck = |purpose| stream(self.seed, purpose, replication);
        let mut arrivals = luck(Purpose::Arrivals);
        let mut sizes = luck(Purpose::Sizes);
        let mut runs = luck(Purpose::RunTimes);
        let mut starts = luck(Purpose::Reservations);
        let mut flexible = luck(Purpose::Flexibility);
        let mut requests = Vec::new();
        for slot in 0..self.slots {
            for _ in 0..poisson(point.rate as f64, &mut arrivals) {
                let ready = slot + starts.random_range(0..=AHEAD);
                let duration = runs.random_range(1..=self.jobs.longest);
                let is_flexible = flexible.random_range(0..100) < point.share;
                // As many draws for each job whatever the point is.
                let draw: f64 = flexible.random();
                let window = match is_flexible {
                    true => self.flexibility.window(duration, draw),
                    false => duration,
                };
                requests.push(JobRequest {
                    job_id: requests.len() as u64 + 1,
                    arrival: slot * SLOT,
                    ready: ready * SLOT,
                    duration: duration * SLOT,
                    deadline: (ready + window) * SLOT,
                    pes: sizes.random_range(1..=self.jobs.widest),
                    run: duration * SLOT,
                    flexible: true,
                    ..JobRequest::default()
                });
            }
        }
        requests
    }

    /// A random 2 % of the jobs are cancelled between their request and their earliest start, before the requests of that slot are made.
    fn cancellations(&self, requests: &[JobRequest], replication: u32) -> Vec<Operation> {
        let mut luck = stream(self.seed, Purpose::Cancellations, replication);
        let mut drawn = Vec::new();
        for request in requests {
            let (key, when): (u64, f64) = (luck.random(), luck.random());
            let waits = (request.ready - request.arrival) / SLOT;
            if waits > 1 {
                let slots = 1 + (when * (waits - 1) as f64) as u64;
                drawn.push((key, request.job_id, request.arrival + slots * SLOT));
            }
        }
        drawn.sort_unstable();
        drawn.truncate(CANCELLED * requests.len() / 100);
        drawn.sort_unstable_by_key(|&(_, job_id, arrival)| (arrival, job_id));
        let first = requests.len() as u64 + 1;
        let operation = |(job_id, (_, target, arrival))| Operation {
            job_id,
            arrival,
            target,
            action: Action::Cancel,
            after: requests.partition_point(|request| request.arrival < arrival),
        };
        (first..).zip(drawn).map(operation).collect()
    }
}

impl Flexibility {
    /// The window of a flexible job, in slots; `draw` is uniform from 0 to 1.
    fn window(self, duration: u64, draw: f64) -> u64 {
        let uniform = |least: u64, most: u64| least + (draw * (most + 1 - least) as f64) as u64;
        match self {
            Self::Window => uniform(duration, LONGEST_FLEXIBILITY.max(duration)),
            Self::Slack => duration + uniform(1, LONGEST_FLEXIBILITY),
        }
    }
}

/// The same jobs without reservations: each is queued when it would have been reserved.
pub(super) fn queued(script: &Script) -> Script {
    let queue = |request: &JobRequest| {
        Demand::BestEffort(BestEffortRequest {
            job_id: request.job_id,
            arrival: request.arrival,
            pes: request.pes,
            estimate: request.duration,
            run: request.run,
            ..BestEffortRequest::default()
        })
    };
    let requests = script.demands.iter().filter_map(Demand::request);
    requests.map(queue).collect::<Vec<_>>().into()
}

#[cfg(test)]
mod tests {
    use super::{Flexibility, Jobs, Workload, queued};
    use crate::experiment::pujiyanta::points::{AHEAD, LONGEST_FLEXIBILITY, SLOT, point};
    use crate::request::{Demand, JobRequest};

    const JOBS: Jobs = Jobs {
        longest: 4,
        widest: 8,
    };

    fn workload(flexibility: Flexibility) -> Workload {
        Workload {
            jobs: JOBS,
            flexibility,
            slots: 2_000,
            seed: 1,
        }
    }

    fn requests(flexibility: Flexibility, rate: u64, share: u64) -> Vec<JobRequest> {
        let script = workload(flexibility).script(point(rate, share, false), 0);
        let request = |demand: &Demand| demand.request().cloned();
        script.demands.iter().filter_map(request).collect()
    }

    fn window(request: &JobRequest) -> u64 {
        (request.deadline - request.ready) / SLOT
    }

    #[test]
    fn jobs_are_as_wished_and_the_same_at_all_shares() {
        for rate in [3, 4] {
            let all = requests(Flexibility::Window, rate, 100);
            let half = requests(Flexibility::Window, rate, 50);
            let work: u64 = all.iter().map(|job| job.duration / SLOT * job.pes).sum();
            assert!((all.len() as f64 / (2_000 * rate) as f64 - 1.0).abs() < 0.05);
            assert!((work as f64 / (2_000.0 * JOBS.work(rate)) - 1.0).abs() < 0.05);
            let mut flexible = 0;
            for (all, half) in all.iter().zip(&half) {
                assert_eq!(
                    (all.ready, all.duration, all.pes),
                    (half.ready, half.duration, half.pes)
                );
                assert!((all.ready - all.arrival) / SLOT <= AHEAD);
                assert!((all.duration / SLOT..=LONGEST_FLEXIBILITY).contains(&window(all)));
                assert!([all.duration / SLOT, window(all)].contains(&window(half)));
                flexible += u64::from(half.deadline - half.ready > half.duration);
            }
            // One in so many that are flexible has no slack by chance.
            let share = flexible as f64 / all.len() as f64;
            assert!((0.42..0.48).contains(&share), "{share}");
        }
    }

    #[test]
    fn slack_comes_on_top_of_the_job() {
        let slack = |job: &JobRequest| window(job) - job.duration / SLOT;
        let all = requests(Flexibility::Slack, 3, 100);
        let sum: u64 = all.iter().map(slack).sum();
        assert!(
            all.iter()
                .all(|job| (1..=LONGEST_FLEXIBILITY).contains(&slack(job)))
        );
        assert!((sum as f64 / all.len() as f64 - 6.5).abs() < 0.2);
    }

    #[test]
    fn two_in_a_hundred_cancel_between_their_request_and_their_start() {
        let script = workload(Flexibility::Window).script(point(3, 25, true), 0);
        let count = script.demands.len();
        assert_eq!(script.operations.len(), 2 * count / 100);
        assert!(
            script
                .operations
                .is_sorted_by_key(|operation| operation.arrival)
        );
        for operation in &script.operations {
            let request = script.demands[operation.target as usize - 1]
                .request()
                .unwrap();
            assert_eq!(request.job_id, operation.target);
            assert!(request.arrival < operation.arrival && operation.arrival < request.ready);
            assert!(script.demands[operation.after - 1].arrival() < operation.arrival);
            let next = script.demands.get(operation.after);
            assert!(next.is_none_or(|next| next.arrival() >= operation.arrival));
        }
        assert_eq!(queued(&script).demands.len(), count);
    }
}
