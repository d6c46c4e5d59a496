//! The memory of a book with rules: first that of the rules, then the arrays of a book without.

use bookahead::{
    Book, PeCount, SizeError, Span,
    raw::{
        Column, CountParts, CountRing, PeParts, PeRing, RuleEdge, RuleEntry, RuleParts, RuledRing,
    },
};

#[cfg(feature = "plan")]
use crate::memory::OfOneKind;
use crate::{
    BOOKAHEAD_ALIGNMENT,
    arrays::Arrays,
    memory::{Narrow, Sizes, Wide},
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
    pub(crate) book: M,
}

macro_rules! ruled {
    ($parts:ty, $part:ty, $ring:ty $(, $column:ident)?) => {
        impl<'a $(, $column: Column)?> RuledParts<'a, $parts, $part> {
            /// Makes an empty book without a rule of memory that is zeroed.
            pub(crate) fn init(self, pes: PeCount, horizon: Span) -> Result<(), SizeError> {
                *self.rules.edge = RuleEdge::NONE;
                self.book.init(pes, horizon).map(drop)
            }

            /// The book, after a look at its sizes.
            pub(crate) fn open(self) -> Option<Book<'a, RuledRing<'a, $ring>>> {
                self.book.open()?.with_rules(self.rules)
            }

            #[inline(always)]
            pub(crate) fn view(self) -> Option<Book<'a, RuledRing<'a, $ring>>> {
                self.book.view().with_rules(self.rules)
            }
        }
    };
}
ruled!(CountParts<'a>, (), CountRing<'a>);
ruled!(PeParts<'a, C>, C, PeRing<'a, C>, C);

impl Sizes {
    /// The rules, which `arrays` begin with.
    ///
    /// # Safety
    ///
    /// As [`count_parts`](Self::count_parts), with rules; `P` is what sets of the book consist of.
    #[inline(always)]
    unsafe fn rule_parts<'a, P>(self, arrays: &mut Arrays<'a>) -> RuleParts<'a, P> {
        // SAFETY: these are the arrays that `bytes_of` counts, each aligned. They consist of integers, so whatever bytes are there are valid in all of them.
        unsafe {
            RuleParts {
                edge: arrays.one(),
                entries: arrays.one(),
                sets: arrays.take(self.columns().wrapping_mul(RuleEntry::SETS)),
            }
        }
    }

    /// # Safety
    ///
    /// As [`count_parts`](Self::count_parts), with rules.
    #[inline(always)]
    pub(crate) unsafe fn ruled_count_parts<'a>(
        self,
        mut arrays: Arrays<'a>,
    ) -> RuledParts<'a, CountParts<'a>, ()> {
        // SAFETY: passed on.
        unsafe {
            RuledParts {
                rules: self.rule_parts(&mut arrays),
                book: self.count_parts(arrays),
            }
        }
    }

    /// # Safety
    ///
    /// As [`pe_parts`](Self::pe_parts), with rules.
    #[inline(always)]
    pub(crate) unsafe fn ruled_pe_parts<'a, C: Column>(
        self,
        mut arrays: Arrays<'a>,
    ) -> RuledParts<'a, PeParts<'a, C>, C> {
        // SAFETY: passed on.
        unsafe {
            RuledParts {
                rules: self.rule_parts(&mut arrays),
                book: self.pe_parts(arrays),
            }
        }
    }
}

#[cfg(feature = "plan")]
impl<'a> OfOneKind<'a> for RuledParts<'a, CountParts<'a>, ()> {
    #[inline(always)]
    unsafe fn of(sizes: Sizes, arrays: Arrays<'a>) -> Option<Self> {
        let known = sizes.is_ruled() && sizes.is_late();
        // SAFETY: passed on.
        known.then(|| unsafe { sizes.ruled_count_parts(arrays) })
    }
}

#[cfg(feature = "plan")]
impl<'a, C: Column> OfOneKind<'a> for RuledParts<'a, PeParts<'a, C>, C> {
    #[inline(always)]
    unsafe fn of(sizes: Sizes, arrays: Arrays<'a>) -> Option<Self> {
        let known = sizes.is_ruled() && !sizes.is_late() && sizes.has_columns::<C>();
        // SAFETY: passed on.
        known.then(|| unsafe { sizes.ruled_pe_parts(arrays) })
    }
}
