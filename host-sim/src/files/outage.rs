//! outages.csv: what outages took, and what that did to reservations.

use serde::{Deserialize, Serialize};

use super::{PeRanges, Row};
use crate::outage::OutageKind;

/// A part of an outage, which began at its own time; columns by name and in order. Counts stand in the first row of each notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutageRow {
    pub(crate) id: u64,
    pub(crate) kind: OutageKind,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// What this part took.
    pub(crate) pes: PeRanges,
    pub(crate) effective_start: Option<u64>,
    pub(crate) broken: u64,
    pub(crate) moved: u64,
    pub(crate) late: u64,
    pub(crate) announced: u64,
    pub(crate) effective_end: Option<u64>,
    /// All that was to leave.
    pub(crate) asked: PeRanges,
}

impl OutageRow {
    /// From when to when the part was away.
    pub(crate) fn effect(&self) -> Option<[u64; 2]> {
        Some([self.effective_start?, self.effective_end?])
    }

    /// Processing elements x seconds that were away.
    pub(crate) fn pe_seconds(&self) -> u64 {
        let [start, end] = self.effect().unwrap_or_default();
        let seconds = end.saturating_sub(start);
        seconds.saturating_mul(self.pes.width())
    }
}

impl Row for OutageRow {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "kind",
        "start",
        "end",
        "pes",
        "effective_start",
        "broken",
        "moved",
        "late",
        "announced",
        "effective_end",
        "asked",
    ];

    /// Something was away if it is said from when to when.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let [start, end] = [self.effective_start, self.effective_end];
        match (self.pes.is_empty(), start, end) {
            (true, None, None) => Ok(()),
            (false, Some(start), Some(end)) if start < end => Ok(()),
            (true, Some(_), _) => Err((
                "effective_start",
                "an empty cell where no PE leaves".to_owned(),
            )),
            (true, None, Some(_)) => Err((
                "effective_end",
                "an empty cell where no PE leaves".to_owned(),
            )),
            (false, None, _) => Err(("effective_start", "a whole number of 0 or more".to_owned())),
            (false, Some(start), _) => {
                Err(("effective_end", format!("a whole number above {start}")))
            }
        }
    }
}
