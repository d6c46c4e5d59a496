//! Machines with layouts, and classes, as values.

use alloc::vec::Vec;
use core::ops::Range;

use bookahead::{Class, Eligible, Fewer, Layout, Preference, Shape, Within};

/// A class, by the order in which different ones were added, counted from 1; 0 is any PEs.
pub type ClassNumber = u32;

/// A layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// How many groups.
    pub groups: u16,
    /// PEs of each kind in a group.
    pub kinds: Vec<u8>,
    /// Groups from and to, a kind, and how many of it they have.
    pub missing: Vec<(u16, u16, u8, u8)>,
    /// Groups in a block.
    pub levels: Vec<u16>,
}

impl Machine {
    /// What the kernel calls missing.
    #[must_use]
    pub fn fewer(&self) -> Vec<Fewer> {
        let fewer = |(from, to, kind, pes): &(u16, u16, u8, u8)| Fewer {
            groups: *from..*to,
            kind: usize::from(*kind),
            pes: *pes,
        };
        self.missing.iter().map(fewer).collect()
    }

    /// The layout, with what [`fewer`](Self::fewer) returns.
    #[must_use]
    pub fn layout<'l>(&'l self, missing: &'l [Fewer]) -> Layout<'l> {
        Layout {
            groups: self.groups,
            kinds: &self.kinds,
            missing,
            levels: &self.levels,
        }
    }
}

/// What a book on a machine with a layout has, beside its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The layout.
    pub machine: Machine,
    /// How many classes there may be.
    pub classes: usize,
    /// How many groups one of them may list.
    pub order: usize,
}

/// A class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Which PEs.
    pub eligible: Allowed,
    /// How they are spread.
    pub shape: Shaped,
    /// In which block.
    pub within: Within,
    /// Which of them first.
    pub preference: Preferred,
}

/// As [`Eligible`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// All.
    All,
    /// Groups from and to, and a bit for each kind.
    Groups(Vec<(u16, u16)>, u8),
    /// A bit for each number.
    Pes(Vec<u32>),
}

/// As [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shaped {
    /// Anyhow.
    Number,
    /// So many of each kind.
    PerGroup(Vec<u8>),
    /// All of a group.
    WholeGroups,
}

/// As [`Preference`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// The lowest.
    Lowest,
    /// The fullest groups.
    Pack,
    /// The emptiest groups.
    Spread,
    /// In this order.
    Order(Vec<u16>),
    /// Few blocks of a level.
    Compact(u8),
}

impl Wish {
    /// What the kernel calls the groups.
    #[must_use]
    pub fn ranges(&self) -> Vec<Range<u16>> {
        match &self.eligible {
            Allowed::Groups(groups, _) => groups.iter().map(|(from, to)| *from..*to).collect(),
            _ => Vec::new(),
        }
    }

    /// The class, with what [`ranges`](Self::ranges) returns.
    #[must_use]
    pub fn class<'c>(&'c self, ranges: &'c [Range<u16>]) -> Class<'c> {
        Class {
            eligible: match &self.eligible {
                Allowed::All => Eligible::All,
                Allowed::Groups(_, kinds) => Eligible::Groups {
                    groups: ranges,
                    kinds: *kinds,
                },
                Allowed::Pes(mask) => Eligible::Pes(mask),
            },
            shape: match &self.shape {
                Shaped::Number => Shape::Number,
                Shaped::PerGroup(pes) => Shape::PerGroup(pes),
                Shaped::WholeGroups => Shape::WholeGroups,
            },
            within: self.within,
            preference: match &self.preference {
                Preferred::Lowest => Preference::Lowest,
                Preferred::Pack => Preference::Pack,
                Preferred::Spread => Preference::Spread,
                Preferred::Order(order) => Preference::Order(order),
                Preferred::Compact(level) => Preference::Compact(*level),
            },
        }
    }
}
