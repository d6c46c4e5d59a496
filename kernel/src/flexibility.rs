//! How long, and by which of its times, an accepted reservation may still be moved.

use crate::{named::named, time::Span};

/// What the customer of a flexible reservation asked for. Codes are permanent.
///
/// A reservation that is not flexible has a strict start: only its owner moves it.
///
/// ```
/// use bookahead::Flexibility;
/// assert_eq!((Flexibility::Deadline.code(), Flexibility::Deadline.name()), (1, "deadline"));
/// ```
///
/// Source: `netto`, section 2 and figure 1 (relaxed start with a strict completion, and flexible interval).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Flexibility {
    /// It runs at any time between its ready time and its deadline. What is left of its time flexibility counts from
    /// its planned start.
    Interval,
    /// It is over by its deadline, and could run at once. What is left of its time flexibility counts from `now`.
    Deadline,
}

named!(Flexibility { Interval => "interval", Deadline => "deadline" });

/// When the start of a flexible reservation becomes fixed. From then on it is not moved any more.
///
/// The slot is worked out anew whenever the reservation is moved. If it has passed by then, the start is fixed at once.
///
/// ```
/// use bookahead::{Freeze, Span};
/// assert_eq!(Freeze::Share { per_mille: 250 }.name(), "share");
/// assert_eq!(Freeze::Lead { lead: Span::new(8) }.name(), "lead");
/// ```
///
/// Source: `netto`, section 4.2 (fixing a job after a share of its waiting time).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Freeze {
    /// Not before the reservation starts.
    Never,
    /// When it is accepted: from then on its start is fixed.
    Acceptance,
    /// When a share of the time from its acceptance to its start has passed, rounded up to a slot.
    Share {
        /// The share in thousandths; more than 1,000 are taken as 1,000.
        per_mille: u16,
    },
    /// So many slots before its start, but not before its acceptance.
    Lead {
        /// The lead time.
        lead: Span,
    },
}

impl Freeze {
    /// Returns the permanent number, from 0.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Never => 0,
            Self::Acceptance => 1,
            Self::Share { .. } => 2,
            Self::Lead { .. } => 3,
        }
    }

    /// Returns the permanent name, as commands and files show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Acceptance => "acceptance",
            Self::Share { .. } => "share",
            Self::Lead { .. } => "lead",
        }
    }
}
