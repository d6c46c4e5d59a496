//! Operations on a book without a twin: nothing but panics and broken invariants counts.

use std::hint::black_box;

use bookahead::{
    Advanced, Book, Event, Handle, PeCount, Policy, Request, Ring, Slot, Span, Terms, Window,
};
use bookahead_oracle::{Ask, Disturbance, Operation, Pick, Verb};

/// A book's handles so far, live or not.
pub type Handles = Vec<Handle>;

/// Calls what `operation` says.
pub fn operate<R: Ring>(book: &mut Book<'_, R>, operation: &Operation, handles: &mut Handles) {
    match *operation {
        Operation::Reserve(ask) => {
            let booking = book.reserve(&request(book.now(), ask), policy(ask.policy));
            handles.extend(booking.map(|booking| booking.handle));
        }
        Operation::Hold { ask, ttl } => {
            let request = request(book.now(), ask);
            let booking = book.hold(&request, policy(ask.policy), Span::new(ttl));
            handles.extend(booking.map(|booking| booking.handle));
        }
        Operation::Act(pick, verb) => act(book, pick, verb, handles),
        Operation::Advance { by, .. } => {
            advance(book, book.now().saturating_add(Span::new(by.into())));
        }
        Operation::PlanCommit { ask, ttl, between } => {
            let Ok(plan) = book.plan(&request(book.now(), ask), policy(ask.policy)) else {
                return;
            };
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            let terms = ttl.map_or(Terms::Confirmed, |ttl| Terms::Held {
                ttl: Span::new(ttl.into()),
            });
            handles.extend(book.commit(&plan, terms));
        }
        Operation::ReserveAt {
            ready,
            duration,
            deadline,
            pes,
            policy: index,
        } => {
            let request = Request {
                ready: Slot::new(ready),
                duration: Span::new(duration),
                deadline: Slot::new(deadline),
                pes: PeCount::new(pes),
            };
            let booking = book.reserve(&request, policy(index));
            handles.extend(booking.map(|booking| booking.handle));
        }
        Operation::AdvanceTo { to, .. } => advance(book, Slot::new(to)),
    }
}

fn act<R: Ring>(book: &mut Book<'_, R>, pick: Pick, verb: Verb, handles: &Handles) {
    let handle = match pick {
        Pick::Live(nth) => match usize::from(nth).checked_rem(handles.len()) {
            Some(nth) => handles[nth],
            None => return,
        },
        // One that this book may never have given out.
        Pick::Ended(bits) => Handle::from_bits(u64::from(bits >> 4) << 32 | u64::from(bits & 15)),
    };
    // Refused or not, the book is sound.
    let _ = match verb {
        Verb::Confirm => book.confirm(handle),
        Verb::Cancel => book.cancel(handle),
        Verb::Complete(after) => {
            let at = book.now().get().saturating_add_signed(after.into());
            book.complete(handle, Slot::new(at))
        }
        Verb::CompleteAt(at) => book.complete(handle, Slot::new(at)),
    };
}

fn advance<R: Ring>(book: &mut Book<'_, R>, to: Slot) {
    let mut events = heapless::Vec::<Event, 8>::new();
    while book.advance(to, &mut events) == Ok(Advanced::EventsWaiting) {
        events.clear();
    }
}

/// Asks whatever can be asked without changing anything, of whatever there is in the memory.
///
/// # Panics
///
/// When an answer is longer than it can be.
pub fn read<R: Ring>(book: &mut Book<'_, R>, ask: Ask, handles: &Handles) {
    let request = request(book.now(), ask);
    let (slots, rows) = (book.horizon().get() as usize, book.capacity());
    black_box((book.pes(), book.len(), book.next_event()));
    assert!(book.iter().count() <= (slots + 1) * rows);
    assert!(book.records().count() <= slots + 1);
    assert!(book.starting_at(request.ready).count() <= rows);
    for policy in Policy::ALL {
        let _ = black_box(book.plan(&request, policy));
    }
    if let Ok(starts) = book.candidate_starts(&request) {
        assert!(starts.count() <= slots + 1);
    }
    black_box(book.free_during(Window {
        start: request.ready,
        end: request.deadline,
    }));
    black_box(book.rectangle(request.ready, request.duration));
    for handle in handles {
        let _ = black_box(book.get(*handle));
        if let Ok(pes) = book.pes_of(*handle) {
            assert!(pes.count() <= usize::from(u16::MAX));
        }
    }
}

fn request(now: Slot, ask: Ask) -> Request {
    let ready = now.get().saturating_add_signed(ask.lead.into());
    let end = ready.saturating_add(ask.duration.into());
    Request {
        ready: Slot::new(ready),
        duration: Span::new(ask.duration.into()),
        deadline: Slot::new(end.saturating_add_signed(ask.slack.into())),
        pes: PeCount::new(ask.pes),
    }
}

fn policy(index: u8) -> Policy {
    Policy::ALL[usize::from(index) % Policy::ALL.len()]
}
