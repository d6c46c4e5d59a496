//! Probabilities as fixed-point numbers.

use fixed::types::U1F31;

/// A probability, from 0 to 1 in steps of 2^-31.
///
/// Operations whose result lies between two steps say in their names how they round.
///
/// ```
/// use bookahead::Probability;
/// let third = Probability::rounding_down(1, 3).unwrap();
/// assert!(third < Probability::rounding_up(1, 3).unwrap());
/// assert_eq!(Probability::ONE.times_rounding_down(third), third);
/// assert_eq!(third.complement().complement(), third);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Memory of a C program can be lent as a table of them.
#[repr(transparent)]
pub struct Probability(U1F31);

impl Probability {
    /// The probability of what never happens.
    pub const ZERO: Self = Self(U1F31::ZERO);

    /// The probability of what always happens.
    pub const ONE: Self = Self(U1F31::ONE);

    /// Returns the greatest probability not above `part / whole`; `None` when `part` is greater than `whole`, or
    /// `whole` is 0.
    #[must_use]
    pub fn rounding_down(part: u32, whole: u32) -> Option<Self> {
        Self::ratio(part, whole, 0)
    }

    /// Returns the least probability not below `part / whole`; `None` when `part` is greater than `whole`, or `whole`
    /// is 0.
    #[must_use]
    pub fn rounding_up(part: u32, whole: u32) -> Option<Self> {
        Self::ratio(part, whole, whole.saturating_sub(1))
    }

    /// Returns `(part * 2^31 + more) / whole`, rounded down.
    fn ratio(part: u32, whole: u32, more: u32) -> Option<Self> {
        if part > whole {
            return None;
        }
        let scaled = (u64::from(part) << U1F31::FRAC_NBITS).saturating_add(more.into());
        Some(Self::clamped(scaled.checked_div(whole.into())?))
    }

    /// Returns the probability of `number` if that is at most 1.
    ///
    /// ```
    /// use bookahead::Probability;
    /// let likely = Probability::new(fixed::types::U1F31::from_num(0.75)).unwrap();
    /// assert_eq!(Some(likely), Probability::rounding_down(3, 4));
    /// ```
    #[must_use]
    pub fn new(number: U1F31) -> Option<Self> {
        (number <= U1F31::ONE).then_some(Self(number))
    }

    /// Returns the fixed-point number.
    #[must_use]
    pub const fn get(self) -> U1F31 {
        self.0
    }

    /// Returns the probability of the opposite, which is exact.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(U1F31::ONE.saturating_sub(self.0))
    }

    /// Returns the product, rounded down.
    #[must_use]
    pub fn times_rounding_down(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    /// Returns the product, rounded up.
    #[must_use]
    pub fn times_rounding_up(self, other: Self) -> Self {
        let product = u64::from(self.bits()).wrapping_mul(other.bits().into());
        let up = product.saturating_add((1 << U1F31::FRAC_NBITS) - 1);
        Self::clamped(up >> U1F31::FRAC_NBITS)
    }

    /// Returns the average of `yes` and `no` with this probability as the weight of `yes`, rounded down. It never
    /// shrinks when any of the three grows, as long as `yes` is at least `no`: so lower bounds give a lower bound.
    pub(crate) fn mix(self, yes: Self, no: Self) -> Self {
        let gain = yes.minus(no).times_rounding_down(self);
        no.plus(gain)
    }

    /// Returns the sum, at most 1.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(U1F31::ONE))
    }

    /// Returns the difference, at least 0.
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Returns the number of steps of 2^-31.
    pub(crate) const fn bits(self) -> u32 {
        self.0.to_bits()
    }

    /// Returns the probability of so many steps of 2^-31, at most 1.
    pub(crate) fn clamped(steps: u64) -> Self {
        Self(U1F31::from_bits(
            steps.min(U1F31::ONE.to_bits().into()) as u32
        ))
    }
}
