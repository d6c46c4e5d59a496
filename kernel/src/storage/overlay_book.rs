//! The memory of a book with late binding and overlays.

use super::{CountBook, CountParts, SizeError, blocks, count_book_bytes};
use crate::{
    book::Book,
    pe::PeCount,
    ring::{CountRing, Layers, NativeScan, OverlayRing, Scan},
    time::Span,
};

/// The memory of a book with late binding in which reservations may be booked on top of others: as of a
/// [`CountBook`] of the same sizes, and 4 bytes for each slot, 2 for each reservation and 8 in addition.
///
/// ```
/// use bookahead::{OverlayBook, PeCount, Span};
/// let mut memory = OverlayBook::<4, 32, 32>::zeroed();
/// let book = memory.init(PeCount::new(32), Span::new(256))?;
/// assert_eq!(book.pes(), PeCount::new(32));
/// # Ok::<(), bookahead::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OverlayBook<const BLOCKS: usize, const PES: usize, const ROWS: usize> {
    seen: u64,
    book: CountBook<BLOCKS, PES, ROWS>,
    firm: [[u16; 64]; BLOCKS],
    overlaid: [[u16; 64]; BLOCKS],
    of_row: [u16; ROWS],
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> OverlayBook<BLOCKS, PES, ROWS> {
    /// The size in bytes.
    pub const BYTES: usize = size_of::<Self>();

    /// Returns memory that is all zeros, as [`CountBook::zeroed`].
    #[must_use]
    pub const fn zeroed() -> Self {
        Self::of(CountBook::zeroed())
    }

    /// Creates an empty book at slot 0, as [`CountBook::new`].
    ///
    /// # Errors
    ///
    /// [`SizeError`] when either is 0 or exceeds the memory.
    pub const fn new(pes: PeCount, horizon: Span) -> Result<Self, SizeError> {
        match CountBook::new(pes, horizon) {
            Ok(book) => Ok(Self::of(book)),
            Err(error) => Err(error),
        }
    }

    /// Initialises this memory, whatever it holds, as an empty book. O(memory).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and nothing is changed.
    pub fn init(
        &mut self,
        pes: PeCount,
        horizon: Span,
    ) -> Result<Book<'_, OverlayRing<'_>>, SizeError> {
        self.parts().init(pes, horizon)
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, OverlayRing<'_>> {
        self.parts().view()
    }

    const fn of(book: CountBook<BLOCKS, PES, ROWS>) -> Self {
        Self {
            seen: 0,
            book,
            firm: [[0; 64]; BLOCKS],
            overlaid: [[0; 64]; BLOCKS],
            of_row: [0; ROWS],
        }
    }

    fn parts(&mut self) -> OverlayParts<'_> {
        OverlayParts {
            book: self.book.parts(),
            firm: self.firm.as_flattened_mut(),
            overlaid: self.overlaid.as_flattened_mut(),
            of_row: &mut self.of_row,
            seen: &mut self.seen,
        }
    }
}

/// The arrays of a book with overlays, for memory that is not an [`OverlayBook`]. Use it like [`CountParts`].
///
/// ```
/// use bookahead::{PeCount, Span, raw::{NativeScan, Scan, BookState, CountParts, OverlayParts, Row, Timer}};
/// let mut state = BookState::default();
/// let book = CountParts {
///     state: &mut state, rows: &mut [Row::VACANT; 8], starts: &mut [0; 64], timers: &mut [Timer::NONE; 8],
///     busy: &mut [0; 64], summaries: &mut [0; NativeScan::SUMMARIES], change: &mut [0; 2], release: &mut [0; 2],
///     owner: &mut [0; 4],
/// };
/// let parts = OverlayParts {
///     book, firm: &mut [0; 64], overlaid: &mut [0; 64], of_row: &mut [0; 8], seen: &mut 0,
/// };
/// assert_eq!(parts.init(PeCount::new(4), Span::new(48)).unwrap().capacity(), 8);
/// ```
pub struct OverlayParts<'a> {
    /// The arrays of a book without overlays; `busy` shows what is firm and overlaid together.
    pub book: CountParts<'a>,
    /// One for each slot, as long as `busy`.
    pub firm: &'a mut [u16],
    /// As long as `busy`.
    pub overlaid: &'a mut [u16],
    /// One for each reservation.
    pub of_row: &'a mut [u16],
    /// A scalar: the changes up to which overlays have been examined.
    pub seen: &'a mut u64,
}

impl<'a> OverlayParts<'a> {
    /// Initialises the memory as an empty book at slot 0. O(memory).
    ///
    /// # Errors
    ///
    /// As [`CountParts::init`]; nothing is changed then.
    pub fn init(self, pes: PeCount, horizon: Span) -> Result<Book<'a, OverlayRing<'a>>, SizeError> {
        if !self.fit() {
            return Err(SizeError::ArrayLengths);
        }
        let (book, layers) = self.apart();
        let book = book.init(pes, horizon)?;
        layers.firm.fill(0);
        layers.overlaid.fill(0);
        layers.of_row.fill(0);
        *layers.seen = 0;
        Ok(with_layers(book, layers))
    }

    /// Opens the book in the memory; `None` when the arrays do not have the lengths it was initialised with. O(1).
    #[must_use]
    pub fn open(self) -> Option<Book<'a, OverlayRing<'a>>> {
        if !self.fit() {
            return None;
        }
        let (book, layers) = self.apart();
        Some(with_layers(book.open()?, layers))
    }

    /// Opens the book in the memory without checking the arrays; see [`CountParts::view`]. O(1).
    #[must_use]
    #[inline(always)]
    pub fn view(self) -> Book<'a, OverlayRing<'a>> {
        self.view_with::<NativeScan>()
    }

    /// Opens the book for searches that read it as `S` says; see [`CountParts::view_with`]. O(1).
    #[must_use]
    #[inline(always)]
    pub fn view_with<S: Scan>(self) -> Book<'a, OverlayRing<'a, S>> {
        let (book, layers) = self.apart();
        with_layers(book.view_with(), layers)
    }

    #[inline(always)]
    fn apart(self) -> (CountParts<'a>, Layers<'a>) {
        let layers = Layers {
            firm: self.firm,
            overlaid: self.overlaid,
            of_row: self.of_row,
            seen: self.seen,
        };
        (self.book, layers)
    }

    /// Returns whether the arrays of the layers are as long as those of the book.
    fn fit(&self) -> bool {
        let slots = self.book.busy.len();
        let layers = self.firm.len() == slots && self.overlaid.len() == slots;
        layers && self.of_row.len() == self.book.rows.len()
    }
}

#[inline(always)]
fn with_layers<'a, S: Scan>(
    book: Book<'a, CountRing<'a, S>>,
    layers: Layers<'a>,
) -> Book<'a, OverlayRing<'a, S>> {
    let Book { ring, ledger } = book;
    let ring = OverlayRing {
        shown: ring,
        layers,
    };
    Book { ring, ledger }
}

/// Returns the size in bytes of an [`OverlayBook`] for `slots` slots, `pes` processing elements and `rows` reservations, which is read as `S` says.
///
/// ```
/// use bookahead::{OverlayBook, raw::{NativeScan, overlay_book_bytes}};
/// assert_eq!(overlay_book_bytes::<NativeScan>(256, 32, 32), OverlayBook::<4, 32, 32>::BYTES);
/// ```
#[must_use]
pub const fn overlay_book_bytes<S: Scan>(slots: u32, pes: u16, rows: usize) -> usize {
    let layers = blocks(slots).saturating_mul(64 * 4).saturating_add(8);
    let bytes = count_book_bytes::<S>(slots, pes, rows)
        .saturating_add(layers)
        .saturating_add(rows.saturating_mul(2));
    match bytes.checked_next_multiple_of(8) {
        Some(bytes) => bytes,
        None => usize::MAX,
    }
}
