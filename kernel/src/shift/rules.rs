//! The rules of shifting.

use crate::time::Slot;

/// To which side reservations are shifted. Codes are permanent.
///
/// ```
/// use bookahead::Direction;
/// assert_eq!((Direction::Both.code(), Direction::Both.name()), (1, "both"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// To the right, which is later: FCFS-EDS, whose source `pujiyanta` compares with.
    Right,
    /// To the right and to the left: FCFS-LRH of `pujiyanta`.
    Both,
}

crate::named::named!(Direction { Right => "right", Both => "both" });

/// How a place is sought for a newcomer among reservations that are shifted for it.
///
/// ```
/// use bookahead::Insertion;
/// assert_eq!((Insertion::FewestMoves.code(), Insertion::FewestMoves.name()), (1, "fewest-moves"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Insertion {
    /// As `pujiyanta` has it: room is made slot by slot, and what has been moved for one start stays there until that
    /// start has failed. Finds room often, not always: in the small worlds of a test, in which all arrangements can be
    /// tried, four of five times at depth 1 and nineteen of twenty times at depth 2 to the right, three of four and nine of
    /// ten to both sides.
    Slides {
        /// How many reservations in a row may push one another. 0: none is moved; 1: one that is in the way moves only
        /// to where there is room for it. More than [`DEEPEST`](Shifting::DEEPEST) are taken as that.
        depth: u8,
    },
    /// The arrangement that moves the fewest reservations, by trying all of them.
    FewestMoves,
    /// The arrangement with the least total shift in slots, by trying all of them.
    LeastShift,
}

impl Insertion {
    /// Returns the permanent number, from 0.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Slides { .. } => 0,
            Self::FewestMoves => 1,
            Self::LeastShift => 2,
        }
    }

    /// Returns the permanent name, as commands and files show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Slides { .. } => "slides",
            Self::FewestMoves => "fewest-moves",
            Self::LeastShift => "least-shift",
        }
    }
}

/// The rules of shifting: to which side, how, and how much of it.
///
/// ```
/// use bookahead::{Insertion, Shifting, Slot};
/// let rules = Shifting { earliest: Slot::new(5), max_moves: 20, ..Shifting::LRH };
/// assert_eq!(rules.insertion, Insertion::Slides { depth: 2 });
/// ```
///
/// Source: `pujiyanta`, sections 2.A and 2.C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shifting {
    /// To which side reservations are shifted.
    pub direction: Direction,
    /// How a place is sought.
    pub insertion: Insertion,
    /// No reservation is shifted to a start before this slot; for callers whose `now` is under way.
    pub earliest: Slot,
    /// At most so many reservations are moved for the newcomer. If room was missed for that,
    /// [`MoveLimit`](crate::Refusal::MoveLimit) says so.
    pub max_moves: u32,
    /// At most so many slots are written and searched, where the call begins a transaction of its own. More is
    /// [`WorkLimit`](crate::Refusal::WorkLimit).
    pub work: u64,
}

impl Shifting {
    /// The greatest depth, which bounds the stack that the search takes.
    pub const DEEPEST: u8 = 16;

    /// Shifting to the right, FCFS-EDS: slides of depth 2, no limits.
    pub const EDS: Self = Self {
        direction: Direction::Right,
        insertion: Insertion::Slides { depth: 2 },
        earliest: Slot::new(0),
        max_moves: u32::MAX,
        work: u64::MAX,
    };

    /// Shifting to the right and to the left, FCFS-LRH: slides of depth 2, no limits.
    pub const LRH: Self = Self {
        direction: Direction::Both,
        ..Self::EDS
    };
}
