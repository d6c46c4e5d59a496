//! The experiments of `li`: seven policies on a LANL-CM5-like workload with advance reservations.
//!
//! Every policy at every point sees the same requests in replication r, so policies are compared in pairs. What is open is
//! run in more than one way: other readings of what the paper leaves open, other slots and horizons, other bindings.
//!
//! Source: Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with deadlines" (2014).

mod claims;
mod curves;
mod figures;
mod measures;
mod once;
mod plain;
mod points;
mod worked;

use std::path::Path;

use serde_json::{Map, Value, json};

use self::{
    measures::LOAD,
    points::{DEFAULT, PE_W, Point},
};
use super::{Assumption, Audit, Claim, Figure, Measure, Panels, Paper, Ran, Samples};
use crate::{error::Result, progress::Progress, statistics::Estimate};

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

impl Paper for Li {
    type Point = Point;

    const NAME: &'static str = "li";
    const CLAIMS: &'static str = include_str!("claims.csv");
    const MEASURES: &'static [Measure] = &measures::MEASURES;

    /// The paper's 10,000 jobs.
    fn full(_: Option<&Path>, seed: u64) -> Result<Self> {
        Ok(Self {
            seed,
            jobs: 10_000,
            replications: 30,
            other_replications: 12,
            recheck_every: 5,
        })
    }

    fn quick(self) -> Self {
        Self {
            jobs: 2_500,
            replications: 8,
            other_replications: 4,
            ..self
        }
    }

    fn assumptions(&self) -> Vec<Assumption<'_, Point>> {
        points::assumptions(self)
    }

    fn panels(samples: &Samples<Point>) -> Panels {
        measures::panels(samples)
    }

    fn claims(&self, ran: &[Ran<Point>], audit: &Audit, _: &Progress) -> Result<Vec<Claim>> {
        let mut claims = once::claims(self, ran, audit)?;
        claims.extend(worked::claims()?);
        claims.extend(claims::claims());
        Ok(claims)
    }

    fn figures(&self, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
        Ok(figures::figures(ran))
    }

    /// PE worst fit at the default point.
    fn sample(&self) -> (Point, usize) {
        (DEFAULT, PE_W)
    }

    fn workload(&self) -> String {
        "Lublin-Feitelson, LANL CM-5 sizes, six run-time classes".to_owned()
    }

    fn settings(&self, ran: &[Ran<Point>]) -> Value {
        let load = |ran: &Ran<Point>| {
            let load = Estimate::of(&ran.samples.at(DEFAULT, 0, &LOAD)).mean;
            let load = Value::from((load * 1e4).round() / 1e4);
            (ran.evidence.name.to_owned(), load)
        };
        json!({
            "jobs": self.jobs,
            "offered_load_at_default": ran.iter().map(load).collect::<Map<_, _>>(),
        })
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
            ..Self::full(None, seed).unwrap().quick()
        }
    }
}
