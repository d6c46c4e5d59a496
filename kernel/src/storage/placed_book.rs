//! The memory of a book on a machine with a layout.

use super::{PeBook, PeParts, PlacedError, Scratch, SizeError, pe_book_bytes};
use crate::{
    book::Book,
    column::Column,
    pe::PeCount,
    placement::{ClassEntry, Classes, Geometry, Layout, LayoutError},
    ring::{Asked, NativeScan, PlacedRing, Scan},
    time::Span,
};

/// The memory of a book on a machine with a [`Layout`]: as of a [`PeBook`] of the same sizes, where a set takes `COLUMNS` columns of type `C`, and in
/// addition a table of `CLASSES` classes, with lists of up to `ORDER` groups for [`Preference::Order`](crate::Preference::Order).
/// [`Layout::columns`] returns how many columns a layout takes.
///
/// ```
/// use bookahead::{
///     Class, Commitment, Eligible, Layout, PlacedBook, PeCount, Policy, Preference, Request, Shape, Slot, Span, Within,
/// };
/// // Four nodes of 4 cores and 2 GPUs, in two racks.
/// const NODES: Layout<'_> = Layout { groups: 4, kinds: &[4, 2], missing: &[], levels: &[2] };
/// let mut memory = PlacedBook::<u32, 4, { NODES.columns::<u32>() }, 32, 8, 0>::zeroed();
/// let mut book = memory.init(&NODES, Span::new(256))?;
/// // Both GPUs and two cores of each of two nodes of one rack.
/// let class = book.class_add(&Class {
///     eligible: Eligible::All,
///     shape: Shape::PerGroup(&[2, 2]),
///     within: Within::Required(0),
///     preference: Preference::Lowest,
/// })?;
/// let request = Request { ready: Slot::new(0), duration: Span::new(9), deadline: Slot::new(9), pes: PeCount::new(8) };
/// let first = book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed)?;
/// let second = book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed)?;
/// let numbers: Vec<u16> = book.pes_of(second.handle)?.map(|pe| pe.get()).collect();
/// // Cores come first: those of node 2 from 8, its GPUs from 20.
/// assert_eq!(numbers, [8, 9, 12, 13, 20, 21, 22, 23]);
/// // Eight cores are left, but no GPU.
/// assert!(book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed).is_err());
/// assert!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedBook<
    C,
    const BLOCKS: usize,
    const COLUMNS: usize,
    const ROWS: usize,
    const CLASSES: usize,
    const ORDER: usize,
> {
    sets: PeBook<C, BLOCKS, COLUMNS, ROWS>,
    geometry: Geometry,
    existing: [C; COLUMNS],
    classes: [ClassEntry; CLASSES],
    masks: [[C; COLUMNS]; CLASSES],
    candidate: Scratch<[C; COLUMNS]>,
    orders: [[u16; ORDER]; CLASSES],
}

/// A view of a book on a machine with a layout and columns of type `C`.
pub type PlacedView<'a, C> = Book<'a, PlacedRing<'a, C>>;

impl<
    C: Column,
    const BLOCKS: usize,
    const COLUMNS: usize,
    const ROWS: usize,
    const CLASSES: usize,
    const ORDER: usize,
> PlacedBook<C, BLOCKS, COLUMNS, ROWS, CLASSES, ORDER>
{
    /// The size in bytes; [`placed_book_bytes`](crate::raw::placed_book_bytes) explains how it is computed.
    pub const BYTES: usize = size_of::<Self>();

    /// Returns memory that is all zeros, so that a `static` of it takes no space in an image. [`init`](Self::init) turns it into a book.
    #[must_use]
    pub const fn zeroed() -> Self {
        Self {
            sets: PeBook::zeroed(),
            geometry: Geometry::ZEROED,
            existing: [C::NONE; COLUMNS],
            classes: [ClassEntry::VACANT; CLASSES],
            masks: [[C::NONE; COLUMNS]; CLASSES],
            candidate: Scratch([C::NONE; COLUMNS]),
            orders: [[0; ORDER]; CLASSES],
        }
    }

    /// Initialises this memory, whatever it holds, as an empty book at slot 0, for a machine with this layout. O(memory).
    ///
    /// # Errors
    ///
    /// [`PlacedError`] when the layout does not add up, or when it or the horizon exceeds the memory; nothing is changed then.
    pub fn init(
        &mut self,
        layout: &Layout<'_>,
        horizon: Span,
    ) -> Result<PlacedView<'_, C>, PlacedError> {
        self.parts().init(layout, horizon)
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> PlacedView<'_, C> {
        self.parts().view()
    }

    fn parts(&mut self) -> PlacedParts<'_, C> {
        PlacedParts {
            book: self.sets.parts(),
            geometry: &mut self.geometry,
            existing: &mut self.existing,
            classes: &mut self.classes,
            masks: self.masks.as_flattened_mut(),
            candidate: &mut self.candidate.0,
            orders: self.orders.as_flattened_mut(),
        }
    }
}

/// The arrays of a book on a machine with a layout, for memory that is not a [`PlacedBook`]. Use it like [`CountParts`](crate::raw::CountParts).
///
/// The documentation of each field gives its length, with `k` columns and `c` classes.
///
/// ```
/// use bookahead::{Layout, Span, raw::{BookState, ClassEntry, Geometry, NativeScan, PeParts, PlacedParts, Row, Scan, Timer}};
/// let mut state = BookState::default();
/// let book = PeParts {
///     state: &mut state, rows: &mut [Row::VACANT; 8], starts: &mut [0; 64], timers: &mut [Timer::NONE; 8],
///     busy: &mut [0_u32; 64], any: &mut [0; 8], counts: &mut [0; 64], summaries: &mut [0; NativeScan::SUMMARIES],
///     change: &mut [0; 2], release: &mut [0; 2], sets: &mut [0; 8],
///     suffixes: &mut [0; 64], prefix: &mut [0], joined: &mut [0],
/// };
/// let parts = PlacedParts {
///     book, geometry: &mut Geometry::default(), existing: &mut [0], classes: &mut [ClassEntry::VACANT; 4],
///     masks: &mut [0; 4], candidate: &mut [0], orders: &mut [],
/// };
/// let layout = Layout { groups: 4, kinds: &[5], missing: &[], levels: &[] };
/// assert_eq!(parts.init(&layout, Span::new(64)).unwrap().pes().get(), 20);
/// ```
pub struct PlacedParts<'a, C> {
    /// The arrays of a book with early binding, with `k` columns.
    pub book: PeParts<'a, C>,
    /// A scalar: the layout.
    pub geometry: &'a mut Geometry,
    /// `k`.
    pub existing: &'a mut [C],
    /// `c`.
    pub classes: &'a mut [ClassEntry],
    /// `k c`.
    pub masks: &'a mut [C],
    /// `k`; scratch.
    pub candidate: &'a mut [C],
    /// A multiple of `c`: how many groups each class may list, for each class.
    pub orders: &'a mut [u16],
}

impl<'a, C: Column> PlacedParts<'a, C> {
    /// Initialises the memory as an empty book at slot 0, for a machine with this layout and a ring of `horizon` slots. O(memory).
    ///
    /// # Errors
    ///
    /// As [`PlacedBook::init`], and [`SizeError::ArrayLengths`] when the lengths of the arrays do not agree; nothing is changed then.
    pub fn init(
        self,
        layout: &Layout<'_>,
        horizon: Span,
    ) -> Result<PlacedView<'a, C>, PlacedError> {
        let geometry = Geometry::new::<C>(layout)?;
        if geometry.columns::<C>() > self.existing.len() {
            return Err(LayoutError::LayoutTooWide.into());
        }
        if !self.fit() {
            return Err(SizeError::ArrayLengths.into());
        }
        let (book, classes) = self.apart();
        let book = book.init(PeCount::new(geometry.pes.into()), horizon)?;
        *classes.geometry = geometry;
        layout.write_existing(&geometry, classes.existing);
        classes.entries.fill(ClassEntry::VACANT);
        classes.masks.fill(C::NONE);
        classes.orders.fill(0);
        Ok(with_classes(book, classes))
    }

    /// Opens the book in the memory; `None` when the arrays do not have the lengths it was initialised with. O(1).
    #[must_use]
    pub fn open(self) -> Option<PlacedView<'a, C>> {
        let known = self.geometry.pes > 0 && self.geometry.columns::<C>() <= self.existing.len();
        if !known || !self.fit() {
            return None;
        }
        let (book, classes) = self.apart();
        Some(with_classes(book.open()?, classes))
    }

    /// Opens the book in the memory without checking the arrays; see [`CountParts::view`](crate::raw::CountParts::view). O(1).
    #[must_use]
    #[inline(always)]
    pub fn view(self) -> PlacedView<'a, C> {
        self.view_with::<NativeScan>()
    }

    /// Opens the book for searches that read it as `S` says; see [`CountParts::view_with`](crate::raw::CountParts::view_with). O(1).
    #[must_use]
    #[inline(always)]
    pub fn view_with<S: Scan>(self) -> Book<'a, PlacedRing<'a, C, S>> {
        let (book, classes) = self.apart();
        with_classes(book.view_with(), classes)
    }

    #[inline(always)]
    fn apart(self) -> (PeParts<'a, C>, Classes<'a, C>) {
        let classes = Classes {
            geometry: self.geometry,
            entries: self.classes,
            existing: self.existing,
            masks: self.masks,
            candidate: self.candidate,
            orders: self.orders,
        };
        (self.book, classes)
    }

    /// Returns whether the arrays of classes agree with each other and with the columns of the book.
    fn fit(&self) -> bool {
        let (columns, classes) = (self.existing.len(), self.classes.len());
        self.book.joined.len() == columns
            && self.candidate.len() == columns
            && self.masks.len() == columns.saturating_mul(classes)
            && self
                .orders
                .len()
                .checked_rem(classes)
                .unwrap_or(self.orders.len())
                == 0
            && classes < usize::from(ClassEntry::MOST)
    }
}

#[inline(always)]
fn with_classes<'a, C: Column, S: Scan>(
    book: Book<'a, crate::ring::PeRing<'a, C, S>>,
    classes: Classes<'a, C>,
) -> Book<'a, PlacedRing<'a, C, S>> {
    let Book { ring, ledger } = book;
    let ring = PlacedRing {
        sets: ring,
        classes,
        asked: Asked::default(),
    };
    Book { ring, ledger }
}

/// Returns the size in bytes of a [`PlacedBook`] for `slots` slots, sets of `columns` columns of type `C`, `rows` reservations, and `classes` classes that list
/// up to `order` groups each.
///
/// As of a [`PeBook`] with so many columns, and per class 24, 2 for each group that it may list, and the bytes of a set; in addition two sets and
/// 64 bytes for the layout.
///
/// ```
/// use bookahead::{PlacedBook, raw::{NativeScan, placed_book_bytes}};
/// assert_eq!(placed_book_bytes::<u32, NativeScan>(256, 2, 32, 8, 4), PlacedBook::<u32, 4, 2, 32, 8, 4>::BYTES);
/// ```
#[must_use]
pub const fn placed_book_bytes<C: Column, S: Scan>(
    slots: u32,
    columns: usize,
    rows: usize,
    classes: usize,
    order: usize,
) -> usize {
    let most = columns.saturating_mul(C::BITS);
    let pes = if most > u16::MAX as usize {
        u16::MAX
    } else {
        most as u16
    };
    let sets = classes
        .saturating_add(2)
        .saturating_mul(columns)
        .saturating_mul(size_of::<C>());
    let per_class = size_of::<ClassEntry>().saturating_add(order.saturating_mul(2));
    let bytes = pe_book_bytes::<C, S>(slots, pes, rows)
        .saturating_add(sets)
        .saturating_add(classes.saturating_mul(per_class))
        .saturating_add(size_of::<Geometry>());
    match bytes.checked_next_multiple_of(8) {
        Some(bytes) => bytes,
        None => usize::MAX,
    }
}
