//! The harness itself: it accepts a faithful twin and notices every kind of unfaithfulness.

use bookahead::{
    BestEffortJob, Commitment, Discipline, PeCount, Policy, Request, Slot, Span, Ticket,
};
use bookahead_commands::{Command, Kind, Subject};
use bookahead_oracle::{
    Ask, Change, Disturbance, Finish, Forgery, Harness, Inquiry, Juggle, Moulding, Operation, Pick,
    Script, Shapes, Share, Shift, Step, Submission, Taking, Terms, Verb,
};
use proptest::prelude::*;

use crate::common::liar::{Liar, Lie};
use crate::common::{World, kernels, operation};

const WORLD: World = World {
    pes: 4,
    slots: 20,
    duration: 6,
    width: 3,
    step: 4,
};

proptest! {
    // 4 x 64 sequences of up to 60 operations.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn accepts_a_faithful_twin(operations in proptest::collection::vec(operation(WORLD), 1..60)) {
        for kind in [Kind::Counts, Kind::Sets] {
            for discipline in Discipline::ALL {
                let twin = kernels::twin(kind, WORLD.pes, WORLD.slots.into(), 6);
                let mut harness = Harness::new(twin.under(discipline));
                harness.apply_all(&operations)?;
            }
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
fn agreed() -> Harness {
    let mut harness = Harness::new(kernels::twin(Kind::Sets, 4, 20, 6));
    harness.apply(&Operation::Reserve(ask())).unwrap();
    harness
}

/// Found by fuzzing: the harness took the second announcement for a change.
#[test]
fn an_end_announced_twice_leaves_a_plan_good() {
    fn announce(subject: Box<dyn Subject>) {
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
        assert_eq!((harness.tally.accepted, harness.tally.declined), (2, 0));
    }
    announce(kernels::twin(Kind::Counts, 4, 20, 6));
    announce(kernels::twin(Kind::Sets, 4, 20, 6));
    announce(kernels::counts(4, 20, 6));
    announce(kernels::narrow(4, 20, 6));
}

/// What the harness complains about after `fault` was done behind its back.
fn complaint(fault: impl FnOnce(&mut Box<dyn Subject>), then: Option<Operation>) -> &'static str {
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
    let fault = |twin: &mut Box<dyn Subject>| twin.advance(Slot::new(1), 8).map(drop).unwrap();
    assert_eq!(complaint(fault, None), "now");
}

#[test]
fn notices_a_reservation_too_many() {
    let fault = |twin: &mut Box<dyn Subject>| {
        twin.book(&request(2), Policy::FirstFit, Commitment::Confirmed)
            .map(drop)
            .unwrap()
    };
    assert_eq!(complaint(fault, None), "length");
}

#[test]
fn notices_a_reservation_moved() {
    let fault = |twin: &mut Box<dyn Subject>| {
        twin.cancel(0).unwrap();
        twin.book(&request(12), Policy::FirstFit, Commitment::Confirmed)
            .map(drop)
            .unwrap();
    };
    assert_eq!(complaint(fault, None), "next event");
}

#[test]
fn notices_a_reservation_of_the_same_shape_with_other_terms() {
    let fault = |twin: &mut Box<dyn Subject>| {
        let asked = Request {
            deadline: Slot::new(11),
            pes: PeCount::new(2),
            ..request(2)
        };
        twin.cancel(0).unwrap();
        twin.book(&asked, Policy::FirstFit, Commitment::Confirmed)
            .map(drop)
            .unwrap();
    };
    assert_eq!(complaint(fault, None), "reservations by start");
}

#[test]
fn notices_a_search_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| *twin = kernels::twin(Kind::Sets, 4, 20, 6);
    // Two of four PEs are free beside the first reservation, so four start later on one side.
    let wide = Operation::Reserve(Ask { pes: 4, ..ask() });
    assert_eq!(complaint(fault, Some(wide)), "first-fit");
}

#[test]
fn notices_an_event_that_is_missing() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    let advance = Operation::Advance { by: 3, room: 8 };
    assert_eq!(complaint(fault, Some(advance)), "events");
}

#[test]
fn notices_an_answer_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    let confirm = Operation::Act(Pick::Live(0), Verb::Confirm);
    assert_eq!(complaint(fault, Some(confirm)), "answer to the verb");
}

/// Two PEs for three slots, or less; taken whole.
fn query_accept() -> Operation {
    let inquiry = Inquiry {
        lead: 0,
        length: 10,
        duration: Some(3),
        pes: Some(2),
        search: 0,
        order: 0,
        ttl: 4,
        tariff: 1,
        room: u8::MAX,
    };
    Operation::QueryAccept {
        inquiry,
        taking: Taking {
            nth: 0,
            fewer_slots: 0,
            fewer_pes: 0,
            ttl: None,
        },
        forgery: Forgery::Genuine,
        between: Disturbance::Nothing,
    }
}

#[test]
fn notices_offers_that_differ() {
    let fault = |twin: &mut Box<dyn Subject>| twin.cancel(0).unwrap();
    assert_eq!(complaint(fault, Some(query_accept())), "offers");
}

#[test]
fn notices_a_version_that_differs() {
    let fault = |twin: &mut Box<dyn Subject>| {
        let (number, _) = twin
            .book(&request(12), Policy::FirstFit, Commitment::Confirmed)
            .unwrap();
        twin.cancel(number).unwrap();
    };
    assert_eq!(complaint(fault, None), "version");
    let incarnation = |twin: &mut Box<dyn Subject>| drop(twin.perform(&Command::SetIncarnation(1)));
    assert_eq!(complaint(incarnation, None), "version");
    assert_eq!(complaint(incarnation, Some(query_accept())), "offers");
}

const JOB: BestEffortJob = BestEffortJob {
    estimate: Span::new(3),
    pes: PeCount::new(2),
};

#[test]
fn notices_a_job_that_waits_on_one_side_only() {
    let fault = |twin: &mut Box<dyn Subject>| twin.submit(&JOB).map(drop).unwrap();
    assert_eq!(complaint(fault, None), "waiting jobs");
    let submit = Operation::Submit(Submission {
        estimate: 3,
        pes: 2,
    });
    assert_eq!(complaint(fault, Some(submit)), "ticket");
}

#[test]
fn notices_a_job_that_starts_on_one_side_only() {
    let mut harness = agreed();
    let submit = Operation::Submit(Submission {
        estimate: 3,
        pes: 2,
    });
    harness.apply(&submit).unwrap();
    let ticket = Ticket::from_number(1).unwrap();
    harness.subject.withdraw(ticket).unwrap();
    let advance = Operation::AdvanceQueue { by: 0, room: 8 };
    assert_eq!(harness.apply(&advance).unwrap_err().what, "events");
}

#[test]
fn notices_a_queue_that_was_not_looked_at() {
    let mut harness = agreed();
    let submit = Operation::Submit(Submission {
        estimate: 3,
        pes: 4,
    });
    let advance = Operation::AdvanceQueue { by: 0, room: 8 };
    harness.apply_all(&[submit, advance]).unwrap();
    // The same jobs in a queue that has seen nothing yet.
    let job = BestEffortJob {
        pes: PeCount::new(4),
        ..JOB
    };
    harness.subject.perform(&Command::Queue(Discipline::Fcfs));
    harness.subject.submit(&job).unwrap();
    assert_eq!(
        harness.compare().unwrap_err().what,
        "next event with the queue"
    );
}

#[test]
fn notices_another_discipline() {
    let mut harness = agreed();
    harness.subject = harness.subject.clone().under(Discipline::Easy);
    // The first waits for the reservation from 2 to 5, the second ends before it.
    let submit = |estimate, pes| Operation::Submit(Submission { estimate, pes });
    let operations = [submit(3, 4), submit(2, 1)];
    harness.apply_all(&operations).unwrap();
    let advance = Operation::AdvanceQueue { by: 0, room: 8 };
    assert_eq!(harness.apply(&advance).unwrap_err().what, "events");
}

/// Two PEs from 2 to 5, and four from 6 to 8: one after the other.
fn two() -> [Operation; 2] {
    let later = Ask {
        lead: 6,
        duration: 2,
        slack: 0,
        pes: 4,
        policy: 0,
    };
    [Operation::Reserve(ask()), Operation::Reserve(later)]
}

/// What the harness complains about when the side under test tells `lie` in `then`, after the two reservations.
fn complaint_about(lie: Lie, then: Operation) -> &'static str {
    let mut harness = Harness::new(Box::new(Liar::new(Kind::Sets, lie)));
    let verdict = harness
        .apply_all(&two())
        .and_then(|()| harness.apply(&then));
    // An honest twin passes.
    let mut honest = Harness::new(kernels::twin(Kind::Sets, 4, 20, 6));
    honest.apply_all(&two()).unwrap();
    honest.apply(&then).unwrap();
    match verdict {
        Ok(()) => "nothing",
        Err(difference) => difference.what,
    }
}

const FIRST: Pick = Pick::Live(0);

const fn alter(change: Change) -> Operation {
    Operation::Alter {
        pick: FIRST,
        change,
        log: 1,
    }
}

#[test]
fn notices_lies_about_alterations() {
    let blocked = alter(Change::Extend(2));
    let what = complaint_about(Lie::Altered, alter(Change::Shift(1)));
    assert_eq!(what, "where it is after the alteration");
    let what = complaint_about(Lie::AlteredConflict, blocked);
    assert_eq!(what, "where it is after the alteration");
    let split = Operation::Split {
        pick: FIRST,
        after: 1,
        log: 2,
    };
    assert_eq!(complaint_about(Lie::Split, split), "split");
}

#[test]
fn notices_lies_about_transactions() {
    let transaction = |steps: &[Step], finish| Operation::Transaction(Script::of(steps, finish));
    let shift = Step::Alter(FIRST, Change::Shift(1));
    // The second step is refused.
    let steps = [shift, Step::Remove(Pick::Never)];
    let commit = transaction(&steps, Finish::Commit);
    let shown = [
        Lie::Covering,
        Lie::Known,
        Lie::Moves,
        Lie::WorkLeft,
        Lie::Logged,
    ];
    let one_step = transaction(&steps[..1], Finish::Commit);
    for lie in shown {
        assert_eq!(
            complaint_about(lie, one_step),
            "what the step shows",
            "{lie:?}"
        );
    }
    assert_eq!(complaint_about(Lie::Step, commit), "answer to the step");
    let what = complaint_about(Lie::RefusedStep, commit);
    assert_eq!(what, "a refused step changes nothing");
    assert_eq!(
        complaint_about(Lie::StepsMade, commit),
        "steps that were made"
    );
    assert_eq!(
        complaint_about(Lie::Commit, commit),
        "end of the transaction"
    );
    let plan = transaction(&steps, Finish::Plan(u8::MAX));
    assert_eq!(
        complaint_about(Lie::PlanMore, plan),
        "end of the transaction"
    );
    assert_eq!(complaint_about(Lie::Trace, plan), "a plan changes nothing");
    let dropped = transaction(&steps, Finish::Drop);
    let what = complaint_about(Lie::Trace, dropped);
    assert_eq!(what, "a dropped transaction changes nothing");
}

#[test]
fn notices_lies_about_several() {
    let series = |ask: Ask| Operation::Series {
        ask,
        ttl: None,
        period: 4,
        count: 2,
        without: [9, 9],
        log: 2,
        room: 2,
    };
    let rigid = Ask {
        slack: 0,
        pes: 4,
        ..ask()
    };
    assert_eq!(complaint_about(Lie::Series, series(ask())), "series");
    let what = complaint_about(Lie::SeriesConflict, series(rigid));
    assert_eq!(what, "series");
    let share = |pes| Share {
        offset: 1,
        duration: 2,
        pes,
    };
    let together = |pes, length| Operation::Together {
        lead: 1,
        length,
        parts: [share(pes), share(1), share(1), share(1)],
        count: 2,
        ttl: None,
        log: 2,
        room: 2,
    };
    assert_eq!(
        complaint_about(Lie::Together, together(1, 9)),
        "parts that start together"
    );
    let what = complaint_about(Lie::TogetherConflict, together(3, 4));
    assert_eq!(what, "parts that start together");
    let cancel = |length| Operation::CancelAll {
        picks: [FIRST; 4],
        length,
    };
    assert_eq!(
        complaint_about(Lie::Cancelled, cancel(2)),
        "how many are cancelled"
    );
    let what = complaint_about(Lie::CancelTrace, cancel(0));
    assert_eq!(what, "cancelling nothing changes nothing");
}

#[test]
fn notices_lies_about_explanations() {
    let explain = Operation::Explain {
        ask: Ask { pes: 4, ..ask() },
        room: u8::MAX,
    };
    for (lie, what) in [
        (Lie::Explanation, "explanation"),
        (Lie::Obstacles, "explanation"),
        (Lie::Lacking, "explanation"),
        (Lie::Holders, "explanation"),
        (Lie::ExplainTrace, "asking changes nothing"),
    ] {
        assert_eq!(complaint_about(lie, explain), what);
    }
    let covering = Operation::Covering {
        lead: 0,
        length: 20,
    };
    assert_eq!(
        complaint_about(Lie::WhoCovers, covering),
        "who covers the window"
    );
}

#[test]
fn notices_lies_about_shifting() {
    let shift = |end| Operation::Shift {
        ask: ask(),
        terms: Terms::Strict,
        how: Shift {
            both: true,
            depth: 2,
            earliest: 0,
            moves: None,
            work: None,
            log: u8::MAX,
            end,
        },
    };
    assert_eq!(complaint_about(Lie::Juggled, shift(0)), "shifting");
    assert_eq!(complaint_about(Lie::JuggledMoves, shift(1)), "shifting");
    let trace = complaint_about(Lie::JuggleTrace, shift(2));
    assert_eq!(trace, "a plan leaves no trace");
}

#[test]
fn notices_lies_about_juggling() {
    let juggle = |end| Operation::Juggle {
        ask: ask(),
        terms: Terms::Strict,
        how: Juggle {
            order: 0,
            seed: 0,
            always: true,
            retry: true,
            earliest: 0,
            moves: None,
            work: None,
            log: u8::MAX,
            list: u8::MAX,
            end,
        },
    };
    assert_eq!(complaint_about(Lie::Juggled, juggle(0)), "juggling");
    assert_eq!(complaint_about(Lie::JuggledMoves, juggle(1)), "juggling");
    let trace = complaint_about(Lie::JuggleTrace, juggle(2));
    assert_eq!(trace, "a plan leaves no trace");
    let frozen = complaint_about(Lie::Frozen, juggle(0));
    assert_eq!(frozen, "reservations");
    let Operation::Juggle { how, .. } = juggle(0) else {
        unreachable!("it was just made");
    };
    let alternatives = Operation::Alternatives {
        ask: Ask {
            lead: 2,
            slack: 0,
            pes: 4,
            ..ask()
        },
        terms: Terms::Strict,
        how,
        sides: 0,
        percent: u8::MAX,
        end: false,
        room: u8::MAX,
    };
    for (lie, what) in [
        (Lie::Alternatives, "alternatives"),
        (Lie::AlternativesTrace, "asking changes nothing"),
    ] {
        assert_eq!(complaint_about(lie, alternatives), what);
    }
}

#[test]
fn notices_lies_about_events_and_books() {
    let next = Operation::Next { by: 4, most: 3 };
    assert_eq!(complaint_about(Lie::Next, next), "the next event");
    assert_eq!(complaint_about(Lie::Whose, next), "the next event");
    let restore = Operation::Restore(1);
    for (lie, what) in [
        (Lie::ForeignSubmit, "a job for another book"),
        (Lie::ForeignAdvance, "another book's queue"),
        (Lie::ForeignNext, "the next event of another book"),
    ] {
        assert_eq!(complaint_about(lie, restore), what);
    }
    let plan = Operation::PlanCommit {
        ask: ask(),
        ttl: None,
        between: Disturbance::Advance(1),
    };
    assert_eq!(complaint_about(Lie::Stale, plan), "commit");
    let refused = Operation::Reserve(Ask { pes: 5, ..ask() });
    let what = complaint_about(Lie::RefusalTrace, refused);
    assert_eq!(what, "a call that fails changes nothing");
    let nothing = Operation::Covering { lead: 0, length: 1 };
    assert_eq!(
        complaint_about(Lie::Window, nothing),
        "the window that was promised"
    );
}

#[test]
fn notices_lies_about_forms() {
    let moulding = Moulding {
        lead: 0,
        length: 9,
        shapes: Shapes::Table([(2, 3), (1, 5), (3, 2), (4, 1)], 4),
        policy: 0,
        choice: 1,
        tariff: 1,
        discount: [32, 128],
        budget: None,
    };
    let mould = Operation::Mould {
        moulding,
        ttl: None,
        between: Disturbance::Nothing,
    };
    let what = complaint_about(Lie::Price, mould);
    assert_eq!(what, "the form that is chosen");
    let what = complaint_about(Lie::MouldTrace, mould);
    assert_eq!(what, "asking changes nothing");
}

#[test]
fn notices_a_handle_that_is_given_out_twice() {
    let mut harness = Harness::new(Box::new(Liar::new(Kind::Counts, Lie::Handle)));
    let submit = Operation::Submit(Submission {
        estimate: 2,
        pes: 1,
    });
    harness.apply_all(&[two()[0], submit]).unwrap();
    let advance = Operation::AdvanceQueue { by: 0, room: 8 };
    let what = harness.apply(&advance).unwrap_err().what;
    assert_eq!(what, "events");
}
