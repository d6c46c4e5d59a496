//! What the checker reports.

use core::fmt;

/// What a broken book is broken in. Codes are permanent.
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
}

impl Violation {
    /// Every violation, in the order of the codes.
    pub const ALL: &'static [Self] = &[
        Self::Occupancy,
        Self::TooManyBusy,
        Self::Binding,
        Self::Summary,
        Self::Edge,
        Self::Window,
        Self::Rows,
        Self::List,
        Self::Timer,
        Self::Queue,
    ];

    /// The permanent number, 129..=191.
    #[must_use]
    pub const fn code(self) -> u16 {
        self as u16
    }

    /// The permanent name, as files and logs show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Occupancy => "occupancy",
            Self::TooManyBusy => "too-many-busy",
            Self::Binding => "binding",
            Self::Summary => "summary",
            Self::Edge => "edge",
            Self::Window => "window",
            Self::Rows => "rows",
            Self::List => "list",
            Self::Timer => "timer",
            Self::Queue => "queue",
        }
    }
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
            Self::Queue => "the queue of waiting jobs is not in order",
        })
    }
}

impl core::error::Error for Violation {}
