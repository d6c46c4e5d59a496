//! pieces.csv: runs of jobs that were ended for reservations.

use serde::{Deserialize, Serialize};

use super::{PeRanges, Row};

/// One run; columns by name and in order. The run in which the job came to its end stands in jobs.csv.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Piece {
    pub(crate) job_id: u64,
    pub(crate) starting_time: u64,
    pub(crate) finish_time: u64,
    pub(crate) allocated_resources: PeRanges,
}

impl Piece {
    /// PEs x seconds that were used for nothing.
    pub(crate) fn pe_seconds(&self) -> u64 {
        let seconds = self.finish_time.saturating_sub(self.starting_time);
        seconds.saturating_mul(self.allocated_resources.width())
    }
}

impl Row for Piece {
    const COLUMNS: &'static [&'static str] = &[
        "job_id",
        "starting_time",
        "finish_time",
        "allocated_resources",
    ];
}
