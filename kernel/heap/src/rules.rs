//! The memory of rules.

use alloc::boxed::Box;

use bookahead::raw::{RuleEdge, RuleEntry, RuleParts};

use crate::{SizeError, arrays::Arrays};

/// The memory of the rules of a book of a size known at run time, as [`Rules`](bookahead::Rules).
///
/// ```
/// use bookahead_heap::{BoxedCountBook, BoxedRules, Sizes};
///
/// let mut memory = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let mut rules = BoxedRules::<()>::with_columns(0)?;
/// assert!(memory.view().with_rules(rules.view()).is_some());
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedRules<P> {
    entries: [RuleEntry; RuleEntry::COUNT],
    edge: RuleEdge,
    sets: Box<[P]>,
}

impl<P: Clone + Default> BoxedRules<P> {
    /// Creates memory without rules for a book whose sets have so many columns, 0 for a book with late binding.
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory.
    pub fn with_columns(columns: usize) -> Result<Self, SizeError> {
        let sets = RuleEntry::SETS.saturating_mul(columns);
        let mut arrays = Arrays::within(sets.saturating_mul(size_of::<P>()), usize::MAX)?;
        Ok(Self {
            entries: [RuleEntry::NONE; RuleEntry::COUNT],
            edge: RuleEdge::NONE,
            sets: arrays.array(sets)?,
        })
    }

    /// Returns the memory, to be lent to a view of the book. O(1).
    pub fn view(&mut self) -> RuleParts<'_, P> {
        RuleParts {
            entries: &mut self.entries,
            edge: &mut self.edge,
            sets: &mut self.sets,
        }
    }
}
