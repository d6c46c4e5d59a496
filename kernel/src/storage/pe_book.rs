//! The memory of a book with early binding, sized at compile time.

use super::{BookState, PeParts, Scratch, SizeError};
use crate::{
    book::Book,
    column::Column,
    ledger::{Row, Timer},
    pe::PeCount,
    ring::{NativeScan, PeRing, Scan},
    time::Span,
};

/// The memory of a book with early binding: `BLOCKS` blocks of 64 slots, `COLUMNS` columns of type `C`, `ROWS` reservations. The macro
/// [`pe_book`](crate::pe_book) takes these numbers by name.
///
/// ```
/// use bookahead::{PeCount, Span, pe_book};
/// type DeviceBook = pe_book!(slots = 256, pes = 32, reservations = 32);
/// let mut memory = DeviceBook::new(PeCount::new(32), Span::new(256))?;
/// assert_eq!(memory.view().horizon(), Span::new(256));
/// # Ok::<(), bookahead::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PeBook<C, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize> {
    state: BookState,
    rows: [Row; ROWS],
    starts: [[u32; 64]; BLOCKS],
    timers: [Timer; ROWS],
    busy: [[[C; 64]; BLOCKS]; COLUMNS],
    any: [[[C; 8]; BLOCKS]; COLUMNS],
    counts: [[u16; 64]; BLOCKS],
    summaries: [[u16; NativeScan::SUMMARIES]; BLOCKS],
    change: [[u32; 2]; BLOCKS],
    release: [[u32; 2]; BLOCKS],
    sets: [[C; COLUMNS]; ROWS],
    suffixes: Scratch<[[[C; 64]; BLOCKS]; COLUMNS]>,
    prefix: Scratch<[C; COLUMNS]>,
    joined: Scratch<[C; COLUMNS]>,
}

/// A view of a book with early binding and columns of type `C`, for functions that are not generic over the binding.
///
/// ```
/// use bookahead::{Handle, Pe, PeView};
/// fn lowest_pe(book: &PeView<'_, u32>, handle: Handle) -> Option<Pe> {
///     book.pes_of(handle).ok()?.next()
/// }
/// ```
pub type PeView<'a, C> = Book<'a, PeRing<'a, C>>;

impl<C: Column, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>
    PeBook<C, BLOCKS, COLUMNS, ROWS>
{
    /// The size in bytes; [`pe_book_bytes`](crate::raw::pe_book_bytes) explains how it is computed.
    pub const BYTES: usize = size_of::<Self>();

    /// Returns memory that is all zeros, so that a `static` of it takes no space in an image. [`init`](Self::init) turns it into a book.
    /// Until then, [`view`](Self::view) shows a book of size zero, which refuses every request.
    #[must_use]
    pub const fn zeroed() -> Self {
        const {
            assert!(BLOCKS <= 1 << 26, "at most 2^32 slots");
            assert!(ROWS < u32::MAX as usize, "at most 2^32 - 2 reservations");
        }
        Self {
            state: BookState::ZEROED,
            rows: [Row::VACANT; ROWS],
            starts: [[0; 64]; BLOCKS],
            timers: [Timer::NONE; ROWS],
            busy: [[[C::NONE; 64]; BLOCKS]; COLUMNS],
            any: [[[C::NONE; 8]; BLOCKS]; COLUMNS],
            counts: [[0; 64]; BLOCKS],
            summaries: [[0; NativeScan::SUMMARIES]; BLOCKS],
            change: [[0; 2]; BLOCKS],
            release: [[0; 2]; BLOCKS],
            sets: [[C::NONE; COLUMNS]; ROWS],
            suffixes: Scratch([[[C::NONE; 64]; BLOCKS]; COLUMNS]),
            prefix: Scratch([C::NONE; COLUMNS]),
            joined: Scratch([C::NONE; COLUMNS]),
        }
    }

    /// The number of processing elements that the columns hold.
    const MOST_PES: usize = match COLUMNS.checked_mul(C::BITS) {
        Some(bits) if bits <= u16::MAX as usize => bits,
        _ => u16::MAX as usize,
    };

    /// Creates an empty book at slot 0, for a machine of `pes` processing elements and a ring of `horizon` slots.
    ///
    /// # Errors
    ///
    /// [`SizeError`] when either is 0 or exceeds the memory, which is of whole columns and blocks: of 32 processing elements where `C` is `u32`, and 64 slots.
    pub const fn new(pes: PeCount, horizon: Span) -> Result<Self, SizeError> {
        match SizeError::check(pes, horizon, Self::MOST_PES, BLOCKS) {
            Ok(()) => {
                let mut book = Self::zeroed();
                book.state = BookState::new(pes, horizon, BLOCKS as u32);
                Ok(book)
            }
            Err(error) => Err(error),
        }
    }

    /// Initialises this memory, whatever it holds, as an empty book; otherwise as [`new`](Self::new). O(memory).
    ///
    /// ```
    /// use bookahead::{PeBook, PeCount, Span};
    /// let mut memory = PeBook::<u32, 4, 1, 32>::zeroed();
    /// let book = memory.init(PeCount::new(32), Span::new(256))?;
    /// assert_eq!(book.pes().get(), 32);
    /// # Ok::<(), bookahead::SizeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and nothing is changed.
    pub fn init(
        &mut self,
        pes: PeCount,
        horizon: Span,
    ) -> Result<Book<'_, PeRing<'_, C>>, SizeError> {
        self.parts().init(pes, horizon)
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, PeRing<'_, C>> {
        self.parts().view()
    }

    pub(super) fn parts(&mut self) -> PeParts<'_, C> {
        PeParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: self.starts.as_flattened_mut(),
            timers: &mut self.timers,
            busy: self.busy.as_flattened_mut().as_flattened_mut(),
            any: self.any.as_flattened_mut().as_flattened_mut(),
            counts: self.counts.as_flattened_mut(),
            summaries: self.summaries.as_flattened_mut(),
            change: self.change.as_flattened_mut(),
            release: self.release.as_flattened_mut(),
            sets: self.sets.as_flattened_mut(),
            suffixes: self.suffixes.0.as_flattened_mut().as_flattened_mut(),
            prefix: &mut self.prefix.0,
            joined: &mut self.joined.0,
        }
    }
}
