//! differences.csv: how systems, or values of an axis, differ, pair by pair.

use serde::{Deserialize, Serialize};

use super::{Decimal, Row};

/// What a measure is of the second less what it is of the first, replication by replication or part by part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Difference {
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) measure: String,
    /// Replications, or parts, in which both have a value.
    pub(crate) n: u64,
    pub(crate) mean: Option<Decimal>,
    pub(crate) ci95: Option<Decimal>,
}

impl Row for Difference {
    const COLUMNS: &'static [&'static str] = &["first", "second", "measure", "n", "mean", "ci95"];
}
