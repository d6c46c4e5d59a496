//! The system that is simulated.

use std::{borrow::Cow, sync::Arc};

use bookahead::{
    Admission, Discipline, PeCount, Span, Tariff,
    raw::{columns, schedule_bytes, waiting_list_bytes, workspace_bytes},
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn, Sizes};

use super::{
    binding::Binding,
    classes::Classes,
    priority::Priority,
    redundancy::Redundancy,
    strategy::{Elastic, Juggle, Load, Moving, OnLate, Strategy, entries},
};
use crate::{
    arrivals::{Alive, Arrivals, Lifetime, Outline, Unusual},
    error::{Error, Result},
    layout::{Layout, Placing, Prefer},
    operation::{Action, Operation},
    outage::Notice,
    rule::{self, Rule},
    several::{Principal, Resource},
};

/// Seconds in the unit of time that tariffs count in.
pub(crate) const MINUTE: u64 = 60;

/// The system that is simulated.
#[derive(Clone, Debug)]
pub struct System {
    /// Sites of the same size, between which a meta-scheduler chooses.
    pub sites: u16,
    /// At how many of them a reservation is booked; nothing where it is booked once.
    pub redundancy: Option<Redundancy>,
    /// Processing elements of a site.
    pub pes: u16,
    /// Slots of the ring.
    pub slots: u32,
    /// Seconds per slot.
    pub slot_seconds: u32,
    /// How a request becomes a reservation.
    pub strategy: Strategy,
    /// When processing elements are assigned.
    pub binding: Binding,
    /// How best-effort jobs are queued; nothing where there is no queue.
    pub best_effort: Option<Discipline>,
    /// What jobs cost, in units of time of one minute.
    pub tariff: Tariff,
    /// The layout of the machine, where it has one; `pes` is what it has then.
    pub placing: Option<Placing>,
    /// Whether processing elements may leave.
    pub outages: bool,
    /// Whether jobs may run longer than was booked.
    pub overrun: bool,
    /// By which processing elements are not there again and again.
    pub rules: Vec<Rule>,
    /// In which order requests wait that find no room; nothing where none waits.
    pub wait: Option<Priority>,
    /// In which order jobs of the queue have their turns; nothing where that is the order in which they came.
    pub queue_order: Option<Priority>,
    /// Whether it is told which deadlines were kept, also where no request waits.
    pub deadlines: bool,
    /// Whether flexible reservations start earlier where something has been given back.
    pub pull_forward: bool,
    /// How long a job of the queue that does not say runs at least (s), before a reservation that finds no other room may end it; nothing where none may.
    pub preempt: Option<u64>,
    /// Who may have how much; none where only the machine limits that.
    pub quotas: Vec<Principal>,
    /// What reservations can have beside the machine.
    pub resources: Vec<Resource>,
}

impl System {
    /// The most slots a system may have.
    pub const MOST_SLOTS: u32 = 1 << 25;

    /// A system without a queue and without prices.
    ///
    /// ```
    /// use bookahead::Policy;
    /// use bookahead_sim::engine::{Binding, Strategy, System};
    ///
    /// let free = System::new(64, 8640, 300, Strategy::Fit(Policy::FirstFit), Binding::Late);
    /// let system = System { best_effort: Some(bookahead::Discipline::Easy), ..free };
    /// assert_eq!((system.pes, free.best_effort), (64, None));
    /// ```
    #[must_use]
    pub const fn new(
        pes: u16,
        slots: u32,
        slot_seconds: u32,
        strategy: Strategy,
        binding: Binding,
    ) -> Self {
        Self {
            sites: 1,
            redundancy: None,
            pes,
            slots,
            slot_seconds,
            strategy,
            binding,
            best_effort: None,
            tariff: Tariff::FREE,
            placing: None,
            outages: false,
            overrun: false,
            rules: Vec::new(),
            wait: None,
            queue_order: None,
            deadlines: false,
            pull_forward: false,
            preempt: None,
            quotas: Vec::new(),
            resources: Vec::new(),
        }
    }

    /// The same machine with a layout.
    #[must_use]
    pub fn on(self, placing: Placing) -> Self {
        Self {
            pes: u16::try_from(placing.layout.pes()).unwrap_or(u16::MAX),
            placing: Some(placing),
            ..self
        }
    }

    /// How its book places what it is asked for. Only a book with a layout knows outages: on a machine without one, each processing element is a group.
    pub(super) fn placed(&self) -> Option<Cow<'_, Placing>> {
        let plain = || {
            Cow::Owned(Placing {
                layout: Arc::new(Layout::of_single(self.pes)),
                prefer: Prefer::Lowest,
                relocate: false,
            })
        };
        let given = self.placing.as_ref().map(Cow::Borrowed);
        given.or_else(|| self.outages.then(plain))
    }

    /// The name of the folder of its run, where several systems are run together: the names of its strategy and policy, binding and, with a layout,
    /// preference.
    #[must_use]
    pub fn folder(&self) -> String {
        let prefer = self.placing.as_ref();
        let prefer = prefer.map(|placing| placing.prefer.to_string());
        Self::folder_of(
            &self.strategy.label(),
            self.binding.name(),
            prefer.as_deref(),
        )
    }

    /// The same from these names.
    pub(crate) fn folder_of(label: &str, binding: &str, prefer: Option<&str>) -> String {
        let prefer = prefer.map_or(String::new(), |prefer| format!("-{prefer}"));
        format!("{label}-{binding}{}", prefer.replace(':', "-"))
    }

    /// Processing elements of all sites.
    #[must_use]
    pub const fn all_pes(&self) -> u16 {
        self.pes.saturating_mul(self.sites)
    }

    /// Whether reservations take other processing elements, at their own starts, for one that would be refused.
    #[must_use]
    pub fn relocates(&self) -> bool {
        self.placing
            .as_ref()
            .is_some_and(|placing| placing.relocate)
    }

    /// Until when and how much reservations are moved that were accepted, if they are: as the strategy says, and where they only start earlier, until they start.
    #[must_use]
    pub fn moving(&self) -> Option<Moving> {
        let pulled = self.pull_forward.then_some(Moving::FREELY);
        self.strategy.moving().or(pulled)
    }

    /// Whether jobs of the queue are planned.
    #[must_use]
    pub fn plans(&self) -> bool {
        self.best_effort == Some(Discipline::Conservative)
    }

    /// Whether it is told which deadlines were kept.
    #[must_use]
    pub const fn tells_deadlines(&self) -> bool {
        self.deadlines || self.wait.is_some()
    }

    /// Whether anything costs something.
    #[must_use]
    pub fn has_prices(&self) -> bool {
        self.tariff != Tariff::FREE
    }

    /// The memory its book and its queue take for these demands and the operations on them.
    ///
    /// # Errors
    /// Whatever is wrong with the demands.
    pub fn bytes(&self, arrivals: &Arrivals<'_>) -> Result<usize> {
        let queued = arrivals.outline.best_effort;
        let queue = self.best_effort.map(|_| BoxedJobQueue::bytes(queued));
        // A second book of nearly the same size, and the schedule.
        let books = if self.plans() { 2 } else { 1 };
        let (pes, slots, rows) = (self.pes, self.slots, self.rows(arrivals)?);
        let book = match self.binding {
            Binding::Early if let Some(placing) = self.placed() => {
                Classes::of(&placing, arrivals.demands)?.bytes(&placing, slots, rows)
            }
            Binding::Early => BoxedPeBook::<HostColumn>::bytes(Sizes {
                pes: pes.into(),
                slots,
                reservations: rows,
            }),
            Binding::Late | Binding::LateControl => BoxedCountBook::bytes(Sizes {
                pes: pes.into(),
                slots,
                reservations: rows,
            }),
        };
        let moves = self.strategy.moving().is_some()
            || self.relocates()
            || self.displaces(arrivals.operations);
        let log = if moves { self.moving_bytes(rows) } else { 0 };
        let list = waiting_list_bytes(self.waiting_requests(arrivals)?);
        let queue = queue.unwrap_or(0).saturating_add(list);
        let schedule = match self.plans() {
            true => schedule_bytes(queued),
            false => 0,
        };
        let queue = queue.saturating_add(schedule);
        let beside = match self.joins() {
            true => Load::of(self, arrivals.demands.each()?)?.bytes(self, rows),
            false => 0,
        };
        let book = book.saturating_mul(books).saturating_add(beside);
        let site = book.saturating_add(queue).saturating_add(log);
        Ok(site.saturating_mul(self.sites.into()))
    }

    /// Whether something may have to leave its place, however it was booked.
    pub(crate) fn displaces(&self, operations: &[Operation]) -> bool {
        let mut actions = operations.iter().map(|operation| operation.action);
        self.outages
            || self.overrun
            || !self.rules.is_empty()
            || actions.any(|action| matches!(action, Action::ExtendByForce { .. }))
    }

    /// The memory that it takes to move reservations in a book of so many rows.
    fn moving_bytes(&self, rows: usize) -> usize {
        let columns = match self.binding {
            Binding::Early if let Some(placing) = self.placed() => {
                let layout = &placing.layout;
                layout.with_kernel(|layout| layout.columns::<HostColumn>())
            }
            Binding::Early => columns::<HostColumn>(self.pes),
            Binding::Late | Binding::LateControl => 0,
        };
        let waiting = self.strategy.juggle().map_or(0, |_| rows);
        workspace_bytes::<HostColumn>(columns, entries(rows), waiting)
    }

    /// How many requests can wait at a time: none waits beyond its deadline.
    pub(super) fn waiting_requests(&self, arrivals: &Arrivals<'_>) -> Result<usize> {
        match self.wait {
            Some(_) => arrivals.alive(self.slot_seconds),
            None => Ok(0),
        }
    }

    /// How many reservations its book has to hold for what arrives, parts of outages included.
    pub(super) fn rows(&self, arrivals: &Arrivals<'_>) -> Result<usize> {
        let alive = arrivals.alive(self.slot_seconds)?;
        // Each running job has at least one PE, so that a row is left for every reservation whatever the queue does.
        let running = arrivals.outline.best_effort.min(usize::from(self.pes));
        Ok(alive + running + most_parts(arrivals.notices))
    }

    /// How long a slot is (s), where jobs may run longer than was booked: what an outline of the demands has to know.
    #[must_use]
    pub fn longer(&self) -> Option<u32> {
        self.overrun.then_some(self.slot_seconds)
    }

    /// Whether it makes sense.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a system of no size, a strategy that does not go with the binding, a list of no offers or of more than
    /// [`Elastic::MOST_OFFERS`], prices that cannot be counted, and a layout that goes with none of the others.
    pub fn check(&self) -> Result<()> {
        let usage = |problem: String| Err(Error::Usage(problem));
        if self.pes == 0 || self.slots == 0 || self.slot_seconds == 0 {
            return usage("--pes, --slots and --slot-seconds must not be 0".to_owned());
        }
        let countable = self.pes.checked_mul(self.sites).is_some();
        if self.sites == 0 || !countable {
            return usage(format!(
                "--sites {} of {} PEs: expected 1 or more, and 65,535 PEs in all at most",
                self.sites, self.pes
            ));
        }
        if self.sites > 1 && !self.strategy.goes_to_sites() {
            return usage(format!(
                "--sites: {} finds room at one site only; with several, say --strategy fit or overlay",
                self.strategy.name()
            ));
        }
        if let Some(redundancy) = self.redundancy
            && self.sites == 1
        {
            return usage(format!(
                "--redundancy {redundancy}: copies are for several sites; say --sites"
            ));
        }
        self.check_on_late()?;
        self.check_placing()?;
        self.check_outages()?;
        self.check_overrun()?;
        self.check_rules()?;
        self.check_wait()?;
        if self.queue_order.is_some() && self.sites > 1 {
            return usage(
                "--priority: jobs of a queue are ordered at one site only; leave out --sites"
                    .to_owned(),
            );
        }
        if self.plans() && self.strategy.overlay().is_some() {
            return usage("--queue conservative: jobs are planned beside bookings that are sure, so not with --strategy overlay".to_owned());
        }
        self.check_pull_forward()?;
        self.check_preempt()?;
        self.check_joint()?;
        match (self.strategy, self.binding) {
            (strategy, Binding::LateControl) if !matches!(strategy, Strategy::Fit(_)) => {
                let (strategy, binding) = (strategy.name(), self.binding.name());
                usage(format!(
                    "{binding} binding looks at the candidate starts of a policy, which {strategy} has not"
                ))
            }
            (Strategy::Overlay(_), binding) if binding != Binding::Late => usage(format!(
                "--strategy overlay: with {} binding, processing elements are booked one by one, and none twice; say --binding late",
                binding.name()
            )),
            (Strategy::Elastic(Elastic { offers, .. }), _)
                if !(1..=Elastic::MOST_OFFERS).contains(&offers) =>
            {
                let most = Elastic::MOST_OFFERS;
                usage(format!("a list of {offers} offers: expected 1 to {most}"))
            }
            (strategy, _)
                if strategy.juggle().is_some_and(Juggle::is_by_revenue) && !self.has_prices() =>
            {
                usage("--order revenue: nothing costs anything; say --price".to_owned())
            }
            (Strategy::JuggleShift(_, juggle, _), _) if juggle.admission == Admission::Always => {
                usage(format!(
                    "--admission {}: juggle-shift juggles only where neither the policy nor shifting finds room",
                    juggle.admission.name()
                ))
            }
            _ if !self.can_count_prices() => {
                usage("the whole machine for all slots costs more than can be counted".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Whether a layout goes with the rest.
    fn check_placing(&self) -> Result<()> {
        let Some(placing) = &self.placing else {
            return Ok(());
        };
        let (strategy, binding) = (self.strategy, self.binding);
        let problem = match strategy {
            _ if self.sites > 1 => "a layout is that of one site".to_owned(),
            Strategy::Elastic(_) | Strategy::Overlay(_) => format!(
                "--strategy {} knows how many PEs are free, not which; say fit, rigid, juggle, shift or juggle-shift",
                strategy.name()
            ),
            _ if binding != Binding::Early => format!(
                "with {} binding, PEs are chosen when a job starts; say --binding early",
                binding.name()
            ),
            _ => match placing.layout.fault_of(&placing.prefer) {
                Some(problem) => {
                    let prefer = &placing.prefer;
                    return Err(Error::Usage(format!("--prefer {prefer}: {problem}")));
                }
                None if placing.relocate && strategy.moving().is_some() => {
                    let problem = format!(
                        "--relocate: --strategy {} moves reservations itself; say fit or rigid",
                        strategy.name()
                    );
                    return Err(Error::Usage(problem));
                }
                None => return Ok(()),
            },
        };
        Err(Error::Usage(format!("--layout: {problem}")))
    }

    /// Whether the book can take processing elements out of service.
    fn check_outages(&self) -> Result<()> {
        let (strategy, binding) = (self.strategy, self.binding);
        let problem = match strategy {
            _ if !self.outages => return Ok(()),
            _ if self.sites > 1 => "outages are those of one site".to_owned(),
            _ if self.best_effort.is_some() => {
                "jobs of a --queue do not survive outages yet; leave out --queue".to_owned()
            }
            Strategy::Elastic(_) | Strategy::Overlay(_) => format!(
                "--strategy {} knows how many PEs are free, not which; say fit, rigid, juggle, shift or juggle-shift",
                strategy.name()
            ),
            _ if binding != Binding::Early => format!(
                "with {} binding, nobody knows whose PEs leave; say --binding early",
                binding.name()
            ),
            _ => return Ok(()),
        };
        Err(Error::Usage(format!("--outages, --mtbf: {problem}")))
    }

    /// Whether jobs can go on beyond what was booked.
    fn check_overrun(&self) -> Result<()> {
        let problem = match self.strategy {
            _ if !self.overrun => return Ok(()),
            _ if self.sites > 1 => {
                "jobs take longer at one site only; leave out --sites".to_owned()
            }
            _ if self.best_effort.is_some() => {
                "jobs of a --queue are stopped at their estimates; leave out --queue".to_owned()
            }
            Strategy::Elastic(_) | Strategy::Overlay(_) => format!(
                "--strategy {} knows how long jobs run; say fit, rigid, juggle, shift or juggle-shift",
                self.strategy.name()
            ),
            _ => return Ok(()),
        };
        Err(Error::Usage(format!("--overrun: {problem}")))
    }

    /// Whether the book can leave out processing elements by rules.
    fn check_rules(&self) -> Result<()> {
        let early = self.binding == Binding::Early;
        let fits = |rule: &&Rule| match rule.pes {
            rule::Absent::Number(_) => early,
            rule::Absent::These(_) => !early,
        };
        let problem = match self.strategy {
            _ if self.rules.is_empty() => return Ok(()),
            _ if self.sites > 1 => "rules are those of one site".to_owned(),
            _ if self.placing.is_some() => {
                "a machine with a layout has no rules yet; leave out --layout".to_owned()
            }
            _ if self.outages => {
                "rules do not go with processing elements that leave and come back yet; leave out --outages and --mtbf".to_owned()
            }
            _ if self.best_effort.is_some() => {
                "jobs of a --queue do not hear of rules that end yet; leave out --queue".to_owned()
            }
            Strategy::Overlay(_) => {
                "nothing lies on top of others where rules hold; leave out --strategy overlay".to_owned()
            }
            _ if self.binding == Binding::LateControl => format!(
                "{} binding looks at where bookings begin and end, not rules; say early or late",
                self.binding.name()
            ),
            _ => match self.rules.iter().find(fits) {
                Some(Rule { name, .. }) if early => format!(
                    "rule {name} says how many PEs it takes, but with early binding it has to say which, as in pes = \"0-3\"",
                ),
                Some(Rule { name, .. }) => format!(
                    "rule {name} says which PEs it takes, but with late binding they are chosen when a job starts; say how many, as in pes = 4"
                ),
                None => match self.rules.iter().find(|rule| rule.in_slots(self.slot_seconds).is_none()) {
                    Some(rule) => format!("the period of rule {} is no number of whole slots", rule.name),
                    None => return Ok(()),
                },
            },
        };
        Err(Error::Usage(format!("--rules: {problem}")))
    }

    /// Whether reservations can start earlier: they have other starts, and nothing else is done where something is given back.
    fn check_pull_forward(&self) -> Result<()> {
        let problem = match self.strategy {
            _ if !self.pull_forward => return Ok(()),
            strategy if !strategy.leaves_starts() => format!(
                "--strategy {} leaves no other start; say fit, juggle, shift or juggle-shift",
                strategy.name()
            ),
            _ if self.sites > 1 => {
                "reservations start earlier at one site only; leave out --sites".to_owned()
            }
            strategy if strategy.juggle().is_some_and(|juggle| juggle.replan) => {
                "--replan arranges all anew where something is given back; leave out one of them"
                    .to_owned()
            }
            _ if self.binding == Binding::LateControl => format!(
                "{} binding is asked at arrival only; say early or late",
                self.binding.name()
            ),
            _ => return Ok(()),
        };
        Err(Error::Usage(format!("--pull-forward: {problem}")))
    }

    /// Whether jobs of the queue can be ended for reservations, which then stay where they are.
    fn check_preempt(&self) -> Result<()> {
        let problem = match self.strategy {
            _ if self.preempt.is_none() => return Ok(()),
            _ if self.best_effort.is_none() => {
                "there is no queue; say --queue fcfs, easy or conservative".to_owned()
            }
            _ if self.sites > 1 => "jobs make room at one site only; leave out --sites".to_owned(),
            _ if self.pull_forward => {
                "reservations do not start earlier beside jobs that make room yet; leave out --pull-forward".to_owned()
            }
            _ if self.relocates() => {
                "one of them makes room, jobs or reservations; leave out --relocate".to_owned()
            }
            Strategy::Fit(_) | Strategy::Rigid | Strategy::Elastic(_)
                if self.binding != Binding::LateControl =>
            {
                return Ok(());
            }
            Strategy::Fit(_) => format!(
                "{} binding is asked at arrival only; say early or late",
                self.binding.name()
            ),
            strategy => format!(
                "--strategy {} makes room itself; say --strategy fit, rigid or elastic",
                strategy.name()
            ),
        };
        Err(Error::Usage(format!("--preempt: {problem}")))
    }

    /// Whether users are told, by whose use requests or jobs of the queue are ordered.
    pub(crate) fn orders_by_user(&self) -> bool {
        [&self.wait, &self.queue_order].contains(&&Some(Priority::User))
    }

    /// Whether requests can wait: the kernel promises them room as `fit` and `rigid` would.
    fn check_wait(&self) -> Result<()> {
        let (strategy, binding) = (self.strategy, self.binding);
        let problem = match strategy {
            _ if self.wait.is_none() => return Ok(()),
            _ if self.sites > 1 => {
                "requests wait at one site only; leave out --sites".to_owned()
            }
            _ if self.outages => {
                "requests do not wait for processing elements that leave and come back yet; leave out --outages and --mtbf".to_owned()
            }
            _ if self.overrun => {
                "requests do not wait beside jobs that take longer yet; leave out --overrun".to_owned()
            }
            _ if !self.rules.is_empty() => {
                "requests do not wait for rules that end yet; leave out --rules".to_owned()
            }
            _ if self.relocates() => {
                "nobody makes room for who waits yet; leave out --relocate".to_owned()
            }
            Strategy::Fit(_) | Strategy::Rigid if binding == Binding::LateControl => format!(
                "{} binding is asked at arrival only; say early or late",
                binding.name()
            ),
            Strategy::Fit(_) | Strategy::Rigid => return Ok(()),
            _ => format!(
                "--strategy {} decides at arrival only; say --strategy fit or rigid",
                strategy.name()
            ),
        };
        Err(Error::Usage(format!("--wait: {problem}")))
    }

    /// Whether requests that may wait, or for which jobs make room, ask for what that is done for.
    fn check_waiting(&self, demands: &Outline) -> Result<()> {
        let (option, do_it, does_it) = match (&self.wait, self.preempt) {
            (Some(_), _) => ("--wait", "wait", "waits"),
            (None, Some(_)) => ("--preempt", "make jobs leave", "makes jobs leave"),
            (None, None) => return Ok(()),
        };
        if let Some(hold) = demands.first_hold {
            return Err(Error::Usage(format!(
                "{option}: holds do not {do_it} yet, but job {hold} is one"
            )));
        }
        let [waiting, all] = demands.first_unusual;
        let (unusual, way_out) = match self.preempt {
            None => (waiting, "; say 0 in its column wait"),
            Some(_) => (all, ""),
        };
        let Some(Unusual { job_id, exact }) = unusual else {
            return Ok(());
        };
        let problem = match exact {
            true => "asks for exactly these PEs",
            false => "has a duration_min",
        };
        Err(Error::Usage(format!(
            "{option}: a request {does_it} for one length and for any PEs of its class, but request {job_id} {problem}{way_out}"
        )))
    }

    /// Whether it can be booked what becomes known of outages.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for an outage that lasts beyond what can be booked ahead when it becomes known, and where no processing elements may leave.
    pub fn check_notices(&self, notices: &[Notice]) -> Result<()> {
        if !notices.is_empty() && !self.outages {
            return Err(Error::Usage(
                "outages on a machine whose PEs do not leave".to_owned(),
            ));
        }
        let seconds = u64::from(self.slot_seconds);
        let slots = |notice: &Notice| {
            let known = notice.announced.div_ceil(seconds);
            notice.end.div_ceil(seconds).saturating_sub(known)
        };
        match notices
            .iter()
            .find(|notice| slots(notice) > u64::from(self.slots))
        {
            None => Ok(()),
            Some(notice) => Err(Error::Usage(format!(
                "outage {} lasts until {}, which is {} slots after second {} in which it becomes known: expected at most {}; say --slots",
                notice.id,
                notice.end,
                slots(notice),
                notice.announced,
                self.slots
            ))),
        }
    }

    /// Whether what is done at a late start makes sense.
    fn check_on_late(&self) -> Result<()> {
        let on_late = self.strategy.overlay().unwrap_or_default().on_late;
        let problem = match on_late {
            OnLate::Wait => return Ok(()),
            _ if self.redundancy.is_some() => {
                "a copy that is late is given back while there are others; leave out --redundancy"
            }
            OnLate::Compensate(_) if !self.has_prices() => "nothing costs anything; say --price",
            _ => return Ok(()),
        };
        Err(Error::Usage(format!("--on-late {on_late}: {problem}")))
    }

    /// Whether it can meet these demands.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for a best-effort job without a queue, and for a request that leaves its length open where the strategy grants
    /// one length only.
    pub fn check_demands(&self, demands: &Outline) -> Result<()> {
        self.check_waiting(demands)?;
        self.check_joint_demands(demands)?;
        if self.best_effort.is_none()
            && let Some(job_id) = demands.first_best_effort
        {
            return Err(Error::Usage(format!(
                "job {job_id} is best effort, but there is no queue; say --queue fcfs, easy or conservative"
            )));
        }
        let Some(job_id) = demands.first_range else {
            return Ok(());
        };
        let (strategy, binding) = (self.strategy, self.binding);
        let grants = match strategy {
            _ if self.placing.is_some() => false,
            Strategy::Fit(_) => binding != Binding::LateControl,
            Strategy::Overlay(_) => true,
            _ => false,
        };
        let problem = match (grants, self.redundancy) {
            (true, None) => return Ok(()),
            (true, Some(redundancy)) => {
                format!("--redundancy {redundancy}: all copies have one length")
            }
            (false, _) if self.placing.is_some() => {
                return Err(Error::Usage(format!(
                    "--layout: one length only is granted, but request {job_id} has a duration_min"
                )));
            }
            (false, _) => format!("--strategy {} grants one length only", strategy.name()),
        };
        Err(Error::Usage(format!(
            "{problem}, but request {job_id} has a duration_min; say --strategy fit or overlay, without copies"
        )))
    }

    /// Whether these operations can be done.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for operations where requests wait or make jobs leave.
    pub fn check_operations(&self, operations: &[Operation]) -> Result<()> {
        self.check_joint_operations(operations)?;
        let Some(operation) = operations.first() else {
            return Ok(());
        };
        let (option, place) = match (&self.wait, self.preempt) {
            (Some(_), _) => ("--wait", "where requests wait"),
            (None, Some(_)) => ("--preempt", "for which jobs leave"),
            (None, None) => return Ok(()),
        };
        Err(Error::Usage(format!(
            "{option}: nothing is done to reservations {place} yet, but row {} is an operation",
            operation.job_id
        )))
    }

    fn can_count_prices(&self) -> bool {
        let pes = PeCount::new(self.pes.into());
        let minutes = (u64::from(self.slots) * u64::from(self.slot_seconds)).div_ceil(MINUTE);
        let reserved = self.tariff.reserved(Span::new(self.slots), pes);
        reserved.is_ok() && self.tariff.best_effort(minutes, pes).is_ok()
    }
}

/// How many parts of outages can be in a book at a time at most: each processing element comes free once by itself, and once behind each other
/// outage that is there, and a part begins with one that comes free.
fn most_parts(notices: &[Notice]) -> usize {
    let mut alive = Alive::new();
    for notice in notices {
        alive.add(&Lifetime {
            arrival: notice.announced,
            deadline: notice.end,
        });
    }
    let widest = notices.iter().map(Notice::width).max();
    widest.map_or(0, |widest| {
        let together = alive.most;
        together.saturating_mul(widest.saturating_add(together))
    })
}
