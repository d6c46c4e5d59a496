//! The figures of runs that are worked out by hand.

use bookahead::Policy;
use bookahead_sim::{
    engine::{
        Binding, Strategy, System,
        distribution::{Distribution, Percentiles},
        metrics::Metrics,
        rounding::Losses,
    },
    output::{self, RunInfo},
    request::JobRequest,
};

use crate::{checked, waiting::reserve};

/// The whole machine for 5 s between second 10 and `deadline`, asked for at the beginning.
fn whole_machine(job_id: u64, deadline: u64) -> JobRequest {
    JobRequest {
        job_id,
        arrival: 0,
        ready: 10,
        duration: 5,
        deadline,
        pes: 4,
        run: 5,
        flexible: true,
        ..JobRequest::default()
    }
}

fn first_fit(slot_seconds: u32) -> System {
    let strategy = Strategy::Fit(Policy::FirstFit);
    System::new(4, 600, slot_seconds, strategy, Binding::Early)
}

#[test]
fn ten_jobs_one_behind_the_other_are_slowed_down_one_to_ten_times() {
    let requests: Vec<JobRequest> = (1..=10).map(|job_id| whole_machine(job_id, 600)).collect();
    let metrics = Metrics::of(&checked(&first_fit(1), &reserve(&requests)), 4);
    let distribution = |mean, [p50, p90, p99]: [f64; 3]| Distribution {
        mean: Some(mean),
        percentiles: Percentiles {
            p50: Some(p50),
            p90: Some(p90),
            p99: Some(p99),
        },
    };
    // They start at 10, 15, ..., 55: the fifth, the ninth and the tenth are the percentiles.
    assert_eq!(metrics.waiting, distribution(22.5, [20.0, 40.0, 45.0]));
    assert_eq!(metrics.slowdown, distribution(5.5, [5.0, 9.0, 10.0]));
    // By 10 s and not by 5, and the first no less than 1.
    let bounded = metrics.bounded_slowdown;
    assert_eq!(bounded, distribution(2.8, [2.5, 4.5, 5.0]));
    // From second 0 on.
    assert_eq!(metrics.stretch, distribution(7.5, [7.0, 11.0, 12.0]));
}

#[test]
fn nothing_accepted_has_no_rates_but_that_of_acceptance() {
    let demands = reserve(&[whole_machine(1, 14)]);
    let outcomes = checked(&first_fit(1), &demands);
    let metrics = Metrics::of(&outcomes, 4);
    let nothing = Distribution::default();
    assert_eq!(
        (metrics.acceptance_rate, metrics.accepted_work_rate),
        (Some(0.0), Some(0.0))
    );
    assert_eq!(
        [metrics.waiting, metrics.slowdown, metrics.bounded_slowdown],
        [nothing; 3]
    );
    assert_eq!((metrics.utilization, metrics.stretch), (None, nothing));
    let folder = tempfile::tempdir().unwrap();
    let info = RunInfo {
        system: first_fit(1),
        workload: "test".into(),
        seed: 1,
    };
    output::write_run(folder.path(), &info, &outcomes).unwrap();
    let file = std::fs::read_to_string(folder.path().join(output::METRICS)).unwrap();
    assert!(!file.contains("-0"), "{file}");
    let entries: serde_json::Value = serde_json::from_str(&file).unwrap();
    for entry in [
        "/average_slowdown",
        "/bounded_slowdown",
        "/waiting/mean",
        "/waiting/p99",
        "/utilization",
        "/booked_utilization",
    ] {
        let found = entries.pointer(entry);
        assert_eq!(found, Some(&serde_json::Value::Null), "{entry} in {file}");
    }
}

#[test]
fn without_requests_there_is_no_acceptance_either() {
    let metrics = Metrics::of(&[], 4);
    assert_eq!(
        [
            metrics.acceptance_rate,
            metrics.acceptance_rate_after_rounding,
            metrics.accepted_work_rate
        ],
        [None; 3]
    );
}

#[test]
fn what_is_lost_to_rounding_is_counted_apart() {
    // In slots of 10 s the second needs [10, 20) by 19, and the third is too long for its window in seconds too.
    let requests = [20, 19, 14, 30].map(|deadline| whole_machine(deadline, deadline));
    let metrics = Metrics::of(&checked(&first_fit(10), &reserve(&requests)), 4);
    assert_eq!((metrics.requests, metrics.accepted), (4, 2));
    assert_eq!(metrics.lost_to_rounding, 1);
    assert_eq!(metrics.refusals["lost-to-rounding"], 1);
    assert_eq!(metrics.refusals["window-too-short"], 1);
    assert_eq!(metrics.acceptance_rate, Some(0.5));
    assert_eq!(metrics.acceptance_rate_after_rounding, Some(2.0 / 3.0));
}

#[test]
fn the_longest_slot_that_loses_little_is_found() {
    // 199 requests fit slots of up to 119 s, one fits slots of 5 s at most.
    let lenient = (0..199).map(|job_id| JobRequest {
        ready: 0,
        duration: 60,
        ..whole_machine(job_id, 119)
    });
    let requests: Vec<JobRequest> = lenient.chain([whole_machine(199, 15)]).collect();
    let requests: Vec<&JobRequest> = requests.iter().collect();
    let seen = |mut losses: Losses, requests: &[&JobRequest]| {
        requests.iter().for_each(|request| losses.add(request));
        losses
    };
    let lost = seen(Losses::of([120, 60, 5]), &requests);
    assert_eq!(lost.each().collect::<Vec<_>>(), [200, 1, 0]);
    // One in two hundred is little, one in fifty is not.
    let longest = |slot, requests: &[&JobRequest]| seen(Losses::below(slot), requests).longest();
    assert_eq!(longest(300, &requests), (100, 1));
    assert_eq!(longest(60, &requests), (50, 1));
    assert_eq!(longest(300, &requests[150..]), (5, 0));
}
