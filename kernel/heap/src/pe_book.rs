//! The memory of a book with early binding.

use alloc::boxed::Box;

use bookahead::{
    Book, PeCount, Span,
    raw::{BookState, Column, NativeScan, PeParts, PeRing, Scan, columns, pe_book_bytes},
};

use crate::{
    SizeError, Sizes,
    arrays::{Arrays, Common, NUMBERED},
    journal::Notes,
};

/// The column type for hosts, 512 processing elements wide.
pub type HostColumn = [u64; 8];

/// The memory of a book with early binding in columns of type `C`, with sizes known at run time. Comparisons ignore scratch memory, whose
/// contents have no meaning between calls.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{BoxedPeBook, HostColumn, Sizes};
///
/// let mut memory = BoxedPeBook::<HostColumn>::new(Sizes { pes: 1_024, slots: 1_440, reservations: 200 })?;
/// let request = Request {
///     ready: Slot::new(60),
///     duration: Span::new(90),
///     deadline: Slot::new(480),
///     pes: PeCount::new(600),
/// };
/// let booking = memory.view().reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// assert_eq!(memory.view().pes_of(booking.handle).unwrap().count(), 600);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedPeBook<C> {
    common: Common,
    busy: Box<[C]>,
    any: Box<[C]>,
    sets: Box<[C]>,
    scratch: Scratch<C>,
}

/// Scratch memory: its contents have no meaning between calls, so comparisons of books ignore it.
#[derive(Clone, Debug)]
struct Scratch<C> {
    suffixes: Box<[C]>,
    prefix: Box<[C]>,
    joined: Box<[C]>,
}

impl<C> PartialEq for Scratch<C> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl<C: Column> BoxedPeBook<C> {
    /// Returns the bytes of the arrays and scalars of a book of these sizes, as [`pe_book_bytes`]. The memory of the allocator itself and of
    /// the pointers to the arrays is not included.
    ///
    /// ```
    /// assert_eq!(bookahead_heap::BoxedPeBook::<u32>::bytes(bookahead_heap::Sizes { pes: 32, slots: 256, reservations: 32 }), bookahead::raw::pe_book_bytes::<u32, bookahead::raw::NativeScan>(256, 32, 32));
    /// ```
    #[must_use]
    pub const fn bytes(sizes: Sizes) -> usize {
        pe_book_bytes::<C, NativeScan>(sizes.slots, sizes.numbered(), sizes.reservations)
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
        let needed = Self::bytes(sizes);
        let mut arrays = Arrays::of_book(sizes, NUMBERED, needed, limit)?;
        let (columns, storage) = (columns::<C>(sizes.numbered()), sizes.storage());
        let mut memory = Self {
            common: Common::allocate(sizes, &mut arrays)?,
            busy: arrays.array(columns * storage)?,
            any: arrays.array(columns * storage / 8)?,
            sets: arrays.array(columns * sizes.reservations)?,
            scratch: Scratch {
                suffixes: arrays.array(columns * storage)?,
                prefix: arrays.array(columns)?,
                joined: arrays.array(columns)?,
            },
        };
        debug_assert_eq!(arrays.bytes_with::<BookState>(), needed);
        let made = memory
            .parts()
            .init(PeCount::new(sizes.pes), Span::new(sizes.slots));
        assert!(made.is_ok(), "the arrays have the lengths of a book");
        Ok(memory)
    }

    /// Returns a view of the book in this memory, with its journal if it keeps one. O(1).
    pub fn view(&mut self) -> Book<'_, PeRing<'_, C>> {
        self.view_with::<NativeScan>()
    }

    /// Returns a view as [`view`](Self::view) does, for searches that read the book as `S` says; see [`Scan`]. O(1).
    pub fn view_with<S: Scan>(&mut self) -> Book<'_, PeRing<'_, C, S>> {
        let (parts, notes) = self.split();
        notes.lend_to(parts.view_with())
    }

    /// Returns the arrays; see [`BoxedCountBook::parts`](crate::BoxedCountBook::parts).
    pub fn parts(&mut self) -> PeParts<'_, C> {
        self.split().0
    }

    /// Returns the arrays, and the notes of the journal.
    pub(crate) fn split(&mut self) -> (PeParts<'_, C>, &mut Notes) {
        let (common, scratch) = (&mut self.common, &mut self.scratch);
        let arrays = PeParts {
            state: &mut common.state,
            rows: &mut common.rows,
            starts: &mut common.starts,
            timers: &mut common.timers,
            busy: &mut self.busy,
            any: &mut self.any,
            counts: &mut common.counts,
            summaries: &mut common.summaries,
            change: &mut common.change,
            release: &mut common.release,
            sets: &mut self.sets,
            suffixes: &mut scratch.suffixes,
            prefix: &mut scratch.prefix,
            joined: &mut scratch.joined,
        };
        (arrays, &mut common.notes)
    }
}
