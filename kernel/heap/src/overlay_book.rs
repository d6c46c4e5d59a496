//! The memory of a book with late binding and overlays.

use alloc::boxed::Box;

use bookahead::{
    Book, PeCount, Span,
    raw::{BookState, NativeScan, OverlayParts, OverlayRing, Scan, overlay_book_bytes},
};

use crate::{
    BoxedCountBook, SizeError, Sizes,
    arrays::{Arrays, NUMBERED},
    journal::Notes,
};

/// The memory of a book with late binding and overlays, with sizes known at run time.
///
/// ```
/// use bookahead::PeCount;
/// use bookahead_heap::{BoxedOverlayBook, Sizes};
/// let mut memory = BoxedOverlayBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// assert_eq!(memory.view().pes(), PeCount::new(16));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedOverlayBook {
    book: BoxedCountBook,
    firm: Box<[u16]>,
    overlaid: Box<[u16]>,
    of_row: Box<[u16]>,
    seen: u64,
}

impl BoxedOverlayBook {
    /// Returns the bytes of the arrays and scalars of a book of these sizes, as [`overlay_book_bytes`].
    #[must_use]
    pub const fn bytes(sizes: Sizes) -> usize {
        overlay_book_bytes::<NativeScan>(sizes.slots, sizes.numbered(), sizes.reservations)
    }

    /// Creates an empty book of these sizes at slot 0. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
    pub fn new(sizes: Sizes) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, sizes)
    }

    /// Creates a book as [`new`](Self::new) does, in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(limit: usize, sizes: Sizes) -> Result<Self, SizeError> {
        let mut arrays = Arrays::of_book(sizes, NUMBERED, Self::bytes(sizes), limit)?;
        let storage = sizes.storage();
        let mut memory = Self {
            firm: arrays.array(storage)?,
            overlaid: arrays.array(storage)?,
            of_row: arrays.array(sizes.reservations)?,
            seen: 0,
            book: BoxedCountBook::new(sizes)?,
        };
        debug_assert_eq!(
            (arrays.bytes_with::<u64>() + BoxedCountBook::bytes(sizes))
                .next_multiple_of(align_of::<BookState>()),
            Self::bytes(sizes)
        );
        let made = memory
            .parts()
            .init(PeCount::new(sizes.pes), Span::new(sizes.slots));
        assert!(made.is_ok(), "the arrays have the lengths of a book");
        Ok(memory)
    }

    /// Returns a view of the book in this memory, with its journal if it keeps one. O(1).
    pub fn view(&mut self) -> Book<'_, OverlayRing<'_>> {
        self.view_with()
    }

    /// Returns a view for searches that read it as `S` says, see [`OverlayParts::view_with`]. O(1).
    pub fn view_with<S: Scan>(&mut self) -> Book<'_, OverlayRing<'_, S>> {
        let (parts, notes) = self.split();
        notes.lend_to(parts.view_with())
    }

    /// Returns the arrays: to initialise the book again, or to read them.
    pub fn parts(&mut self) -> OverlayParts<'_> {
        self.split().0
    }

    /// Returns the arrays, and the notes of the journal.
    pub(crate) fn split(&mut self) -> (OverlayParts<'_>, &mut Notes) {
        let (book, notes) = self.book.split();
        let parts = OverlayParts {
            book,
            firm: &mut self.firm,
            overlaid: &mut self.overlaid,
            of_row: &mut self.of_row,
            seen: &mut self.seen,
        };
        (parts, notes)
    }
}
