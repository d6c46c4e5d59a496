//! Prices that follow demand, and what is returned of them.

use super::Money;
use crate::{
    book::Book,
    error::{Error, Refusal, UsageError},
    pe::PeCount,
    ring::{Profile, Ring},
    time::{Span, Window},
};

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

impl<R: Ring> Book<'_, R> {
    /// Returns the price of `pes` processing elements during `window` by what is busy there now, as one would pay who took them one after the other: each costs the rate of the step
    /// that those busy before it have reached. So it does not matter whether a job is booked as one or in pieces, and the sum of what all pay for a slot depends on how full it becomes, and on
    /// nothing else.
    ///
    /// The price is of this moment. Whoever offers a start says the price with it, and keeps both: what is booked later makes it dearer for others only.
    /// O(changes in the window x steps), and O(window / 64).
    ///
    /// ```
    /// use bookahead::{CountBook, DemandStep, Money, PeCount, Request, Slot, Span, Window};
    /// # use bookahead::{Commitment, Policy};
    /// // A cent for each of the first half of the machine, three for each of the rest.
    /// let steps = [(0, 1), (2, 3)].map(|(busy, rate)| DemandStep { busy: PeCount::new(busy), rate: Money::new(rate) });
    /// let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let mut book = memory.view();
    /// let night = Window { start: Slot::new(0), end: Slot::new(10) };
    /// let price = |book: &bookahead::Book<'_, _>, pes| book.price_by_demand(&steps, night, PeCount::new(pes)).map(Money::get);
    /// assert_eq!([price(&book, 1), price(&book, 4)], [Ok(10), Ok(80)]);
    /// let request = Request { ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(5), pes: PeCount::new(2) };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// // Dear in the five slots of that one.
    /// assert_eq!(price(&book, 1), Ok(5 * 3 + 5));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`]; [`Refusal::ReadyInPast`] and [`Refusal::BeyondHorizon`] for a window that the book does not cover; [`Refusal::NoRoom`] if fewer are free
    /// in one of its slots; [`Refusal::PriceOverflow`].
    pub fn price_by_demand(
        &self,
        steps: &[DemandStep],
        window: Window,
        pes: PeCount,
    ) -> Result<Money, Error> {
        let Profile {
            axis,
            counts,
            edges,
        } = self.ring.profile();
        if window.is_empty() {
            return Err(UsageError::ZeroDuration.into());
        }
        if pes == PeCount::ZERO {
            return Err(UsageError::ZeroPes.into());
        }
        if window.start < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        let offsets = axis.ahead(window)?;
        let (mut at, mut sum) = (offsets.start, 0_u64);
        while at < offsets.end {
            let later = at.saturating_add(1)..offsets.end;
            let next = edges.next_change(axis, later).unwrap_or(offsets.end);
            let busy = u32::from(counts.at(axis.index(at)));
            let taken = busy.saturating_add(pes.get());
            if taken > axis.pes().get() {
                return Err(Refusal::NoRoom.into());
            }
            let slots = next.saturating_sub(at) as u64;
            let price = of_a_slot(steps, busy, taken)
                .and_then(|price| price.checked_mul(slots))
                .and_then(|price| price.checked_add(sum));
            sum = price.ok_or(Refusal::PriceOverflow)?;
            at = next;
        }
        Ok(Money(sum))
    }
}

/// Returns what a slot costs in which so many become busy.
fn of_a_slot(steps: &[DemandStep], busy: u32, taken: u32) -> Option<u64> {
    let nexts = steps.iter().skip(1).map(|step| step.busy.get());
    let mut each = steps.iter().zip(nexts.chain([u32::MAX]));
    each.try_fold(0_u64, |sum, (step, next)| {
        let from = step.busy.get().max(busy);
        let count = next.min(taken).saturating_sub(from);
        sum.checked_add(step.rate.0.checked_mul(count.into())?)
    })
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
