//! The C interface as a careless caller uses it: null and misaligned pointers, short and dirty memory, lists without room, wild handles,
//! forged plans, numbers that mean nothing. Whatever it answers, the book is sound; what answers an error has changed nothing.
#![no_main]

mod bad;
mod juggle;
mod mould;
mod moving;
mod offers;
mod overlay;
mod queue;
mod size;

use std::{
    ffi::c_char,
    ptr::{null, null_mut},
};

use arbitrary::Arbitrary;
use bookahead_capi::*;
use bookahead_fuzz::list::Rest;
use libfuzzer_sys::fuzz_target;

use bad::{List, Pointer, Pointers, Result};
use offers::{Inquiry, Taking};
use queue::Waiting;
use size::{Ask, Size};

/// From one column of 32 PEs to one of 512, and two blocks of slots.
const MOST: Size = Size {
    pes: 140,
    slots: 130,
};

#[derive(Arbitrary, Debug)]
struct Caller {
    pes: u16,
    slots: u16,
    rows: u8,
    /// Two of eight have overlays, half of the others bind early.
    binding: u8,
    easy: bool,
    jobs: u8,
    /// What the memory is full of at first.
    dirt: u64,
    calls: Rest<Call, 40>,
}

#[derive(Arbitrary, Debug)]
struct Call {
    /// Which pointers are bad; mostly none.
    bad: u8,
    what: What,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Which {
    Known(u8),
    Wild(u64),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Wish {
    Usual(Ask),
    Extreme {
        ready: u64,
        deadline: u64,
        duration: u32,
        pes: u32,
        policy: u32,
    },
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Forged {
    No,
    Start(u64),
    Version(u64),
    Wish(Wish),
}

#[derive(Arbitrary, Debug)]
enum What {
    Init {
        binding: u32,
        pes: u32,
        slots: u32,
        rows: u32,
        length: u16,
    },
    Open {
        /// How much of the memory is shown.
        length: u16,
        /// Which bit of the head is turned over, if any.
        turned: Option<u8>,
    },
    Reserve(Wish),
    Hold(Wish, u32),
    Plan(Wish, Forged, Option<u32>),
    Confirm(Which),
    Cancel(Which),
    Complete(Which, i16),
    CompleteAt(Which, u64),
    Advance(u8, u8),
    AdvanceTo(u64, u8),
    Get(Which),
    PesOf(Which, usize, u8),
    Reservations(usize, u8),
    StartingAt(u64, usize, u8),
    Records(usize, u8),
    CandidateStarts(Wish, usize, u8),
    FreeDuring(u64, u64),
    Rectangle(u64, u32),
    Clock(u32, u64, u64),
    Names(u32),
    FromName([u8; 24], u8),
    Offers(Inquiry, u8),
    Accept(Taking),
    OfferStart(Taking),
    Price {
        base: u64,
        factor: u64,
        slot_units: u32,
        units: u64,
        pes: u32,
    },
    Queue(queue::What),
    Move(moving::What),
    Mould(mould::What),
    Juggle(juggle::What),
    Overlay(overlay::What),
}

struct Machine {
    memory: Vec<u64>,
    size: Size,
    book: *mut Book,
    handles: Vec<Handle>,
    /// What was offered last.
    offers: Vec<Offer>,
    waiting: Waiting,
    /// A histogram of run times.
    counters: [u32; 7],
}

const NO_HANDLE: Handle = Handle { bits: u64::MAX };

const NOWHERE: Placement = Placement {
    start: u64::MAX,
    duration: u32::MAX,
    pes: u32::MAX,
};

impl Machine {
    fn new(caller: &Caller) -> Self {
        let size = Size::within(caller.pes, caller.slots, MOST);
        let binding = match caller.binding % 8 {
            6 | 7 => Binding::Overlaid,
            1 | 3 | 5 => Binding::Early,
            _ => Binding::Late,
        } as u32;
        let (pes, slots, rows) = (
            size.pes.into(),
            size.slots.into(),
            (caller.rows % 17).into(),
        );
        let bytes = bookahead_bytes(binding, pes, slots, rows);
        assert!(bytes > 0 && bytes.is_multiple_of(8));
        let mut memory = vec![caller.dirt; bytes / 8];
        let mut book = null_mut();
        let place = memory.as_mut_ptr().cast();
        // SAFETY: the memory has that many bytes, and the result a place.
        let code = unsafe { bookahead_init(place, bytes, binding, pes, slots, rows, &mut book) };
        assert_eq!(code, 0);
        Self {
            memory,
            size,
            book,
            handles: Vec::new(),
            offers: Vec::new(),
            waiting: Waiting::new(caller.jobs, caller.easy, caller.dirt),
            counters: [0; 7],
        }
    }

    fn status(&self) -> Status {
        let mut status = Status {
            now: 0,
            horizon: 0,
            pes: 0,
            reservations: 0,
            capacity: 0,
            binding: 0,
            retired: 0,
            incarnation: 0,
            version: 0,
        };
        // SAFETY: the book is in the memory that `self` owns.
        let code = unsafe { bookahead_status(self.book, &mut status) };
        assert_eq!(code, 0);
        status
    }

    fn handle(&self, which: Which) -> Handle {
        match which {
            Which::Known(nth) => match usize::from(nth).checked_rem(self.handles.len()) {
                Some(nth) => self.handles[nth],
                None => NO_HANDLE,
            },
            Which::Wild(bits) => Handle { bits },
        }
    }

    /// The request that is meant, and by which policy.
    fn wish(&self, wish: Wish) -> (Request, u32) {
        let ask = match wish {
            Wish::Usual(ask) => ask,
            Wish::Extreme {
                ready,
                deadline,
                duration,
                pes,
                policy,
            } => {
                let request = Request {
                    ready,
                    deadline,
                    duration,
                    pes,
                };
                return (request, policy);
            }
        };
        let ask = self.size.ask(ask);
        let ready = self.status().now.saturating_add_signed(ask.lead.into());
        let end = ready.saturating_add(ask.duration.into());
        let request = Request {
            ready,
            deadline: end.saturating_add_signed(ask.slack.into()),
            duration: ask.duration.into(),
            pes: ask.pes.into(),
        };
        (request, u32::from(ask.policy % 8))
    }

    fn call(&mut self, call: &Call) {
        let pointers = Pointers::of(call.bad);
        let before = (self.status(), self.waiting.status());
        let code = self.answer(&call.what, pointers);
        assert_ne!(
            // SAFETY: a name is a static text.
            unsafe { *bookahead_code_name(code) },
            0,
            "{code} has an empty name"
        );
        if code != 0 {
            let after = (self.status(), self.waiting.status());
            assert_eq!(after, before, "{code} after {call:?}");
        }
        // SAFETY: book and queue are in the memory that `self` owns; the queue's checker checks the book, too.
        let verdict = unsafe { bookahead_queue_check_invariants(self.waiting.queue, self.book) };
        assert_eq!(verdict, 0, "after {call:?}");
    }

    /// Every pointer is null, misaligned, or that of a value or list that lives until the call is over.
    fn answer(&mut self, what: &What, at: Pointers) -> u32 {
        let book = at.book.to(self.book);
        match *what {
            What::Init {
                binding,
                pes,
                slots,
                rows,
                length,
            } => self.init([binding, pes, slots, rows], length, at),
            What::Open { length, turned } => self.open(length, turned, at),
            What::Reserve(wish) => self.book(wish, None, at),
            What::Hold(wish, ttl) => self.book(wish, Some(ttl), at),
            What::Plan(wish, forged, ttl) => self.plan(wish, forged, ttl, at),
            // SAFETY: as above.
            What::Confirm(which) => unsafe { bookahead_confirm(book, self.handle(which)) },
            // SAFETY: as above.
            What::Cancel(which) => unsafe { bookahead_cancel(book, self.handle(which)) },
            What::Complete(which, after) => {
                let end = self.status().now.saturating_add_signed(after.into());
                // SAFETY: as above.
                unsafe { bookahead_complete(book, self.handle(which), end) }
            }
            What::CompleteAt(which, end) => {
                // SAFETY: as above.
                unsafe { bookahead_complete(book, self.handle(which), end) }
            }
            What::Advance(by, room) => {
                let to = self.status().now.saturating_add(by.into());
                self.advance(to, room, false, at)
            }
            What::AdvanceTo(to, room) => self.advance(to, room, false, at),
            What::Get(which) => self.get(which, at),
            What::PesOf(which, skip, room) => {
                let handle = self.handle(which);
                let mut list = List::new(room, u16::MAX);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as above.
                let code = unsafe { bookahead_pes_of(book, handle, skip, first, room, count) };
                assert!(list.get(code).is_sorted_by(|one, other| one < other));
                code
            }
            What::Reservations(skip, room) => {
                let mut list = List::new(room, NO_HANDLE);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as above.
                let code = unsafe { bookahead_reservations(book, skip, first, room, count) };
                list.get(code);
                code
            }
            What::StartingAt(slot, skip, room) => {
                let mut list = List::new(room, NO_HANDLE);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as above.
                let code = unsafe { bookahead_starting_at(book, slot, skip, first, room, count) };
                list.get(code);
                code
            }
            What::Records(skip, room) => {
                let nothing = Record {
                    at: u64::MAX,
                    busy: u32::MAX,
                };
                let mut list = List::new(room, nothing);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as above.
                let code = unsafe { bookahead_records(book, skip, first, room, count) };
                assert!(list.get(code).is_sorted_by_key(|record| record.at));
                code
            }
            What::CandidateStarts(wish, skip, room) => {
                let (mut request, _) = self.wish(wish);
                let input = at.input.to(&mut request);
                let mut list = List::new(room, u64::MAX);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as above.
                let code =
                    unsafe { bookahead_candidate_starts(book, input, skip, first, room, count) };
                assert!(list.get(code).is_sorted_by(|one, other| one < other));
                code
            }
            What::FreeDuring(start, end) => {
                let mut free = Result::new(u32::MAX);
                // SAFETY: as above.
                let code =
                    unsafe { bookahead_free_during(book, start, end, free.place(at.output)) };
                let most = u32::from(self.size.pes);
                assert!(free.get(code, at.output).is_none_or(|free| free <= most));
                code
            }
            What::Rectangle(start, duration) => {
                let mut rectangle = Result::new(Rectangle {
                    start: u64::MAX,
                    end: 0,
                    free: u32::MAX,
                });
                let place = rectangle.place(at.output);
                // SAFETY: as above.
                let code = unsafe { bookahead_rectangle(book, start, duration, place) };
                if let Some(found) = rectangle.get(code, at.output) {
                    assert!(found.start <= start && start + u64::from(duration) <= found.end);
                }
                code
            }
            What::Clock(slot_seconds, epoch, value) => {
                clock(
                    Clock {
                        epoch,
                        slot_seconds,
                    },
                    value,
                    at,
                );
                0
            }
            What::Names(number) => {
                let names = [
                    bookahead_code_name(number),
                    bookahead_policy_name(number),
                    bookahead_event_name(number),
                    bookahead_state_name(number),
                    bookahead_search_name(number),
                    bookahead_offer_order_name(number),
                    bookahead_form_choice_name(number),
                    bookahead_order_name(number),
                    bookahead_flexibility_name(number),
                    bookahead_freeze_rule_name(number),
                    bookahead_discipline_name(number),
                ];
                assert!(names.iter().all(|name| !name.is_null()));
                0
            }
            What::FromName(name, which) => from_name(name, which, at),
            What::Offers(inquiry, room) => self.offers(inquiry, room, at),
            What::Accept(taking) => self.accept(taking, at),
            What::OfferStart(taking) => self.offer_start(taking, at),
            What::Price {
                base,
                factor,
                slot_units,
                units,
                pes,
            } => {
                let tariff = Tariff {
                    base,
                    factor,
                    slot_units,
                };
                offers::price(tariff, units, pes, at)
            }
            What::Queue(ref what) => self.wait(what, at),
            What::Move(ref what) => self.change(what, at),
            What::Mould(ref what) => self.mould(what, at),
            What::Juggle(ref what) => self.juggle(what, at),
            What::Overlay(ref what) => self.overlay(what, at),
        }
    }

    /// Memory of another book, mostly too short for it.
    fn init(&self, [binding, pes, slots, rows]: [u32; 4], length: u16, at: Pointers) -> u32 {
        let mut memory = vec![u64::MAX; usize::from(length) / 8];
        let bytes = memory.len() * 8;
        let mut book = Result::new(self.book);
        let place = at.input.to(memory.as_mut_ptr()).cast();
        let (binding, result) = (binding % 5, book.place(at.output));
        // SAFETY: the memory is as long as said.
        let code = unsafe { bookahead_init(place, bytes, binding, pes, slots, rows, result) };
        if let Some(book) = book.get(code, at.output) {
            assert!(bytes >= bookahead_bytes(binding, pes, slots, rows));
            // SAFETY: it was made just now.
            assert_eq!(unsafe { bookahead_check_invariants(book) }, 0);
        } else {
            assert!(memory.iter().all(|word| *word == u64::MAX));
        }
        code
    }

    /// A copy of the memory, not always all of it or as it was.
    fn open(&self, length: u16, turned: Option<u8>, at: Pointers) -> u32 {
        let words = usize::from(length) % (self.memory.len() + 2);
        let mut copy: Vec<u64> = self.memory.iter().copied().take(words).collect();
        let bit = turned.map(|bit| usize::from(bit % 192));
        if let Some(word) = bit.and_then(|bit| copy.get_mut(bit / 64)) {
            *word ^= 1 << (bit.unwrap_or(0) % 64);
        }
        let bytes = copy.len() * 8;
        let mut book = Result::new(null_mut());
        let (place, result) = (at.input.to(copy.as_mut_ptr()).cast(), book.place(at.output));
        // SAFETY: the memory is as long as said.
        let code = unsafe { bookahead_open(place, bytes, result) };
        if let Some(book) = book.get(code, at.output) {
            assert!(bytes == self.memory.len() * 8 && turned.is_none());
            // SAFETY: it is a copy of a book.
            assert_eq!(unsafe { bookahead_check_invariants(book) }, 0);
        }
        code
    }

    fn book(&mut self, wish: Wish, ttl: Option<u32>, at: Pointers) -> u32 {
        let (mut request, policy) = self.wish(wish);
        let nothing = Booking {
            handle: NO_HANDLE,
            start: u64::MAX,
        };
        let mut booking = Result::new(nothing);
        let (book, input) = (at.book.to(self.book), at.input.to(&mut request));
        let place = booking.place(at.output);
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_reserve(book, input, policy, &promise(ttl), place) };
        if let Some(booking) = booking.get(code, at.output) {
            self.handles.push(booking.handle);
            assert!(request.ready <= booking.start);
            assert!(booking.start + u64::from(request.duration) <= request.deadline);
        }
        code
    }

    /// Commits a plan that somebody may have written to.
    fn plan(&mut self, wish: Wish, forged: Forged, ttl: Option<u32>, at: Pointers) -> u32 {
        let (request, policy) = self.wish(wish);
        let mut plan = Plan {
            request,
            start: u64::MAX,
            version: u64::MAX,
            incarnation: u32::MAX,
        };
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_plan(self.book, &request, policy, &mut plan) };
        if code != 0 {
            return code;
        }
        match forged {
            Forged::No => {}
            Forged::Start(start) => plan.start = plan.start.wrapping_add(start % 256),
            Forged::Version(version) => plan.version = version,
            Forged::Wish(wish) => plan.request = self.wish(wish).0,
        }
        let mut handle = Result::new(NO_HANDLE);
        let (book, input) = (at.book.to(self.book), at.input.to(&mut plan));
        let place = handle.place(at.output);
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_commit(book, input, &promise(ttl), place) };
        self.handles.extend(handle.get(code, at.output));
        code
    }

    fn advance(&mut self, to: u64, room: u8, queued: bool, at: Pointers) -> u32 {
        let nothing = Event {
            at: u64::MAX,
            handle: NO_HANDLE,
            kind: u32::MAX,
            ticket: u32::MAX,
        };
        let mut list = List::new(room, nothing);
        let mut waiting = false;
        let (book, first) = (at.book.to(self.book), list.first(at.output));
        let (room, count) = (list.items.len(), list.count.place(Pointer::Good));
        // SAFETY: as for `answer`.
        let code = unsafe {
            if queued {
                let queue = at.input.to(self.waiting.queue);
                bookahead_queue_advance(queue, book, to, first, room, count, &mut waiting)
            } else {
                bookahead_advance(book, to, first, room, count, &mut waiting)
            }
        };
        let events = list.get(code);
        assert!(events.is_sorted_by_key(|event| event.at));
        let started = EventKind::BestEffortStarted as u32;
        let starts = events.iter().filter(|event| event.kind == started);
        self.handles.extend(starts.map(|event| event.handle));
        assert!(code != 0 || waiting || self.status().now == to);
        code
    }

    fn get(&self, which: Which, at: Pointers) -> u32 {
        let nothing = Request {
            ready: u64::MAX,
            deadline: 0,
            duration: u32::MAX,
            pes: u32::MAX,
        };
        let mut found = Result::new(Reservation {
            request: nothing,
            start: u64::MAX,
            end: 0,
            expires: 0,
            state: u32::MAX,
            ticket: u32::MAX,
        });
        let book = at.book.to(self.book);
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_get(book, self.handle(which), found.place(at.output)) };
        if let Some(found) = found.get(code, at.output) {
            assert!(found.request.ready <= found.start && found.end <= found.request.deadline);
        }
        code
    }
}

fn from_name(mut name: [u8; 24], which: u8, at: Pointers) -> u32 {
    name[23] = 0;
    let calls = [
        bookahead_policy_from_name,
        bookahead_search_from_name,
        bookahead_offer_order_from_name,
        bookahead_form_choice_from_name,
        bookahead_order_from_name,
        bookahead_flexibility_from_name,
        bookahead_freeze_rule_from_name,
        bookahead_discipline_from_name,
    ];
    let mut number = Result::new(u32::MAX);
    let text = match at.input {
        Pointer::Null => null(),
        _ => name.as_ptr().cast::<c_char>(),
    };
    let call = calls[usize::from(which) % calls.len()];
    // SAFETY: as for `answer`; the name ends with a zero.
    let code = unsafe { call(text, number.place(at.output)) };
    assert!(number.get(code, at.output).is_none_or(|number| number < 7));
    code
}

/// Held for so many slots, or confirmed.
fn promise(ttl: Option<impl Into<u32>>) -> Commitment {
    let held = ttl.is_some();
    Commitment {
        kind: u32::from(held),
        ttl: ttl.map_or(0, Into::into),
        flexibility: u32::MAX,
        freeze: u32::MAX,
        freeze_after: u32::MAX,
    }
}

fn clock(mut clock: Clock, value: u64, at: Pointers) {
    let input = at.input.to(&mut clock);
    let conversions = [
        bookahead_slot_rounding_up,
        bookahead_slot_rounding_down,
        bookahead_seconds,
    ];
    for convert in conversions {
        let mut result = Result::new(u64::MAX);
        // SAFETY: as for `answer`.
        let code = unsafe { convert(input, value, result.place(at.output)) };
        result.get(code, at.output);
    }
    let mut span = Result::new(u32::MAX);
    // SAFETY: as for `answer`.
    let code = unsafe { bookahead_span_rounding_up(input, value, span.place(at.output)) };
    span.get(code, at.output);
}

fuzz_target!(|caller: Caller| {
    let mut machine = Machine::new(&caller);
    for call in &caller.calls.0 {
        machine.call(call);
    }
});
