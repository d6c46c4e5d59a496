//! Books whose rings are read in a given way.

use core::marker::PhantomData;

use bookahead::{
    Book,
    raw::{Column, CountRing, OverlayRing, PeRing, PlacedRing, RuledRing, Scan},
};
use bookahead_heap::{
    BoxedCountBook, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook, BoxedUnitBook,
};

/// The memory of a book, to be searched as `S` says.
#[derive(Clone, Debug, PartialEq)]
pub struct Scanned<M, S> {
    /// The memory.
    pub memory: M,
    scan: PhantomData<S>,
}

impl<M, S: Scan> Scanned<M, S> {
    /// This memory, read in that way.
    #[must_use]
    pub const fn new(memory: M) -> Self {
        Self {
            memory,
            scan: PhantomData,
        }
    }
}

impl<S: Scan> Scanned<BoxedCountBook, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, CountRing<'_, S>> {
        self.memory.view_with()
    }
}

impl<S: Scan> Scanned<BoxedUnitBook, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, CountRing<'_, S, u32>> {
        self.memory.view_with()
    }
}

impl<S: Scan> Scanned<BoxedOverlayBook, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, OverlayRing<'_, S>> {
        self.memory.view_with()
    }
}

impl<C: Column, S: Scan> Scanned<BoxedPeBook<C>, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, PeRing<'_, C, S>> {
        self.memory.view_with()
    }
}

impl<C: Column, S: Scan> Scanned<BoxedPlacedBook<C>, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, PlacedRing<'_, C, S>> {
        self.memory.view_with()
    }
}

impl<S: Scan> Scanned<BoxedRuledBook<BoxedCountBook, ()>, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, RuledRing<'_, CountRing<'_, S>>> {
        self.memory.view_with()
    }
}

impl<C: Column, S: Scan> Scanned<BoxedRuledBook<BoxedPlacedBook<C>, C>, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, RuledRing<'_, PlacedRing<'_, C, S>>> {
        self.memory.view_with()
    }
}

impl<C: Column, S: Scan> Scanned<BoxedRuledBook<BoxedPeBook<C>, C>, S> {
    /// The book in this memory.
    pub fn view(&mut self) -> Book<'_, RuledRing<'_, PeRing<'_, C, S>>> {
        self.memory.view_with()
    }
}
