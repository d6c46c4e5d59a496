//! The commands.
//!
//! | line | answer |
//! |---|---|
//! | `open late\|early small\|large` | `opened` |
//! | `state MOVES` | `built LIVE REFUSED`: how many reservations live in it, how many moves were refused |
//! | `try OPERATION BOX` | `worst I A A A A S A A A A CALLS DONE` |
//!
//! MOVES are words, performed one by one on an empty book: `b START DURATION PES` books exactly there, `h START DURATION PES TTL`
//! holds, `c NUMBER` cancels the booking of that number (bookings and holds are counted from 0), `p SLOTS` lets time pass,
//! `f START DURATION PES` books there what may be moved anywhere, `q ESTIMATE PES` puts a job into the queue.
//! Slots count from `now`.
//!
//! BOX is up to four ranges `FROM..TO/STEP`, TO included, for the arguments of the operation; every point of it is tried, from the same state each time.
//! The answer names the most instructions and the arguments that took them, the most stack likewise, and how many
//! calls there were and how many did what they were asked to.

use core::str::SplitAsciiWhitespace;

use bookahead::{
    Book, Commitment, CountBook, Handle, PeBook, PeCount, Plan, Policy, Request, Slot, Span,
    raw::Ring,
};
use heapless::Vec;

use crate::{
    beside::{self, Beside},
    book::Memory,
    console::Console,
    operation::{Arguments, Cost, Events, Operation, calibrate, perform},
};

/// 256 slots, 32 processing elements, 32 reservations.
type SmallLate = CountBook<4, 32, 32>;
type SmallEarly = PeBook<u32, 4, 1, 32>;
/// 1,024 slots, 64 processing elements, 64 reservations.
type LargeLate = CountBook<16, 64, 64>;
type LargeEarly = PeBook<u32, 16, 2, 64>;

/// Answers the host until it has no more to say.
pub fn run(console: &mut Console) {
    let mut opened = console.read_line();
    while let Some(line) = opened {
        opened = match line.as_str() {
            "open late small" => serve::<SmallLate>(console),
            "open early small" => serve::<SmallEarly>(console),
            "open late large" => serve::<LargeLate>(console),
            "open early large" => serve::<LargeEarly>(console),
            other => panic!("no book is open, and this opens none: {other}"),
        };
    }
}

/// Measures one book, until the host opens another, and returns that line.
fn serve<M: Memory>(console: &mut Console) -> Option<heapless::String<4096>> {
    console.answer(format_args!("opened"));
    let mut bench = Bench::<M>::new();
    loop {
        let line = console.read_line()?;
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("state") => {
                let refused = bench.build(&mut words);
                let live = bench.base.open().len();
                console.answer(format_args!("built {live} {refused}"));
            }
            Some("try") => {
                let name = words.next().expect("try what?");
                let operation = Operation::from_name(name).expect("a known operation");
                let worst = bench.sweep(operation, parse_box(&mut words));
                let ([a, b, c, d], [e, f, g, h]) = (worst.slowest, worst.deepest);
                console.answer(format_args!(
                    "worst {} {a} {b} {c} {d} {} {e} {f} {g} {h} {} {}",
                    worst.instructions, worst.stack, worst.calls, worst.done
                ));
            }
            _ => return Some(line),
        }
    }
}

/// A range of one argument, its end included.
#[derive(Clone, Copy)]
struct Range {
    from: u32,
    to: u32,
    step: u32,
}

impl Range {
    const ZERO: Self = Self {
        from: 0,
        to: 0,
        step: 1,
    };

    fn values(self) -> impl Iterator<Item = u32> {
        (self.from..=self.to).step_by(self.step as usize)
    }
}

fn parse_box(words: &mut SplitAsciiWhitespace<'_>) -> [Range; 4] {
    let mut ranges = [Range::ZERO; 4];
    for (range, word) in ranges.iter_mut().zip(words) {
        let (from, rest) = word.split_once("..").expect("a range FROM..TO/STEP");
        let (to, step) = rest.split_once('/').expect("a range FROM..TO/STEP");
        *range = Range {
            from: number(from),
            to: number(to),
            step: number(step),
        };
    }
    ranges
}

fn number(word: &str) -> u32 {
    word.parse().expect("a number")
}

/// The worst of a sweep.
#[derive(Default)]
struct Worst {
    instructions: u32,
    slowest: Arguments,
    stack: u32,
    deepest: Arguments,
    calls: u32,
    done: u32,
}

impl Worst {
    fn note(&mut self, cost: Cost, arguments: Arguments) {
        if cost.instructions > self.instructions {
            (self.instructions, self.slowest) = (cost.instructions, arguments);
        }
        if cost.stack > self.stack {
            (self.stack, self.deepest) = (cost.stack, arguments);
        }
        self.calls += 1;
        self.done += u32::from(cost.done);
    }
}

/// A state and what is done in it.
struct Bench<M: Memory> {
    base: M,
    /// What stands beside the book of the state.
    beside: Beside<M::Part>,
    /// Where it is done.
    work: M,
    work_beside: Beside<M::Part>,
    /// The names of the bookings of the state.
    handles: Vec<Handle, 256>,
    /// What measuring itself takes.
    overhead: u32,
}

impl<M: Memory> Bench<M> {
    fn new() -> Self {
        Self {
            base: M::fresh(),
            beside: Beside::fresh(),
            work: M::fresh(),
            work_beside: Beside::fresh(),
            handles: Vec::new(),
            overhead: calibrate(),
        }
    }

    /// Makes the state anew; how many moves were refused.
    fn build(&mut self, moves: &mut SplitAsciiWhitespace<'_>) -> u32 {
        self.base = M::fresh();
        self.beside = Beside::fresh();
        self.handles.clear();
        let mut book = self.base.open();
        let mut queue = self.beside.jobs.view();
        let mut refused = 0;
        while let Some(word) = moves.next() {
            let mut next = || number(moves.next().expect("a move is complete"));
            let now = book.now();
            match word {
                "b" | "h" => {
                    let start = now.saturating_add(Span::new(next()));
                    let duration = Span::new(next());
                    let request = Request {
                        ready: start,
                        duration,
                        deadline: start.saturating_add(duration),
                        pes: PeCount::new((next() as u16).into()),
                    };
                    let booked = if word == "b" {
                        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
                    } else {
                        book.reserve(
                            &request,
                            Policy::FirstFit,
                            Commitment::Held {
                                ttl: Span::new(next()),
                            },
                        )
                    };
                    refused += u32::from(booked.is_err());
                    let handle = booked.map_or(Handle::from_bits(u64::MAX), |booked| booked.handle);
                    self.handles.push(handle).expect("a state is small");
                }
                "f" => {
                    let start = now.saturating_add(Span::new(next()));
                    let booked = book_free(&mut book, start, next(), next());
                    refused += u32::from(booked.is_none());
                    let handle = booked.unwrap_or(Handle::from_bits(u64::MAX));
                    self.handles.push(handle).expect("a state is small");
                }
                "q" => {
                    let submitted = queue.submit(&mut book, &beside::job(next(), next()));
                    refused += u32::from(submitted.is_err());
                }
                "c" => {
                    let handle = self.handles.get(next() as usize);
                    let handle = handle.copied().unwrap_or(Handle::from_bits(u64::MAX));
                    refused += u32::from(book.cancel(handle).is_err());
                }
                "p" => {
                    let to = now.saturating_add(Span::new(next()));
                    let mut events = Events::new();
                    let advanced = queue.advance(&mut book, to, &mut events);
                    assert!(advanced.is_ok(), "time can pass");
                    assert!(book.now() == to, "there is room for all events");
                }
                other => panic!("no such move: {other}"),
            }
        }
        refused
    }

    fn perform(&mut self, operation: Operation, arguments: Arguments) -> Cost {
        self.work.restore(&self.base);
        self.work_beside.jobs.clone_from(&self.beside.jobs);
        let mut cost = perform(
            &mut self.work.open(),
            &mut self.work_beside,
            &self.handles,
            operation,
            arguments,
        );
        cost.instructions = cost.instructions.saturating_sub(self.overhead);
        cost
    }

    fn sweep(&mut self, operation: Operation, ranges: [Range; 4]) -> Worst {
        let mut worst = Worst::default();
        let [first, second, third, fourth] = ranges;
        for a in first.values() {
            for b in second.values() {
                for c in third.values() {
                    for d in fourth.values() {
                        let arguments = [a, b, c, d];
                        worst.note(self.perform(operation, arguments), arguments);
                    }
                }
            }
        }
        worst
    }
}

/// Books exactly there what may be moved to any place on the ring.
fn book_free<R: Ring>(
    book: &mut Book<'_, R>,
    start: Slot,
    duration: u32,
    pes: u32,
) -> Option<Handle> {
    let request = Request {
        ready: book.now(),
        duration: Span::new(duration),
        deadline: book.now().saturating_add(book.horizon()),
        pes: PeCount::new((pes as u16).into()),
    };
    let plan = Plan::new(request, start, book.version())?;
    book.commit(&plan, Commitment::Confirmed).ok()
}
