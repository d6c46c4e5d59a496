//! What an overlay earns, and what a violation costs.

use crate::{price::Money, risk::probability::Probability};

/// What is at stake when an overlay is accepted.
///
/// ```
/// use bookahead::{Money, Probability, Stakes};
/// let stakes = Stakes { price: Money::new(100), compensation: Money::new(300) };
/// assert_eq!(stakes.break_even(), Probability::rounding_up(3, 4).unwrap());
/// let expected = |part| stakes.expected_profit(Probability::rounding_down(part, 100).unwrap());
/// assert_eq!([expected(100), expected(75), expected(50)], [100, 0, -100]);
/// ```
///
/// Source: `xiao`, section 4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// What the user pays when the promise is kept.
    pub price: Money,
    /// What the user is paid when it is violated.
    pub compensation: Money,
}

impl Stakes {
    /// Returns the expected profit in micro-units when the promise is kept with probability `kept`, rounded down. O(1).
    ///
    /// Source: `xiao`, equation 5.
    #[must_use]
    pub fn expected_profit(&self, kept: Probability) -> i128 {
        // Less than 2^65 times at most 2^31.
        let earned = self.both().wrapping_mul(kept.bits().into()) >> 31;
        (earned as i128).saturating_sub(self.compensation.get().into())
    }

    /// Returns the probability from which on the expected profit is not negative, rounded up. It is 0 without a
    /// compensation. O(1).
    ///
    /// Source: `xiao`, figure 3.
    #[must_use]
    pub fn break_even(&self) -> Probability {
        let both = self.both();
        let scaled = u128::from(self.compensation.get()) << 31;
        let up = scaled.saturating_add(both.saturating_sub(1));
        Probability::clamped(up.checked_div(both).unwrap_or(0) as u64)
    }

    /// Returns the price and the compensation together.
    fn both(&self) -> u128 {
        u128::from(self.price.get()).saturating_add(self.compensation.get().into())
    }
}
