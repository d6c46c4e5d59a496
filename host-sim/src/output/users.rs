//! The rows of users.csv.

use std::collections::{BTreeMap, HashMap};

use crate::{
    engine::{
        Outcome, Story,
        distribution::{Distribution, rate},
        measures::WAITING,
    },
    files::{Decimal, User},
};

/// One row for each user, by number, with whatever a user did; nothing where the input names no user.
pub(crate) fn rows(story: &Story) -> Vec<User> {
    let parts = story.operated.iter().filter_map(|done| done.part.as_ref());
    let mut users: BTreeMap<Option<u64>, Vec<&Outcome>> = BTreeMap::new();
    for outcome in story.outcomes.iter().chain(parts) {
        let of_user = users.entry(outcome.demand.user()).or_default();
        of_user.push(outcome);
    }
    if users.keys().all(Option::is_none) {
        return Vec::new();
    }
    let mut pieces: HashMap<u64, u64> = HashMap::new();
    for piece in &story.pieces {
        *pieces.entry(piece.job_id).or_default() += piece.stretch().pe_seconds();
    }
    let row = |(user, outcomes): (_, Vec<&Outcome>)| row(user, &outcomes, &pieces);
    users.into_iter().map(row).collect()
}

fn row(user: Option<u64>, outcomes: &[&Outcome], pieces: &HashMap<u64, u64>) -> User {
    let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|one| is(one)).count();
    let requests = count(&|one| one.reservation().is_some());
    let accepted = count(&|one| one.accepted().is_some());
    let placed = || {
        let placed = outcomes
            .iter()
            .map(|one| (*one, one.decision.as_ref().ok()));
        placed.filter_map(|(one, placed)| Some((one, placed?)))
    };
    let ran = placed().filter(|(_, placed)| placed.has_run());
    let waits = placed().filter_map(|(one, placed)| match one.best_effort() {
        Some((job, _)) => Some((placed.began - job.arrival) as f64),
        None => (WAITING.of)(one),
    });
    let stretches = ran.filter_map(|(one, placed)| placed.stretch(one.demand.arrival()));
    let used = placed().flat_map(|(_, placed)| placed.used().map(|used| used.pe_seconds()));
    let ended = outcomes
        .iter()
        .filter_map(|one| pieces.get(&one.demand.job_id()));
    let asked = outcomes.iter().map(|one| {
        let demand = &one.demand;
        demand.pes().saturating_mul(demand.duration())
    });
    User {
        user,
        requests: requests as u64,
        accepted: accepted as u64,
        acceptance_rate: rate(accepted as f64, requests as f64).map(Decimal),
        best_effort: (outcomes.len() - requests) as u64,
        requested_pe_seconds: asked.fold(0, u64::saturating_add),
        used_pe_seconds: used.chain(ended.copied()).fold(0, u64::saturating_add),
        mean_waiting: Distribution::of(waits).mean.map(Decimal),
        mean_stretch: Distribution::of(stretches).mean.map(Decimal),
    }
}
