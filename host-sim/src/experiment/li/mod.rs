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
use super::{Fails, Holds, Paper, PaperResults, Ran, Source, Undecidable, answer, see};
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
                answer: vec![
                    answer("The earliest start makes accepted jobs wait least, at every setting.", &[("1.20", Holds), ("1.30", Holds)]),
                    answer("The start with the most processors free around the job accepts most, at every setting.", &[("1.32", Holds)]),
                    answer("Whether the start with the most processors free around the job accepts most at every setting, as the paper says, these runs cannot tell.", &[("1.32", Undecidable)]),
                    answer("No one start accepts most at every setting.", &[("1.32", Fails)]),
                ],
                see: [
                    see("fig2", "The larger the jobs (to the right) the fewer are accepted. See which curves lie on top, and which lie upon each other.", &["1.13", "1.15", "1.16", "1.17", "1.18"]),
                    see("fig3", "Lower is better. See which curve is the lowest, and that waiting grows with the size of the jobs.", &["1.19", "1.20", "1.21"]),
                    see("fig4", "More load (to the right) leaves less room. See whether the policies keep the order of figure 2.", &["1.22", "1.24"]),
                    see("fig5", "Lower is better. See whether the policies keep the order of figure 3.", &["1.23", "1.24"]),
                    see("fig6", "The more freedom jobs have (to the right) the more are accepted. See whether the curves are straight, and which is on top.", &["1.25", "1.26", "1.27", "1.28", "1.34"]),
                    see("fig7", "Freedom is used to start later: see how slowdown rises with it, and which curve is the lowest.", &["1.29", "1.30", "1.31"]),
                    see("jobs", "What UMed does: it makes jobs wider and longer, so that they ask for more than the machine has.", &["1.14"]),
                    see("readings", "What the paper leaves open, decided in several ways. See whether the policies keep their order.", &[]),
                    see("horizons", "The paper has no slots; ours are of 60 seconds. See how little depends on their length and number.", &[]),
                    see("bindings", "What it gains that processors are chosen at the start of a job (late) and not when it is accepted (early).", &[]),
                ].into(),
            },
            glossary: include_str!("glossary.csv"),
            in_full: FULL[0],
            disclaimer: "".into(),
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
