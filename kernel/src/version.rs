//! Versions of books.

/// A version of a book: two numbers that identify one of its states.
///
/// Books to which the caller gave equal incarnations cannot be told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Version {
    /// How often a booking has changed. Advancing time without an event does not count.
    pub revision: u64,
    /// The number that the caller gave the book with [`Book::set_incarnation`](crate::Book::set_incarnation).
    pub incarnation: u32,
}
