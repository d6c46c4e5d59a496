//! Claims with what was found about them, and the rows of claims.csv and evidence.csv.

use std::{collections::BTreeMap, path::Path};

use super::comparison::{Finding, Row, half};
use crate::{
    error::Result,
    files::{self, ClaimRow, Row as _},
    statistics::Verdict,
};

/// What kind of statement a claim is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Follows from how something is built.
    Built,
    /// A definition.
    Definition,
    /// A number that the paper prints.
    Number,
    /// Which of several is greater.
    Order,
    /// How something grows or falls.
    Trend,
    /// A worked example.
    Worked,
}

impl Kind {
    /// Its name in claims.csv.
    const fn name(self) -> &'static str {
        match self {
            Self::Built => "by-construction",
            Self::Definition => "D",
            Self::Number => "N",
            Self::Order => "O",
            Self::Trend => "T",
            Self::Worked => "W",
        }
    }
}

/// One claim of a paper and what was found about it.
pub(super) struct Claim {
    pub(super) id: &'static str,
    kind: Kind,
    says: String,
    printed: String,
    pub(super) found: Finding,
    /// Whether runs at some of the points can judge it, too.
    pointwise: bool,
    /// What else a reader should know; may be empty.
    remark: String,
    /// What a reader is told where it fails; empty where it has not failed yet.
    why_it_fails: &'static str,
}

/// What the paper says, what it prints for it, and what was found about that.
pub(super) fn claim(
    id: &'static str,
    kind: Kind,
    says: impl Into<String>,
    printed: impl Into<String>,
    found: Finding,
) -> Claim {
    Claim {
        id,
        kind,
        says: says.into(),
        printed: printed.into(),
        found,
        pointwise: false,
        remark: String::new(),
        why_it_fails: "",
    }
}

impl Claim {
    /// The same, said of each point by itself, so that a few can be judged.
    #[must_use]
    pub(super) fn pointwise(self) -> Self {
        let pointwise = true;
        Self { pointwise, ..self }
    }

    /// The same with further evidence.
    #[must_use]
    pub(super) fn with(mut self, facts: impl IntoIterator<Item = Row>) -> Self {
        self.found.rows.extend(facts);
        self
    }

    #[must_use]
    pub(super) fn remark(self, remark: impl Into<String>) -> Self {
        let remark = remark.into();
        Self { remark, ..self }
    }

    /// The same with a sentence or two for where it fails: what the paper says, what comes out here, and the cause as far as it is known.
    #[must_use]
    pub(super) fn fails_since(self, why_it_fails: &'static str) -> Self {
        Self {
            why_it_fails,
            ..self
        }
    }
}

/// What the claims are found to be by another reading of what the paper leaves open.
pub(super) struct Reading {
    pub(super) name: &'static str,
    pub(super) replications: usize,
    /// Whether all points of the main reading were run.
    pub(super) complete: bool,
    pub(super) claims: Vec<Claim>,
}

impl Reading {
    /// What it says about a claim, where it can judge that.
    fn about(&self, claim: &Claim) -> Option<Row> {
        let found = &self.claims.iter().find(|one| one.id == claim.id)?.found;
        // Numbers say more than a verdict where the claim is one.
        let value = match claim.kind {
            Kind::Number => found.numbers(),
            _ => found.verdict().name().to_owned(),
        };
        let some = if self.complete { "" } else { ", some points" };
        let row = Row::verdict(format!("assuming: {}", self.name), value, found.verdict())
            .at(format!("{} replications{some}", self.replications));
        Some(row).filter(|_| self.complete || claim.pointwise)
    }
}

/// Why claims fail where they do, by their numbers.
pub(super) type Reasons = BTreeMap<&'static str, &'static str>;

/// Writes claims.csv in the order of the numbers, and evidence.csv with the lines behind each claim, among them what the other readings say.
pub(super) fn judge(
    out: &Path,
    (paper, disclaimer): (&str, &str),
    mut claims: Vec<Claim>,
    readings: &[Reading],
) -> Result<(Vec<ClaimRow>, Reasons)> {
    claims.sort_by_key(|claim| claim.id);
    let mut judged = Vec::new();
    let mut evidence = Vec::new();
    let mut reasons = Reasons::new();
    for claim in claims {
        reasons.extend(Some((claim.id, claim.why_it_fails)).filter(|(_, why)| !why.is_empty()));
        let found = &claim.found;
        let mut note = format!("Rule: {}.", found.rule);
        if let Some((runs, shown)) = found.alone() {
            note += &format!(" Of {runs} replications taken alone {shown} show all of it.");
        }
        let more = [&claim.remark, disclaimer];
        for more in more.iter().filter(|more| !more.is_empty()) {
            note += &format!(" {more}");
        }
        let others = readings.iter().filter_map(|other| other.about(&claim));
        let rows = found.evidence().into_iter().chain(others);
        evidence.extend(rows.map(|row| Row {
            id: claim.id.to_owned(),
            ..row
        }));
        judged.push(ClaimRow {
            id: claim.id.to_owned(),
            paper: paper.to_owned(),
            kind: claim.kind.name().to_owned(),
            measured: found.numbers(),
            ci95: half(found.half()),
            verdict: found.verdict(),
            claim: claim.says,
            claimed: claim.printed,
            note,
        });
    }
    files::write(&out.join("evidence.csv"), Row::COLUMNS, evidence)?;
    files::write(&out.join(super::CLAIMS), ClaimRow::COLUMNS, &judged)?;
    Ok((judged, reasons))
}

/// What became of the claims, in words.
pub(super) fn verdicts(judged: &[ClaimRow]) -> String {
    let count = |verdict| judged.iter().filter(|row| row.verdict == verdict).count();
    let [hold, fail, open] = [Verdict::Holds, Verdict::Fails, Verdict::Undecidable].map(count);
    format!("{hold} claims hold, {fail} fail, {open} undecidable")
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Claim, Verdict};

    /// What becomes of a claim about some runs.
    pub(in super::super) fn verdict<S>(claims: fn(&S) -> Vec<Claim>, id: &str, of: &S) -> Verdict {
        let claims = claims(of);
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        claim.found.verdict()
    }
}
