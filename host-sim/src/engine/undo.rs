//! What a transaction needs to take back what it did.

use bookahead::raw::{UndoEntry, UndoLog};

/// A split touches two reservations, every other operation one.
const ENTRIES: usize = 2;

/// Memory for the entries, and for their sets of processing elements where bookings have some.
pub(super) struct Undo<P> {
    entries: Vec<UndoEntry>,
    sets: Vec<P>,
}

impl<P: Clone + Default> Undo<P> {
    /// For sets of `columns` columns.
    pub(super) fn new(columns: usize) -> Self {
        Self {
            entries: vec![UndoEntry::NONE; ENTRIES],
            sets: vec![P::default(); ENTRIES * columns],
        }
    }

    pub(super) fn log(&mut self) -> UndoLog<'_, P> {
        UndoLog::new(&mut self.entries, &mut self.sets)
    }
}
