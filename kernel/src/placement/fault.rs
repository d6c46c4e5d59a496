//! The faults of layouts and of classes, and what classes lack.

use core::fmt;

use crate::{named::codes, pe::PeCount};

/// The reason why a layout does not add up. Codes are permanent.
///
/// ```
/// use bookahead::{Layout, LayoutError};
/// let layout = Layout { groups: 0, kinds: &[4], missing: &[], levels: &[] };
/// assert_eq!(layout.check(), Err(LayoutError::NoGroups));
/// assert_eq!(LayoutError::NoGroups.name(), "no-groups");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u16)]
#[non_exhaustive]
pub enum LayoutError {
    /// A machine without groups.
    NoGroups = 1,
    /// Groups without a kind of processing elements.
    NoKinds = 2,
    /// More than [`KINDS`](super::KINDS) kinds.
    TooManyKinds = 3,
    /// A kind of which a group has none, or more than a word has bits: 64 on hosts, 32 on devices.
    BadKind = 4,
    /// More than [`LEVELS`](super::LEVELS) levels.
    TooManyLevels = 5,
    /// A level whose blocks are not larger than those of the level before, or than one group.
    BadLevel = 6,
    /// Processing elements are missing in groups that the machine does not have, or in no group.
    UnknownGroups = 7,
    /// Processing elements are missing of a kind that the machine does not have.
    UnknownKind = 8,
    /// A group that lacks processing elements would have as many as the others, or more.
    NothingMissing = 9,
    /// The padded layout is wider than 65,535 bits, or than the memory.
    LayoutTooWide = 10,
    /// All processing elements are missing.
    NoPes = 11,
}

codes!(LayoutError: u16 {
    NoGroups => "no-groups",
    NoKinds => "no-kinds",
    TooManyKinds => "too-many-kinds",
    BadKind => "bad-kind",
    TooManyLevels => "too-many-levels",
    BadLevel => "bad-level",
    UnknownGroups => "unknown-groups",
    UnknownKind => "unknown-kind",
    NothingMissing => "nothing-missing",
    LayoutTooWide => "layout-too-wide",
    NoPes => "no-pes",
});

/// The reason why a class cannot be added. Codes are permanent.
///
/// ```
/// use bookahead::ClassError;
/// assert_eq!((ClassError::UnevenGroups.code(), ClassError::UnevenGroups.name()), (8, "uneven-groups"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u16)]
#[non_exhaustive]
pub enum ClassError {
    /// Every entry of the table is taken.
    ClassesFull = 1,
    /// Groups that the machine does not have, or a range of no groups.
    UnknownGroups = 2,
    /// A kind that the machine does not have.
    UnknownKind = 3,
    /// A level that the machine does not have.
    UnknownLevel = 4,
    /// The mask has not as many words as a bit for each number of a processing element takes, or it has a bit behind the last number.
    MaskSize = 5,
    /// No processing element is eligible.
    NothingEligible = 6,
    /// Nothing is asked of a group, or more than any eligible group has.
    BadShape = 7,
    /// Whole groups are asked for, and the eligible ones differ, or are eligible in part.
    UnevenGroups = 8,
    /// More groups are listed than there is memory for.
    OrderTooLong = 9,
    /// A group is listed twice, or does not exist.
    BadOrder = 10,
}

codes!(ClassError: u16 {
    ClassesFull => "classes-full",
    UnknownGroups => "unknown-groups",
    UnknownKind => "unknown-kind",
    UnknownLevel => "unknown-level",
    MaskSize => "mask-size",
    NothingEligible => "nothing-eligible",
    BadShape => "bad-shape",
    UnevenGroups => "uneven-groups",
    OrderTooLong => "order-too-long",
    BadOrder => "bad-order",
});

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::error::Error for LayoutError {}

impl fmt::Display for ClassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::error::Error for ClassError {}

/// Which question of a class the processing elements fail that are free throughout a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Failing {
    /// Too few that the class may have are free.
    Number {
        /// How many more would have to be.
        lacking: PeCount,
    },
    /// Enough are free, but too few groups have what each is to give.
    Groups {
        /// How many more groups would have to have it.
        lacking: u32,
    },
    /// Enough are free, and in enough groups, but no block of the level that is required has all.
    Block {
        /// What the block lacks that has most: groups or, of a class that asks for a number, processing elements.
        lacking: u32,
    },
}
