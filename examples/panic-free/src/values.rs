//! The functions of the kernel's value types.

use core::{
    fmt::{self, Write},
    hint::black_box,
};

use bookahead::{
    Error, EventKind, Handle, Pe, PeCount, Policy, Refusal, Request, Slot, SlotClock, Span, State,
    UsageError, Violation, Window, raw::NativeScan,
};

use crate::keep;

#[inline(never)]
pub fn time() {
    let (slot, other) = (a_slot(), a_slot());
    let span = a_span();
    keep(Slot::get(slot));
    keep(Slot::checked_add(slot, span));
    keep(Slot::saturating_add(slot, span));
    keep(Slot::saturating_sub(slot, span));
    keep(Slot::since(slot, other));
    keep(Span::get(span));
    keep(Window::starting(slot, span));
    let window = a_window();
    keep(Window::len(window));
    keep(Window::is_empty(window));
    keep(Window::contains(window, slot));
    if let Some(clock) = SlotClock::new(black_box(60), black_box(0)) {
        let clock = black_box(clock);
        keep(SlotClock::slot_rounding_up(&clock, black_box(61)));
        keep(SlotClock::slot_rounding_down(&clock, black_box(61)));
        keep(SlotClock::span_rounding_up(&clock, black_box(61)));
        keep(SlotClock::seconds(&clock, slot));
        keep(SlotClock::slot_seconds(&clock));
    }
}

#[inline(never)]
pub fn requests() {
    keep(Request::latest_start(&a_request()));
    keep(PeCount::get(black_box(PeCount::new(black_box(3)))));
    keep(Pe::get(black_box(Pe::new(black_box(3)))));
    keep(Handle::to_bits(a_handle()));
    keep(Handle::index(a_handle()));
    keep(Policy::name(black_box(Policy::FirstFit)));
    keep(Policy::from_name(black_box("first-fit")));
    keep(Policy::code(black_box(Policy::FirstFit)));
    keep(Policy::from_code(black_box(3)));
    keep(EventKind::code(black_box(EventKind::Started)));
    keep(EventKind::name(black_box(EventKind::Started)));
    keep(State::code(black_box(State::Running)));
    keep(State::name(black_box(State::Running)));
}

#[inline(never)]
pub fn reasons() {
    let refusal = black_box(Refusal::NoRoom);
    keep(Refusal::code(refusal));
    keep(Refusal::name(refusal));
    let misuse = black_box(UsageError::NotHeld);
    keep(UsageError::code(misuse));
    keep(UsageError::name(misuse));
    for error in black_box([Error::from(refusal), Error::from(misuse)]) {
        keep(Error::code(error));
        keep(Error::name(error));
        keep(write!(Sink, "{error}"));
    }
    keep(Violation::code(black_box(Violation::Edge)));
    keep(Violation::name(black_box(Violation::Edge)));
    keep(write!(Sink, "{}", black_box(Violation::Edge)));
}

#[inline(never)]
pub fn sizes() {
    keep(bookahead::raw::blocks(black_box(65)));
    keep(bookahead::raw::columns::<u32>(black_box(65)));
    keep(bookahead::raw::columns::<[u64; 8]>(black_box(65)));
    let (slots, pes, rows) = (black_box(64), black_box(8), black_box(16));
    keep(bookahead::raw::count_book_bytes::<NativeScan>(
        slots, pes, rows,
    ));
    keep(bookahead::raw::unit_book_bytes::<NativeScan>(slots, rows));
    keep(bookahead::raw::pe_book_bytes::<u32, NativeScan>(
        slots, pes, rows,
    ));
    keep(bookahead::raw::pe_book_bytes::<[u64; 8], NativeScan>(
        slots, pes, rows,
    ));
}

/// Some slot.
pub fn a_slot() -> Slot {
    black_box(Slot::new(black_box(5)))
}

/// Some length.
pub fn a_span() -> Span {
    black_box(Span::new(black_box(5)))
}

/// Some window, which may end before it starts.
pub fn a_window() -> Window {
    black_box(Window {
        start: a_slot(),
        end: a_slot(),
    })
}

/// Some request, which need not make sense.
pub fn a_request() -> Request {
    black_box(Request {
        ready: a_slot(),
        duration: a_span(),
        deadline: a_slot(),
        pes: PeCount::new(black_box(3)),
    })
}

/// Some handle, which need not be one that was given out.
pub fn a_handle() -> Handle {
    black_box(Handle::from_bits(black_box(1 << 32)))
}

/// Takes text and forgets it.
pub struct Sink;

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        keep(text);
        Ok(())
    }
}
