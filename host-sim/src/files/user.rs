//! users.csv: what each user asked for and got.

use serde::{Deserialize, Serialize};

use super::{Decimal, Row};

/// What became of the jobs of one user; columns by name and in order. A mean or a rate over nothing is nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct User {
    /// The number of the user; nothing for the jobs of nobody in particular.
    pub(crate) user: Option<u64>,
    pub(crate) requests: u64,
    pub(crate) accepted: u64,
    pub(crate) acceptance_rate: Option<Decimal>,
    pub(crate) best_effort: u64,
    /// What all of them asked for.
    pub(crate) requested_pe_seconds: u64,
    /// What all of them used.
    pub(crate) used_pe_seconds: u64,
    /// From the ready time, of a job of the queue from its submission, to the start (s), over those that have one.
    pub(crate) mean_waiting: Option<Decimal>,
    /// From the submission to the end by the run time, over those that ran.
    pub(crate) mean_stretch: Option<Decimal>,
}

impl Row for User {
    const COLUMNS: &'static [&'static str] = &[
        "user",
        "requests",
        "accepted",
        "acceptance_rate",
        "best_effort",
        "requested_pe_seconds",
        "used_pe_seconds",
        "mean_waiting",
        "mean_stretch",
    ];
}
