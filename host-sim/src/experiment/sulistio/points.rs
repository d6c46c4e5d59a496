//! The points of the paper's figures, the systems compared, and the readings of what the paper leaves open.
//!
//! Source: `sulistio`, sections 4 and 4.1.

use bookahead::{Discipline, OfferOrder, Policy, Search};
use bookahead_oracle::papers::sulistio::example::tariff;
pub(super) use bookahead_oracle::papers::sulistio::{SLOT, SLOTS};

use super::{
    Sulistio,
    workload::{Estimates, Workload},
};
use crate::{
    engine::{self, Binding, Elastic, Strategy, System, User},
    experiment::run::Assumption,
    request::{BestEffortRequest, Demand, JobRequest},
    workload::Job,
};

/// An hour (s).
pub(super) const HOUR: u64 = 3_600;
/// Compute nodes.
pub(super) const NODES: u16 = 64;
/// How long the simulated part of the log is (s).
pub(super) const TWO_WEEKS: u64 = 14 * 24 * HOUR;
/// The share of the jobs that reserve.
pub(super) const RESERVING: f64 = 0.3;

/// The book-ahead times (h).
pub(super) const BOOK_AHEAD: [u64; 3] = [1, 5, 10];
/// The search limit times (h).
pub(super) const SEARCH_LIMIT: [u64; 8] = [0, 1, 2, 4, 6, 8, 10, 12];
/// Those of the short version: both sides of 6 h, the ends, and the 8 h of figure 5.
pub(super) const FEW_SEARCH_LIMITS: [u64; 4] = [0, 4, 8, 12];

/// How far ahead is reserved, and how much room to move there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) struct Point {
    /// From the submission to the start of the interval (h).
    pub(super) book_ahead: u64,
    /// By how much the interval is longer than the job (h).
    pub(super) search_limit: u64,
}

impl Point {
    pub(super) const fn new(book_ahead: u64, search_limit: u64) -> Self {
        Self {
            book_ahead,
            search_limit,
        }
    }

    /// What it is called in notes.
    pub(super) fn name(self) -> String {
        format!("bt {} h, slt {} h", self.book_ahead, self.search_limit)
    }
}

/// Where figure 5 looks.
pub(super) const BUSY_NODES: Point = Point::new(5, 8);
/// Where figure 7 has its least reduction.
pub(super) const LEAST_REDUCTION: Point = Point::new(5, 0);
/// Where figure 7 has its greatest.
pub(super) const GREATEST_REDUCTION: Point = Point::new(10, 12);

/// All book-ahead times with these search limits.
pub(super) fn grid(search_limits: &[u64]) -> Vec<Point> {
    BOOK_AHEAD
        .iter()
        .flat_map(|&ahead| {
            let limits = search_limits.iter();
            limits.map(move |&limit| Point::new(ahead, limit))
        })
        .collect()
}

/// What the log's processors are of the paper's compute nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComputeNode {
    /// One node of the machine, with all its processors.
    Node,
    /// One processor.
    Processor,
}

/// What is compared: how a reservation is found, and who may pass whom among the jobs without one. The last two are OSP+BF with another
/// user.
pub(super) const NAMES: [&str; 7] = [
    "FF+FCFS",
    "FF+BF",
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

/// What is run: the main reading, the other of a compute node, and a control with estimates where users made any.
pub(super) fn assumptions(paper: &Sulistio) -> Vec<Assumption<'_, Point>> {
    let assume = |name, node, estimates, replications| {
        let jobs = paper.workload.jobs(node, estimates);
        Assumption {
            name,
            points: grid(paper.search_limits),
            systems: NAMES.into_iter().zip(paper.systems).collect(),
            replications,
            demands: Box::new(move |point, replication| {
                Ok(demands(
                    &paper.workload,
                    &jobs,
                    point,
                    paper.seed,
                    replication,
                ))
            }),
            decide: |system, demands| engine::run(system, demands, &|| {}),
        }
    };
    let few = paper.other_replications;
    let mut all = vec![
        assume(
            MAIN,
            ComputeNode::Node,
            Estimates::Exact,
            paper.replications,
        ),
        assume(PROCESSORS, ComputeNode::Processor, Estimates::Exact, few),
    ];
    if paper.workload.has_requested_times() {
        let name = "CN = node, requested times booked";
        all.push(assume(name, ComputeNode::Node, Estimates::Requested, few));
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
    }
}

#[cfg(test)]
mod tests {
    use super::{
        BUSY_NODES, FEW_SEARCH_LIMITS, GREATEST_REDUCTION, LEAST_REDUCTION, Point, SEARCH_LIMIT,
        grid, reservation,
    };
    use crate::workload::Job;

    #[test]
    fn both_grids_have_the_points_that_claims_are_about() {
        let (all, few) = (grid(&SEARCH_LIMIT), grid(&FEW_SEARCH_LIMITS));
        assert_eq!((all.len(), few.len()), (24, 12));
        for point in [BUSY_NODES, LEAST_REDUCTION, GREATEST_REDUCTION] {
            assert!(all.contains(&point) && few.contains(&point), "{point:?}");
        }
    }

    #[test]
    fn a_query_has_room_for_whole_slots_and_the_search_limit() {
        let job = Job {
            id: 1,
            submit: 85.4,
            run: 301,
            duration: 301,
            pes: 2,
            queue: None,
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
