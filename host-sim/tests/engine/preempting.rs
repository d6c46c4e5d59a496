//! Jobs of the queue that end for reservations and come back.

use bookahead::{Discipline, Policy};
use bookahead_sim::{
    arrivals::Outline,
    check,
    engine::{self, Binding, Elastic, Priority, Story, Strategy, System, metrics::Metrics},
    request::{BestEffortRequest, Demand, JobRequest},
    workload::rng::{Purpose, stream},
};
use rand::{Rng, RngExt};

use crate::{checked_story, numbered, refused, waiting::job};

/// Four PEs and 32 slots of 10 seconds.
fn system(discipline: Discipline, binding: Binding) -> System {
    System {
        best_effort: Some(discipline),
        preempt: Some(0),
        ..System::new(4, 32, 10, Strategy::Fit(Policy::FirstFit), binding)
    }
}

/// The same, with 128 slots.
fn long(discipline: Discipline, binding: Binding) -> System {
    System {
        slots: 128,
        ..system(discipline, binding)
    }
}

fn queued(arrival: u64, [estimate, run]: [u64; 2], pes: u64, min_run: Option<u64>) -> Demand {
    Demand::BestEffort(BestEffortRequest {
        arrival,
        pes,
        estimate,
        run,
        min_run,
        ..BestEffortRequest::default()
    })
}

fn reserved(arrival: u64, [ready, duration, deadline]: [u64; 3], run: u64, pes: u64) -> Demand {
    Demand::Reserve(job(arrival, [ready, duration, deadline], run, pes))
}

/// Runs (start, end) that were ended, and the starts of those that were not.
type Runs = (Vec<(u64, [u64; 2])>, Vec<Option<u64>>);

fn runs(story: &Story) -> Runs {
    let pieces = story.pieces.iter();
    let began = story.outcomes.iter().map(|outcome| {
        let placed = outcome.decision.as_ref().ok();
        placed.map(|placed| placed.began)
    });
    (
        pieces.map(|piece| (piece.job_id, piece.window)).collect(),
        began.collect(),
    )
}

#[test]
fn the_least_work_is_lost_and_comes_back_first() {
    let demands = [
        queued(0, [200, 200], 2, None),
        queued(15, [200, 200], 2, Some(40)),
        queued(20, [100, 100], 1, None),
        // From 40 on the first one would lose 80, and the second has not run for its minimum.
        reserved(22, [40, 50, 90], 20, 1),
        // From 60 on the second one would lose 80, where the first one waits for room until then.
        reserved(30, [60, 50, 110], 50, 1),
    ];
    for discipline in [Discipline::Fcfs, Discipline::Easy, Discipline::Conservative] {
        for binding in [Binding::Early, Binding::Late] {
            let story = checked_story(&system(discipline, binding), &demands);
            let (pieces, starts) = runs(&story);
            assert_eq!(pieces[0], (1, [0, 40]), "{discipline:?} {binding:?}");
            assert_eq!(&starts[3..], [Some(40), Some(60)], "{discipline:?}");
            assert_eq!(starts[1], Some(20), "{discipline:?} {binding:?}");
        }
    }
}

#[test]
fn a_job_that_was_ended_waits_before_those_that_came_later() {
    let demands = [
        queued(0, [300, 300], 4, None),
        reserved(1, [100, 100, 200], 100, 4),
        queued(2, [50, 50], 4, None),
    ];
    let system = system(Discipline::Easy, Binding::Late);
    let story = checked_story(&system, &demands);
    let (pieces, starts) = runs(&story);
    assert_eq!(pieces, [(1, [0, 100])]);
    assert_eq!(starts, [Some(200), Some(100), Some(500)]);
    let preemptions = Metrics::on(&system, &story).preemptions.unwrap();
    assert_eq!(
        (preemptions.preemptions, preemptions.preempted_pe_seconds),
        (1, 400)
    );
}

#[test]
fn a_job_goes_on_where_there_is_room_before_it_has_ended() {
    let pinned = |demand| match demand {
        Demand::BestEffort(job) => Demand::BestEffort(BestEffortRequest {
            pinned: true,
            ..job
        }),
        other => other,
    };
    for (run, ended) in [(50, vec![]), (300, vec![(1, [0, 100])])] {
        let demands = [
            queued(0, [300, 300], 2, None),
            // It leaves room at 50.
            pinned(queued(0, [300, run], 2, None)),
            reserved(1, [100, 100, 200], 100, 2),
        ];
        let story = checked_story(&system(Discipline::Fcfs, Binding::Late), &demands);
        assert_eq!(runs(&story).0, ended);
        let ends = story.moves.iter();
        let ends: Vec<_> = ends.map(|moved| (moved.time, moved.to.end)).collect();
        match ended.is_empty() {
            true => assert_eq!(ends, [(1, 100), (50, 300)]),
            false => assert_eq!(ends, [(1, 100)]),
        }
    }
}

#[test]
fn nothing_starts_in_the_slot_in_which_a_job_is_told_to_end() {
    let demands = [
        queued(0, [200, 200], 3, None),
        queued(1, [100, 100], 4, None),
        // In the way of the one before it, until the reservation is.
        queued(60, [150, 5], 1, None),
        reserved(95, [100, 150, 250], 150, 3),
        // Waits for nothing.
        reserved(97, [110, 50, 165], 50, 4),
    ];
    let starts = vec![Some(250), Some(450), Some(100), Some(100), None];
    for wait in [None, Some(Priority::Age)] {
        let system = System {
            wait,
            ..system(Discipline::Easy, Binding::Late)
        };
        let story = checked_story(&system, &demands);
        assert_eq!(runs(&story), (vec![(1, [0, 100])], starts.clone()));
    }
}

#[test]
fn a_job_that_is_over_when_it_is_to_end_does_not_come_back() {
    for run in [95, 100] {
        let demands = [
            queued(0, [300, run], 4, None),
            reserved(1, [100, 100, 200], 100, 4),
        ];
        let story = checked_story(&system(Discipline::Fcfs, Binding::Early), &demands);
        assert_eq!(runs(&story), (vec![], vec![Some(0), Some(100)]));
    }
}

/// Demands in order, of which more than half are queued.
fn crowd(random: &mut impl Rng, count: usize) -> Vec<Demand> {
    let mut arrival = 0;
    let demands = (0..count).map(|_| {
        arrival += random.random_range(0..40);
        let queues = random.random_range(0..5) < 3;
        let duration = random.random_range(1..if queues { 300 } else { 80 });
        let (run, pes) = (
            random.random_range(1..=duration),
            random.random_range(1..=if queues { 2 } else { 4 }),
        );
        match queues {
            true => Demand::BestEffort(BestEffortRequest {
                arrival,
                pes,
                estimate: duration,
                run,
                pinned: random.random_range(0..4) == 0,
                user: (arrival % 3 > 0).then_some(arrival % 3),
                min_run: match random.random_range(0..3) {
                    0 => Some(random.random_range(0..50)),
                    _ => None,
                },
                ..BestEffortRequest::default()
            }),
            false => {
                let ready = arrival + random.random_range(0..120);
                let deadline = ready + duration + random.random_range(0..60);
                let window = [ready, duration, deadline];
                reserved(arrival, window, run, pes)
            }
        }
    });
    demands.collect()
}

#[test]
fn whatever_goes_with_preemption_passes_the_checks() {
    let mut random = stream(5, Purpose::Reservations, 0);
    let (mut cut, mut regrown, mut again, mut late) = (0, 0, 0, 0);
    for round in 0..360 {
        let waits = round / 18 % 2 == 0;
        let plain = system(
            Discipline::ALL[round % 3],
            [Binding::Early, Binding::Late][round / 3 % 2],
        );
        let system = System {
            strategy: match round / 6 % 3 {
                0 => Strategy::Fit(Policy::PeWorstFit),
                1 => Strategy::Rigid,
                _ if waits => plain.strategy,
                _ => Strategy::Elastic(Elastic::default()),
            },
            wait: waits.then_some(Priority::Size),
            queue_order: [None, Some(Priority::Size), Some(Priority::User)][round / 72 % 3].clone(),
            preempt: Some([0, 35][round / 36 % 2]),
            ..plain
        };
        let demands = crowd(&mut random, 40);
        let story = checked_story(&system, &demands);
        cut += story.pieces.len();
        let moved = story.moves.iter();
        regrown += moved.filter(|moved| moved.cause_job_id.is_none()).count();
        let mut jobs: Vec<u64> = story.pieces.iter().map(|piece| piece.job_id).collect();
        jobs.sort_unstable();
        again += jobs.windows(2).filter(|pair| pair[0] == pair[1]).count();
        late += story
            .outcomes
            .iter()
            .filter(|one| one.waited().is_some())
            .count();
    }
    let counts = [cut, regrown, again, late];
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn each_lie_about_a_run_is_noticed() {
    let demands = numbered(&[
        queued(0, [300, 300], 2, None),
        queued(0, [300, 100], 2, Some(20)),
        reserved(1, [50, 100, 150], 100, 2),
        queued(20, [80, 80], 2, None),
        queued(30, [90, 90], 2, None),
    ]);
    for discipline in [Discipline::Fcfs, Discipline::Easy] {
        for binding in [Binding::Early, Binding::Late] {
            let system = system(discipline, binding);
            let story = engine::tell(&system, &demands, &|| {}).unwrap();
            assert_eq!(check::story(&system, &story), []);
            assert_eq!(runs(&story).0, [(2, [0, 50])]);
            let placed = |story: &mut Story, job: usize, by: i64| {
                let placed = story.outcomes[job].decision.as_mut().unwrap();
                for time in [&mut placed.start, &mut placed.end, &mut placed.began] {
                    *time = time.saturating_add_signed(by);
                }
            };
            let lies: [&dyn Fn(&mut Story); 8] = [
                &|story| story.pieces.clear(),
                &|story| story.pieces[0].window[1] = 40,
                &|story| story.pieces[0].window[0] = 10,
                &|story| story.pieces[0].pes = vec![(1, 2)],
                &|story| story.moves.clear(),
                &|story| story.moves[0].to.end = 60,
                &|story| story.moves[0].cause_job_id = None,
                // It comes back before those that came later, and starts first.
                &|story| {
                    placed(story, 1, 80);
                    placed(story, 3, -100);
                },
            ];
            for (number, lie) in lies.iter().enumerate() {
                let mut told = story.clone();
                lie(&mut told);
                let found = check::story(&system, &told);
                assert_ne!(found, [], "{number} {discipline:?} {binding:?}");
            }
        }
    }
}

#[test]
fn without_preemption_nothing_is_told_of_it() {
    let mut random = stream(6, Purpose::Reservations, 0);
    let demands = numbered(&crowd(&mut random, 60));
    let plain = System {
        preempt: None,
        ..system(Discipline::Easy, Binding::Late)
    };
    let story = engine::tell(&plain, &demands, &|| {}).unwrap();
    assert!(story.pieces.is_empty() && story.moves.is_empty());
    assert_eq!(Metrics::on(&plain, &story).preemptions, None);
    assert_eq!(check::story(&plain, &story), []);
}

#[test]
fn what_does_not_go_with_preemption_is_named() {
    let preempt = || system(Discipline::Easy, Binding::Early);
    let cases = [
        (
            System {
                best_effort: None,
                ..preempt()
            },
            "--preempt: there is no queue; say --queue fcfs, easy or conservative",
        ),
        (
            System {
                sites: 2,
                ..preempt()
            },
            "leave out --sites",
        ),
        (
            System {
                pull_forward: true,
                ..preempt()
            },
            "leave out --pull-forward",
        ),
        (
            System {
                binding: Binding::LateControl,
                ..preempt()
            },
            "--preempt: late-control binding is asked at arrival only; say early or late",
        ),
        (
            System {
                strategy: Strategy::Overlay(engine::Overlay::default()),
                ..preempt()
            },
            "--preempt: --strategy overlay makes room itself; say --strategy fit, rigid or elastic",
        ),
    ];
    refused(cases);
    let ranged = Demand::Reserve(JobRequest {
        shortest: Some(5),
        impatient: true,
        ..JobRequest::default()
    });
    let ranged = Outline::of_all(&[ranged], None);
    let problem = preempt().check_demands(&ranged).unwrap_err().to_string();
    assert!(
        problem.contains("--preempt: a request makes jobs leave for one length"),
        "{problem}"
    );
}

/// The reservation arrives when a slot begins, from then on: who ends for it is back after it, and finds no room beside it.
#[test]
fn a_job_that_is_ended_at_once_comes_back_behind_the_reservation() {
    let demands = [
        queued(0, [600, 600], 2, None),
        queued(0, [600, 600], 1, None),
        reserved(100, [100, 100, 200], 100, 2),
    ];
    for discipline in [Discipline::Fcfs, Discipline::Easy, Discipline::Conservative] {
        for binding in [Binding::Early, Binding::Late] {
            let (pieces, starts) = runs(&checked_story(&long(discipline, binding), &demands));
            assert_eq!(pieces, [(2, [0, 100])], "{discipline:?} {binding:?}");
            assert_eq!(
                starts,
                [Some(0), Some(200), Some(100)],
                "{discipline:?} {binding:?}"
            );
        }
    }
}
