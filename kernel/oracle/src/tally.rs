//! What happened in a run.

use std::collections::BTreeMap;

use bookahead::{Error, EventKind};

/// What a run consisted of, so that a test can insist that it met what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Operations applied.
    pub operations: u64,
    /// Reservations accepted.
    pub accepted: u64,
    /// Refusals and misuses.
    pub declined: u64,
    /// The same by the names of the reasons.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Events by kind, in the order of [`EventKind::ALL`].
    pub events: [u64; EventKind::ALL.len()],
    /// Advances that ran out of room.
    pub cut_short: u64,
    /// Advances that ran out of room before a waiting job could start.
    pub looks_cut_short: u64,
    /// Offers that solve their query.
    pub solutions: u64,
    /// Offers that do not.
    pub alternatives: u64,
    /// Lists that could not hold all offers.
    pub more: u64,
    /// Offers accepted.
    pub taken: u64,
    /// Offers accepted in part.
    pub reduced: u64,
    /// Jobs that began to wait.
    pub submitted: u64,
    /// Jobs that were taken out of the queue.
    pub withdrawn: u64,
    /// Jobs that started while one submitted earlier waited.
    pub passed: u64,
    /// Reservations that committed transactions have moved, made or removed.
    pub moved: u64,
    /// How many savepoints of one transaction were valid at once, at most.
    pub deepest: usize,
    /// Whatever else was done, and to what: a reservation's state, or how it came out.
    pub done: BTreeMap<(&'static str, &'static str), u64>,
}

impl Tally {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.accepted += other.accepted;
        self.declined += other.declined;
        self.cut_short += other.cut_short;
        self.looks_cut_short += other.looks_cut_short;
        self.solutions += other.solutions;
        self.alternatives += other.alternatives;
        self.more += other.more;
        self.taken += other.taken;
        self.reduced += other.reduced;
        self.submitted += other.submitted;
        self.withdrawn += other.withdrawn;
        self.passed += other.passed;
        self.moved += other.moved;
        self.deepest = self.deepest.max(other.deepest);
        for (done, more) in &other.done {
            *self.done.entry(*done).or_default() += more;
        }
        for (sum, more) in self.events.iter_mut().zip(other.events) {
            *sum += more;
        }
        for (reason, more) in &other.reasons {
            *self.reasons.entry(reason).or_default() += more;
        }
    }

    /// Notes that something was done to what was in that state.
    pub(crate) fn note(&mut self, what: &'static str, state: &'static str) {
        *self.done.entry((what, state)).or_default() += 1;
    }

    /// How often something was done to what was in that state.
    #[must_use]
    pub fn times(&self, what: &'static str, state: &'static str) -> u64 {
        self.done.get(&(what, state)).copied().unwrap_or_default()
    }

    /// Notes an event of `kind`.
    pub(crate) fn note_event(&mut self, kind: EventKind) {
        self.events[place(kind)] += 1;
    }

    /// Notes a call that failed.
    pub(crate) fn decline(&mut self, error: Error) {
        self.declined += 1;
        *self.reasons.entry(error.name()).or_default() += 1;
    }

    /// How many events of `kind` were reported.
    #[must_use]
    pub fn of(&self, kind: EventKind) -> u64 {
        self.events[place(kind)]
    }

    /// How many calls failed for this reason.
    #[must_use]
    pub fn because(&self, error: impl Into<Error>) -> u64 {
        self.reasons
            .get(error.into().name())
            .copied()
            .unwrap_or_default()
    }
}

/// Where `kind` is counted; codes begin at 1.
fn place(kind: EventKind) -> usize {
    usize::from(kind.code()) - 1
}
