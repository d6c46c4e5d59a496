//! The experiments of `xiao`: reservations on top of others that will probably end early (ARROS), beside a traditional mode, on sixteen
//! sites.
//!
//! Every system at every point sees the same jobs in replication r; points differ in who reserves and how much is booked. What the paper
//! leaves open is chosen once, by the rules that the settings state, and the same for all rows.
//!
//! Source: Xiao, Qu, Qu, "An adaptive redundant reservation strategy in distributed high-performance computing environments".

mod claims;
mod figures;
mod measures;
mod once;
mod points;
mod systems;
mod views;
mod workload;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::{
    measures::MEASURES,
    points::{ARRIVAL, K2, Point, SITES},
    systems::ARROS,
    workload::Workload,
};
use super::{
    Paper, Ran, Reproduced,
    claims::Claim,
    figures::Figure,
    panel::Panels,
    run::{Assumption, Audit, Measure, Samples},
};
use crate::{error::Result, progress::Progress};

/// Runs the experiments of the paper into the folder `out`; `quick` runs every row with fewer jobs and replications.
///
/// Claims are judged by jobs of a model. Where there is a `log`, its run times are in the figure of calibration, too.
///
/// # Errors
/// [`Error::Input`](crate::error::Error::Input) for a malformed log, [`Error::Io`](crate::error::Error::Io) when a file cannot be
/// read or written; [`Error::Violated`](crate::error::Error::Violated) when a run broke a promise, which is a defect, as is
/// [`Error::Internal`](crate::error::Error::Internal).
pub fn reproduce(
    log: Option<&Path>,
    quick: bool,
    seed: u64,
    out: &Path,
    progress: &Progress,
) -> Result<Reproduced> {
    let full = Xiao::full(log, seed);
    let paper = if quick { full.quick() } else { full };
    super::reproduce(&paper, seed, out, progress)
}

/// How large the experiment is.
pub(super) struct Xiao {
    seed: u64,
    /// Requests of a run.
    jobs: usize,
    /// Replications of the main reading.
    replications: u32,
    /// Replications of the other reading, and of figures of our own.
    other_replications: u32,
    /// Random systems in which theorems are compared with the truth.
    systems: u32,
    log: Option<PathBuf>,
    quick: bool,
}

impl Xiao {
    fn full(log: Option<&Path>, seed: u64) -> Self {
        Self {
            seed,
            jobs: 8_000,
            replications: 10,
            other_replications: 4,
            systems: 400,
            log: log.map(Path::to_owned),
            quick: false,
        }
    }

    /// Every row of the table in seconds.
    fn quick(self) -> Self {
        Self {
            jobs: 2_000,
            replications: 3,
            other_replications: 1,
            quick: true,
            ..self
        }
    }

    /// As little as a test needs.
    #[cfg(test)]
    pub(super) fn tiny(seed: u64) -> Self {
        Self {
            jobs: 150,
            replications: 2,
            other_replications: 1,
            systems: 40,
            ..Self::full(None, seed).quick()
        }
    }

    /// The requests of the main reading.
    fn workload(&self) -> Workload {
        Workload {
            seed: self.seed,
            jobs: self.jobs,
            arrival: ARRIVAL,
            slack: 1.0,
        }
    }
}

impl Paper for Xiao {
    type Point = Point;

    const NAME: &'static str = "xiao";
    const CLAIMS: &'static str = include_str!("claims.csv");

    fn measures(&self) -> Vec<Measure> {
        MEASURES.to_vec()
    }

    fn assumptions(&self) -> Vec<Assumption<'_, Point>> {
        systems::assumptions(self)
    }

    fn panels(&self, samples: &Samples<Point>) -> Panels {
        views::panels(samples)
    }

    fn claims(&self, _: &[Ran<Point>], _: &Audit, _: &Progress) -> Result<Vec<Claim>> {
        let mut claims = once::claims(self)?;
        claims.extend(claims::claims());
        Ok(claims)
    }

    fn figures(&self, ran: &[Ran<Point>]) -> Result<Vec<Figure>> {
        figures::figures(self, ran)
    }

    /// ARROS with the most reservations.
    fn sample(&self) -> (Point, usize) {
        let point = Point {
            share: 20,
            over: K2,
        };
        (point, ARROS)
    }

    fn workload(&self) -> String {
        "Lublin-Feitelson".to_owned()
    }

    fn settings(&self, _: &[Ran<Point>]) -> Value {
        json!({
            "sites": SITES,
            "requests": self.jobs,
            "arrival_factor": ARRIVAL,
            "rule_of_the_arrival_factor": "of those in the figure of the fit, the one with which the traditional mode is nearest to the printed 71 % with 5 % reservations and k2; nothing else is fitted",
            "readings_tried": "sites of 128 processors and of one, starts that are fixed and starts that may wait a duration: in each, overlaps were rare with these loads; kept was what section 3 describes, and that was settled after looking at how many overlaps there are",
            "rule_of_the_sites": "each is one resource that serves one request at a time, however wide it is (section 3)",
            "time": "the paper divides times by 60: a slot of 60 s is its unit",
            "reservations": "ready between 0 and 3 durations after the request, its start may wait up to one duration; in the other reading starts are fixed",
            "other_requests": "queued at the site with the least work booked and queued, EASY at each site; all requests book k_over times their run time",
            "sites_of_reservations": "where the promise is kept most probably, then where it starts first; without overlaps, where it starts first",
            "law_of_run_times": "the shares of their bookings that jobs have used at the site so far, in percent; of a running job, given how long it has run",
            "redundancy": "one site for each reservation: a firm reservation is certain, and the paper does not say which K or W* it simulates",
            "late_start": "a reservation that cannot start on time waits for its processors until its booked end",
            "utilisation": "from the first arrival to the last",
            "log_of_the_calibration": self.log.as_ref().and_then(|log| log.file_name()).map(|name| name.to_string_lossy()),
            "replications_of_other_readings": self.other_replications,
            "quick": self.quick,
        })
    }
}
