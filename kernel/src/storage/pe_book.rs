//! Memory of a book with early binding, sized at compile time.

use super::{BookState, PeParts, Scratch, blocks, columns};
use crate::{
    book::Book,
    ledger::{Row, Timer},
    ring::{Column, PeRing},
};

/// Owns a book with early binding: `BLOCKS` blocks of 64 slots, `COLUMNS` columns of type `C`, `ROWS` reservations.
///
/// ```
/// use bookahead::{PeBook, raw::{blocks, columns}};
/// const SLOTS: u32 = 256;
/// type DeviceBook = PeBook<u32, { blocks(SLOTS) }, { columns::<u32>(32) }, 32>;
/// let mut memory = DeviceBook::new(32, SLOTS).unwrap();
/// assert_eq!(memory.view().horizon().get(), 256);
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
    most: [u16; BLOCKS],
    change: [[u32; 2]; BLOCKS],
    release: [[u32; 2]; BLOCKS],
    sets: [[C; COLUMNS]; ROWS],
    suffixes: Scratch<[[[C; 64]; BLOCKS]; COLUMNS]>,
    prefix: Scratch<[C; COLUMNS]>,
    joined: Scratch<[C; COLUMNS]>,
}

impl<C: Column, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize>
    PeBook<C, BLOCKS, COLUMNS, ROWS>
{
    /// The memory it takes; [`pe_book_bytes`](crate::raw::pe_book_bytes) says how that comes about.
    pub const BYTES: usize = size_of::<Self>();

    /// Memory for a book, all of it zero, so that a `static` of it takes no room in an image: [`format`](Self::format) makes it a book.
    /// Viewed as it is, it is a book of no size, which refuses every request.
    #[must_use]
    pub const fn blank() -> Self {
        const {
            assert!(BLOCKS <= 1 << 26, "at most 2^32 slots");
            assert!(ROWS < u32::MAX as usize, "at most 2^32 - 2 reservations");
        }
        Self {
            state: BookState::BLANK,
            rows: [Row::VACANT; ROWS],
            starts: [[0; 64]; BLOCKS],
            timers: [Timer::NONE; ROWS],
            busy: [[[C::NONE; 64]; BLOCKS]; COLUMNS],
            any: [[[C::NONE; 8]; BLOCKS]; COLUMNS],
            counts: [[0; 64]; BLOCKS],
            most: [0; BLOCKS],
            change: [[0; 2]; BLOCKS],
            release: [[0; 2]; BLOCKS],
            sets: [[C::NONE; COLUMNS]; ROWS],
            suffixes: Scratch([[[C::NONE; 64]; BLOCKS]; COLUMNS]),
            prefix: Scratch([C::NONE; COLUMNS]),
            joined: Scratch([C::NONE; COLUMNS]),
        }
    }

    /// An empty book at slot 0, for `pes` processing elements and a ring of `slots` slots; `None` when either is 0 or does not fit.
    #[must_use]
    pub const fn new(pes: u16, slots: u32) -> Option<Self> {
        if pes == 0 || columns::<C>(pes) > COLUMNS || slots == 0 || blocks(slots) > BLOCKS {
            return None;
        }
        let mut book = Self::blank();
        book.state = BookState::new(pes, slots, BLOCKS as u32);
        Some(book)
    }

    /// Makes an empty book of this memory, whatever it holds; `None`, and nothing is changed, for sizes that [`new`](Self::new) turns
    /// down. O(memory).
    ///
    /// ```
    /// # use bookahead::PeBook;
    /// let mut memory = PeBook::<u32, 4, 1, 32>::blank();
    /// assert_eq!(memory.format(32, 256).unwrap().pes().get(), 32);
    /// ```
    #[must_use]
    pub fn format(&mut self, pes: u16, slots: u32) -> Option<Book<'_, PeRing<'_, C>>> {
        self.parts().format(pes, slots)
    }

    /// The book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, PeRing<'_, C>> {
        self.parts().view()
    }

    fn parts(&mut self) -> PeParts<'_, C> {
        PeParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: self.starts.as_flattened_mut(),
            timers: &mut self.timers,
            busy: self.busy.as_flattened_mut().as_flattened_mut(),
            any: self.any.as_flattened_mut().as_flattened_mut(),
            counts: self.counts.as_flattened_mut(),
            most: &mut self.most,
            change: self.change.as_flattened_mut(),
            release: self.release.as_flattened_mut(),
            sets: self.sets.as_flattened_mut(),
            suffixes: self.suffixes.0.as_flattened_mut().as_flattened_mut(),
            prefix: &mut self.prefix.0,
            joined: &mut self.joined.0,
        }
    }
}
