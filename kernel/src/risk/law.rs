//! How long runs take.

use crate::{
    pe::PeCount,
    risk::{exponential::Exponential, history::History, probability::Probability},
    time::{Slot, Span, Window},
};

/// The law that the run time of a job follows.
#[derive(Clone, Copy, Debug)]
pub enum RunTimeLaw<'a> {
    /// An exponential law.
    Exponential(Exponential),
    /// What has been observed.
    Empirical(&'a History<'a>),
}

/// A booked run and the law of its run time.
///
/// ```
/// use bookahead::{Exponential, PeCount, Probability, Run, RunTimeLaw, Slot, Span, Window};
/// let law = RunTimeLaw::Exponential(Exponential::new(1, 10).unwrap());
/// let window = Window { start: Slot::new(5), end: Slot::new(40) };
/// let run = Run { pes: PeCount::new(4), window, ran: Span::new(7), law };
/// assert_eq!(run.finished_by(Slot::new(12)), Probability::ZERO); // it still runs in slot 12
/// assert!(run.finished_by(Slot::new(20)) > Probability::rounding_up(1, 2).unwrap());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// How many processing elements it takes.
    pub pes: PeCount,
    /// When it runs at the longest. Its start is certain.
    pub window: Window,
    /// For how many slots it is known to run: those it has run already, and none before its start. The law is
    /// conditional on it. `xiao` (equation 6) leaves it out; 0 for a job that has been running promises too much.
    pub ran: Span,
    /// The law of its run time.
    pub law: RunTimeLaw<'a>,
}

impl Run<'_> {
    /// Returns the probability, rounded down, that the job finishes of its own accord before slot `at`. O(1) with an
    /// exponential law, O(bins) with an empirical one.
    #[must_use]
    pub fn finished_by(&self, at: Slot) -> Probability {
        let within = self.within(at);
        if within <= self.ran {
            return Probability::ZERO;
        }
        match self.law {
            RunTimeLaw::Exponential(law) => law.at_most(self.remaining(within)),
            RunTimeLaw::Empirical(law) => law.at_most(self.booked(), self.ran, within),
        }
    }

    /// Returns the probability, rounded down, that the job would still run in slot `at`. With
    /// [`finished_by`](Self::finished_by) it adds up to at most 1. O(1) or O(bins).
    #[must_use]
    pub fn unfinished_at(&self, at: Slot) -> Probability {
        let within = self.within(at);
        if within <= self.ran {
            return Probability::ONE;
        }
        match self.law {
            RunTimeLaw::Exponential(law) => law.longer_than(self.remaining(within)),
            RunTimeLaw::Empirical(law) => law.longer_than(self.booked(), self.ran, within),
        }
    }

    /// Returns whether it covers slot `at` if it does not finish early.
    pub(super) const fn covers(&self, at: Slot) -> bool {
        self.window.contains(at)
    }

    /// Returns the time from its start to slot `at`.
    fn within(&self, at: Slot) -> Span {
        let slots = at.get().saturating_sub(self.window.start.get());
        Span::new(u32::try_from(slots).unwrap_or(u32::MAX))
    }

    /// Returns what `within` is more than what it has run: an exponential law forgets the rest.
    const fn remaining(&self, within: Span) -> Span {
        Span::new(within.get().saturating_sub(self.ran.get()))
    }

    /// Returns the booked duration.
    fn booked(&self) -> Span {
        self.within(self.window.end)
    }
}
