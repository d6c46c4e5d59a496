//! The memory of a book: the owners of its arrays, and how many bytes it takes.

mod count_book;
#[cfg(feature = "risk")]
mod overlay_book;
mod parts;
mod pe_book;
#[cfg(feature = "placement")]
mod placed_book;
#[cfg(feature = "placement")]
mod placed_error;
#[cfg(feature = "outages")]
mod rules;
mod size_error;
mod sizes;

pub use count_book::{CountBook, CountMemory, CountView, UnitBook, UnitView};
#[cfg(feature = "risk")]
pub use overlay_book::{OverlayBook, OverlayParts, overlay_book_bytes};
pub use parts::{BookState, CountArrays, CountParts, PeParts, UnitParts};
pub use pe_book::{PeBook, PeView};
#[cfg(feature = "placement")]
pub use placed_book::{PlacedBook, PlacedParts, PlacedView, placed_book_bytes};
#[cfg(feature = "placement")]
pub use placed_error::PlacedError;
#[cfg(feature = "outages")]
pub use rules::Rules;
pub use size_error::SizeError;

use crate::{
    column::Column,
    ledger::{Row, Timer},
    ring::{Scan, Width},
};

/// Returns the number of blocks of 64 slots that hold `slots` slots.
///
/// ```
/// assert_eq!(bookahead::raw::blocks(65), 2);
/// ```
#[must_use]
pub const fn blocks(slots: u32) -> usize {
    slots.div_ceil(64) as usize
}

/// Returns the number of columns of type `C` that hold `pes` processing elements.
///
/// ```
/// assert_eq!(bookahead::raw::columns::<u32>(40), 2);
/// ```
#[must_use]
pub const fn columns<C: Column>(pes: u16) -> usize {
    match (pes as usize).checked_next_multiple_of(C::BITS) {
        Some(bits) => match bits.checked_div(C::BITS) {
            Some(columns) => columns,
            None => 0,
        },
        None => 0,
    }
}

/// Returns the size in bytes of a [`CountBook`] for `slots` slots, `pes` processing elements and `rows` reservations, which is read as `S` says.
///
/// Per slot (rounded up to 64): 2 for the count, 1/4 for change and release bits, 1/32 for the peak of 64 slots and 1/16 for
/// what [`BulkScan`](crate::raw::BulkScan) keeps besides, 4 for the list of starts. Per processing element: 4 for the job that runs on it. Per reservation: a row, and 8 for its timer.
///
/// ```
/// use bookahead::{CountBook, raw::{BulkScan, NativeScan, PlainScan, count_book_bytes}};
/// assert_eq!(count_book_bytes::<NativeScan>(256, 32, 32), CountBook::<4, 32, 32>::BYTES);
/// let more = count_book_bytes::<BulkScan>(256, 32, 32) - count_book_bytes::<PlainScan>(256, 32, 32);
/// assert_eq!(more, 256 / 16);
/// ```
#[must_use]
pub const fn count_book_bytes<S: Scan>(slots: u32, pes: u16, rows: usize) -> usize {
    let per_pe = (pes as usize).saturating_mul(4);
    total::<u16>(counts::<S, u16>(slots).saturating_add(per_pe), rows)
}

/// Returns the size in bytes of a [`UnitBook`] for `slots` slots and `rows` reservations, which is read as `S` says. Counts and their summaries take twice as much as in a
/// [`CountBook`], a row 72 bytes, and units nothing.
///
/// ```
/// use bookahead::{UnitBook, raw::{NativeScan, unit_book_bytes}};
/// assert_eq!(unit_book_bytes::<NativeScan>(256, 32), UnitBook::<4, 32>::BYTES);
/// ```
#[must_use]
pub const fn unit_book_bytes<S: Scan>(slots: u32, rows: usize) -> usize {
    total::<u32>(counts::<S, u32>(slots), rows)
}

/// Returns the bytes of the slots of a book that counts: counts, lists of starts, and what lies beside them.
const fn counts<S: Scan, N: Width>(slots: u32) -> usize {
    let slots = blocks(slots).saturating_mul(64);
    let per_slot = slots.saturating_mul(size_of::<N>().saturating_add(4));
    per_slot.saturating_add(per_block::<S, N>(slots))
}

/// Returns the size in bytes of a [`PeBook`] with columns of type `C` for `slots` slots, `pes` processing elements and `rows` reservations, which is
/// read as `S` says.
///
/// Let `w` be the bytes of a set, with a bit per processing element, rounded up to whole columns. Per slot (rounded up to 64): 9/8 w for
/// the set and the unions of 8, w for scratch memory, 2 for the count, 1/4 for change and release bits, 1/32 for the peak of 64 slots
/// and 1/16 for what [`BulkScan`](crate::raw::BulkScan) keeps besides, 4 for the list of starts. Per reservation: w for its set, a row, and 8 for its timer. In addition 2 w of scratch memory.
///
/// ```
/// use bookahead::{PeBook, raw::{NativeScan, pe_book_bytes}};
/// assert_eq!(pe_book_bytes::<u32, NativeScan>(256, 32, 32), PeBook::<u32, 4, 1, 32>::BYTES);
/// ```
#[must_use]
pub const fn pe_book_bytes<C: Column, S: Scan>(slots: u32, pes: u16, rows: usize) -> usize {
    let slots = blocks(slots).saturating_mul(64);
    let set = columns::<C>(pes).saturating_mul(size_of::<C>());
    let sets = slots
        .saturating_mul(2)
        .saturating_add(slots / 8)
        .saturating_add(rows)
        .saturating_add(2);
    let per_slot = slots.saturating_mul(2 + 4);
    let per_block = per_block::<S, u16>(slots);
    total::<u16>(
        set.saturating_mul(sets)
            .saturating_add(per_slot)
            .saturating_add(per_block),
        rows,
    )
}

/// Returns the bytes of change and release bits and of the summaries of `slots` slots, whole blocks.
const fn per_block<S: Scan, N>(slots: usize) -> usize {
    let summaries = S::SUMMARIES.saturating_mul(size_of::<N>());
    (slots / 64).saturating_mul(summaries.saturating_add(8 + 8))
}

/// Adds the size of the arrays that both kinds of book have: the ledger's rows and timers, and the state.
const fn total<N>(bytes: usize, rows: usize) -> usize {
    let per_row = rows.saturating_mul(size_of::<Row<N>>().saturating_add(size_of::<Timer>()));
    let bytes = bytes
        .saturating_add(per_row)
        .saturating_add(size_of::<BookState>());
    match bytes.checked_next_multiple_of(align_of::<BookState>()) {
        Some(bytes) => bytes,
        None => usize::MAX,
    }
}

/// Scratch memory: its contents have no meaning between calls, so comparisons of books ignore it.
#[derive(Clone, Debug)]
struct Scratch<T>(T);

impl<T> PartialEq for Scratch<T> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}
