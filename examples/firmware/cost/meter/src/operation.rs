//! The operations that are measured.

use core::{arch::asm, hint::black_box};

use bookahead::{
    Alteration, Alternative, Book, Commitment, Conflict, Event, Handle, Juggling, Obstacle, Order,
    PeCount, Placement, Policy, Request, Search, Span, Suggesting, Window, raw::Ring,
};
use heapless::Vec;

use crate::{
    beside::{self, Beside},
    clock, stack,
};

/// A public operation of a book.
#[derive(Clone, Copy)]
pub enum Operation {
    Plan(Policy),
    Reserve(Policy),
    Hold(Policy),
    Commit,
    Confirm,
    Cancel,
    Complete,
    Advance,
    Next,
    NextEvent,
    Get,
    PesOf,
    Iter,
    StartingAt,
    Records,
    CandidateStarts,
    FreeDuring,
    Rectangle,
    CheckInvariants,
    Explain,
    Offers(Search),
    Juggle,
    Alternatives,
    Submit,
    QueueAdvance,
    Alter(Kind),
    Split,
    /// Eight moves, and whether they are committed; otherwise they are rolled back.
    EightMoves(bool),
}

/// The kinds of alterations.
#[derive(Clone, Copy)]
pub enum Kind {
    Shift,
    Extend,
    Shorten,
    Widen,
    Narrow,
    ChangeWindow,
}

impl Operation {
    /// The operation of that name; what it takes behind a colon is a policy, a search, or a kind of alteration.
    pub fn from_name(name: &str) -> Option<Self> {
        let (verb, which) = match name.split_once(':') {
            Some((verb, which)) => (verb, Some(which)),
            None => (name, None),
        };
        Some(match (verb, which) {
            ("plan", Some(policy)) => Self::Plan(Policy::from_name(policy)?),
            ("reserve", Some(policy)) => Self::Reserve(Policy::from_name(policy)?),
            ("hold", Some(policy)) => Self::Hold(Policy::from_name(policy)?),
            ("offers", Some(search)) => Self::Offers(Search::from_name(search)?),
            ("alter", Some(kind)) => Self::Alter(Kind::from_name(kind)?),
            ("eight_moves", Some("committed")) => Self::EightMoves(true),
            ("eight_moves", Some("rolled-back")) => Self::EightMoves(false),
            ("split", None) => Self::Split,
            ("submit", None) => Self::Submit,
            ("queue_advance", None) => Self::QueueAdvance,
            ("commit", None) => Self::Commit,
            ("confirm", None) => Self::Confirm,
            ("cancel", None) => Self::Cancel,
            ("complete", None) => Self::Complete,
            ("advance", None) => Self::Advance,
            ("next", None) => Self::Next,
            ("explain", None) => Self::Explain,
            ("juggle", None) => Self::Juggle,
            ("alternatives", None) => Self::Alternatives,
            ("next_event", None) => Self::NextEvent,
            ("get", None) => Self::Get,
            ("pes_of", None) => Self::PesOf,
            ("iter", None) => Self::Iter,
            ("starting_at", None) => Self::StartingAt,
            ("records", None) => Self::Records,
            ("candidate_starts", None) => Self::CandidateStarts,
            ("free_during", None) => Self::FreeDuring,
            ("rectangle", None) => Self::Rectangle,
            ("check_invariants", None) => Self::CheckInvariants,
            _ => return None,
        })
    }
}

impl Kind {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "shift" => Self::Shift,
            "extend" => Self::Extend,
            "shorten" => Self::Shorten,
            "widen" => Self::Widen,
            "narrow" => Self::Narrow,
            "change-window" => Self::ChangeWindow,
            _ => return None,
        })
    }
}

/// Up to four numbers, whose meaning depends on the operation. Slots count from `now`.
///
/// For those that take a request: ready, duration, deadline, processing elements. For those that take a handle: the number of the
/// booking in the state, and for `complete` the slot. For `advance` and `starting_at`: the slot. For `free_during`: start and
/// end; for `rectangle`: start and duration. For offers: the code of the order, duration, deadline, processing elements, 0 for what is not given. For `submit`:
/// estimate and processing elements. For an alteration: the number of the booking, and what is new; for a changed window, ready and
/// deadline. For `split` the number and the slot. For eight moves: the number of the first booking, and whether each goes
/// back to where it was (0), to where the next one was (1), or one slot later (2).
pub type Arguments = [u32; 4];

/// What an operation took.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub instructions: u32,
    /// Bytes.
    pub stack: u32,
    /// Whether it did what it was asked to; a refusal is no failure.
    pub done: bool,
}

/// How room is made: the search ends after so much work, as a device wants it to.
const RULES: Juggling<'_> = Juggling {
    work: 1_000,
    ..Juggling::by(Order::EarliestDeadline)
};

/// As many events as a book of the larger size has reservations, twice.
pub type Events = Vec<Event, 128>;

/// Performs `operation` once and measures it.
pub fn perform<R: Ring>(
    book: &mut Book<'_, R>,
    beside: &mut Beside<R::Part>,
    handles: &[Handle],
    operation: Operation,
    arguments: Arguments,
) -> Cost {
    let [first, second, third, fourth] = arguments;
    let now = book.now();
    let slot = |offset| now.saturating_add(Span::new(offset));
    let request = Request {
        ready: slot(first),
        duration: Span::new(second),
        deadline: slot(third),
        pes: PeCount::new((fourth as u16).into()),
    };
    let handle = handles
        .get(first as usize)
        .copied()
        .unwrap_or(Handle::from_bits(u64::MAX));
    match operation {
        Operation::Plan(policy) => measure(|| keep(book.plan(&request, policy)).is_ok()),
        Operation::Reserve(policy) => {
            measure(|| keep(book.reserve(&request, policy, Commitment::Confirmed)).is_ok())
        }
        Operation::Hold(policy) => measure(|| {
            keep(book.reserve(&request, policy, Commitment::Held { ttl: Span::new(1) })).is_ok()
        }),
        Operation::Commit => match book.plan(&request, Policy::FirstFit) {
            Ok(plan) => measure(|| keep(book.commit(&plan, Commitment::Confirmed)).is_ok()),
            Err(_) => Cost::default(),
        },
        Operation::Confirm => measure(|| keep(book.confirm(handle)).is_ok()),
        Operation::Cancel => measure(|| keep(book.cancel(handle)).is_ok()),
        Operation::Complete => measure(|| keep(book.complete(handle, slot(second))).is_ok()),
        Operation::Advance => {
            let mut events = Events::new();
            measure(|| keep(book.advance(slot(first), &mut events)).is_ok())
        }
        // Slot by slot, as a main loop calls it.
        Operation::Next => measure(|| keep(book.next(slot(1))).is_ok()),
        Operation::NextEvent => measure(|| keep(book.next_event()).is_some()),
        Operation::Get => measure(|| keep(book.get(handle)).is_ok()),
        Operation::PesOf => measure(|| match book.pes_of(handle) {
            Ok(pes) => drain(pes),
            Err(_) => false,
        }),
        Operation::Iter => measure(|| drain(book.iter())),
        Operation::StartingAt => measure(|| drain(book.starting_at(slot(first)))),
        Operation::Records => measure(|| drain(book.records())),
        Operation::CandidateStarts => measure(|| match book.candidate_starts(&request) {
            Ok(starts) => drain(starts),
            Err(_) => false,
        }),
        Operation::FreeDuring => {
            let window = Window {
                start: slot(first),
                end: slot(second),
            };
            measure(|| keep(book.free_during(window)).is_some())
        }
        Operation::Rectangle => {
            measure(|| keep(book.rectangle(slot(first), Span::new(second))).is_some())
        }
        Operation::CheckInvariants => measure(|| keep(book.check_invariants()).is_ok()),
        Operation::Explain => {
            let mut obstacles = Vec::<Obstacle, 4>::new();
            measure(|| keep(book.explain(&request, &mut obstacles)).is_ok())
        }
        Operation::Juggle => measure(|| {
            keep(book.juggle(&request, Commitment::Confirmed, &RULES, beside.workspace())).is_ok()
        }),
        Operation::Alternatives => {
            let (firm, wanted) = (Commitment::Confirmed, Suggesting::ALL);
            let mut found = Vec::<Alternative, 4>::new();
            measure(|| {
                let workspace = beside.workspace();
                keep(book.alternatives(&request, firm, &RULES, &wanted, workspace, &mut found))
                    .is_ok()
            })
        }
        Operation::Offers(search) => {
            let (query, terms) = beside::query(book, search, arguments);
            let mut offers = beside::Offers::new();
            measure(|| keep(book.offers(&query, &terms, &mut offers)).is_ok())
        }
        Operation::Submit => {
            let (job, mut queue) = (beside::job(first, second), beside.jobs.view());
            measure(|| keep(queue.submit(book, &job)).is_ok())
        }
        Operation::QueueAdvance => {
            let (mut events, mut queue) = (Events::new(), beside.jobs.view());
            measure(|| keep(queue.advance(book, slot(first), &mut events)).is_ok())
        }
        Operation::Alter(kind) => {
            let alteration = match kind {
                Kind::Shift => Alteration::Shift {
                    start: slot(second),
                },
                Kind::Extend => Alteration::Extend {
                    duration: Span::new(second),
                },
                Kind::Shorten => Alteration::Shorten {
                    duration: Span::new(second),
                },
                Kind::Widen => Alteration::Widen {
                    pes: PeCount::new((second as u16).into()),
                },
                Kind::Narrow => Alteration::Narrow {
                    pes: PeCount::new((second as u16).into()),
                },
                Kind::ChangeWindow => Alteration::ChangeWindow {
                    ready: slot(second),
                    deadline: slot(third),
                },
            };
            let mut conflict = Conflict::NONE;
            measure(|| {
                keep(book.alter(handle, alteration, beside.workspace(), &mut conflict)).is_ok()
            })
        }
        Operation::Split => {
            measure(|| keep(book.split(handle, slot(second), beside.workspace())).is_ok())
        }
        Operation::EightMoves(committed) => match eight_moves(book, handles, first, second) {
            Some(moves) => measure(|| keep(move_all(book, beside, &moves, committed))),
            None => Cost::default(),
        },
    }
}

/// Eight bookings from number `first` on that live, and where they are to go.
fn eight_moves<R: Ring>(
    book: &Book<'_, R>,
    handles: &[Handle],
    first: u32,
    whereto: u32,
) -> Option<[(Handle, Placement); 8]> {
    let round = handles.iter().cycle().skip(first as usize);
    let mut live = round.take(handles.len()).filter_map(|handle| {
        let reservation = book.get(*handle).ok()?;
        let placement = Placement {
            start: reservation.window.start,
            duration: reservation.window.len()?,
            pes: reservation.request.pes,
        };
        Some((*handle, placement))
    });
    let mut moves = [live.next()?; 8];
    for place in &mut moves[1..] {
        *place = live.next()?;
    }
    let before = moves;
    for (index, (_, placement)) in moves.iter_mut().enumerate() {
        placement.start = match whereto {
            0 => placement.start,
            1 => before[(index + 1) % 8].1.start,
            _ => placement.start.saturating_add(Span::new(1)),
        };
    }
    Some(moves)
}

/// Lifts all and places all, and says whether that succeeded.
fn move_all<R: Ring>(
    book: &mut Book<'_, R>,
    beside: &mut Beside<R::Part>,
    moves: &[(Handle, Placement); 8],
    committed: bool,
) -> bool {
    let mut transaction = book.transaction(beside.workspace(), u64::MAX);
    for (handle, _) in moves {
        if transaction.lift(*handle).is_err() {
            return false;
        }
    }
    for (handle, placement) in moves {
        if transaction.place(*handle, *placement).is_err() {
            return false;
        }
    }
    !committed || transaction.commit().is_ok()
}

/// Says that a result is wanted.
fn keep<T>(value: T) -> T {
    black_box(value)
}

/// Takes all that an iterator has, and says whether that was anything.
fn drain<T>(items: impl Iterator<Item = T>) -> bool {
    let mut any = false;
    for item in items {
        keep(item);
        any = true;
    }
    any
}

/// What measuring itself takes, in instructions, after a check that known sequences are counted exactly.
pub fn calibrate() -> u32 {
    let overhead = measure(|| true).instructions;
    let counted = |cost: Cost| cost.instructions - overhead;
    let ones = measure(|| {
        // SAFETY: does nothing.
        unsafe { asm!("nop", options(nomem, nostack)) };
        true
    });
    assert_eq!(counted(ones), 1, "one instruction");
    let hundreds = measure(|| {
        // SAFETY: does nothing, many times.
        unsafe { asm!(".rept 777", "nop", ".endr", options(nomem, nostack)) };
        true
    });
    assert_eq!(counted(hundreds), 777, "hundreds of instructions");
    let millions = measure(|| {
        // SAFETY: counts a register of its own down.
        unsafe {
            asm!(
                "movw {n}, #0x4240",
                "movt {n}, #0x000F",
                "2:",
                "subs {n}, #1",
                "bne 2b",
                n = out(reg) _,
                options(nomem, nostack)
            );
        }
        true
    });
    assert_eq!(counted(millions), 2_000_002, "millions of instructions");
    overhead
}

fn measure(mut operation: impl FnMut() -> bool) -> Cost {
    measure_call(&mut operation)
}

/// One place for all, so that what surrounds the call costs the same each time.
#[inline(never)]
fn measure_call(operation: &mut dyn FnMut() -> bool) -> Cost {
    let top = stack::paint();
    let before = clock::read();
    let done = operation();
    let after = clock::read();
    let stack = stack::depth(top);
    Cost {
        instructions: clock::instructions(before, after),
        stack,
        done,
    }
}
