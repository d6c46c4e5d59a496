//! Where there is no room, a reservation lies on top of others that will probably end early.

use std::{fmt, str::FromStr};

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Guarantee, History, OverlayPlan, Overlaying,
    Policy, Probability, Refusal, Request, Run, RunTimeLaw, Steering, Threshold, raw::OverlayRing,
};

use super::{Admission, Ask, Lesson, Proposal, propose, reserve};
use crate::engine::outcome::Overlaid;

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
        let share = |part: u32| {
            Probability::rounding_up(part.min(WHOLE), WHOLE).unwrap_or(Probability::ONE)
        };
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
        let share = number
            .parse()
            .ok()
            .filter(|share: &f64| (0.0..=1.0).contains(share));
        let share = share.ok_or("expected a probability such as 0.8, or adaptive:0.05")?;
        let millionths = (share * f64::from(WHOLE)).round() as u32;
        Ok(match adapts {
            true => Self::Adaptive(millionths),
            false => Self::Fixed(millionths),
        })
    }
}

/// Lays reservations on top of others. How long jobs run for what they book, it learns from those that are over at its site, best-effort
/// jobs included.
pub(in crate::engine) struct Overlayer {
    policy: Policy,
    threshold: Threshold,
    /// How often jobs ran for each percent of what they had booked.
    shares: [u32; 101],
    /// What the kernel borrows: an entry for each processing element.
    table: Vec<Probability>,
    last: Option<Overlaid>,
}

/// The most reservations that are booked in one slot: more are never looked through.
const PREDECESSORS: usize = 256;

impl Overlayer {
    pub(in crate::engine) fn new(overlay: Overlay, pes: u16) -> Self {
        Self {
            policy: overlay.policy,
            threshold: overlay.threshold.threshold(),
            shares: [0; 101],
            table: vec![Probability::ZERO; pes.into()],
            last: None,
        }
    }

    /// Where it is kept most probably on top of others.
    fn plan(
        &mut self,
        book: &Book<'_, OverlayRing<'_>>,
        request: &Request,
    ) -> Result<OverlayPlan, Denied> {
        let threshold = self.threshold.get();
        let history = History::of_used_shares(&mut self.shares).ok_or(Refusal::TooRisky)?;
        let law = RunTimeLaw::Empirical(&history);
        let overlaying = Overlaying {
            guarantee: Guarantee::Access,
            threshold,
            law,
        };
        let mut predecessors = heapless::Vec::<Run<'_>, PREDECESSORS>::new();
        let table = &mut self.table;
        book.plan_overlay(request, &overlaying, |_, _| law, &mut predecessors, table)
    }
}

impl<'a> Admission<OverlayRing<'a>> for Overlayer {
    fn propose(
        &mut self,
        book: &mut Book<'_, OverlayRing<'a>>,
        ask: &Ask,
    ) -> Result<Proposal, Denied> {
        let plain = propose(book, &ask.request, self.policy);
        if plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let plan = self.plan(book, &ask.request)?;
        Ok(Proposal {
            kept: plan.probability(),
            start: plan.plan().window().start,
        })
    }

    fn admit(
        &mut self,
        book: &mut Book<'_, OverlayRing<'a>>,
        ask: &Ask,
    ) -> Result<Booking, Denied> {
        self.last = None;
        let plain = reserve(book, &ask.request, self.policy, ask.commitment);
        if plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let plan = self.plan(book, &ask.request)?;
        let hold = match ask.commitment {
            Commitment::Held { ttl } => Some(ttl),
            Commitment::Confirmed | Commitment::Flexible { .. } => None,
        };
        let handle = book.commit_overlay(&plan, hold)?;
        self.last = Some(Overlaid {
            pes: plan.overlaid().get(),
            probability: plan.probability(),
            breach: None,
        });
        let start = plan.plan().window().start;
        Ok(Booking { handle, start })
    }

    fn overlaid(&self) -> Option<Overlaid> {
        self.last
    }

    fn learn(&mut self, lesson: &Lesson) {
        let breach = lesson.overlay.and_then(|overlay| overlay.breach);
        if lesson.overlay.is_some() {
            self.threshold.observe(breach.is_some());
        }
        // Of one that was stopped, or had less time, nobody knows how long it would have run.
        if let (None, Some(mut history)) = (breach, History::of_used_shares(&mut self.shares)) {
            history.record(lesson.booked, lesson.ran);
        }
    }
}
