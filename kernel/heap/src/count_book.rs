//! A book with late binding.

use bookahead::{
    Book,
    raw::count_book_bytes,
    raw::{BookState, CountParts, CountRing},
};

use crate::{
    SizeError,
    arrays::{Arrays, Common, Size},
};

/// Owns a book with late binding, with sizes known at run time.
///
/// ```
/// use bookahead::{PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::BoxedCountBook;
///
/// let mut memory = BoxedCountBook::new(16, 1_440, 200)?;
/// let request = Request {
///     ready: Slot::new(60),
///     duration: Span::new(90),
///     deadline: Slot::new(480),
///     pes: PeCount::new(4),
/// };
/// let booking = memory.view().reserve(&request, Policy::FirstFit).unwrap();
/// assert_eq!(booking.start, Slot::new(60));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedCountBook {
    common: Common,
    owner: Box<[u32]>,
}

impl BoxedCountBook {
    /// The bytes of its arrays and scalars: [`count_book_bytes`] with its arguments in the order of [`new`](Self::new). What the
    /// allocator and the pointers to the arrays take is not among them.
    ///
    /// ```
    /// assert_eq!(bookahead_heap::BoxedCountBook::bytes(32, 256, 32), bookahead::raw::count_book_bytes(256, 32, 32));
    /// ```
    #[must_use]
    pub const fn bytes(pes: u16, slots: u32, reservations: usize) -> usize {
        count_book_bytes(slots, pes, reservations)
    }

    /// An empty book at slot 0, for `pes` processing elements, a ring of `slots` slots and `reservations` reservations. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
    pub fn new(pes: u16, slots: u32, reservations: usize) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, pes, slots, reservations)
    }

    /// As [`new`](Self::new), in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(
        limit: usize,
        pes: u16,
        slots: u32,
        reservations: usize,
    ) -> Result<Self, SizeError> {
        let size = Size {
            pes,
            slots,
            rows: reservations,
        };
        let needed = Self::bytes(pes, slots, reservations);
        let mut arrays = Arrays::of_book(size, needed, limit)?;
        let mut memory = Self {
            common: Common::allocate(size, &mut arrays)?,
            owner: arrays.array(pes.into())?,
        };
        debug_assert_eq!(arrays.bytes_with::<BookState>(), needed);
        let formatted = memory.parts().format(pes, slots);
        assert!(formatted.is_some(), "the arrays have the lengths of a book");
        Ok(memory)
    }

    /// The book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, CountRing<'_>> {
        self.parts().view()
    }

    /// The arrays themselves: to make the book empty again, to use a ring without a ledger, or to look at what is in them.
    ///
    /// ```
    /// # use bookahead_heap::BoxedCountBook;
    /// let mut memory = BoxedCountBook::new(16, 1_440, 200).unwrap();
    /// assert_eq!(memory.parts().format(8, 1_440).unwrap().pes().get(), 8);
    /// assert!(memory.parts().format_ring(17, 1_440).is_none(), "there is memory for 16");
    /// ```
    pub fn parts(&mut self) -> CountParts<'_> {
        let common = &mut self.common;
        CountParts {
            state: &mut common.state,
            rows: &mut common.rows,
            starts: &mut common.starts,
            timers: &mut common.timers,
            busy: &mut common.counts,
            most: &mut common.most,
            change: &mut common.change,
            release: &mut common.release,
            owner: &mut self.owner,
        }
    }
}
