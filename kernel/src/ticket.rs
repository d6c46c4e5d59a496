//! Tickets of queued jobs and waiting requests.

use core::num::NonZeroU32;

/// A ticket identifies a queued job. Once started, the job is a reservation with a [`Handle`](crate::Handle), which
/// keeps the ticket. Requests that wait beside the queue (feature `plan`) have tickets of the same numbers.
///
/// ```
/// use bookahead::Ticket;
/// assert_eq!(Ticket::from_number(7).map(Ticket::get), Some(7));
/// assert_eq!(Ticket::from_number(0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket(NonZeroU32);

impl Ticket {
    pub(crate) const FIRST: Self = Self(NonZeroU32::MIN);

    /// Returns the ticket as a number, for a C interface or a log.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns the ticket of a number: the inverse of [`Self::get`]. `None` for 0.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        NonZeroU32::new(number).map(Self)
    }
}
