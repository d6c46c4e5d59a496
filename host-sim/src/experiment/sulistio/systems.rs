//! The systems compared, the jobs they are given, and the readings of what the paper leaves open.
//!
//! Source: `sulistio`, sections 4 and 4.1.

use bookahead::{Discipline, OfferOrder, Policy, Search};
use bookahead_oracle::papers::sulistio::example::tariff;

use super::{
    Sulistio,
    points::{ComputeNode, HOUR, NODES, Point, SLOT, SLOTS, grid},
    workload::{Estimates, Workload},
};
use crate::experiment::{Assumption, ENGINE};
use crate::{
    engine::{Binding, Elastic, Strategy, System, User},
    request::{BestEffortRequest, Demand, JobRequest},
    workload::Job,
};

/// What is compared: how a reservation is found, and who may pass whom among the jobs without one. The last two are OSP+BF with another
/// user.
pub(super) const NAMES: [&str; 7] = [
    "first-fit+FCFS",
    "first-fit+BF",
    "Rigid+FCFS",
    "Rigid+BF",
    "OSP+BF",
    "OSP+BF, solutions only",
    "OSP+BF, second query",
];

// Their places.
pub(super) const FF_FCFS: usize = 0;
pub(super) const FF_BF: usize = 1;
pub(super) const RIGID_FCFS: usize = 2;
pub(super) const RIGID_BF: usize = 3;
pub(super) const OSP_BF: usize = 4;
pub(super) const SOLUTIONS_ONLY: usize = 5;
pub(super) const SECOND_QUERY: usize = 6;

/// Those that the paper compares.
pub(super) const OF_THE_PAPER: [usize; 5] = [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF, OSP_BF];

/// Offers a user is shown at most.
pub(super) const OFFERS: usize = 64;

/// The systems, in the order of the names.
pub(super) fn systems() -> [System; 7] {
    use Discipline::{Easy, Fcfs};
    let tariff = tariff();
    let first_fit = Strategy::Fit(Policy::FirstFit);
    let elastic = |user| {
        Strategy::Elastic(Elastic {
            search: Search::StripPacking,
            order: OfferOrder::Discovery,
            offers: OFFERS,
            user,
        })
    };
    let system = |(strategy, discipline)| System {
        best_effort: Some(discipline),
        tariff,
        ..System::new(NODES, SLOTS, SLOT as u32, strategy, Binding::Late)
    };
    let strategies = [
        (first_fit, Fcfs),
        (first_fit, Easy),
        (Strategy::Rigid, Fcfs),
        (Strategy::Rigid, Easy),
        (elastic(User::Alternatives), Easy),
        (elastic(User::SolutionOnly), Easy),
        (elastic(User::AskAgain), Easy),
    ];
    strategies.map(system)
}

/// The reading the verdicts are about.
///
/// With nodes the log has single and parallel jobs, as the paper says, and asks for as much as 64 of them can do; with processors it
/// has no single job and asks for four times as much. The paper leaves estimates of run times to future work.
pub(super) const MAIN: &str = "CN = node";
/// The other reading of a compute node.
pub(super) const PROCESSORS: &str = "CN = processor";
/// The control in which no other job is in the way of a reservation, as the paper's formulas read: those that are end and are queued again.
pub(super) const RESERVATIONS_ONLY: &str = "CN = node, admission counts reservations only";

/// What is run: the main reading, the other of a compute node, and controls: reservations that displace other jobs, and estimates where users made any.
pub(super) fn assumptions(paper: &Sulistio) -> Vec<Assumption<'_, Point>> {
    use {ComputeNode::*, Estimates::*};
    let assume = |name, node, estimates, replications| {
        let jobs = paper.workload.jobs(node, estimates);
        Assumption {
            name,
            points: grid(paper.search_limits),
            systems: NAMES.into_iter().zip(systems()).collect(),
            applies: |_, _| true,
            replications,
            script: Box::new(move |point, replication| {
                let (workload, seed) = (&paper.workload, paper.seed);
                Ok(demands(workload, &jobs, point, seed, replication).into())
            }),
            decide: ENGINE,
        }
    };
    let few = paper.other_replications;
    let only = assume(RESERVATIONS_ONLY, Node, Exact, few);
    let preempts = |(name, system)| {
        let preempt = Some(0);
        (name, System { preempt, ..system })
    };
    let only = Assumption {
        systems: only.systems.into_iter().map(preempts).collect(),
        ..only
    };
    let mut all = vec![
        assume(MAIN, Node, Exact, paper.replications),
        assume(PROCESSORS, Processor, Exact, few),
        only,
    ];
    if paper.workload.has_requested_times() {
        let name = "CN = node, requested times booked";
        all.push(assume(name, Node, Requested, few));
    }
    all
}

/// What arrives.
fn demands(
    workload: &Workload,
    jobs: &[Job],
    point: Point,
    seed: u64,
    replication: u32,
) -> Vec<Demand> {
    let reserving = workload.reserving(seed, replication);
    let demand = |(job, reserves): (&Job, bool)| match reserves {
        true => Demand::Reserve(reservation(job, point)),
        false => Demand::BestEffort(BestEffortRequest {
            job_id: job.id,
            arrival: job.submit as u64,
            pes: job.pes,
            estimate: job.duration,
            run: job.run,
            ..BestEffortRequest::default()
        }),
    };
    jobs.iter().zip(reserving).map(demand).collect()
}

/// The query of a job: its interval begins with a slot and has room for the slots that the job needs, and slt more.
fn reservation(job: &Job, point: Point) -> JobRequest {
    let arrival = job.submit as u64;
    let ready = (arrival + point.book_ahead * HOUR).next_multiple_of(SLOT);
    JobRequest {
        job_id: job.id,
        arrival,
        ready,
        duration: job.duration,
        deadline: ready + job.duration.next_multiple_of(SLOT) + point.search_limit * HOUR,
        pes: job.pes,
        run: job.run,
        flexible: true,
        ..JobRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, reservation};
    use crate::workload::Job;

    #[test]
    fn a_query_has_room_for_whole_slots_and_the_search_limit() {
        let job = Job {
            id: 1,
            submit: 85.4,
            run: 301,
            duration: 301,
            pes: 2,
            queue: None,
            user: None,
            partition: None,
        };
        let request = reservation(&job, Point::new(1, 0));
        // 01:01:25 begins at 01:05:00, and 301 s take two slots.
        assert_eq!((request.arrival, request.ready), (85, 3_900));
        assert_eq!(request.deadline, 3_900 + 600);
        let later = reservation(&job, Point::new(5, 2));
        assert_eq!(
            (later.ready, later.deadline),
            (18_300, 18_300 + 600 + 7_200)
        );
    }
}
