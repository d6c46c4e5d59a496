//! The price of running a job, in whole micro-units of a currency of the caller's choice.

use crate::{
    error::{Error, Refusal},
    pe::PeCount,
    time::Span,
};

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
}

#[cfg(test)]
mod tests {
    #[cfg(feature = "price")]
    use super::Factor;
    use super::{Money, Tariff};
    use crate::{error::Refusal, pe::PeCount, time::Span};

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
}
