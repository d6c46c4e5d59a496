//! Reservations that have not started take other processing elements at their own starts, so that a newcomer fits.

use std::collections::HashMap;

use bookahead::{
    Book, Booking, Error as Denied, Handle, Pe, Refusal, Slot,
    raw::{Column, PlacedRing, Scan, SetPart, SetParts},
};
use bookahead_heap::{BoxedWorkspace, SizeError};

use super::{
    admission::{Admission, Ask},
    moving::entries,
};
use crate::{engine::story::Cause, saved::Saving};

/// How many places are tried at each start. Those in which the fewest processing elements are busy come first, so that more hardly ever help.
const TARGETS: u16 = 8;

/// Slots that the search for one newcomer writes and reads.
const WORK: u64 = 1_000_000;

/// Admits as another does, and makes room in space where that finds none.
pub(in crate::engine) struct Relocator<R: SetParts, C: SetPart> {
    plain: Box<dyn Admission<R>>,
    workspace: BoxedWorkspace<C>,
    moved: Vec<(Handle, Cause)>,
}

impl<R: SetParts, C: SetPart> Relocator<R, C> {
    /// For a book with so many rows, and sets of so many columns.
    pub(in crate::engine) fn new(
        plain: Box<dyn Admission<R>>,
        [rows, columns]: [usize; 2],
    ) -> Result<Self, SizeError> {
        Ok(Self {
            plain,
            workspace: BoxedWorkspace::with_columns(columns, entries(rows), 0)?,
            moved: Vec::new(),
        })
    }
}

impl<'a, C: Column + Default, S: Scan> Relocator<PlacedRing<'a, C, S>, C> {
    /// Whoever has other processing elements afterwards is noted: of those that are lifted, some come to lie where they were. Who is lifted is known when a
    /// place has been found, so that it is sought a second time.
    fn relocate(
        &mut self,
        book: &mut Book<'_, PlacedRing<'a, C, S>>,
        ask: &Ask,
    ) -> Result<Booking, Denied> {
        let mut transaction = book.transaction(self.workspace.view(), WORK);
        transaction.relocate(ask.asked(), ask.commitment, TARGETS)?;
        let lifted = transaction.moves().filter(|change| change.from.is_some());
        let lifted: Vec<Handle> = lifted.map(|change| change.handle).collect();
        drop(transaction);
        let before = sets(book, &lifted)?;
        let mut transaction = book.transaction(self.workspace.view(), WORK);
        let booking = transaction.relocate(ask.asked(), ask.commitment, TARGETS)?;
        transaction.commit()?;
        let after = sets(book, &lifted)?;
        let other = lifted
            .iter()
            .filter(|handle| before.get(handle) != after.get(handle));
        self.moved
            .extend(other.map(|handle| (*handle, Cause::Relocate)));
        Ok(booking)
    }
}

/// Which processing elements reservations have.
fn sets<C: Column, S: Scan>(
    book: &Book<'_, PlacedRing<'_, C, S>>,
    handles: &[Handle],
) -> Result<HashMap<Handle, Vec<Pe>>, Denied> {
    let sets = handles
        .iter()
        .map(|&handle| Ok((handle, book.pes_of(handle)?.collect())));
    sets.collect()
}

impl<'a, C: Column + Default, S: Scan> Admission<PlacedRing<'a, C, S>>
    for Relocator<PlacedRing<'a, C, S>, C>
{
    fn admit(
        &mut self,
        book: &mut Book<'_, PlacedRing<'a, C, S>>,
        ask: &Ask,
    ) -> Result<Booking, Denied> {
        self.moved.clear();
        let refused = match self.plain.admit(book, ask) {
            Err(refused) if refused == Refusal::NoRoom.into() => refused,
            decided => return decided,
        };
        // Where the search has to stop, there is no room as far as anybody knows.
        self.relocate(book, &self.plain.narrowed(ask))
            .map_err(|_| refused)
    }

    fn replan(&mut self, _book: &mut Book<'_, PlacedRing<'a, C, S>>, _earliest: Slot) {
        // Nobody moves because something has become free.
        self.moved.clear();
    }

    fn moved(&self) -> &[(Handle, Cause)] {
        &self.moved
    }

    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        self.plain.save(to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        self.plain.restore(from)
    }
}
