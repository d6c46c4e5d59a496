//! Small worlds worked by hand, on the twin and on the kernel's books.

use bookahead::{
    Alteration, Commitment, EventKind, PeCount, Placement, Policy, Request, Slot, Span, Window,
};
use bookahead_commands::{Answered, Call, Ending, LONG_LOG, Number, Outcome, Subject, Transact};

/// Runs `example` on the twin and on the kernel's books of 4 PEs, 32 slots and 16 rows.
macro_rules! everywhere {
    ($example:expr) => {
        $example(kernels::twin(Kind::Counts, 4, 32, 16));
        $example(kernels::counts(4, 32, 16));
        on_sets!($example);
    };
}

/// The same where PEs are bound early.
macro_rules! on_sets {
    ($example:expr) => {
        $example(kernels::twin(Kind::Sets, 4, 32, 16));
        $example(kernels::narrow(4, 32, 16));
        $example(kernels::wide(4, 32, 16));
    };
}

/// So many PEs from `start` to `end`.
pub const fn place(start: u64, end: u64, pes: u32) -> Placement {
    Placement {
        start: Slot::new(start),
        duration: Span::new((end - start) as u32),
        pes: PeCount::new(pes),
    }
}

/// A request for so many PEs from `ready` to `deadline`, `duration` slots long.
pub const fn request(ready: u64, duration: u32, deadline: u64, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}

/// Books at the ready time.
pub fn reserve(subject: &mut Box<dyn Subject>, request: Request, commitment: Commitment) -> Number {
    let (handle, start) = subject
        .book(&request, Policy::FirstFit, commitment)
        .unwrap();
    assert_eq!(start, request.ready);
    handle
}

/// Books from `start` to `end`, with a window of the whole ring behind slot 0.
pub fn anywhere(subject: &mut Box<dyn Subject>, start: u64, end: u64, pes: u16) -> Number {
    let asked = Request {
        deadline: Slot::new(32),
        ..request(start, (end - start) as u32, end, pes.into())
    };
    let handle = reserve(subject, asked, Commitment::Confirmed);
    let window = Alteration::ChangeWindow {
        ready: Slot::new(0),
        deadline: Slot::new(32),
    };
    let (altered, _) = subject.alter(handle, window, 1);
    assert_eq!(altered, Ok(place(start, end, pes.into())));
    handle
}

/// Lets time pass; what happened, and when.
pub fn advance(subject: &mut Box<dyn Subject>, to: u64) -> Vec<(u64, EventKind)> {
    let (_, events) = subject.advance(Slot::new(to), 8).unwrap();
    let told = events.iter().map(|event| (event.at.get(), event.kind));
    told.collect()
}

/// Runs calls with room for so many entries in the log and so much work.
pub fn transact(
    subject: &mut Box<dyn Subject>,
    (log, work): (usize, u64),
    calls: &[Call],
    ending: Ending,
) -> Outcome {
    subject.transact(Transact {
        log,
        work,
        calls: calls.to_vec(),
        ending,
        watched: Vec::new(),
    })
}

/// What the calls answered.
pub fn answers(outcome: &Outcome) -> Vec<Answered> {
    let answers = outcome.answers.iter();
    answers.map(|(answer, _)| answer.clone()).collect()
}

/// Runs calls that must all succeed, without limits.
pub fn smooth(subject: &mut Box<dyn Subject>, calls: &[Call], ending: Ending) -> Outcome {
    let outcome = transact(subject, (LONG_LOG, u64::MAX), calls, ending);
    for (call, answer) in calls.iter().zip(answers(&outcome)) {
        assert!(answer.is_ok(), "{call:?}: {answer:?}");
    }
    assert_eq!(outcome.answers.len(), calls.len());
    outcome
}

/// The PEs of a reservation.
pub fn pes_of(subject: &mut Box<dyn Subject>, handle: Number) -> Vec<u16> {
    subject.pes_of(handle).unwrap()
}

/// Where a reservation begins and ends.
pub fn window_of(subject: &mut Box<dyn Subject>, handle: Number) -> (u64, u64) {
    let Window { start, end } = subject.get(handle).unwrap().window;
    (start.get(), end.get())
}

/// The calls by which two reservations swap their windows.
pub fn swap(one: (Number, Placement), other: (Number, Placement)) -> Vec<Call> {
    vec![
        Call::Lift(one.0),
        Call::Lift(other.0),
        Call::Place(one.0, other.1),
        Call::Place(other.0, one.1),
    ]
}

pub(crate) use {everywhere, on_sets};
