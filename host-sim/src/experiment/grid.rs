//! Points x replications, in parallel, with results in order.

use rayon::prelude::*;

use crate::error::Result;

/// Runs `work` for every point and replication; by point, then by replication.
///
/// The order of the results does not depend on the number of threads, and neither may anything in `work`.
pub(super) fn run<P: Sync, T: Send>(
    points: &[P],
    replications: u32,
    work: impl Fn(&P, u32) -> Result<T> + Sync,
) -> Result<Vec<Vec<T>>> {
    points
        .par_iter()
        .map(|point| {
            (0..replications)
                .into_par_iter()
                .map(|replication| work(point, replication))
                .collect()
        })
        .collect()
}
