//! Juggling in words that all sides understand.

use alloc::vec::Vec;

use bookahead::{Behind, Refusal, Request, Sides, Slot};

use crate::{Moved, Number};

/// The order in which waiting reservations are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sorting {
    /// The earliest deadline first.
    Deadline,
    /// The least time flexibility first.
    Flexibility,
    /// The largest duration times PEs first.
    Size,
    /// In order of acceptance.
    Acceptance,
    /// As the seed wants it.
    Shuffle(u64),
    /// The greatest [`revenue`] first.
    Revenue,
}

impl Sorting {
    /// All of them, with a seed for the one that needs it.
    #[must_use]
    pub const fn all(seed: u64) -> [Self; 6] {
        [
            Self::Deadline,
            Self::Flexibility,
            Self::Size,
            Self::Acceptance,
            Self::Shuffle(seed),
            Self::Revenue,
        ]
    }
}

/// What a reservation is worth in the tests: some number of a few, so that there are ties.
#[must_use]
pub const fn revenue(request: &Request) -> u64 {
    (request.duration.get() as u64 * 31 + request.pes.get() as u64 * 17) % 7
}

/// How to juggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// In which order.
    pub sorting: Sorting,
    /// Whether also a newcomer that fits as things are moves others.
    pub always: bool,
    /// Whether to try again after another reservation lost its room.
    pub retry: bool,
    /// No waiting reservation starts before.
    pub earliest: Slot,
    /// How many may move.
    pub max_moves: u32,
}

/// What is lent for juggling. Too little of it ends a search, but never changes what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The entries of the workspace.
    pub log: usize,
    /// The elements of the list of waiting reservations.
    pub list: usize,
    /// How much work may be done.
    pub work: u64,
}

impl Lent {
    /// Enough for all that the tests do.
    pub const ENOUGH: Self = Self {
        log: 512,
        list: 512,
        work: u64::MAX,
    };
}

/// What becomes of what was juggled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JuggleEnd {
    /// One call does it all, and no moves are listed.
    AtOnce,
    /// The moves are listed, then a transaction is committed.
    Commit,
    /// The moves are listed, and everything is put back.
    Plan,
}

/// What came of juggling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Juggled {
    /// The newcomer and its start, if there was one.
    pub made: Option<(Number, Slot)>,
    /// What has moved, the newcomer included.
    pub moves: Vec<Moved>,
}

/// Which alternatives to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// On which sides.
    pub sides: Sides,
    /// The greatest shift in hundredths of the duration.
    pub max_percent: u32,
    /// Where later windows begin.
    pub behind: Behind,
    /// How many the list holds.
    pub room: usize,
}

/// The alternatives found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many windows were tried.
    pub tried: u32,
    /// The limit that was met.
    pub limit: Option<Refusal>,
    /// By how many slots each is shifted, and its start.
    pub alternatives: Vec<(i64, Slot)>,
}
