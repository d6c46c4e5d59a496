//! What arrives, as something that can be gone through again and again: a workload need not lie in memory to be run.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use crate::{
    error::Result,
    operation::{Action, Alter, Operation, Script},
    outage::Notice,
    request::{Demand, JobRequest},
};

/// Demands in order of arrival, the same ones each time that they are gone through.
pub trait Demands: Sync {
    /// All of them, from the first on.
    ///
    /// # Errors
    /// Whatever is wrong with where they come from; so do the demands themselves.
    fn each(&self) -> Result<Box<dyn Iterator<Item = Result<Demand>> + '_>>;
}

impl Demands for &[Demand] {
    fn each(&self) -> Result<Box<dyn Iterator<Item = Result<Demand>> + '_>> {
        Ok(Box::new(self.iter().cloned().map(Ok)))
    }
}

impl Demands for Vec<Demand> {
    fn each(&self) -> Result<Box<dyn Iterator<Item = Result<Demand>> + '_>> {
        Ok(Box::new(self.iter().cloned().map(Ok)))
    }
}

static NO_DEMANDS: &[Demand] = &[];
static NO_OUTLINE: Outline = Outline::new(None);

/// What arrives: demands, what is done to reservations, and what becomes known of outages.
#[derive(Clone, Copy)]
pub struct Arrivals<'a> {
    /// The demands.
    pub demands: &'a dyn Demands,
    /// What is known of them in advance.
    pub outline: &'a Outline,
    /// The operations in order of arrival.
    pub operations: &'a [Operation],
    /// What becomes known of outages, in that order.
    pub notices: &'a [Notice],
}

impl<'a> Arrivals<'a> {
    /// Nothing arrives.
    pub const NONE: Arrivals<'static> = Arrivals {
        demands: &NO_DEMANDS,
        outline: &NO_OUTLINE,
        operations: &[],
        notices: &[],
    };

    /// Those of a script, of which the outline is known.
    #[must_use]
    pub fn of(script: &'a Script, outline: &'a Outline) -> Self {
        Self {
            demands: &script.demands,
            outline,
            operations: &script.operations,
            notices: &script.notices,
        }
    }

    /// Whether every demand is a firm one and nothing is done to it later.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.operations.is_empty() && self.outline.first_hold.is_none()
    }

    /// How many reservations can live at a time at most, in slots of so many seconds.
    pub(crate) fn alive(&self, slot_seconds: u32) -> Result<usize> {
        if self.operations.is_empty() {
            return Ok(self.outline.alive.most);
        }
        let mut lives = lives(self.demands.each()?, self.outline.longer)?;
        lives.follow(self.operations, slot_seconds);
        Ok(lives.most_alive())
    }
}

/// What is known of demands after they have been gone through once.
#[derive(Clone, Debug)]
pub struct Outline {
    /// How many there are.
    pub demands: usize,
    /// How many of them are best-effort jobs.
    pub best_effort: usize,
    /// When the first arrives (s).
    pub first_arrival: Option<u64>,
    /// The latest deadline (s), of those that have one.
    pub last_deadline: Option<u64>,
    /// The number of the first best-effort job.
    pub first_best_effort: Option<u64>,
    /// The number of the first request that is but held.
    pub first_hold: Option<u64>,
    /// The number of the first request that leaves its length open.
    pub first_range: Option<u64>,
    /// The first request that is for no single length or for exactly these processing elements: of those that may wait, and of all.
    pub(crate) first_unusual: [Option<Unusual>; 2],
    /// How long a slot is (s), where jobs may run longer than was booked.
    longer: Option<u32>,
    alive: Alive,
}

/// A request that cannot wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unusual {
    pub(crate) job_id: u64,
    /// Whether it is for exactly these processing elements.
    pub(crate) exact: bool,
}

impl Outline {
    const fn new(longer: Option<u32>) -> Self {
        Self {
            demands: 0,
            best_effort: 0,
            first_arrival: None,
            last_deadline: None,
            first_best_effort: None,
            first_hold: None,
            first_range: None,
            first_unusual: [None; 2],
            longer,
            alive: Alive::new(),
        }
    }

    /// Of demands in slots of so many seconds, where jobs may run longer than was booked.
    ///
    /// # Errors
    /// Whatever is wrong with the demands.
    pub fn of(demands: &dyn Demands, longer: Option<u32>) -> Result<Self> {
        let mut outline = Self::new(longer);
        for demand in demands.each()? {
            outline.add(&demand?);
        }
        Ok(outline)
    }

    /// The same of demands in memory.
    #[must_use]
    pub fn of_all<'d>(demands: impl IntoIterator<Item = &'d Demand>, longer: Option<u32>) -> Self {
        let mut outline = Self::new(longer);
        demands.into_iter().for_each(|demand| outline.add(demand));
        outline
    }

    fn add(&mut self, demand: &Demand) {
        let arrival = demand.arrival();
        self.demands += 1;
        self.last_deadline = self.last_deadline.max(demand.deadline());
        self.first_arrival = Some(self.first_arrival.map_or(arrival, |at| at.min(arrival)));
        let Some(request) = demand.request() else {
            self.best_effort += 1;
            self.first_best_effort.get_or_insert(demand.job_id());
            return;
        };
        let job_id = request.job_id;
        if matches!(demand, Demand::Hold(_)) {
            self.first_hold.get_or_insert(job_id);
        }
        if request.shortest.is_some() {
            self.first_range.get_or_insert(job_id);
        }
        let exact = request.asks.as_ref().is_some_and(|asks| asks.is_exact());
        if exact || request.shortest.is_some() {
            let [waiting, all] = &mut self.first_unusual;
            let unusual = Unusual { job_id, exact };
            all.get_or_insert(unusual);
            if !request.impatient {
                waiting.get_or_insert(unusual);
            }
        }
        self.alive.add(&Lifetime::of(request, self.longer));
    }

    /// How many requests to reserve there are.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.demands - self.best_effort
    }
}

/// When a reservation may be made, and when it is over at the latest.
pub(crate) struct Lifetime {
    pub(crate) arrival: u64,
    pub(crate) deadline: u64,
}

impl Lifetime {
    pub(crate) fn of(request: &JobRequest, longer: Option<u32>) -> Self {
        let more = request.run.saturating_sub(request.duration);
        let more = match longer {
            Some(slot_seconds) if more > 0 => more.saturating_add(slot_seconds.into()),
            _ => 0,
        };
        Self {
            arrival: request.arrival,
            deadline: request.deadline.saturating_add(more),
        }
    }
}

/// How many reservations can live at a time at most: at each arrival, those so far whose deadline is still to come.
#[derive(Clone, Debug)]
pub(crate) struct Alive {
    deadlines: BinaryHeap<Reverse<u64>>,
    pub(crate) most: usize,
}

impl Alive {
    pub(crate) const fn new() -> Self {
        Self {
            deadlines: BinaryHeap::new(),
            most: 1,
        }
    }

    /// Whether there was none at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.deadlines.is_empty()
    }

    /// One more, in order of arrival.
    pub(crate) fn add(&mut self, life: &Lifetime) {
        while let Some(&Reverse(earliest)) = self.deadlines.peek()
            && earliest < life.arrival
        {
            self.deadlines.pop();
        }
        self.deadlines.push(Reverse(life.deadline));
        self.most = self.most.max(self.deadlines.len());
    }
}

/// Every reservation that may be made, second parts of splits included. Operations are taken to succeed, and their new deadlines to hold from
/// the beginning.
#[derive(Default)]
struct Lives {
    lives: Vec<Lifetime>,
    known: HashMap<u64, usize>,
}

fn lives(demands: impl Iterator<Item = Result<Demand>>, longer: Option<u32>) -> Result<Lives> {
    let mut lives = Lives::default();
    for demand in demands {
        if let Some(request) = demand?.request() {
            lives.add(request.job_id, Lifetime::of(request, longer));
        }
    }
    Ok(lives)
}

impl Lives {
    fn add(&mut self, job_id: u64, life: Lifetime) {
        self.known.insert(job_id, self.lives.len());
        self.lives.push(life);
    }

    fn follow(&mut self, operations: &[Operation], slot_seconds: u32) {
        for operation in operations {
            let target = self.known.get(&operation.target);
            let Some(life) = target.and_then(|index| self.lives.get_mut(*index)) else {
                continue;
            };
            match operation.action {
                Action::Alter(Alter::ChangeWindow { deadline, .. }) => {
                    life.deadline = life.deadline.max(deadline)
                }
                // It starts before its deadline; where it ends is then rounded up to a slot.
                Action::Alter(Alter::Extend { duration }) | Action::ExtendByForce { duration } => {
                    let more = duration.saturating_add(slot_seconds.into());
                    life.deadline = life.deadline.saturating_add(more);
                }
                Action::Split { .. } => {
                    let second = Lifetime {
                        arrival: operation.arrival,
                        deadline: life.deadline,
                    };
                    self.add(operation.job_id, second);
                }
                _ => {}
            }
        }
    }

    fn most_alive(mut self) -> usize {
        self.lives.sort_by_key(|life| life.arrival);
        let mut alive = Alive::new();
        self.lives.iter().for_each(|life| alive.add(life));
        alive.most
    }
}
