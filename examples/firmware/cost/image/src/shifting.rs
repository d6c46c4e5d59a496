//! The call that shifts flexible reservations aside for a newcomer.

use bookahead::{
    Book, Booking, Commitment, Error, Request, Shifting,
    raw::{Ring, SetPart, UndoEntry, Workspace},
};

/// What the call takes and where its answer goes.
pub struct Shifter<P: SetPart + 'static> {
    entries: &'static mut [UndoEntry<P::Count>],
    sets: &'static mut [P],
    request: Request,
    commitment: Commitment,
    rules: Shifting,
    booking: Result<Booking, Error>,
}

/// Shifting to any side, by any search.
#[inline(never)]
pub fn shifting<R: Ring>(book: &mut Book<'_, R>, shifter: &mut Shifter<R::Part>) {
    let log = Workspace::new(&mut *shifter.entries, &mut *shifter.sets, &mut []);
    shifter.booking = book.shift_in(&shifter.request, shifter.commitment, &shifter.rules, log);
}
