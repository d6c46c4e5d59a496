//! The kinds of books: by which sizes one is known, where its arrays lie, and opening it for a call.

use core::ops::Range;

#[cfg(feature = "risk")]
use bookahead::raw::{CountParts, OverlayParts, OverlayRing};
#[cfg(feature = "placement")]
use bookahead::raw::{PlacedParts, PlacedRing};
use bookahead::{
    Book,
    raw::{Column, CountArrays, CountRing, NativeScan, PeParts, PeRing, Ring, Scan, Width},
};

use crate::{
    Binding,
    arrays::Arrays,
    code::Failure,
    memory::{Book as Memory, Sizes},
};

/// The parts of the memory of one kind of book.
pub(crate) trait Parts<'a>: Sized {
    #[cfg(not(feature = "journal"))]
    type Ring: Ring;
    #[cfg(feature = "journal")]
    type Ring: Ring + bookahead::raw::Kept;

    /// Whether these are the sizes of a book of this kind.
    fn is(sizes: Sizes) -> bool;

    /// # Safety
    ///
    /// Behind `arrays` lies the memory of a book of these sizes and this kind, which nobody else uses meanwhile; all of it has been written to.
    unsafe fn of(sizes: Sizes, arrays: Arrays<'a>) -> Self;

    /// The book.
    fn book(self) -> Result<Book<'a, Self::Ring>, Failure>;

    /// Where in the memory, in bytes, lies what means nothing between calls: with early binding the arrays of searches, and what a class has noted.
    fn scratch(&self, _book: *const Memory) -> [Range<usize>; 4] {
        [const { 0..0 }; 4]
    }
}

impl<'a, N: Width> Parts<'a> for CountArrays<'a, N> {
    type Ring = CountRing<'a, NativeScan, N>;

    #[inline(always)]
    fn is(sizes: Sizes) -> bool {
        match size_of::<N>() {
            2 => sizes.binding() == Binding::Late as u32,
            _ => sizes.is_units(),
        }
    }

    #[inline(always)]
    unsafe fn of(sizes: Sizes, mut arrays: Arrays<'a>) -> Self {
        let blocks = sizes.blocks();
        let (slots, rows) = (blocks.wrapping_mul(64), sizes.rows());
        // SAFETY: these are the arrays that the bytes of a book count, each aligned. They consist of integers, of no enumeration or `bool`, so
        // whatever bytes are there are valid in all of them.
        unsafe {
            Self {
                state: arrays.one(),
                starts: arrays.take(slots),
                busy: arrays.take(slots),
                change: arrays.take(blocks.wrapping_mul(2)),
                release: arrays.take(blocks.wrapping_mul(2)),
                rows: arrays.take(rows),
                timers: arrays.take(rows),
                owner: arrays.take(sizes.numbers()),
                summaries: arrays.take(blocks.wrapping_mul(NativeScan::SUMMARIES)),
            }
        }
    }

    #[inline(always)]
    fn book(self) -> Result<Book<'a, Self::Ring>, Failure> {
        Ok(self.view())
    }
}

#[cfg(feature = "risk")]
impl<'a> Parts<'a> for OverlayParts<'a> {
    type Ring = OverlayRing<'a>;

    #[inline(always)]
    fn is(sizes: Sizes) -> bool {
        sizes.is_overlaid()
    }

    #[inline(always)]
    unsafe fn of(sizes: Sizes, mut arrays: Arrays<'a>) -> Self {
        let slots = sizes.blocks().wrapping_mul(64);
        // SAFETY: as above. What has 8 bytes comes first, and the layers have a multiple of 8.
        unsafe {
            Self {
                seen: arrays.one(),
                firm: arrays.take(slots),
                overlaid: arrays.take(slots),
                of_row: arrays.take_padded(sizes.rows()),
                book: CountParts::of(sizes, arrays),
            }
        }
    }

    #[inline(always)]
    fn book(self) -> Result<Book<'a, Self::Ring>, Failure> {
        Ok(self.view())
    }
}

impl<'a, C: Column> Parts<'a> for PeParts<'a, C> {
    type Ring = PeRing<'a, C>;

    #[inline(always)]
    fn is(sizes: Sizes) -> bool {
        sizes.binding() == Binding::Early as u32 && sizes.has_columns::<C>()
    }

    #[inline(always)]
    unsafe fn of(sizes: Sizes, mut arrays: Arrays<'a>) -> Self {
        let (blocks, columns) = (sizes.blocks(), sizes.columns());
        let (slots, rows) = (blocks.wrapping_mul(64), sizes.rows());
        // SAFETY: as above.
        unsafe {
            Self {
                state: arrays.one(),
                busy: arrays.take(columns.wrapping_mul(slots)),
                any: arrays.take(columns.wrapping_mul(slots / 8)),
                suffixes: arrays.take(columns.wrapping_mul(slots)),
                starts: arrays.take(slots),
                counts: arrays.take(slots),
                change: arrays.take(blocks.wrapping_mul(2)),
                release: arrays.take(blocks.wrapping_mul(2)),
                rows: arrays.take(rows),
                sets: arrays.take(columns.wrapping_mul(rows)),
                prefix: arrays.take(columns),
                joined: arrays.take(columns),
                timers: arrays.take(rows),
                summaries: arrays.take(blocks.wrapping_mul(NativeScan::SUMMARIES)),
            }
        }
    }

    #[inline(always)]
    fn book(self) -> Result<Book<'a, Self::Ring>, Failure> {
        Ok(self.view())
    }

    fn scratch(&self, book: *const Memory) -> [Range<usize>; 4] {
        let [suffixes, prefix, joined] =
            [&*self.suffixes, &*self.prefix, &*self.joined].map(|array| place_of(book, array));
        [suffixes, prefix, joined, 0..0]
    }
}

#[cfg(feature = "placement")]
impl<'a, C: Column> Parts<'a> for PlacedParts<'a, C> {
    type Ring = PlacedRing<'a, C>;

    #[inline(always)]
    fn is(sizes: Sizes) -> bool {
        sizes.binding() == Binding::Placed as u32 && sizes.has_columns::<C>()
    }

    #[inline(always)]
    unsafe fn of(sizes: Sizes, mut arrays: Arrays<'a>) -> Self {
        let (columns, classes) = (sizes.columns(), sizes.classes());
        // SAFETY: as above. Each array is padded to 8 bytes; the first holds which class is asked for.
        unsafe {
            arrays.one::<u64>();
            Self {
                geometry: arrays.one(),
                existing: arrays.take_padded(columns),
                candidate: arrays.take_padded(columns),
                classes: arrays.take(classes),
                masks: arrays.take_padded(columns.wrapping_mul(classes)),
                orders: arrays.take_padded(sizes.order().wrapping_mul(classes)),
                book: PeParts::of(sizes, arrays),
            }
        }
    }

    #[inline(always)]
    fn book(self) -> Result<Book<'a, Self::Ring>, Failure> {
        Ok(self.view())
    }

    fn scratch(&self, book: *const Memory) -> [Range<usize>; 4] {
        let [suffixes, prefix, joined, _] = self.book.scratch(book);
        [suffixes, prefix, joined, place_of(book, self.candidate)]
    }
}

fn place_of<C>(book: *const Memory, array: &[C]) -> Range<usize> {
    let from = array.as_ptr().addr().wrapping_sub(book.addr());
    from..from.wrapping_add(size_of_val(array))
}

/// Leaves a block with what is to be done with a book, if it is of one of these kinds.
macro_rules! if_kinds {
    ($block:lifetime, $sizes:expr, $arrays:expr, $what:tt, $($(#[$cfg:meta])? $kind:ty,)*) => {$(
        $(#[$cfg])?
        if <$kind as crate::kind::Parts>::is($sizes) {
            break $block(crate::kind::with_kind!($sizes, $arrays, $what, $kind));
        }
    )*};
}
pub(crate) use if_kinds;

/// Does what is said with the parts of a book of this kind, or calls a function for the kind, which makes the parts itself.
macro_rules! with_kind {
    ($sizes:expr, $arrays:expr, (|$parts:ident| $action:expr), $kind:ty) => {{
        let $parts = <$kind as crate::kind::Parts>::of($sizes, $arrays);
        $action
    }};
    ($sizes:expr, $arrays:expr, ($function:ident($($argument:expr),*)), $kind:ty) => {
        $function::<$kind>($sizes, $($argument),*)
    };
}
pub(crate) use with_kind;

/// Does what is said with the parts of a book on a machine with a layout; NO_LAYOUT for another one.
#[cfg(feature = "placement")]
macro_rules! with_placed_parts {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr) => {
        'kind: {
            crate::kind::placed_kinds!('kind, $sizes, $arrays, (|$parts| $action));
            return Err(crate::Code::NoLayout.into());
        }
    };
}
#[cfg(feature = "placement")]
pub(crate) use with_placed_parts;

/// Does what is said with the parts of a book, whichever kind it is. Not a function: each kind has another type, and where the
/// action needs few of the parts, the compiler does not put the others together.
macro_rules! with_parts {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr) => {
        'kind: {
            #[cfg(feature = "placement")]
            crate::kind::placed_kinds!('kind, $sizes, $arrays, (|$parts| $action));
            crate::kind::plain_kinds!('kind, $sizes, $arrays, (|$parts| $action))
        }
    };
}
pub(crate) use with_parts;

/// As [`with_parts`], for a book that is not on a machine with a layout.
macro_rules! with_plain_parts {
    ($sizes:expr, $arrays:expr, |$parts:ident| $action:expr) => {
        'kind: { crate::kind::plain_kinds!('kind, $sizes, $arrays, (|$parts| $action)) }
    };
}
pub(crate) use with_plain_parts;

/// Calls a function with the sizes of a book without overlays, for the kind that it is of; UNKNOWN_BINDING for another one. Whoever has the parts of all kinds has room for each of them on
/// its stack, and such a function for those of one.
macro_rules! call_firm {
    ($sizes:expr, $function:ident($($argument:expr),*)) => {
        'kind: {
            if $sizes.is_overlaid() {
                return Err(crate::Code::UnknownBinding.into());
            }
            #[cfg(feature = "placement")]
            crate::kind::placed_kinds!('kind, $sizes, (), ($function($($argument),*)));
            crate::kind::firm_kinds!('kind, $sizes, (), ($function($($argument),*)))
        }
    };
}
pub(crate) use call_firm;

/// The kinds on machines with layouts.
#[cfg(feature = "placement")]
macro_rules! placed_kinds {
    ($block:lifetime, $sizes:expr, $arrays:expr, $what:tt) => {
        crate::kind::if_kinds!($block, $sizes, $arrays, $what,
            bookahead::raw::PlacedParts<'_, crate::memory::Narrow>,
            bookahead::raw::PlacedParts<'_, crate::memory::Wide>,
            #[cfg(feature = "outages")]
            crate::ruled::Placed<'_, crate::memory::Narrow>,
            #[cfg(feature = "outages")]
            crate::ruled::Placed<'_, crate::memory::Wide>,
        )
    };
}
#[cfg(feature = "placement")]
pub(crate) use placed_kinds;

/// The others.
macro_rules! plain_kinds {
    ($block:lifetime, $sizes:expr, $arrays:expr, $what:tt) => {{
        crate::kind::if_kinds!($block, $sizes, $arrays, $what,
            #[cfg(feature = "risk")]
            bookahead::raw::OverlayParts<'_>,
        );
        crate::kind::firm_kinds!($block, $sizes, $arrays, $what)
    }};
}
pub(crate) use plain_kinds;

/// Those without overlays, of which one is left at the end.
macro_rules! firm_kinds {
    ($block:lifetime, $sizes:expr, $arrays:expr, $what:tt) => {{
        crate::kind::if_kinds!($block, $sizes, $arrays, $what,
            #[cfg(feature = "outages")]
            crate::ruled::Counts<'_>,
            #[cfg(feature = "outages")]
            crate::ruled::Sets<'_, crate::memory::Narrow>,
            #[cfg(feature = "outages")]
            crate::ruled::Sets<'_, crate::memory::Wide>,
            #[cfg(feature = "units")]
            bookahead::raw::UnitParts<'_>,
            bookahead::raw::CountParts<'_>,
            bookahead::raw::PeParts<'_, crate::memory::Narrow>,
        );
        crate::kind::with_kind!($sizes, $arrays, $what, bookahead::raw::PeParts<'_, crate::memory::Wide>)
    }};
}
pub(crate) use firm_kinds;
