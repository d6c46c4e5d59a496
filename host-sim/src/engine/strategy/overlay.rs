//! Where there is no room, a reservation lies on top of others that will probably end early.

use std::{collections::HashMap, fmt, str::FromStr};

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Guarantee, Handle, History, Overlap, OverlayPlan,
    Overlaying, PeCount, Policy, Probability, Refusal, Request, Reservation, Run, RunTimeLaw, Slot,
    Span, Steering, Threshold, Window, raw::OverlayRing,
};

use super::admission::{Admission, Ask, Lesson, Proposal, propose, reserve};
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
    /// What is learnt from jobs that are over.
    pub history: Learnt,
}

/// What a site learns from its jobs about how long others will run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learnt {
    /// Which share of their bookings they use.
    UsedShares,
    /// How long they run, whatever they book, as `xiao` proposes: service times of this many seconds fill a bin.
    ServiceTimes(u32),
}

impl Default for Overlay {
    /// First fit, and four in five.
    fn default() -> Self {
        Self {
            policy: Policy::FirstFit,
            threshold: RiskLimit::Fixed(WHOLE / 5 * 4),
            history: Learnt::UsedShares,
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

/// Counters of service times.
const SERVICE_TIMES: usize = 200;

/// The most reservations that are booked in one slot: more are never looked through.
const PREDECESSORS: usize = 256;

impl Overlayer {
    pub(in crate::engine) fn new(overlay: Overlay, pes: u16, slot_seconds: u32) -> Self {
        let bin = match overlay.history {
            Learnt::UsedShares => None,
            Learnt::ServiceTimes(seconds) => Some(Span::new(seconds.div_ceil(slot_seconds).max(1))),
        };
        Self {
            policy: overlay.policy,
            threshold: overlay.threshold.threshold(),
            users: Users::new(bin),
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
            law: laws.own(),
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
        let taken: u32 = there()
            .map(|(_, one)| u32::from(one.request.pes.get()))
            .sum();
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
            newcomer: run(laws.own(), pes, window, Span::ZERO),
            free: i32::from(book.pes().get()) - taken as i32,
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

/// What is known of the run times of each user's jobs.
struct Users {
    /// The bins of service times, where these are learnt.
    bin: Option<Span>,
    /// Where the counters of a user are.
    places: HashMap<Option<u64>, usize>,
    /// How often jobs ran for each percent of what they had booked, or for so many bins.
    runs: Vec<Vec<u32>>,
    /// Whose jobs are booked.
    owners: HashMap<Handle, usize>,
}

impl Users {
    fn new(bin: Option<Span>) -> Self {
        Self {
            bin,
            places: HashMap::new(),
            runs: Vec::new(),
            owners: HashMap::new(),
        }
    }

    fn place(&mut self, user: Option<u64>) -> usize {
        let runs = &mut self.runs;
        *self.places.entry(user).or_insert_with(|| {
            runs.push(vec![
                0;
                if self.bin.is_some() {
                    SERVICE_TIMES
                } else {
                    101
                }
            ]);
            runs.len() - 1
        })
    }

    /// The laws of all jobs that are booked, and of one that `user` asks for.
    fn laws(&mut self, user: Option<u64>) -> Laws<'_> {
        let own = self.place(user);
        let runs = self.runs.iter_mut();
        Laws {
            own,
            histories: runs.filter_map(|runs| history(self.bin, runs)).collect(),
            owners: &self.owners,
        }
    }
}

/// A histogram of run times for each user.
struct Laws<'a> {
    own: usize,
    histories: Vec<History<'a>>,
    owners: &'a HashMap<Handle, usize>,
}

impl Laws<'_> {
    fn own(&self) -> RunTimeLaw<'_> {
        RunTimeLaw::Empirical(&self.histories[self.own])
    }

    fn of(&self, handle: Handle) -> RunTimeLaw<'_> {
        RunTimeLaw::Empirical(&self.histories[self.owners[&handle]])
    }
}

fn history(bin: Option<Span>, runs: &mut [u32]) -> Option<History<'_>> {
    match bin {
        Some(bin) => History::of_service_times(bin, runs),
        None => History::of_used_shares(runs),
    }
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

    fn belongs(&mut self, handle: Handle, user: Option<u64>) {
        let place = self.users.place(user);
        self.users.owners.insert(handle, place);
    }

    fn learn(&mut self, lesson: &Lesson) {
        let breach = lesson.overlay.and_then(|overlay| overlay.breach);
        if lesson.overlay.is_some() {
            self.threshold.observe(breach.is_some());
        }
        let Users {
            bin, runs, owners, ..
        } = &mut self.users;
        let own = owners
            .remove(&lesson.handle)
            .and_then(|place| runs.get_mut(place));
        // Of one that was stopped, or had less time, nobody knows how long it would have run.
        if let (None, Some(runs)) = (breach, own)
            && let Some(mut history) = history(*bin, runs)
        {
            history.record(lesson.booked, lesson.ran);
        }
    }
}
