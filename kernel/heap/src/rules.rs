//! The memory of rules, and of books with rules.

use alloc::boxed::Box;

use bookahead::{
    Book,
    raw::{
        Column, CountRing, NativeScan, PeRing, RuleEdge, RuleEntry, RuleParts, RuledRing, Scan,
        columns,
    },
};

#[cfg(feature = "journal")]
use crate::journal::Notes;
use crate::{BoxedCountBook, BoxedPeBook, SizeError, Sizes, arrays::Arrays};

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

/// A book with rules in boxed memory: a [`BoxedCountBook`] and rules of `()`, or a [`BoxedPeBook`] and rules of its columns. With the feature `journal`, both survive together, see `Survives`.
///
/// ```
/// use bookahead_heap::{BoxedPeBook, BoxedRuledBook, Sizes};
///
/// let mut memory = BoxedRuledBook::<BoxedPeBook<u32>, u32>::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// assert!(memory.view().is_empty());
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedRuledBook<M, P> {
    book: M,
    rules: BoxedRules<P>,
}

/// The same for each kind of binding: the part of a set, how many a set has, and the ring.
macro_rules! ruled {
    ($memory:ty, $part:ty, $columns:expr, $ring:ident $(, $column:ident)?) => {
        impl$(<$column: Column>)? BoxedRuledBook<$memory, $part> {
            /// Creates an empty book of these sizes at slot 0, without a rule. O(memory).
            ///
            /// # Errors
            ///
            /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
            pub fn new(sizes: Sizes) -> Result<Self, SizeError> {
                Ok(Self {
                    book: <$memory>::new(sizes)?,
                    rules: BoxedRules::with_columns($columns(sizes.numbered()))?,
                })
            }

            /// Returns a view of the book in this memory, with its journal if it keeps one. O(1).
            pub fn view(&mut self) -> Book<'_, RuledRing<'_, $ring<'_ $(, $column)?>>> {
                self.view_with::<NativeScan>()
            }

            /// Returns a view as [`view`](Self::view) does, for searches that read the book as `S` says; see [`Scan`]. O(1).
            pub fn view_with<S: Scan>(&mut self) -> Book<'_, RuledRing<'_, $ring<'_, $($column,)? S>>> {
                let book = self.book.view_with().with_rules(self.rules.view());
                book.expect("the rules are those of this book")
            }

            #[cfg(feature = "journal")]
            pub(crate) fn split(&mut self) -> ((), &mut Notes) {
                ((), self.book.split().1)
            }
        }
    };
}

ruled!(BoxedCountBook, (), |_| 0, CountRing);
ruled!(BoxedPeBook<C>, C, columns::<C>, PeRing, C);
