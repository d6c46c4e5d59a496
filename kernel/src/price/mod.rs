//! The price of running a job, in whole micro-units of a currency of the caller's choice.

mod demand;

use crate::{
    error::{Error, Refusal},
    pe::PeCount,
    request::Request,
    time::Span,
};
pub use demand::{DemandStep, RefundStep, Sale};

/// An amount of money, in micro-units: $1.00 is 1,000,000.
///
/// ```
/// use bookahead::Money;
/// assert_eq!(Money::new(50_000).get(), 50_000); // five cents
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Money(u64);

impl Money {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// The largest amount, as a budget no limit.
    pub const MAX: Self = Self(u64::MAX);

    /// Creates an amount of `micro` micro-units.
    #[must_use]
    pub const fn new(micro: u64) -> Self {
        Self(micro)
    }

    /// Returns the number of micro-units.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns this amount times `units` units of time times `pes` processing elements.
    fn times(self, units: u64, pes: PeCount) -> Result<Self, Error> {
        let price = self
            .0
            .checked_mul(units)
            .and_then(|price| price.checked_mul(u64::from(pes.get())));
        price.map(Self).ok_or(Refusal::PriceOverflow.into())
    }
}

/// The ratio of the rate of reserved to best-effort work: a fixed-point number with 32 bits before the binary point and 32 after it.
#[cfg(feature = "price")]
pub type Factor = fixed::types::U32F32;

/// A part of a whole, at least 0 and less than 1: a fixed-point number with 32 bits after the binary point.
#[cfg(feature = "price")]
pub type Share = fixed::types::U0F32;

/// The prices of a unit of time on one processing element, as best effort and reserved.
///
/// ```
/// use bookahead::{Money, PeCount, Span, Tariff};
/// // Five cents for a minute of best effort; a dollar for a reserved slot, which lasts five minutes.
/// let tariff = Tariff::of_rates(Money::new(50_000), Money::new(1_000_000));
/// // An hour on one processing element: $12.00 reserved, $3.00 otherwise.
/// assert_eq!(tariff.reserved(Span::new(12), PeCount::new(1)), Ok(Money::new(12_000_000)));
/// assert_eq!(tariff.best_effort(60, PeCount::new(1)), Ok(Money::new(3_000_000)));
/// ```
///
/// Source: `sulistio`, section 2.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Tariff {
    base: Money,
    slot_rate: Money,
}

impl Tariff {
    /// The tariff under which everything is free of charge.
    pub const FREE: Self = Self {
        base: Money::ZERO,
        slot_rate: Money::ZERO,
    };

    /// Creates a tariff with `base` for a unit of best-effort time and `slot_rate` for a reserved slot, each on one processing element.
    #[must_use]
    pub const fn of_rates(base: Money, slot_rate: Money) -> Self {
        Self { base, slot_rate }
    }

    /// Creates a tariff with `base` for a unit of best-effort time, `factor` times as much for reserved time, and `slot_units` units of time
    /// in a slot. The rate of a slot, `factor * base * slot_units`, is rounded here and nowhere else: to the nearest micro-unit, halves up.
    /// `None` for a factor below 1, or when the rate exceeds [`Money`]. Requires the cargo feature `price`.
    ///
    /// ```
    /// use bookahead::{Factor, Money, Tariff};
    /// // Five cents for a minute, four times as much reserved, slots of five minutes.
    /// let tariff = Tariff::new(Money::new(50_000), Factor::from_num(4), 5).unwrap();
    /// assert_eq!(tariff.slot_rate(), Money::new(1_000_000));
    /// ```
    #[cfg(feature = "price")]
    #[must_use]
    pub fn new(base: Money, factor: Factor, slot_units: u32) -> Option<Self> {
        if factor < Factor::ONE {
            return None;
        }
        let unreserved = u128::from(base.0).checked_mul(u128::from(slot_units))?;
        let rate = fixed::types::U96F32::from(factor)
            .checked_mul_int(unreserved)?
            .checked_round()?
            .checked_to_num()?;
        Some(Self {
            base,
            slot_rate: Money(rate),
        })
    }

    /// Returns the price of one reserved slot on one processing element.
    #[must_use]
    pub const fn slot_rate(&self) -> Money {
        self.slot_rate
    }

    /// Returns the price of reserving `pes` processing elements for `slots` slots. O(1).
    ///
    /// # Errors
    ///
    /// [`Refusal::PriceOverflow`] when the price exceeds [`Money`].
    ///
    /// Source: `sulistio`, equation 3.
    pub fn reserved(&self, slots: Span, pes: PeCount) -> Result<Money, Error> {
        self.slot_rate.times(u64::from(slots.get()), pes)
    }

    /// Returns the price of using `pes` processing elements for `units` units of time as best effort. O(1).
    ///
    /// # Errors
    ///
    /// [`Refusal::PriceOverflow`] when the price exceeds [`Money`].
    ///
    /// Source: `sulistio`, equation 2.
    pub fn best_effort(&self, units: u64, pes: PeCount) -> Result<Money, Error> {
        self.base.times(units, pes)
    }

    /// Returns the price of what `request` asks for, less `discount`. With the request of a reservation, it is the revenue of that
    /// reservation. The discount is rounded down to whole micro-units, and nothing else is rounded: so the price is at least the exact
    /// one, and less than a micro-unit above it. O(1).
    ///
    /// See [`Discount::new`] for an example.
    ///
    /// # Errors
    ///
    /// [`Refusal::PriceOverflow`] when the price without the discount exceeds [`Money`]; [`Refusal::WindowTooShort`].
    ///
    /// Source: `netto`, sections 2.1 and 2.2, which ask for it and leave the function open.
    pub fn discounted(&self, request: &Request, discount: &Discount) -> Result<Money, Error> {
        let full = self.reserved(request.duration, request.pes)?;
        let slot = self.slot_rate.times(1, request.pes)?;
        let slack = request.slack().ok_or(Refusal::WindowTooShort)?;
        // What is taken off, as a number of slots: the duration cancels out in what is earned.
        let earned = u64::from(discount.per_duration).saturating_mul(slack);
        let most = u64::from(discount.most).saturating_mul(request.duration.get().into());
        let off = u128::from(slot.0).wrapping_mul(earned.min(most).into()) >> u32::BITS;
        // Less than the whole price, since the most is less than the whole.
        Ok(Money(full.0.saturating_sub(off as u64)))
    }
}

/// A discount that grows with the flexibility of a request.
///
/// The flexibility is the [slack](Request::slack) divided by the duration; the discount is proportional to it, up to a limit. A request
/// whose start is fixed has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Discount {
    /// The discount for a slack as long as the duration, in proportion for other slacks, in 2^-32 of the price.
    pub per_duration: u32,
    /// The greatest discount, in 2^-32 of the price.
    pub most: u32,
}

impl Discount {
    /// No discount.
    pub const NONE: Self = Self {
        per_duration: 0,
        most: 0,
    };

    /// Creates a discount from shares of the price. Requires the cargo feature `price`.
    ///
    /// ```
    /// use bookahead::{Discount, Money, PeCount, Request, Share, Slot, Span, Tariff};
    /// let tariff = Tariff::of_rates(Money::ZERO, Money::new(1_000));
    /// // An eighth off for each duration that the start can be put off, up to half the price.
    /// let discount = Discount::new(Share::from_num(0.125), Share::from_num(0.5));
    /// let price = |deadline| {
    ///     let (ready, duration) = (Slot::new(0), Span::new(10));
    ///     let request = Request { ready, duration, deadline: Slot::new(deadline), pes: PeCount::new(4) };
    ///     tariff.discounted(&request, &discount).map(Money::get)
    /// };
    /// assert_eq!([price(10), price(20), price(30)], [Ok(40_000), Ok(35_000), Ok(30_000)]);
    /// assert_eq!(price(1_000), Ok(20_000));
    /// ```
    #[cfg(feature = "price")]
    #[must_use]
    pub const fn new(per_duration: Share, most: Share) -> Self {
        Self {
            per_duration: per_duration.to_bits(),
            most: most.to_bits(),
        }
    }
}

/// What a request costs, and what its owner is willing to pay.
///
/// ```
/// use bookahead::{Discount, Money, PeCount, PriceTerms, Refusal, Request, Slot, Span, Tariff};
/// let request = Request {
///     ready: Slot::new(0), duration: Span::new(10), deadline: Slot::new(20), pes: PeCount::new(4),
/// };
/// let terms = |budget| PriceTerms {
///     tariff: Tariff::of_rates(Money::ZERO, Money::new(1_000)),
///     discount: Discount::NONE,
///     budget: Money::new(budget),
/// };
/// assert_eq!(terms(40_000).price(&request), Ok(Money::new(40_000)));
/// assert_eq!(terms(39_999).price(&request), Err(Refusal::OverBudget.into()));
/// ```
///
/// Source: `netto`, section 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PriceTerms {
    /// The tariff that sets the price.
    pub tariff: Tariff,
    /// The discount on it.
    pub discount: Discount,
    /// The most that the owner of the request pays; [`Money::MAX`] is no limit.
    pub budget: Money,
}

impl PriceTerms {
    /// Everything is free of charge.
    pub const FREE: Self = Self {
        tariff: Tariff::FREE,
        discount: Discount::NONE,
        budget: Money::ZERO,
    };

    /// Returns the price of what `request` asks for, if it is within the budget. It does not depend on the start. O(1).
    ///
    /// # Errors
    ///
    /// As [`Tariff::discounted`]; [`Refusal::OverBudget`].
    pub fn price(&self, request: &Request) -> Result<Money, Error> {
        let price = self.tariff.discounted(request, &self.discount)?;
        if price > self.budget {
            return Err(Refusal::OverBudget.into());
        }
        Ok(price)
    }
}

#[cfg(test)]
mod tests {
    use super::{Discount, Money, PriceTerms, Tariff};
    #[cfg(feature = "price")]
    use super::{Factor, Share};
    use crate::{
        error::{Error, Refusal},
        pe::PeCount,
        request::Request,
        time::{Slot, Span},
    };

    #[cfg(feature = "price")]
    #[test]
    fn a_rate_is_rounded_once_and_to_the_nearest() {
        let rate = |base, bits, units| {
            let tariff = Tariff::new(Money::new(base), Factor::from_bits(bits), units)?;
            Some(tariff.slot_rate().get())
        };
        let one = 1_u64 << 32;
        assert_eq!(rate(1, one + one / 2, 1), Some(2), "a half goes up");
        assert_eq!(rate(1, one + one / 2 - 1, 1), Some(1));
        // 1.5 micro-units a minute are 3 for two: the product is rounded, not its parts.
        assert_eq!(rate(1, one + one / 2, 2), Some(3));
        assert_eq!(rate(1, one - 1, 1), None, "reserved is never cheaper");
        assert_eq!(rate(u64::MAX, one, 1), Some(u64::MAX));
        assert_eq!(rate(u64::MAX, one, 2), None);
        assert_eq!(rate(u64::MAX, u64::MAX, u32::MAX), None);
    }

    #[test]
    fn prices_that_cannot_be_said_are_refused() {
        let dearest = Money::new(u64::MAX);
        let tariff = Tariff {
            base: dearest,
            slot_rate: dearest,
        };
        let (one, two) = (PeCount::new(1), PeCount::new(2));
        assert_eq!(tariff.reserved(Span::new(1), one), Ok(Money::new(u64::MAX)));
        let refused = Err(Refusal::PriceOverflow.into());
        assert_eq!(tariff.reserved(Span::new(2), one), refused);
        assert_eq!(tariff.best_effort(1, two), refused);
        assert_eq!(
            Tariff::FREE.reserved(Span::new(u32::MAX), two),
            Ok(Money::ZERO)
        );
    }

    fn request(duration: u32, deadline: u64, pes: u16) -> Request {
        Request {
            ready: Slot::new(0),
            duration: Span::new(duration),
            deadline: Slot::new(deadline),
            pes: PeCount::new(pes.into()),
        }
    }

    #[cfg(feature = "price")]
    #[test]
    fn a_discount_is_rounded_down_and_capped() {
        let price = |rate, request: Request, per, most| {
            let tariff = Tariff::of_rates(Money::ZERO, Money::new(rate));
            let discount = Discount::new(Share::from_bits(per), Share::from_bits(most));
            tariff.discounted(&request, &discount).map(Money::get)
        };
        let (half, most) = (1 << 31, u32::MAX);
        assert_eq!(price(10, request(4, 4, 2), half, most), Ok(80), "no slack");
        assert_eq!(price(10, request(4, 8, 2), half, most), Ok(40));
        // A slack of a third of the duration: a sixth off 150.
        assert_eq!(price(50, request(3, 4, 1), half, most), Ok(125));
        assert_eq!(
            price(1, request(3, 4, 1), half, most),
            Ok(3),
            "two and a half go up"
        );
        assert_eq!(price(10, request(4, 99, 2), half, half), Ok(40), "the cap");
        assert_eq!(
            price(1, request(1, u64::MAX, 1), most, most),
            Ok(1),
            "never free"
        );
        let dear = u64::MAX / 2;
        assert_eq!(price(dear, request(2, 4, 1), half, most), Ok(dear));
        let refused = |refusal: Refusal| Err(Error::from(refusal));
        assert_eq!(
            price(u64::MAX, request(2, 4, 1), half, most),
            refused(Refusal::PriceOverflow)
        );
        assert_eq!(
            price(1, request(5, 4, 1), half, most),
            refused(Refusal::WindowTooShort)
        );
    }

    #[test]
    fn a_budget_is_the_most_that_is_paid() {
        let terms = |budget| PriceTerms {
            tariff: Tariff::of_rates(Money::ZERO, Money::new(5)),
            discount: Discount::NONE,
            budget: Money::new(budget),
        };
        let asked = request(3, 9, 2);
        assert_eq!(terms(30).price(&asked), Ok(Money::new(30)));
        assert_eq!(terms(29).price(&asked), Err(Refusal::OverBudget.into()));
        assert_eq!(PriceTerms::FREE.price(&asked), Ok(Money::ZERO));
    }
}
