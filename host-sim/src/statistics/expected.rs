//! What a difference should be, and what its interval says about that.

use super::Estimate;
pub(crate) use crate::files::Verdict;

impl Verdict {
    /// Holds when it is true, fails when it is not.
    pub(crate) const fn of(truth: bool) -> Self {
        Self::when(truth, !truth)
    }

    /// Open where it neither holds nor fails.
    pub(crate) const fn when(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (_, true) => Self::Fails,
            _ => Self::Undecidable,
        }
    }

    /// All together: fails when one fails, else undecidable when one is. Nothing to look at decides nothing.
    pub(crate) fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Undecidable)
    }
}

/// What a difference should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Expected {
    /// Greater by more than this: the whole interval lies above for `holds`, below for `fails`.
    Above(f64),
    /// Not greater than 0: the mean is not for `holds`, the whole interval is for `fails`.
    NotAbove,
    /// Greater than 0 as a trend: the mean is for `holds`, the whole interval is below for `fails`.
    Rising,
    /// At most this in size: the whole interval is for `holds`, lies outside for `fails`.
    Within(f64),
    /// More than this in size, the opposite of within.
    Outside(f64),
}

/// Differences of this size come from rounding.
const ROUNDING: f64 = 1e-12;

impl Expected {
    /// How far a difference is on the right side; negative on the wrong one.
    fn room(self, difference: f64) -> f64 {
        match self {
            Self::Above(limit) => difference - limit,
            Self::NotAbove => -difference,
            Self::Rising => difference,
            Self::Within(limit) => limit - difference.abs(),
            Self::Outside(limit) => difference.abs() - limit,
        }
    }

    /// What a difference with its interval says.
    pub(crate) fn verdict(self, difference: Estimate) -> Verdict {
        let room = self.room(difference.mean);
        let (least, most) = (room - difference.half, room + difference.half);
        match self {
            Self::Above(_) => Verdict::when(least > ROUNDING, most < -ROUNDING),
            Self::NotAbove => Verdict::when(room >= -ROUNDING, most < -ROUNDING),
            Self::Rising => Verdict::when(room > ROUNDING, most < -ROUNDING),
            Self::Within(_) => Verdict::when(least >= 0.0, most < 0.0),
            Self::Outside(_) => Verdict::when(least > 0.0, most <= 0.0),
        }
    }

    /// Whether one replication taken alone comes out so.
    pub(crate) fn alone(self, difference: f64) -> bool {
        let room = self.room(difference);
        room > 0.0 || (room == 0.0 && matches!(self, Self::NotAbove | Self::Within(_)))
    }

    /// How far on the right side the mean is, in half widths; the smaller, the weaker.
    pub(crate) fn margin(self, difference: Estimate) -> f64 {
        let room = self.room(difference.mean);
        if difference.half > 0.0 {
            room / difference.half
        } else {
            room * f64::MAX.sqrt()
        }
    }
}
