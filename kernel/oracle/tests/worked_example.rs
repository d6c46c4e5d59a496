//! The worked example of `li`, sections 4.2 and 5, with t_i = slot i and N = 4: job 1 on PE 0, job 2 on PE 1, job 3 on both.

mod common;

use bookahead::{PeCount, Policy, Rectangle, Request, Slot, Span, Window, raw::ProfileStep};
use bookahead_oracle::{Ask, Harness, Kind, Operation, Pick, Subject, Twin, Verb};

use common::kernels;

fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

fn records(expected: &[(u64, u16)]) -> Vec<ProfileStep> {
    let record = |&(at, busy): &(u64, u16)| ProfileStep {
        at: Slot::new(at),
        busy: PeCount::new(busy),
    };
    expected.iter().map(record).collect()
}

fn rectangle(start: u64, end: u64, pes: u16) -> Option<Rectangle> {
    Some(Rectangle {
        window: window(start, end),
        free: PeCount::new(pes),
    })
}

/// Exactly there, nowhere else.
fn job(start: u64, end: u64, pes: u16) -> Operation {
    Operation::Reserve(Ask {
        lead: start as i16,
        duration: (end - start) as u16,
        slack: 0,
        pes,
        policy: 0,
    })
}

/// The request {t2, t4 - t2, t9, n} with n = 1.
const NEW: Request = Request {
    ready: Slot::new(2),
    duration: Span::new(2),
    deadline: Slot::new(9),
    pes: PeCount::new(1),
};

/// Step 0: jobs 1 and 2 start at t0 (and are told so), job 3 is reserved.
fn figure_1<S: Subject>(subject: S) -> Harness<S> {
    let mut harness = Harness::new(subject);
    let operations = [
        job(0, 3, 1),
        job(0, 1, 1),
        job(8, 10, 2),
        Operation::Advance { by: 0, room: 8 },
    ];
    harness.apply_all(&operations).unwrap();
    harness
}

fn step_0_records<S: Subject>(harness: &mut Harness<S>) {
    let expected = records(&[(0, 2), (1, 1), (3, 0), (8, 2), (10, 0)]);
    assert_eq!(harness.subject.records(), expected);
    let handle = harness.handle(2).unwrap();
    let third = harness.subject.pes_of(handle).unwrap();
    match harness.subject.kind() {
        Kind::Sets => assert_eq!(third, [0, 1]),
        Kind::Counts => assert!(third.is_empty()),
    }
}

fn step_1_candidates<S: Subject>(harness: &mut Harness<S>) {
    let expected = [2, 3, 6, 7].map(Slot::new);
    assert_eq!(
        harness.subject.candidate_starts(&NEW),
        Ok(expected.to_vec())
    );
}

fn step_2_rectangles<S: Subject>(harness: &mut Harness<S>) {
    let horizon = u64::from(harness.subject.horizon().get());
    let subject = &mut harness.subject;
    assert_eq!(
        subject.rectangle(Slot::new(2), NEW.duration),
        rectangle(1, 8, 3)
    );
    assert_eq!(
        subject.rectangle(Slot::new(3), NEW.duration),
        rectangle(3, 8, 4)
    );
    assert_eq!(
        subject.rectangle(Slot::new(6), NEW.duration),
        rectangle(3, 8, 4)
    );
    assert_eq!(
        subject.rectangle(Slot::new(7), NEW.duration),
        rectangle(0, horizon, 2)
    );
    assert_eq!(subject.free_during(window(2, 4)), Some(PeCount::new(3)));
    assert_eq!(subject.free_during(window(3, 5)), Some(PeCount::new(4)));
}

/// Section 5's policies on the rectangles of step 2; t3 and t6 share theirs, and t3 wins.
fn policies<S: Subject>(harness: &mut Harness<S>) {
    let horizon = u64::from(harness.subject.horizon().get());
    // Rectangles by start: t2 3 x 7, t3 and t6 4 x 5, t7 2 x the whole horizon.
    assert!(2 * horizon > 21, "t7 has the largest rectangle, too");
    let starts = Policy::ALL.map(|policy| harness.subject.plan(&NEW, policy).unwrap().1.get());
    assert_eq!(starts, [2, 7, 3, 3, 7, 3, 7]);
}

/// Step 3: the new job gets t3 and the PE of job 1, so on the early-bound ring its record merges with the one of t1.
fn step_3_add<S: Subject>(harness: &mut Harness<S>) {
    let asked = Ask {
        lead: 2,
        duration: 2,
        slack: 5,
        pes: 1,
        policy: 2,
    };
    assert_eq!(harness.request(asked), NEW);
    harness.apply(&Operation::Reserve(asked)).unwrap();
    let handle = harness.handle(3).unwrap();
    assert_eq!(harness.subject.get(handle).unwrap().window, window(3, 5));
    if harness.subject.kind() == Kind::Sets {
        assert_eq!(harness.subject.pes_of(handle).unwrap(), [0]);
    }
    let expected = records(&[(0, 2), (1, 1), (5, 0), (8, 2), (10, 0)]);
    assert_eq!(harness.subject.records(), expected);
}

/// Step 4: job 2 ends at t1. Up to there its record goes with it; the printed records are the view from t1.
fn step_4_delete<S: Subject>(harness: &mut Harness<S>) {
    harness
        .apply(&Operation::Advance { by: 1, room: 8 })
        .unwrap();
    let expected = records(&[(1, 1), (5, 0), (8, 2), (10, 0)]);
    assert_eq!(harness.subject.records(), expected);
}

/// Step 4 once more, with the deletion made at t0: {t0, n1} remains and {t1} is merged away.
fn step_4_at_once<S: Subject>(harness: &mut Harness<S>) {
    harness
        .apply(&Operation::Act(Pick::Live(1), Verb::Complete(0)))
        .unwrap();
    let expected = records(&[(0, 1), (5, 0), (8, 2), (10, 0)]);
    assert_eq!(harness.subject.records(), expected);
}

fn example<S: Subject>(subject: S) {
    let mut harness = figure_1(subject);
    step_0_records(&mut harness);
    step_1_candidates(&mut harness);
    step_2_rectangles(&mut harness);
    policies(&mut harness);
    step_3_add(&mut harness);
    let mut other = harness.clone();
    step_4_delete(&mut harness);
    step_4_at_once(&mut other);
}

/// "If AvailRectList is empty, the request will be allocated to run at t_r immediately", whatever the policy.
fn empty<S: Subject>(mut subject: S) {
    assert_eq!(subject.records(), []);
    for policy in Policy::ALL {
        assert_eq!(subject.plan(&NEW, policy).unwrap().1, NEW.ready);
    }
}

#[test]
fn on_the_oracle() {
    for kind in [Kind::Counts, Kind::Sets] {
        for slots in [11, 32, 64] {
            example(Twin::new(kind, 4, slots, 8));
            empty(Twin::new(kind, 4, slots, 8));
        }
    }
}

#[test]
fn on_the_count_ring() {
    for slots in [11, 32, 64] {
        example(kernels::counts::<1, 4, 8>(4, slots));
        empty(kernels::counts::<1, 4, 8>(4, slots));
    }
}

#[test]
fn on_the_pe_ring() {
    for slots in [11, 32, 64] {
        example(kernels::narrow::<1, 1, 8>(4, slots));
        empty(kernels::narrow::<1, 1, 8>(4, slots));
        example(kernels::wide::<1, 1, 8>(4, slots));
        empty(kernels::wide::<1, 1, 8>(4, slots));
    }
}
