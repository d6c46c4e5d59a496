//! Jobs of the queue on a machine small enough to work out by hand.

use super::*;

/// A reservation of `duration` seconds at `ready` that really takes `run`.
fn reserve(arrival: u64, ready: u64, [duration, run]: [u64; 2], pes: u64) -> Demand {
    Demand::Reserve(JobRequest {
        job_id: arrival + 1000,
        arrival,
        ready,
        duration,
        deadline: ready + duration,
        pes,
        run,
        flexible: true,
        ..JobRequest::default()
    })
}

/// A job of that estimate that would really take `run`.
fn queue(arrival: u64, [estimate, run]: [u64; 2], pes: u64) -> Demand {
    Demand::BestEffort(BestEffortRequest {
        job_id: arrival,
        arrival,
        pes,
        estimate,
        run,
        ..BestEffortRequest::default()
    })
}

/// Start, finish and number of PEs of each demand, the same under both bindings.
#[track_caller]
fn assert_ran(demands: &[Demand], discipline: Discipline, expected: &[(u64, u64, u64)]) {
    for binding in [Binding::Early, Binding::Late, Binding::LateControl] {
        let fit = Strategy::Fit(Policy::FirstFit);
        let outcomes = checked(&small(fit, binding, Some(discipline)), demands);
        let expected: Vec<_> = expected.iter().copied().map(Some).collect();
        assert_eq!(ran(&outcomes), expected, "{discipline:?} {binding:?}");
    }
}

#[test]
fn easy_lets_pass_what_is_in_nobodys_way_and_fcfs_nobody() {
    // Three of four PEs are reserved from 180 to 480. The first job needs all four, so it waits until then. The second would not be
    // over by 180; the third is. Submitted at 10 and 20, they come to the queue at 60.
    let demands = [
        reserve(0, 180, [300, 300], 3),
        queue(0, [240, 240], 4),
        queue(10, [180, 180], 2),
        queue(20, [120, 120], 2),
    ];
    let reserved = (180, 480, 3);
    let first = (480, 720, 4);
    let fcfs = [reserved, first, (720, 900, 2), (720, 840, 2)];
    assert_ran(&demands, Discipline::Fcfs, &fcfs);
    let easy = [reserved, first, (720, 900, 2), (60, 180, 2)];
    assert_ran(&demands, Discipline::Easy, &easy);
    assert_ran(&demands, Discipline::Conservative, &easy);
}

#[test]
fn conservative_delays_nobody_ahead_and_easy_the_first_only() {
    // The last job leaves the second what it needs at 600, but not the third at 900.
    let demands = [
        queue(0, [600, 600], 3),
        queue(10, [300, 300], 3),
        queue(20, [300, 300], 4),
        queue(30, [1_200, 1_200], 1),
    ];
    let running = [(0, 600, 3), (600, 900, 3)];
    let [one, other] = running;
    let easy = [one, other, (1_260, 1_560, 4), (60, 1_260, 1)];
    assert_ran(&demands, Discipline::Easy, &easy);
    let conservative = [one, other, (900, 1_200, 4), (1_200, 2_400, 1)];
    assert_ran(&demands, Discipline::Conservative, &conservative);
}

#[test]
fn planned_jobs_move_forward_after_an_early_end_and_give_way_to_a_reservation() {
    // Everything is planned one after the other. The first job ends at 300, so the second moves forward; the reservation, made at 400, takes what the third was
    // planned on.
    let demands = [
        queue(0, [600, 300], 4),
        queue(10, [300, 300], 4),
        queue(20, [300, 300], 4),
        reserve(400, 600, [600, 600], 4),
    ];
    let expected = [
        (0, 300, 4),
        (300, 600, 4),
        (1_200, 1_500, 4),
        (600, 1_200, 4),
    ];
    assert_ran(&demands, Discipline::Conservative, &expected);
    let system = small(
        Strategy::Fit(Policy::FirstFit),
        Binding::Late,
        Some(Discipline::Conservative),
    );
    let outcomes = checked(&system, &demands);
    let drifts = outcomes
        .iter()
        .map(|outcome| outcome.decision.as_ref().unwrap().drift());
    // For the third, 900 was planned at first.
    assert!(drifts.eq([Some(0), Some(-300), Some(300), None]));
}

#[test]
fn an_early_end_pulls_the_queue_forward_when_it_happens_and_not_before() {
    // The reservation is over at 310, inside the slot to 360. Until then it looks as if the first job had to wait until 600, so the second
    // may pass it, although that delays the first in the end.
    let demands = [
        reserve(0, 0, [600, 310], 3),
        queue(0, [60, 60], 4),
        queue(60, [480, 480], 1),
    ];
    let expected = [(0, 310, 3), (540, 600, 4), (60, 540, 1)];
    assert_ran(&demands, Discipline::Easy, &expected);
    let expected = [(0, 310, 3), (360, 420, 4), (420, 900, 1)];
    assert_ran(&demands, Discipline::Fcfs, &expected);
}

#[test]
fn nothing_starts_on_the_strength_of_an_early_end_to_come() {
    // At 60 the job would fit beside the second reservation, were it known that the first is over at 180 and not at 600.
    let demands = [
        reserve(0, 0, [600, 180], 2),
        reserve(0, 300, [180, 180], 2),
        queue(10, [360, 360], 2),
    ];
    let expected = [(0, 180, 2), (300, 480, 2), (180, 540, 2)];
    for discipline in Discipline::ALL {
        assert_ran(&demands, discipline, &expected);
    }
}

#[test]
fn nothing_starts_before_the_arrival_that_made_room() {
    // The second job would be in the way of the first, which can run at 180, until at 90 a reservation takes that place: then at the next
    // edge, at 120, whether or not another request is decided in the slot before it.
    let mut demands = vec![
        reserve(0, 0, [180, 180], 3),
        queue(0, [60, 60], 4),
        queue(0, [240, 240], 1),
        reserve(90, 180, [300, 300], 3),
    ];
    let mut expected = vec![(0, 180, 3), (480, 540, 4), (120, 360, 1), (180, 480, 3)];
    assert_ran(&demands, Discipline::Easy, &expected);
    demands.push(reserve(100, 540, [60, 60], 4));
    expected.push((540, 600, 4));
    assert_ran(&demands, Discipline::Easy, &expected);
    // On the edge it makes room at once.
    demands[3] = reserve(60, 180, [300, 300], 3);
    expected[2] = (60, 300, 1);
    assert_ran(&demands, Discipline::Easy, &expected);
}

#[test]
fn ends_come_before_starts_of_the_same_slot() {
    // At 120 one job is over early, another by its estimate: the job that needs both places takes them, and the one behind it, which would
    // fit into either, does not get in between.
    let demands = [
        queue(0, [600, 120], 2),
        queue(0, [120, 120], 2),
        queue(0, [60, 60], 4),
        queue(0, [600, 600], 2),
        reserve(0, 3000, [60, 60], 4),
    ];
    let expected = [
        (0, 120, 2),
        (0, 120, 2),
        (120, 180, 4),
        (180, 780, 2),
        (3000, 3060, 4),
    ];
    for discipline in Discipline::ALL {
        assert_ran(&demands, discipline, &expected);
    }
}

#[test]
fn nothing_runs_longer_than_estimated() {
    let demands = [
        reserve(0, 0, [60, 60], 1),
        queue(0, [90, 500], 4),
        queue(0, [60, 60], 4),
    ];
    let fit = Strategy::Fit(Policy::FirstFit);
    let outcomes = checked(&small(fit, Binding::Late, Some(Discipline::Fcfs)), &demands);
    // Booked in whole slots, but stopped at the estimate.
    let expected = [(0, 60, 1), (60, 150, 4), (180, 240, 4)].map(Some);
    assert_eq!(ran(&outcomes), expected);
    assert_eq!(Metrics::of(&outcomes, 4).best_effort.overran, 1);
}

#[test]
fn what_runs_is_out_of_reach_of_newcomers_and_what_waits_is_not() {
    let demands = [
        queue(0, [600, 600], 2),
        queue(0, [120, 120], 4),
        // Two PEs are taken until 600.
        reserve(0, 60, [120, 120], 3),
        // The second job has its shadow at 600, but no promise.
        reserve(0, 600, [120, 120], 4),
    ];
    let fit = Strategy::Fit(Policy::FirstFit);
    for discipline in Discipline::ALL {
        let outcomes = checked(&small(fit, Binding::Late, Some(discipline)), &demands);
        let expected = [
            Some((0, 600, 2)),
            Some((720, 840, 4)),
            None,
            Some((600, 720, 4)),
        ];
        assert_eq!(ran(&outcomes), expected);
    }
}

#[test]
fn jobs_that_can_never_run_are_refused_by_name() {
    let demands = [
        reserve(0, 0, [60, 60], 1),
        queue(0, [60, 60], 5),
        queue(0, [60, 60], 70_000),
        queue(0, [65 * 60, 60], 1),
        queue(0, [u64::MAX, 60], 1),
        queue(0, [0, 0], 1),
        queue(0, [60, 60], 0),
        queue(u64::MAX, [60, 60], 1),
    ];
    let fit = Strategy::Fit(Policy::FirstFit);
    let outcomes = checked(
        &small(fit, Binding::Early, Some(Discipline::Easy)),
        &demands,
    );
    let reasons: Vec<&str> = outcomes
        .iter()
        .filter_map(|outcome| Some(outcome.decision.as_ref().err()?.name()))
        .collect();
    let expected = [
        "too-wide",
        "too-wide",
        "too-long",
        "too-long",
        "zero-duration",
        "zero-pes",
        "end-of-time",
    ];
    assert_eq!(reasons, expected);
}

#[test]
fn a_best_effort_job_needs_a_queue() {
    let system = small(Strategy::Rigid, Binding::Late, None);
    let refused = engine::run(&system, &[queue(0, [60, 60], 1)], &|| {}).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "job 0 is best effort, but there is no queue; say --queue fcfs, easy or conservative"
    );
}
