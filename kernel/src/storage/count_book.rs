//! The memory of a book with late binding, sized at compile time.

use super::{BookState, CountParts, SizeError};
use crate::{
    book::Book,
    ledger::{Row, Timer},
    pe::PeCount,
    ring::{CountRing, NativeScan, Scan},
    time::Span,
};

/// The memory of a book with late binding: `BLOCKS` blocks of 64 slots, up to `PES` processing elements, `ROWS` reservations. The macro
/// [`count_book`](crate::count_book) takes these numbers by name.
///
/// ```
/// use bookahead::{PeCount, Span, count_book};
/// use std::sync::Mutex;
/// type DeviceBook = count_book!(slots = 256, pes = 32, reservations = 32);
/// // In a `static`, behind a lock of the caller's choice.
/// static MEMORY: Mutex<DeviceBook> = Mutex::new(DeviceBook::zeroed());
/// let mut memory = MEMORY.lock().unwrap();
/// memory.init(PeCount::new(32), Span::new(256))?;
/// assert_eq!(memory.view().pes(), PeCount::new(32));
/// assert!(DeviceBook::BYTES < 4_200);
/// # Ok::<(), bookahead::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CountBook<const BLOCKS: usize, const PES: usize, const ROWS: usize> {
    state: BookState,
    rows: [Row; ROWS],
    starts: [[u32; 64]; BLOCKS],
    timers: [Timer; ROWS],
    busy: [[u16; 64]; BLOCKS],
    summaries: [[u16; NativeScan::SUMMARIES]; BLOCKS],
    change: [[u32; 2]; BLOCKS],
    release: [[u32; 2]; BLOCKS],
    owner: [u32; PES],
}

/// A view of a book with late binding, for functions that are not generic over the binding.
///
/// ```
/// use bookahead::{Commitment, CountView, Handle, Policy, Request};
/// fn book_if_possible(book: &mut CountView<'_>, request: &Request) -> Option<Handle> {
///     book.reserve(request, Policy::FirstFit, Commitment::Confirmed).ok().map(|booking| booking.handle)
/// }
/// ```
pub type CountView<'a> = Book<'a, CountRing<'a>>;

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> CountBook<BLOCKS, PES, ROWS> {
    /// The size in bytes; [`count_book_bytes`](crate::raw::count_book_bytes) explains how it is computed.
    pub const BYTES: usize = size_of::<Self>();

    /// Returns memory that is all zeros, so that a `static` of it takes no space in an image. [`init`](Self::init) turns it into a book.
    /// Until then, [`view`](Self::view) shows a book of size zero, which refuses every request.
    #[must_use]
    pub const fn zeroed() -> Self {
        const {
            assert!(BLOCKS <= 1 << 26, "at most 2^32 slots");
            assert!(PES <= u16::MAX as usize, "at most 65,535 PEs");
            assert!(ROWS < u32::MAX as usize, "at most 2^32 - 2 reservations");
        }
        Self {
            state: BookState::ZEROED,
            rows: [Row::VACANT; ROWS],
            starts: [[0; 64]; BLOCKS],
            timers: [Timer::NONE; ROWS],
            busy: [[0; 64]; BLOCKS],
            summaries: [[0; NativeScan::SUMMARIES]; BLOCKS],
            change: [[0; 2]; BLOCKS],
            release: [[0; 2]; BLOCKS],
            owner: [0; PES],
        }
    }

    /// Creates an empty book at slot 0, for a machine of `pes` processing elements and a ring of `horizon` slots.
    ///
    /// Swapped sizes do not compile:
    ///
    /// ```compile_fail,E0308
    /// use bookahead::{PeCount, Span, count_book};
    /// type Machine = count_book!(slots = 256, pes = 32, reservations = 32);
    /// let memory = Machine::new(Span::new(256), PeCount::new(32));
    /// ```
    ///
    /// # Errors
    ///
    /// [`SizeError`] when either is 0 or exceeds the memory.
    pub const fn new(pes: PeCount, horizon: Span) -> Result<Self, SizeError> {
        match SizeError::check(pes, horizon, PES, BLOCKS) {
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
    /// use bookahead::{CountBook, PeCount, Span};
    /// let mut memory = CountBook::<4, 32, 32>::zeroed();
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
    ) -> Result<Book<'_, CountRing<'_>>, SizeError> {
        self.parts().init(pes, horizon)
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, CountRing<'_>> {
        self.parts().view()
    }

    pub(super) fn parts(&mut self) -> CountParts<'_> {
        CountParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: self.starts.as_flattened_mut(),
            timers: &mut self.timers,
            busy: self.busy.as_flattened_mut(),
            summaries: self.summaries.as_flattened_mut(),
            change: self.change.as_flattened_mut(),
            release: self.release.as_flattened_mut(),
            owner: &mut self.owner,
        }
    }
}
