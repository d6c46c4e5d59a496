//! The error for sizes that a book cannot have.

use core::fmt;

use super::blocks;
use crate::{pe::PeCount, ring::Width, time::Span};

/// The most units of a book with counts of 32 bits: a bit tells a queue that its number has no class beside it.
const UNITS: u32 = i32::MAX as u32;

/// The reason why a book of the requested sizes cannot be made. The message also states what is allowed.
///
/// ```
/// use bookahead::{CountBook, PeCount, SizeError, Span};
/// // Memory for one block of 64 slots and 4 processing elements.
/// let refused = CountBook::<1, 4, 8>::new(PeCount::new(5), Span::new(48)).unwrap_err();
/// assert_eq!(refused, SizeError::TooManyPes { asked: 5, most: 4 });
/// assert_eq!(refused.to_string(), "5 processing elements: there is memory for 4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SizeError {
    /// A machine without processing elements.
    NoPes,
    /// A horizon of no slots.
    NoSlots,
    /// More processing elements than there is memory for.
    TooManyPes {
        /// How many were asked for.
        asked: u32,
        /// How many there is memory for.
        most: u32,
    },
    /// A longer horizon than there is memory for.
    TooManySlots {
        /// How many slots were asked for.
        asked: u32,
        /// How many there is memory for.
        most: u32,
    },
    /// The lengths of the arrays are not those that the documentation of their fields states.
    ArrayLengths,
}

impl SizeError {
    /// Checks that a machine of `pes` processing elements and a horizon fit into memory for `most` processing elements and `most_blocks`
    /// blocks of 64 slots.
    pub(super) const fn check(
        pes: PeCount,
        horizon: Span,
        most: usize,
        most_blocks: usize,
    ) -> Result<(), Self> {
        // These rings count in 16 bits, whatever the memory.
        let most = if most > u16::MAX as usize {
            u16::MAX as u32
        } else {
            most as u32
        };
        Self::check_up_to(pes, horizon, most, most_blocks)
    }

    /// As [`check`](Self::check), for a book with counts of a width, of which `numbered` processing elements can have numbers.
    pub(super) const fn check_counts<N: Width>(
        pes: PeCount,
        horizon: Span,
        numbered: usize,
        most_blocks: usize,
    ) -> Result<(), Self> {
        if N::NUMBERED {
            return Self::check(pes, horizon, numbered, most_blocks);
        }
        Self::check_up_to(pes, horizon, UNITS, most_blocks)
    }

    const fn check_up_to(
        pes: PeCount,
        horizon: Span,
        most: u32,
        most_blocks: usize,
    ) -> Result<(), Self> {
        let (asked, slots) = (pes.get(), horizon.get());
        if asked == 0 {
            return Err(Self::NoPes);
        }
        if slots == 0 {
            return Err(Self::NoSlots);
        }
        if asked > most {
            return Err(Self::TooManyPes { asked, most });
        }
        if blocks(slots) > most_blocks {
            let most = most_blocks.saturating_mul(64) as u32;
            return Err(Self::TooManySlots { asked: slots, most });
        }
        Ok(())
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPes => f.write_str("0 processing elements: expected at least 1"),
            Self::NoSlots => f.write_str("a horizon of 0 slots: expected at least 1"),
            Self::TooManyPes { asked, most } => {
                write!(f, "{asked} processing elements: there is memory for {most}")
            }
            Self::TooManySlots { asked, most } => {
                write!(f, "a horizon of {asked} slots: there is memory for {most}")
            }
            Self::ArrayLengths => f.write_str("the lengths of the arrays do not agree"),
        }
    }
}

impl core::error::Error for SizeError {}
