//! Claims with their rules, and the rows of claims.csv and evidence.csv.

use std::{collections::BTreeMap, fmt, path::Path};

use serde::Deserialize;

use super::{
    comparison::{Judgement, Row, Verdict},
    panel::Panels,
    rule::Rule,
};
use crate::{
    error::{Error, Result},
    files::{self, ClaimRow, EvidenceRow, Row as _},
};

/// What a paper says, a row of the table beside its experiment.
#[derive(Clone, Debug, Deserialize)]
struct Words {
    id: String,
    /// Number, ordering, trend, worked example or definition, by its first letter; or `by-construction`.
    kind: String,
    /// The claim in a sentence.
    claim: String,
    /// The number or order claimed.
    claimed: String,
}

/// One claim of a paper and how it is judged.
pub(super) struct Claim {
    /// Number of the row.
    pub(super) id: &'static str,
    basis: Basis,
    /// What else a reader should know; may be empty.
    remark: String,
}

/// What a verdict rests on.
enum Basis {
    /// What was measured, by rules.
    Runs {
        /// Judged apart, each behind its name; the worst counts.
        parts: Vec<(&'static str, Rule)>,
        /// Whether it says something about each point by itself, so that a few points can be judged.
        pointwise: bool,
        /// Further evidence.
        facts: fn(&Panels) -> Vec<Row>,
    },
    /// What was counted or worked out once.
    Once(Judgement),
}

impl Claim {
    /// A claim of one part about whole curves.
    pub(super) fn along(id: &'static str, rule: Rule) -> Self {
        Self::of_parts(id, [("", rule)])
    }

    /// A claim of several parts about whole curves, each with a name.
    pub(super) fn of_parts(
        id: &'static str,
        parts: impl IntoIterator<Item = (&'static str, Rule)>,
    ) -> Self {
        Self {
            id,
            basis: Basis::Runs {
                parts: parts.into_iter().collect(),
                pointwise: false,
                facts: |_| Vec::new(),
            },
            remark: String::new(),
        }
    }

    /// A claim decided once, by a rule in words.
    pub(super) fn once(id: &'static str, rule: &str, judgement: Judgement) -> Self {
        let rule = rule.to_owned();
        Self {
            id,
            basis: Basis::Once(Judgement { rule, ..judgement }),
            remark: String::new(),
        }
    }

    /// The same, said of each point by itself.
    #[must_use]
    pub(super) fn pointwise(mut self) -> Self {
        if let Basis::Runs { pointwise, .. } = &mut self.basis {
            *pointwise = true;
        }
        self
    }

    /// The same with further evidence.
    #[must_use]
    pub(super) fn with(mut self, more: fn(&Panels) -> Vec<Row>) -> Self {
        if let Basis::Runs { facts, .. } = &mut self.basis {
            *facts = more;
        }
        self
    }

    /// The same with a remark.
    #[must_use]
    pub(super) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }

    fn judge(&self, kind: &str, main: &Evidence, others: &[&Evidence]) -> Judgement {
        let (parts, pointwise, facts) = match &self.basis {
            Basis::Once(judgement) => return judgement.clone(),
            Basis::Runs {
                parts,
                pointwise,
                facts,
            } => (parts, *pointwise, facts),
        };
        let mut judgement = together(parts, &main.panels);
        judgement.rows.extend(facts(&main.panels));
        for other in others.iter().filter(|other| other.complete || pointwise) {
            let found = together(parts, &other.panels);
            // Numbers say more than a verdict where the claim is one.
            let value = match kind {
                "N" => found.measured,
                _ => found.verdict.name().to_owned(),
            };
            let some = if other.complete { "" } else { ", some points" };
            judgement.rows.push(Row {
                place: format!("{} replications{some}", other.replications),
                ..Row::verdict(format!("assuming: {}", other.name), value, found.verdict)
            });
        }
        judgement
    }
}

fn together(parts: &[(&'static str, Rule)], panels: &Panels) -> Judgement {
    let judge = |rule: &Rule| Judgement::of(rule.look(panels));
    match parts {
        [(_, rule)] => judge(rule),
        parts => Judgement::together(
            parts
                .iter()
                .map(|(name, rule)| (*name, judge(rule)))
                .collect(),
        ),
    }
}

/// One set of runs that claims are judged by.
pub(super) struct Evidence {
    /// Name of the assumption.
    pub(super) name: &'static str,
    /// How many replications.
    pub(super) replications: usize,
    /// Whether all points of the main assumption were run.
    pub(super) complete: bool,
    /// What was measured.
    pub(super) panels: Panels,
}

/// A claim and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    words: Words,
    judgement: Judgement,
    remark: String,
}

/// Judges all claims by the main runs, and by the others for comparison; in the order of the table of words.
pub(super) fn judge(
    words: &str,
    claims: Vec<Claim>,
    main: &Evidence,
    others: &[&Evidence],
) -> Result<Vec<Judged>> {
    let mut claims: BTreeMap<&str, Claim> =
        claims.into_iter().map(|claim| (claim.id, claim)).collect();
    let mut table = csv::Reader::from_reader(words.as_bytes());
    let mut judged = Vec::new();
    for row in table.deserialize() {
        let broken = |problem: String| Error::Internal(format!("the table of claims: {problem}"));
        let words: Words = row.map_err(|error: csv::Error| broken(error.to_string()))?;
        let claim = claims.remove(words.id.as_str());
        let claim = claim.ok_or_else(|| broken(format!("nothing judges {}", words.id)))?;
        judged.push(Judged {
            judgement: claim.judge(&words.kind, main, others),
            words,
            remark: claim.remark,
        });
    }
    match claims.keys().next() {
        Some(id) => Err(Error::Internal(format!("claim {id} has no words"))),
        None => Ok(judged),
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
    pub(super) fn of(judged: &[Judged]) -> Self {
        let count = |verdict| {
            let alike = judged.iter().filter(|row| row.judgement.verdict == verdict);
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

/// Writes claims.csv, with a disclaimer behind every note, and evidence.csv with the lines behind each claim.
pub(super) fn write(dir: &Path, paper: &str, judged: &[Judged], disclaimer: &str) -> Result<()> {
    let claims = judged.iter().map(|judged| judged.claim(paper, disclaimer));
    files::write(&dir.join("claims.csv"), ClaimRow::COLUMNS, claims)?;
    let evidence = judged.iter().flat_map(Judged::evidence);
    files::write(&dir.join("evidence.csv"), EvidenceRow::COLUMNS, evidence)
}

fn half(ci95: Option<f64>) -> String {
    ci95.map(|half| format!("{half:.4}")).unwrap_or_default()
}

impl Judged {
    fn claim(&self, paper: &str, disclaimer: &str) -> ClaimRow {
        let Judgement {
            rule,
            verdict,
            measured,
            ci95,
            alone,
            ..
        } = &self.judgement;
        let alone = alone.map_or_else(String::new, |(runs, shown)| {
            format!(" Of {runs} replications taken alone {shown} show all of it.")
        });
        let more = [self.remark.as_str(), disclaimer].into_iter();
        let more = more.filter(|text| !text.is_empty());
        let more: String = more.map(|text| format!(" {text}")).collect();
        let Words {
            id,
            kind,
            claim,
            claimed,
        } = self.words.clone();
        ClaimRow {
            id,
            paper: paper.to_owned(),
            kind,
            claim,
            claimed,
            measured: measured.clone(),
            ci95: half(*ci95),
            verdict: *verdict,
            note: format!("Rule: {rule}.{alone}{more}"),
        }
    }

    fn evidence(&self) -> impl Iterator<Item = EvidenceRow> {
        self.judgement.rows.iter().cloned().map(|row| EvidenceRow {
            id: self.words.id.clone(),
            what: row.what,
            place: row.place,
            value: row.value,
            ci95: half(row.ci95),
            verdict: row.verdict,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Basis, Claim, Panels, Verdict, together};

    /// What becomes of one of some claims about figures in given panels.
    pub(in super::super) fn verdict(claims: &[Claim], id: &str, panels: &Panels) -> Verdict {
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        let Basis::Runs { parts, .. } = &claim.basis else {
            panic!("{id} is decided once");
        };
        together(parts, panels).verdict
    }
}
