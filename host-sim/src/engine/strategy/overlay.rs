//! Where there is no room, a reservation lies on top of others that will probably end early.

use std::{fmt, str::FromStr};

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Guarantee, Handle, Money, Overlap, OverlayPlan,
    Overlaying, PeCount, Policy, Probability, Refusal, Request, Reservation, Run, Slot, Span,
    Steering, Threshold, Window, raw::OverlayRing,
};

use super::{
    admission::{Admission, Ask, EndedJob, Proposal, propose, reserve},
    on_late::OnLate,
    users::{Learnt, Users},
};
use crate::{
    engine::outcome::{Overlaid, in_bits},
    saved::{Saved, Saving, put, take},
};

/// How reservations are laid on top of others.
///
/// Source: `xiao`, section 4.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Which start is taken where there is room.
    pub policy: Policy,
    /// How probable it has to be that the promise is kept.
    pub threshold: RiskLimit,
    /// What is learnt from jobs that are over.
    pub history: Learnt,
    /// What is done when one cannot start on time.
    pub on_late: OnLate,
}

impl Default for Overlay {
    /// First fit, and four in five.
    fn default() -> Self {
        Self {
            policy: Policy::FirstFit,
            threshold: RiskLimit::Fixed(WHOLE / 5 * 4),
            history: Learnt::UsedShares,
            on_late: OnLate::Wait,
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
/// jobs included: of each user apart, and of all whose user is not known together.
pub(in crate::engine) struct Overlayer {
    policy: Policy,
    threshold: Threshold,
    users: Users,
    /// What the kernel borrows: an entry for each processing element.
    table: Vec<Probability>,
    last: Option<Overlaid>,
}

/// The most reservations that are booked in one slot: more are never looked through.
const PREDECESSORS: usize = 256;

/// What a threshold is now.
#[derive(serde::Serialize, serde::Deserialize)]
struct Known(#[serde(with = "in_bits")] Probability);

impl Overlayer {
    pub(in crate::engine) fn new(overlay: Overlay, pes: u16, slot_seconds: u32) -> Self {
        Self {
            policy: overlay.policy,
            threshold: overlay.threshold.threshold(),
            users: Users::new(overlay.history, slot_seconds),
            table: vec![Probability::ZERO; pes.into()],
            last: None,
        }
    }

    /// Where it is kept probably enough on top of others, for as long as possible. A shorter length need not be kept more probably, since its
    /// candidate starts are others, so that each is tried.
    fn plan(&mut self, book: &Book<'_, OverlayRing<'_>>, ask: &Ask) -> Result<OverlayPlan, Denied> {
        let Some(lengths) = ask.lengths() else {
            return self.plan_one(book, &ask.request, ask.user);
        };
        let each = (lengths.shortest.get()..=lengths.longest.get()).rev();
        let mut plan = Err(Refusal::TooRisky.into());
        for length in each {
            let request = lengths.rigid(Span::new(length));
            plan = self.plan_one(book, &request, ask.user);
            if plan.is_ok() {
                break;
            }
        }
        plan
    }

    /// Where it is kept most probably on top of others.
    fn plan_one(
        &mut self,
        book: &Book<'_, OverlayRing<'_>>,
        request: &Request,
        user: Option<u64>,
    ) -> Result<OverlayPlan, Denied> {
        let laws = self.users.laws(user);
        let overlaying = Overlaying {
            guarantee: Guarantee::Access,
            threshold: self.threshold.get(),
            law: laws.newcomer(),
        };
        let mut predecessors = heapless::Vec::<Run<'_>, PREDECESSORS>::new();
        let table = &mut self.table;
        let law = |handle, _: &Reservation| laws.of(handle);
        book.plan_overlay(request, &overlaying, law, &mut predecessors, table)
    }

    /// How probable it is that it cannot start on time in this window.
    fn late(&mut self, book: &Book<'_, OverlayRing<'_>>, window: Window, ask: &Ask) -> Probability {
        let pes = ask.request.pes;
        let laws = self.users.laws(ask.user);
        let run = |law, pes, window, ran| Run {
            pes,
            window,
            ran,
            law,
        };
        let now = book.now();
        let there = || {
            book.iter()
                .filter(|(_, one)| covers(one.window, window.start))
        };
        let taken: u32 = there().map(|(_, one)| one.request.pes.get()).sum();
        let firm = there().filter(|(handle, _)| book.overlaid(*handle) == Ok(PeCount::new(0)));
        let predecessors: Vec<Run<'_>> = firm
            .map(|(handle, one)| {
                run(
                    laws.of(handle),
                    one.request.pes,
                    one.window,
                    now.since(one.window.start).unwrap_or_default(),
                )
            })
            .collect();
        let overlap = Overlap {
            newcomer: run(laws.newcomer(), pes, window, Span::ZERO),
            free: book.pes().get() as i32 - taken as i32,
            predecessors: &predecessors,
        };
        overlap
            .late_start(&mut self.table)
            .unwrap_or(Probability::ZERO)
    }
}

fn covers(window: Window, slot: Slot) -> bool {
    window.start <= slot && slot < window.end
}

impl<'a> Admission<OverlayRing<'a>> for Overlayer {
    fn propose(
        &mut self,
        book: &mut Book<'_, OverlayRing<'a>>,
        ask: &Ask,
        firm: bool,
    ) -> Result<Proposal, Denied> {
        let plain = propose(book, ask, self.policy);
        if firm || plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let plan = self.plan(book, ask)?;
        let window = plan.plan().window();
        Ok(Proposal {
            kept: plan.probability(),
            late: self.late(book, window, ask),
            start: window.start,
            length: window.len().unwrap_or_default(),
            pes: ask.request.pes,
        })
    }

    fn admit(
        &mut self,
        book: &mut Book<'_, OverlayRing<'a>>,
        ask: &Ask,
    ) -> Result<Booking, Denied> {
        self.last = None;
        let plain = reserve(book, ask, self.policy);
        if plain != Err(Refusal::NoRoom.into()) {
            return plain;
        }
        let plan = self.plan(book, ask)?;
        // An overlay is pinned, so what may be flexible elsewhere is strict here.
        let commitment = match ask.commitment {
            Commitment::Flexible { .. } => Commitment::Confirmed,
            commitment => commitment,
        };
        let handle = book.commit_overlay(&plan, commitment)?;
        self.last = Some(Overlaid {
            pes: plan.overlaid().get() as u16,
            probability: plan.probability(),
            breach: None,
            compensation: Money::ZERO,
        });
        let start = plan.plan().window().start;
        Ok(Booking { handle, start })
    }

    fn overlaid(&self) -> Option<Overlaid> {
        self.last
    }

    fn belongs(&mut self, handle: Handle, user: Option<u64>) {
        self.users.own(handle, user);
    }

    fn learn(&mut self, ended: &EndedJob) {
        let breach = ended.overlay.and_then(|overlay| overlay.breach);
        // One that never ran and broke no promise was given up by its user.
        if ended.overlay.is_some() && (breach.is_some() || ended.ran.is_some()) {
            self.threshold.observe(breach.is_some());
        }
        // Of one that was stopped, or had less time, nobody knows how long it would have run.
        let ran = ended.ran.filter(|_| breach.is_none());
        self.users.learn(ended.handle, ended.booked, ran);
    }

    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        put(&Known(self.threshold.get()), to)?;
        self.users.save(to)
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        let Known(threshold) = take(from)?;
        self.threshold = match self.threshold {
            Threshold::Fixed(_) => Threshold::Fixed(threshold),
            Threshold::Adaptive { steering, .. } => Threshold::adaptive(threshold, steering),
        };
        self.users.restore(from)
    }
}
