//! The rows of users.csv, summed up while a run is told.

use std::collections::{BTreeMap, HashMap};

use crate::{
    engine::{Outcome, Story, distribution::rate, measures::WAITING, story::Piece},
    files::{Decimal, User},
    saved::{Saved, saves},
};

/// What each user asked for and got so far.
#[derive(Default)]
pub(crate) struct Users {
    users: BTreeMap<Option<u64>, Sums>,
    /// PE-seconds of the runs of each job that were ended for reservations.
    pieces: HashMap<u64, u64>,
}

/// What one of them asked for and got.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Sums {
    requests: u64,
    accepted: u64,
    best_effort: u64,
    requested_pe_seconds: u64,
    used_pe_seconds: u64,
    /// How many waited how long in all, and what all stretches come to.
    waiting: (usize, f64),
    stretch: (usize, f64),
}

impl Saved for Users {
    saves!(users pieces);
}

impl Users {
    /// Those of a story.
    pub(crate) fn of(story: &Story) -> Vec<User> {
        let mut users = Self::default();
        story.pieces.iter().for_each(|piece| users.piece(piece));
        story.outcomes.iter().for_each(|outcome| users.add(outcome));
        let parts = story.operated.iter().filter_map(|done| done.part.as_ref());
        parts.for_each(|part| users.part(part));
        users.rows()
    }

    /// A run of a job was ended for a reservation, before what became of the job.
    pub(crate) fn piece(&mut self, piece: &Piece) {
        let sum = self.pieces.entry(piece.job_id).or_default();
        *sum += piece.stretch().pe_seconds();
    }

    /// The second part of a reservation that was split, which was asked for with the first.
    pub(crate) fn part(&mut self, part: &Outcome) {
        self.users
            .entry(part.demand.user())
            .or_default()
            .use_of(part);
    }

    /// What became of the next demand.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        let demand = &outcome.demand;
        let ended = self.pieces.get(&demand.job_id()).copied().unwrap_or(0);
        let sums = self.users.entry(demand.user()).or_default();
        match outcome.reservation() {
            Some(_) => sums.requests += 1,
            None => sums.best_effort += 1,
        }
        sums.accepted += u64::from(outcome.accepted().is_some());
        let asked = demand.pes().saturating_mul(demand.duration());
        sums.requested_pe_seconds = sums.requested_pe_seconds.saturating_add(asked);
        sums.used_pe_seconds = sums.used_pe_seconds.saturating_add(ended);
        sums.use_of(outcome);
        let Ok(placed) = &outcome.decision else {
            return;
        };
        let waited = match outcome.best_effort() {
            Some((job, _)) => Some((placed.began - job.arrival) as f64),
            None => (WAITING.of)(outcome),
        };
        let stretch = placed.has_run().then(|| placed.stretch(demand.arrival()));
        for (mean, number) in [
            (&mut sums.waiting, waited),
            (&mut sums.stretch, stretch.flatten()),
        ] {
            mean.0 += usize::from(number.is_some());
            mean.1 += number.unwrap_or(0.0);
        }
    }

    /// One row for each user, by number, with whatever a user did; nothing where the input names no user.
    pub(crate) fn rows(self) -> Vec<User> {
        if self.users.keys().all(Option::is_none) {
            return Vec::new();
        }
        let users = self.users.into_iter();
        users.map(|(user, sums)| sums.row(user)).collect()
    }
}

impl Sums {
    /// What a job really used.
    fn use_of(&mut self, outcome: &Outcome) {
        for used in outcome.decision.iter().flat_map(|placed| placed.used()) {
            self.used_pe_seconds = self.used_pe_seconds.saturating_add(used.pe_seconds());
        }
    }

    fn row(self, user: Option<u64>) -> User {
        let mean = |(count, sum): (usize, f64)| rate(sum, count as f64).map(Decimal);
        User {
            user,
            requests: self.requests,
            accepted: self.accepted,
            acceptance_rate: rate(self.accepted as f64, self.requests as f64).map(Decimal),
            best_effort: self.best_effort,
            requested_pe_seconds: self.requested_pe_seconds,
            used_pe_seconds: self.used_pe_seconds,
            mean_waiting: mean(self.waiting),
            mean_stretch: mean(self.stretch),
        }
    }
}
