//! The memory of a journal, owned.

use crate::ledger::{JournalParts, JournalState, Note};

/// Owns the notes of a book of up to `ROWS` reservations: which of them have changed since the last record, see
/// [`Book::keep_journal`](crate::Book::keep_journal).
///
/// ```
/// use bookahead::{Journal, raw::journal_bytes};
/// assert_eq!(Journal::<16>::BYTES, journal_bytes(16));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Journal<const ROWS: usize> {
    state: JournalState,
    notes: [Note; ROWS],
}

impl<const ROWS: usize> Journal<ROWS> {
    /// The memory it takes; see [`journal_bytes`].
    pub const BYTES: usize = size_of::<Self>();

    /// Creates a journal that no book has kept yet. All of it is zero, so that a `static` of it occupies no space in a program image.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            state: JournalState::NEW,
            notes: [Note::NONE; ROWS],
        }
    }

    /// Returns the journal, to be lent to a book. O(1).
    #[must_use]
    pub const fn parts(&mut self) -> JournalParts<'_> {
        JournalParts {
            state: &mut self.state,
            notes: &mut self.notes,
        }
    }
}

impl<const ROWS: usize> Default for Journal<ROWS> {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the bytes of a [`Journal`] of a book of `rows` reservations: 8 for each, and for the state.
///
/// ```
/// assert_eq!(bookahead::raw::journal_bytes(10), 136);
/// ```
#[must_use]
pub const fn journal_bytes(rows: usize) -> usize {
    let bytes = rows.saturating_mul(size_of::<Note>());
    bytes.saturating_add(size_of::<JournalState>())
}
