//! What the examples of the documentation begin with.

use crate::{pe::PeCount, storage::CountBook, time::Span};

/// Memory of an empty book with late binding: 4 processing elements, a horizon of 48 slots, room for 8 reservations.
#[must_use]
pub fn memory() -> CountBook<1, 4, 8> {
    CountBook::new(PeCount::new(4), Span::new(48)).unwrap_or(CountBook::zeroed())
}
