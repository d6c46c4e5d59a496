//! Whether the settings of a run are all there and possible, each beside the others. Rule 15.

use std::collections::HashSet;

use bookahead::{
    Admission, AfterFailure, Direction, Insertion, OfferOrder, Policy, Search, Shifting,
};

use super::{super::findings::Findings, Settings, Way};
use crate::{
    engine::{Elastic, Order, Priority, User},
    layout::Prefer,
    rule::{self, Absent, Name, Rule},
    several::{MOST_RESOURCES, Principal, chain},
};

/// The priority of keys that somebody gave.
const GIVEN: &str = "file";

const MOST_PES: u64 = u16::MAX as u64;
const MOST_SLOTS: u64 = 1 << 25;

impl Settings {
    /// Whether every setting is there and possible, and belongs to jobs of which this was found, and some of which may have `queued`.
    pub(in super::super) fn check(
        &self,
        of_workload: Findings,
        queued: bool,
        found: &mut Findings,
    ) {
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

    /// Which processing elements leave is known only where they are assigned when something is booked.
    fn check_outages(&self, found: &mut Findings) {
        let fits = !self.overlays() && !self.is_elastic() && !self.has_queue();
        let right = !self.loses_pes() || fits && self.binds_early() && self.sites() == 1;
        let expected = "nothing but with early binding at one site, without a queue";
        found.setting("outages", &self.outages, right, expected);
    }

    fn check_overrun(&self, found: &mut Findings) {
        let fits = !self.overlays() && !self.is_elastic() && !self.has_queue();
        let right = !self.overruns() || fits && self.sites() == 1;
        let expected = "nothing but at one site, without a queue";
        found.setting("overrun", &self.overrun, right, expected);
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
                    self.binds_early() && !set.is_empty() && set.fault(self.pes, "PEs").is_none()
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
