//! Rows of claims.csv.

use std::{fmt, path::Path};

use super::{
    files,
    rules::{Judgement, Verdict},
};
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

/// How many claims came out how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Claims that hold.
    pub hold: usize,
    /// Claims that fail.
    pub fail: usize,
    /// Claims that the runs leave open.
    pub undecidable: usize,
}

impl Verdicts {
    /// Counts them.
    pub(super) fn of(rows: &[Row]) -> Self {
        let count = |verdict| {
            let alike = rows.iter().filter(|row| row.judgement.verdict == verdict);
            alike.count()
        };
        Self {
            hold: count(Verdict::Holds),
            fail: count(Verdict::Fails),
            undecidable: count(Verdict::Undecidable),
        }
    }
}

impl fmt::Display for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            hold,
            fail,
            undecidable,
        } = self;
        write!(
            f,
            "{hold} claims hold, {fail} fail, {undecidable} undecidable"
        )
    }
}

/// Writes claims.csv.
pub(super) fn write(dir: &Path, paper: &str, rows: &[Row]) -> Result<()> {
    let header = [
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
    let rows = rows.iter().map(|Row { claim, judgement }| {
        let note = format!("Rule: {} {}", claim.rule, judgement.note);
        let ci95 = judgement.ci95.map(|half| format!("{half:.4}"));
        [
            claim.id,
            paper,
            claim.kind,
            claim.claim,
            claim.claimed,
            &judgement.measured,
            ci95.as_deref().unwrap_or_default(),
            judgement.verdict.name(),
            note.trim(),
        ]
        .map(str::to_owned)
    });
    files::table(dir, "claims.csv", header, rows)
}
