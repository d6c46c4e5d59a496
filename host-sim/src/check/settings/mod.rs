//! What metrics.json says about the machine, how requests are decided, and what jobs cost. Rule 15.

mod possible;

use bookahead::{AfterFailure, Direction, Discipline, Policy};
use serde::Deserialize;

use super::findings::Findings;
use crate::{
    engine::{
        Binding, Cause, Elastic, Freeze, Juggle, Moving, OnLate, Overlay, Redundancy, RiskLimit,
        Shift, Strategy, User,
    },
    files::Job,
    layout::{Layout, Prefer},
    rule::Rule,
    several::{Principal, Resource},
};

/// The settings of a run.
#[derive(Clone, Deserialize)]
pub(super) struct Settings {
    version: Option<String>,
    workload: Option<String>,
    seed: Option<u64>,
    /// The values of a strategy were once those of the policy.
    strategy: Option<String>,
    policy: Option<String>,
    binding: Option<String>,
    pub(super) pes: u64,
    sites: Option<u64>,
    // Of copies at several of them.
    redundancy: Option<String>,
    // Of what lies on top of others.
    threshold: Option<String>,
    on_late: Option<String>,
    slots: Option<u64>,
    slot_seconds: u64,
    // Of an elastic strategy.
    search: Option<String>,
    offer_order: Option<String>,
    offers: Option<u64>,
    user: Option<String>,
    // Of shifting.
    direction: Option<String>,
    insertion: Option<String>,
    pub(super) depth: Option<u64>,
    // Of juggling.
    order: Option<String>,
    admission: Option<String>,
    after_failure: Option<String>,
    pub(super) suggest_max: Option<u64>,
    replan: Option<bool>,
    // Of both.
    freeze: Option<String>,
    pub(super) move_limit: Option<u64>,
    pub(super) work_limit: Option<u64>,
    pull_forward: Option<bool>,
    // Of a machine with a layout.
    layout: Option<Layout>,
    prefer: Option<String>,
    relocate: Option<bool>,
    /// Whether jobs may run longer than was booked.
    overrun: Option<bool>,
    /// By which processing elements are not there again and again.
    #[serde(default)]
    rules: Vec<Rule>,
    /// Who may have how much, where quotas limit that.
    #[serde(default)]
    quotas: Vec<Principal>,
    /// What reservations can have beside the machine.
    #[serde(default)]
    resources: Vec<Resource>,
    /// How many outages there were, where processing elements may leave.
    pub(super) outages: Option<u64>,
    /// How many runs of jobs ended for reservations, where they may.
    pub(super) preemptions: Option<u64>,
    /// In which order requests wait, where they do.
    priority: Option<String>,
    /// The discipline of the queue, where there is one.
    best_effort: Option<String>,
    /// In which order its jobs have their turns, where that is not the order in which they came.
    queue_priority: Option<String>,
    pub(super) price_per_pe_minute: Option<f64>,
    pub(super) price_per_reserved_pe_slot: Option<f64>,
}

/// How a request becomes a reservation, as far as rules depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Fit,
    Rigid,
    Elastic,
    Shift,
    Juggle,
    JuggleShift,
    Overlay,
}

impl Way {
    const ALL: [Self; 7] = [
        Self::Fit,
        Self::Rigid,
        Self::Elastic,
        Self::Shift,
        Self::Juggle,
        Self::JuggleShift,
        Self::Overlay,
    ];

    /// The name in files.
    fn name(self) -> &'static str {
        let (shift, juggle, moving) = (Shift::default(), Juggle::default(), Moving::FREELY);
        match self {
            Self::Fit => Strategy::Fit(shift.policy),
            Self::Rigid => Strategy::Rigid,
            Self::Elastic => Strategy::Elastic(Elastic::default()),
            Self::Shift => Strategy::Shift(shift, moving),
            Self::Juggle => Strategy::Juggle(juggle, moving),
            Self::JuggleShift => Strategy::JuggleShift(shift, juggle, moving),
            Self::Overlay => Strategy::Overlay(Overlay::default()),
        }
        .name()
    }

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.name() == name)
    }

    const fn shifts(self) -> bool {
        matches!(self, Self::Shift | Self::JuggleShift)
    }

    const fn juggles(self) -> bool {
        matches!(self, Self::Juggle | Self::JuggleShift)
    }

    /// Whether it moves reservations that it has accepted.
    const fn moves(self) -> bool {
        self.juggles() || self.shifts()
    }
}

impl Settings {
    /// Whether a job is one of the workload.
    pub(super) fn of_workload(&self, job: &Job<'_>, found: &mut Findings) {
        let name = self.workload.as_deref().unwrap_or_default();
        if job.workload_name != name {
            found.expect(job.job_id, "workload_name", &*job.workload_name, name);
        }
    }

    /// Whether a request may be refused because too many would have to move: a limit was set, or something was shifted, which has limits of its
    /// own.
    pub(super) fn limits_moves(&self) -> bool {
        self.move_limit.is_some() || self.insertion.is_some()
    }

    /// The layout of the machine, where it has one that adds up.
    pub(super) fn layout(&self) -> Option<&Layout> {
        self.layout
            .as_ref()
            .filter(|layout| layout.fault().is_none())
    }

    /// Whether a request that does not say gets the lowest numbers that are free.
    pub(super) fn prefers_lowest(&self) -> bool {
        let said = self.prefer.as_ref().map(|prefer| prefer.parse());
        matches!(said, None | Some(Ok(Prefer::Lowest)))
    }

    /// Whether reservations take other processing elements, at their own starts, for one that would be refused.
    pub(super) fn relocates(&self) -> bool {
        self.layout.is_some() && self.relocate == Some(true)
    }

    /// Whether processing elements may leave.
    pub(super) fn loses_pes(&self) -> bool {
        self.outages.is_some()
    }

    /// Whether jobs may run longer than was booked.
    pub(super) fn overruns(&self) -> bool {
        self.overrun == Some(true)
    }

    /// Whether something may have to leave its place, however it was booked.
    pub(super) fn displaces(&self) -> bool {
        self.loses_pes() || self.overruns() || !self.rules.is_empty()
    }

    /// By which processing elements are not there again and again.
    pub(super) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether requests are decided by more than the machine.
    pub(super) fn joins(&self) -> bool {
        !self.quotas.is_empty() || !self.resources.is_empty()
    }

    /// Who may have how much.
    pub(super) fn quotas(&self) -> &[Principal] {
        &self.quotas
    }

    /// What reservations can have beside the machine.
    pub(super) fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// In which order requests wait.
    pub(super) fn priority(&self) -> Option<&str> {
        self.priority.as_deref()
    }

    /// In which order jobs of the queue have their turns, if not in the order in which they came.
    pub(super) fn queue_priority(&self) -> Option<&str> {
        self.queue_priority.as_deref()
    }

    /// Whether requests wait that find no room.
    pub(super) fn waits(&self) -> bool {
        self.priority.is_some()
    }

    /// Whether each start is the first that is possible.
    pub(super) fn takes_first(&self) -> bool {
        self.way() == Way::Fit && self.policy.as_deref() == Some(Policy::FirstFit.name())
    }

    fn way(&self) -> Way {
        let named = self.strategy.as_deref().or(self.policy.as_deref());
        named.and_then(Way::of).unwrap_or(Way::Fit)
    }

    /// How many sites there are.
    pub(super) fn sites(&self) -> u64 {
        self.sites.unwrap_or(1)
    }

    /// Whether what is judged depends on rows that came long before, or on several at a time: all rows are kept then. Otherwise each job is judged when
    /// its row comes, with what is booked then.
    pub(super) fn need_rows(&self) -> bool {
        let moves = self.moves() || self.relocates() || self.displaces();
        let divides = self.sites() > 1 || self.redundancy.is_some() || self.overlays();
        let queues = self.has_queue() || self.waits() || self.preemptions.is_some();
        moves || divides || queues || self.layout.is_some() || self.joins()
    }

    /// Processing elements of all sites.
    pub(super) fn all_pes(&self) -> u64 {
        self.pes.saturating_mul(self.sites())
    }

    /// Whether reservations may lie on top of others.
    pub(super) fn overlays(&self) -> bool {
        self.way() == Way::Overlay
    }

    /// At how many sites a reservation is booked, where that may be more than one.
    pub(super) fn redundancy(&self) -> Option<Redundancy> {
        self.redundancy.as_deref()?.parse().ok()
    }

    /// What is done at a late start, if it is not waited for.
    fn late_choice(&self) -> Option<OnLate> {
        let choice = self.on_late.as_deref()?.parse().ok();
        choice.filter(|choice| *choice != OnLate::Wait)
    }

    /// What is done at a late start.
    pub(super) fn on_late(&self) -> OnLate {
        self.late_choice().unwrap_or(OnLate::Wait)
    }

    fn threshold(&self) -> Option<RiskLimit> {
        self.threshold.as_deref()?.parse().ok()
    }

    /// How probable it has to be that what lies on top of others is kept, where that is always the same.
    pub(super) fn least_probability(&self) -> Option<f64> {
        self.threshold()?.fixed()
    }

    /// Whether requests start at their ready times or not at all.
    pub(super) fn is_rigid(&self) -> bool {
        self.way() == Way::Rigid
    }

    /// Whether requests are queries that offers answer.
    pub(super) fn is_elastic(&self) -> bool {
        self.way() == Way::Elastic
    }

    /// Whether reservations are moved that were accepted.
    pub(super) fn moves(&self) -> bool {
        self.way().moves() || self.pull_forward == Some(true)
    }

    /// Whether the strategy moves reservations in this way, to a later start or to an earlier one.
    pub(super) fn may_move(&self, way: &str, is_later: bool) -> bool {
        let to_both_sides = self.direction.as_deref() == Some(Direction::Both.name());
        if way == Cause::Relocate.name() {
            return self.relocates();
        }
        if way == Cause::Shift.name() {
            return self.shifts() && self.depth != Some(0) && (is_later || to_both_sides);
        }
        if way == Cause::PullForward.name() {
            return self.pull_forward == Some(true) && !is_later;
        }
        self.juggles() && (way != Cause::Replan.name() || self.replan == Some(true))
    }

    /// Whether it does so by shifting.
    pub(super) fn shifts(&self) -> bool {
        self.way().shifts()
    }

    /// Whether it does so by juggling.
    pub(super) fn juggles(&self) -> bool {
        self.way().juggles()
    }

    /// Whether a request can be refused although there is room: because it would be in the way of another.
    pub(super) fn refuses_early(&self) -> bool {
        self.after_failure.as_deref() == Some(AfterFailure::Refuse.name())
    }

    /// When it stops to move a flexible one; nothing where it moves none.
    pub(super) fn freeze(&self) -> Option<Freeze> {
        let freeze = self.freeze.as_deref().filter(|_| self.moves())?;
        freeze.parse().ok()
    }

    /// Whether a request may be granted less than it asks for.
    pub(super) fn reduces(&self) -> bool {
        self.is_elastic() && self.user.as_deref() != Some(User::SolutionOnly.name())
    }

    /// The strategy, the policy and the discipline of the queue.
    pub(super) fn names(&self) -> [Option<&str>; 3] {
        [&self.strategy, &self.policy, &self.best_effort].map(Option::as_deref)
    }

    /// Whether a start is searched among all, with processing elements assigned when the job starts.
    pub(super) fn binds_late(&self) -> bool {
        self.binding.as_deref() == Some(Binding::Late.name())
    }

    /// Whether processing elements are assigned when something is booked.
    pub(super) fn binds_early(&self) -> bool {
        self.binding.as_deref() == Some(Binding::Early.name())
    }

    pub(super) fn has_queue(&self) -> bool {
        self.best_effort.is_some()
    }

    /// Whether jobs of the queue are planned.
    pub(super) fn plans(&self) -> bool {
        self.discipline() == Some(Discipline::Conservative)
    }

    pub(super) fn discipline(&self) -> Option<Discipline> {
        Discipline::from_name(self.best_effort.as_deref()?)
    }

    /// Whole slots in seconds.
    pub(super) fn slots(&self) -> Slots {
        // Slots of no length are noted elsewhere.
        Slots(self.slot_seconds.max(1))
    }

    /// How many slots can be booked ahead.
    pub(super) fn horizon(&self) -> u64 {
        self.slots.unwrap_or(u64::MAX)
    }
}

/// Whole slots in seconds.
#[derive(Clone, Copy)]
pub(super) struct Slots(pub(super) u64);

impl Slots {
    /// The slot edge at `seconds` or behind it, and the length of the slots that hold so many seconds.
    pub(super) fn up(self, seconds: u64) -> u64 {
        seconds.div_ceil(self.0).saturating_mul(self.0)
    }

    /// The slot edge at `seconds` or before it.
    pub(super) fn down(self, seconds: u64) -> u64 {
        seconds / self.0 * self.0
    }
}
