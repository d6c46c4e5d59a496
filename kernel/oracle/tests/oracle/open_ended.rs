//! Jobs without a known end: every short sequence in a small world, long jumps, and what is refused.

use bookahead::{
    Alteration, EventKind, Meeting, PeCount, Refusal, Rule, Slot, Span, State, UsageError,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Call, Command, Ending, Gone, Kind, Reply, Subject};
use bookahead_oracle::{Recorded, generate::later};

use crate::common::{
    kernels::{counts, ruled_counts, ruled_sets, twin},
    letters::{Ask, Letter, act, advance, calls, complete, letter, nth, reserve, rule},
};
use crate::exhaustive::{self, SLOTS};
use crate::rules::{Takes, answers, numbers, these};

fn open(pes: u32, meeting: Meeting) -> Letter {
    letter(move |_| Some(Command::ReserveOpen(PeCount::new(pes), meeting)))
}

fn announce(number: usize, by: i64) -> Letter {
    letter(move |oracle| {
        let at = later(oracle.now(), by);
        nth(oracle, number).map(|number| Command::AnnounceEnd(number, at))
    })
}

/// 2 jobs without a known end, 2 ends of them, an end and a cancellation of anybody, 2 requests, 4 advances, 3 rules, what drops one, and 1 size, in a world of 3 PEs.
fn alphabet(takes: Takes) -> Vec<Letter> {
    vec![
        open(1, Meeting::Refuse),
        open(2, Meeting::Allow),
        announce(0, 2),
        announce(0, 7),
        complete(0, 1),
        act(0, Command::Cancel),
        reserve(Ask(0, 2, 4, 1)),
        reserve(Ask(2, 3, 1, 2)),
        advance(1, 8),
        advance(3, 0),
        // Farther than anybody looks ahead.
        advance(9, 1),
        advance(14, 8),
        rule(0, (2, 4, 1), takes(&[0, 1])),
        rule(1, (1, 11, 3), takes(&[2])),
        rule(1, (0, 3, 4), takes(&[1])),
        rule(0, (0, 0, 0), takes(&[])),
        calls(
            move |_| vec![Call::Resize(Some(takes(&[0])))],
            Ending::Commit,
        ),
    ]
}

/// 17 letters, length 4.
fn sequences(takes: Takes, make: fn() -> Box<dyn Subject>) {
    let sum = exhaustive::exhaust(move || Recorded::new(make()), &alphabet(takes), 4);
    assert!(sum.of(EventKind::RuleMet) > 0, "{sum:?}");
    for reason in [Refusal::NoRoom, Refusal::TableFull, Refusal::BeyondHorizon] {
        assert!(sum.because(reason) > 0, "{reason:?}: {sum:?}");
    }
}

#[test]
fn every_sequence_of_counts() {
    sequences(numbers, || ruled_counts::<BulkScan>(3, SLOTS, 2));
}

#[test]
fn every_sequence_of_sets() {
    sequences(these, || ruled_sets::<u32, PlainScan>(3, SLOTS, 2));
}

/// Both sides, of 4 PEs, that look 24 slots ahead.
fn sides() -> [Box<dyn Subject>; 2] {
    let kernel = ruled_sets::<u32, PlainScan>(4, 24, 8);
    [kernel, twin(Kind::RuledSets, 4, 24, 8)]
}

/// PE 1 is away for 3 of every 100 slots, from 40 on, and PE 2 for 2 of every 7, from 5 on.
fn set_rules(subject: &mut dyn Subject) {
    let rule = |number, [phase, period, length]: [u32; 3], pe| {
        let rule = Rule {
            phase: Span::new(phase),
            period: Span::new(period),
            length: Span::new(length),
        };
        Call::SetRule(number, Some((rule, these(&[pe]))))
    };
    let rules = vec![rule(3, [40, 100, 3], 1), rule(9, [5, 7, 2], 2)];
    assert!(transact(subject, rules).iter().all(Result::is_ok));
}

fn transact(subject: &mut dyn Subject, calls: Vec<Call>) -> Vec<Result<(), bookahead::Error>> {
    let answers = answers(subject, calls).into_iter();
    answers.map(|answer| answer.map(drop)).collect()
}

fn start(subject: &mut dyn Subject, pes: u32, meeting: Meeting) -> Reply {
    subject.perform(&Command::ReserveOpen(PeCount::new(pes), meeting))
}

/// When which events are told up to a slot, in steps of so many slots.
fn told(subject: &mut dyn Subject, until: u64, step: u64) -> Vec<(u64, u64, EventKind)> {
    let mut all = Vec::new();
    let mut now = 0;
    while now < until {
        now = until.min(now + step);
        let (_, events) = subject.advance(Slot::new(now), 4096).expect("it is ahead");
        all.extend(events.iter().map(|event| {
            let whose = event.whose.expect("it lives");
            (event.at.get(), whose, event.kind)
        }));
    }
    all
}

#[test]
fn one_jump_tells_what_many_steps_tell() {
    let met = |at, whose| (at, whose, EventKind::RuleMet);
    for mut subject in sides() {
        let subject = &mut *subject;
        set_rules(subject);
        assert_eq!(start(subject, 2, Meeting::Allow), Reply::Made(0));
        assert_eq!(start(subject, 1, Meeting::Allow), Reply::Made(1));
        assert_eq!(subject.pes_of(0), Ok(vec![0, 1]));
        let (mut steps, mut leaps) = (subject.copy(), subject.copy());
        let far = told(subject, 170, 170);
        assert_eq!(far, told(&mut *steps, 170, 1));
        assert_eq!(far, told(&mut *leaps, 170, 31));
        let of_first: Vec<_> = far.iter().filter(|(_, whose, _)| *whose == 0).collect();
        assert_eq!(of_first, [&met(40, 0), &met(140, 0)]);
        // Once for each turn, however long it is.
        let turns = (5..170).step_by(7).map(|at| met(at, 1));
        assert!(
            far.iter()
                .filter(|(_, whose, _)| *whose == 1)
                .copied()
                .eq(turns)
        );
        assert!(subject.equals(&*steps), "a jump leaves what steps leave");
    }
}

/// Rules that take PEs 1 and 2 at some time, and 0 and 3 never.
#[test]
fn only_such_as_no_rule_ever_takes() {
    for mut subject in sides() {
        let subject = &mut *subject;
        set_rules(subject);
        // Rule 3 begins behind the horizon.
        let Reply::Refused(reason, conflict) = start(subject, 3, Meeting::Refuse) else {
            panic!("two are left");
        };
        assert_eq!(reason, Refusal::NoRoom.into());
        assert_eq!((conflict.names, conflict.rules), (vec![], vec![3, 9]));
        assert_eq!(start(subject, 2, Meeting::Refuse), Reply::Made(0));
        assert_eq!(subject.pes_of(0), Ok(vec![0, 3]));
        assert_eq!(told(subject, 200, 200), []);
        // In slot 201, rule 9 takes PE 2, which nobody begins on then.
        assert!(subject.advance(Slot::new(201), 8).is_ok());
        let Reply::Refused(_, conflict) = start(subject, 2, Meeting::Allow) else {
            panic!("one is left");
        };
        assert_eq!((conflict.names, conflict.rules), (vec![0], vec![9]));
    }
}

/// What is told on the way from the present slot to another.
fn met(subject: &mut dyn Subject, to: u64) -> Vec<(u64, u64)> {
    let (_, events) = subject.advance(Slot::new(to), 8).expect("it is ahead");
    let met = events.iter().map(|event| {
        assert_eq!(event.kind, EventKind::RuleMet);
        (event.at.get(), event.whose.expect("it lives"))
    });
    met.collect()
}

fn set_rule(subject: &mut dyn Subject, [phase, period, length]: [u32; 3], gone: Gone) {
    let rule = Rule {
        phase: Span::new(phase),
        period: Span::new(period),
        length: Span::new(length),
    };
    let set = transact(subject, vec![Call::SetRule(0, Some((rule, gone)))]);
    assert_eq!(set, [Ok(())]);
}

#[test]
fn a_rule_that_is_set_during_its_turn_meets_at_once() {
    for mut subject in sides() {
        let subject = &mut *subject;
        assert_eq!(start(subject, 1, Meeting::Refuse), Reply::Made(0));
        assert_eq!(met(subject, 3), []);
        set_rule(subject, [2, 10, 4], these(&[0]));
        assert_eq!(met(subject, 3), [(3, 0)]);
        assert_eq!(met(subject, 20), [(12, 0)]);
        // The same once more is no change, and what takes another PE does not meet it.
        assert_eq!(met(subject, 23), [(22, 0)]);
        set_rule(subject, [2, 10, 4], these(&[0]));
        set_rule(subject, [2, 10, 5], these(&[1]));
        assert_eq!(met(subject, 60), []);
    }
}

#[test]
fn numbers_meet_whoever_came_last() {
    let sides = || {
        let kernel = ruled_counts::<BulkScan>(4, 24, 8);
        [kernel, twin(Kind::RuledCounts, 4, 24, 8)]
    };
    for mut subject in sides() {
        let subject = &mut *subject;
        beside_a_rule_of_two(subject);
        assert_eq!(subject.perform(&Command::Cancel(0)).error(), None);
        assert_eq!(met(subject, 30), []);
    }
    for mut subject in sides() {
        let subject = &mut *subject;
        beside_a_rule_of_two(subject);
        assert_eq!(transact(subject, vec![Call::Remove(0)]), [Ok(())]);
        assert_eq!(met(subject, 30), []);
    }
}

/// Three jobs of 2, 1 and 1 of 4 PEs beside a rule that takes 2.
fn beside_a_rule_of_two(subject: &mut dyn Subject) {
    assert_eq!(start(subject, 2, Meeting::Refuse), Reply::Made(0));
    assert_eq!(start(subject, 1, Meeting::Refuse), Reply::Made(1));
    set_rule(subject, [5, 10, 2], numbers(&[0, 1]));
    let Reply::Refused(_, conflict) = start(subject, 1, Meeting::Refuse) else {
        panic!("the rule gets one of two already");
    };
    assert_eq!((conflict.names, conflict.rules), (vec![0, 1], vec![0]));
    assert_eq!(start(subject, 1, Meeting::Allow), Reply::Made(2));
    assert_eq!(met(subject, 6), [(5, 1), (5, 2)]);
    // As far as the rule gets what it takes.
    let end = subject.perform(&Command::AnnounceEnd(1, Slot::new(7)));
    assert_eq!(end.error(), Some(Refusal::NoRoom.into()));
}

/// Whoever has no end is neither altered nor moved, and gets one only up to the next turn.
#[test]
fn what_is_refused() {
    for mut subject in sides() {
        let subject = &mut *subject;
        set_rules(subject);
        assert_eq!(start(subject, 3, Meeting::Allow), Reply::Made(0));
        let (wrong, at) = (Err(UsageError::WrongState.into()), Slot::new(4));
        let place = subject.get(0).expect("it lives").window;
        assert_eq!(
            (place.start, place.end),
            (Slot::new(0), Slot::new(u64::from(u32::MAX)))
        );
        let span = Span::new(9);
        let calls = vec![
            Call::Lift(0),
            Call::Alter(0, Alteration::Extend { duration: span }),
            Call::Alter(0, Alteration::Shorten { duration: span }),
            Call::Alter(
                0,
                Alteration::Narrow {
                    pes: PeCount::new(1),
                },
            ),
            Call::Split(0, at),
            Call::ExtendByForce(0, at),
        ];
        let all = calls.len();
        assert_eq!(transact(subject, calls), vec![wrong; all]);
        let mut end = |at| {
            subject
                .perform(&Command::AnnounceEnd(0, Slot::new(at)))
                .error()
        };
        assert_eq!(end(0), Some(Refusal::OutsideWindow.into()));
        assert_eq!(end(25), Some(Refusal::BeyondHorizon.into()));
        assert_eq!(end(6), Some(Refusal::NoRoom.into()));
        assert_eq!(end(5), None);
        assert_eq!(end(4), Some(UsageError::WrongState.into()));
        let known = subject.get(0).expect("it lives");
        assert_eq!(
            (known.window.end, known.state),
            (Slot::new(5), State::Running)
        );
        assert_eq!(told(subject, 5, 5), [(5, 0, EventKind::EndReached)]);
    }
    let others = [counts(4, 24, 8), twin(Kind::Counts, 4, 24, 8)];
    for mut subject in others {
        let reply = start(&mut *subject, 1, Meeting::Allow);
        assert_eq!(reply.error(), Some(UsageError::BadRule.into()));
    }
}

/// What a span cannot say is stopped, wherever time has come from.
#[test]
fn the_longest_job_ends() {
    let last = u64::from(u32::MAX);
    for mut subject in sides() {
        let subject = &mut *subject;
        assert_eq!(start(subject, 4, Meeting::Refuse), Reply::Made(0));
        assert_eq!(told(subject, last - 1, last - 1), []);
        let end = subject.perform(&Command::AnnounceEnd(0, Slot::new(last)));
        assert_eq!(end.error(), Some(Refusal::OutsideWindow.into()));
        assert_eq!(
            told(subject, last, 1 << 40),
            [(last, 0, EventKind::EndReached)]
        );
        assert_eq!(start(subject, 4, Meeting::Refuse), Reply::Made(1));
    }
}
