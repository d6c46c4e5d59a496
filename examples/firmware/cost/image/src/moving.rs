//! The calls of a transaction, and those that alter one reservation.

use bookahead::{
    Alteration, Book, Commitment, Conflict, Error, Handle, Move, Placement, Request, Savepoint,
    Slot,
    raw::{Ring, SetPart, UndoEntry, Workspace},
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Removal<P: SetPart + 'static> {
    entries: &'static mut [UndoEntry<P::Count>],
    sets: &'static mut [P],
    work: u64,
    handle: Handle,
    placement: Placement,
    placed: Result<Placement, Error>,
    slot: Slot,
    start: Result<Slot, Error>,
    request: Request,
    commitment: Commitment,
    inserted: Result<Handle, Error>,
    savepoint: Savepoint,
    moves: &'static mut VecView<Move>,
    left_out: Result<u32, Error>,
    alteration: Alteration,
    conflict: Conflict,
    done: Result<(), Error>,
}

/// Lift, place, place by first fit, insert, remove, savepoints; then commit, or a plan.
#[inline(always)]
pub fn moving<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    commit(book, removal);
    plan(book, removal);
}

#[inline(never)]
fn commit<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    let log = Workspace::new(&mut *removal.entries, &mut *removal.sets, &mut []);
    let mut transaction = book.transaction(log, removal.work);
    removal.placed = transaction.lift(removal.handle);
    removal.done = transaction.place(removal.handle, removal.placement);
    removal.start = transaction.place_first_fit(removal.handle, removal.slot);
    removal.savepoint = transaction.savepoint();
    removal.inserted = transaction.insert(&removal.request, removal.slot, removal.commitment);
    removal.done = transaction.remove(removal.handle);
    removal.done = transaction.rollback_to(removal.savepoint);
    removal.done = transaction.commit();
}

#[inline(never)]
fn plan<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    let log = Workspace::new(&mut *removal.entries, &mut *removal.sets, &mut []);
    let mut transaction = book.transaction(log, removal.work);
    removal.placed = transaction.lift(removal.handle);
    removal.done = transaction.place(removal.handle, removal.placement);
    removal.left_out = transaction.plan(removal.moves);
}

/// Alter, in any way, and split.
#[inline(always)]
pub fn altering<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    alter(book, removal);
    split(book, removal);
}

#[inline(never)]
fn alter<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    let log = Workspace::new(&mut *removal.entries, &mut *removal.sets, &mut []);
    removal.placed = book.alter(
        removal.handle,
        removal.alteration,
        log,
        &mut removal.conflict,
    );
}

#[inline(never)]
fn split<R: Ring>(book: &mut Book<'_, R>, removal: &mut Removal<R::Part>) {
    let log = Workspace::new(&mut *removal.entries, &mut *removal.sets, &mut []);
    removal.inserted = book.split(removal.handle, removal.slot, log);
}
