//! Reads a result folder: whatever of it is there.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

use super::{
    group::{Group, groups},
    line_plot::{self, LinePlot},
    metrics_file::MetricsFile,
    run::{self, Run},
};
use crate::{
    error::{Error, Result},
    files::{self, ClaimRow, EvidenceRow},
    manifest::Manifest,
    result_folder::{self, is_a_run},
};

/// Everything a report is made from.
pub(super) struct Folder {
    /// Rows of claims.csv.
    pub(super) claims: Option<Vec<JudgedClaim>>,
    /// figures.csv.
    pub(super) figures: Option<Vec<LinePlot>>,
    /// The options of an experiment that is no reproduction.
    pub(super) options: BTreeMap<String, Value>,
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

    /// The claims, or none.
    pub(super) fn judged(&self) -> &[JudgedClaim] {
        self.claims.as_deref().unwrap_or_default()
    }

    /// All runs, group by group.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.groups.iter().flat_map(|group| &group.runs)
    }
}

/// One claim of a paper with its rows of evidence.csv.
pub(super) struct JudgedClaim {
    pub(super) row: ClaimRow,
    pub(super) evidence: Vec<EvidenceRow>,
}

/// Reads a result folder.
pub(super) fn read(dir: &Path) -> Result<Folder> {
    let listed = result_folder::runs(dir)?;
    let manifest = Manifest::read(dir)?;
    let mut missing = Vec::new();
    let claims = claims(dir)?;
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
    if !reproduction && runs.is_empty() && manifest.is_none() {
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
        options: manifest
            .filter(|_| !reproduction)
            .map(|manifest| manifest.options)
            .unwrap_or_default(),
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

/// The claims of a folder, if it has some.
pub(super) fn claims(dir: &Path) -> Result<Option<Vec<JudgedClaim>>> {
    let Some(rows) = files::read::<ClaimRow>(&dir.join("claims.csv"))? else {
        return Ok(None);
    };
    let evidence: Vec<EvidenceRow> = files::read(&dir.join("evidence.csv"))?.unwrap_or_default();
    let claim = |row: ClaimRow| {
        let of_claim = evidence.iter().filter(|line| line.id == row.id);
        JudgedClaim {
            evidence: of_claim.cloned().collect(),
            row,
        }
    };
    Ok(Some(rows.into_iter().map(claim).collect()))
}
