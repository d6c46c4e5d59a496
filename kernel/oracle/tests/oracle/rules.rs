//! Books with rules: long random lives, and every sequence of operations up to a stated length in a small world.

use bookahead::{
    Alteration, Commitment, Discipline, EventKind, Meeting, Outage, PeCount, Placement, Policy,
    Refusal, Request, Rule, Slot, Span, Window,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{
    Answer, Answered, Call, Command, Ending, Gone, InTheWay, Kind, LONG_LOG, Number, Placed, Reply,
    Subject, Transact,
};
use bookahead_heap::HostColumn;
use bookahead_oracle::{Oracle, Recorded, Tally, Twin, generate::RULED};

use crate::classes::{self, Life, machine};
use crate::common::{
    World,
    kernels::{ruled_counts, ruled_on, ruled_sets, twin},
    letters::{Ask, Letter, advance, calls, complete, hold, letter, nth, reserve, rule},
    lives::{self, shown},
};
use crate::exhaustive::{self, SLOTS};
use crate::long_lives::CROWDED;

/// As long as its arrays are: the slots that enter lie where others have passed.
const WHOLE: World = World {
    slots: 64,
    ..CROWDED
};

/// A life in which rules come, change and go, and break promises.
pub fn life(subject: Box<dyn Subject>, seed: u8, world: &World) -> Tally {
    let profile = world.used_for(RULED);
    let subject = subject.under(Discipline::Easy);
    let tally = lives::life(subject, seed, lives::operations(20_000, 4), &profile);
    for what in ["rule", "drop a rule"] {
        shown!(tally.times(what, "") > 0, "{tally:?}");
    }
    shown!(tally.times("rule", "broken") > 0, "{tally:?}");
    tally
}

/// The same with late binding, where a number of PEs leaves as well.
fn life_of_numbers(subject: Box<dyn Subject>, seed: u8, world: &World) {
    let tally = life(subject, seed, world);
    for how in ["", "broken"] {
        shown!(tally.times("take out", how) > 0, "no {how}: {tally:?}");
    }
    shown!(tally.times("bind", "running") > 0, "{tally:?}");
}

#[test]
fn life_of_counts() {
    life_of_numbers(
        ruled_counts::<BulkScan>(WHOLE.pes, WHOLE.slots, 40),
        1,
        &WHOLE,
    );
}

#[test]
fn life_of_counts_searched_plainly() {
    life_of_numbers(
        ruled_counts::<PlainScan>(CROWDED.pes, CROWDED.slots, 12),
        2,
        &CROWDED,
    );
}

#[test]
fn life_of_narrow_sets() {
    let tally = life(ruled_sets::<u32, PlainScan>(40, WHOLE.slots, 40), 3, &WHOLE);
    for what in [EventKind::RuleMet, EventKind::EndReached] {
        shown!(tally.of(what) > 0, "{tally:?}");
    }
}

#[test]
fn life_of_wide_sets() {
    life(
        ruled_sets::<HostColumn, BulkScan>(CROWDED.pes, CROWDED.slots, 40),
        4,
        &CROWDED,
    );
}

/// A life in which rules take PEs of machines with layouts, whose reservations are of many classes.
pub fn life_on_nodes(subject: Box<dyn Subject>, placed: &Placed, seed: u8, world: &World) {
    let mut life = Life::new(subject.under(Discipline::Easy), placed, seed);
    for _ in 0..lives::operations(16_000, 4) {
        life.step(&world.used_for(RULED));
    }
    let told = &life.both.harness.tally;
    for (what, how) in [
        ("rule", ""),
        ("rule", "broken"),
        ("drop a rule", ""),
        ("make room", "in space"),
        ("take out", ""),
    ] {
        shown!(told.times(what, how) > 0, "no {what} {how}: {told:?}");
    }
    shown!(told.of(EventKind::RuleMet) > 0, "{told:?}");
    for what in [
        "book done",
        "book no-room",
        "class-add done",
        "book-exactly done",
    ] {
        shown!(life.tally.contains_key(what), "no {what}: {:?}", life.tally);
    }
}

#[test]
fn lives_on_nodes() {
    let gpus = machine(4, &[4, 2], &[(3, 4, 1, 0)], &[2]);
    let whole = World {
        slots: 64,
        ..classes::WORLD
    };
    life_on_nodes(
        ruled_on::<u32, PlainScan>(&gpus, whole.slots, 24),
        &gpus,
        5,
        &whole,
    );
    let world = classes::WORLD;
    life_on_nodes(
        ruled_on::<HostColumn, BulkScan>(&gpus, world.slots, 24),
        &gpus,
        6,
        &world,
    );
    let uneven = machine(5, &[3, 1, 2], &[(0, 2, 0, 2), (4, 5, 2, 0)], &[2, 4]);
    life_on_nodes(
        ruled_on::<HostColumn, BulkScan>(&uneven, world.slots, 30),
        &uneven,
        7,
        &world,
    );
    life_on_nodes(
        ruled_on::<u32, PlainScan>(&uneven, whole.slots, 30),
        &uneven,
        8,
        &whole,
    );
}

/// What is taken, in a world of 3 PEs.
pub type Takes = fn(&[u16]) -> Gone;

/// A rule that comes, and goes again before all is forgotten; what was lifted comes back to its place in between.
fn there_and_back(takes: Takes) -> Letter {
    let calls_of = move |oracle: &Oracle| {
        let always = Rule {
            phase: Span::ZERO,
            period: Span::new(1),
            length: Span::new(1),
        };
        let Some(first) = nth(oracle, 0) else {
            return Vec::new();
        };
        let place = oracle.placement(first).expect("it lives");
        vec![
            Call::Lift(first),
            Call::SetRule(1, Some((always, takes(&[0, 1])))),
            Call::SetRule(1, None),
            Call::Place(first, place),
            Call::Resize(Some(takes(&[2]))),
            Call::SetRule(0, None),
            Call::PlaceFirstFit(first, oracle.now()),
        ]
    };
    calls(calls_of, Ending::Drop)
}

/// Who is in the way of a request, and of the second reservation.
fn blocked() -> [Letter; 2] {
    let request = |now: Slot| Ask(1, 3, 1, 2).at(now);
    let asked = move |oracle: &Oracle| {
        let Request {
            ready,
            duration,
            pes,
            ..
        } = request(oracle.now());
        let place = Placement {
            start: ready,
            duration,
            pes,
        };
        let whose = [None, nth(oracle, 1)];
        whose.map(|own| Call::Conflict(own, place)).to_vec()
    };
    let explain = letter(move |oracle| Some(Command::Explain(request(oracle.now()), 2)));
    [calls(asked, Ending::Drop), explain]
}

/// 4 requests, 2 advances, an end, 7 rules, 2 sizes, 2 questions who is in the way.
fn alphabet(takes: Takes) -> Vec<Letter> {
    let resize = |pes: &[u16]| {
        let gone = (!pes.is_empty()).then(|| takes(pes));
        calls(move |_| vec![Call::Resize(gone.clone())], Ending::Commit)
    };
    let [conflict, explain] = blocked();
    vec![
        conflict,
        explain,
        reserve(Ask(0, 2, 4, 2)),
        reserve(Ask(1, 3, 0, 1)),
        reserve(Ask(2, 3, 2, 3)),
        hold(Ask(1, 2, 2, 2), 4),
        advance(1, 8),
        advance(3, 8),
        complete(0, 1),
        rule(0, (2, 4, 1), takes(&[0, 1])),
        rule(0, (1, 11, 3), takes(&[0, 1, 2])),
        rule(0, (0, 0, 0), takes(&[])),
        rule(1, (3, 5, 2), takes(&[1])),
        rule(1, (0, 3, 4), takes(&[2])),
        there_and_back(takes),
        resize(&[0]),
        resize(&[]),
    ]
}

/// 17 letters, length 4.
fn sequences(takes: Takes, make: fn() -> Box<dyn Subject>) {
    let sum = exhaustive::exhaust(move || Recorded::new(make()), &alphabet(takes), 4);
    assert!(sum.times("rule", "broken") > 0, "{sum:?}");
    assert!(sum.because(Refusal::NoRoom) > 0, "{sum:?}");
}

pub fn numbers(pes: &[u16]) -> Gone {
    Gone::Number(PeCount::new(pes.len() as u32))
}

pub fn these(pes: &[u16]) -> Gone {
    Gone::These(pes.to_vec())
}

#[test]
fn every_sequence_of_counts() {
    sequences(numbers, || ruled_counts::<PlainScan>(3, SLOTS, 4));
}

#[test]
fn every_sequence_of_sets() {
    sequences(these, || ruled_sets::<u32, PlainScan>(3, SLOTS, 4));
}

/// Sets rules that take PEs from slots on, for so many slots of 10.
fn set(subject: &mut dyn Subject, rules: &[(usize, [u32; 2], Gone)]) {
    let calls = rules.iter().map(|(number, [phase, length], gone)| {
        let rule = Rule {
            phase: Span::new(*phase),
            period: Span::new(10),
            length: Span::new(*length),
        };
        Call::SetRule(*number, Some((rule, gone.clone())))
    });
    let outcome = subject.transact(transact(calls.collect(), Ending::Commit));
    assert!(outcome.end.is_ok(), "{outcome:?}");
}

fn transact(calls: Vec<Call>, ending: Ending) -> Transact {
    Transact {
        log: LONG_LOG,
        work: u64::MAX,
        calls,
        ending,
        watched: Vec::new(),
    }
}

fn request(ready: u64, duration: u32, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(ready + u64::from(duration)),
        pes: PeCount::new(pes),
    }
}

fn book(subject: &mut dyn Subject, request: Request) {
    let booked = subject.book(&request, Policy::FirstFit, Commitment::Confirmed);
    booked.expect("it is free");
}

/// Of a reservation, or of a new one.
fn conflict(subject: &mut dyn Subject, own: Option<u64>, request: Request) -> InTheWay {
    let place = Placement {
        start: request.ready,
        duration: request.duration,
        pes: request.pes,
    };
    let calls = vec![Call::Conflict(own, place)];
    let mut outcome = subject.transact(transact(calls, Ending::Drop));
    match outcome.answers.remove(0).0 {
        Ok(Answer::Conflict(conflict)) => conflict,
        other => panic!("{other:?}"),
    }
}

fn in_the_way(names: &[u64], rules: &[u64]) -> InTheWay {
    InTheWay {
        rules: rules.to_vec(),
        ..InTheWay::of(names.to_vec())
    }
}

/// Of 4 PEs, rule 2 leaves two out from 2 to 5 and rule 7 one from 4 to 9; the machine lacks one. One is booked from 0 to 5.
#[test]
fn rules_in_the_way_are_named_where_numbers_decide() {
    let kernel = ruled_counts::<BulkScan>(4, 40, 8);
    for mut subject in [kernel, twin(Kind::RuledCounts, 4, 40, 8)] {
        let subject = &mut *subject;
        let number = |pes| Gone::Number(PeCount::new(pes));
        set(subject, &[(2, [2, 3], number(2)), (7, [4, 5], number(1))]);
        let resize = transact(vec![Call::Resize(Some(number(1)))], Ending::Commit);
        assert!(subject.transact(resize).end.is_ok());
        book(subject, request(0, 5, 1));
        // In slot 2, one is left.
        let (_, obstacles) = subject
            .explain(&request(1, 4, 2), 4)
            .expect("it makes sense");
        let told = (obstacles[0].at.get(), obstacles[0].lacking.get());
        assert_eq!(told, (2, 1));
        assert_eq!(obstacles[0].holders, in_the_way(&[0], &[2]));
        // In slots 2 to 4 two are too many, and in no other: rule 7 alone leaves three.
        let all = conflict(subject, None, request(0, 9, 2));
        assert_eq!(all, in_the_way(&[0], &[2, 7]));
        assert_eq!(
            conflict(subject, None, request(5, 4, 3)),
            in_the_way(&[], &[])
        );
        assert_eq!(
            conflict(subject, None, request(5, 4, 4)),
            in_the_way(&[], &[7])
        );
        // What is not there at all is no rule, and what the reservation has itself is not in its way.
        assert_eq!(
            conflict(subject, None, request(0, 2, 4)),
            in_the_way(&[0], &[])
        );
        assert_eq!(
            conflict(subject, Some(0), request(0, 5, 2)),
            in_the_way(&[], &[])
        );
        assert_eq!(
            conflict(subject, Some(0), request(0, 5, 3)),
            in_the_way(&[], &[2, 7])
        );
        let wider = Alteration::Widen {
            pes: PeCount::new(3),
        };
        let (altered, conflict) = subject.alter(0, wider, LONG_LOG);
        assert_eq!(altered, Err(Refusal::NoRoom.into()));
        assert_eq!(conflict, in_the_way(&[], &[2, 7]));
    }
}

/// Rule 0 leaves out PEs 0 and 1 from 2 to 5 and rule 1 PE 3 from 8 to 10; a job runs on PE 0 until 2, another on PE 2 and 3 until 6.
#[test]
fn rules_in_the_way_are_named_where_sets_decide() {
    let kernel = ruled_sets::<u32, PlainScan>(4, 40, 8);
    for mut subject in [kernel, twin(Kind::RuledSets, 4, 40, 8)] {
        let subject = &mut *subject;
        let these = |pes: &[u16]| Gone::These(pes.to_vec());
        set(
            subject,
            &[(0, [2, 3], these(&[0, 1])), (1, [8, 2], these(&[3]))],
        );
        book(subject, request(0, 2, 1));
        book(subject, request(0, 6, 2));
        assert_eq!(subject.pes_of(1), Ok(vec![2, 3]));
        // A new one, or one that has not started, may be asked to do with any.
        assert_eq!(
            conflict(subject, None, request(1, 8, 2)),
            in_the_way(&[0, 1], &[0, 1])
        );
        assert!(subject.advance(Slot::new(1), 8).is_ok());
        // What runs cannot do without its own.
        assert_eq!(
            conflict(subject, Some(0), request(0, 9, 1)),
            in_the_way(&[], &[0])
        );
        assert_eq!(
            conflict(subject, Some(1), request(0, 9, 2)),
            in_the_way(&[], &[1])
        );
        let longer = |duration| Alteration::Extend {
            duration: Span::new(duration),
        };
        let (altered, conflict) = subject.alter(1, longer(9), LONG_LOG);
        assert_eq!(altered, Err(Refusal::NoRoom.into()));
        assert_eq!(conflict, in_the_way(&[], &[1]));
        let (_, obstacles) = subject
            .explain(&request(3, 4, 1), 4)
            .expect("it makes sense");
        assert_eq!(obstacles[0].holders, in_the_way(&[1], &[0]));
    }
}

/// What the calls of a committed transaction answered.
pub fn answers(subject: &mut dyn Subject, calls: Vec<Call>) -> Vec<Answered> {
    let outcome = subject.transact(Transact {
        log: LONG_LOG,
        work: u64::MAX,
        calls,
        ending: Ending::Commit,
        watched: Vec::new(),
    });
    assert!(outcome.end.is_ok(), "{outcome:?}");
    let answers = outcome.answers.into_iter();
    answers.map(|(answer, _)| answer).collect()
}

/// Where the parts of an outage lie, and on which PEs.
fn parts(subject: &mut dyn Subject, answer: &Answered) -> Vec<(u64, u64, Vec<u16>)> {
    let Ok(Answer::Out(parts, _)) = answer else {
        panic!("{answer:?} is no outage");
    };
    let place = |part: &Number| {
        let Window { start, end } = subject.get(*part).expect("it lives").window;
        let pes = subject.pes_of(*part).expect("it lives");
        (start.get(), end.get(), pes)
    };
    parts.iter().map(place).collect()
}

/// Rule 0 takes PE 0 from 4 to 6; PEs 0 and 1 are out of service from 2 to 8.
#[test]
fn outages_go_around_rules() {
    let placed = machine(4, &[1], &[], &[]);
    let mut kernel = ruled_on::<u32, PlainScan>(&placed, 24, 8);
    let Reply::Size(size) = kernel.perform(&Command::Size) else {
        panic!("a book has a size");
    };
    let twin = Box::new(Twin::on(&size, &placed));
    for mut subject in [kernel, twin as Box<dyn Subject>] {
        let subject = &mut *subject;
        let rule = |phase, length, pes: &[u16]| {
            let [phase, period, length] = [phase, 30, length].map(Span::new);
            let rule = Rule {
                phase,
                period,
                length,
            };
            Call::SetRule(0, Some((rule, Gone::These(pes.to_vec()))))
        };
        let slots = |start, end| Window {
            start: Slot::new(start),
            end: Slot::new(end),
        };
        let maintenance = || Outage::Maintenance {
            window: slots(2, 8),
        };
        let taken = answers(
            subject,
            vec![
                rule(4, 2, &[0]),
                Call::TakeOut(maintenance(), Gone::These(vec![0, 1])),
            ],
        );
        let around = vec![(2, 4, vec![0, 1]), (4, 8, vec![1]), (6, 8, vec![0])];
        assert_eq!(parts(subject, &taken[1]), around);
        let Ok(Answer::Out(first, _)) = &taken[1] else {
            panic!("it is an outage");
        };

        // A rule does not take what is out of service, unless that is taken out anew behind it.
        let refused = answers(subject, vec![rule(2, 1, &[1])]);
        assert_eq!(refused, [Err(Refusal::Pinned.into())]);
        let mut anew: Vec<Call> = first.iter().map(|part| Call::Remove(*part)).collect();
        anew.extend([
            rule(2, 1, &[1]),
            Call::TakeOut(maintenance(), Gone::These(vec![0, 1])),
        ]);
        let taken = answers(subject, anew);
        let around = vec![(2, 8, vec![0]), (3, 8, vec![1])];
        assert_eq!(parts(subject, &taken[4]), around);

        // Exactly these: a rule in the way is named.
        let exactly =
            |window, pes: &[u16]| Command::BookExactly(window, pes.to_vec(), Commitment::Confirmed);
        let refused = subject.perform(&exactly(slots(2, 3), &[1, 2]));
        let against = in_the_way(&[], &[0]);
        assert_eq!(refused, Reply::Refused(Refusal::NoRoom.into(), against));

        // A job without a known end is broken by a failure, and keeps what it has as long as nothing is committed.
        let open = Command::ReserveOpen(PeCount::new(1), Meeting::Allow);
        let Reply::Made(job) = subject.perform(&open) else {
            panic!("PEs 2 and 3 are there");
        };
        assert_eq!(subject.pes_of(job), Ok(vec![2]));
        let failure = || {
            let until = Slot::new(9);
            vec![Call::TakeOut(
                Outage::Failure { until },
                Gone::These(vec![2]),
            )]
        };
        let rehearsed = subject.transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: failure(),
            ending: Ending::Drop,
            watched: Vec::new(),
        });
        let broke = |answer: &Answered| match answer {
            Ok(Answer::Out(_, broken)) => broken.iter().map(|broken| broken.whose).collect(),
            _ => Vec::new(),
        };
        assert_eq!(broke(&rehearsed.answers[0].0), [job]);
        assert_eq!(subject.pes_of(job), Ok(vec![2]));
        let taken = answers(subject, failure());
        assert_eq!(broke(&taken[0]), [job]);
        assert_eq!(parts(subject, &taken[0]), [(0, 9, vec![2])]);
        // Behind it nobody has it any more.
        let booked = subject.perform(&exactly(slots(9, 24), &[2]));
        assert!(matches!(booked, Reply::Made(_)), "{booked:?}");
    }
}
