//! Processing elements: numbers of them, and single ones.

use crate::ring::Count;

/// A number of processing elements. Books in which these have numbers have at most 65,535 of them; a
/// [`UnitBook`](crate::UnitBook) has up to 2,147,483,647 units without.
///
/// ```
/// use bookahead::PeCount;
/// assert_eq!(PeCount::new(32).get(), 32);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct PeCount(u32);

impl PeCount {
    /// No processing element.
    pub const ZERO: Self = Self(0);

    /// Creates a number of `count` processing elements.
    #[must_use]
    pub const fn new(count: u32) -> Self {
        Self(count)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A number of processing elements as rows keep it: in as many bits as the counts of their book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct RowPes<N = u16>(N);

impl<N: Count> RowPes<N> {
    pub(crate) const ZERO: Self = Self(N::ZERO);

    /// Keeps a number that has been found to be no more than a book has.
    pub(crate) fn new(count: u32) -> Self {
        Self(N::of(count))
    }

    /// As [`new`](Self::new).
    pub(crate) fn of(count: PeCount) -> Self {
        Self::new(count.0)
    }

    pub(crate) fn get(self) -> u32 {
        self.0.get()
    }

    pub(crate) fn count(self) -> PeCount {
        PeCount(self.get())
    }
}

/// One processing element, identified by its number, counted from 0.
///
/// ```
/// use bookahead::Pe;
/// assert!(Pe::new(0) < Pe::new(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pe(u16);

impl Pe {
    /// Creates the processing element numbered `number`.
    #[must_use]
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Returns its number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// Returns whether a set, a bit for each number, has a processing element.
#[cfg(feature = "outages")]
pub(crate) fn has(pes: &[u32], number: usize) -> bool {
    let word = pes.get(number / 32).copied().unwrap_or_default();
    word.wrapping_shr((number % 32) as u32) & 1 == 1
}
