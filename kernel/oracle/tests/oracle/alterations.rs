//! Every alteration of a reservation in every state, and what holds and revisions do.

use crate::common::kernels;
use crate::common::worked::{
    advance, anywhere, everywhere, on_sets, place, request, reserve, smooth, swap,
};
use bookahead::{
    Advanced, Alteration, Commitment, Error, EventKind, PeCount, Placement, Policy, Refusal,
    Series, Slot, Span, State, UsageError,
};
use bookahead_commands::{Call, Command, Ending, Kind, LONG_LOG, Number, Subject, Transact};
use bookahead_oracle::Harness;
use bookahead_oracle::generate::{LONG_LIST, later};

/// What is meant, given where the reservation is.
type Meant = fn(Placement) -> Call;

/// What can be done to the reservation.
const CALLS: [(&str, Meant); 14] = [
    ("shift", |place| {
        let start = later(place.start, 4);
        Call::Alter(FIRST, Alteration::Shift { start })
    }),
    ("extend", |place| {
        let duration = slots(place, 2);
        Call::Alter(FIRST, Alteration::Extend { duration })
    }),
    ("shorten", |place| {
        let duration = slots(place, -1);
        Call::Alter(FIRST, Alteration::Shorten { duration })
    }),
    ("widen", |place| {
        let pes = pes(place, 1);
        Call::Alter(FIRST, Alteration::Widen { pes })
    }),
    ("narrow", |place| {
        let pes = pes(place, -1);
        Call::Alter(FIRST, Alteration::Narrow { pes })
    }),
    ("change-window", |place| {
        // The book is in the slot before the start, or in the one behind it.
        let ready = later(place.start, 1);
        let deadline = later(ready.saturating_add(place.duration), 9);
        Call::Alter(FIRST, Alteration::ChangeWindow { ready, deadline })
    }),
    ("split", |place| Call::Split(FIRST, later(place.start, 2))),
    ("lift", |_| Call::Lift(FIRST)),
    ("place later", |place| {
        let start = later(place.start, 1);
        Call::Place(FIRST, Placement { start, ..place })
    }),
    ("place longer", |place| {
        let duration = slots(place, 1);
        Call::Place(FIRST, Placement { duration, ..place })
    }),
    ("place wider", |place| {
        let pes = pes(place, 1);
        Call::Place(FIRST, Placement { pes, ..place })
    }),
    ("place narrower", |place| {
        let pes = pes(place, -1);
        Call::Place(FIRST, Placement { pes, ..place })
    }),
    ("place first fit", |place| {
        Call::PlaceFirstFit(FIRST, place.start)
    }),
    ("remove", |_| Call::Remove(FIRST)),
];

/// The only reservation.
const FIRST: Number = 0;

/// So many slots more than it has.
fn slots(place: Placement, more: i32) -> Span {
    Span::new(place.duration.get().strict_add_signed(more))
}

/// So many PEs more than it has.
fn pes(place: Placement, more: i32) -> PeCount {
    PeCount::new(place.pes.get().strict_add_signed(more))
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
fn in_state(subject: Box<dyn Subject>, state: usize) -> Harness {
    let mut harness = Harness::new(subject);
    let ttl = Span::new(20);
    let terms = match state {
        0 => Commitment::Held { ttl },
        _ => Commitment::Confirmed,
    };
    let book = Command::Book(request(1, 6, 27, 2), Policy::FirstFit, terms);
    harness.apply(&book).unwrap();
    if state >= 2 {
        let commands = [
            Command::Advance(Slot::new(2), LONG_LIST),
            // Not the last slot of it, so that there is something left to be shortened.
            Command::Complete(FIRST, Slot::new(6)),
        ];
        harness.apply_all(&commands[..state - 1]).unwrap();
    }
    harness
}

/// Every alteration in every state, by itself and in a transaction.
#[test]
fn the_table_of_alterations() {
    fn example(subject: Box<dyn Subject>) {
        for ((name, call), allowed) in CALLS.into_iter().zip(ALLOWED) {
            for (state, allowed) in allowed.into_iter().enumerate() {
                let wrong = u64::from(!allowed);
                let mut harness = in_state(subject.clone(), state);
                let known = (harness.subject.clone(), harness.twin.oracle.version());
                let present = harness.twin.oracle.placement(FIRST).unwrap();
                let call = call(present);
                let place = matches!(call, Call::Place(..) | Call::PlaceFirstFit(..));
                // What cannot be lifted cannot be placed.
                let calls = if place {
                    vec![Call::Lift(FIRST), call.clone()]
                } else {
                    vec![call.clone()]
                };
                let transact = Transact {
                    log: LONG_LOG,
                    work: u64::MAX,
                    calls,
                    ending: Ending::Drop,
                    watched: vec![FIRST],
                };
                harness.apply(&Command::Transact(transact)).unwrap();
                let reasons = [UsageError::WrongState, UsageError::NotLifted];
                let declined: u64 = reasons
                    .map(|reason| harness.tally.because(reason))
                    .iter()
                    .sum();
                let lifted_in_vain = u64::from(place && state == 3);
                assert_eq!(declined, wrong + lifted_in_vain, "{name} in state {state}");
                assert_eq!(harness.tally.declined, declined, "{name} in state {state}");
                let alone = match call {
                    Call::Alter(number, alteration) => Command::Alter(number, alteration, 1),
                    Call::Split(number, at) => Command::Split(number, at, 2),
                    _ => continue,
                };
                harness.apply(&alone).unwrap();
                assert_eq!(harness.tally.declined, 2 * wrong, "{name} in state {state}");
                assert_eq!(
                    *harness.subject == *known.0,
                    !allowed,
                    "{name} in state {state}"
                );
                assert_eq!(
                    harness.twin.oracle.version() == known.1,
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
    fn example(mut subject: Box<dyn Subject>) {
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
            assert!(*subject == *fresh, "{alteration:?}");
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
    fn example(mut subject: Box<dyn Subject>) {
        let commitment = Commitment::Held { ttl: Span::new(5) };
        let expires = |subject: &mut Box<dyn Subject>, hold| match subject.get(hold).unwrap().state
        {
            State::Held { expires } => expires.get(),
            state => panic!("{state:?}"),
        };
        reserve(&mut subject, request(0, 6, 6, 1), Commitment::Confirmed);
        assert_eq!(advance(&mut subject, 0), [(0, EventKind::Started)]);
        let hold = reserve(&mut subject, request(3, 2, 30, 1), commitment);
        assert_eq!(
            (expires(&mut subject, hold), subject.state().next_event),
            (3, Some(Slot::new(4)))
        );
        let shift = |start| Alteration::Shift {
            start: Slot::new(start),
        };
        subject.alter(hold, shift(9), 1).0.unwrap();
        assert_eq!(
            (expires(&mut subject, hold), subject.state().next_event),
            (5, Some(Slot::new(5)))
        );
        subject.alter(hold, shift(5), 1).0.unwrap();
        assert_eq!(
            (expires(&mut subject, hold), subject.state().next_event),
            (5, Some(Slot::new(6)))
        );
        // As often as somebody asks.
        for _ in 0..2 {
            assert_eq!(advance(&mut subject, 5), []);
            assert_eq!(subject.next(Slot::new(5)), Ok(None));
        }
        let mut confirmed = subject.clone();
        confirmed.confirm(hold).unwrap();
        assert_eq!(confirmed.state().next_event, Some(Slot::new(5)));
        assert_eq!(advance(&mut confirmed, 5), [(5, EventKind::Started)]);
        // With a full list time stays where it is, and it can be confirmed still.
        let mut full = subject.clone();
        let (how_far, _) = full.advance(Slot::new(8), 0).unwrap();
        assert_eq!(
            (how_far, full.state().now),
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
    fn example(mut subject: Box<dyn Subject>) {
        let mut known = 0;
        let mut counts = |subject: &mut Box<dyn Subject>, changes: u64, what: &str| {
            known += changes;
            assert_eq!(subject.state().version.revision, known, "{what}");
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
