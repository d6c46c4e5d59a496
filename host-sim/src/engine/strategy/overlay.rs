//! Where there is no room, a reservation lies on top of others that will probably end early.

use std::{fmt, str::FromStr};

use bookahead::{Policy, Probability, Steering, Threshold};

/// How reservations are laid on top of others.
///
/// Source: `xiao`, section 4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Which start is taken where there is room.
    pub policy: Policy,
    /// How probable it has to be that the promise is kept.
    pub threshold: RiskLimit,
}

impl Default for Overlay {
    /// First fit, and four in five.
    fn default() -> Self {
        Self {
            policy: Policy::FirstFit,
            threshold: RiskLimit::Fixed(WHOLE / 5 * 4),
        }
    }
}

/// The least probability with which a reservation is laid on top of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskLimit {
    /// Always the same, in millionths.
    Fixed(u32),
    /// Steered so that this share of what lies on top of others is violated, in millionths.
    Adaptive(u32),
}

/// Millionths in a whole.
const WHOLE: u32 = 1_000_000;

impl RiskLimit {
    /// The same for the kernel. One that adapts begins where the target is just met if probabilities are true, and moves by 0.02 between 0.5 and 0.99.
    pub(super) fn threshold(self) -> Threshold {
        let share = |part: u32| Probability::rounding_up(part.min(WHOLE), WHOLE).unwrap_or(Probability::ONE);
        match self {
            Self::Fixed(least) => Threshold::Fixed(share(least)),
            Self::Adaptive(target) => {
                let steering = Steering {
                    target: share(target),
                    step: share(WHOLE / 50),
                    least: share(WHOLE / 2),
                    most: share(WHOLE / 100 * 99),
                };
                Threshold::adaptive(share(WHOLE - target.min(WHOLE)), steering)
            }
        }
    }

    /// The least probability, where it is always the same.
    #[must_use]
    pub fn fixed(self) -> Option<f64> {
        match self {
            Self::Fixed(least) => Some(f64::from(least) / f64::from(WHOLE)),
            Self::Adaptive(_) => None,
        }
    }
}

impl fmt::Display for RiskLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u32| f64::from(part) / f64::from(WHOLE);
        match *self {
            Self::Fixed(least) => write!(f, "{}", share(least)),
            Self::Adaptive(target) => write!(f, "adaptive:{}", share(target)),
        }
    }
}

impl FromStr for RiskLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (adapts, number) = match text.strip_prefix("adaptive:") {
            Some(target) => (true, target),
            None => (false, text),
        };
        let share = number.parse().ok().filter(|share: &f64| (0.0..=1.0).contains(share));
        let share = share.ok_or("expected a probability such as 0.8, or adaptive:0.05")?;
        let millionths = (share * f64::from(WHOLE)).round() as u32;
        Ok(match adapts {
            true => Self::Adaptive(millionths),
            false => Self::Fixed(millionths),
        })
    }
}

/// Lays reservations on top of others.
pub(in crate::engine) struct Overlayer {
    overlay: Overlay,
    threshold: Threshold,
}

impl Overlayer {
    pub(in crate::engine) fn new(overlay: Overlay) -> Self {
        Self { overlay, threshold: overlay.threshold.threshold() }
    }
}
