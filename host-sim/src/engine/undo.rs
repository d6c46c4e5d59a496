//! What a transaction needs to take back what it did.

use bookahead::raw::{UndoEntry, UndoLog};

/// A split touches two reservations, every other operation one.
pub(super) const OPERATIONS: usize = 2;

/// Memory for the entries, and for their sets of processing elements where bookings have some.
pub(super) struct Undo<P> {
    entries: Vec<UndoEntry>,
    sets: Vec<P>,
}

impl<P: Clone + Default> Undo<P> {
    /// So many entries, for sets of `columns` columns.
    pub(super) fn new(columns: usize, entries: usize) -> Self {
        Self {
            entries: vec![UndoEntry::NONE; entries],
            sets: vec![P::default(); entries * columns],
        }
    }

    pub(super) fn log(&mut self) -> UndoLog<'_, P> {
        UndoLog::new(&mut self.entries, &mut self.sets)
    }
}
