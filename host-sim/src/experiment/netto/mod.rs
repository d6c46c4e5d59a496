//! The experiments of `netto`: flexible advance reservations that are juggled until they start, on the log of the SDSC SP2.
//!
//! A replication is one of 49 parts of the log, of fifteen days each: every system at every point sees the same jobs in it, so that sorting
//! criteria, intervals, the time of fixing and suggestions are compared in pairs. What the paper leaves open is run in more than one way.
//!
//! Source: Netto, Bubendorfer, Buyya, "SLA-based advance reservations with flexible and adaptive time QoS parameters" (2007).

mod checks;
mod claims;
mod figures;
mod measures;
mod points;
mod systems;
mod views;
mod workload;

use std::path::Path;

use serde_json::{Value, json};

use self::{
    points::{LOADS, MEDIUM_LOAD, Point, point},
    systems::EDF,
    workload::Workload,
};
use super::{Fails, Holds, Paper, PaperResults, Source, Undecidable, answer, see};
use crate::error::Result;

/// The jobs, and how large the experiment is.
pub(super) struct Netto {
    seed: u64,
    workload: Workload,
    /// Parts of the log in the main reading.
    parts: Vec<u32>,
    /// Parts of the log in the other readings.
    other_parts: Vec<u32>,
}

impl Netto {
    /// 49 parts of a log, of fifteen days each, or as many as it has, or some of them.
    pub(super) fn new(log: Option<&Path>, seed: u64, quick: bool) -> Result<Self> {
        let workload = log.map_or_else(|| Workload::synthetic(seed), Workload::of_log)?;
        let there: Vec<u32> = workload.parts().collect();
        let every = |step| there.iter().copied().step_by(step).collect();
        let (quarter, most) = (there.len().div_ceil(4), there.len() * 5 / 8);
        Ok(Self {
            seed,
            parts: every(if quick { quarter } else { 1 }),
            other_parts: if quick { every(most.max(1)) } else { every(3) },
            workload,
        })
    }

    pub(super) fn paper(&self) -> Paper<'_, Point> {
        // EDF at the medium load with long intervals, where much is moved.
        let sample = point(LOADS[MEDIUM_LOAD], 100, false);
        Paper {
            name: "netto",
            source: Source {
                title: "SLA-based advance reservations with flexible and adaptive time QoS parameters",
                authors: "Netto, Bubendorfer, Buyya",
                year: Some(2007),
                question: "Users let a scheduler move their reservations inside a window until they start. How much more of a machine is used then, and when should a start be fixed?",
                answer: vec![
                    answer("The longer the windows in which reservations may move, the more of the machine is used.", &[("2.07", Holds)]),
                    answer("The later a start is fixed the better.", &[("2.09", Holds)]),
                    answer("Whether each delay in fixing a start helps these runs cannot tell.", &[("2.09", Undecidable)]),
                    answer("Fixing a start later does not always help.", &[("2.09", Fails)]),
                ],
                see: [
                    see("fig2", "Points of utilisation that an order of the queue gains over a random one. See whether EDF is on top, and whether the loads show the same order.", &["2.05", "2.06"]),
                    see("fig3", "Each curve is a length of the interval. See whether longer ones use more at every load.", &["2.07", "2.20"]),
                    see("fig4", "As figure 3, with jobs that end earlier than their users said. See whether the curves lie farther apart than there.", &["2.08"]),
                    see("fig5", "Starts are fixed at acceptance on the left, and ever later to the right. See whether the curves rise.", &["2.09"]),
                    see("fig5-others", "The same at the other loads.", &["2.10"]),
                    see("fig6", "Suggestions lie between fixed intervals, where users take nothing else, and flexible ones. See by how much.", &["2.11", "2.12"]),
                    see("fig7", "How far from what was asked the suggestions lie that users took; at 1 all would be as far as users go.", &["2.13"]),
                    see("rejected", "Rejections say something else than utilisation: long and wide jobs that are let in take the room of many small ones.", &["2.20"]),
                    see("moves", "What flexibility costs: how often a reservation is moved before it starts.", &[]),
                    see("readings", "What the paper leaves open, decided in several ways. See whether longer intervals use more in each.", &[]),
                ].into(),
            },
            glossary: include_str!("glossary.csv"),
            in_full: self.workload.parts().count() as u32,
            disclaimer: self.workload.disclaimer(),
            workload: self.workload.name.clone(),
            seed: self.seed,
            assumptions: systems::assumptions(self),
            measures: &measures::MEASURES,
            claims: |runs| claims::claims(&views::Views::of(runs)),
            sample: (sample, EDF),
            found: Box::new(move |ran, _, progress| {
                Ok(PaperResults {
                    checks: checks::claims(self, progress)?,
                    figures: figures::figures(ran),
                    settings: self.settings(),
                })
            }),
        }
    }

    fn settings(&self) -> Value {
        json!({
            "workload_is_a_log": self.workload.is_log,
            "jobs": self.workload.len(),
            "release_times": "the paper defines release time and deadline by each other; here the deadline of a job with a fixed interval is its submission plus p times its duration (p Poisson-distributed, at least 1), and its release time is the deadline less the duration",
            "overlap_of_parts": "at 125 and 150 submissions for 100 of the log, a part of fifteen days takes 18.75 and 22.5 days of it, so neighbouring parts share jobs and the intervals there are narrower than those of independent parts would be",
            "load": (self.workload.load() * 1e4).round() / 1e4,
        })
    }
}

#[cfg(test)]
impl Netto {
    /// As little as a test needs.
    pub(super) fn tiny(seed: u64) -> Self {
        let workload = Workload::synthetic(seed).unwrap().first(120);
        Self {
            parts: vec![3, 4],
            other_parts: vec![3],
            workload,
            ..Self::new(None, seed, true).unwrap()
        }
    }
}
