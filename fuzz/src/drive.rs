//! Operations on a book with a queue and without a twin: nothing but panics and broken invariants counts.

use std::hint::black_box;

use bookahead::{
    Advanced, BestEffortJob, Book, Error, Event, EventKind, Handle, Offer, OfferOrder, OfferTerms,
    PeCount, Policy, Portion, Query, Queue, Request, Ring, Search, Slot, Span, Tariff, Terms,
    Ticket, Window,
};
use bookahead_oracle::{Ask, Disturbance, Inquiry, Operation, Pick, Taking, Verb};
use heapless::VecView;

/// A book's handles so far, live or not.
pub type Handles = Vec<Handle>;

/// Calls what `operation` says, as far as it says anything without a twin: offers are taken as they were made.
pub fn operate<R: Ring>(
    book: &mut Book<'_, R>,
    queue: &mut Queue<'_>,
    operation: &Operation,
    handles: &mut Handles,
) {
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
            let to = book.now().saturating_add(Span::new(by.into()));
            advance(handles, |events| book.advance(to, events));
        }
        Operation::Query(inquiry) => {
            offers(book, inquiry);
        }
        Operation::QueryAccept {
            inquiry,
            taking,
            between,
            ..
        } => {
            let offers = offers(book, inquiry);
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            handles.extend(accept(book, &offers, taking));
        }
        Operation::Submit(submission) => {
            let job = BestEffortJob {
                estimate: Span::new(submission.estimate.into()),
                pes: PeCount::new(submission.pes),
            };
            let _ = queue.submit(book, &job);
        }
        Operation::Withdraw(Pick::Live(nth) | Pick::Ended(nth)) => {
            if let Some(ticket) = Ticket::from_number(nth.into()) {
                let _ = queue.withdraw(ticket);
            }
        }
        Operation::AdvanceQueue { by, .. } => {
            let to = book.now().saturating_add(Span::new(by.into()));
            advance(handles, |events| queue.advance(book, to, events));
        }
        Operation::PlanCommit { ask, ttl, between } => {
            let Ok(plan) = book.plan(&request(book.now(), ask), policy(ask.policy)) else {
                return;
            };
            if let Disturbance::Act(pick, verb) = between {
                act(book, pick, verb, handles);
            }
            handles.extend(book.commit(&plan, terms(ttl)));
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
        Operation::AdvanceTo { to, .. } => {
            advance(handles, |events| book.advance(Slot::new(to), events));
        }
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

/// Advances until all is told, and keeps the handles of jobs that start.
fn advance(
    handles: &mut Handles,
    mut call: impl FnMut(&mut VecView<Event>) -> Result<Advanced, Error>,
) {
    let mut events = heapless::Vec::<Event, 8>::new();
    loop {
        let how_far = call(&mut events);
        let started = |event: &&Event| event.kind == EventKind::BestEffortStarted;
        handles.extend(events.iter().filter(started).map(|event| event.handle));
        events.clear();
        if how_far != Ok(Advanced::EventsWaiting) {
            return;
        }
    }
}

/// Whatever the book offers, as far as a short list goes.
fn offers<R: Ring>(book: &mut Book<'_, R>, inquiry: Inquiry) -> heapless::Vec<Offer, 8> {
    let ready = book.now().get().saturating_add_signed(inquiry.lead.into());
    let query = Query {
        ready: Slot::new(ready),
        deadline: Slot::new(ready.saturating_add_signed(inquiry.length.into())),
        duration: inquiry.duration.map(|slots| Span::new(slots.into())),
        pes: inquiry.pes.map(PeCount::new),
    };
    let terms = OfferTerms {
        search: Search::ALL[usize::from(inquiry.search) % Search::ALL.len()],
        order: OfferOrder::ALL[usize::from(inquiry.order) % OfferOrder::ALL.len()],
        ttl: Span::new(inquiry.ttl.into()),
        tariff: Tariff::FREE,
    };
    let mut offers = heapless::Vec::new();
    // Refused or not, the book is sound.
    let _ = book.offers(&query, &terms, &mut offers);
    offers
}

/// Takes one of the offers, or part of it.
fn accept<R: Ring>(book: &mut Book<'_, R>, offers: &[Offer], taking: Taking) -> Option<Handle> {
    let nth = usize::from(taking.nth).checked_rem(offers.len())?;
    let offer = offers.get(nth)?;
    let Portion { duration, pes } = offer.whole();
    let fewer = |fewer: i8| u16::from(fewer.unsigned_abs());
    let portion = Portion {
        duration: Span::new(
            duration
                .get()
                .saturating_sub(fewer(taking.fewer_slots).into()),
        ),
        pes: PeCount::new(pes.get().saturating_sub(fewer(taking.fewer_pes))),
    };
    let booking = book.accept(offer, portion, terms(taking.ttl));
    booking.ok().map(|booking| booking.handle)
}

fn terms(ttl: Option<u8>) -> Terms {
    ttl.map_or(Terms::Confirmed, |ttl| Terms::Held {
        ttl: Span::new(ttl.into()),
    })
}

/// Asks whatever can be asked without changing anything, of whatever there is in the memory.
///
/// # Panics
///
/// When an answer is longer than it can be.
pub fn read<R: Ring>(
    book: &mut Book<'_, R>,
    queue: &Queue<'_>,
    ask: Ask,
    inquiry: Inquiry,
    handles: &Handles,
) {
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
    black_box(offers(book, inquiry));
    assert!(queue.iter().count() <= queue.capacity());
    black_box((queue.len(), queue.shadow(book), queue.next_event(book)));
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
