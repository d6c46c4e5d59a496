//! Claims with their rules, and the rows of claims.csv and evidence.csv.

use std::{collections::BTreeMap, fmt, path::Path};

use super::{
    comparison::{Finding, Row, half},
    panel::Panels,
    rule::{Rule, parts, special},
};
use crate::{
    error::{Error, Result},
    files::{self, ClaimRow, Row as _},
    statistics::Verdict,
};

/// One claim of a paper and how it is judged.
pub(super) struct Claim {
    /// Number of the row.
    pub(super) id: &'static str,
    rule: Rule,
    basis: Basis,
    /// Further evidence.
    facts: fn(&Panels) -> Vec<Row>,
    /// What else a reader should know; may be empty.
    remark: String,
}

/// What a verdict rests on.
#[derive(Clone, Copy, PartialEq)]
enum Basis {
    /// What was counted or worked out once.
    Once,
    /// Whole curves, so that all points are needed.
    Curves,
    /// Each point by itself, so that a few can be judged.
    Points,
}

impl Claim {
    /// A claim about whole curves.
    pub(super) fn along(id: &'static str, rule: Rule) -> Self {
        Self {
            id,
            rule,
            basis: Basis::Curves,
            facts: |_| Vec::new(),
            remark: String::new(),
        }
    }

    /// A claim of several parts about whole curves, each with a name.
    pub(super) fn parts(id: &'static str, of: impl Into<Vec<(&'static str, Rule)>>) -> Self {
        Self::along(id, parts(of))
    }

    /// A claim decided once, by a rule in words.
    pub(super) fn once(id: &'static str, rule: &'static str, found: Finding) -> Self {
        Self {
            basis: Basis::Once,
            ..Self::along(id, special(rule, move |_| found.clone()))
        }
    }

    /// The same, said of each point by itself.
    #[must_use]
    pub(super) fn pointwise(mut self) -> Self {
        self.basis = Basis::Points;
        self
    }

    /// The same with further evidence.
    #[must_use]
    pub(super) fn with(mut self, facts: fn(&Panels) -> Vec<Row>) -> Self {
        self.facts = facts;
        self
    }

    /// The same with a remark.
    #[must_use]
    pub(super) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }

    /// Other readings of what the paper leaves open, line by line.
    fn other_readings(&self, kind: &str, others: &[&Evidence]) -> Vec<Row> {
        let judged = |other: &&&Evidence| match self.basis {
            Basis::Once => false,
            Basis::Curves => other.complete,
            Basis::Points => true,
        };
        let row = |other: &&Evidence| {
            let found = self.rule.look(&other.panels);
            // Numbers say more than a verdict where the claim is one.
            let value = match kind {
                "N" => found.numbers(),
                _ => found.verdict().name().to_owned(),
            };
            let some = if other.complete { "" } else { ", some points" };
            Row::verdict(format!("assuming: {}", other.name), value, found.verdict())
                .at(format!("{} replications{some}", other.replications))
        };
        others.iter().filter(judged).map(row).collect()
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

/// A claim with what became of it, and the evidence.
pub(super) type Judged = (ClaimRow, Vec<Row>);

/// Judges all claims by the main runs, and by the others for comparison; in the order of the table of words.
pub(super) fn judge(
    (paper, words, disclaimer): (&str, &str, &str),
    claims: Vec<Claim>,
    main: &Evidence,
    others: &[&Evidence],
) -> Result<Vec<Judged>> {
    let mut claims: BTreeMap<&str, Claim> =
        claims.into_iter().map(|claim| (claim.id, claim)).collect();
    let broken = |problem: String| Error::Internal(format!("the table of claims: {problem}"));
    let mut judged = Vec::new();
    for row in csv::Reader::from_reader(words.as_bytes()).deserialize() {
        let row: std::result::Result<[String; 4], csv::Error> = row;
        let [id, kind, claim, claimed] = row.map_err(|error| broken(error.to_string()))?;
        let judge = claims.remove(id.as_str());
        let judge = judge.ok_or_else(|| broken(format!("nothing judges {id}")))?;
        let found = judge.rule.look(&main.panels);
        let mut note = format!("Rule: {}.", found.rule);
        if let Some((runs, shown)) = found.alone() {
            note += &format!(" Of {runs} replications taken alone {shown} show all of it.");
        }
        for more in [judge.remark.as_str(), disclaimer] {
            if !more.is_empty() {
                note += &format!(" {more}");
            }
        }
        let more = (judge.facts)(&main.panels).into_iter();
        let more = more.chain(judge.other_readings(&kind, others));
        let rows = found.evidence().into_iter().chain(more);
        let rows = rows
            .map(|row| Row {
                id: id.clone(),
                ..row
            })
            .collect();
        let claim = ClaimRow {
            id: id.clone(),
            paper: paper.to_owned(),
            kind,
            claim,
            claimed,
            measured: found.numbers(),
            ci95: half(found.half()),
            verdict: found.verdict(),
            note,
        };
        judged.push((claim, rows));
    }
    match claims.keys().next() {
        Some(id) => Err(broken(format!("{id} has no words"))),
        None => Ok(judged),
    }
}

/// Writes claims.csv, and evidence.csv with the lines behind each claim.
pub(super) fn write(dir: &Path, judged: Vec<Judged>) -> Result<Verdicts> {
    let verdicts = Verdicts::of(&judged);
    let (claims, rows): (Vec<_>, Vec<_>) = judged.into_iter().unzip();
    files::write(&dir.join("claims.csv"), ClaimRow::COLUMNS, claims)?;
    files::write(
        &dir.join("evidence.csv"),
        Row::COLUMNS,
        rows.into_iter().flatten(),
    )?;
    Ok(verdicts)
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
    fn of(judged: &[Judged]) -> Self {
        let count = |verdict| {
            judged
                .iter()
                .filter(|(row, _)| row.verdict == verdict)
                .count()
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

#[cfg(test)]
pub(super) mod tests {
    use super::{Claim, Panels, Verdict};

    /// What becomes of one of some claims about figures in given panels.
    pub(in super::super) fn verdict(claims: &[Claim], id: &str, panels: &Panels) -> Verdict {
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        claim.rule.look(panels).verdict()
    }
}
