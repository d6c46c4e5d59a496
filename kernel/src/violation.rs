//! What the checker reports.

use core::fmt;

/// What a broken book is broken in.
///
/// ```
/// use bookahead::Violation;
/// assert_eq!(Violation::Edge.to_string(), "a change or release bit is not what the slots say");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Violation {
    /// A slot is not the disjoint union (the sum) of the reservations that cover it, or one beyond the horizon is not wiped.
    Occupancy,
    /// More is busy than the machine has.
    TooManyBusy,
    /// A reservation holds other processing elements than it should, or somebody else's.
    Binding,
    /// A summary is not what the slots say.
    Summary,
    /// A change or release bit is not what the slots say.
    Edge,
    /// A reservation lies outside what was asked.
    Window,
    /// The rows of the ledger do not add up.
    Rows,
    /// The lists by start are not in order.
    List,
    /// The timers are not in order, or one lies in the past.
    Timer,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Occupancy => "a slot is not what the reservations that cover it add up to",
            Self::TooManyBusy => "more is busy than the machine has",
            Self::Binding => "a reservation does not hold the processing elements it should",
            Self::Summary => "a summary is not what the slots say",
            Self::Edge => "a change or release bit is not what the slots say",
            Self::Window => "a reservation lies outside what was asked",
            Self::Rows => "the rows of the ledger do not add up",
            Self::List => "the lists by start are not in order",
            Self::Timer => "the timers are not in order",
        })
    }
}

impl core::error::Error for Violation {}
