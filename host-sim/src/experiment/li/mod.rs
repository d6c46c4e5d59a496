//! The experiments of `li`: seven policies on a LANL-CM5-like workload with advance reservations.
//!
//! Every policy at every point sees the same requests in replication r, so policies are compared in pairs. What is open is
//! run in more than one way: other readings of what the paper leaves open, other slots and horizons, other bindings.
//!
//! Source: Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with deadlines" (2014).

mod checks;
mod claims;
mod curves;
mod figures;
mod measures;
mod plain;
mod points;
mod worked;

use serde_json::{Map, Value, json};

use self::{
    measures::LOAD,
    points::{DEFAULT, PE_W, Point},
};
use super::{Paper, PaperResults, Ran, Source};
use crate::statistics::Estimate;

/// How large the experiment is.
pub(super) struct Li {
    seed: u64,
    /// Jobs per run.
    jobs: usize,
    /// Replications of the main reading and of the bindings.
    replications: u32,
    /// Replications of other readings, slot lengths and horizons.
    other_replications: u32,
    /// Every n-th request is decided once more by the plain definitions.
    recheck_every: usize,
}

/// Replications of the whole experiment: of the main reading, and of the others.
const FULL: [u32; 2] = [30, 12];

impl Li {
    /// The paper's 10,000 jobs, or fewer.
    pub(super) fn new(seed: u64, quick: bool) -> Self {
        let [replications, other_replications] = if quick { [8, 4] } else { FULL };
        Self {
            seed,
            jobs: if quick { 2_500 } else { 10_000 },
            replications,
            other_replications,
            recheck_every: 5,
        }
    }

    pub(super) fn paper(&self) -> Paper<'_, Point> {
        let load = |ran: &Ran<Point>| {
            let load = Estimate::of(&ran.samples.at(DEFAULT, 0, &LOAD)).mean;
            let load = Value::from((load * 1e4).round() / 1e4);
            (ran.name.to_owned(), load)
        };
        Paper {
            name: "li",
            source: Source {
                title: "Resource availability-aware advance reservation for parallel jobs with deadlines",
                authors: "Li, Pei, Wu, Shen",
                year: Some(2014),
                question: "Jobs reserve processors ahead of time, each with a deadline. Which of the possible starts should a scheduler take, so that many are accepted and wait little?",
            },
            glossary: include_str!("glossary.csv"),
            in_full: FULL[0],
            disclaimer: "",
            workload: "Lublin-Feitelson, LANL CM-5 sizes, six run-time classes".to_owned(),
            seed: self.seed,
            assumptions: points::assumptions(self),
            measures: &measures::MEASURES,
            claims: claims::claims,
            // PE worst fit at the default point.
            sample: (DEFAULT, PE_W),
            found: Box::new(move |ran, audit, _| {
                Ok(PaperResults {
                    checks: [checks::claims(self, ran, audit)?, worked::claims()?]
                        .into_iter()
                        .flatten()
                        .collect(),
                    figures: figures::figures(ran),
                    settings: json!({
                        "jobs": self.jobs,
                        "offered_load_at_default": ran.iter().map(load).collect::<Map<_, _>>(),
                    }),
                })
            }),
        }
    }
}

#[cfg(test)]
impl Li {
    /// As little as a test needs.
    pub(super) fn tiny(seed: u64) -> Self {
        Self {
            jobs: 5,
            replications: 2,
            other_replications: 1,
            recheck_every: 1,
            ..Self::new(seed, true)
        }
    }
}
