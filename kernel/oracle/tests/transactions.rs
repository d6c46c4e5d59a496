//! Transactions: cases worked by hand, and every alteration in every state.

mod common;

use bookahead::{
    Advanced, Alteration, Commitment, Error, EventKind, Part, PeCount, Placement, Policy, Refusal,
    Request, Series, Slot, Span, State, UsageError, Window,
};
use bookahead_oracle::{
    Answer, Answered, Ask, Call, Change, Deal, Ending, Finish, Harness, Hop, Kind, LONG_LOG, Moved,
    Name, Operation, Outcome, Pick, Script, Spot, Step, Subject, Twin, Verb,
};
use common::kernels;

/// Runs `example` on the twin and on the kernel's books of 4 PEs, 32 slots and 16 rows.
macro_rules! everywhere {
    ($example:expr) => {
        $example(Twin::new(Kind::Counts, 4, 32, 16));
        $example(Twin::new(Kind::Sets, 4, 32, 16));
        $example(kernels::counts::<1, 4, 16>(4, 32));
        on_sets!($example);
    };
}

/// The same where PEs are bound early.
macro_rules! on_sets {
    ($example:expr) => {
        $example(Twin::new(Kind::Sets, 4, 32, 16));
        $example(kernels::narrow::<1, 1, 16>(4, 32));
        $example(kernels::wide::<1, 1, 16>(4, 32));
    };
}

const fn place(start: u64, end: u64, pes: u16) -> Placement {
    Placement {
        start: Slot::new(start),
        duration: Span::new((end - start) as u32),
        pes: PeCount::new(pes),
    }
}

/// A request for so many PEs from `ready` to `deadline`, `duration` slots long.
const fn request(ready: u64, duration: u32, deadline: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}

/// Books at the ready time.
fn reserve<S: Subject>(subject: &mut S, request: Request, commitment: Commitment) -> S::Handle {
    let (handle, start) = subject
        .book(&request, Policy::FirstFit, commitment)
        .unwrap();
    assert_eq!(start, request.ready);
    handle
}

/// Books from `start` to `end`, with a window of the whole ring behind slot 0.
fn anywhere<S: Subject>(subject: &mut S, start: u64, end: u64, pes: u16) -> S::Handle {
    let asked = Request {
        deadline: Slot::new(32),
        ..request(start, (end - start) as u32, end, pes)
    };
    let handle = reserve(subject, asked, Commitment::Confirmed);
    let window = Alteration::ChangeWindow {
        ready: Slot::new(0),
        deadline: Slot::new(32),
    };
    let (altered, _) = subject.alter(handle, window, 1);
    assert_eq!(altered, Ok(place(start, end, pes)));
    handle
}

fn advance<S: Subject>(subject: &mut S, to: u64) -> Vec<(u64, EventKind)> {
    let (_, events) = subject.advance(Slot::new(to), 8).unwrap();
    let told = events.iter().map(|event| (event.at.get(), event.kind));
    told.collect()
}

fn transact<S: Subject>(
    subject: &mut S,
    (log, work): (usize, u64),
    calls: &[Call<Name<S::Handle>>],
    ending: Ending,
) -> Outcome<S::Handle> {
    subject.transact(&Deal {
        log,
        work,
        calls,
        ending,
        watched: &[],
    })
}

/// What the calls answered.
fn answers<H: Clone>(outcome: &Outcome<H>) -> Vec<Answered<H>> {
    let answers = outcome.answers.iter();
    answers.map(|(answer, _)| answer.clone()).collect()
}

/// Runs calls that must all succeed, without limits.
fn smooth<S: Subject>(
    subject: &mut S,
    calls: &[Call<Name<S::Handle>>],
    ending: Ending,
) -> Outcome<S::Handle> {
    let outcome = transact(subject, (LONG_LOG, u64::MAX), calls, ending);
    for (call, answer) in calls.iter().zip(answers(&outcome)) {
        assert!(answer.is_ok(), "{call:?}: {answer:?}");
    }
    assert_eq!(outcome.answers.len(), calls.len());
    outcome
}

fn pes_of<S: Subject>(subject: &mut S, handle: S::Handle) -> Vec<u16> {
    subject.pes_of(handle).unwrap()
}

fn window_of<S: Subject>(subject: &mut S, handle: S::Handle) -> (u64, u64) {
    let Window { start, end } = subject.get(handle).unwrap().window;
    (start.get(), end.get())
}

/// The calls by which two reservations swap their windows.
fn swap<H: Copy>(one: (H, Placement), other: (H, Placement)) -> Vec<Call<Name<H>>> {
    let known = Name::Known;
    vec![
        Call::Lift(known(one.0)),
        Call::Lift(known(other.0)),
        Call::Place(known(one.0), other.1),
        Call::Place(known(other.0), one.1),
    ]
}

/// Two jobs that need the whole machine swap places. Undone one by one, each would stand where the other still is.
#[test]
fn two_swap_places() {
    fn example<S: Subject>(mut subject: S) {
        let early = anywhere(&mut subject, 2, 5, 4);
        let late = anywhere(&mut subject, 5, 8, 4);
        let fresh = subject.clone();
        let calls = swap((early, place(2, 5, 4)), (late, place(5, 8, 4)));
        for ending in [Ending::Drop, Ending::Plan(8)] {
            smooth(&mut subject, &calls, ending);
            assert!(subject == fresh, "{ending:?}");
        }
        let undone = [&[Call::Savepoint], &calls[..], &[Call::RollbackTo(0)]].concat();
        let revision = subject.version().revision;
        assert_eq!(
            smooth(&mut subject, &undone, Ending::Commit).end,
            Ok((vec![], 0))
        );
        assert_eq!(subject.version().revision, revision);
        assert_eq!(window_of(&mut subject, early), (2, 5));
        assert_eq!(
            pes_of(&mut subject, early),
            pes_of(&mut fresh.clone(), early)
        );
        smooth(&mut subject, &calls, Ending::Commit);
        assert_eq!(subject.version().revision, revision + 1);
        assert_eq!(window_of(&mut subject, early), (5, 8));
        assert_eq!(window_of(&mut subject, late), (2, 5));
        subject.check_invariants().unwrap();
    }
    everywhere!(example);
}

/// With named PEs a job that moves keeps its own where they are free, and two that swap keep each its own.
#[test]
fn own_pes_are_kept() {
    fn example<S: Subject>(mut subject: S) {
        let low = anywhere(&mut subject, 2, 5, 2);
        let high = anywhere(&mut subject, 2, 5, 2);
        assert_eq!(pes_of(&mut subject, high), [2, 3]);
        let shift = |start| Alteration::Shift {
            start: Slot::new(start),
        };
        // All PEs are free there, and it keeps the higher ones.
        subject.alter(high, shift(10), 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, high), [2, 3]);
        // Narrower: the lowest of its own. Wider: its own and the lowest others.
        let narrow = Alteration::Narrow {
            pes: PeCount::new(1),
        };
        subject.alter(high, narrow, 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, high), [2]);
        let widen = Alteration::Widen {
            pes: PeCount::new(3),
        };
        subject.alter(high, widen, 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, high), [0, 1, 2]);
        // Where its own are taken it gets the lowest others.
        let narrow = Alteration::Narrow {
            pes: PeCount::new(2),
        };
        subject.alter(high, narrow, 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, high), [0, 1]);
        subject.alter(high, shift(2), 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, high), [2, 3]);
        assert_eq!(pes_of(&mut subject, low), [0, 1]);
    }
    on_sets!(example);
}

/// A running job that gets narrower gives back the highest-numbered PEs, whenever they were bound, and only then somebody else can
/// start on them.
#[test]
fn a_running_job_gives_back_the_highest_pes() {
    fn example<S: Subject>(mut subject: S) {
        let running = reserve(&mut subject, request(0, 6, 9, 4), Commitment::Confirmed);
        assert_eq!(advance(&mut subject, 1), [(0, EventKind::Started)]);
        assert_eq!(pes_of(&mut subject, running), [0, 1, 2, 3]);
        let narrow = Alteration::Narrow {
            pes: PeCount::new(1),
        };
        subject.alter(running, narrow, 1).0.unwrap();
        assert_eq!(pes_of(&mut subject, running), [0]);
        let next = reserve(&mut subject, request(1, 2, 3, 3), Commitment::Confirmed);
        assert_eq!(advance(&mut subject, 1), [(1, EventKind::Started)]);
        assert_eq!(pes_of(&mut subject, next), [1, 2, 3]);
        subject.check_invariants().unwrap();
    }
    everywhere!(example);
}

/// A running job cannot leave its PEs: longer only where they stay free, although others would be.
#[test]
fn a_running_job_keeps_its_pes() {
    fn example<S: Subject>(mut subject: S) {
        let running = reserve(&mut subject, request(0, 3, 9, 2), Commitment::Confirmed);
        let blocker = reserve(&mut subject, request(4, 3, 7, 1), Commitment::Confirmed);
        advance(&mut subject, 0);
        let extend = |duration| Alteration::Extend {
            duration: Span::new(duration),
        };
        assert_eq!(subject.alter(running, extend(4), 1).0, Ok(place(0, 4, 2)));
        let (refused, conflict) = subject.alter(running, extend(5), 1);
        let free = subject.kind() == Kind::Counts;
        if free {
            assert_eq!(refused, Ok(place(0, 5, 2)));
        } else {
            assert_eq!(refused, Err(Refusal::NoRoom.into()));
            assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        }
    }
    everywhere!(example);
}

/// Four savepoints, each with a step behind it, returned to in any order: what comes after one is forgotten, it stays good itself.
#[test]
fn savepoints_four_deep() {
    fn example<S: Subject>(mut subject: S) {
        let job = anywhere(&mut subject, 2, 4, 3);
        let fresh = subject.clone();
        let name = Name::Known(job);
        let step = |start| {
            let shift = Alteration::Shift {
                start: Slot::new(start),
            };
            [Call::Savepoint, Call::Alter(name, shift)]
        };
        let down = [step(4), step(6), step(8), step(10)].concat();
        for depth in 0..4 {
            let calls = [&down[..], &[Call::RollbackTo(depth)]].concat();
            let outcome = smooth(&mut subject.clone(), &calls, Ending::Plan(8));
            let (moves, _) = outcome.end.unwrap();
            let moved = Moved {
                whose: job,
                from: Some(place(2, 4, 3)),
                to: Some(place(2 + 2 * depth as u64, 4 + 2 * depth as u64, 3)),
            };
            let expected = if depth == 0 { vec![] } else { vec![moved] };
            assert_eq!(moves, expected);
        }
        // Back to the third, on, back to the first: the second is gone then, and the first can be used again.
        let tail = [
            Call::RollbackTo(2),
            Call::Alter(
                name,
                Alteration::Shift {
                    start: Slot::new(20),
                },
            ),
            Call::RollbackTo(0),
            Call::RollbackTo(1),
            Call::RollbackTo(3),
            Call::RollbackTo(0),
        ];
        let calls = [&down[..], &tail].concat();
        let outcome = transact(&mut subject, (LONG_LOG, u64::MAX), &calls, Ending::Commit);
        let bad = Err(UsageError::BadSavepoint.into());
        let told = answers(&outcome);
        assert_eq!(&told[11..], [bad.clone(), bad, Ok(Answer::Done)]);
        assert!(told[..11].iter().all(Result::is_ok));
        // One made in the very state that is returned to notes no later one.
        let twice = [
            Call::Savepoint,
            Call::Savepoint,
            Call::RollbackTo(0),
            Call::RollbackTo(1),
        ];
        let outcome = transact(&mut subject, (0, 0), &twice, Ending::Drop);
        assert_eq!(answers(&outcome)[3], Ok(Answer::Done));
        // Neither another savepoint nor as many changes as before bring the old one back.
        let shift = Alteration::Shift {
            start: Slot::new(20),
        };
        for since in [Call::Savepoint, Call::Alter(name, shift)] {
            let again = [Call::RollbackTo(0), since, Call::RollbackTo(1)];
            let calls = [&down[..], &again].concat();
            let outcome = transact(&mut subject, (LONG_LOG, u64::MAX), &calls, Ending::Drop);
            assert_eq!(answers(&outcome)[10], Err(UsageError::BadSavepoint.into()));
        }
        assert!(subject == fresh);
    }
    everywhere!(example);
}

/// A transaction that touches three rows before and after a savepoint and makes two: seven entries.
fn busy_calls<H: Copy>([one, two, three]: [H; 3]) -> Vec<Call<Name<H>>> {
    let known = Name::Known;
    let shift = |start| Alteration::Shift {
        start: Slot::new(start),
    };
    vec![
        Call::Alter(known(one), shift(10)),
        Call::Alter(known(one), shift(12)),
        Call::Lift(known(two)),
        Call::Insert(request(2, 3, 5, 2), Slot::new(2), Commitment::Confirmed),
        Call::Savepoint,
        Call::PlaceFirstFit(known(two), Slot::new(0)),
        Call::Split(known(three), Slot::new(6)),
        Call::Remove(known(one)),
    ]
}

fn busy_book<S: Subject>(subject: &mut S) -> [S::Handle; 3] {
    [(2, 5), (3, 6), (4, 8)].map(|(start, end)| anywhere(subject, start, end, 1))
}

/// Logs of every length: whatever does not fit is refused and changes nothing, what went before counts.
#[test]
fn logs_of_every_length() {
    fn example<S: Subject>(mut subject: S) {
        let calls = busy_calls(busy_book(&mut subject));
        // Entries in use when all is well: one per row and savepoint.
        let entries = [1, 1, 2, 3, 3, 4, 6, 7];
        let fresh = subject.clone();
        for log in 0..=8 {
            let mut tried = subject.clone();
            let outcome = transact(&mut tried, (log, u64::MAX), &calls, Ending::Drop);
            assert!(tried == fresh, "log of {log}");
            let first = entries.iter().position(|needed| *needed > log);
            let told = answers(&outcome);
            match first {
                Some(first) => {
                    assert!(
                        told[..first].iter().all(Result::is_ok),
                        "log of {log}: {told:?}"
                    );
                    assert_eq!(told[first], Err(Refusal::MoveLimit.into()), "log of {log}");
                }
                None => assert!(told.iter().all(Result::is_ok), "log of {log}: {told:?}"),
            }
            // Committed, too, when the calls end before the one that does not fit.
            let fitting = &calls[..first.unwrap_or(calls.len())];
            let end = transact(&mut tried, (log, u64::MAX), fitting, Ending::Commit).end;
            let lifted = (3..6).contains(&fitting.len());
            let committed = if lifted {
                Err(UsageError::StillLifted.into())
            } else {
                Ok((vec![], 0))
            };
            assert_eq!(end, committed, "log of {log}");
            assert_eq!(tried == fresh, lifted || fitting.is_empty(), "log of {log}");
            tried.check_invariants().unwrap();
        }
    }
    everywhere!(example);
}

/// Budgets of every size: each call is either within what is left of it or refused before anything is done.
#[test]
fn budgets_of_every_size() {
    fn example<S: Subject>(mut subject: S) {
        let calls = busy_calls(busy_book(&mut subject));
        // Lift and place, twice; lift; insert; nothing; three slots and the window from 0 to 32; a split as lift and place; remove.
        let costs = [6, 6, 3, 3, 0, 35, 8, 3];
        let fresh = subject.clone();
        let whole: u64 = costs.iter().sum();
        for work in 0..=whole + 1 {
            let mut tried = subject.clone();
            let outcome = transact(&mut tried, (LONG_LOG, work), &calls, Ending::Drop);
            assert!(tried == fresh, "work of {work}");
            let spent = |calls: usize| costs[..calls].iter().sum::<u64>();
            let first = (0..calls.len()).find(|call| spent(call + 1) > work);
            let told = answers(&outcome);
            match first {
                Some(first) => {
                    assert!(
                        told[..first].iter().all(Result::is_ok),
                        "work of {work}: {told:?}"
                    );
                    assert_eq!(
                        told[first],
                        Err(Refusal::WorkLimit.into()),
                        "work of {work}"
                    );
                }
                None => assert!(told.iter().all(Result::is_ok), "work of {work}: {told:?}"),
            }
        }
    }
    everywhere!(example);
}

/// A plan is applied after other things have happened, as long as what it moves is where it was.
#[test]
fn a_plan_is_applied_later() {
    fn example<S: Subject>(mut subject: S) {
        let early = anywhere(&mut subject, 2, 5, 4);
        let late = anywhere(&mut subject, 5, 8, 4);
        let given_up = anywhere(&mut subject, 20, 22, 1);
        let mut calls = swap((early, place(2, 5, 4)), (late, place(5, 8, 4)));
        calls.push(Call::Remove(Name::Known(given_up)));
        let fresh = subject.clone();
        let (moves, more) = smooth(&mut subject, &calls, Ending::Plan(8)).end.unwrap();
        assert_eq!((moves.len(), more), (3, 0));
        assert!(subject == fresh);
        let short = smooth(&mut subject, &calls, Ending::Plan(1)).end.unwrap();
        assert_eq!(short, (moves[..1].to_vec(), 2));
        anywhere(&mut subject, 10, 12, 4);
        advance(&mut subject, 1);
        let named = |moved: &Moved<S::Handle>| Moved {
            whose: Name::Known(moved.whose),
            from: moved.from,
            to: moved.to,
        };
        let apply = [Call::Apply(moves.iter().map(named).collect())];
        let mut tried = subject.clone();
        assert_eq!(
            smooth(&mut tried, &apply, Ending::Commit).end,
            Ok((vec![], 0))
        );
        assert_eq!(window_of(&mut tried, early), (5, 8));
        assert_eq!(window_of(&mut tried, late), (2, 5));
        assert_eq!(tried.get(given_up), Err(UsageError::StaleHandle.into()));
        // Outdated: one of them is elsewhere, or gone. Nothing is moved then.
        let elsewhere = Alteration::Shift {
            start: Slot::new(14),
        };
        let mut moved = subject.clone();
        moved.alter(late, elsewhere, 1).0.unwrap();
        let mut gone = subject.clone();
        gone.cancel(late).unwrap();
        for (mut outdated, reason) in [
            (moved, UsageError::StalePlan),
            (gone, UsageError::StaleHandle),
        ] {
            let known = outdated.clone();
            let outcome = transact(&mut outdated, (LONG_LOG, u64::MAX), &apply, Ending::Commit);
            assert_eq!(answers(&outcome), [Err(reason.into())]);
            assert_eq!(outcome.end, Ok((vec![], 0)));
            assert!(outdated == known);
        }
        // What has been inserted cannot be planned: there is nothing to move yet.
        let made = Moved {
            whose: Name::Known(early),
            from: None,
            to: Some(place(14, 16, 1)),
        };
        let calls = [Call::Apply(vec![made])];
        let outcome = transact(&mut subject, (LONG_LOG, u64::MAX), &calls, Ending::Drop);
        assert_eq!(answers(&outcome), [Err(UsageError::BadMove.into())]);
    }
    everywhere!(example);
}

/// Nothing is left of a transaction that is dropped, nor of one whose commit is refused.
#[test]
fn what_is_not_committed_leaves_nothing() {
    fn example<S: Subject>(mut subject: S) {
        let handles = busy_book(&mut subject);
        let calls = busy_calls(handles);
        let fresh = subject.clone();
        smooth(&mut subject, &calls, Ending::Drop);
        assert!(subject == fresh);
        let lifted = [Call::Lift(Name::Known(handles[0]))];
        for ending in [Ending::Commit, Ending::Plan(8)] {
            let end = transact(&mut subject, (1, 3), &lifted, ending).end;
            assert_eq!(end, Err(UsageError::StillLifted.into()));
            assert!(subject == fresh);
        }
    }
    everywhere!(example);
}

/// Rows that are removed become vacant at the commit, and no handle comes back.
#[test]
fn rows_become_vacant_at_the_commit() {
    fn example<S: Subject>(mut subject: S) {
        let narrow = request(0, 1, 32, 1);
        let book = |subject: &mut S| subject.book(&narrow, Policy::FirstFit, Commitment::Confirmed);
        let mut given: Vec<S::Handle> = (0..16).map(|_| book(&mut subject).unwrap().0).collect();
        let asked = request(20, 2, 22, 4);
        let insert = Call::Insert(asked, asked.ready, Commitment::Confirmed);
        let calls = [Call::Remove(Name::Known(given[3])), insert];
        let outcome = transact(&mut subject, (LONG_LOG, u64::MAX), &calls, Ending::Commit);
        let full = Err(Refusal::TableFull.into());
        assert_eq!(answers(&outcome), [Ok(Answer::Done), full]);
        for _ in 0..40 {
            let handle = reserve(&mut subject, asked, Commitment::Confirmed);
            assert!(!given.contains(&handle));
            given.push(handle);
            subject.cancel(handle).unwrap();
        }
    }
    everywhere!(example);
}

/// What can be done to a reservation.
const DEEDS: [(&str, Step); 14] = [
    ("shift", Step::Alter(FIRST, Change::Shift(4))),
    ("extend", Step::Alter(FIRST, Change::Extend(2))),
    ("shorten", Step::Alter(FIRST, Change::Shorten(1))),
    ("widen", Step::Alter(FIRST, Change::Widen(1))),
    ("narrow", Step::Alter(FIRST, Change::Narrow(1))),
    (
        "change-window",
        Step::Alter(FIRST, Change::Window { lead: 1, slack: 9 }),
    ),
    ("split", Step::Split(FIRST, 2)),
    ("lift", Step::Lift(FIRST)),
    ("place later", Step::Place(FIRST, hop(1, 0, 0))),
    ("place longer", Step::Place(FIRST, hop(0, 1, 0))),
    ("place wider", Step::Place(FIRST, hop(0, 0, 1))),
    ("place narrower", Step::Place(FIRST, hop(0, 0, -1))),
    ("place first fit", Step::FirstFit(FIRST, 0)),
    ("remove", Step::Remove(FIRST)),
];

const FIRST: Pick = Pick::Live(0);

const fn hop(by: i16, longer: i16, wider: i16) -> Spot {
    Spot::Near(Hop { by, longer, wider })
}

/// In which states that is allowed: held, confirmed, running, running with its end announced.
const ALLOWED: [[bool; 4]; 14] = [
    [true, true, false, false],
    [true, true, true, false],
    [true, true, true, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, false, false],
    [false, true, true, false],
    [true, true, true, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, false, false],
    [true, true, true, false],
    [true, true, false, false],
    [true, true, true, true],
];

/// A book with one reservation of 2 PEs for 6 slots in each state, with room around it.
fn in_state<S: Subject>(subject: S, state: usize) -> Harness<S> {
    let mut harness = Harness::new(subject);
    let ask = Ask {
        lead: 1,
        duration: 6,
        slack: 20,
        pes: 2,
        policy: 0,
    };
    let book = match state {
        0 => Operation::Hold { ask, ttl: 20 },
        _ => Operation::Reserve(ask),
    };
    harness.apply(&book).unwrap();
    if state >= 2 {
        let operations = [
            Operation::Advance { by: 2, room: 8 },
            // Not the last slot of it, so that there is something left to be shortened.
            Operation::Act(FIRST, Verb::Complete(4)),
        ];
        harness.apply_all(&operations[..state - 1]).unwrap();
    }
    harness
}

/// Every alteration in every state, by itself and in a transaction.
#[test]
fn the_table_of_alterations() {
    fn example<S: Subject>(subject: S) {
        for ((name, step), allowed) in DEEDS.into_iter().zip(ALLOWED) {
            for (state, allowed) in allowed.into_iter().enumerate() {
                let wrong = u64::from(!allowed);
                let mut harness = in_state(subject.clone(), state);
                let known = (harness.subject.clone(), harness.oracle.version());
                let place = matches!(step, Step::Place(..) | Step::FirstFit(..));
                // What cannot be lifted cannot be placed.
                let steps = if place {
                    vec![Step::Lift(FIRST), step]
                } else {
                    vec![step]
                };
                let script = Script::of(&steps, Finish::Drop);
                harness.apply(&Operation::Transaction(script)).unwrap();
                let reasons = [UsageError::WrongState, UsageError::NotLifted];
                let declined: u64 = reasons
                    .map(|reason| harness.tally.because(reason))
                    .iter()
                    .sum();
                let lifted_in_vain = u64::from(place && state == 3);
                assert_eq!(declined, wrong + lifted_in_vain, "{name} in state {state}");
                assert_eq!(harness.tally.declined, declined, "{name} in state {state}");
                let alone = match step {
                    Step::Alter(pick, change) => Operation::Alter {
                        pick,
                        change,
                        log: 1,
                    },
                    Step::Split(pick, after) => Operation::Split {
                        pick,
                        after,
                        log: 2,
                    },
                    _ => continue,
                };
                harness.apply(&alone).unwrap();
                assert_eq!(harness.tally.declined, 2 * wrong, "{name} in state {state}");
                assert_eq!(
                    harness.subject == known.0,
                    !allowed,
                    "{name} in state {state}"
                );
                assert_eq!(
                    harness.oracle.version() == known.1,
                    !allowed,
                    "{name} in state {state}"
                );
            }
        }
    }
    everywhere!(example);
}

/// What an alteration is refused for, beside the state: of a reservation of 2 PEs from 1 to 7, ready at 1 and due by 27, with another
/// of 3 PEs from 9 to 12.
#[test]
fn refused_alterations() {
    fn example<S: Subject>(mut subject: S) {
        let job = reserve(&mut subject, request(1, 6, 27, 2), Commitment::Confirmed);
        let other = reserve(&mut subject, request(9, 3, 12, 3), Commitment::Confirmed);
        let fresh = subject.clone();
        let slots = Span::new;
        let shift = |start| Alteration::Shift {
            start: Slot::new(start),
        };
        let window = |ready, deadline| Alteration::ChangeWindow {
            ready: Slot::new(ready),
            deadline: Slot::new(deadline),
        };
        let wide = PeCount::new;
        let cases: [(Alteration, Error); 17] = [
            (shift(0), Refusal::OutsideWindow.into()),
            (shift(22), Refusal::OutsideWindow.into()),
            (shift(8), Refusal::NoRoom.into()),
            (
                Alteration::Extend { duration: slots(6) },
                UsageError::WrongDirection.into(),
            ),
            (
                Alteration::Extend { duration: slots(0) },
                UsageError::WrongDirection.into(),
            ),
            (
                Alteration::Extend { duration: slots(9) },
                Refusal::NoRoom.into(),
            ),
            (
                Alteration::Extend {
                    duration: slots(32),
                },
                Refusal::BeyondHorizon.into(),
            ),
            (
                Alteration::Extend {
                    duration: slots(u32::MAX),
                },
                Refusal::BeyondHorizon.into(),
            ),
            (
                Alteration::Shorten { duration: slots(6) },
                UsageError::WrongDirection.into(),
            ),
            (
                Alteration::Shorten { duration: slots(0) },
                UsageError::ZeroDuration.into(),
            ),
            (
                Alteration::Widen { pes: wide(2) },
                UsageError::WrongDirection.into(),
            ),
            (Alteration::Widen { pes: wide(5) }, Refusal::TooWide.into()),
            (
                Alteration::Narrow { pes: wide(2) },
                UsageError::WrongDirection.into(),
            ),
            (
                Alteration::Narrow { pes: wide(0) },
                UsageError::ZeroPes.into(),
            ),
            (window(4, 9), Refusal::WindowTooShort.into()),
            (window(4, 33), Refusal::BeyondHorizon.into()),
            (window(5, 13), Refusal::NoRoom.into()),
        ];
        for (alteration, reason) in cases {
            let (refused, conflict) = subject.alter(job, alteration, 1);
            assert_eq!(refused, Err(reason), "{alteration:?}");
            let blocked = reason == Error::from(Refusal::NoRoom);
            let named = if blocked { vec![other] } else { vec![] };
            assert_eq!(
                (conflict.names, conflict.more),
                (named, 0),
                "{alteration:?}"
            );
            assert!(subject == fresh, "{alteration:?}");
        }
        // What is refused for want of a log entry, and what needs none.
        let (refused, _) = subject.alter(job, shift(2), 0);
        assert_eq!(refused, Err(Refusal::MoveLimit.into()));
        assert_eq!(subject.alter(job, shift(1), 0).0, Ok(place(1, 7, 2)));
        // A window that begins in the past is good if it began there before.
        let later = reserve(&mut subject, request(2, 1, 27, 1), Commitment::Confirmed);
        subject.alter(later, shift(15), 1).0.unwrap();
        advance(&mut subject, 5);
        let past = Err(Refusal::ReadyInPast.into());
        assert_eq!(subject.alter(later, window(3, 27), 1).0, past);
        assert_eq!(subject.alter(later, shift(4), 1).0, past);
        assert_eq!(subject.alter(later, window(2, 10), 1).0, Ok(place(5, 6, 1)));
        // One that runs cannot be shortened to the past, nor extended over others.
        let ended = Alteration::Shorten { duration: slots(4) };
        let outside = Err(Refusal::OutsideWindow.into());
        assert_eq!(subject.alter(job, ended, 1).0, outside);
        let extend = Alteration::Extend {
            duration: slots(29),
        };
        assert_eq!(subject.alter(job, extend, 1).0, Err(Refusal::NoRoom.into()));
        subject.cancel(other).unwrap();
        // Its deadline moves along.
        assert_eq!(subject.alter(job, extend, 1).0, Ok(place(1, 30, 2)));
        assert_eq!(subject.get(job).unwrap().request.deadline, Slot::new(30));
    }
    everywhere!(example);
}

/// A hold lasts through the slot of its start, whatever its time, and one that is moved lasts until its time or its new start.
#[test]
fn holds_end_with_their_start() {
    fn example<S: Subject>(mut subject: S) {
        let commitment = Commitment::Held { ttl: Span::new(5) };
        let expires = |subject: &mut S, hold| match subject.get(hold).unwrap().state {
            State::Held { expires } => expires.get(),
            state => panic!("{state:?}"),
        };
        reserve(&mut subject, request(0, 6, 6, 1), Commitment::Confirmed);
        assert_eq!(advance(&mut subject, 0), [(0, EventKind::Started)]);
        let hold = reserve(&mut subject, request(3, 2, 30, 1), commitment);
        assert_eq!(
            (expires(&mut subject, hold), subject.next_event()),
            (3, Some(Slot::new(4)))
        );
        let shift = |start| Alteration::Shift {
            start: Slot::new(start),
        };
        subject.alter(hold, shift(9), 1).0.unwrap();
        assert_eq!(
            (expires(&mut subject, hold), subject.next_event()),
            (5, Some(Slot::new(5)))
        );
        subject.alter(hold, shift(5), 1).0.unwrap();
        assert_eq!(
            (expires(&mut subject, hold), subject.next_event()),
            (5, Some(Slot::new(6)))
        );
        // As often as somebody asks.
        for _ in 0..2 {
            assert_eq!(advance(&mut subject, 5), []);
            assert_eq!(subject.next(Slot::new(5)), Ok(None));
        }
        let mut confirmed = subject.clone();
        confirmed.confirm(hold).unwrap();
        assert_eq!(confirmed.next_event(), Some(Slot::new(5)));
        assert_eq!(advance(&mut confirmed, 5), [(5, EventKind::Started)]);
        // With a full list time stays where it is, and it can be confirmed still.
        let mut full = subject.clone();
        let (how_far, _) = full.advance(Slot::new(8), 0).unwrap();
        assert_eq!(
            (how_far, full.now()),
            (Advanced::EventsWaiting, Slot::new(5))
        );
        full.confirm(hold).unwrap();
        let expected = [(5, EventKind::Missed), (6, EventKind::EndReached)];
        assert_eq!(advance(&mut full, 8), expected);
        // What starts with it comes before, what ends or starts in the slot behind after it.
        reserve(&mut subject, request(5, 2, 7, 1), Commitment::Confirmed);
        reserve(&mut subject, request(6, 1, 7, 1), Commitment::Confirmed);
        let expected = [
            (5, EventKind::Started),
            (5, EventKind::Expired),
            (6, EventKind::EndReached),
            (6, EventKind::Started),
        ];
        assert_eq!(advance(&mut subject, 6), expected);
        assert_eq!(subject.get(hold), Err(UsageError::StaleHandle.into()));
    }
    everywhere!(example);
}

/// What counts as a change of the book, and how often.
#[test]
fn the_revision_counts_changes() {
    fn example<S: Subject>(mut subject: S) {
        let mut known = 0;
        let mut counts = |subject: &mut S, changes: u64, what: &str| {
            known += changes;
            assert_eq!(subject.version().revision, known, "{what}");
        };
        let first = anywhere(&mut subject, 2, 5, 2);
        counts(&mut subject, 2, "a reservation and its window");
        let commitment = Commitment::Held { ttl: Span::new(1) };
        let hold = reserve(&mut subject, request(2, 3, 9, 2), commitment);
        counts(&mut subject, 1, "a hold");
        let calls = swap((first, place(2, 5, 2)), (hold, place(2, 5, 2)));
        smooth(&mut subject, &calls, Ending::Commit);
        counts(&mut subject, 0, "two that stay where they are");
        let calls = swap((first, place(2, 5, 2)), (hold, place(5, 8, 2)));
        smooth(&mut subject, &calls, Ending::Plan(0));
        counts(&mut subject, 0, "a plan");
        smooth(&mut subject, &calls, Ending::Commit);
        counts(&mut subject, 1, "a transaction");
        subject.split(first, Slot::new(6), 2).unwrap();
        counts(&mut subject, 1, "a split");
        advance(&mut subject, 1);
        counts(&mut subject, 1, "an expired hold");
        advance(&mut subject, 2);
        counts(&mut subject, 0, "time");
        let series = Series {
            first: request(10, 2, 12, 1),
            period: Span::new(3),
            count: 4,
            exceptions: &[2],
        };
        let commitment = Commitment::Confirmed;
        let (reserved, _) = subject.reserve_series(&series, Policy::FirstFit, commitment, 3, 3);
        counts(&mut subject, 1, "a series");
        assert_eq!(subject.cancel_all(&reserved.unwrap()), Ok(3));
        counts(&mut subject, 1, "several cancelled");
        assert_eq!(subject.cancel_all(&[]), Ok(0));
        counts(&mut subject, 0, "none cancelled");
    }
    everywhere!(example);
}

/// A series stands where each instance is free, or nowhere.
#[test]
fn series() {
    fn example<S: Subject>(mut subject: S) {
        let blocker = reserve(&mut subject, request(13, 2, 15, 3), Commitment::Confirmed);
        let fresh = subject.clone();
        let series = Series {
            first: request(2, 2, 5, 2),
            period: Span::new(10),
            count: 3,
            exceptions: &[],
        };
        let tight = Series {
            first: request(3, 2, 5, 2),
            ..series
        };
        let reserve = |subject: &mut S, series: &Series<'_>, log, room| {
            subject.reserve_series(series, Policy::FirstFit, Commitment::Confirmed, log, room)
        };
        let (refused, conflict) = reserve(&mut subject, &tight, 3, 3);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        let without = Series {
            exceptions: &[1, 7],
            ..tight
        };
        let (reserved, _) = reserve(&mut subject.clone(), &without, 2, 2);
        assert_eq!(reserved.unwrap().len(), 2);
        // The second would fit nowhere, and an error of the third comes first all the same.
        let far = Series {
            period: Span::new(10),
            count: 4,
            ..tight
        };
        let none = Series {
            exceptions: &[0, 1, 2],
            ..series
        };
        let at_once = Series {
            period: Span::ZERO,
            ..series
        };
        let nothing = Series {
            first: request(2, 0, 5, 2),
            ..series
        };
        let slack = Series {
            first: request(2, 2, 9, 2),
            ..series
        };
        let cases: [(Series<'_>, usize, usize, Error); 6] = [
            (none, 3, 3, UsageError::BadSeries.into()),
            (at_once, 3, 3, UsageError::BadSeries.into()),
            (slack, 3, 2, UsageError::TooManyParts.into()),
            (slack, 2, 3, Refusal::MoveLimit.into()),
            (far, 4, 4, Refusal::BeyondHorizon.into()),
            (nothing, 3, 3, UsageError::ZeroDuration.into()),
        ];
        for (series, log, room, reason) in cases {
            assert_eq!(reserve(&mut subject, &series, log, room).0, Err(reason));
            assert!(subject == fresh);
        }
        // The second instance slips, inside its own window.
        let late = Series {
            first: request(1, 2, 9, 2),
            period: Span::new(11),
            ..series
        };
        let (reserved, conflict) = reserve(&mut subject, &late, 3, 3);
        assert!(conflict.names.is_empty());
        let starts: Vec<u64> = reserved
            .unwrap()
            .into_iter()
            .map(|handle| window_of(&mut subject, handle).0)
            .collect();
        assert_eq!(starts, [1, 15, 23]);
    }
    everywhere!(example);
}

/// Parts start together, at the first start that suits all of them; what they are given is all they may have.
#[test]
fn together() {
    fn example<S: Subject>(mut subject: S) {
        let blocker = reserve(&mut subject, request(3, 5, 8, 3), Commitment::Confirmed);
        let part = |offset, duration, pes| Part {
            offset: Span::new(offset),
            duration: Span::new(duration),
            pes: PeCount::new(pes),
        };
        let parts = [part(0, 4, 1), part(2, 3, 2)];
        let window = Window {
            start: Slot::new(1),
            end: Slot::new(14),
        };
        let reserve = |subject: &mut S, window, parts: &[Part], log, room| {
            subject.reserve_together(window, parts, Commitment::Confirmed, log, room)
        };
        // The second part would meet the blocker unless all start at 6: then it begins at 8.
        let (reserved, conflict) = reserve(&mut subject, window, &parts, 2, 2);
        assert!(conflict.names.is_empty());
        let (start, handles) = reserved.unwrap();
        assert_eq!(start, Slot::new(6));
        for (handle, expected) in handles.iter().zip([(6, 10), (8, 11)]) {
            assert_eq!(window_of(&mut subject, *handle), expected);
            let request = subject.get(*handle).unwrap().request;
            assert_eq!((request.ready.get(), request.deadline.get()), expected);
            let moved = Alteration::Shift {
                start: Slot::new(20),
            };
            let outside = Err(Refusal::OutsideWindow.into());
            assert_eq!(subject.alter(*handle, moved, 1).0, outside);
        }
        assert_eq!(subject.cancel_all(&handles), Ok(2));
        let fresh = subject.clone();
        let short = Window {
            end: Slot::new(10),
            ..window
        };
        let (refused, conflict) = reserve(&mut subject, short, &parts, 2, 2);
        assert_eq!(refused, Err(Refusal::NoRoom.into()));
        assert_eq!((conflict.names, conflict.more), (vec![blocker], 0));
        let past = Window {
            end: Slot::new(5),
            ..window
        };
        let far = Window {
            end: Slot::new(33),
            ..window
        };
        let cases: [(Window, &[Part], usize, usize, Error); 9] = [
            (window, &[], 2, 2, UsageError::TooManyParts.into()),
            (window, &parts, 2, 1, UsageError::TooManyParts.into()),
            (window, &parts, 1, 2, Refusal::MoveLimit.into()),
            (
                window,
                &[part(0, 0, 1)],
                2,
                2,
                UsageError::ZeroDuration.into(),
            ),
            (window, &[part(0, 1, 0)], 2, 2, UsageError::ZeroPes.into()),
            (window, &[part(0, 1, 5)], 2, 2, Refusal::TooWide.into()),
            (past, &parts, 2, 2, Refusal::WindowTooShort.into()),
            (far, &parts, 2, 2, Refusal::BeyondHorizon.into()),
            (
                window,
                &[part(0, 1, 4), part(0, 1, 1)],
                2,
                2,
                Refusal::NoRoom.into(),
            ),
        ];
        for (window, parts, log, room, reason) in cases {
            let (refused, _) = reserve(&mut subject, window, parts, log, room);
            assert_eq!(refused.map(drop), Err(reason), "{parts:?}");
            assert!(subject == fresh);
        }
    }
    everywhere!(example);
}

/// Why three PEs for four slots cannot be had from 2 to 12 beside two PEs from 0 to 5 and two from 7 to 9.
#[test]
fn explanations() {
    fn example<S: Subject>(mut subject: S) {
        let first = reserve(&mut subject, request(0, 5, 5, 2), Commitment::Confirmed);
        let second = reserve(&mut subject, request(7, 2, 9, 2), Commitment::Confirmed);
        let asked = request(2, 4, 12, 3);
        let (explanation, obstacles) = subject.explain(&asked, 8).unwrap();
        let told = (explanation.fits, explanation.earlier, explanation.later);
        assert_eq!(told, (None, None, Some(Slot::new(9))));
        let plain = obstacles.iter().map(|one| {
            let holders = one.holders.names.clone();
            (one.start.get(), one.lacking.get(), one.at.get(), holders)
        });
        let expected = [
            (2, 1, 2, vec![first]),
            (3, 1, 3, vec![first]),
            (5, 1, 7, vec![second]),
            (7, 1, 7, vec![second]),
            (8, 1, 8, vec![second]),
        ];
        assert_eq!(plain.collect::<Vec<_>>(), expected);
        let (short, listed) = subject.explain(&asked, 2).unwrap();
        assert_eq!((short.more, listed), (3, obstacles[..2].to_vec()));
        // It fits one slot later, where the list ends.
        let longer = Request {
            deadline: Slot::new(13),
            ..asked
        };
        let (explanation, obstacles) = subject.explain(&longer, 8).unwrap();
        assert_eq!(explanation.fits, Some(Slot::new(9)));
        assert!(obstacles.iter().all(|one| one.start < Slot::new(9)));
        let window = |start, end| Window {
            start: Slot::new(start),
            end: Slot::new(end),
        };
        assert_eq!(subject.covering(window(4, 8)), [first, second]);
        assert_eq!(subject.covering(window(5, 7)), []);
        assert_eq!(subject.covering(window(8, 4)), []);
    }
    everywhere!(example);
}
