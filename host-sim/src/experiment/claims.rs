//! Rows of claims.csv.

use std::path::Path;

use super::{files, rules::Judgement};
use crate::error::Result;

/// What a paper says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    /// Number of the row.
    pub(super) id: &'static str,
    /// Number, ordering, trend, worked example, complexity or definition, by its first letter.
    pub(super) kind: &'static str,
    /// The claim in a sentence.
    pub(super) claim: &'static str,
    /// The number or order claimed.
    pub(super) claimed: &'static str,
    /// How the verdict comes about.
    pub(super) rule: &'static str,
}

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    claim: Claim,
    judgement: Judgement,
}

impl Row {
    /// The verdict on a claim.
    pub(super) const fn new(claim: Claim, judgement: Judgement) -> Self {
        Self { claim, judgement }
    }
}

/// Writes claims.csv.
pub(super) fn write(dir: &Path, paper: &str, rows: &[Row]) -> Result<()> {
    let header = [
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
    let rows = rows.iter().map(|Row { claim, judgement }| {
        let note = format!("Rule: {} {}", claim.rule, judgement.note);
        [
            claim.id,
            paper,
            claim.kind,
            claim.claim,
            claim.claimed,
            &judgement.measured,
            &judgement.ci95,
            judgement.verdict.name(),
            note.trim(),
        ]
        .map(str::to_owned)
    });
    files::table(dir, "claims.csv", header, rows)
}
