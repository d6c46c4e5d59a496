//! The error for memory that cannot be allocated.

use core::fmt;

/// The reason why a book or queue of the requested sizes cannot be made. The message also states what is allowed.
///
/// ```
/// use bookahead_heap::{BoxedCountBook, SizeError, Sizes};
///
/// assert_eq!(BoxedCountBook::new(Sizes { pes: 0, slots: 1_440, reservations: 200 }).unwrap_err(), SizeError::NoPes);
/// let bytes = BoxedCountBook::bytes(Sizes { pes: 16, slots: 1_440, reservations: 200 });
/// let error = BoxedCountBook::new_within(4_096, Sizes { pes: 16, slots: 1_440, reservations: 200 }).unwrap_err();
/// assert_eq!(error, SizeError::TooMuchMemory { bytes, most: 4_096 });
/// assert_eq!(error.to_string(), format!("{bytes} bytes of memory are needed, allowed are 4096"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// A machine without processing elements.
    NoPes,
    /// More processing elements than such a book can have.
    TooManyPes {
        /// How many were asked for.
        asked: u32,
        /// How many are allowed: 65,535, and 2^31 - 1 with late binding.
        most: u32,
    },
    /// A ring without slots.
    NoSlots,
    /// More reservations than a book can number.
    TooManyReservations {
        /// How many were asked for.
        asked: usize,
        /// How many are allowed: 2^32 - 2.
        most: usize,
    },
    /// More jobs than a queue can number.
    TooManyJobs {
        /// How many were asked for.
        asked: usize,
        /// How many are allowed: 2^32 - 2.
        most: usize,
    },
    /// More memory than the caller allows, or than a program can address.
    TooMuchMemory {
        /// The bytes needed; `usize::MAX` also stands for more than that.
        bytes: usize,
        /// The bytes allowed: the caller's limit, at most `isize::MAX`.
        most: usize,
    },
    /// The sizes are allowed, but the allocator does not have the memory.
    OutOfMemory {
        /// The bytes needed altogether.
        bytes: usize,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPes => write!(f, "0 PEs: expected at least 1"),
            Self::TooManyPes { asked, most } => write!(f, "{asked} PEs: expected at most {most}"),
            Self::NoSlots => write!(f, "0 slots: expected 1 to {}", u32::MAX),
            Self::TooManyReservations { asked, most } => {
                write!(f, "{asked} reservations: expected at most {most}")
            }
            Self::TooManyJobs { asked, most } => {
                write!(f, "{asked} waiting jobs: expected at most {most}")
            }
            Self::TooMuchMemory { bytes, most } => {
                write!(f, "{bytes} bytes of memory are needed, allowed are {most}")
            }
            Self::OutOfMemory { bytes } => {
                write!(
                    f,
                    "{bytes} bytes of memory are needed, and the allocator does not have them"
                )
            }
        }
    }
}

impl core::error::Error for SizeError {}
