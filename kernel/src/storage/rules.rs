//! The memory of the rules of a book.

use crate::{
    ring::RuleParts,
    rule::{RuleEdge, RuleEntry},
};

/// The memory of up to [`Rule::MOST`](crate::Rule::MOST) rules of a book, see [`Book::with_rules`](crate::Book::with_rules): 320 bytes, and 20 sets. For a book with early
/// binding, `P` is the type of its columns and `PARTS` their number; for one with late binding, they are `()` and 0.
///
/// ```
/// use bookahead::{Rules, raw::RuleEntry};
/// assert_eq!(size_of::<Rules<(), 0>>(), 19 * size_of::<RuleEntry>() + 16);
/// assert_eq!(size_of::<Rules<u32, 2>>(), 19 * size_of::<RuleEntry>() + 16 + 20 * 8);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rules<P, const PARTS: usize> {
    entries: [RuleEntry; RuleEntry::COUNT],
    edge: RuleEdge,
    sets: [[P; PARTS]; RuleEntry::SETS],
}

impl<P: Copy + Default, const PARTS: usize> Rules<P, PARTS> {
    /// No rules.
    #[must_use]
    pub fn new() -> Self {
        Self {
            entries: [RuleEntry::NONE; RuleEntry::COUNT],
            edge: RuleEdge::NONE,
            sets: [[P::default(); PARTS]; RuleEntry::SETS],
        }
    }

    /// Returns the memory, to be lent to a view of the book. O(1).
    pub const fn view(&mut self) -> RuleParts<'_, P> {
        RuleParts {
            entries: &mut self.entries,
            edge: &mut self.edge,
            sets: self.sets.as_flattened_mut(),
        }
    }
}

impl<P: Copy + Default, const PARTS: usize> Default for Rules<P, PARTS> {
    fn default() -> Self {
        Self::new()
    }
}
