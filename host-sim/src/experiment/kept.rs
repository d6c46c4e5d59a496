//! Samples of a reproduction that is not finished: kept as soon as they are made, so that one that was cut short goes on where it was.

use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{
    basis::{Audit, Count},
    samples::Round,
    store::{self, Run, Store},
};
use crate::error::Result;

/// What is kept of one assumption.
pub(super) struct Kept<'a> {
    pub(super) store: &'a Store,
    /// Points of the assumptions before it.
    pub(super) before: usize,
    /// Systems and measures.
    pub(super) size: [usize; 2],
    /// Requests decided by this process, not before.
    pub(super) decided: &'a AtomicUsize,
}

impl Kept<'_> {
    /// What was measured at a point in a replication, from where it is kept or else from `make`.
    pub(super) fn round(
        &self,
        point: usize,
        replication: u32,
        make: impl FnOnce() -> Result<Round>,
    ) -> Result<Round> {
        let run = Run {
            point: self.before + point,
            replication: replication + 1,
        };
        let kept = self.store.read(run)?;
        if let Some(round) = kept.and_then(|rows| parse(&rows, self.size)) {
            return Ok(round);
        }
        let round = make()?;
        let requests = round.iter().map(|(_, audit)| audit.requests).sum();
        self.decided.fetch_add(requests, Ordering::Relaxed);
        // One in which something is wrong ends the experiment.
        if round.iter().all(|(_, audit)| audit.accepted.wrong == 0) {
            self.store.append(run, &rows(&round))?;
        }
        Ok(round)
    }
}

/// How many samples are kept in a result folder.
pub(crate) fn kept(dir: &Path) -> Result<usize> {
    store::count(dir)
}

/// A row for each system: what its audit counted, and then the measures with all their digits.
fn rows(round: &Round) -> String {
    let row = |(values, audit): &(Vec<f64>, Audit)| {
        let counts = [audit.runs, audit.requests, audit.accepted.looked_at];
        let cells = counts.iter().map(ToString::to_string);
        let cells: Vec<String> = cells
            .chain(values.iter().map(ToString::to_string))
            .collect();
        cells.join(",") + "\n"
    };
    round.iter().map(row).collect()
}

fn parse(rows: &str, [systems, measures]: [usize; 2]) -> Option<Round> {
    let row = |row: &str| {
        let mut cells = row.split(',');
        let mut count = || cells.next()?.parse().ok();
        let audit = Audit {
            runs: count()?,
            requests: count()?,
            accepted: Count {
                looked_at: count()?,
                ..Count::default()
            },
        };
        let values: Vec<f64> = cells.map(|cell| cell.parse().ok()).collect::<Option<_>>()?;
        (values.len() == measures).then_some((values, audit))
    };
    let round: Round = rows.lines().map(row).collect::<Option<_>>()?;
    (round.len() == systems).then_some(round)
}

#[cfg(test)]
mod tests {
    use super::{Audit, Count, Round, parse, rows};

    #[test]
    fn what_is_kept_comes_back_with_all_its_digits() {
        let audit = |runs| Audit {
            runs,
            requests: 7,
            accepted: Count {
                looked_at: 5,
                ..Count::default()
            },
        };
        let values = [
            vec![0.1 + 0.2, f64::NAN, -0.0],
            vec![f64::INFINITY, 5e-324, -1.0 / 3.0],
        ];
        let round: Round = values
            .clone()
            .into_iter()
            .zip([audit(1), audit(0)])
            .collect();
        let back = parse(&rows(&round), [2, 3]).unwrap();
        for ((values, audit), (back, counted)) in round.iter().zip(&back) {
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(values), bits(back));
            assert_eq!(
                (audit.runs, audit.requests),
                (counted.runs, counted.requests)
            );
            assert_eq!(audit.accepted, counted.accepted);
        }
        // Of other systems or measures.
        assert!(parse(&rows(&round), [3, 3]).is_none());
        assert!(parse(&rows(&round), [2, 2]).is_none());
    }
}
