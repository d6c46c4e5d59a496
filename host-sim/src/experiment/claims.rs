//! Claims with their rules, and the rows of claims.csv and evidence.csv.

use std::{collections::BTreeMap, fmt, path::Path};

use serde::Deserialize;

use super::{
    comparison::{Judgement, Row, Verdict},
    files,
    panel::Panels,
    rule::Rule,
};
use crate::error::{Error, Result};

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
    /// What the verdict rests on.
    pub(super) basis: Basis,
    /// What else a reader should know; may be empty.
    pub(super) remark: String,
}

/// What a verdict rests on.
pub(super) enum Basis {
    /// What was measured, by rules.
    Runs {
        /// Judged apart; the worst counts.
        parts: Vec<Part>,
        /// Whether it says something about each point by itself, so that a few points can be judged.
        pointwise: bool,
        /// Further evidence.
        facts: fn(&Panels) -> Vec<Row>,
    },
    /// What was counted or worked out once, by a rule in words.
    Once {
        rule: &'static str,
        judgement: Judgement,
    },
}

/// A part of a claim with a name of its own.
pub(super) struct Part {
    /// Empty for a claim of one part.
    pub(super) name: &'static str,
    /// Opens what was measured.
    pub(super) context: fn(&Panels) -> String,
    /// What must be seen.
    pub(super) rule: Rule,
}

/// No context.
pub(super) fn nothing(_: &Panels) -> String {
    String::new()
}

/// No further evidence.
pub(super) fn no_facts(_: &Panels) -> Vec<Row> {
    Vec::new()
}

impl Claim {
    /// A claim of one part about whole curves.
    pub(super) fn along(id: &'static str, context: fn(&Panels) -> String, rule: Rule) -> Self {
        let part = Part {
            name: "",
            context,
            rule,
        };
        Self::of_parts(id, vec![part])
    }

    /// A claim of several parts about whole curves.
    pub(super) const fn of_parts(id: &'static str, parts: Vec<Part>) -> Self {
        Self {
            id,
            basis: Basis::Runs {
                parts,
                pointwise: false,
                facts: no_facts,
            },
            remark: String::new(),
        }
    }

    /// A claim decided once.
    pub(super) const fn once(id: &'static str, rule: &'static str, judgement: Judgement) -> Self {
        Self {
            id,
            basis: Basis::Once { rule, judgement },
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
    note: String,
}

/// Judges all claims by the main runs, which come first, and by the others for comparison; in the order of the table of words.
pub(super) fn judge(
    words: &str,
    claims: Vec<Claim>,
    main: &Evidence,
    others: &[Evidence],
    disclaimer: &str,
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
        let (judgement, note) = claim.judge(&words, main, others);
        let note = [note.as_str(), &claim.remark, disclaimer].map(str::trim);
        let note: Vec<&str> = note.into_iter().filter(|text| !text.is_empty()).collect();
        judged.push(Judged {
            words,
            judgement,
            note: note.join(" "),
        });
    }
    match claims.keys().next() {
        Some(id) => Err(Error::Internal(format!("claim {id} has no words"))),
        None => Ok(judged),
    }
}

impl Claim {
    fn judge(&self, words: &Words, main: &Evidence, others: &[Evidence]) -> (Judgement, String) {
        let (parts, pointwise, facts) = match &self.basis {
            Basis::Once { rule, judgement } => {
                return (judgement.clone(), format!("Rule: {rule}."));
            }
            Basis::Runs {
                parts,
                pointwise,
                facts,
            } => (parts, *pointwise, facts),
        };
        let mut judgement = of_parts(parts, &main.panels);
        judgement.rows.extend(facts(&main.panels));
        for other in others.iter().filter(|other| other.complete || pointwise) {
            let found = of_parts(parts, &other.panels);
            // Numbers say more than a verdict where the claim is one.
            let value = match words.kind.as_str() {
                "N" => found.measured,
                _ => found.verdict.name().to_owned(),
            };
            let place = format!(
                "{} replications{}",
                other.replications,
                if other.complete { "" } else { ", some points" }
            );
            judgement.rows.push(Row {
                place,
                verdict: Some(found.verdict),
                ..Row::fact(format!("assuming: {}", other.name), value)
            });
        }
        let rules: Vec<String> = parts.iter().map(|part| part.words(&main.panels)).collect();
        let alone = judgement.alone.map_or_else(String::new, |(runs, shown)| {
            format!(" Of {runs} replications taken alone {shown} show all of it.")
        });
        (judgement, format!("Rule: {}.{alone}", rules.join("; ")))
    }
}

impl Part {
    fn words(&self, panels: &Panels) -> String {
        self.rule.words(panels)
    }
}

fn of_parts(parts: &[Part], panels: &Panels) -> Judgement {
    let judge = |part: &Part| Judgement::of((part.context)(panels), part.rule.look(panels));
    match parts {
        [part] => judge(part),
        parts => Judgement::together(parts.iter().map(|part| (part.name, judge(part))).collect()),
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

/// Writes claims.csv, and evidence.csv with the lines behind each claim.
pub(super) fn write(dir: &Path, paper: &str, judged: &[Judged]) -> Result<()> {
    let header = [
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
    let half = |ci95: Option<f64>| ci95.map(|half| format!("{half:.4}")).unwrap_or_default();
    let rows = judged.iter().map(|row| {
        let Words {
            id,
            kind,
            claim,
            claimed,
        } = row.words.clone();
        let Judgement {
            verdict,
            measured,
            ci95,
            ..
        } = row.judgement.clone();
        let (ci95, verdict) = (half(ci95), verdict.name().to_owned());
        [
            id,
            paper.to_owned(),
            kind,
            claim,
            claimed,
            measured,
            ci95,
            verdict,
            row.note.clone(),
        ]
    });
    files::table(dir, "claims.csv", header, rows)?;
    let header = ["id", "what", "where", "value", "ci95", "verdict"];
    let rows = judged.iter().flat_map(|judged| {
        judged.judgement.rows.iter().map(|row| {
            let verdict = row.verdict.map_or("", Verdict::name).to_owned();
            let Row {
                what,
                place,
                value,
                ci95,
                ..
            } = row.clone();
            [
                judged.words.id.clone(),
                what,
                place,
                value,
                half(ci95),
                verdict,
            ]
        })
    });
    files::table(dir, "evidence.csv", header, rows)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Basis, Claim, Panels, Verdict, of_parts};

    /// What becomes of one of some claims about figures in given panels.
    pub(in super::super) fn verdict(claims: &[Claim], id: &str, panels: &Panels) -> Verdict {
        let claim = claims.iter().find(|claim| claim.id == id).unwrap();
        let Basis::Runs { parts, .. } = &claim.basis else {
            panic!("{id} is decided once");
        };
        of_parts(parts, panels).verdict
    }
}
