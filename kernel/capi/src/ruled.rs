//! The memory of a book with rules: first that of the rules, then the arrays of a book without.

use core::ops::Range;

use bookahead::{
    Book, PeCount, Span,
    raw::{
        Column, CountParts, CountRing, PeParts, PeRing, RuleEdge, RuleEntry, RuleParts, RuledRing,
    },
};
#[cfg(feature = "placement")]
use bookahead::{
    Layout,
    raw::{PlacedParts, PlacedRing},
};

use crate::{
    BOOKAHEAD_ALIGNMENT, Code,
    arrays::Arrays,
    code::Failure,
    kind::Parts,
    memory::{Book as Memory, Narrow, Sizes, Wide},
};

/// The bytes of the rules of a book of no sets.
const OF_RULES: usize = size_of::<RuleEdge>() + RuleEntry::COUNT * size_of::<RuleEntry>();

// The header's formulas have these numbers in them.
const _: () = assert!(OF_RULES == 320 && RuleEntry::SETS == 20);
// What lies behind the rules lies there as in a book without.
const _: () = assert!(align_of::<RuleEdge>() <= BOOKAHEAD_ALIGNMENT && OF_RULES.is_multiple_of(32));
const _: () = assert!((RuleEntry::SETS * size_of::<Narrow>()).is_multiple_of(16));
const _: () = assert!((RuleEntry::SETS * size_of::<Wide>()).is_multiple_of(16));

/// The bytes of the rules of a book whose sets of PEs have so many.
pub(crate) const fn bytes_of(set: usize) -> usize {
    OF_RULES.saturating_add(RuleEntry::SETS.saturating_mul(set))
}

/// The parts of a book with rules, of which `M` are those of a book without.
pub(crate) struct RuledParts<'a, M, P> {
    rules: RuleParts<'a, P>,
    book: M,
}

/// The parts of a book with rules and late binding.
pub(crate) type Counts<'a> = RuledParts<'a, CountParts<'a>, ()>;
/// The parts of a book with rules and early binding.
pub(crate) type Sets<'a, C> = RuledParts<'a, PeParts<'a, C>, C>;
/// The parts of a book with rules on a machine with a layout.
#[cfg(feature = "placement")]
pub(crate) type Placed<'a, C> = RuledParts<'a, PlacedParts<'a, C>, C>;

macro_rules! ruled {
    ($parts:ty, $part:ty, $ring:ty, $machine:ty $(, $column:ident)?) => {
        impl<'a $(, $column: Column)?> RuledParts<'a, $parts, $part> {
            /// Makes an empty book without a rule of memory that is zeroed.
            pub(crate) fn init(self, machine: $machine, horizon: Span) -> Result<(), Failure> {
                *self.rules.edge = RuleEdge::NONE;
                let made = self.book.init(machine, horizon);
                made.map(drop).map_err(|_| Code::SizeOutOfRange.into())
            }

            /// The book, after a look at its sizes.
            pub(crate) fn open(self) -> Option<Book<'a, RuledRing<'a, $ring>>> {
                self.book.open()?.with_rules(self.rules)
            }
        }

        impl<'a $(, $column: Column)?> Parts<'a> for RuledParts<'a, $parts, $part> {
            type Ring = RuledRing<'a, $ring>;

            #[inline(always)]
            fn is(sizes: Sizes) -> bool {
                sizes.without_rules().is_some_and(<$parts>::is)
            }

            #[inline(always)]
            unsafe fn of(sizes: Sizes, mut arrays: Arrays<'a>) -> Self {
                // SAFETY: passed on; the arrays of the rules are those that `bytes_of` counts, each aligned. They consist of integers, so whatever bytes are there are
                // valid in all of them.
                unsafe {
                    Self {
                        rules: RuleParts {
                            edge: arrays.one(),
                            entries: arrays.one(),
                            sets: arrays.take(sizes.columns().wrapping_mul(RuleEntry::SETS)),
                        },
                        book: <$parts>::of(sizes, arrays),
                    }
                }
            }

            /// NOT_A_BOOK where the memory of the rules is for sets of another size, which the sizes under the seal exclude.
            #[inline(always)]
            fn book(self) -> Result<Book<'a, Self::Ring>, Failure> {
                let book = self.book.view().with_rules(self.rules);
                book.ok_or(Code::NotABook.into())
            }

            fn scratch(&self, book: *const Memory) -> [Range<usize>; 4] {
                self.book.scratch(book)
            }
        }
    };
}
ruled!(CountParts<'a>, (), CountRing<'a>, PeCount);
ruled!(PeParts<'a, C>, C, PeRing<'a, C>, PeCount, C);
#[cfg(feature = "placement")]
ruled!(PlacedParts<'a, C>, C, PlacedRing<'a, C>, &Layout<'_>, C);
