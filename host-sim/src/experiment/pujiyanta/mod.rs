//! The experiments of `pujiyanta`: reservations that are shifted to the right (FCFS-EDS), or to the right and to the left (FCFS-LRH),
//! beside jobs without reservations.
//!
//! Every system at every point of a rate sees the same jobs in replication r; points differ in who is flexible. What the paper leaves open is
//! fitted once to its baseline, by the rule in `fit`, and the same for all rows.
//!
//! Source: Pujiyanta, Nugroho, Widyawan, "Job scheduling strategies in grid computing" (2022).

mod checks;
mod claims;
mod figures;
mod fit;
mod loss;
mod measures;
mod points;
mod systems;
mod views;
mod workload;

use std::{ops::RangeInclusive, sync::OnceLock};

use serde_json::{Value, json};

use self::{
    fit::{FITTED, SUBMITTING},
    loss::AtPoint,
    points::{NODES, Point, RATES, SHARES, WINDOW},
    systems::LRH,
    views::{Views, point},
    workload::{Flexibility, Workload},
};
use super::{Paper, PaperResults, Source};
use crate::error::Result;

/// How large the experiment is.
pub(super) struct Pujiyanta {
    seed: u64,
    /// For how many slots requests are made.
    slots: u64,
    /// Replications of the main reading.
    replications: u32,
    /// Replications of the other readings.
    other_replications: u32,
    /// Replications in which ways to shift are compared in the same states.
    looked_at: u32,
    /// Widths of the candidates of the fit that are shown.
    widest: RangeInclusive<u64>,
    looks: OnceLock<Vec<AtPoint>>,
}

/// Replications of the whole experiment: of the main reading, and of the others.
const FULL: [u32; 2] = [40, 20];

impl Pujiyanta {
    pub(super) fn new(seed: u64, quick: bool) -> Self {
        let [replications, other_replications] = if quick { [10, 4] } else { FULL };
        Self {
            seed,
            slots: SUBMITTING,
            replications,
            other_replications,
            looked_at: if quick { 1 } else { 4 },
            widest: match quick {
                true => FITTED.widest - 1..=FITTED.widest + 1,
                false => 1..=NODES.into(),
            },
            looks: OnceLock::new(),
        }
    }

    fn workload(&self, flexibility: Flexibility) -> Workload {
        Workload {
            jobs: FITTED,
            flexibility,
            slots: self.slots,
            seed: self.seed,
        }
    }

    /// Ways to shift in the same states; compared once.
    fn looks(&self) -> Result<&[AtPoint]> {
        if let Some(looks) = self.looks.get() {
            return Ok(looks);
        }
        let workload = self.workload(Flexibility::Window);
        let looks = loss::looks(&workload, self.looked_at)?;
        Ok(self.looks.get_or_init(|| looks))
    }

    pub(super) fn paper(&self) -> Paper<'_, Point> {
        Paper {
            name: "pujiyanta",
            source: Source {
                title: "Job scheduling strategies in grid computing",
                authors: "Pujiyanta, Nugroho, Widyawan",
                year: Some(2022),
                question: "Users say by how much their reservations may be shifted to the left and to the right. How much more of a machine is used than with a queue and no reservations?",
            },
            glossary: include_str!("glossary.csv"),
            in_full: FULL[0],
            disclaimer: "",
            workload: "Poisson, fitted to the column without reservation of table IV".to_owned(),
            seed: self.seed,
            assumptions: systems::assumptions(self),
            measures: &measures::MEASURES,
            claims: |runs| claims::claims(&Views::of(runs)),
            // FCFS-LRH with the lower rate and all users flexible, where most is shifted.
            sample: (point(RATES[0], SHARES[SHARES.len() - 1], false), LRH),
            found: Box::new(|ran, _, _| {
                Ok(PaperResults {
                    checks: checks::claims(self, &Views::of(&ran[0].samples))?,
                    figures: figures::figures(self, ran)?,
                    settings: self.settings(),
                })
            }),
        }
    }

    fn settings(&self) -> Value {
        json!({
            "nodes": NODES,
            "sliding_window_slots": WINDOW,
            "slots_with_requests": self.slots,
            "longest_job_slots": FITTED.longest,
            "widest_job_nodes": FITTED.widest,
            "streams_for_exact_search": self.looked_at,
        })
    }
}

#[cfg(test)]
impl Pujiyanta {
    /// As little as a test needs.
    pub(super) fn tiny(seed: u64) -> Self {
        Self {
            slots: 40,
            replications: 2,
            other_replications: 1,
            // The narrowest that ask for enough: the fewest candidates.
            widest: 3..=3,
            ..Self::new(seed, true)
        }
    }
}
