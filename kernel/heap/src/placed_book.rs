//! The memory of a book on a machine with a layout.

use alloc::boxed::Box;
use core::fmt;

use bookahead::{
    Book, Layout, LayoutError, PlacedError, Span,
    raw::{
        BookState, ClassEntry, Column, Geometry, NativeScan, PlacedParts, PlacedRing, Scan,
        placed_book_bytes,
    },
};

use crate::{
    BoxedPeBook, SizeError, Sizes,
    arrays::{Arrays, NUMBERED},
    journal::Notes,
};

/// The sizes of a book on a machine with a layout, but for those that the layout says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedSizes {
    /// The number of slots that the ring covers, from `now` on.
    pub slots: u32,
    /// The number of reservations that may exist at a time.
    pub reservations: usize,
    /// The number of classes that may exist at a time, at most 32,767.
    pub classes: usize,
    /// The number of groups that a class may list in order of preference.
    pub order: usize,
}

/// The reason why a book on a machine with a layout cannot be made.
///
/// ```
/// use bookahead::{Layout, LayoutError};
/// use bookahead_heap::{BoxedPlacedBook, PlacedSizeError, PlacedSizes};
/// let sizes = PlacedSizes { slots: 1_440, reservations: 200, classes: 20, order: 0 };
/// let layout = Layout { groups: 0, kinds: &[4], missing: &[], levels: &[] };
/// let refused = BoxedPlacedBook::<u32>::new(&layout, sizes).unwrap_err();
/// assert_eq!(refused, PlacedSizeError::Layout(LayoutError::NoGroups));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedSizeError {
    /// The layout does not add up.
    Layout(LayoutError),
    /// More classes than a book can number.
    TooManyClasses {
        /// How many were asked for.
        asked: usize,
        /// How many are allowed.
        most: usize,
    },
    /// The sizes are not allowed, or there is not enough memory.
    Size(SizeError),
}

impl From<SizeError> for PlacedSizeError {
    fn from(error: SizeError) -> Self {
        Self::Size(error)
    }
}

impl fmt::Display for PlacedSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => write!(f, "layout: {error}"),
            Self::TooManyClasses { asked, most } => {
                write!(f, "{asked} classes: expected at most {most}")
            }
            Self::Size(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PlacedSizeError {}

/// The most classes of a book: the kernel numbers them from 1 in 15 bits.
const MOST_CLASSES: usize = (1 << 15) - 1;

/// The memory of a book on a machine with a layout, in columns of type `C`, with sizes known at run time.
///
/// ```
/// use bookahead::{Class, Commitment, Layout, PeCount, Policy, Request, Shape, Slot, Span};
/// use bookahead_heap::{BoxedPlacedBook, HostColumn, PlacedSizes};
///
/// // 128 nodes of 16 cores and 8 GPUs, 16 nodes in a rack.
/// let layout = Layout { groups: 128, kinds: &[16, 8], missing: &[], levels: &[16] };
/// let sizes = PlacedSizes { slots: 1_440, reservations: 200, classes: 20, order: 0 };
/// let mut memory = BoxedPlacedBook::<HostColumn>::new(&layout, sizes)?;
/// let mut book = memory.view();
/// let class = book.class_add(&Class { shape: Shape::PerGroup(&[4, 2]), ..Class::ANY })?;
/// let request = Request {
///     ready: Slot::new(60),
///     duration: Span::new(90),
///     deadline: Slot::new(480),
///     pes: PeCount::new(18),
/// };
/// let booking = book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed)?;
/// assert_eq!(book.pe_ranges_of(booking.handle)?.count(), 6, "cores and GPUs of three nodes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedPlacedBook<C> {
    sets: BoxedPeBook<C>,
    geometry: Geometry,
    existing: Box<[C]>,
    classes: Box<[ClassEntry]>,
    masks: Box<[C]>,
    candidate: Scratch<C>,
    orders: Box<[u16]>,
}

/// Scratch memory: its contents have no meaning between calls, so comparisons of books ignore it.
#[derive(Clone, Debug)]
struct Scratch<C>(Box<[C]>);

impl<C> PartialEq for Scratch<C> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl<C: Column> BoxedPlacedBook<C> {
    /// Returns the bytes of the arrays and scalars of a book on such a machine, as [`placed_book_bytes`].
    #[must_use]
    pub const fn bytes(layout: &Layout<'_>, sizes: PlacedSizes) -> usize {
        placed_book_bytes::<C, NativeScan>(
            sizes.slots,
            layout.columns::<C>(),
            sizes.reservations,
            sizes.classes,
            sizes.order,
        )
    }

    /// Creates an empty book at slot 0 on a machine with this layout. O(memory).
    ///
    /// # Errors
    ///
    /// [`PlacedSizeError`] for a layout that does not add up, for sizes that no book can have, and when there is not enough memory.
    pub fn new(layout: &Layout<'_>, sizes: PlacedSizes) -> Result<Self, PlacedSizeError> {
        Self::new_within(usize::MAX, layout, sizes)
    }

    /// Creates a book as [`new`](Self::new) does, in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(
        limit: usize,
        layout: &Layout<'_>,
        sizes: PlacedSizes,
    ) -> Result<Self, PlacedSizeError> {
        layout.check().map_err(PlacedSizeError::Layout)?;
        if sizes.classes > MOST_CLASSES {
            return Err(PlacedSizeError::TooManyClasses {
                asked: sizes.classes,
                most: MOST_CLASSES,
            });
        }
        let columns = layout.columns::<C>();
        let of_sets = Sizes {
            pes: u32::try_from(columns * C::BITS).map_or(NUMBERED, |bits| bits.min(NUMBERED)),
            slots: sizes.slots,
            reservations: sizes.reservations,
        };
        let needed = Self::bytes(layout, sizes);
        let mut arrays = Arrays::of_book(of_sets, NUMBERED, needed, limit)?;
        let mut memory = Self {
            geometry: Geometry::default(),
            existing: arrays.array(columns)?,
            classes: arrays.array(sizes.classes)?,
            masks: arrays.array(columns * sizes.classes)?,
            candidate: Scratch(arrays.array(columns)?),
            orders: arrays.array(sizes.order * sizes.classes)?,
            sets: BoxedPeBook::new(of_sets)?,
        };
        debug_assert_eq!(
            (arrays.bytes_with::<Geometry>() + BoxedPeBook::<C>::bytes(of_sets))
                .next_multiple_of(align_of::<BookState>()),
            needed
        );
        match memory.parts().init(layout, Span::new(sizes.slots)) {
            Ok(_) => (),
            // Narrow columns have smaller words.
            Err(PlacedError::Layout(error)) => return Err(PlacedSizeError::Layout(error)),
            Err(PlacedError::Size(error)) => {
                panic!("the arrays have the lengths of a book: {error}")
            }
        }
        Ok(memory)
    }

    /// Returns how many columns a set has, as for a [`BoxedWorkspace`](crate::BoxedWorkspace). O(1).
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.existing.len()
    }

    /// Returns a view of the book in this memory. O(1).
    pub fn view(&mut self) -> Book<'_, PlacedRing<'_, C>> {
        self.view_with::<NativeScan>()
    }

    /// Returns a view as [`view`](Self::view) does, for searches that read the book as `S` says; see [`Scan`]. O(1).
    pub fn view_with<S: Scan>(&mut self) -> Book<'_, PlacedRing<'_, C, S>> {
        let (parts, notes) = self.split();
        notes.lend_to(parts.view_with())
    }

    /// Returns the arrays: to initialise the book again, or to read them.
    pub fn parts(&mut self) -> PlacedParts<'_, C> {
        self.split().0
    }

    /// Returns the arrays, and the notes of the journal.
    pub(crate) fn split(&mut self) -> (PlacedParts<'_, C>, &mut Notes) {
        let (book, notes) = self.sets.split();
        let arrays = PlacedParts {
            book,
            geometry: &mut self.geometry,
            existing: &mut self.existing,
            classes: &mut self.classes,
            masks: &mut self.masks,
            candidate: &mut self.candidate.0,
            orders: &mut self.orders,
        };
        (arrays, notes)
    }
}
