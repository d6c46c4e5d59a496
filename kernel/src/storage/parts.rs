//! The arrays of a book, wherever they live.

use core::marker::PhantomData;

use super::SizeError;
use crate::{
    book::Book,
    column::Column,
    ledger::{Ledger, LedgerState, Row, Timer},
    pe::PeCount,
    ring::{Axis, BusySets, CountRing, Counts, Edges, NativeScan, PeRing, Scan, Stacks, Width},
    time::Span,
};

/// The scalars of a book: `now`, the size of machine and ring, and the ledger's counters. All zeros is a book of size zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct BookState {
    pub(crate) axis: Axis,
    pub(crate) ledger: LedgerState,
}

impl BookState {
    /// The state of a book of size zero: all zeros.
    pub(super) const ZEROED: Self = Self::new(PeCount::ZERO, Span::ZERO, 0);

    pub(super) const fn new(pes: PeCount, horizon: Span, blocks: u32) -> Self {
        Self {
            axis: Axis::new(pes.get(), horizon.get(), blocks),
            ledger: LedgerState::EMPTY,
        }
    }
}

/// The arrays of a book that counts, in as many bits as `N` has: [`CountParts`] or [`UnitParts`].
pub struct CountArrays<'a, N> {
    /// The scalars.
    pub state: &'a mut BookState,
    /// One for each reservation.
    pub rows: &'a mut [Row<N>],
    /// `s`.
    pub starts: &'a mut [u32],
    /// As many as rows.
    pub timers: &'a mut [Timer],
    /// `s`.
    pub busy: &'a mut [N],
    /// `b` x [`NativeScan::SUMMARIES`](Scan::SUMMARIES).
    pub summaries: &'a mut [N],
    /// `s / 32`.
    pub change: &'a mut [u32],
    /// `s / 32`.
    pub release: &'a mut [u32],
    /// One for each processing element; with counts of 32 bits empty.
    pub owner: &'a mut [u32],
}

/// The arrays of a book with late binding, for memory that is not a [`CountBook`](crate::CountBook), such as a heap or a caller's buffer.
///
/// The documentation of each field gives its length, with `s` the slots rounded up to a multiple of 64 and `b` = `s / 64`. All of them may
/// be zeroed memory. [`init`](Self::init) turns the memory into a book, and [`open`](Self::open) opens it again later.
///
/// ```
/// use bookahead::{PeCount, Span, raw::{NativeScan, Scan, BookState, CountParts, Row, Timer}};
/// let (mut state, mut rows) = (BookState::default(), vec![Row::VACANT; 8]);
/// let (mut busy, mut summaries) = (vec![0; 64], vec![0; NativeScan::SUMMARIES]);
/// let (mut change, mut release, mut owner) = (vec![0; 2], vec![0; 2], vec![0; 4]);
/// let (mut starts, mut timers) = (vec![0; 64], vec![Timer::NONE; 8]);
/// let parts = CountParts {
///     state: &mut state, rows: &mut rows, starts: &mut starts, timers: &mut timers,
///     busy: &mut busy, summaries: &mut summaries, change: &mut change, release: &mut release,
///     owner: &mut owner,
/// };
/// let book = parts.init(PeCount::new(4), Span::new(48)).unwrap();
/// assert_eq!(book.pes().get(), 4);
/// ```
pub type CountParts<'a> = CountArrays<'a, u16>;

/// The arrays of a book of units, as [`CountParts`] of others; nobody owns a unit.
pub type UnitParts<'a> = CountArrays<'a, u32>;

impl<'a, N: Width> CountArrays<'a, N> {
    /// Initialises the memory as an empty book at slot 0, for a machine of `pes` processing elements and a ring of `horizon` slots. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when either is 0 or exceeds the memory, or when the lengths of the arrays do not agree; nothing is changed then.
    pub fn init(
        self,
        pes: PeCount,
        horizon: Span,
    ) -> Result<Book<'a, CountRing<'a, NativeScan, N>>, SizeError> {
        let blocks = self.busy.len() / 64;
        SizeError::check_counts::<N>(pes, horizon, self.owner.len(), blocks)?;
        let blocks = u32::try_from(blocks).map_err(|_| SizeError::ArrayLengths)?;
        let state = BookState::new(pes, horizon, blocks);
        if !self.fit(&state) {
            return Err(SizeError::ArrayLengths);
        }
        *self.state = state;
        self.rows.fill(Row::VACANT);
        self.starts.fill(0);
        self.timers.fill(Timer::NONE);
        self.busy.fill(N::ZERO);
        self.summaries.fill(N::ZERO);
        self.change.fill(0);
        self.release.fill(0);
        self.owner.fill(0);
        Ok(self.view())
    }

    /// Opens the book in the memory; `None` when the arrays do not have the lengths it was initialised with. O(1).
    #[must_use]
    pub fn open(self) -> Option<Book<'a, CountRing<'a, NativeScan, N>>> {
        let state = *self.state;
        self.fit(&state).then(|| self.view())
    }

    /// Returns whether the arrays have the lengths of a book of that size.
    fn fit(&self, state: &BookState) -> bool {
        let storage = self.busy.len();
        sizes_fit(state, storage, self.rows.len(), self.timers.len())
            && self.starts.len() == storage
            && (!N::NUMBERED || self.owner.len() >= state.axis.width() as usize)
            && self.summaries.len() == (storage / 64).saturating_mul(NativeScan::SUMMARIES)
            && self.change.len() == storage / 32
            && self.release.len() == storage / 32
    }

    /// Initialises the memory as an idle ring without a ledger; otherwise as [`init`](Self::init).
    ///
    /// # Errors
    ///
    /// As [`init`](Self::init).
    pub fn init_ring(
        self,
        pes: PeCount,
        horizon: Span,
    ) -> Result<CountRing<'a, NativeScan, N>, SizeError> {
        Ok(self.init(pes, horizon)?.ring)
    }

    /// Opens the book in the memory like [`open`](Self::open), but without checking the arrays: for callers who have checked them and open
    /// the book for every call. No call panics even if the arrays are not those of the book, but then results are meaningless. O(1).
    ///
    /// ```
    /// # use bookahead::{PeCount, Span, raw::{NativeScan, Scan, BookState, CountParts, Row, Timer}};
    /// # let mut state = BookState::default();
    /// # let (mut rows, mut starts, mut timers) = ([Row::VACANT; 8], [0; 64], [Timer::NONE; 8]);
    /// # let (mut busy, mut owner) = ([0; 64], [0; 4]);
    /// # let (mut summaries, mut change, mut release) = ([0; NativeScan::SUMMARIES], [0; 2], [0; 2]);
    /// # macro_rules! parts { () => { CountParts {
    /// #     state: &mut state, rows: &mut rows, starts: &mut starts, timers: &mut timers,
    /// #     busy: &mut busy, summaries: &mut summaries, change: &mut change, release: &mut release,
    /// #     owner: &mut owner,
    /// # } } }
    /// parts!().init(PeCount::new(4), Span::new(48)).unwrap();
    /// assert_eq!(parts!().view().pes().get(), 4);
    /// ```
    #[must_use]
    // Inlined so that a caller assembles only the parts of the view that it uses.
    #[inline(always)]
    pub fn view(self) -> Book<'a, CountRing<'a, NativeScan, N>> {
        self.view_with::<NativeScan>()
    }

    /// Opens the book like [`view`](Self::view), for searches that read it as `S` says; see [`Scan`] for an example. O(1).
    #[must_use]
    #[inline(always)]
    pub fn view_with<S: Scan>(self) -> Book<'a, CountRing<'a, S, N>> {
        let BookState { axis, ledger } = self.state;
        Book {
            ledger: Ledger {
                state: ledger,
                rows: self.rows,
                starts: self.starts,
                timers: self.timers,
                #[cfg(feature = "journal")]
                journal: None,
            },
            ring: CountRing {
                axis,
                counts: Counts {
                    busy: self.busy,
                    summaries: self.summaries,
                },
                edges: Edges {
                    change: self.change,
                    release: self.release,
                },
                owner: self.owner,
                scan: PhantomData,
            },
        }
    }
}

/// The arrays of a book with early binding, for memory that is not a [`PeBook`](crate::PeBook), such as a heap or a caller's buffer.
///
/// The documentation of each field gives its length, with `s` the slots rounded up to a multiple of 64, `b` = `s / 64` and `k` columns.
/// Use it like [`CountParts`].
///
/// ```
/// use bookahead::{PeCount, Span, raw::{NativeScan, Scan, BookState, PeParts, Row, Timer}};
/// let mut state = BookState::default();
/// let parts = PeParts {
///     state: &mut state, rows: &mut [Row::VACANT; 8], starts: &mut [0; 64], timers: &mut [Timer::NONE; 8],
///     busy: &mut [0_u32; 64], any: &mut [0; 8], counts: &mut [0; 64], summaries: &mut [0; NativeScan::SUMMARIES],
///     change: &mut [0; 2], release: &mut [0; 2], sets: &mut [0; 8],
///     suffixes: &mut [0; 64], prefix: &mut [0], joined: &mut [0],
/// };
/// assert_eq!(parts.init(PeCount::new(20), Span::new(64)).unwrap().capacity(), 8);
/// ```
pub struct PeParts<'a, C> {
    /// The scalars.
    pub state: &'a mut BookState,
    /// One for each reservation.
    pub rows: &'a mut [Row],
    /// `s`.
    pub starts: &'a mut [u32],
    /// As many as rows.
    pub timers: &'a mut [Timer],
    /// `k s`: column by column.
    pub busy: &'a mut [C],
    /// `k s / 8`.
    pub any: &'a mut [C],
    /// `s`.
    pub counts: &'a mut [u16],
    /// `b` x [`NativeScan::SUMMARIES`](Scan::SUMMARIES).
    pub summaries: &'a mut [u16],
    /// `s / 32`.
    pub change: &'a mut [u32],
    /// `s / 32`.
    pub release: &'a mut [u32],
    /// `k` for each row.
    pub sets: &'a mut [C],
    /// `k s`; scratch.
    pub suffixes: &'a mut [C],
    /// `k`; scratch.
    pub prefix: &'a mut [C],
    /// `k`; scratch.
    pub joined: &'a mut [C],
}

impl<'a, C: Column> PeParts<'a, C> {
    /// Initialises the memory as an empty book at slot 0, for a machine of `pes` processing elements and a ring of `horizon` slots. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when either is 0 or exceeds the memory, or when the lengths of the arrays do not agree; nothing is changed then.
    pub fn init(self, pes: PeCount, horizon: Span) -> Result<Book<'a, PeRing<'a, C>>, SizeError> {
        let blocks = self.counts.len() / 64;
        SizeError::check(
            pes,
            horizon,
            self.joined.len().saturating_mul(C::BITS),
            blocks,
        )?;
        let blocks = u32::try_from(blocks).map_err(|_| SizeError::ArrayLengths)?;
        let state = BookState::new(pes, horizon, blocks);
        if !self.fit(&state) {
            return Err(SizeError::ArrayLengths);
        }
        *self.state = state;
        self.rows.fill(Row::VACANT);
        self.starts.fill(0);
        self.timers.fill(Timer::NONE);
        self.busy.fill(C::NONE);
        self.any.fill(C::NONE);
        self.counts.fill(0);
        self.summaries.fill(0);
        self.change.fill(0);
        self.release.fill(0);
        self.sets.fill(C::NONE);
        Ok(self.view())
    }

    /// Opens the book in the memory; `None` when the arrays do not have the lengths it was initialised with. O(1).
    #[must_use]
    pub fn open(self) -> Option<Book<'a, PeRing<'a, C>>> {
        let state = *self.state;
        self.fit(&state).then(|| self.view())
    }

    /// Returns whether the arrays have the lengths of a book of that size.
    fn fit(&self, state: &BookState) -> bool {
        let storage = self.counts.len();
        let columns = self.joined.len();
        let rows = columns.saturating_mul(storage);
        sizes_fit(state, storage, self.rows.len(), self.timers.len())
            && self.starts.len() == storage
            && self.busy.len() == rows
            && self.suffixes.len() == rows
            && self.any.len() == rows / 8
            && self.prefix.len() == columns
            && self.sets.len() == columns.saturating_mul(self.rows.len())
            && columns.saturating_mul(C::BITS) >= state.axis.width() as usize
            && self.summaries.len() == (storage / 64).saturating_mul(NativeScan::SUMMARIES)
            && self.change.len() == storage / 32
            && self.release.len() == storage / 32
    }

    /// Initialises the memory as an idle ring without a ledger; otherwise as [`init`](Self::init).
    ///
    /// # Errors
    ///
    /// As [`init`](Self::init).
    pub fn init_ring(self, pes: PeCount, horizon: Span) -> Result<PeRing<'a, C>, SizeError> {
        Ok(self.init(pes, horizon)?.ring)
    }

    /// Opens the book in the memory without checking the arrays; see [`CountParts::view`]. O(1).
    #[must_use]
    #[inline(always)]
    pub fn view(self) -> Book<'a, PeRing<'a, C>> {
        self.view_with::<NativeScan>()
    }

    /// Opens the book for searches that read it as `S` says; see [`CountParts::view_with`]. O(1).
    #[must_use]
    #[inline(always)]
    pub fn view_with<S: Scan>(self) -> Book<'a, PeRing<'a, C, S>> {
        let BookState { axis, ledger } = self.state;
        Book {
            ledger: Ledger {
                state: ledger,
                rows: self.rows,
                starts: self.starts,
                timers: self.timers,
                #[cfg(feature = "journal")]
                journal: None,
            },
            ring: PeRing {
                axis,
                counts: Counts {
                    busy: self.counts,
                    summaries: self.summaries,
                },
                edges: Edges {
                    change: self.change,
                    release: self.release,
                },
                busy: BusySets {
                    rows: self.busy,
                    any: self.any,
                },
                sets: self.sets,
                joined: self.joined,
                stacks: Stacks {
                    suffixes: self.suffixes,
                    prefix: self.prefix,
                },
                scan: PhantomData,
            },
        }
    }
}

/// Returns whether arrays of `storage` slots, `rows` rows and `timers` timers agree with `state`.
fn sizes_fit(state: &BookState, storage: usize, rows: usize, timers: usize) -> bool {
    state.axis.fits(storage)
        && state.axis.width() > 0
        && rows == timers
        && u32::try_from(rows).is_ok_and(|rows| rows < u32::MAX)
}
