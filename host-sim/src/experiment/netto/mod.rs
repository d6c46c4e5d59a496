//! The experiments of `netto`: flexible advance reservations that are juggled until they start, on the log of the SDSC SP2.
//!
//! A replication is one of 49 parts of the log, of fifteen days each: every system at every point sees the same jobs in it, so that sorting
//! criteria, intervals, the time of fixing and suggestions are compared in pairs. What the paper leaves open is run in more than one way.
//!
//! Source: Netto, Bubendorfer, Buyya, "SLA-based advance reservations with flexible and adaptive time QoS parameters" (2007).

mod claims;
mod figures;
mod measures;
mod once;
mod points;
mod systems;
mod views;
mod workload;

use std::path::Path;

use serde_json::{Value, json};

use self::{
    points::{LOADS, MEDIUM_LOAD, Point},
    systems::EDF,
    workload::{PARTS, Workload},
};
use super::{Assumption, Audit, Claim, Figure, Measure, Panels, Paper, Ran, Samples};
use crate::{error::Result, progress::Progress};

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
    /// As little as a test needs.
    #[cfg(test)]
    pub(super) fn tiny(seed: u64) -> Self {
        let workload = Workload::synthetic(seed).unwrap().first(120);
        Self {
            parts: vec![3, 4],
            other_parts: vec![3],
            workload,
            ..Self::full(None, seed).unwrap().quick()
        }
    }
}

impl Paper for Netto {
    type Point = Point;

    const NAME: &'static str = "netto";
    const CLAIMS: &'static str = include_str!("claims.csv");
    const MEASURES: &'static [Measure] = &measures::MEASURES;

    /// 49 parts of a log, of fifteen days each.
    fn full(log: Option<&Path>, seed: u64) -> Result<Self> {
        Ok(Self {
            seed,
            workload: log.map_or_else(|| Workload::synthetic(seed), Workload::of_log)?,
            parts: (0..PARTS).collect(),
            other_parts: (0..PARTS).step_by(3).collect(),
        })
    }

    fn quick(self) -> Self {
        Self {
            parts: (0..PARTS).step_by(13).collect(),
            other_parts: vec![0, 30],
            ..self
        }
    }

    fn assumptions(&self) -> Vec<Assumption<'_, Point>> {
        systems::assumptions(self)
    }

    fn panels(samples: &Samples<Point>) -> Panels {
        views::panels(samples)
    }

    fn claims(&self, _: &[Ran<Point>], _: &Audit, progress: &Progress) -> Result<Vec<Claim>> {
        let mut claims = once::claims(self, progress)?;
        claims.extend(claims::claims());
        Ok(claims)
    }

    fn figures(&self, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
        Ok(figures::figures(ran))
    }

    /// EDF at the medium load with long intervals, where much is moved.
    fn sample(&self) -> (Point, usize) {
        let point = Point {
            load: LOADS[MEDIUM_LOAD],
            interval: 100,
            overestimated: false,
        };
        (point, EDF)
    }

    fn workload(&self) -> String {
        self.workload.name.clone()
    }

    fn disclaimer(&self) -> &'static str {
        match self.workload.is_log {
            true => "",
            false => "The jobs are synthetic, not those of the paper's log.",
        }
    }

    fn settings(&self, _: &[Ran<Point>]) -> Value {
        json!({
            "workload_is_a_log": self.workload.is_log,
            "jobs": self.workload.len(),
            "release_times": "the paper defines release time and deadline by each other; here the deadline of a job with a fixed interval is its submission plus p times its duration (p Poisson-distributed, at least 1), and its release time is the deadline less the duration",
            "overlap_of_parts": "at 125 and 150 submissions for 100 of the log, a part of fifteen days takes 18.75 and 22.5 days of it, so neighbouring parts share jobs and the intervals there are narrower than those of independent parts would be",
            "load": (self.workload.load() * 1e4).round() / 1e4,
        })
    }
}
