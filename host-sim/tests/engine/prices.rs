//! What jobs cost.

use bookahead::{Factor, Money, Tariff};

use super::*;

/// Five cents for a minute, four times as much reserved, slots of five minutes.
fn tariff() -> Tariff {
    Tariff::new(Money::new(50_000), Factor::from_num(4), 5).unwrap()
}

fn priced() -> System {
    System {
        best_effort: Some(Discipline::Fcfs),
        tariff: tariff(),
        ..System::new(4, 64, 300, Strategy::Fit(Policy::FirstFit), Binding::Late)
    }
}

#[test]
fn reservations_pay_the_slots_booked_and_others_the_minutes_run() {
    let demands = [
        // An hour on one PE is 12 slots, whatever is used of them.
        Demand::Reserve(JobRequest {
            job_id: 1,
            arrival: 0,
            ready: 0,
            duration: 3600,
            deadline: 3600,
            pes: 1,
            run: 10,
            flexible: true,
            ..JobRequest::default()
        }),
        // 61 seconds on two PEs are two minutes each.
        Demand::BestEffort(BestEffortRequest {
            job_id: 2,
            arrival: 0,
            pes: 2,
            estimate: 3600,
            run: 61,
            ..BestEffortRequest::default()
        }),
        Demand::BestEffort(BestEffortRequest {
            job_id: 3,
            arrival: 0,
            pes: 1,
            estimate: 3600,
            run: 3600,
            ..BestEffortRequest::default()
        }),
    ];
    let outcomes = checked(&priced(), &demands);
    let prices = outcomes
        .iter()
        .map(|outcome| outcome.decision.as_ref().unwrap().price.get());
    assert_eq!(prices.collect::<Vec<_>>(), [12_000_000, 200_000, 3_000_000]);
    let metrics = Metrics::of(&outcomes, 4);
    assert_eq!(metrics.revenue, Money::new(12_000_000));
    assert_eq!(metrics.best_effort.revenue, Money::new(3_200_000));
}

#[test]
fn a_reduced_reservation_pays_for_what_it_gets() {
    let request = |job_id, ready: u64, slots: u64, pes| {
        Demand::Reserve(JobRequest {
            job_id,
            arrival: 0,
            ready: 300 * ready,
            duration: 300 * slots,
            deadline: 3000,
            pes,
            run: 300 * slots,
            flexible: true,
            ..JobRequest::default()
        })
    };
    let system = System {
        strategy: Strategy::Elastic(Elastic::default()),
        ..priced()
    };
    // Three of six slots are left for two PEs, at a dollar each.
    let outcomes = checked(&system, &[request(1, 3, 7, 3), request(2, 0, 6, 2)]);
    let reduced = outcomes[1].decision.as_ref().unwrap();
    assert_eq!((reduced.start, reduced.end), (0, 900));
    assert_eq!(reduced.price, Money::new(6_000_000));
}

#[test]
fn prices_that_cannot_be_counted_are_refused_before_anything_runs() {
    let dear = |slots| System {
        tariff: Tariff::new(Money::new(u64::MAX / 256), Factor::ONE, 1).unwrap(),
        ..System::new(4, slots, 60, Strategy::Rigid, Binding::Late)
    };
    assert!(dear(64).check().is_ok());
    assert_eq!(
        dear(65).check().unwrap_err().to_string(),
        "the whole machine for all slots costs more than can be counted"
    );
}
