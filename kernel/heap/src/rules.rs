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
#[cfg(feature = "placement")]
use crate::{BoxedPlacedBook, PlacedSizeError, PlacedSizes};
#[cfg(feature = "placement")]
use bookahead::{Layout, raw::PlacedRing};

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

/// A book with rules in boxed memory: a [`BoxedCountBook`] and rules of `()`, or a [`BoxedPeBook`], or a `BoxedPlacedBook`, and rules of its columns. With the feature `journal`, both survive together, see `Survives`.
///
/// ```
/// use bookahead::{Absent, Broken, PeCount, Rule, Slot, Span, Window, heapless};
/// use bookahead_heap::{BoxedPeBook, BoxedRuledBook, BoxedWorkspace, Sizes};
///
/// // Two weeks of slots of 15 minutes from a Monday on. Each Sunday from 8 to 12, instruments 0 and 1 are cleaned.
/// let mut memory = BoxedRuledBook::<BoxedPeBook<u32>, u32>::new(Sizes { pes: 16, slots: 1_344, reservations: 200 })?;
/// let mut book = memory.view();
/// let sunday = Rule { phase: Span::new((6 * 24 + 8) * 4), period: Span::new(7 * 24 * 4), length: Span::new(4 * 4) };
/// // Entries for whoever is in the way: one for the rule, one for each reservation, and one more for each that is placed again.
/// let mut workspace = BoxedWorkspace::<u32>::early(16, 401, 0)?;
/// let mut broken = heapless::Vec::<Broken, 200>::new();
/// let mut transaction = book.transaction(workspace.view(), u64::MAX);
/// transaction.set_rule(0, Some((sunday, Absent::These(&[0b11]))), &mut broken)?;
/// transaction.commit()?;
/// let morning = Window { start: Slot::new(608), end: Slot::new(624) };
/// assert_eq!(book.free_during(morning), Some(PeCount::new(14)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedRuledBook<M, P> {
    book: M,
    rules: BoxedRules<P>,
}

/// A view of each kind: the memory, the part of a set, and the ring.
macro_rules! views {
    ($memory:ty, $part:ty, $ring:ident $(, $column:ident)?) => {
        impl$(<$column: Column>)? BoxedRuledBook<$memory, $part> {
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

views!(BoxedCountBook, (), CountRing);
views!(BoxedPeBook<C>, C, PeRing, C);
#[cfg(feature = "placement")]
views!(BoxedPlacedBook<C>, C, PlacedRing, C);

/// A book of these sizes: the memory, the part of a set, and how many a set has.
macro_rules! new {
    ($memory:ty, $part:ty, $columns:expr $(, $column:ident)?) => {
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
        }
    };
}

new!(BoxedCountBook, (), |_| 0);
new!(BoxedPeBook<C>, C, columns::<C>, C);

#[cfg(feature = "placement")]
impl<C: Column> BoxedRuledBook<BoxedPlacedBook<C>, C> {
    /// Creates an empty book at slot 0 on a machine with this layout, without a rule. O(memory).
    ///
    /// ```
    /// use bookahead::{Class, Layout, Shape};
    /// use bookahead_heap::{BoxedPlacedBook, BoxedRuledBook, HostColumn, PlacedSizes};
    ///
    /// let nodes = Layout { groups: 128, kinds: &[16], missing: &[], levels: &[] };
    /// let sizes = PlacedSizes { slots: 1_440, reservations: 200, classes: 20, order: 0 };
    /// let mut memory = BoxedRuledBook::<BoxedPlacedBook<HostColumn>, _>::new(&nodes, sizes)?;
    /// memory.view().class_add(&Class { shape: Shape::WholeGroups, ..Class::ANY })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PlacedSizeError`] for a layout that does not add up, for sizes that no book can have, and when there is not enough memory.
    pub fn new(layout: &Layout<'_>, sizes: PlacedSizes) -> Result<Self, PlacedSizeError> {
        Ok(Self {
            book: BoxedPlacedBook::new(layout, sizes)?,
            rules: BoxedRules::with_columns(layout.columns::<C>())?,
        })
    }

    /// Returns how many columns a set has, as for a [`BoxedWorkspace`](crate::BoxedWorkspace). O(1).
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.book.columns()
    }
}
