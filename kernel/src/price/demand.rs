//! Prices that follow demand, and what is returned of them.

use super::Money;
use crate::{pe::PeCount, time::Span};

/// A step of a tariff that follows demand: what a slot costs on a processing element that is booked when at least `busy` are busy in that slot already. 16 bytes.
///
/// A tariff is a list of such steps by growing `busy`; what is booked below the first of them is free of charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct DemandStep {
    /// From how many busy processing elements on.
    pub busy: PeCount,
    /// The price of a slot on each one more.
    pub rate: Money,
}

impl DemandStep {
    /// Returns what a slot costs in which so many become busy; `None` if that overflows.
    pub(crate) fn of_a_slot(steps: &[Self], busy: u32, taken: u32) -> Option<u64> {
        let nexts = steps.iter().skip(1).map(|step| step.busy.get());
        let mut each = steps.iter().zip(nexts.chain([u32::MAX]));
        each.try_fold(0_u64, |sum, (step, next)| {
            let from = step.busy.get().max(busy);
            let count = next.min(taken).saturating_sub(from);
            sum.checked_add(step.rate.0.checked_mul(count.into())?)
        })
    }
}

/// A rule by which what was paid is returned: of slots that are given back at least `notice` slots before they begin, `millionths` of what was paid for them. 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct RefundStep {
    /// How long before.
    pub notice: Span,
    /// How much, in millionths; what is more than a million counts as all.
    pub millionths: u32,
}

/// What was paid for a reservation, so that parts of it can be returned.
///
/// ```
/// use bookahead::{Money, RefundStep, Sale, Span};
/// // All of it a day before, half of it an hour before, nothing after that.
/// let rules = [(1_440, 1_000_000), (60, 500_000)].map(|(notice, millionths)| RefundStep { notice: Span::new(notice), millionths });
/// let sale = Sale { paid: Money::new(1_000), slots: Span::new(30) };
/// // Ten of its slots less, of which the first would have begun in three hours.
/// assert_eq!(sale.refund(Span::new(30), Span::new(20), Span::new(180), &rules), Money::new(167));
/// // The other twenty too, later that day.
/// assert_eq!(sale.refund(Span::new(20), Span::new(0), Span::new(70), &rules), Money::new(333));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Sale {
    /// The price of all its slots, which counts as the same for each of them.
    pub paid: Money,
    /// How many slots were sold.
    pub slots: Span,
}

impl Sale {
    /// Returns what is owed to who keeps `kept` of the `had` slots of this sale that were left, where `notice` slots pass until the first of those that are given back. The rule with the
    /// longest notice that is kept applies. The value of what is left is rounded down to whole micro-units, so by a rule that returns all, whoever gives back all slots in any number of
    /// steps gets exactly what was paid. O(rules).
    #[must_use]
    pub fn refund(&self, had: Span, kept: Span, notice: Span, rules: &[RefundStep]) -> Money {
        let kept_to = rules.iter().filter(|rule| rule.notice <= notice);
        let rule = kept_to.max_by_key(|rule| rule.notice);
        let share = rule.map_or(0, |rule| rule.millionths.min(ALL));
        let value = self.value(had).saturating_sub(self.value(kept));
        let owed = u128::from(value).wrapping_mul(share.into());
        Money(owed.checked_div(ALL.into()).unwrap_or_default() as u64)
    }

    /// Returns what so many of its slots are worth.
    fn value(&self, slots: Span) -> u64 {
        let slots = slots.min(self.slots).get();
        let all = u128::from(self.paid.0).wrapping_mul(slots.into());
        all.checked_div(self.slots.get().into()).unwrap_or_default() as u64
    }
}

/// All of it, in millionths.
const ALL: u32 = 1_000_000;
