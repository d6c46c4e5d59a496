//! The calls that book several reservations at once, and the one that says why a request is refused.

use bookahead::{
    Book, Commitment, Conflict, Error, Explanation, Handle, Obstacle, Part, Policy, Request,
    Series, Slot,
    raw::{Ring, SetPart, UndoEntry, Workspace},
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Party<P: SetPart + 'static> {
    entries: &'static mut [UndoEntry<P::Count>],
    sets: &'static mut [P],
    series: Series<'static>,
    ready: Slot,
    deadline: Slot,
    parts: &'static [Part],
    commitment: Commitment,
    handles: &'static mut VecView<Handle>,
    conflict: Conflict,
    done: Result<(), Error>,
    start: Result<Slot, Error>,
    cancelled: Result<u32, Error>,
    request: Request,
    obstacles: &'static mut VecView<Obstacle>,
    explanation: Result<Explanation, Error>,
}

/// A series, reservations that start together, cancelling all of either, and explaining.
#[inline(always)]
pub fn several<R: Ring>(book: &mut Book<'_, R>, party: &mut Party<R::Part>, policy: Policy) {
    series(book, party, policy);
    together(book, party);
    cancel_all(book, party);
    explain(book, party);
}

#[inline(never)]
fn series<R: Ring>(book: &mut Book<'_, R>, party: &mut Party<R::Part>, policy: Policy) {
    party.done = book.reserve_series(
        &party.series,
        policy,
        party.commitment,
        Workspace::new(&mut *party.entries, &mut *party.sets, &mut []),
        party.handles,
        &mut party.conflict,
    );
}

#[inline(never)]
fn together<R: Ring>(book: &mut Book<'_, R>, party: &mut Party<R::Part>) {
    party.start = book.reserve_together(
        party.ready,
        party.deadline,
        party.parts,
        party.commitment,
        Workspace::new(&mut *party.entries, &mut *party.sets, &mut []),
        party.handles,
        &mut party.conflict,
    );
}

#[inline(never)]
fn cancel_all<R: Ring>(book: &mut Book<'_, R>, party: &mut Party<R::Part>) {
    party.cancelled = book.cancel_all(party.handles.iter().copied());
}

#[inline(never)]
fn explain<R: Ring>(book: &mut Book<'_, R>, party: &mut Party<R::Part>) {
    party.explanation = book.explain(&party.request, party.obstacles);
}
