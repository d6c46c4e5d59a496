//! The undo log, which lets a transaction restore the book.

use crate::{ledger::Row, ring::Column};

/// An entry of an undo log: the contents of a row before a transaction changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct UndoEntry {
    /// The row's former contents; while the transaction is committed, its new contents.
    pub(super) row: Row,
    /// The row's index.
    pub(super) index: u32,
    /// How many savepoints and rollbacks there had been when the entry was written.
    pub(super) age: u32,
}

impl Default for UndoEntry {
    fn default() -> Self {
        Self::NONE
    }
}

impl UndoEntry {
    /// An unused entry.
    pub const NONE: Self = Self {
        row: Row::VACANT,
        index: 0,
        age: 0,
    };

    /// Returns the row's index.
    pub(crate) const fn row(&self) -> usize {
        self.index as usize
    }
}

/// An undo log: memory that a caller lends to a [`Transaction`](crate::Transaction). It takes one entry for each
/// reservation that is touched, and another one for each that is touched again after a savepoint. For early binding,
/// each entry has a set of processing elements beside it.
///
/// Its contents between transactions are meaningless.
pub struct UndoLog<'u, P> {
    pub(super) entries: &'u mut [UndoEntry],
    /// For each entry, as many parts as a set has.
    pub(super) sets: &'u mut [P],
}

impl<'u, P> UndoLog<'u, P> {
    /// Creates a log in memory of the caller. For early binding, `sets` has as many columns for each entry as the book
    /// has, and if it is shorter, the log has fewer entries; for late binding it is empty.
    ///
    /// ```
    /// use bookahead::raw::{UndoEntry, UndoLog};
    /// let mut entries = vec![UndoEntry::NONE; 100];
    /// let log = UndoLog::new(&mut entries, &mut []);
    /// assert_eq!(log.capacity(), 100);
    /// # let _: UndoLog<'_, ()> = log;
    /// ```
    #[must_use]
    pub const fn new(entries: &'u mut [UndoEntry], sets: &'u mut [P]) -> Self {
        Self { entries, sets }
    }

    /// Returns how many entries it has. O(1).
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Returns the set beside entry number `entry`; a set has `parts` parts.
    pub(super) fn set(&self, entry: usize, parts: usize) -> Option<&[P]> {
        let from = entry.checked_mul(parts)?;
        self.sets.get(from..from.checked_add(parts)?)
    }

    /// As [`Self::set`], for writing.
    pub(super) fn set_mut(&mut self, entry: usize, parts: usize) -> Option<&mut [P]> {
        let from = entry.checked_mul(parts)?;
        self.sets.get_mut(from..from.checked_add(parts)?)
    }
}

/// Owns the undo log of a book with late binding, with `ENTRIES` entries.
///
/// ```
/// use bookahead::{Commitment, Alteration, Conflict, CountBook, CountUndo, PeCount, Policy, Request, Slot, Span};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
/// let mut undo = CountUndo::<1>::new();
/// let later = Alteration::Shift { start: Slot::new(9) };
/// let placement = book.alter(booking.handle, later, undo.log(), &mut Conflict::NONE)?;
/// assert_eq!(placement.start, Slot::new(9));
/// # Ok::<(), bookahead::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CountUndo<const ENTRIES: usize> {
    entries: [UndoEntry; ENTRIES],
}

impl<const ENTRIES: usize> CountUndo<ENTRIES> {
    /// The memory it takes: 72 bytes for each entry.
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty log. All of it is zero, so that a `static` of it occupies no space in a program image.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; ENTRIES],
        }
    }

    /// Returns the log, to be lent to a transaction. O(1).
    pub const fn log(&mut self) -> UndoLog<'_, ()> {
        UndoLog::new(&mut self.entries, &mut [])
    }
}

impl<const ENTRIES: usize> Default for CountUndo<ENTRIES> {
    fn default() -> Self {
        Self::new()
    }
}

/// Owns the undo log of a book with early binding and `COLUMNS` columns of type `C`, with `ENTRIES` entries.
///
/// ```
/// use bookahead::PeUndo;
/// assert_eq!(PeUndo::<u32, 2, 10>::BYTES, 10 * (72 + 2 * 4));
/// ```
#[derive(Clone, Debug)]
pub struct PeUndo<C, const COLUMNS: usize, const ENTRIES: usize> {
    entries: [UndoEntry; ENTRIES],
    sets: [[C; COLUMNS]; ENTRIES],
}

impl<C: Column, const COLUMNS: usize, const ENTRIES: usize> PeUndo<C, COLUMNS, ENTRIES> {
    /// The memory it takes: 72 bytes and a set for each entry.
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty log. All of it is zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; ENTRIES],
            sets: [[C::NONE; COLUMNS]; ENTRIES],
        }
    }

    /// Returns the log, to be lent to a transaction. O(1).
    pub const fn log(&mut self) -> UndoLog<'_, C> {
        UndoLog::new(&mut self.entries, self.sets.as_flattened_mut())
    }
}

impl<C: Column, const COLUMNS: usize, const ENTRIES: usize> Default
    for PeUndo<C, COLUMNS, ENTRIES>
{
    fn default() -> Self {
        Self::new()
    }
}
