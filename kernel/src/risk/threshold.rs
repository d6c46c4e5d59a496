//! The least probability with which an overlay is accepted.

use crate::risk::probability::Probability;

/// The least probability of no violation, p* of `xiao`, with which an overlay is accepted.
///
/// ```
/// use bookahead::{Probability, Steering, Threshold};
/// let percent = |part| Probability::rounding_up(part, 100).unwrap();
/// let fixed = Threshold::Fixed(percent(80));
/// assert!(fixed.accepts(percent(80)) && !fixed.accepts(percent(79)));
///
/// // Of a hundred overlays, five may be violated.
/// let steering = Steering { target: percent(5), step: percent(1), least: percent(50), most: percent(99) };
/// let mut adaptive = Threshold::adaptive(percent(80), steering);
/// adaptive.observe(true);
/// assert!(!adaptive.accepts(percent(80)));
/// ```
///
/// Source: `xiao`, section 4.1; that it adapts is the future work of section 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// Always the same.
    Fixed(Probability),
    /// Moved after each overlay, so that the share of violated ones tends to a target.
    Adaptive {
        /// The threshold now.
        now: Probability,
        /// How it moves.
        steering: Steering,
    },
}

/// How an adaptive threshold moves.
///
/// A violated overlay raises it by `step * (1 - target)`, one that was kept lowers it by `step * target`. These cancel out
/// when the share of violated ones is the target. Among n overlays during which the threshold stays off its bounds, the
/// share differs from the target by at most 1 / (n x step) and what is rounded, whatever the promised probabilities are
/// worth. If nothing is accepted, nothing is learnt: choose `most` so that some overlays still reach it.
///
/// Source: Gibbs, Candès, "Adaptive conformal inference under distribution shift" (2021), section 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steering {
    /// The wanted share of violated overlays.
    pub target: Probability,
    /// How fast it moves: greater adapts sooner, smaller varies less.
    pub step: Probability,
    /// The threshold is at least this.
    pub least: Probability,
    /// The threshold is at most this. It wins over `least`.
    pub most: Probability,
}

impl Threshold {
    /// Creates an adaptive threshold that begins at `start`, or at the nearest of its bounds.
    #[must_use]
    pub fn adaptive(start: Probability, steering: Steering) -> Self {
        let now = steering.bounded(start);
        Self::Adaptive { now, steering }
    }

    /// Returns the threshold now.
    #[must_use]
    pub const fn get(&self) -> Probability {
        match *self {
            Self::Fixed(threshold) => threshold,
            Self::Adaptive { now, .. } => now,
        }
    }

    /// Returns whether an overlay that is kept with probability `kept` is accepted.
    #[must_use]
    pub fn accepts(&self, kept: Probability) -> bool {
        kept >= self.get()
    }

    /// Learns that an accepted overlay is over, and whether it was violated. O(1).
    pub fn observe(&mut self, violated: bool) {
        let Self::Adaptive { now, steering } = self else {
            return;
        };
        let Steering { target, step, .. } = *steering;
        // Both rounded so that the threshold is rather too high.
        let moved = if violated {
            now.plus(step.times_rounding_up(target.complement()))
        } else {
            now.minus(step.times_rounding_down(target))
        };
        *now = steering.bounded(moved);
    }
}

impl Steering {
    /// Returns what lies between the bounds and next to `threshold`.
    fn bounded(&self, threshold: Probability) -> Probability {
        threshold.max(self.least).min(self.most)
    }
}
