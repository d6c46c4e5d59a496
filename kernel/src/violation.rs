//! The violations that the checker reports.

use crate::named::codes;
use core::fmt;

/// The invariant that a damaged book violates. Codes are permanent.
///
/// ```
/// use bookahead::Violation;
/// assert_eq!(Violation::Edge.to_string(), "a change or release bit is not what the slots say");
/// assert_eq!((Violation::Edge.code(), Violation::Edge.name()), (133, "edge"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u16)]
#[non_exhaustive]
pub enum Violation {
    /// A slot is not the disjoint union (the sum) of the reservations that cover it, or one beyond the horizon is not wiped.
    Occupancy = 129,
    /// More is busy than the machine has.
    TooManyBusy = 130,
    /// A reservation holds other processing elements than it should, or somebody else's.
    Binding = 131,
    /// A summary is not what the slots say.
    Summary = 132,
    /// A change or release bit is not what the slots say.
    Edge = 133,
    /// A reservation lies outside what was asked.
    Window = 134,
    /// The rows of the ledger do not add up.
    Rows = 135,
    /// The lists by start are not in order.
    List = 136,
    /// The timers are not in order, or one lies in the past.
    Timer = 137,
    /// The queue does not agree with itself, or a job of the queue does not run.
    Queue = 138,
    /// What is overlaid is not what the rows say, or it is not hidden from newcomers.
    Overlay = 139,
    /// A reservation holds processing elements that do not serve its class.
    Class = 140,
}

codes!(Violation: u16 {
    Occupancy => "occupancy",
    TooManyBusy => "too-many-busy",
    Binding => "binding",
    Summary => "summary",
    Edge => "edge",
    Window => "window",
    Rows => "rows",
    List => "list",
    Timer => "timer",
    Queue => "queue",
    Overlay => "overlay",
    Class => "class",
});

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
            Self::Queue => "the queue of waiting jobs is not in order",
            Self::Overlay => "what is overlaid is not what the rows say",
            Self::Class => "a reservation holds what does not serve its class",
        })
    }
}

impl core::error::Error for Violation {}
