//! The exponential law. This module is the only one of the kernel that computes with floats. It does so with `libm`, in
//! software, so that the results are the same bits on every machine.
#![expect(
    clippy::float_arithmetic,
    reason = "an exponential function has no exact value"
)]

use crate::{risk::probability::Probability, time::Span};

/// Steps of a probability in 1.
const STEPS: f64 = (1_u32 << 31) as f64;

/// More steps than a computed probability can be off: the argument has a relative error below 4 * 2^-53, which moves the
/// result by less than 2^-52; `libm` adds less than a unit of the last place, 2^-53; the sum with this margin less than
/// 2^-53. Together less than 2^-51, and this is 2^-50.
const MARGIN: f64 = 1.0 / (1_u32 << 19) as f64;

/// Run times that follow an exponential law: how long a job has run already says nothing about how long it goes on.
///
/// ```
/// use bookahead::{Exponential, Probability, Run, RunTimeLaw, PeCount, Slot, Span, Window};
/// // Eight jobs ran for 80 slots in all: a mean of ten slots.
/// let law = RunTimeLaw::Exponential(Exponential::new(8, 80).unwrap());
/// let window = Window { start: Slot::new(0), end: Slot::new(40) };
/// let run = Run { pes: PeCount::new(1), window, ran: Span::ZERO, law };
/// let finished = run.finished_by(Slot::new(10)).get().to_num::<f64>(); // 1 - 1/e
/// assert!((0.632_120_55..0.632_120_56).contains(&finished));
/// ```
///
/// Source: `xiao`, section 4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponential {
    jobs: u32,
    slots: u64,
}

impl Exponential {
    /// Creates the law whose mean is `slots / jobs`: with what has been observed, the most likely one; with one job, the
    /// one of that mean. `None` when either is 0.
    #[must_use]
    pub const fn new(jobs: u32, slots: u64) -> Option<Self> {
        if jobs == 0 || slots == 0 {
            return None;
        }
        Some(Self { jobs, slots })
    }

    /// Returns the probability that a run takes at most `span`, rounded down by at most 2^-30.
    pub(super) fn at_most(self, span: Span) -> Probability {
        // Rounds towards zero, so one step more is above the number.
        let longer = (self.steps_longer(span) + MARGIN) as u64;
        Probability::clamped(longer.saturating_add(1)).complement()
    }

    /// Returns the probability that a run takes longer than `span`, rounded down by at most 2^-30.
    pub(super) fn longer_than(self, span: Span) -> Probability {
        // A negative number becomes zero.
        Probability::clamped((self.steps_longer(span) - MARGIN) as u64)
    }

    /// Returns the probability that a run takes longer than `span`, in steps.
    fn steps_longer(self, span: Span) -> f64 {
        let exponent = f64::from(span.get()) * f64::from(self.jobs) / self.slots as f64;
        libm::exp(-exponent) * STEPS
    }
}
