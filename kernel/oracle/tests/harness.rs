//! The harness itself: it accepts a faithful twin and notices every kind of unfaithfulness.

mod common;

use bookahead::{PeCount, Policy, Request, Slot, Span, Terms};
use bookahead_oracle::{Ask, Disturbance, Harness, Kind, Operation, Pick, Subject, Twin, Verb};
use proptest::prelude::*;

use common::{World, kernels, operation};

const WORLD: World = World {
    pes: 4,
    slots: 20,
    duration: 6,
    width: 3,
    step: 4,
};

proptest! {
    // 2 x 64 sequences of up to 60 operations.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn accepts_a_faithful_twin(operations in proptest::collection::vec(operation(WORLD), 1..60)) {
        for kind in [Kind::Counts, Kind::Sets] {
            let mut harness = Harness::new(Twin::new(kind, WORLD.pes, WORLD.slots.into(), 6));
            harness.apply_all(&operations)?;
        }
    }
}

fn ask() -> Ask {
    Ask {
        lead: 2,
        duration: 3,
        slack: 5,
        pes: 2,
        policy: 0,
    }
}

/// A pair that has agreed so far: one reservation, from slot 2 to 5.
fn agreed() -> Harness<Twin> {
    let mut harness = Harness::new(Twin::new(Kind::Sets, 4, 20, 6));
    harness.apply(&Operation::Reserve(ask())).unwrap();
    harness
}

/// Found by fuzzing: the harness took the second announcement for a change.
#[test]
fn an_end_announced_twice_leaves_a_plan_good() {
    fn announce<S: Subject>(subject: S) {
        let complete = (Pick::Live(0), Verb::Complete(2));
        let mut harness = Harness::new(subject);
        let operations = [
            Operation::Reserve(ask()),
            Operation::Advance { by: 2, room: 8 },
            Operation::Act(complete.0, complete.1),
            Operation::PlanCommit {
                ask: ask(),
                ttl: None,
                between: Disturbance::Act(complete.0, complete.1),
            },
        ];
        harness.apply_all(&operations).unwrap();
        assert_eq!((harness.tally.accepted, harness.tally.stale_plans), (2, 0));
    }
    announce(Twin::new(Kind::Counts, 4, 20, 6));
    announce(Twin::new(Kind::Sets, 4, 20, 6));
    announce(kernels::counts::<1, 4, 6>(4, 20));
    announce(kernels::narrow::<1, 1, 6>(4, 20));
}

/// What the harness complains about after `fault` was done behind its back.
fn complaint(fault: impl FnOnce(&mut Twin), then: Option<Operation>) -> &'static str {
    let mut harness = agreed();
    fault(&mut harness.subject);
    let verdict = match then {
        Some(operation) => harness.apply(&operation),
        None => harness.compare(),
    };
    verdict.unwrap_err().what
}

fn request(ready: u64) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(3),
        deadline: Slot::new(ready + 3),
        pes: PeCount::new(1),
    }
}

#[test]
fn notices_a_clock_that_differs() {
    let fault = |twin: &mut Twin| twin.advance(Slot::new(1), 8).map(drop).unwrap();
    assert_eq!(complaint(fault, None), "now");
}

#[test]
fn notices_a_reservation_too_many() {
    let fault = |twin: &mut Twin| {
        twin.book(&request(2), Policy::FirstFit, Terms::Confirmed)
            .map(drop)
            .unwrap()
    };
    assert_eq!(complaint(fault, None), "length");
}

#[test]
fn notices_a_reservation_moved() {
    let fault = |twin: &mut Twin| {
        twin.cancel(0).unwrap();
        twin.book(&request(12), Policy::FirstFit, Terms::Confirmed)
            .map(drop)
            .unwrap();
    };
    assert_eq!(complaint(fault, None), "next event");
}

#[test]
fn notices_a_reservation_of_the_same_shape_with_other_terms() {
    let fault = |twin: &mut Twin| {
        let asked = Request {
            deadline: Slot::new(10),
            pes: PeCount::new(2),
            ..request(2)
        };
        twin.cancel(0).unwrap();
        let ttl = Span::new(9);
        twin.book(&asked, Policy::FirstFit, Terms::Held { ttl })
            .map(drop)
            .unwrap();
    };
    assert_eq!(complaint(fault, None), "reservations by start");
}

#[test]
fn notices_a_search_that_differs() {
    let fault = |twin: &mut Twin| twin.oracle = Twin::new(Kind::Sets, 4, 20, 6).oracle;
    // Two of four PEs are free beside the first reservation, so four start later on one side.
    let wide = Operation::Reserve(Ask { pes: 4, ..ask() });
    assert_eq!(complaint(fault, Some(wide)), "first-fit");
}

#[test]
fn notices_an_event_that_is_missing() {
    let fault = |twin: &mut Twin| twin.cancel(0).unwrap();
    let advance = Operation::Advance { by: 3, room: 8 };
    assert_eq!(complaint(fault, Some(advance)), "events");
}

#[test]
fn notices_an_answer_that_differs() {
    let fault = |twin: &mut Twin| twin.cancel(0).unwrap();
    let confirm = Operation::Act(Pick::Live(0), Verb::Confirm);
    assert_eq!(complaint(fault, Some(confirm)), "answer to the verb");
}
