//! The system that is simulated.

use std::{borrow::Cow, sync::Arc};

use bookahead::{
    Discipline, Tariff,
    raw::{columns, schedule_bytes, waiting_list_bytes, workspace_bytes},
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn, Sizes};

use super::{
    binding::Binding,
    classes::Classes,
    priority::Priority,
    redundancy::Redundancy,
    strategy::{Load, Moving, Strategy, entries},
};
use crate::{
    arrivals::{Alive, Arrivals, Lifetime},
    error::Result,
    layout::{Layout, Placing, Prefer},
    operation::{Action, Operation},
    outage::Notice,
    rule::Rule,
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

    /// Whether users are told, by whose use requests or jobs of the queue are ordered.
    pub(crate) fn orders_by_user(&self) -> bool {
        [&self.wait, &self.queue_order].contains(&&Some(Priority::User))
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
