//! Handles of reservations.

/// A handle identifies one reservation of one book. It becomes stale when the reservation ends; the use of a stale
/// handle is an error.
///
/// ```
/// use bookahead::Handle;
/// let handle = Handle::from_bits(0x0000_0002_0000_0001);
/// assert_eq!(Handle::from_bits(handle.to_bits()), handle);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// It lies in ties, whose bytes mean the same whatever compiler a C library was built by.
#[repr(C)]
pub struct Handle {
    pub(crate) row: u32,
    /// How often the row had been given out when the handle was made.
    pub(crate) generation: u32,
}

impl Handle {
    /// Returns the handle as one number, for a C interface or a log.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.row as u64
    }

    /// Returns a number below the capacity of the book, which no other reservation has at the same time, for tables of the caller's. When the reservation has
    /// ended, another one gets it.
    ///
    /// ```
    /// use bookahead::{Commitment, Policy, Request, Slot, Span, PeCount};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let mut book = memory.view();
    /// let mut owners = vec![""; book.capacity()];
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// owners[booking.handle.index()] = "Ada";
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[must_use]
    pub const fn index(self) -> usize {
        self.row as usize
    }

    /// Returns the handle of a number: the inverse of [`Self::to_bits`]. The use of a number that the book has not
    /// given out is an error.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self {
            row: bits as u32,
            generation: (bits >> 32) as u32,
        }
    }
}
