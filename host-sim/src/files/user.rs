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

/// Jain's index of what users got of what they asked for, PE-seconds used / PE-seconds requested: 1 when all got the same share, 1 / users when one got all.
/// Over users with a number who asked for something; nothing where nobody got anything.
pub(crate) fn fairness(users: &[User]) -> Option<f64> {
    let asked = users
        .iter()
        .filter(|user| user.user.is_some() && user.requested_pe_seconds > 0);
    jain(asked.map(|user| user.used_pe_seconds as f64 / user.requested_pe_seconds as f64))
}

/// Jain's index of shares; nothing where all are nothing.
pub(super) fn jain(shares: impl Iterator<Item = f64>) -> Option<f64> {
    let [count, sum, squares] = shares.fold([0.0; 3], |[count, sum, squares], share| {
        [count + 1.0, sum + share, squares + share * share]
    });
    (squares > 0.0).then(|| sum * sum / (count * squares))
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
