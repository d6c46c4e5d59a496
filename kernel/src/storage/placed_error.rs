//! Why a book on a machine with a layout cannot be made.

use core::fmt;

use super::SizeError;
use crate::placement::LayoutError;

/// The reason why a book on a machine with a layout cannot be made.
///
/// ```
/// use bookahead::{LayoutError, PlacedError};
/// assert_eq!(PlacedError::from(LayoutError::NoKinds).to_string(), "layout: no-kinds");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PlacedError {
    /// The layout does not add up, or is wider than the memory.
    Layout(LayoutError),
    /// The sizes are not those of the memory.
    Size(SizeError),
}

impl From<LayoutError> for PlacedError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

impl From<SizeError> for PlacedError {
    fn from(error: SizeError) -> Self {
        Self::Size(error)
    }
}

impl fmt::Display for PlacedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => write!(f, "layout: {error}"),
            Self::Size(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PlacedError {}
