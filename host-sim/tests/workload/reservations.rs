//! Factors that turn jobs into requests.

use bookahead_sim::{
    request::{BestEffortRequest, Demand, JobRequest},
    workload::{Job, reserve::Factors},
};

const COUNT: u64 = 20_000;

fn jobs() -> impl Iterator<Item = Job> {
    (0..COUNT).map(|id| Job {
        id,
        submit: id as f64 * 10.75,
        run: 70,
        duration: 100,
        pes: 4,
        queue: None,
        user: id.checked_sub(1),
        partition: None,
    })
}

fn demands(factors: &Factors) -> Vec<Demand> {
    factors.demands(jobs(), 1, 0).unwrap().collect()
}

fn requests(factors: &Factors) -> Vec<JobRequest> {
    let only_reservations = |demand| match demand {
        Demand::Reserve(request) => Some(request),
        Demand::Hold(_) | Demand::BestEffort(_) => None,
    };
    demands(factors)
        .into_iter()
        .filter_map(only_reservations)
        .collect()
}

fn lead(request: &JobRequest) -> u64 {
    request.ready - request.arrival
}

fn slack(request: &JobRequest) -> u64 {
    request.deadline - request.ready - request.duration
}

fn mean(requests: &[JobRequest], of: impl Fn(&JobRequest) -> u64) -> f64 {
    requests.iter().map(of).sum::<u64>() as f64 / requests.len() as f64
}

#[test]
fn requests_keep_the_job_and_follow_the_formulas() {
    let requests = requests(&Factors {
        arrival: 1.5,
        book_ahead: 2.0,
        deadline: 5.0,
        ..Factors::default()
    });
    assert_eq!(requests.len() as u64, COUNT);
    for (request, job) in requests.iter().zip(jobs()) {
        assert_eq!(request.arrival, (job.submit / 1.5).floor() as u64);
        assert_eq!(
            (request.job_id, request.duration, request.run, request.pes),
            (job.id, 100, 70, 4)
        );
        assert_eq!(request.user, job.user);
        assert!(lead(request) <= 200 && slack(request) < 500, "{request:?}");
    }
    // Uniform lead times and slacks; rounding moves the means by half a second up and down. Four standard errors.
    let (mean_lead, mean_slack) = (mean(&requests, lead), mean(&requests, slack));
    assert!((mean_lead - 100.5).abs() < 1.7, "{mean_lead}");
    assert!((mean_slack - 249.5).abs() < 4.1, "{mean_slack}");
}

#[test]
fn factors_of_zero_leave_one_start() {
    for request in requests(&Factors {
        book_ahead: 0.0,
        deadline: 0.0,
        ..Factors::default()
    }) {
        assert_eq!(
            (request.ready, request.deadline),
            (request.arrival, request.arrival + 100)
        );
    }
}

#[test]
fn lead_and_slack_are_two_draws_or_one() {
    // How often both are in the same half of their range.
    let agreeing = |same_draw| {
        let requests = requests(&Factors {
            same_draw,
            ..Factors::default()
        });
        requests
            .iter()
            .filter(|request| (lead(request) > 150) == (slack(request) >= 150))
            .count() as f64
            / COUNT as f64
    };
    assert!((agreeing(false) - 0.5).abs() < 0.015);
    assert!(agreeing(true) > 0.999);
}

#[test]
fn share_splits_jobs_and_scales_the_clock_of_both_parts() {
    let factors = Factors {
        share: 0.3,
        arrival: 2.0,
        ..Factors::default()
    };
    let mut reserved = 0;
    for (demand, job) in demands(&factors).into_iter().zip(jobs()) {
        match demand {
            Demand::Reserve(request) => {
                reserved += 1;
                assert_eq!(request.arrival, (job.submit / 2.0) as u64);
            }
            Demand::Hold(hold) => panic!("nobody asked for {hold:?}"),
            Demand::BestEffort(best_effort) => assert_eq!(
                best_effort,
                BestEffortRequest {
                    job_id: job.id,
                    arrival: (job.submit / 2.0) as u64,
                    pes: 4,
                    estimate: 100,
                    run: 70,
                    user: job.user,
                    ..BestEffortRequest::default()
                }
            ),
        }
    }
    let share = f64::from(reserved) / COUNT as f64;
    assert!((share - 0.3).abs() < 0.013, "{share}");
    assert!(
        requests(&Factors {
            share: 0.0,
            ..Factors::default()
        })
        .is_empty()
    );
}

#[test]
fn a_factor_changes_no_other_draw() {
    let few = requests(&Factors {
        share: 0.3,
        ..Factors::default()
    });
    let wide = requests(&Factors {
        deadline: 5.0,
        ..Factors::default()
    });
    for request in few {
        let same_job = &wide[request.job_id as usize];
        assert_eq!(
            (request.arrival, request.ready),
            (same_job.arrival, same_job.ready)
        );
    }
}

#[test]
fn absurd_factors_saturate() {
    let first = &requests(&Factors {
        book_ahead: 1e300,
        deadline: 1e300,
        ..Factors::default()
    })[1];
    assert_eq!((first.ready, first.deadline), (u64::MAX, u64::MAX));
}

#[test]
fn factors_out_of_range_are_refused_by_name() {
    let cases = [
        (
            Factors {
                arrival: 0.0,
                ..Factors::default()
            },
            "--arrival-factor 0: expected a finite number above 0",
        ),
        (
            Factors {
                book_ahead: -1.0,
                ..Factors::default()
            },
            "--book-ahead-factor -1: expected a finite number of 0 or more",
        ),
        (
            Factors {
                deadline: f64::INFINITY,
                ..Factors::default()
            },
            "--deadline-factor inf: expected a finite number of 0 or more",
        ),
        (
            Factors {
                share: 1.1,
                ..Factors::default()
            },
            "--reservation-share 1.1: expected a number from 0 to 1",
        ),
    ];
    for (factors, message) in cases {
        let Err(error) = factors.demands(jobs(), 1, 0) else {
            panic!("{factors:?} was taken")
        };
        assert_eq!(
            (error.exit_status(), error.to_string().as_str()),
            (2, message)
        );
    }
}
