//! The calls that move flexible reservations for a newcomer.

use bookahead::{
    Alternative, Book, Booking, Commitment, Error, Handle, Juggling, Request, Suggested,
    Suggesting,
    raw::{Movable, Ring, SetPart, UndoEntry, Workspace},
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Juggler<P: SetPart + 'static> {
    entries: &'static mut [UndoEntry<P::Count>],
    sets: &'static mut [P],
    waiting: &'static mut [Movable],
    request: Request,
    commitment: Commitment,
    rules: Juggling<'static>,
    booking: Result<Booking, Error>,
    wanted: Suggesting,
    found: &'static mut VecView<Alternative>,
    suggested: Result<Suggested, Error>,
    handle: Handle,
    frozen: Result<bool, Error>,
    done: Result<(), Error>,
}

/// Juggling in any order, with a newcomer and without, and fixing a start.
#[inline(always)]
pub fn juggling<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    juggle(book, juggler);
    replan(book, juggler);
    freeze(book, juggler);
    is_frozen(book, juggler);
}

#[inline(never)]
fn juggle<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    let workspace = Workspace::new(
        &mut *juggler.entries,
        &mut *juggler.sets,
        &mut *juggler.waiting,
    );
    juggler.booking = book.juggle(
        &juggler.request,
        juggler.commitment,
        &juggler.rules,
        workspace,
    );
}

#[inline(never)]
fn replan<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    let workspace = Workspace::new(
        &mut *juggler.entries,
        &mut *juggler.sets,
        &mut *juggler.waiting,
    );
    juggler.done = book.replan(&juggler.rules, workspace);
}

#[inline(never)]
fn freeze<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    juggler.done = book.freeze(juggler.handle);
}

#[inline(never)]
fn is_frozen<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    juggler.frozen = book.is_frozen(juggler.handle);
}

/// Alternatives to what juggling refuses.
#[inline(never)]
pub fn suggesting<R: Ring>(book: &mut Book<'_, R>, juggler: &mut Juggler<R::Part>) {
    let workspace = Workspace::new(
        &mut *juggler.entries,
        &mut *juggler.sets,
        &mut *juggler.waiting,
    );
    juggler.suggested = book.alternatives(
        &juggler.request,
        juggler.commitment,
        &juggler.rules,
        &juggler.wanted,
        workspace,
        juggler.found,
    );
}
