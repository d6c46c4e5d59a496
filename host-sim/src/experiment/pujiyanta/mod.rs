//! The experiments of `pujiyanta`: reservations that are shifted to the right (FCFS-EDS), or to the right and to the left (FCFS-LRH),
//! beside jobs without reservations.
//!
//! Every system at every point of a rate sees the same jobs in replication r; points differ in who is flexible. What the paper leaves open is
//! fitted once to its baseline, by the rule in `fit`, and the same for all rows.
//!
//! Source: Pujiyanta, Nugroho, Widyawan, "Job scheduling strategies in grid computing" (2022).

mod claims;
mod figures;
mod fit;
mod loss;
mod measures;
mod once;
mod points;
mod systems;
mod views;
mod workload;

use std::{ops::RangeInclusive, path::Path, sync::OnceLock};

use serde_json::{Value, json};

use self::{
    fit::{FITTED, SUBMITTING},
    loss::Look,
    points::{NODES, Point, RATES, SHARES, WINDOW},
    systems::LRH,
    views::point,
    workload::{Flexibility, Workload},
};
use super::{Assumption, Audit, Claim, Figure, Measure, Panels, Paper, Ran, Samples};
use crate::{error::Result, progress::Progress};

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
    looks: OnceLock<Vec<Look>>,
}

impl Pujiyanta {
    /// As little as a test needs.
    #[cfg(test)]
    pub(super) fn tiny(seed: u64) -> Self {
        Self {
            slots: 40,
            replications: 2,
            other_replications: 1,
            // The narrowest that ask for enough: the fewest candidates.
            widest: 3..=3,
            ..Self::full(None, seed).unwrap().quick()
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
    fn looks(&self) -> Result<&[Look]> {
        if let Some(looks) = self.looks.get() {
            return Ok(looks);
        }
        let workload = self.workload(Flexibility::Window);
        let looks = loss::looks(&workload, self.looked_at)?;
        Ok(self.looks.get_or_init(|| looks))
    }
}

impl Paper for Pujiyanta {
    type Point = Point;

    const NAME: &'static str = "pujiyanta";
    const CLAIMS: &'static str = include_str!("claims.csv");
    const MEASURES: &'static [Measure] = &measures::MEASURES;

    fn full(_: Option<&Path>, seed: u64) -> Result<Self> {
        Ok(Self {
            seed,
            slots: SUBMITTING,
            replications: 40,
            other_replications: 20,
            looked_at: 4,
            widest: 1..=NODES.into(),
            looks: OnceLock::new(),
        })
    }

    fn quick(self) -> Self {
        Self {
            replications: 10,
            other_replications: 4,
            looked_at: 1,
            widest: FITTED.widest - 1..=FITTED.widest + 1,
            ..self
        }
    }

    fn assumptions(&self) -> Vec<Assumption<'_, Point>> {
        systems::assumptions(self)
    }

    fn panels(samples: &Samples<Point>) -> Panels {
        views::panels(samples)
    }

    fn claims(&self, ran: &[Ran<Point>], _: &Audit, _: &Progress) -> Result<Vec<Claim>> {
        let mut claims = once::claims(self, &ran[0].evidence.panels)?;
        claims.extend(claims::claims());
        Ok(claims)
    }

    fn figures(&self, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
        figures::figures(self, ran)
    }

    /// FCFS-LRH with the lower rate and all users flexible, where most is shifted.
    fn sample(&self) -> (Point, usize) {
        (point(RATES[0], SHARES[SHARES.len() - 1], false), LRH)
    }

    fn workload(&self) -> String {
        "Poisson, fitted to the column without reservation of table IV".to_owned()
    }

    fn settings(&self, _: &[Ran<Point>]) -> Value {
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
