//! Books whose rings are read in a given way.

use core::marker::PhantomData;

use bookahead::{
    Book,
    raw::{Column, CountRing, OverlayRing, PeRing, PlacedRing, Scan, columns},
};
use bookahead_heap::{
    BoxedCountBook, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRules, SizeError, Sizes,
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

/// The memory of a book, and of rules whose sets are made of `P`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruled<M, P> {
    /// The memory of the book.
    pub book: M,
    /// That of the rules.
    pub rules: BoxedRules<P>,
}

impl<S: Scan> Ruled<Scanned<BoxedCountBook, S>, ()> {
    /// An empty book with late binding and no rules so far.
    ///
    /// # Errors
    ///
    /// When there is no such book.
    pub fn counts(sizes: Sizes) -> Result<Self, SizeError> {
        let book = Scanned::new(BoxedCountBook::new(sizes)?);
        let rules = BoxedRules::with_columns(0)?;
        Ok(Self { book, rules })
    }
}

impl<C: Column, S: Scan> Ruled<Scanned<BoxedPeBook<C>, S>, C> {
    /// An empty book with early binding and no rules so far.
    ///
    /// # Errors
    ///
    /// When there is no such book.
    pub fn sets(sizes: Sizes) -> Result<Self, SizeError> {
        let book = Scanned::new(BoxedPeBook::new(sizes)?);
        let rules = BoxedRules::with_columns(columns::<C>(sizes.pes))?;
        Ok(Self { book, rules })
    }
}
