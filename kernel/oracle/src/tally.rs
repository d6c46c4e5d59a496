//! What happened in a run.

use bookahead::EventKind;

/// What a run consisted of, so that a test can insist that it met what it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Operations applied.
    pub operations: u64,
    /// Reservations accepted.
    pub accepted: u64,
    /// Refusals and misuses.
    pub declined: u64,
    /// Plans found stale.
    pub stale_plans: u64,
    /// Events by kind, in the order of [`EventKind::ALL`].
    pub events: [u64; EventKind::ALL.len()],
    /// Advances that ran out of room.
    pub cut_short: u64,
}

impl Tally {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        self.accepted += other.accepted;
        self.declined += other.declined;
        self.stale_plans += other.stale_plans;
        self.cut_short += other.cut_short;
        for (sum, more) in self.events.iter_mut().zip(other.events) {
            *sum += more;
        }
    }

    /// Notes an event of `kind`.
    pub(crate) fn note(&mut self, kind: EventKind) {
        self.events[place(kind)] += 1;
    }

    /// How many events of `kind` were reported.
    #[must_use]
    pub fn of(&self, kind: EventKind) -> u64 {
        self.events[place(kind)]
    }
}

/// Where `kind` is counted; codes begin at 1.
fn place(kind: EventKind) -> usize {
    usize::from(kind.code()) - 1
}
