//! What rules take of a ring.

#[cfg(any(feature = "outages", feature = "plan"))]
use core::ops::Range;

use super::occupancy::SetParts;
#[cfg(feature = "outages")]
use crate::{
    error::{Error, UsageError},
    rule::{Absent, Meeting, Rule, RuleEntry},
    time::Slot,
};

/// The rules of a ring, by number; one more says what is not there at all. Rings without rules have the defaults, so programs without rules contain
/// none of the code behind them.
pub(crate) trait Ruled: SetParts {
    /// Whether slots begin with what rules take.
    const RULES: bool = false;

    /// Notes a rule and what it takes as the draft of a new one.
    #[cfg(feature = "outages")]
    fn draft(&mut self, _rule: &Rule, _absent: Absent<'_>) -> Result<(), Error> {
        Err(UsageError::BadRule.into())
    }

    /// Forgets the draft: whatever takes its place is dropped.
    #[cfg(feature = "outages")]
    fn clear_draft(&mut self) {}

    /// Returns whether the reservation in `row`, which covers `offsets`, is in the way when the draft takes the place of rule `number`.
    #[cfg(feature = "outages")]
    fn gives_way(&self, _number: usize, _row: usize, _offsets: Range<usize>) -> bool {
        false
    }

    /// Puts the draft in the place of rule `number`, when nobody is in the way.
    #[cfg(feature = "outages")]
    fn enact(&mut self, _number: usize) {}

    /// Returns a rule and its set.
    #[cfg(feature = "outages")]
    fn rule(&self, _number: usize) -> (RuleEntry, &[Self::Part]) {
        (RuleEntry::NONE, &[])
    }

    /// Puts back what [`rule`](Self::rule) has returned, when nobody is in the way.
    #[cfg(feature = "outages")]
    fn put_back(&mut self, _number: usize, _entry: &RuleEntry, _set: &[Self::Part]) {}

    /// Returns which rules take something in one of `offsets`, a bit for each; with a row only those that take one of those that it has.
    #[cfg(feature = "outages")]
    fn rules_during(&self, _offsets: Range<usize>, _row: Option<usize>) -> u32 {
        0
    }

    /// Returns the rules whose processing elements a job without a known end is not to have, a bit for each.
    #[cfg(feature = "outages")]
    fn rules_against(&self, _meeting: Meeting) -> u32 {
        0
    }

    /// Lets `row` have the `pes` lowest-numbered processing elements that no reservation has, that are there, and that none of `rules` ever takes, in every slot to
    /// come. When there are fewer, does nothing and returns `false`.
    #[cfg(feature = "outages")]
    fn open(&mut self, _row: usize, _pes: u32, _rules: u32) -> bool {
        false
    }

    /// Ends that: `row` has its processing elements at offsets up to `until` only, where no rule takes them.
    #[cfg(any(feature = "journal", feature = "outages"))]
    fn close(&mut self, _row: usize, _pes: u32, _until: usize) {}

    /// Undoes a [`close`](Self::close) at once, before anybody else was given one of those that `row` had.
    #[cfg(feature = "outages")]
    fn undo_close(&mut self, _row: usize, _pes: u32) {}

    /// Takes what is not there in the first of `offsets` from the set that was noted, and returns from which of them on something else may not be there, or their end.
    #[cfg(feature = "outages")]
    fn leave_out_base(&mut self, offsets: Range<usize>) -> usize {
        offsets.end
    }

    /// Returns the first of `offsets` in which one of the set that was noted is not there, or their end.
    #[cfg(feature = "outages")]
    fn meets_base(&mut self, offsets: Range<usize>) -> usize {
        offsets.end
    }

    /// Returns the rules that take one of the set that was noted in one of `offsets`, a bit for each.
    #[cfg(all(feature = "placement", feature = "outages"))]
    fn rules_on_noted(&mut self, _offsets: Range<usize>) -> u32 {
        0
    }

    /// Returns the first slot behind `slot` in which a turn of a rule begins that takes one of those that `row` has; with late binding, one whose number is not left beside
    /// `up_to`, which such jobs have up to this one.
    #[cfg(feature = "outages")]
    fn next_turn(&self, _row: usize, _up_to: u32, _slot: Slot) -> Option<Slot> {
        None
    }

    /// Returns whether one of these rules takes one of those that `row` has in the present slot; with late binding as [`next_turn`](Self::next_turn).
    #[cfg(feature = "outages")]
    fn is_met(&self, _row: usize, _up_to: u32, _rules: u32) -> bool {
        false
    }

    /// Returns the first of `offsets` in which a rule takes one of those that `row` has; with late binding, in which it does not get its number beside jobs without a known end.
    #[cfg(any(feature = "outages", feature = "plan"))]
    fn first_ruled(&self, _row: usize, _offsets: Range<usize>) -> Option<usize> {
        None
    }
}
