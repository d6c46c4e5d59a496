//! Processing elements: numbers of them, and single ones.

/// A number of processing elements. The books of today have at most 65,535 and refuse more.
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

/// A number of processing elements as rows keep it: those of a book, which has at most 65,535.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct RowPes(u16);

impl RowPes {
    pub(crate) const ZERO: Self = Self(0);

    pub(crate) const fn new(count: u16) -> Self {
        Self(count)
    }

    /// Keeps a number that has been found to be no more than a book has.
    pub(crate) const fn of(count: PeCount) -> Self {
        Self(count.0 as u16)
    }

    pub(crate) const fn get(self) -> u16 {
        self.0
    }

    pub(crate) const fn count(self) -> PeCount {
        PeCount(self.0 as u32)
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
