//! Reads a result folder: whatever of it is there.

use std::path::Path;

use super::{
    group::{Group, groups},
    line_plot::{self, LinePlot},
    metrics_file::MetricsFile,
    run::{self, Run},
};
use crate::{
    error::{Error, Result},
    manifest::Manifest,
    result_folder::{self, is_a_run},
    table,
};

/// Everything a report is made from.
pub(super) struct Folder {
    /// Rows of claims.csv.
    pub(super) claims: Option<Vec<ClaimRow>>,
    /// figures.csv.
    pub(super) figures: Option<Vec<LinePlot>>,
    /// settings.json of a reproduction, or metrics.json of the folder itself where it is not that of a single run.
    pub(super) settings: Option<MetricsFile>,
    /// The runs, those together that can be compared.
    pub(super) groups: Vec<Group>,
    /// Files a complete folder would have.
    pub(super) missing: Vec<String>,
}

impl Folder {
    /// Whether this is about claims and figures of papers, with runs as samples only.
    pub(super) fn is_reproduction(&self) -> bool {
        self.claims.is_some() || self.figures.is_some()
    }

    /// All runs, group by group.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.groups.iter().flat_map(|group| &group.runs)
    }
}

/// One claim of a paper and what was measured.
pub(super) struct ClaimRow {
    pub(super) id: String,
    pub(super) paper: String,
    pub(super) kind: String,
    pub(super) claim: String,
    pub(super) claimed: String,
    pub(super) measured: String,
    pub(super) ci95: String,
    pub(super) verdict: &'static str,
    pub(super) note: String,
    /// Rows of evidence.csv.
    pub(super) evidence: Vec<Evidence>,
}

/// What was compared or measured for a claim.
pub(super) struct Evidence {
    id: String,
    pub(super) what: String,
    pub(super) place: String,
    pub(super) value: String,
    pub(super) ci95: String,
    /// What it says about the claim; empty where it says nothing by itself.
    pub(super) verdict: &'static str,
}

/// Reads a result folder.
pub(super) fn read(dir: &Path) -> Result<Folder> {
    let listed = result_folder::runs(dir)?;
    let has_manifest = Manifest::read(dir)?.is_some();
    let mut missing = Vec::new();
    let claims = claims(&dir.join("claims.csv"), &dir.join("evidence.csv"))?;
    let figures = line_plot::read(&dir.join("figures.csv"))?;
    let mut runs = Vec::new();
    for one in listed.iter().filter(|one| !one.name.is_empty()) {
        if one.has_begun() {
            runs.push(run::read(&one.path, &one.name, &mut missing)?);
        } else {
            missing.push(format!("{}/", one.name));
        }
    }
    let reproduction = claims.is_some() || figures.is_some();
    let is_a_run = is_a_run(dir);
    let settings =
        if is_a_run || (runs.is_empty() && !reproduction && dir.join("metrics.json").is_file()) {
            runs.insert(0, run::read(dir, "", &mut missing)?);
            None
        } else {
            let name = if reproduction {
                "settings.json"
            } else {
                "metrics.json"
            };
            MetricsFile::read(&dir.join(name))?
        };
    if !reproduction && runs.is_empty() && !has_manifest {
        return Err(nothing_usable(dir));
    }
    if reproduction {
        let there = [
            ("claims.csv", claims.is_some()),
            ("figures.csv", figures.is_some()),
            ("settings.json", settings.is_some() || is_a_run),
        ];
        missing.extend(there.iter().filter(|f| !f.1).map(|f| f.0.to_owned()));
    }
    Ok(Folder {
        claims,
        figures,
        settings,
        groups: groups(runs),
        missing,
    })
}

fn nothing_usable(dir: &Path) -> Error {
    Error::Usage(format!(
        "{}: nothing to report on: expected jobs.csv, reservations.csv or metrics.json of a run there or in its \
         subfolders, or claims.csv or figures.csv of a reproduction",
        dir.display()
    ))
}

fn claims(file: &Path, evidence: &Path) -> Result<Option<Vec<ClaimRow>>> {
    let needed = [
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
    let mut claims = table::read(file, &needed, |row| {
        let text = |column: &str| row.text(column).to_owned();
        Ok(ClaimRow {
            id: text("id"),
            paper: text("paper"),
            kind: text("kind"),
            claim: text("claim"),
            claimed: text("claimed"),
            measured: text("measured"),
            ci95: text("ci95"),
            verdict: row.one_of("verdict", &VERDICTS)?,
            note: text("note"),
            evidence: Vec::new(),
        })
    })?;
    let needed = ["id", "what", "where", "value", "ci95", "verdict"];
    let rows = table::read(evidence, &needed, |row| {
        let text = |column: &str| row.text(column).to_owned();
        Ok(Evidence {
            id: text("id"),
            what: text("what"),
            place: text("where"),
            value: text("value"),
            ci95: text("ci95"),
            verdict: match row.text("verdict") {
                "" => "",
                _ => row.one_of("verdict", &VERDICTS)?,
            },
        })
    })?;
    for row in rows.unwrap_or_default() {
        let claim = claims.iter_mut().flatten().find(|claim| claim.id == row.id);
        if let Some(claim) = claim {
            claim.evidence.push(row);
        }
    }
    Ok(claims)
}

const VERDICTS: [&str; 3] = ["holds", "fails", "undecidable"];
