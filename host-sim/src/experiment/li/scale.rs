//! How large an experiment is.

/// Jobs, replications, and what of the full experiment is left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Jobs per run.
    pub(super) jobs: usize,
    /// Replications of the main reading and of the bindings.
    pub(super) replications: u32,
    /// Replications of other readings, slot lengths and horizons.
    pub(super) other_replications: u32,
    /// Every which request is decided once more by the plain definitions.
    pub(super) recheck_every: usize,
    /// Whether this is the short version.
    pub(super) quick: bool,
}

impl Scale {
    /// The paper's 10,000 jobs.
    pub(super) const FULL: Self = Self {
        jobs: 10_000,
        replications: 30,
        other_replications: 12,
        recheck_every: 5,
        quick: false,
    };

    /// Every row of the table in well under a minute.
    pub(super) const QUICK: Self = Self {
        jobs: 2_500,
        replications: 8,
        other_replications: 4,
        recheck_every: 5,
        quick: true,
    };
}
