//! Classes: what a reservation asks of its processing elements.

use core::ops::Range;

use super::layout::KINDS;

/// What a reservation asks of its processing elements. [`Request::pes`](crate::Request::pes) says how many it asks for.
///
/// ```
/// use bookahead::{Class, Eligible, Preference, Shape, Within};
/// // 8 GPUs and 16 cores on each of some nodes, all in one rack, from the racks that are fullest.
/// let class = Class {
///     eligible: Eligible::All,
///     shape: Shape::PerGroup(&[16, 8]),
///     within: Within::Required(0),
///     preference: Preference::Pack,
/// };
/// assert_eq!(Class { preference: Preference::Lowest, within: Within::Anywhere, shape: Shape::Number, ..class }, Class::ANY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class<'a> {
    /// Which it may have.
    pub eligible: Eligible<'a>,
    /// How they are spread over groups.
    pub shape: Shape<'a>,
    /// Whether they have to lie in one block.
    pub within: Within,
    /// Which of those that are free it gets.
    pub preference: Preference<'a>,
}

impl Class<'_> {
    /// The class of those who ask for a number of processing elements and take any.
    pub const ANY: Self = Self {
        eligible: Eligible::All,
        shape: Shape::Number,
        within: Within::Anywhere,
        preference: Preference::Lowest,
    };
}

/// Which processing elements are eligible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eligible<'a> {
    /// All.
    All,
    /// Those of some groups, and of some kinds.
    Groups {
        /// The groups; they may overlap.
        groups: &'a [Range<u16>],
        /// A bit for each kind, from the lowest.
        kinds: u8,
    },
    /// A mask: a bit for each number of a processing element, from the lowest of each word. Bits of those that the layout calls missing are ignored.
    Pes(&'a [u32]),
}

/// How processing elements are spread over groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<'a> {
    /// Anyhow.
    Number,
    /// So many of each kind from each of some groups; kinds that are left out, none. A request asks for a multiple of their sum.
    PerGroup(&'a [u8]),
    /// All that the groups have. A request asks for a multiple of that, and all eligible groups must have the same.
    WholeGroups,
}

/// Whether processing elements have to lie in one block of a level, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// They may lie anywhere.
    Anywhere,
    /// One block must hold all: otherwise the start is not feasible.
    Required(u8),
    /// One block holds all if a block can, otherwise they may lie anywhere. The start does not depend on it.
    Preferred(u8),
}

/// Which of the eligible processing elements are taken that are free throughout. In a group, the lowest are taken, kind after kind. Of equals, the lowest
/// come first.
///
/// Blocks for [`Within`] are chosen by it too, among those that can hold all: the lowest; the one with the fewest or the most eligible processing
/// elements free; the one of the group listed first; for `Compact`, the one that can hold the least.
///
/// A *unit* is a group that can serve, or for [`Shape::Number`] a processing element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference<'a> {
    /// The lowest numbers; of groups, the lowest.
    Lowest,
    /// The groups with the fewest eligible ones free, one emptied after the other.
    Pack,
    /// The groups with the most eligible ones free. For a number, one from each in turn.
    Spread,
    /// The groups in the order of a list, one emptied after the other; groups that are not listed come last.
    Order(&'a [u16]),
    /// As few blocks of a level as that takes which begins with those that have the most units, until one more suffices: of those that suffice, the
    /// one with the fewest.
    Compact(u8),
}

/// A class in the table of a book. A class that has been dropped has a stale one, and so has whoever kept it longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClassId {
    /// 1 + the entry; 0 for any processing elements.
    pub(crate) entry: u16,
    pub(crate) generation: u16,
}

impl ClassId {
    /// [`Class::ANY`], which needs no entry.
    pub const ANY: Self = Self {
        entry: 0,
        generation: 0,
    };

    /// Rebuilds an id from its [`number`](Self::number), for callers that pass ids on as numbers.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self {
            entry: number as u16,
            generation: number.wrapping_shr(16) as u16,
        }
    }

    /// Returns the id as a number; 0 for [`ANY`](Self::ANY).
    ///
    /// ```
    /// use bookahead::ClassId;
    /// assert_eq!(ClassId::from_number(0x0001_0002).number(), 0x0001_0002);
    /// assert_eq!(ClassId::ANY.number(), 0);
    /// ```
    #[must_use]
    pub const fn number(self) -> u32 {
        (self.generation as u32).wrapping_shl(16) | self.entry as u32
    }
}

/// A shape in full: how many of each kind.
pub(super) type PerGroup = [u8; KINDS];
