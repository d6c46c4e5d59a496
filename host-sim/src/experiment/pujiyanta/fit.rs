//! What the paper leaves open and the baseline column of table IV decides: for how many slots requests are made, how long and how wide jobs
//! are, and what "without reservation" means.
//!
//! The rule: requests are made for as many slots as the jobs of table IV take on average, all jobs by the sum of all rates. A candidate is one
//! of three baselines with uniform durations from 1 to at most 12 slots (f >= 1 and t_f <= 12) and uniform widths from 1 node on; it asks at the
//! lower rate for as much as the column says is used. Its error is the root mean square of the differences between its
//! utilisation, averaged over replications, and the eight values of the column. Of those with an error of no more than a point, about as
//! far as the values scatter among themselves, the one that asks for least is taken: [`FITTED`]. It stands for all rows, readings and
//! seeds, and the columns for FCFS-LRH have no part in it.

use rayon::prelude::*;

use super::{
    measures::UTILISATION,
    points::{LONGEST_FLEXIBILITY, NODES, RATES, TABLE_4, point},
    systems::{BASELINES, DECIDE, systems},
    workload::{Flexibility, Jobs, Workload},
};
use crate::error::Result;

/// All jobs of table IV by the sum of all rates: 5685 by 28.
pub(super) const SUBMITTING: u64 = 203;
/// The jobs that were fitted, with the first baseline.
pub(super) const FITTED: Jobs = Jobs {
    longest: 4,
    widest: 8,
};
/// The greatest error of a candidate (points of utilisation).
const TOLERANCE: f64 = 1.0;
/// The seed and the replications of the fit.
const SEED: u64 = 1;
const REPLICATIONS: u32 = 4;

/// A way to fill what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The place of the baseline among the systems.
    pub(super) baseline: usize,
    pub(super) jobs: Jobs,
    /// Root mean square (points of utilisation).
    pub(super) error: f64,
}

/// The errors of all candidates with widths from one of these to the other.
pub(super) fn candidates(widest: std::ops::RangeInclusive<u64>) -> Result<Vec<Candidate>> {
    let jobs = (1..=LONGEST_FLEXIBILITY)
        .flat_map(|longest| widest.clone().map(move |widest| Jobs { longest, widest }));
    let enough = |jobs: &Jobs| {
        let printed = TABLE_4[0].iter().map(|row| row.without);
        let used = printed.sum::<f64>() / TABLE_4[0].len() as f64;
        100.0 * jobs.work(RATES[0]) >= used * f64::from(NODES)
    };
    let all: Vec<(usize, Jobs)> = jobs
        .filter(enough)
        .flat_map(|jobs| BASELINES.map(|baseline| (baseline, jobs)))
        .collect();
    all.into_par_iter()
        .map(|(baseline, jobs)| {
            let error = error(baseline, jobs)?;
            Ok(Candidate {
                baseline,
                jobs,
                error,
            })
        })
        .collect()
}

/// The one that the rule takes.
pub(super) fn chosen(candidates: &[Candidate]) -> Option<Candidate> {
    let near = candidates
        .iter()
        .filter(|candidate| candidate.error <= TOLERANCE);
    let work = |candidate: &&Candidate| candidate.jobs.work(RATES[0]);
    near.min_by(|a, b| work(a).total_cmp(&work(b))).copied()
}

fn error(baseline: usize, jobs: Jobs) -> Result<f64> {
    let mut squares = Vec::new();
    for (rate, rows) in RATES.into_iter().zip(TABLE_4) {
        let used = used(baseline, jobs, rate)?;
        squares.extend(rows.map(|row| (used - row.without).powi(2)));
    }
    Ok((squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}

/// The mean utilisation of a baseline (%).
fn used(baseline: usize, jobs: Jobs, rate: u64) -> Result<f64> {
    let workload = Workload {
        jobs,
        flexibility: Flexibility::Window,
        slots: SUBMITTING,
        seed: SEED,
    };
    // Baselines know no flexibility.
    let point = point(rate, 0, false);
    let systems = systems();
    let system = &systems[baseline];
    let mut sum = 0.0;
    for replication in 0..REPLICATIONS {
        let story = DECIDE(system, &workload.script(point, replication))?;
        sum += UTILISATION.of_story(system, &story);
    }
    Ok(sum / f64::from(REPLICATIONS))
}

#[cfg(test)]
mod tests {
    use super::{FITTED, RATES, SUBMITTING, TABLE_4, candidates, chosen};
    use crate::experiment::pujiyanta::systems::WITHOUT;

    #[test]
    fn requests_are_made_for_as_long_as_the_printed_jobs_take() {
        let jobs: u32 = TABLE_4.iter().flatten().map(|row| row.jobs).sum();
        let rows = TABLE_4[0].len() as f64;
        let rates = rows * RATES.iter().sum::<u64>() as f64;
        assert_eq!((f64::from(jobs) / rates).round() as u64, SUBMITTING);
    }

    /// Those near the constants; a release build takes seconds for all, see the report.
    #[test]
    fn the_constants_are_what_the_rule_takes() {
        let near = candidates(FITTED.widest - 1..=FITTED.widest + 1).unwrap();
        let chosen = chosen(&near).unwrap();
        assert_eq!(
            (chosen.baseline, chosen.jobs),
            (WITHOUT, FITTED),
            "{chosen:?}"
        );
    }
}
