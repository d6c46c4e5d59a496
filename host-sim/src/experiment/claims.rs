//! Claims with their rules, and the rows of claims.csv and evidence.csv.

use std::{collections::BTreeMap, path::Path};

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
    pub(super) id: &'static str,
    rule: Rule,
    /// Whether other runs can judge it, too.
    elsewhere: fn(&Evidence) -> bool,
    /// What else a reader should know; may be empty.
    remark: String,
}

impl Claim {
    /// A claim about whole curves, so that all points are needed.
    pub(super) fn along(id: &'static str, rule: Rule) -> Self {
        Self {
            id,
            rule,
            elsewhere: |other| other.complete,
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
            elsewhere: |_| false,
            ..Self::along(id, special(rule, move |_| found.clone()))
        }
    }

    /// The same, said of each point by itself, so that a few can be judged.
    #[must_use]
    pub(super) fn pointwise(mut self) -> Self {
        self.elsewhere = |_| true;
        self
    }

    /// The same with further evidence.
    #[must_use]
    pub(super) fn with(mut self, facts: fn(&Panels) -> Vec<Row>) -> Self {
        let add = move |found: &mut Finding, panels: &Panels| found.rows.extend(facts(panels));
        self.rule = self.rule.then(add);
        self
    }

    #[must_use]
    pub(super) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = remark.into();
        self
    }

    /// What it says by another reading of what the paper leaves open.
    fn by(&self, other: &Evidence, kind: &str) -> Row {
        let found = self.rule.look(&other.panels);
        // Numbers say more than a verdict where the claim is one.
        let value = match kind {
            "N" => found.numbers(),
            _ => found.verdict().name().to_owned(),
        };
        let some = if other.complete { "" } else { ", some points" };
        Row::verdict(format!("assuming: {}", other.name), value, found.verdict())
            .at(format!("{} replications{some}", other.replications))
    }
}

/// One set of runs that claims are judged by.
pub(super) struct Evidence {
    /// Name of the assumption.
    pub(super) name: &'static str,
    pub(super) replications: usize,
    /// Whether all points of the main assumption were run.
    pub(super) complete: bool,
    pub(super) panels: Panels,
}

/// Judges all claims by the main runs, and by the others for comparison, in the order of the table of words. Writes claims.csv, and
/// evidence.csv with the lines behind each claim. What became of the claims, in words.
pub(super) fn judge(
    out: &Path,
    (paper, words, disclaimer): (&str, &str, &str),
    claims: impl IntoIterator<Item = Claim>,
    main: &Evidence,
    others: &[&Evidence],
) -> Result<String> {
    let broken = |problem: String| Error::Internal(format!("the table of claims: {problem}"));
    let mut claims: BTreeMap<_, _> = claims.into_iter().map(|claim| (claim.id, claim)).collect();
    let mut judged = Vec::new();
    let mut evidence = Vec::new();
    for row in csv::Reader::from_reader(words.as_bytes()).deserialize() {
        let row: std::result::Result<[String; 4], csv::Error> = row;
        let [id, kind, words, claimed] = row.map_err(|error| broken(error.to_string()))?;
        let claim = claims.remove(id.as_str());
        let claim = claim.ok_or_else(|| broken(format!("nothing judges {id}")))?;
        let found = claim.rule.look(&main.panels);
        let mut note = format!("Rule: {}.", found.rule);
        if let Some((runs, shown)) = found.alone() {
            note += &format!(" Of {runs} replications taken alone {shown} show all of it.");
        }
        for more in [&claim.remark, disclaimer]
            .iter()
            .filter(|more| !more.is_empty())
        {
            note += &format!(" {more}");
        }
        let others = others.iter().filter(|other| (claim.elsewhere)(other));
        let others = others.map(|other| claim.by(other, &kind));
        let rows = found.evidence().into_iter().chain(others);
        evidence.extend(rows.map(|row| Row {
            id: id.clone(),
            ..row
        }));
        judged.push(ClaimRow {
            id,
            paper: paper.to_owned(),
            kind,
            claim: words,
            claimed,
            measured: found.numbers(),
            ci95: half(found.half()),
            verdict: found.verdict(),
            note,
        });
    }
    if let Some(id) = claims.keys().next() {
        return Err(broken(format!("{id} has no words")));
    }
    let verdicts = verdicts(&judged);
    files::write(&out.join(super::CLAIMS), ClaimRow::COLUMNS, judged)?;
    files::write(&out.join("evidence.csv"), Row::COLUMNS, evidence)?;
    Ok(verdicts)
}

/// What became of the claims, in words.
pub(super) fn verdicts(judged: &[ClaimRow]) -> String {
    let count = |verdict| judged.iter().filter(|row| row.verdict == verdict).count();
    let [hold, fail, open] = [Verdict::Holds, Verdict::Fails, Verdict::Undecidable].map(count);
    format!("{hold} claims hold, {fail} fail, {open} undecidable")
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
