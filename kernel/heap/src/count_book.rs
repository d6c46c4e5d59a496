//! The memory of a book with late binding.

use alloc::boxed::Box;

use bookahead::{
    Book, PeCount, Span,
    raw::{
        BookState, CountArrays, CountRing, NativeScan, Scan, Width, count_book_bytes,
        unit_book_bytes,
    },
};

use crate::{
    SizeError, Sizes,
    arrays::{Arrays, Common, NUMBERED, UNITS},
    journal::Notes,
};

/// The memory of a book that counts, in as many bits as `N` has: a [`BoxedCountBook`] or a [`BoxedUnitBook`].
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedCounts<N> {
    common: Common<N>,
    owner: Box<[u32]>,
}

/// The memory of a book with late binding, with sizes known at run time.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, Sizes};
///
/// let mut memory = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let request = Request {
///     ready: Slot::new(60),
///     duration: Span::new(90),
///     deadline: Slot::new(480),
///     pes: PeCount::new(4),
/// };
/// let booking = memory.view().reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// assert_eq!(booking.start, Slot::new(60));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
pub type BoxedCountBook = BoxedCounts<u16>;

/// The memory of a book of up to 2,147,483,647 units without numbers, with sizes known at run time; see [`UnitBook`](bookahead::UnitBook).
///
/// ```
/// use bookahead_heap::{BoxedUnitBook, Sizes};
/// let mut memory = BoxedUnitBook::new(Sizes { pes: 163_840, slots: 1_440, reservations: 200 })?;
/// assert_eq!(memory.view().pes().get(), 163_840);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
pub type BoxedUnitBook = BoxedCounts<u32>;

impl BoxedCountBook {
    /// Returns the bytes of the arrays and scalars of a book of these sizes, as [`count_book_bytes`]. The memory of the allocator itself and
    /// of the pointers to the arrays is not included.
    ///
    /// ```
    /// assert_eq!(bookahead_heap::BoxedCountBook::bytes(bookahead_heap::Sizes { pes: 32, slots: 256, reservations: 32 }), bookahead::raw::count_book_bytes::<bookahead::raw::NativeScan>(256, 32, 32));
    /// ```
    #[must_use]
    pub const fn bytes(sizes: Sizes) -> usize {
        count_book_bytes::<NativeScan>(sizes.slots, sizes.numbered(), sizes.reservations)
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
        let owners = sizes.numbered().into();
        Self::make((limit, Self::bytes(sizes)), sizes, (NUMBERED, owners))
    }
}

impl BoxedUnitBook {
    /// Returns the bytes of the arrays and scalars of a book of these sizes, as [`unit_book_bytes`].
    #[must_use]
    pub const fn bytes(sizes: Sizes) -> usize {
        unit_book_bytes::<NativeScan>(sizes.slots, sizes.reservations)
    }

    /// As [`BoxedCountBook::new`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn new(sizes: Sizes) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, sizes)
    }

    /// As [`BoxedCountBook::new_within`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn new_within(limit: usize, sizes: Sizes) -> Result<Self, SizeError> {
        Self::make((limit, Self::bytes(sizes)), sizes, (UNITS, 0))
    }
}

impl<N: Width> BoxedCounts<N> {
    /// Creates a book of at most so many processing elements, of which so many have owners, in at most `limit` bytes.
    fn make(
        (limit, needed): (usize, usize),
        sizes: Sizes,
        (most, owners): (u32, usize),
    ) -> Result<Self, SizeError> {
        let mut arrays = Arrays::of_book(sizes, most, needed, limit)?;
        let mut memory = Self {
            common: Common::allocate(sizes, &mut arrays)?,
            owner: arrays.array(owners)?,
        };
        debug_assert_eq!(arrays.bytes_with::<BookState>(), needed);
        let made = memory
            .parts()
            .init(PeCount::new(sizes.pes), Span::new(sizes.slots));
        assert!(made.is_ok(), "the arrays have the lengths of a book");
        Ok(memory)
    }

    /// Returns a view of the book in this memory, with its journal if it keeps one. O(1).
    pub fn view(&mut self) -> Book<'_, CountRing<'_, NativeScan, N>> {
        self.view_with::<NativeScan>()
    }

    /// Returns a view as [`view`](Self::view) does, for searches that read the book as `S` says; see [`Scan`]. O(1).
    pub fn view_with<S: Scan>(&mut self) -> Book<'_, CountRing<'_, S, N>> {
        let (parts, notes) = self.split();
        notes.lend_to(parts.view_with())
    }

    /// Returns the arrays: to initialise the book again, to use a ring without a ledger, or to read the arrays.
    ///
    /// ```
    /// # use bookahead::{PeCount, Span};
    /// # use bookahead_heap::{BoxedCountBook, Sizes};
    /// let mut memory = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 }).unwrap();
    /// assert_eq!(memory.parts().init(PeCount::new(8), Span::new(1_440)).unwrap().pes().get(), 8);
    /// assert!(memory.parts().init_ring(PeCount::new(17), Span::new(1_440)).is_err(), "there is memory for 16");
    /// ```
    pub fn parts(&mut self) -> CountArrays<'_, N> {
        self.split().0
    }

    /// Returns the arrays, and the notes of the journal.
    pub(crate) fn split(&mut self) -> (CountArrays<'_, N>, &mut Notes) {
        let (common, owner) = (&mut self.common, &mut self.owner);
        let arrays = CountArrays {
            state: &mut common.state,
            rows: &mut common.rows,
            starts: &mut common.starts,
            timers: &mut common.timers,
            busy: &mut common.counts,
            summaries: &mut common.summaries,
            change: &mut common.change,
            release: &mut common.release,
            owner,
        };
        (arrays, &mut common.notes)
    }
}
