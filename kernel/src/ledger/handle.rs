//! The name of a reservation.

/// Names one reservation of one book. It goes stale when the reservation ends, and a stale handle is noticed.
///
/// ```
/// use bookahead::Handle;
/// let handle = Handle::from_bits(0x0000_0002_0000_0001);
/// assert_eq!(Handle::from_bits(handle.to_bits()), handle);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Handle {
    pub(crate) row: u32,
    /// How often the row has been given out; noticed up to 2^32 times.
    pub(crate) generation: u32,
}

impl Handle {
    /// The handle as one number, for a C interface or a log.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.row as u64
    }

    /// The inverse of [`Self::to_bits`]. A number that the book has not given out is noticed when it is used.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            row: bits as u32,
            generation: (bits >> 32) as u32,
        }
    }
}
