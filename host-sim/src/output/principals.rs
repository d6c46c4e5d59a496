//! The rows of principals.csv, summed up while a run is told.

use std::borrow::Cow;

use crate::{
    engine::{Outcome, Placed, Story, distribution::rate},
    files::{Decimal, PrincipalRow},
    saved::{Saved, saves},
    several::{Principal, chain},
};

/// What each principal asked for and got so far.
pub(crate) struct Principals<'s> {
    principals: &'s [Principal],
    /// The last one is nobody in particular.
    sums: Vec<Sums>,
    used: u64,
}

/// What one of them asked for and got.
#[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
struct Sums {
    requests: u64,
    accepted: u64,
    requested: u64,
    used: u64,
}

impl Saved for Principals<'_> {
    saves!(sums used);
}

impl<'s> Principals<'s> {
    /// Nothing so far.
    pub(crate) fn new(principals: &'s [Principal]) -> Self {
        Self {
            principals,
            sums: vec![Sums::default(); principals.len() + 1],
            used: 0,
        }
    }

    /// Those of a story.
    pub(crate) fn of(principals: &'s [Principal], story: &Story) -> Vec<PrincipalRow> {
        let mut all = Self::new(principals);
        story.outcomes.iter().for_each(|outcome| all.add(outcome));
        all.rows()
    }

    /// What became of the next demand. Nothing of a reservation of a principal is split or queued.
    pub(crate) fn add(&mut self, outcome: &Outcome) {
        let Some((request, decision)) = outcome.reservation() else {
            return;
        };
        let used = decision.iter().flat_map(|placed| Placed::used(placed));
        let used = used
            .map(|used| used.pe_seconds())
            .fold(0, u64::saturating_add);
        self.used = self.used.saturating_add(used);
        let nobody = self.principals.len();
        let chain: Vec<usize> = match request.principal {
            Some(principal) => chain(self.principals, principal).collect(),
            None => vec![nobody],
        };
        for sums in chain {
            let sums = &mut self.sums[sums];
            sums.requests += 1;
            sums.accepted += u64::from(decision.is_ok());
            let asked = request.pes.saturating_mul(request.duration);
            sums.requested = sums.requested.saturating_add(asked);
            sums.used = sums.used.saturating_add(used);
        }
    }

    /// One row for each principal in their order, then one for the requests of nobody in particular, if there are any; nothing where there are no quotas.
    pub(crate) fn rows(self) -> Vec<PrincipalRow> {
        if self.principals.is_empty() {
            return Vec::new();
        }
        let all = self.used as f64;
        let names = self.principals.iter().map(|one| {
            let parent = one
                .parent
                .map_or(String::new(), |parent| parent.to_string());
            [one.name.to_string(), parent]
        });
        let nobody = [String::new(), String::new()];
        let rows = names.chain([nobody]).zip(self.sums);
        let rows = rows.filter(|([name, _], sums)| !name.is_empty() || sums.requests > 0);
        let rows = rows.map(|([principal, parent], sums)| PrincipalRow {
            principal: Cow::Owned(principal),
            parent: Cow::Owned(parent),
            requests: sums.requests,
            accepted: sums.accepted,
            acceptance_rate: rate(sums.accepted as f64, sums.requests as f64).map(Decimal),
            requested_pe_seconds: sums.requested,
            used_pe_seconds: sums.used,
            share: rate(sums.used as f64, all).map(Decimal),
        });
        rows.collect()
    }
}
