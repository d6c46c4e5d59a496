//! How large an experiment is.

use super::points::{FEW_SEARCH_LIMITS, SEARCH_LIMIT};

/// Replications, and what of the full experiment is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The search limit times (h).
    pub(super) search_limits: &'static [u64],
    /// Jobs at most.
    pub(super) jobs: usize,
    /// Replications of the main reading.
    pub(super) replications: u32,
    /// Replications of the other readings.
    pub(super) other_replications: u32,
    /// Every which query is answered once more by the literal algorithm.
    pub(super) recheck_every: usize,
    /// Whether this is the short version.
    pub(super) quick: bool,
}

impl Scale {
    /// The paper's points.
    pub(super) const FULL: Self = Self {
        search_limits: &SEARCH_LIMIT,
        jobs: usize::MAX,
        replications: 20,
        other_replications: 10,
        recheck_every: 1,
        quick: false,
    };

    /// Every row of the table in well under a minute.
    pub(super) const QUICK: Self = Self {
        search_limits: &FEW_SEARCH_LIMITS,
        replications: 12,
        other_replications: 3,
        recheck_every: 5,
        quick: true,
        ..Self::FULL
    };
}
