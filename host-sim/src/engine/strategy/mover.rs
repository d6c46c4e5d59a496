//! Admits requests by moving reservations that were accepted before.

use bookahead::{
    Book, Booking, Error as Denied, Handle, Refusal, Slot,
    raw::{Ring, SetPart},
};

use bookahead_heap::{BoxedWorkspace, SizeError};

use super::{
    admission::{Admission, Ask},
    juggle::Juggler,
    moving::{Lent, Moving, entries},
    shift::Shift,
};
use crate::{
    engine::story::Cause,
    saved::{Saved, Saving},
};

/// Admits by moving others: by shifting, by juggling, or by juggling where shifting fails.
pub(super) struct Mover<P: SetPart> {
    shift: Option<Shift>,
    juggler: Option<Juggler>,
    moving: Moving,
    lent: Lent<P>,
}

impl<P: SetPart> Mover<P> {
    /// For a book with so many rows, and sets of so many columns.
    pub(super) fn new(
        shift: Option<Shift>,
        juggler: Option<Juggler>,
        moving: Moving,
        [rows, columns]: [usize; 2],
    ) -> Result<Self, SizeError> {
        let waiting = juggler.as_ref().map_or(0, |_| rows);
        let workspace = BoxedWorkspace::with_columns(columns, entries(rows), waiting)?;
        Ok(Self {
            shift,
            juggler,
            moving,
            lent: Lent {
                workspace,
                moved: Vec::new(),
            },
        })
    }
}

impl<R: Ring> Admission<R> for Mover<R::Part> {
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        let lent = &mut self.lent;
        lent.moved.clear();
        let mut booked = match &self.shift {
            Some(shift) => shift.book(book, ask, &self.moving, lent),
            None => Err(Refusal::NoRoom.into()),
        };
        let Some(juggler) = &mut self.juggler else {
            return booked;
        };
        if let Err(refused) = booked {
            booked = juggler.book(book, ask, lent);
            // A limit of the first search may have been in the way.
            if booked == Err(Refusal::NoRoom.into()) {
                booked = Err(refused);
            }
        }
        let booking = booked?;
        juggler.note(booking.handle, &ask.request)?;
        Ok(booking)
    }

    fn replan(&mut self, book: &mut Book<'_, R>, earliest: Slot) {
        self.lent.moved.clear();
        if let Some(juggler) = &mut self.juggler {
            juggler.replan(book, earliest, &mut self.lent);
        }
    }

    fn moved(&self) -> &[(Handle, Cause)] {
        &self.lent.moved
    }

    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.juggler.save(to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.juggler.restore(from)
    }
}
