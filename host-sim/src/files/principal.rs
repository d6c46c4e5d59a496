//! principals.csv: what each principal asked for and got.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Decimal, Row, user::jain};

/// What became of the requests of one principal and of all those below it; columns by name and in order. A rate over nothing is nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PrincipalRow {
    /// The name; empty for the requests of nobody in particular.
    pub(crate) principal: Cow<'static, str>,
    /// Who is charged for it, too.
    pub(crate) parent: Cow<'static, str>,
    pub(crate) requests: u64,
    pub(crate) accepted: u64,
    pub(crate) acceptance_rate: Option<Decimal>,
    pub(crate) requested_pe_seconds: u64,
    pub(crate) used_pe_seconds: u64,
    /// Of all that was used.
    pub(crate) share: Option<Decimal>,
}

/// Jain's index of what principals got of what they asked for, PE-seconds used / PE-seconds requested. Over those with a name who are nobody's parent and asked for
/// something; nothing where nobody got anything.
pub(crate) fn principal_fairness(rows: &[PrincipalRow]) -> Option<f64> {
    let is_parent = |one: &PrincipalRow| rows.iter().any(|row| row.parent == one.principal);
    let asked = rows
        .iter()
        .filter(|row| !row.principal.is_empty() && row.requested_pe_seconds > 0 && !is_parent(row));
    jain(asked.map(|row| row.used_pe_seconds as f64 / row.requested_pe_seconds as f64))
}

impl Row for PrincipalRow {
    const COLUMNS: &'static [&'static str] = &[
        "principal",
        "parent",
        "requests",
        "accepted",
        "acceptance_rate",
        "requested_pe_seconds",
        "used_pe_seconds",
        "share",
    ];
}
