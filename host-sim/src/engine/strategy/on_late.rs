//! What is done when a reservation on top of others cannot start on time.

use std::{fmt, str::FromStr};

use bookahead::{Factor, Money};

/// What is done when a reservation on top of others cannot start on time, since those below it have not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLate {
    /// It starts as soon as it can, for the rest of its time.
    Wait,
    /// The same; its user pays nothing, and is paid so many times its price.
    Compensate(Factor),
    /// It is given up, and its user pays nothing.
    Cancel,
}

impl OnLate {
    /// What its user is paid for a late start, rounded up to the smallest amount.
    pub(in crate::engine) fn compensation(self, price: Money) -> Money {
        let Self::Compensate(factor) = self else {
            return Money::ZERO;
        };
        let scaled = u128::from(price.get()) * u128::from(factor.to_bits());
        let whole = scaled.div_ceil(1 << Factor::FRAC_NBITS);
        Money::new(u64::try_from(whole).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for OnLate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wait => f.write_str("wait"),
            Self::Compensate(factor) => write!(f, "compensate:{factor}"),
            Self::Cancel => f.write_str("cancel"),
        }
    }
}

impl FromStr for OnLate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let factor = text.strip_prefix("compensate:").map(str::parse);
        match (text, factor) {
            ("wait", _) => Ok(Self::Wait),
            ("cancel", _) => Ok(Self::Cancel),
            ("compensate", _) => Ok(Self::Compensate(Factor::ONE)),
            (_, Some(Ok(factor))) => Ok(Self::Compensate(factor)),
            _ => Err("expected wait, cancel, or compensate:X with a number X of 0 or more"),
        }
    }
}
