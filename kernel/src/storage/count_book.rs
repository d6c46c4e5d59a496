//! The memory of a book with late binding, sized at compile time.

use super::{BookState, CountArrays, SizeError};
use crate::{
    book::Book,
    ledger::{Row, Timer},
    pe::PeCount,
    ring::{CountRing, NativeScan, Scan, Width},
    time::Span,
};

/// The memory of a book that counts, in as many bits as `N` has: a [`CountBook`] or a [`UnitBook`].
#[derive(Clone, Debug, PartialEq)]
pub struct CountMemory<const BLOCKS: usize, const PES: usize, const ROWS: usize, N> {
    state: BookState,
    rows: [Row<N>; ROWS],
    starts: [[u32; 64]; BLOCKS],
    timers: [Timer; ROWS],
    busy: [[N; 64]; BLOCKS],
    summaries: [[N; NativeScan::SUMMARIES]; BLOCKS],
    change: [[u32; 2]; BLOCKS],
    release: [[u32; 2]; BLOCKS],
    owner: [u32; PES],
}

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
pub type CountBook<const BLOCKS: usize, const PES: usize, const ROWS: usize> =
    CountMemory<BLOCKS, PES, ROWS, u16>;

/// A view of a book with late binding, for functions that are not generic over the binding.
///
/// ```
/// use bookahead::{Commitment, CountView, Handle, Policy, Request};
/// fn book_if_possible(book: &mut CountView<'_>, request: &Request) -> Option<Handle> {
///     book.reserve(request, Policy::FirstFit, Commitment::Confirmed).ok().map(|booking| booking.handle)
/// }
/// ```
pub type CountView<'a> = Book<'a, CountRing<'a>>;

/// The memory of a book of up to 2,147,483,647 units of what has no numbers: memory, bandwidth, the nodes of a very large machine. Otherwise as a
/// [`CountBook`], with counts of 32 bits; the macro [`unit_book`](crate::unit_book) takes its sizes by name.
///
/// Nobody can tell which of these units a job has: [`pes_of`](Book::pes_of) names none. [`unit_book_bytes`](crate::raw::unit_book_bytes) says what it takes.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span, unit_book};
/// // The memory of a machine in MiB, for a day of minutes.
/// let mut memory = <unit_book!(slots = 24 * 60, reservations = 16)>::zeroed();
/// let mut book = memory.init(PeCount::new(16 << 20), Span::new(24 * 60))?;
/// let request = Request {
///     ready: Slot::new(0), duration: Span::new(60), deadline: Slot::new(1_000), pes: PeCount::new(9 << 20),
/// };
/// let start = |book: &mut bookahead::UnitView<'_>| {
///     let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
///     booked.map(|booking| booking.start.get())
/// };
/// assert_eq!((start(&mut book), start(&mut book)), (Ok(0), Ok(60)));
/// # Ok::<(), bookahead::SizeError>(())
/// ```
pub type UnitBook<const BLOCKS: usize, const ROWS: usize> = CountMemory<BLOCKS, 0, ROWS, u32>;

/// A view of a book of units, as [`CountView`] is of others.
pub type UnitView<'a> = Book<'a, CountRing<'a, NativeScan, u32>>;

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize, N: Width>
    CountMemory<BLOCKS, PES, ROWS, N>
{
    /// The size in bytes; [`count_book_bytes`](crate::raw::count_book_bytes) explains how it is computed.
    pub const BYTES: usize = size_of::<Self>();

    /// Returns memory that is all zeros, so that a `static` of it takes no space in an image. [`init`](Self::init) turns it into a book.
    /// Until then, [`view`](Self::view) shows a book of size zero, which refuses every request.
    #[must_use]
    pub const fn zeroed() -> Self {
        const {
            assert!(BLOCKS <= 1 << 26, "at most 2^32 slots");
            assert!(PES <= u16::MAX as usize, "at most 65,535 PEs have numbers");
            assert!(N::NUMBERED || PES == 0, "with counts of 32 bits none have");
            assert!(ROWS < u32::MAX as usize, "at most 2^32 - 2 reservations");
        }
        Self {
            state: BookState::ZEROED,
            rows: [Row::VACANT; ROWS],
            starts: [[0; 64]; BLOCKS],
            timers: [Timer::NONE; ROWS],
            busy: [[N::ZERO; 64]; BLOCKS],
            summaries: [[N::ZERO; NativeScan::SUMMARIES]; BLOCKS],
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
        match SizeError::check_counts::<N>(pes, horizon, PES, BLOCKS) {
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
    ) -> Result<Book<'_, CountRing<'_, NativeScan, N>>, SizeError> {
        self.parts().init(pes, horizon)
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, CountRing<'_, NativeScan, N>> {
        self.parts().view()
    }

    pub(super) fn parts(&mut self) -> CountArrays<'_, N> {
        CountArrays {
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
