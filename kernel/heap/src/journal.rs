//! Journals of books in boxed memory, and books as bytes.

#[cfg(feature = "journal")]
use alloc::{boxed::Box, vec, vec::Vec};

use bookahead::Book;
#[cfg(feature = "journal")]
use bookahead::{
    SnapshotError,
    raw::{JournalParts, JournalState, Kept, Note},
};

/// The notes of a book that keeps a journal. They are no part of what it holds, so comparisons of books ignore them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    #[cfg(feature = "journal")]
    kept: Option<(JournalState, Box<[Note]>)>,
}

impl PartialEq for Notes {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Notes {
    /// Notes for a book of so many reservations, as it is when they are first lent to it.
    #[cfg(feature = "journal")]
    pub(crate) fn new(reservations: usize) -> Self {
        let notes = vec![Note::NONE; reservations].into_boxed_slice();
        Self {
            kept: Some((JournalState::default(), notes)),
        }
    }

    /// Lends the notes to a view of the book. Where something has changed that no view with notes has seen, there is no journal any more: who asks for a record is told.
    #[cfg(feature = "journal")]
    pub(crate) fn lend_to<'a, R: Kept>(&'a mut self, mut book: Book<'a, R>) -> Book<'a, R> {
        if let Some((state, notes)) = &mut self.kept {
            let _ = book.keep_journal(JournalParts { state, notes });
        }
        book
    }

    /// Without the feature there are no notes.
    #[cfg(not(feature = "journal"))]
    pub(crate) const fn lend_to<'a, R>(&'a mut self, book: Book<'a, R>) -> Book<'a, R> {
        book
    }
}

/// Appends what a call writes.
#[cfg(feature = "journal")]
pub(crate) fn append<Done>(
    bytes: &mut Vec<u8>,
    call: impl FnOnce(&mut dyn FnMut(&[u8]) -> bool) -> Result<Done, SnapshotError>,
) -> Result<Done, SnapshotError> {
    call(&mut |piece| {
        bytes.extend_from_slice(piece);
        true
    })
}

/// Gives bytes to a call that reads them. Whatever it leaves belongs to nothing.
#[cfg(feature = "journal")]
pub(crate) fn give(
    mut bytes: &[u8],
    call: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> bool) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    call(&mut |piece| match bytes.split_at_checked(piece.len()) {
        Some((next, rest)) => {
            piece.copy_from_slice(next);
            bytes = rest;
            true
        }
        None => false,
    })?;
    match bytes {
        [] => Ok(()),
        _ => Err(SnapshotError::OtherBook),
    }
}
