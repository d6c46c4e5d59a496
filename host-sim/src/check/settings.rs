//! What metrics.json says about the machine, how requests are decided, and what jobs cost. Rule 15.

use std::collections::HashSet;

use bookahead::{
    Admission, AfterFailure, Direction, Discipline, Insertion, OfferOrder, Policy, Search, Shifting,
};
use serde::Deserialize;

use super::findings::Findings;
use crate::{
    engine::{
        Binding, Cause, Elastic, Freeze, Juggle, Moving, OnLate, Order, Overlay, Priority,
        Redundancy, RiskLimit, Shift, Strategy, User,
    },
    files::Job,
    layout::{Layout, Prefer},
    rule::{self, Absent, Name, Rule},
    several::{MOST_RESOURCES, Principal, Resource, chain},
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

/// The priority of keys that somebody gave.
const GIVEN: &str = "file";

const MOST_PES: u64 = u16::MAX as u64;
const MOST_SLOTS: u64 = 1 << 25;

impl Settings {
    /// Whether a job is one of the workload.
    pub(super) fn of_workload(&self, job: &Job<'_>, found: &mut Findings) {
        let name = self.workload.as_deref().unwrap_or_default();
        if job.workload_name != name {
            found.expect(job.job_id, "workload_name", &*job.workload_name, name);
        }
    }

    /// Whether every setting is there and possible, and belongs to jobs of which this was found, and some of which may have `queued`.
    pub(super) fn check(&self, of_workload: Findings, queued: bool, found: &mut Findings) {
        let version = self.version.as_deref();
        let is_version = version.is_some_and(is_version);
        found.setting("version", &version, is_version, "a version such as 0.1.0");
        let workload = self.workload.as_deref();
        let named = workload.is_some_and(|name| !name.is_empty());
        found.setting("workload", &workload, named, "the name of a workload");
        found.append(of_workload);
        found.setting("seed", &self.seed, self.seed.is_some(), "a seed");
        let pes = (1..=MOST_PES).contains(&self.pes);
        found.setting("pes", &Some(self.pes), pes, "1 to 65535");
        let sites = self.sites() > 0 && self.all_pes() <= MOST_PES;
        let expected = "1 or more, with 65535 PEs in all at most";
        found.setting("sites", &self.sites, sites, expected);
        let known = self.redundancy.is_none() || self.redundancy().is_some() && self.sites() > 1;
        let expected = "a probability or copies:N, with several sites";
        found.setting("redundancy", &self.redundancy, known, expected);
        let known = self.threshold().is_some() == self.overlays()
            && self.threshold.is_some() == self.overlays();
        let expected =
            "a probability where reservations lie on top of others, and nothing but there";
        found.setting("threshold", &self.threshold, known, expected);
        let known = self.on_late.is_none() || self.overlays() && self.late_choice().is_some();
        let expected = "cancel or compensate:X where reservations lie on top of others";
        found.setting("on_late", &self.on_late, known, expected);
        let slots = self
            .slots
            .is_some_and(|slots| (1..=MOST_SLOTS).contains(&slots));
        found.setting("slots", &self.slots, slots, "1 to 33554432");
        let seconds = (1..=u64::from(u32::MAX)).contains(&self.slot_seconds);
        let entry = Some(self.slot_seconds);
        found.setting("slot_seconds", &entry, seconds, "1 to 4294967295");
        self.check_strategy(found);
        self.check_elastic(found);
        self.check_shifting(found);
        self.check_juggling(found);
        self.check_moving(found);
        self.check_placing(found);
        self.check_outages(found);
        self.check_overrun(found);
        self.check_rules(found);
        self.check_joint(found);
        self.check_waiting(found);
        self.check_preempting(found);
        self.check_queue(queued, found);
        let prices = [self.price_per_pe_minute, self.price_per_reserved_pe_slot];
        for (name, price) in ["price_per_pe_minute", "price_per_reserved_pe_slot"]
            .into_iter()
            .zip(prices)
        {
            let both = prices.iter().all(Option::is_some) || price.is_none();
            let right = both && price.is_none_or(|price| price >= 0.0);
            found.setting(name, &price, right, "both prices, 0 or more, or none");
        }
    }

    fn check_strategy(&self, found: &mut Findings) {
        let policy = self.policy.as_deref();
        let is_policy = |name: &str| Policy::from_name(name).is_some() || Way::of(name).is_some();
        let known = policy.is_some_and(is_policy);
        found.setting("policy", &policy, known, "the name of a policy");
        if let Some(strategy) = &self.strategy {
            let known = Way::of(strategy).is_some();
            let expected = format!("one of {}", Way::ALL.map(Way::name).join(", "));
            found.setting("strategy", &Some(strategy), known, &expected);
        }
        let binding = self.binding.as_deref();
        let known = match binding {
            Some("early" | "late") => true,
            Some("late-control") => self.way() == Way::Fit,
            _ => false,
        };
        let expected = "early, late, or with a policy late-control";
        found.setting("binding", &binding, known, expected);
    }

    /// An elastic strategy has all of its options, the others have none.
    fn check_elastic(&self, found: &mut Findings) {
        let elastic = self.way() == Way::Elastic;
        let users = User::ALL.map(User::name);
        let words = [
            (
                "search",
                &self.search,
                Search::ALL.map(Search::name).to_vec(),
            ),
            (
                "offer_order",
                &self.offer_order,
                OfferOrder::ALL.map(OfferOrder::name).to_vec(),
            ),
            ("user", &self.user, users.to_vec()),
        ];
        let there = "nothing but with an elastic strategy";
        for (name, word, known) in words {
            match word {
                Some(word) if elastic => {
                    let expected = format!("one of {}", known.join(", "));
                    let known = known.contains(&word.as_str());
                    found.setting(name, &Some(word), known, &expected);
                }
                None if elastic => {
                    found.setting(name, word, false, "a choice of an elastic strategy")
                }
                _ => found.setting(name, word, word.is_none(), there),
            }
        }
        let most = Elastic::MOST_OFFERS as u64;
        let (right, expected) = match elastic {
            true => (
                self.offers
                    .is_some_and(|offers| (1..=most).contains(&offers)),
                "1 to 1024",
            ),
            false => (self.offers.is_none(), there),
        };
        found.setting("offers", &self.offers, right, expected);
    }

    /// Shifting has all of its options, the others have none.
    fn check_shifting(&self, found: &mut Findings) {
        let shifts = self.way().shifts();
        let expected = "a choice of shifting, and nothing but there";
        let directions = [Direction::Right, Direction::Both].map(Direction::name);
        let known = is_choice(&self.direction, shifts, &directions);
        found.setting("direction", &self.direction, known, expected);
        let slides = Shifting::LRH.insertion.name();
        let exact = [Insertion::FewestMoves, Insertion::LeastShift].map(Insertion::name);
        let insertions = [slides, exact[0], exact[1]];
        let known = is_choice(&self.insertion, shifts, &insertions);
        found.setting("insertion", &self.insertion, known, expected);
        let has_depth = shifts && self.insertion.as_deref() == Some(slides);
        let right = self.depth.is_some() == has_depth
            && self
                .depth
                .is_none_or(|depth| depth <= u64::from(Shifting::DEEPEST));
        let expected = "0 to 16 with slides, and nothing but there";
        found.setting("depth", &self.depth, right, expected);
    }

    /// Juggling has all of its options but for a limit, the others have none.
    fn check_juggling(&self, found: &mut Findings) {
        let juggles = self.way().juggles();
        let orders = Order::all(0).map(Order::name).to_vec();
        let admissions = [Admission::PlainFirst, Admission::Always].map(Admission::name);
        let is = |word: &Option<String>, names: &[&str]| is_choice(word, juggles, names);
        let expected = "a choice of juggling, and nothing but there";
        found.setting("order", &self.order, is(&self.order, &orders), expected);
        let known = is(&self.admission, &admissions);
        found.setting("admission", &self.admission, known, expected);
        let failures = [AfterFailure::Retry, AfterFailure::Refuse].map(AfterFailure::name);
        let known = is(&self.after_failure, &failures);
        found.setting("after_failure", &self.after_failure, known, expected);
        let known = self.replan.is_some() == juggles;
        found.setting("replan", &self.replan, known, expected);
        let right = juggles || self.suggest_max.is_none();
        let entry = &self.suggest_max;
        found.setting("suggest_max", entry, right, "nothing but with juggling");
    }

    /// Whether a request may be refused because too many would have to move: a limit was set, or something was shifted, which has limits of its
    /// own.
    pub(super) fn limits_moves(&self) -> bool {
        self.move_limit.is_some() || self.insertion.is_some()
    }

    /// Whoever moves reservations says until when, and perhaps how many.
    fn check_moving(&self, found: &mut Findings) {
        let moves = self.moves();
        let known = self.freeze.is_some() == moves && self.freeze().is_some() == moves;
        let expected = "when starts become fixed, and nothing but where something is moved";
        found.setting("freeze", &self.freeze, known, expected);
        let limits = [
            ("move_limit", self.move_limit),
            ("work_limit", self.work_limit),
        ];
        for (name, limit) in limits {
            let right = moves || limit.is_none();
            found.setting(name, &limit, right, "nothing but where something is moved");
        }
        let leaves_starts = self.way() == Way::Fit || self.way().moves();
        let right = self.pull_forward.is_none() || leaves_starts && self.replan != Some(true);
        let expected =
            "nothing but where reservations may start elsewhere, and are not arranged anew";
        found.setting("pull_forward", &self.pull_forward, right, expected);
    }

    /// A layout adds up and has the processing elements of the machine; with it there is a preference, without it none.
    fn check_placing(&self, found: &mut Findings) {
        let Some(layout) = &self.layout else {
            let there = "nothing but with a layout";
            found.setting("prefer", &self.prefer, self.prefer.is_none(), there);
            let none = self.relocate.is_none();
            found.setting("relocate", &self.relocate, none, there);
            return;
        };
        if let Some(fault) = layout.fault() {
            found.add(None, format!("metrics.json, layout: {fault}"));
            return;
        }
        let pes = u64::from(layout.pes());
        let expected = format!("{pes} as the layout has");
        found.setting("pes", &Some(self.pes), self.pes == pes, &expected);
        let early = self.binds_early();
        let binding = &self.binding;
        found.setting("binding", binding, early, "early with a layout");
        let prefer = self.prefer.as_deref().map(str::parse::<Prefer>);
        let known = prefer
            .is_some_and(|prefer| prefer.is_ok_and(|prefer| layout.fault_of(&prefer).is_none()));
        found.setting("prefer", &self.prefer, known, Prefer::EXPECTED);
        let right = match self.way() {
            Way::Fit | Way::Rigid => self.relocate.is_some(),
            _ => self.relocate == Some(false),
        };
        let expected = "true or false, and false where the strategy moves reservations itself";
        found.setting("relocate", &self.relocate, right, expected);
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

    /// Which processing elements leave is known only where they are assigned when something is booked.
    fn check_outages(&self, found: &mut Findings) {
        let fits = !self.overlays() && !self.is_elastic() && !self.has_queue();
        let right = !self.loses_pes() || fits && self.binds_early() && self.sites() == 1;
        let expected = "nothing but with early binding at one site, without a queue";
        found.setting("outages", &self.outages, right, expected);
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

    /// Rules that a file may say, of this machine and its binding.
    fn check_rules(&self, found: &mut Findings) {
        let fits = !self.overlays() && !self.has_queue() && !self.loses_pes();
        let alone = self.sites() == 1 && self.layout.is_none();
        let slot = u32::try_from(self.slot_seconds).unwrap_or_default();
        let right = |rule: &Rule| {
            let known = rule.until.is_none_or(|until| until > rule.announced);
            let pes = match &rule.pes {
                Absent::Number(pes) => {
                    self.binds_late() && (1..=self.pes).contains(&u64::from(*pes))
                }
                Absent::These(set) => {
                    self.binds_early() && !set.is_empty() && set.fault(self.pes).is_none()
                }
            };
            known && pes && rule.in_slots(slot).is_some()
        };
        let names: HashSet<Name> = self.rules.iter().map(|rule| rule.name).collect();
        let counted = names.len() == self.rules.len() && names.len() <= rule::MOST;
        let right = self.rules.iter().all(right) && counted;
        let right = self.rules.is_empty() || fits && alone && right;
        let expected = "nothing but rules of their own names, of this binding and of whole slots, at one site, without a layout, outages or a queue";
        found.setting("rules", &Some(&self.rules), right, expected);
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

    /// Quotas and resources that a file may say, where several books are decided as one.
    fn check_joint(&self, found: &mut Findings) {
        let fits = self.takes_first() && self.sites() == 1 && !self.has_queue() && !self.waits();
        let fits = fits && !self.overruns() && self.rules.is_empty() && !self.relocates();
        let fits = fits && self.pull_forward.is_none() && (self.binds_early() || self.binds_late());
        let expected =
            "nothing but with first fit at one site, where reservations stay as they are";
        let quotas = Some(&self.quotas).filter(|quotas| !quotas.is_empty());
        found.setting("quotas", &quotas, quotas.is_none() || fits, expected);
        let resources = Some(&self.resources).filter(|resources| !resources.is_empty());
        found.setting(
            "resources",
            &resources,
            resources.is_none() || fits,
            expected,
        );
        let slot = u32::try_from(self.slot_seconds).unwrap_or_default();
        let right = |(number, one): (usize, &Principal)| {
            let budget = one
                .budget
                .is_none_or(|budget| budget.in_slots(slot).is_some());
            // Of a parent that is not there, and of one too many, there is a principal that has one above it.
            let last = chain(&self.quotas, number).last();
            let top = last.and_then(|last| self.quotas.get(last));
            budget && top.is_some_and(|top| top.parent.is_none())
        };
        let names: HashSet<Name> = self.quotas.iter().map(|one| one.name).collect();
        let right = self.quotas.iter().enumerate().all(right) && names.len() == self.quotas.len();
        let expected =
            "principals of their own names, with parents among them and periods of whole slots";
        found.setting("quotas", &quotas, right, expected);
        let names: HashSet<Name> = self.resources.iter().map(|one| one.name).collect();
        let right = self.resources.iter().all(|one| one.units > 0)
            && names.len() == self.resources.len()
            && names.len() <= MOST_RESOURCES;
        let expected = "up to seven resources of their own names, each of at least one unit";
        found.setting("resources", &resources, right, expected);
    }

    fn check_overrun(&self, found: &mut Findings) {
        let fits = !self.overlays() && !self.is_elastic() && !self.has_queue();
        let right = !self.overruns() || fits && self.sites() == 1;
        let expected = "nothing but at one site, without a queue";
        found.setting("overrun", &self.overrun, right, expected);
    }

    /// Requests wait at one site, for what is theirs alone.
    fn check_waiting(&self, found: &mut Findings) {
        let known = |name: &str| {
            name == GIVEN
                || Priority::NAMED
                    .iter()
                    .any(|priority| priority.name() == name)
        };
        let ordered = |name: &str| known(name) && name != Priority::Age.name();
        let right = self
            .queue_priority()
            .is_none_or(|name| ordered(name) && self.has_queue() && self.sites() == 1);
        let expected = "size, user or file, with a queue at one site";
        found.setting("queue_priority", &self.queue_priority, right, expected);
        let fits = matches!(self.way(), Way::Fit | Way::Rigid);
        let alone = self.sites() == 1 && !self.displaces() && !self.relocates();
        let right = self
            .priority()
            .is_none_or(|name| known(name) && fits && alone);
        let expected = "age, size, user or file, where each reservation stays where it is";
        found.setting("priority", &self.priority, right, expected);
    }

    /// Jobs make room at one site, for reservations that stay where they are.
    fn check_preempting(&self, found: &mut Findings) {
        let fits = matches!(self.way(), Way::Fit | Way::Rigid | Way::Elastic);
        let fits = fits
            && self.pull_forward.is_none()
            && self.has_queue()
            && self.sites() == 1
            && !self.relocates();
        let right = self.preemptions.is_none() || fits;
        let expected =
            "nothing but with a queue at one site, where each reservation stays where it is";
        found.setting("preemptions", &self.preemptions, right, expected);
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

    fn check_queue(&self, queued: bool, found: &mut Findings) {
        let discipline = self.best_effort.as_deref();
        let right = match discipline {
            Some(_) => self.discipline().is_some(),
            None => !queued,
        };
        found.setting(
            "best_effort",
            &discipline,
            right,
            "a discipline, fcfs, easy or conservative",
        );
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

/// Whether it is one of these names where there must be one, else nothing.
fn is_choice(word: &Option<String>, needed: bool, names: &[&str]) -> bool {
    match word {
        Some(word) => needed && names.contains(&word.as_str()),
        None => !needed,
    }
}

/// Three numbers with points between them, and perhaps more behind.
fn is_version(text: &str) -> bool {
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = core.split('.').collect();
    numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u64>().is_ok())
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
