//! What a quantity can be, and the interval that is drawn around its mean.

use super::Estimate;

/// Between which values a quantity lies by what it is, whatever was measured; infinite where nothing bounds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self::NONE
    }
}

impl Limits {
    /// A difference, or what nothing is known of.
    pub(crate) const NONE: Self = Self::new(f64::NEG_INFINITY, f64::INFINITY);
    /// A share of one.
    pub(crate) const SHARE: Self = Self::new(0.0, 1.0);
    /// A share in percent.
    pub(crate) const PERCENT: Self = Self::new(0.0, 100.0);
    /// A count, a time, an amount of money.
    pub(crate) const AMOUNT: Self = Self::new(0.0, f64::INFINITY);
    /// How many times longer something takes than at best.
    pub(crate) const FACTOR: Self = Self::new(1.0, f64::INFINITY);
    /// By how much something falls, in percent of itself; it may rise without bounds.
    pub(crate) const FALL_IN_PERCENT: Self = Self::new(f64::NEG_INFINITY, 100.0);

    pub(crate) const fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }

    /// What either of two quantities can be.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self::new(self.least.min(other.least), self.most.max(other.most))
    }

    fn is_share(self) -> bool {
        self.least.is_finite() && self.most.is_finite()
    }
}

impl Estimate {
    /// The ends of the 95 % interval that is drawn; nothing where it is not known.
    ///
    /// Of a share it is Student's interval of the logit of the mean, whose standard error is that of the mean by its slope (delta method):
    /// it ends inside the limits, however few the samples. A mean at a limit has none: all samples are equal there, and that they are tells
    /// nothing of how near others would be. With one limit it is Student's interval cut off at the limit: the transformed one, of the
    /// logarithm, would grow beyond all measure on the other side where samples are few. Without limits, and where the mean lies
    /// outside of them, it is Student's.
    pub(crate) fn bounds(self, limits: Limits) -> Option<[f64; 2]> {
        let half = self.ci95()?;
        let Limits { least, most } = limits;
        if self.mean < least || self.mean > most {
            return Some([self.low(), self.high()]);
        }
        if !limits.is_share() {
            return Some([self.low().max(least), self.high().min(most)]);
        }
        let share = (self.mean - least) / (most - least);
        let slope = share * (1.0 - share);
        if slope == 0.0 {
            return None;
        }
        // No spread is no error, and what is transformed and back may be another number.
        if half == 0.0 {
            return Some([self.mean; 2]);
        }
        let middle = (share / (1.0 - share)).ln();
        let half = half / (most - least) / slope;
        let back = |logit: f64| least + (most - least) / (1.0 + (-logit).exp());
        Some([back(middle - half), back(middle + half)])
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use crate::statistics::Estimate;

    fn close(found: Option<[f64; 2]>, expected: [f64; 2]) {
        let found = found.unwrap();
        let near = |at: usize| (found[at] - expected[at]).abs() < 1e-6;
        assert!(near(0) && near(1), "{found:?} instead of {expected:?}");
    }

    #[test]
    fn a_share_is_drawn_inside_its_limits_by_its_logit() {
        // Mean 0.75 and standard error 0.05, so that the logit ln 3 has 0.05 / (0.75 x 0.25); Student's quantile is 12.7062.
        let shares = Estimate::of(&[0.7, 0.8]);
        let half: f64 = 12.706_204_736 * 0.05 / 0.1875;
        let end = |sign: f64| 1.0 / (1.0 + (-(3f64.ln() + sign * half)).exp());
        let expected = [end(-1.0), end(1.0)];
        assert!(shares.high() > 1.0 && expected[0] > 0.0 && expected[1] < 1.0);
        close(shares.bounds(Limits::SHARE), expected);
        let percent = Estimate::of(&[70.0, 80.0]).bounds(Limits::PERCENT);
        close(percent, expected.map(|share| 100.0 * share));
    }

    #[test]
    fn a_share_at_a_limit_has_no_interval_and_one_without_spread_has_a_point() {
        for at in [0.0, 1.0] {
            assert_eq!(Estimate::of(&[at; 3]).bounds(Limits::SHARE), None);
        }
        let equal = Estimate::of(&[0.4; 3]).bounds(Limits::SHARE);
        close(equal, [0.4, 0.4]);
        assert_eq!(Estimate::of(&[0.4]).bounds(Limits::SHARE), None);
        assert_eq!(Estimate::of(&[]).bounds(Limits::SHARE), None);
    }

    #[test]
    fn an_amount_is_cut_off_at_nothing_and_a_difference_is_symmetric() {
        let few = Estimate::of(&[1.0, 3.0]);
        assert!(few.low() < 0.0);
        close(few.bounds(Limits::AMOUNT), [0.0, few.high()]);
        close(few.bounds(Limits::FACTOR), [1.0, few.high()]);
        close(few.bounds(Limits::NONE), [few.low(), few.high()]);
        let fall = Estimate::of(&[90.0, 98.0]).bounds(Limits::FALL_IN_PERCENT);
        assert_eq!(fall.unwrap()[1], 100.0);
        // What breaks its limits is not bounded by them.
        let below = Estimate::of(&[-1.0, -3.0]);
        close(below.bounds(Limits::AMOUNT), [below.low(), below.high()]);
    }
}
