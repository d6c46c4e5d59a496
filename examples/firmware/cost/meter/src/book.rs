//! The books that are measured.

use bookahead::{
    Book, CountBook, PeBook, PeCount, Span,
    raw::{CountRing, PeRing, Ring, SetPart},
};

/// Memory of a book of one size.
pub trait Memory: Sized {
    /// What a set of processing elements consists of in an undo log.
    type Part: SetPart;

    type Ring<'a>: Ring<Part = Self::Part>
    where
        Self: 'a;

    /// An empty book that uses all of it.
    fn fresh() -> Self;

    fn open(&mut self) -> Book<'_, Self::Ring<'_>>;

    /// Becomes what `other` is.
    fn restore(&mut self, other: &Self) {
        // SAFETY: a book's memory is arrays of numbers without destructor or address of its own, so a copy of its bytes is a
        // clone; the two references are to different memory.
        unsafe { core::ptr::copy_nonoverlapping(other, self, 1) };
    }
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Memory
    for CountBook<BLOCKS, PES, ROWS>
{
    type Part = ();
    type Ring<'a> = CountRing<'a>;

    fn fresh() -> Self {
        Self::new(
            PeCount::new((PES as u16).into()),
            Span::new(BLOCKS as u32 * 64),
        )
        .expect("its own size fits")
    }

    fn open(&mut self) -> Book<'_, CountRing<'_>> {
        self.view()
    }
}

impl<const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize> Memory
    for PeBook<u32, BLOCKS, COLUMNS, ROWS>
{
    type Part = u32;
    type Ring<'a> = PeRing<'a, u32>;

    fn fresh() -> Self {
        Self::new(
            PeCount::new((COLUMNS as u16 * 32).into()),
            Span::new(BLOCKS as u32 * 64),
        )
        .expect("its own size fits")
    }

    fn open(&mut self) -> Book<'_, PeRing<'_, u32>> {
        self.view()
    }
}
