//! replicas.csv: the copies of reservations that were booked at several sites.

use serde::{Deserialize, Serialize};

use super::Row;

/// One copy; columns by name and in order. The copy that is used has no `until`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replica {
    pub(crate) job_id: u64,
    pub(crate) site: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) overlaid_pes: u64,
    pub(crate) until: Option<u64>,
}

impl Row for Replica {
    const COLUMNS: &'static [&'static str] = &["job_id", "site", "start", "end"];
}
