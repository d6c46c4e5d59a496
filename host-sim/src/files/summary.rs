//! summary.csv: means and confidence intervals of a sweep.

use serde::{Deserialize, Serialize};

use super::{Decimal, Row, claim::in_order};

/// One measure at one point; the columns of the axes, which differ from sweep to sweep, come before these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SummaryRow {
    pub(crate) measure: String,
    /// Replications in which it has a value.
    pub(crate) n: u64,
    pub(crate) mean: Option<Decimal>,
    pub(crate) ci95: Option<Decimal>,
    /// The ends of the interval that is drawn; earlier versions wrote none.
    #[serde(default)]
    pub(crate) low: Option<Decimal>,
    #[serde(default)]
    pub(crate) high: Option<Decimal>,
}

impl Row for SummaryRow {
    const COLUMNS: &'static [&'static str] = &["measure", "n", "mean", "ci95"];

    fn check(&self) -> Result<(), (&'static str, String)> {
        in_order(self.low, self.high)
    }
}
