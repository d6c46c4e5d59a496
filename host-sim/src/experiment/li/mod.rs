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

use bookahead::Policy;
use serde_json::{Map, Value, json};

use self::{
    measures::{LOAD, MEASURES},
    points::{DEFAULT, Point},
};
use super::{
    Paper, Ran, Reproduced,
    claims::Claim,
    figures::Figure,
    panel::Panels,
    run::{Assumption, Audit, Measure, Samples},
    statistics::Estimate,
};
use crate::{error::Result, progress::Progress};

/// Runs the experiments of the paper into the folder `out`; `quick` runs every row with fewer and shorter runs.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) when a file cannot be written; [`Error::Violated`](crate::error::Error::Violated) when a run
/// broke a promise and [`Error::Internal`](crate::error::Error::Internal), both of them defects of this program.
pub fn reproduce(quick: bool, seed: u64, out: &Path, progress: &Progress) -> Result<Reproduced> {
    let paper = if quick {
        Li::quick(seed)
    } else {
        Li::full(seed)
    };
    super::reproduce(&paper, seed, out, progress)
}

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
    quick: bool,
}

impl Li {
    /// The paper's 10,000 jobs.
    const fn full(seed: u64) -> Self {
        Self {
            seed,
            jobs: 10_000,
            replications: 30,
            other_replications: 12,
            recheck_every: 5,
            quick: false,
        }
    }

    /// Every row of the table in well under a minute.
    const fn quick(seed: u64) -> Self {
        Self {
            seed,
            jobs: 2_500,
            replications: 8,
            other_replications: 4,
            recheck_every: 5,
            quick: true,
        }
    }

    /// As little as a test needs.
    #[cfg(test)]
    pub(super) const fn tiny(seed: u64) -> Self {
        Self {
            jobs: 5,
            replications: 2,
            other_replications: 1,
            recheck_every: 1,
            ..Self::quick(seed)
        }
    }
}

impl Paper for Li {
    type Point = Point;

    const NAME: &'static str = "li";
    const CLAIMS: &'static str = include_str!("claims.csv");

    fn measures(&self) -> Vec<Measure> {
        MEASURES.to_vec()
    }

    fn assumptions(&self) -> Vec<Assumption<'_, Point>> {
        points::assumptions(self)
    }

    fn panels(&self, samples: &Samples<Point>) -> Panels {
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
        let policy = Policy::ALL
            .iter()
            .position(|policy| *policy == Policy::PeWorstFit);
        (DEFAULT, policy.unwrap_or(0))
    }

    fn workload(&self) -> String {
        "Lublin-Feitelson, LANL CM-5 sizes, six run-time classes".to_owned()
    }

    fn settings(&self, ran: &[Ran<Point>]) -> Value {
        let load = |ran: &Ran<Point>| {
            let load = Estimate::of(ran.samples.at(DEFAULT, 0, &LOAD));
            let load = load.map_or(0.0, |load| load.mean);
            (
                ran.evidence.name.to_owned(),
                Value::from((load * 1e4).round() / 1e4),
            )
        };
        json!({
            "jobs": self.jobs,
            "replications_of_other_readings": self.other_replications,
            "offered_load_at_default": ran.iter().map(load).collect::<Map<_, _>>(),
            "quick": self.quick,
        })
    }
}
