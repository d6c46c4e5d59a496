//! Which parts of a system go together, and which systems can meet which demands.

use bookahead::{Admission, PeCount, Span};

use super::{
    binding::Binding,
    strategy::{Elastic, Juggle, OnLate, Strategy},
    system::{MINUTE, System},
};
use crate::{
    arrivals::{Outline, Unusual},
    error::{Error, Result},
    operation::Operation,
    outage::Notice,
    rule::{self, Rule},
};

impl System {
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
                "--sites: {} finds room at one site only; with several, say --strategy fit, elastic or overlay",
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
        if let (Some(redundancy), Strategy::Elastic(_)) = (self.redundancy, self.strategy) {
            return usage(format!(
                "--redundancy {redundancy}: copies are of all that was asked for, which users of --strategy elastic may reduce; say --strategy fit or overlay"
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
            Strategy::Elastic(_) | Strategy::Overlay(_) => self.knows_numbers_only(),
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
            Strategy::Elastic(_) | Strategy::Overlay(_) => self.knows_numbers_only(),
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
            Strategy::Elastic(_) => {
                "jobs then take longer than was booked, but --strategy elastic grants some of them less time than they asked for, and they have to end with \
                 that; leave out --overrun, or say --strategy fit, rigid, juggle, shift or juggle-shift"
                    .to_owned()
            }
            Strategy::Overlay(_) => {
                "jobs then take longer than was booked, but --strategy overlay promises starts by how probably others end before their bookings do; \
                 leave out --overrun, or say --strategy fit, rigid, juggle, shift or juggle-shift"
                    .to_owned()
            }
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
                "--queue and --rules do not go together yet, as jobs of a queue would not hear of a rule that ends; leave out --queue".to_owned()
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
            _ if self.binding == Binding::LateControl => self.is_asked_at_arrival(),
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
            Strategy::Fit(_) => self.is_asked_at_arrival(),
            strategy => format!(
                "--strategy {} makes room itself; say --strategy fit, rigid or elastic",
                strategy.name()
            ),
        };
        Err(Error::Usage(format!("--preempt: {problem}")))
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
                "--rules do not go with it yet, as who waits would not hear of a rule that ends; leave out --rules".to_owned()
            }
            _ if self.relocates() => {
                "nobody makes room for who waits yet; leave out --relocate".to_owned()
            }
            Strategy::Fit(_) | Strategy::Rigid if binding == Binding::LateControl => self.is_asked_at_arrival(),
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

    /// Strategies that count processing elements cannot leave out some of them.
    fn knows_numbers_only(&self) -> String {
        format!(
            "--strategy {} knows how many PEs are free, not which; say fit, rigid, juggle, shift or juggle-shift",
            self.strategy.name()
        )
    }

    fn is_asked_at_arrival(&self) -> String {
        format!(
            "{} binding is asked at arrival only; say early or late",
            self.binding.name()
        )
    }
}
