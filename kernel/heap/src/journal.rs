//! Journals of books in boxed memory, and books as bytes.

#[cfg(feature = "journal")]
use alloc::{boxed::Box, vec, vec::Vec};
#[cfg(feature = "journal")]
use core::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
};

use bookahead::Book;
#[cfg(not(feature = "journal"))]
use bookahead::raw::SetParts;
#[cfg(feature = "journal")]
use bookahead::{
    Queue, SnapshotError,
    raw::{JournalParts, JournalState, Kept, Note},
};

/// By what a journal is kept, if one is. That is no part of what a book holds, so comparisons of books ignore it; and a copy keeps a journal of its own, whose records follow on what the
/// copy was made of.
#[cfg(feature = "journal")]
pub(crate) struct Keeping<T>(Option<(u64, T)>);

#[cfg(feature = "journal")]
impl<T> Keeping<T> {
    pub(crate) const NONE: Self = Self(None);

    /// Another journal than any that there has been.
    pub(crate) fn begin(by: T) -> Self {
        static BEGUN: AtomicUsize = AtomicUsize::new(0);
        #[cfg(target_has_atomic = "ptr")]
        let journal = BEGUN.fetch_add(1, Ordering::Relaxed);
        // Where there is no such addition, there is one core, and nobody in between but interrupts.
        #[cfg(not(target_has_atomic = "ptr"))]
        let journal = {
            let begun = BEGUN.load(Ordering::Relaxed);
            BEGUN.store(begun.wrapping_add(1), Ordering::Relaxed);
            begun
        };
        Self(Some((journal as u64, by)))
    }

    pub(crate) fn get(&mut self) -> Result<&mut T, SnapshotError> {
        let kept = self.0.as_mut().ok_or(SnapshotError::NoJournal)?;
        Ok(&mut kept.1)
    }

    /// Tells it from all others of the process.
    pub(crate) fn journal(&self) -> Option<u64> {
        self.0.as_ref().map(|(journal, _)| *journal)
    }
}

#[cfg(feature = "journal")]
impl<T: Clone> Clone for Keeping<T> {
    fn clone(&self) -> Self {
        let kept = self.0.as_ref();
        kept.map_or(Self::NONE, |(_, by)| Self::begin(by.clone()))
    }
}

#[cfg(feature = "journal")]
impl<T> Default for Keeping<T> {
    fn default() -> Self {
        Self::NONE
    }
}

#[cfg(feature = "journal")]
impl<T> PartialEq for Keeping<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

#[cfg(feature = "journal")]
impl<T> fmt::Debug for Keeping<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keeping").field(&self.journal()).finish()
    }
}

/// The notes of a book that keeps a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Notes {
    #[cfg(feature = "journal")]
    kept: Keeping<(JournalState, Box<[Note]>)>,
}

impl Notes {
    /// Notes for a book of so many reservations, as it is when they are first lent to it.
    #[cfg(feature = "journal")]
    pub(crate) fn new(reservations: usize) -> Self {
        let notes = vec![Note::NONE; reservations].into_boxed_slice();
        Self {
            kept: Keeping::begin((JournalState::default(), notes)),
        }
    }

    #[cfg(feature = "journal")]
    pub(crate) fn journal(&self) -> Option<u64> {
        self.kept.journal()
    }

    /// Lends the notes to a view of the book. Where something has changed that no view with notes has seen, there is no journal any more: who asks for a record is told.
    #[cfg(feature = "journal")]
    pub(crate) fn lend_to<'a, R: Kept>(&'a mut self, mut book: Book<'a, R>) -> Book<'a, R> {
        if let Ok((state, notes)) = self.kept.get() {
            let _ = book.keep_journal(JournalParts { state, notes });
        }
        book
    }

    /// Without the feature there are no notes.
    #[cfg(not(feature = "journal"))]
    pub(crate) const fn lend_to<'a, R: SetParts>(&'a mut self, book: Book<'a, R>) -> Book<'a, R> {
        book
    }
}

/// A book in boxed memory that survives: its bytes are whole lists here. See [`Book::write_snapshot`] and [`Book::keep_journal`].
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Sizes, Survives};
///
/// let sizes = Sizes { pes: 640, slots: 1_440, reservations: 200 };
/// let mut book = BoxedBook::new(Binding::Early, sizes)?;
/// let mut standby = BoxedBook::new(Binding::Early, sizes)?;
/// book.keep_journal();
/// let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(500) };
/// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// let mut record = Vec::new();
/// book.write_record(&mut record).unwrap();
/// standby.apply_record(&record).unwrap();
/// assert_eq!(standby.pes_of(booking.handle), book.pes_of(booking.handle));
/// assert_eq!(standby.snapshot(), book.snapshot());
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[cfg(feature = "journal")]
pub trait Survives {
    /// Keeps a journal from now on: each view notes what changes. A copy of the book keeps one of its own. O(reservations).
    fn keep_journal(&mut self);

    /// Returns a number that tells the journal that is kept from all others of this process, so that whoever records what a call has changed sees whether the call has
    /// put another book in the place of this one; of several parts, also whether one of them is another one, or stands in another place. Nothing where a part keeps none.
    /// What does not tell journals apart answers the same always.
    fn journal(&mut self) -> Option<u64> {
        Some(0)
    }

    /// Appends the record of what has changed since the one before, if anything has, and returns whether that is so.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NoJournal`].
    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError>;

    /// Becomes what a record says.
    ///
    /// # Errors
    ///
    /// As [`Book::apply_record`], and [`SnapshotError::OtherBook`] for bytes behind the record.
    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError>;

    /// Returns a snapshot.
    fn snapshot(&mut self) -> Vec<u8>;

    /// Becomes what a snapshot says, in a new book.
    ///
    /// # Errors
    ///
    /// As [`Book::read_snapshot`], and [`SnapshotError::OtherBook`] for bytes behind the snapshot.
    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError>;

    /// See [`Book::state_hash`].
    fn state_hash(&mut self) -> u64;
}

/// A book that survives, and can have a queue beside it that does: see [`Queued`](crate::Queued).
#[cfg(feature = "journal")]
pub trait LeadsQueue: Survives {
    /// See [`Queue::read_snapshot`].
    ///
    /// # Errors
    ///
    /// As that, and [`SnapshotError::OtherBook`] for bytes behind the snapshot.
    fn read_queue(&mut self, queue: &mut Queue<'_>, snapshot: &[u8]) -> Result<(), SnapshotError>;

    /// See [`Queue::apply_record`].
    ///
    /// # Errors
    ///
    /// As that, and [`SnapshotError::OtherBook`] for bytes behind the record.
    fn apply_to_queue(&mut self, queue: &mut Queue<'_>, record: &[u8])
    -> Result<(), SnapshotError>;
}

/// The same for each memory that has notes.
#[cfg(feature = "journal")]
macro_rules! survives {
    ($memory:ty $(, $column:ident)?) => {
        impl$(<$column: bookahead::raw::Column>)? Survives for $memory {
            fn keep_journal(&mut self) {
                let reservations = self.view().capacity();
                *self.split().1 = Notes::new(reservations);
                // It begins with the first view.
                let _ = self.view();
            }

            fn journal(&mut self) -> Option<u64> {
                self.split().1.journal()
            }

            fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
                append(bytes, |write| self.view().write_record(write))
            }

            fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
                give(record, |read| self.view().apply_record(read))
            }

            fn snapshot(&mut self) -> Vec<u8> {
                let mut bytes = Vec::new();
                // A list takes all of it.
                let _ = append(&mut bytes, |write| self.view().write_snapshot(write));
                bytes
            }

            fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
                give(snapshot, |read| self.view().read_snapshot(read))
            }

            fn state_hash(&mut self) -> u64 {
                self.view().state_hash()
            }
        }

        impl$(<$column: bookahead::raw::Column>)? LeadsQueue for $memory {
            fn read_queue(&mut self, queue: &mut Queue<'_>, snapshot: &[u8]) -> Result<(), SnapshotError> {
                give(snapshot, |read| queue.read_snapshot(&self.view(), read))
            }

            fn apply_to_queue(&mut self, queue: &mut Queue<'_>, record: &[u8]) -> Result<(), SnapshotError> {
                give(record, |read| queue.apply_record(&self.view(), read))
            }
        }
    };
}

#[cfg(feature = "journal")]
survives!(crate::BoxedCountBook);
#[cfg(feature = "journal")]
survives!(crate::BoxedUnitBook);
#[cfg(feature = "journal")]
survives!(crate::BoxedPeBook<C>, C);
#[cfg(all(feature = "journal", feature = "placement"))]
survives!(crate::BoxedPlacedBook<C>, C);
#[cfg(all(feature = "journal", feature = "risk"))]
survives!(crate::BoxedOverlayBook);
#[cfg(all(feature = "journal", feature = "outages"))]
survives!(crate::BoxedRuledBook<crate::BoxedCountBook, ()>);
#[cfg(all(feature = "journal", feature = "outages"))]
survives!(crate::BoxedRuledBook<crate::BoxedPeBook<C>, C>, C);
#[cfg(all(feature = "journal", feature = "outages", feature = "placement"))]
survives!(crate::BoxedRuledBook<crate::BoxedPlacedBook<C>, C>, C);

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
fn give(
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
