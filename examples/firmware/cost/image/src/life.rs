//! The calls of a reservation's whole life.

use bookahead::{
    Advanced, Book, Booking, Commitment, Error, Event, Handle, Pe, Policy, Request, Reservation,
    Slot, Span, raw::Ring,
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Desk {
    request: Request,
    handle: Handle,
    slot: Slot,
    ttl: Span,
    events: &'static mut VecView<Event>,
    booking: Result<Booking, Error>,
    advanced: Result<Advanced, Error>,
    reservation: Result<Reservation, Error>,
    done: Result<(), Error>,
    pe: Pe,
}

/// Reserve, hold, confirm, cancel, complete, advance, get and the processing elements of a reservation.
#[inline(always)]
pub fn life<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk, policy: Policy) {
    reserve(book, desk, policy);
    hold(book, desk, policy);
    confirm(book, desk);
    cancel(book, desk);
    complete(book, desk);
    advance(book, desk);
    get(book, desk);
    pes_of(book, desk);
}

#[inline(never)]
fn reserve<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk, policy: Policy) {
    desk.booking = book.reserve(&desk.request, policy, Commitment::Confirmed);
}

#[inline(never)]
fn hold<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk, policy: Policy) {
    desk.booking = book.reserve(&desk.request, policy, Commitment::Held { ttl: desk.ttl });
}

#[inline(never)]
fn confirm<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    desk.done = book.confirm(desk.handle);
}

#[inline(never)]
fn cancel<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    desk.done = book.cancel(desk.handle);
}

#[inline(never)]
fn complete<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    desk.done = book.complete(desk.handle, desk.slot);
}

#[inline(never)]
fn advance<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    desk.advanced = book.advance(desk.slot, desk.events);
}

#[inline(never)]
fn get<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    desk.reservation = book.get(desk.handle);
}

#[inline(never)]
fn pes_of<R: Ring>(book: &mut Book<'_, R>, desk: &mut Desk) {
    if let Ok(pes) = book.pes_of(desk.handle) {
        for pe in pes {
            // Each has to be looked at, or only the last would be worked out.
            desk.pe = core::hint::black_box(pe);
        }
    }
}
