//! The checker notices what only the course of time shows: promises that do not fit together, a queue that is served in another order,
//! and refusals that were not deserved. Each lie is told by all files alike.

use std::path::{Path, PathBuf};

use bookahead::{Discipline, Policy, Refusal, UsageError};
use bookahead_sim::{
    check::{self, Violation},
    engine::{self, Binding, Elastic, Outcome, Reason, Strategy, System, User},
    output::{self, RunInfo},
    request::{Demand, JobRequest},
};

use crate::{
    check::{queue, written},
    folder,
    lies::tampered_with,
};

pub fn reserve(
    job_id: u64,
    arrival: u64,
    window: [u64; 2],
    [duration, run]: [u64; 2],
    pes: u64,
) -> Demand {
    let [ready, deadline] = window;
    Demand::Reserve(JobRequest {
        job_id,
        arrival,
        ready,
        duration,
        deadline,
        pes,
        run,
        flexible: true,
        ..JobRequest::default()
    })
}

/// Four PEs and 64 slots of a minute.
fn system(binding: Binding, best_effort: Option<Discipline>) -> System {
    System {
        best_effort,
        ..System::new(4, 64, 60, Strategy::Fit(Policy::FirstFit), binding)
    }
}

const BINDINGS: [Binding; 2] = [Binding::Early, Binding::Late];

/// What is found in a run that is sound, and when `lie` has been told about it: in its files, and just so in memory.
#[track_caller]
fn told(system: &System, demands: &[Demand], lie: impl Fn(&mut [Outcome])) -> Vec<String> {
    let mut outcomes = engine::run(system, demands, &|| {}).unwrap();
    assert_eq!(check::outcomes(system, &outcomes), [], "{outcomes:#?}");
    lie(&mut outcomes);
    let info = RunInfo {
        system: system.clone(),
        workload: "test".into(),
        seed: 1,
    };
    let dir = folder();
    output::write_run(dir.path(), &info, &outcomes).unwrap();
    let runs = check::folder(dir.path()).unwrap();
    // In memory, real run times are known too.
    assert!(check::outcomes(system, &outcomes).starts_with(&runs[0].violations));
    runs[0]
        .violations
        .iter()
        .map(Violation::to_string)
        .collect()
}

/// It starts at another time, and is booked and runs as long.
fn start(outcome: &mut Outcome, at: u64) {
    let placed = outcome.decision.as_mut().unwrap();
    placed.end = at + (placed.end - placed.start);
    (placed.start, placed.began) = (at, at);
}

#[test]
fn promises_that_do_not_fit_together_are_noticed_though_the_jobs_never_meet() {
    // The first ends after a minute, which is known then; before, its promise leaves no room for the second.
    let demands = [
        reserve(1, 0, [0, 600], [600, 60], 3),
        reserve(2, 70, [300, 600], [300, 300], 2),
    ];
    for binding in BINDINGS {
        let found = told(&system(binding, None), &demands, |outcomes| {
            if let Demand::Reserve(request) = &mut outcomes[1].demand {
                request.arrival = 30;
            }
        });
        let expected = "job 2: books 300-600 on 2 PEs at 30, when 5 of 4 PEs are taken";
        assert_eq!(found, [expected]);
    }
}

#[test]
fn a_job_of_the_queue_that_is_booked_over_a_reservation_is_noticed_though_it_ends_before() {
    let demands = [
        reserve(1, 0, [120, 300], [180, 180], 3),
        queue(2, 0, [120, 60], 2),
    ];
    for binding in BINDINGS {
        for discipline in Discipline::ALL {
            let found = told(&system(binding, Some(discipline)), &demands, |outcomes| {
                if let Demand::BestEffort(job) = &mut outcomes[1].demand {
                    job.estimate = 240;
                }
                outcomes[1].decision.as_mut().unwrap().end = 240;
            });
            let expected = [
                "job 2: starts at 0, when there is no room for all of its estimate",
                "job 2: books 0-240 on 2 PEs at 0, when 5 of 4 PEs are taken",
            ];
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn equal_jobs_that_are_served_in_the_wrong_order_are_noticed() {
    let demands = [
        reserve(1, 0, [0, 120], [120, 120], 4),
        queue(2, 10, [60, 60], 3),
        queue(3, 20, [60, 60], 3),
        queue(4, 30, [60, 60], 3),
    ];
    for binding in BINDINGS {
        // Who is planned may be passed by an equal job that comes when another has left room, so that is not judged.
        for discipline in [Discipline::Fcfs, Discipline::Easy] {
            let found = told(&system(binding, Some(discipline)), &demands, |outcomes| {
                let (before, after) = outcomes.split_at_mut(3);
                std::mem::swap(&mut before[2].decision, &mut after[0].decision);
            });
            let expected = "job 3: starts at 240, although it could start at 180";
            assert!(found.iter().any(|found| found == expected), "{found:#?}");
            let late = "job 4: starts at 180";
            assert!(
                found.iter().any(|found| found.starts_with(late)),
                "{found:#?}"
            );
        }
    }
}

#[test]
fn a_job_that_is_left_idle_is_noticed() {
    let demands = [
        reserve(1, 0, [60, 180], [120, 120], 2),
        queue(2, 10, [240, 240], 4),
        queue(3, 20, [60, 60], 2),
        queue(4, 200, [120, 60], 1),
    ];
    for binding in BINDINGS {
        for discipline in Discipline::ALL {
            let found = told(&system(binding, Some(discipline)), &demands, |outcomes| {
                start(&mut outcomes[3], 3480);
            });
            let expected = match discipline {
                Discipline::Conservative => {
                    "job 4: was planned for 420 and starts 3060 s later, though nothing was reserved after its submission"
                }
                _ => "job 4: starts at 3480, although it could start at 420",
            };
            assert_eq!(found, [expected], "{discipline:?}");
        }
    }
}

#[test]
fn a_job_that_delays_the_first_of_the_queue_is_noticed() {
    // The first of the queue can start at 120 for sure. The second would run on until 240, for all one knows at 0.
    let demands = [
        reserve(1, 0, [0, 120], [120, 120], 3),
        queue(2, 0, [60, 60], 4),
        queue(3, 0, [240, 60], 1),
    ];
    for binding in BINDINGS {
        let easy = system(binding, Some(Discipline::Easy));
        let found = told(&easy, &demands, |outcomes| {
            start(&mut outcomes[2], 0);
            outcomes[2].decision.as_mut().unwrap().pes = vec![(3, 3)];
        });
        let expected = "job 3: starts at 0 and delays job 2, which could start at 120";
        assert_eq!(found, [expected]);
        let fcfs = system(binding, Some(Discipline::Fcfs));
        let found = told(&fcfs, &demands, |outcomes| {
            start(&mut outcomes[2], 0);
            outcomes[2].decision.as_mut().unwrap().pes = vec![(3, 3)];
        });
        assert_eq!(found, ["job 3: starts at 0, before job 2 of the queue"]);
    }
}

#[test]
fn a_job_waits_where_enough_are_free_but_never_the_same_ones() {
    // Of PEs that are assigned when booked, 0 and 1 are taken at first and 2 and 3 later, so that nothing starts on 2 of them.
    let demands = [
        reserve(1, 0, [0, 120], [120, 120], 2),
        reserve(2, 0, [60, 180], [120, 120], 2),
        queue(3, 0, [180, 180], 1),
        queue(4, 0, [60, 60], 2),
    ];
    for binding in BINDINGS {
        for discipline in Discipline::ALL {
            let found = told(&system(binding, Some(discipline)), &demands, |_| {});
            assert!(found.is_empty());
        }
    }
}

#[test]
fn reasons_that_the_row_does_not_deserve_are_noticed() {
    let demands = [
        reserve(1, 0, [0, 600], [600, 600], 4),
        reserve(2, 10, [60, 600], [60, 60], 1),
        reserve(3, 20, [60, 600], [60, 60], 5),
        reserve(4, 30, [60, 9000], [60, 60], 1),
        reserve(5, 40, [60, 150], [91, 91], 1),
        reserve(6, 50, [61, 150], [80, 80], 1),
    ];
    let names: [Reason; 10] = [
        Refusal::WindowTooShort.into(),
        Refusal::TooWide.into(),
        Refusal::BeyondHorizon.into(),
        Refusal::ReadyInPast.into(),
        Refusal::TooLong.into(),
        UsageError::ZeroDuration.into(),
        UsageError::ZeroPes.into(),
        UsageError::EndOfTime.into(),
        Refusal::Overtaken.into(),
        Reason::LostToRounding,
    ];
    for binding in BINDINGS {
        let system = system(binding, None);
        for reason in names {
            let found = told(&system, &demands, |outcomes| {
                outcomes[1].decision = Err(reason)
            });
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("job 2: refused for "), "{found:?}");
        }
        let no_room = Reason::from(Refusal::NoRoom);
        let too_short = Reason::from(Refusal::WindowTooShort);
        for (place, reason, deserved) in [
            (2, no_room, "too-wide"),
            (3, no_room, "beyond-horizon"),
            (4, no_room, "window-too-short"),
            (4, Reason::LostToRounding, "window-too-short"),
            (5, no_room, "lost-to-rounding"),
            (5, too_short, "lost-to-rounding"),
        ] {
            let found = told(&system, &demands, |outcomes| {
                outcomes[place].decision = Err(reason);
            });
            let (job, reason) = (place + 1, reason.name());
            let expected =
                format!("job {job}: refused for {reason}, but the row deserves {deserved}");
            // Some have room as well.
            assert_eq!(found[0], expected);
        }
    }
}

#[test]
fn an_elastic_request_that_is_refused_though_rounding_leaves_it_some_room_is_lost_to_rounding() {
    // Two of the three slots that it needs.
    let demands = [reserve(1, 0, [0, 150], [130, 130], 1)];
    let solution_only = Elastic {
        user: User::SolutionOnly,
        ..Elastic::default()
    };
    let system = System {
        strategy: Strategy::Elastic(solution_only),
        ..system(Binding::Early, None)
    };
    for reason in [Refusal::NoRoom, Refusal::WindowTooShort].map(Reason::from) {
        let found = told(&system, &demands, |outcomes| {
            outcomes[0].decision = Err(reason)
        });
        let reason = reason.name();
        let expected = format!(
            "job 1: refused for {reason}, but the row deserves lost-to-rounding or table-full"
        );
        assert_eq!(found, [expected]);
    }
}

#[test]
fn requests_that_must_be_refused_are_not_accepted() {
    let demands = [reserve(1, 0, [60, 180], [60, 60], 1)];
    let system = system(Binding::Late, None);
    let found = told(&system, &demands, |outcomes| {
        if let Demand::Reserve(request) = &mut outcomes[0].demand {
            request.deadline = 3900;
        }
    });
    assert_eq!(
        found,
        ["job 1: accepted, but must be refused for beyond-horizon"]
    );
}

#[test]
fn room_that_nobody_saw_is_noticed() {
    let demands = [
        reserve(1, 0, [0, 600], [300, 300], 4),
        reserve(2, 10, [60, 600], [60, 60], 1),
    ];
    let no_room = Reason::from(Refusal::NoRoom);
    for strategy in [
        Strategy::Fit(Policy::PeWorstFit),
        Strategy::Elastic(Elastic {
            user: User::SolutionOnly,
            ..Elastic::default()
        }),
    ] {
        let system = System {
            strategy,
            ..system(Binding::Late, None)
        };
        let found = told(&system, &demands, |outcomes| {
            outcomes[1].decision = Err(no_room)
        });
        assert_eq!(
            found,
            ["job 2: refused for no-room, although there is room at 300"]
        );
    }
}

#[test]
fn jobs_of_the_queue_that_could_have_run_are_noticed() {
    let demands = [
        queue(1, 0, [60, 60], 1),
        queue(2, 0, [60, 60], 5),
        queue(3, 60, [9000, 60], 1),
    ];
    let system = system(Binding::Late, Some(Discipline::Fcfs));
    let found = told(&system, &demands, |outcomes| {
        outcomes.swap(0, 1);
        let (one, other) = outcomes.split_at_mut(1);
        std::mem::swap(&mut one[0].demand, &mut other[0].demand);
    });
    assert_eq!(
        found[..5],
        [
            "job 1: did not run for \"too-wide\", but the row deserves to run",
            "job 2: processing elements: found 1, expected 5",
            "job 2: ran, but must be refused for too-wide",
            "job 2: starts at 0, when there is no room for all of its estimate",
            "job 2: books 0-60 on 5 PEs at 0, when 5 of 4 PEs are taken",
        ]
    );
}

#[test]
fn a_job_number_that_occurs_twice_is_noticed() {
    let demands = [
        reserve(1, 0, [60, 180], [60, 60], 1),
        reserve(2, 10, [60, 180], [60, 60], 1),
    ];
    let found = told(&system(Binding::Early, None), &demands, |outcomes| {
        if let Demand::Reserve(request) = &mut outcomes[1].demand {
            request.job_id = 1;
        }
    });
    assert_eq!(found, ["job 1: occurs 2 times in jobs.csv"]);
}

#[test]
fn rows_out_of_order_are_noticed() {
    let demands = [
        reserve(1, 0, [60, 180], [60, 60], 1),
        reserve(2, 10, [60, 180], [60, 60], 1),
    ];
    let found = told(&system(Binding::Early, None), &demands, |outcomes| {
        outcomes.swap(0, 1)
    });
    assert_eq!(
        found,
        ["job 1: submitted at 0, but its row stands below one of 10"]
    );
}

#[test]
fn a_job_that_is_said_to_be_stopped_ran_to_its_estimate() {
    let demands = [queue(1, 0, [60, 90], 1), queue(2, 0, [60, 60], 1)];
    let system = system(Binding::Early, Some(Discipline::Easy));
    let found = told(&system, &demands, |outcomes| {
        outcomes[0].decision.as_mut().unwrap().ran = 50;
    });
    assert_eq!(
        found,
        ["job 1: is over at 50, but is said to be stopped at 60"]
    );
}

/// A job of the queue that is stopped at the end of its estimate.
fn stopped(dir: &Path) -> PathBuf {
    let system = system(Binding::Early, Some(Discipline::Easy));
    written(dir, system, &[queue(1, 0, [60, 90], 1)])
}

#[test]
fn jobs_that_were_stopped_are_counted() {
    let count = "\"best_effort_overran\": ";
    let lie = tampered_with(
        stopped,
        "metrics.json",
        &format!("{count}1"),
        &format!("{count}0"),
    );
    assert_eq!(
        lie,
        ["metrics.json, best_effort_overran: found 0, expected 1"]
    );
}
