//! Transactions: cases worked by hand, logs and budgets of every size, and plans.

use crate::common::kernels;
use crate::common::worked::{
    advance, answers, anywhere, everywhere, on_sets, pes_of, place, request, reserve, smooth, swap,
    transact, window_of,
};
use bookahead::{
    Alteration, Commitment, EventKind, PeCount, Policy, Refusal, Slot, Span, UsageError,
};
use bookahead_commands::{Answer, Call, Ending, Kind, LONG_LOG, Moved, Number, Subject};

/// Two jobs that need the whole machine swap places. Undone one by one, each would stand where the other still is.
#[test]
fn two_swap_places() {
    fn example(mut subject: Box<dyn Subject>) {
        let early = anywhere(&mut subject, 2, 5, 4);
        let late = anywhere(&mut subject, 5, 8, 4);
        let fresh = subject.clone();
        let calls = swap((early, place(2, 5, 4)), (late, place(5, 8, 4)));
        for ending in [Ending::Drop, Ending::Plan(8)] {
            smooth(&mut subject, &calls, ending);
            assert!(*subject == *fresh, "{ending:?}");
        }
        let undone = [&[Call::Savepoint], &calls[..], &[Call::RollbackTo(0)]].concat();
        let revision = subject.state().version.revision;
        assert_eq!(
            smooth(&mut subject, &undone, Ending::Commit).end,
            Ok((vec![], 0))
        );
        assert_eq!(subject.state().version.revision, revision);
        assert_eq!(window_of(&mut subject, early), (2, 5));
        assert_eq!(
            pes_of(&mut subject, early),
            pes_of(&mut fresh.clone(), early)
        );
        smooth(&mut subject, &calls, Ending::Commit);
        assert_eq!(subject.state().version.revision, revision + 1);
        assert_eq!(window_of(&mut subject, early), (5, 8));
        assert_eq!(window_of(&mut subject, late), (2, 5));
        subject.state().invariants.unwrap();
    }
    everywhere!(example);
}

/// With named PEs a job that moves keeps its own where they are free, and two that swap keep each its own.
#[test]
fn own_pes_are_kept() {
    fn example(mut subject: Box<dyn Subject>) {
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
    fn example(mut subject: Box<dyn Subject>) {
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
        subject.state().invariants.unwrap();
    }
    everywhere!(example);
}

/// A running job cannot leave its PEs: longer only where they stay free, although others would be.
#[test]
fn a_running_job_keeps_its_pes() {
    fn example(mut subject: Box<dyn Subject>) {
        let running = reserve(&mut subject, request(0, 3, 9, 2), Commitment::Confirmed);
        let blocker = reserve(&mut subject, request(4, 3, 7, 1), Commitment::Confirmed);
        advance(&mut subject, 0);
        let extend = |duration| Alteration::Extend {
            duration: Span::new(duration),
        };
        assert_eq!(subject.alter(running, extend(4), 1).0, Ok(place(0, 4, 2)));
        let (refused, conflict) = subject.alter(running, extend(5), 1);
        let free = subject.size().kind == Kind::Counts;
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
    fn example(mut subject: Box<dyn Subject>) {
        let job = anywhere(&mut subject, 2, 4, 3);
        let fresh = subject.clone();
        let name = job;
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
        assert!(*subject == *fresh);
    }
    everywhere!(example);
}

/// A transaction that touches three rows before and after a savepoint and makes two: seven entries.
fn busy_calls([one, two, three]: [Number; 3]) -> Vec<Call> {
    let shift = |start| Alteration::Shift {
        start: Slot::new(start),
    };
    vec![
        Call::Alter(one, shift(10)),
        Call::Alter(one, shift(12)),
        Call::Lift(two),
        Call::Insert(request(2, 3, 5, 2), Slot::new(2), Commitment::Confirmed),
        Call::Savepoint,
        Call::PlaceFirstFit(two, Slot::new(0)),
        Call::Split(three, Slot::new(6)),
        Call::Remove(one),
    ]
}

fn busy_book(subject: &mut Box<dyn Subject>) -> [Number; 3] {
    [(2, 5), (3, 6), (4, 8)].map(|(start, end)| anywhere(subject, start, end, 1))
}

/// Logs of every length: whatever does not fit is refused and changes nothing, what went before counts.
#[test]
fn logs_of_every_length() {
    fn example(mut subject: Box<dyn Subject>) {
        let calls = busy_calls(busy_book(&mut subject));
        // Entries in use when all is well: one per row and savepoint.
        let entries = [1, 1, 2, 3, 3, 4, 6, 7];
        let fresh = subject.clone();
        for log in 0..=8 {
            let mut tried = subject.clone();
            let outcome = transact(&mut tried, (log, u64::MAX), &calls, Ending::Drop);
            assert!(*tried == *fresh, "log of {log}");
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
            assert_eq!(
                *tried == *fresh,
                lifted || fitting.is_empty(),
                "log of {log}"
            );
            tried.state().invariants.unwrap();
        }
    }
    everywhere!(example);
}

/// Budgets of every size: each call is either within what is left of it or refused before anything is done.
#[test]
fn budgets_of_every_size() {
    fn example(mut subject: Box<dyn Subject>) {
        let calls = busy_calls(busy_book(&mut subject));
        // Lift and place, twice; lift; insert; nothing; three slots and the window from 0 to 32; a split as lift and place; remove.
        let costs = [6, 6, 3, 3, 0, 35, 8, 3];
        let fresh = subject.clone();
        let whole: u64 = costs.iter().sum();
        for work in 0..=whole + 1 {
            let mut tried = subject.clone();
            let outcome = transact(&mut tried, (LONG_LOG, work), &calls, Ending::Drop);
            assert!(*tried == *fresh, "work of {work}");
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
    fn example(mut subject: Box<dyn Subject>) {
        let early = anywhere(&mut subject, 2, 5, 4);
        let late = anywhere(&mut subject, 5, 8, 4);
        let given_up = anywhere(&mut subject, 20, 22, 1);
        let mut calls = swap((early, place(2, 5, 4)), (late, place(5, 8, 4)));
        calls.push(Call::Remove(given_up));
        let fresh = subject.clone();
        let (moves, more) = smooth(&mut subject, &calls, Ending::Plan(8)).end.unwrap();
        assert_eq!((moves.len(), more), (3, 0));
        assert!(*subject == *fresh);
        let short = smooth(&mut subject, &calls, Ending::Plan(1)).end.unwrap();
        assert_eq!(short, (moves[..1].to_vec(), 2));
        anywhere(&mut subject, 10, 12, 4);
        advance(&mut subject, 1);
        let named = |moved: &Moved| Moved {
            whose: moved.whose,
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
            assert!(*outdated == *known);
        }
        // What has been inserted cannot be planned: there is nothing to move yet.
        let made = Moved {
            whose: early,
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
    fn example(mut subject: Box<dyn Subject>) {
        let handles = busy_book(&mut subject);
        let calls = busy_calls(handles);
        let fresh = subject.clone();
        smooth(&mut subject, &calls, Ending::Drop);
        assert!(*subject == *fresh);
        let lifted = [Call::Lift(handles[0])];
        for ending in [Ending::Commit, Ending::Plan(8)] {
            let end = transact(&mut subject, (1, 3), &lifted, ending).end;
            assert_eq!(end, Err(UsageError::StillLifted.into()));
            assert!(*subject == *fresh);
        }
    }
    everywhere!(example);
}

/// Rows that are removed become vacant at the commit, and no handle comes back.
#[test]
fn rows_become_vacant_at_the_commit() {
    fn example(mut subject: Box<dyn Subject>) {
        let narrow = request(0, 1, 32, 1);
        let book = |subject: &mut Box<dyn Subject>| {
            subject.book(&narrow, Policy::FirstFit, Commitment::Confirmed)
        };
        let mut given: Vec<Number> = (0..16).map(|_| book(&mut subject).unwrap().0).collect();
        let asked = request(20, 2, 22, 4);
        let insert = Call::Insert(asked, asked.ready, Commitment::Confirmed);
        let calls = [Call::Remove(given[3]), insert];
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
