//! Memory of a book with late binding, sized at compile time.

use super::{BookState, CountParts, blocks};
use crate::{
    book::Book,
    ledger::{Row, Timer},
    ring::CountRing,
};

/// Owns a book with late binding: `BLOCKS` blocks of 64 slots, up to `PES` processing elements, `ROWS` reservations.
///
/// ```
/// use bookahead::{CountBook, raw::blocks};
/// const SLOTS: u32 = 256;
/// // 32 PEs, 256 slots, 32 reservations, in a `static` behind a lock of the caller's choice.
/// static BOOK: std::sync::Mutex<CountBook<{ blocks(SLOTS) }, 32, 32>> =
///     std::sync::Mutex::new(CountBook::new(32, SLOTS).unwrap());
/// assert_eq!(BOOK.lock().unwrap().view().pes().get(), 32);
/// assert!(CountBook::<{ blocks(SLOTS) }, 32, 32>::BYTES < 4_200);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CountBook<const BLOCKS: usize, const PES: usize, const ROWS: usize> {
    state: BookState,
    rows: [Row; ROWS],
    starts: [[u32; 64]; BLOCKS],
    timers: [Timer; ROWS],
    busy: [[u16; 64]; BLOCKS],
    most: [u16; BLOCKS],
    change: [[u32; 2]; BLOCKS],
    release: [[u32; 2]; BLOCKS],
    owner: [u32; PES],
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> CountBook<BLOCKS, PES, ROWS> {
    /// The memory it takes; [`count_book_bytes`](crate::raw::count_book_bytes) says how that comes about.
    pub const BYTES: usize = size_of::<Self>();

    /// Memory for a book, all of it zero, so that a `static` of it takes no room in an image: [`format`](Self::format) makes it a book.
    /// Viewed as it is, it is a book of no size, which refuses every request.
    #[must_use]
    pub const fn blank() -> Self {
        const {
            assert!(BLOCKS <= 1 << 26, "at most 2^32 slots");
            assert!(PES <= u16::MAX as usize, "at most 65,535 PEs");
            assert!(ROWS < u32::MAX as usize, "at most 2^32 - 2 reservations");
        }
        Self {
            state: BookState::BLANK,
            rows: [Row::VACANT; ROWS],
            starts: [[0; 64]; BLOCKS],
            timers: [Timer::NONE; ROWS],
            busy: [[0; 64]; BLOCKS],
            most: [0; BLOCKS],
            change: [[0; 2]; BLOCKS],
            release: [[0; 2]; BLOCKS],
            owner: [0; PES],
        }
    }

    /// An empty book at slot 0, for `pes` processing elements and a ring of `slots` slots; `None` when either is 0 or does not fit.
    #[must_use]
    pub const fn new(pes: u16, slots: u32) -> Option<Self> {
        if pes == 0 || pes as usize > PES || slots == 0 || blocks(slots) > BLOCKS {
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
    /// # use bookahead::CountBook;
    /// let mut memory = CountBook::<4, 32, 32>::blank();
    /// assert_eq!(memory.format(32, 256).unwrap().pes().get(), 32);
    /// ```
    #[must_use]
    pub fn format(&mut self, pes: u16, slots: u32) -> Option<Book<'_, CountRing<'_>>> {
        self.parts().format(pes, slots)
    }

    /// The book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, CountRing<'_>> {
        self.parts().view()
    }

    fn parts(&mut self) -> CountParts<'_> {
        CountParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: self.starts.as_flattened_mut(),
            timers: &mut self.timers,
            busy: self.busy.as_flattened_mut(),
            most: &mut self.most,
            change: self.change.as_flattened_mut(),
            release: self.release.as_flattened_mut(),
            owner: &mut self.owner,
        }
    }
}
