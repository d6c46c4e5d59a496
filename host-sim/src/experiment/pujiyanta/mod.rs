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
    points::{NODES, Point, RATES, SHARES, WINDOW, point},
    systems::LRH,
    views::Views,
    workload::{Flexibility, Workload},
};
use super::{Fails, Holds, Paper, PaperResults, Source, Undecidable, answer, see};
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
                answer: vec![
                    answer("With many flexible users more is gained than with few.", &[("5.23", Holds)]),
                    answer("But more is not used than with a queue in every case, as the paper has it.", &[("5.18", Fails)]),
                    answer("In every case more is used than with a queue.", &[("5.18", Holds)]),
                    answer("Whether more is used than with a queue in every case these runs cannot tell.", &[("5.18", Undecidable)]),
                ],
                see: [
                    see("fig9", "One run, so that chance is large: see how often the machine is full, with FCFS-LRH and with the queue.", &["5.10"]),
                    see("fig10", "As figure 9, in another case of table IV.", &["5.11"]),
                    see("fig11", "As figure 9, in another case of table IV.", &["5.12"]),
                    see("fig12", "As figure 9, in another case of table IV.", &["5.13"]),
                    see("fig13", "As figure 9, in another case of table IV.", &["5.14"]),
                    see("fig14", "As figure 9, in another case of table IV.", &["5.15"]),
                    see("fig15", "As figure 9, in another case of table IV.", &["5.16"]),
                    see("fig16", "As figure 9, in another case of table IV.", &["5.17"]),
                    see("fig17", "The printed values lie close together; ours for FCFS-LRH rise with the share of flexible users.", &["5.18", "5.19"]),
                    see("fig18", "As figure 17, with more requests.", &["5.18", "5.20"]),
                    see("fig19", "What FCFS-LRH uses more than the queue: below 0 it uses less. See where ours cross that line and how flat the printed ones are.", &["5.21", "5.23"]),
                    see("fig20", "Jobs that are cancelled leave holes. See how much more is used where reservations are shifted to the left, too (FCFS-LRH).", &["5.24", "5.26"]),
                    see("fig21", "As figure 20, with more requests.", &["5.25", "5.26"]),
                    see("systems", "All ways to decide, those without shifting included: see what is gained by shifting, and what by a queue.", &[]),
                    see("accepted", "A queue accepts every job. Of those that reserve, see how many more find room where others are shifted.", &[]),
                    see("loss", "The same states are put to each way of shifting, to tell what one misses that another finds, and at what price.", &[]),
                    see("fit", "How far our utilisation without reservation is from the printed column, by the widest job; the lowest point was taken.", &[]),
                    see("readings", "What the paper leaves open, decided in several ways. See whether the curves rise alike.", &[]),
                ].into(),
            },
            glossary: include_str!("glossary.csv"),
            in_full: FULL[0],
            disclaimer: "".into(),
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
