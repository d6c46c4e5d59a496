//! The experiments of `sulistio`: elastic reservations beside best-effort jobs, on the log of the SDSC Blue Horizon.
//!
//! Every strategy at every point sees the same jobs in replication r, 30 % of which reserve; replications differ in which. So strategies
//! are compared in pairs. What the paper leaves open is run in more than one way: what a compute node is, whether run times are
//! known, how the user asks.
//!
//! Source: Sulistio, Kim, Buyya, "On incorporating an on-line strip packing algorithm into elastic grid reservation-based systems" (2007).

mod checks;
mod claims;
mod curves;
mod figures;
mod measures;
mod points;
mod recheck;
mod rules;
mod systems;
mod workload;

use std::path::Path;

use serde_json::json;

use self::{
    curves::BUSY,
    points::{BUSY_NODES, ComputeNode, FEW_SEARCH_LIMITS, Point, RESERVING, SEARCH_LIMIT},
    systems::OSP_BF,
    workload::Workload,
};
use super::{
    Fails, Figure, Holds, Paper, PaperResults, Ran, SYNTHETIC, Source, Undecidable, answer, see,
};
use crate::error::Result;

/// The jobs, and how large the experiment is.
pub(super) struct Sulistio {
    seed: u64,
    workload: Workload,
    /// The search limit times (h).
    search_limits: &'static [u64],
    /// Replications of the main reading.
    replications: u32,
    /// Replications of the other readings.
    other_replications: u32,
    /// Every n-th query is answered once more by the literal algorithm.
    recheck_every: usize,
}

/// Replications of the whole experiment: of the main reading, and of the others.
const FULL: [u32; 2] = [20, 10];

impl Sulistio {
    /// The first two weeks of a log, at fewer points where it should be quick.
    pub(super) fn new(log: Option<&Path>, seed: u64, quick: bool) -> Result<Self> {
        let [replications, other_replications] = if quick { [12, 3] } else { FULL };
        Ok(Self {
            seed,
            workload: log.map_or_else(|| Workload::synthetic(seed), Workload::of_log)?,
            search_limits: match quick {
                true => &FEW_SEARCH_LIMITS,
                false => &SEARCH_LIMIT,
            },
            replications,
            other_replications,
            recheck_every: if quick { 5 } else { 1 },
        })
    }

    pub(super) fn paper(&self) -> Paper<'_, Point> {
        let is_log = self.workload.facts.is_some();
        let load = |node| (self.workload.load(node) * 1e4).round() / 1e4;
        Paper {
            name: "sulistio",
            source: Source {
                title: "On incorporating an on-line strip packing algorithm into elastic grid reservation-based systems",
                authors: "Sulistio, Kim, Buyya",
                year: Some(2007),
                question: "A request that does not fit is answered with offers of another start, less time or fewer processors. Are fewer rejected then, and what does that cost the jobs without a reservation?",
                answer: vec![
                    answer("Fewer are rejected, and more of the machine is used, than where requests insist on what they asked for.", &[("3.27", Holds)]),
                    answer("Jobs without a reservation wait longer the longer the interval is that requests search, where the paper has them wait less in some cases.", &[("3.24", Fails)]),
                    answer("Jobs without a reservation even wait less in some cases when requests search a longer interval.", &[("3.24", Holds)]),
                    answer("What it costs jobs without a reservation these runs cannot tell.", &[("3.24", Undecidable)]),
                ],
                see: [
                    see("fig4", "Curves over how long an interval requests search. See how far those with backfilling (BF) lie above those without, and OSP+BF beside first-fit+BF.", &["3.09", "3.10", "3.11", "3.12", "3.13", "3.14"]),
                    see("fig5", "One run each: see how often, and how far, the number of busy nodes jumps.", &["3.15"]),
                    see("fig6", "Fewer is better. See whether OSP+BF is the lowest.", &["3.17", "3.26"]),
                    see("fig7", "What alternative offers save of the rejections; below 0 there are more with them than without.", &["3.18", "3.19", "3.20"]),
                    see("second-query", "As figure 7, for users who ask once more without a number of nodes.", &[]),
                    see("within", "The same counted within a run: how many of those without a solution take an alternative.", &[]),
                    see("fig8", "What users pay for reservations: see how far OSP+BF lies above the rigid ones.", &["3.21"]),
                    see("fig9", "What reservations cost the other jobs: see whether their wait falls to the right. FCFS is so far above that the others lie upon each other; they are drawn again below it.", &["3.22", "3.23", "3.24", "3.25"]),
                    see("widths", "See whether wide requests (to the right) are accepted more under OSP+BF than under the others.", &["3.16"]),
                    see("changes", "The counts behind figure 5, with intervals.", &["3.15"]),
                    see("readings", "What the paper leaves open, decided in several ways. See whether the strategies keep their order.", &[]),
                ].into(),
            },
            glossary: include_str!("glossary.csv"),
            in_full: FULL[0],
            disclaimer: if is_log { "" } else { SYNTHETIC }.into(),
            workload: self.workload.name.clone(),
            seed: self.seed,
            assumptions: systems::assumptions(self),
            measures: &measures::MEASURES,
            claims: claims::claims,
            // OSP+BF where figure 5 looks.
            sample: (BUSY_NODES, OSP_BF),
            found: Box::new(move |ran, _, progress| {
                Ok(PaperResults {
                    checks: checks::claims(self, progress)?,
                    figures: self.figures(ran)?,
                    settings: json!({
                        "workload_is_a_log": is_log,
                        "jobs": self.workload.len(),
                        "share_reserving": RESERVING,
                        "answers_of_algorithm_1": "lists name equal windows once, with the seed found first; where in an offer a job goes is open: as early as it covers the slots that the offer grew from",
                        "shares_of_figure_7": "taken between runs; the paper does not say whether it counts within a run, which the evidence shows beside them",
                        "load": load(ComputeNode::Node),
                        "load_if_cn_is_processor": load(ComputeNode::Processor),
                    }),
                })
            }),
        }
    }

    /// Figure 5 shows the first replication.
    fn figures(&self, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
        let main = &systems::assumptions(self)[0];
        let busy = |strategy| {
            let story = main.one(BUSY_NODES, 0, strategy)?;
            Ok((strategy, measures::busy(&story.outcomes)))
        };
        let busy: Vec<_> = BUSY.into_iter().map(busy).collect::<Result<_>>()?;
        Ok(figures::figures(ran, &busy))
    }
}

#[cfg(test)]
impl Sulistio {
    /// As little as a test needs.
    pub(super) fn tiny(seed: u64) -> Self {
        let workload = Workload::synthetic(seed).unwrap().first(25);
        Self {
            search_limits: &[0, 8, 12],
            replications: 2,
            other_replications: 1,
            recheck_every: 4,
            workload,
            ..Self::new(None, seed, true).unwrap()
        }
    }
}
