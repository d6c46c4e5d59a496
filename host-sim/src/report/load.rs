//! Reads a result folder: whatever of it is there.

use std::{collections::BTreeSet, path::Path};

use super::{
    figure::{self, Figure},
    metrics::Metrics,
    palette,
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
    pub(super) claims: Option<Vec<Claim>>,
    /// figures.csv.
    pub(super) figures: Option<Vec<Figure>>,
    /// settings.json of a reproduction, or metrics.json of the folder itself where it is not that of a single run.
    pub(super) settings: Option<Metrics>,
    /// The runs by name of their folders.
    pub(super) runs: Vec<Run>,
    /// Files a complete folder would have.
    pub(super) missing: Vec<String>,
}

impl Folder {
    /// Whether this is about claims and figures of papers, with runs as samples only.
    pub(super) fn is_reproduction(&self) -> bool {
        self.claims.is_some() || self.figures.is_some()
    }
}

/// One claim of a paper and what was measured.
pub(super) struct Claim {
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

/// One run: a stream of requests under one policy and binding.
pub(super) struct Run {
    /// Name of its folder, empty for the result folder itself.
    pub(super) folder: String,
    /// Shortest name that tells it from the other runs.
    pub(super) label: String,
    pub(super) metrics: Option<Metrics>,
    pub(super) jobs: Option<Vec<Job>>,
    pub(super) reservations: Option<Vec<Reservation>>,
    pub(super) moves: Option<Moves>,
}

/// An accepted job of jobs.csv with what it really used.
pub(super) struct Job {
    pub(super) id: String,
    /// Whether it was queued; the others were reserved.
    pub(super) best_effort: bool,
    pub(super) submitted: f64,
    pub(super) start: f64,
    pub(super) finish: f64,
    /// Inclusive intervals of PE numbers.
    pub(super) pes: Vec<(u32, u32)>,
}

/// A row of reservations.csv.
pub(super) struct Reservation {
    pub(super) id: String,
    pub(super) arrival: f64,
    pub(super) ready: f64,
    pub(super) duration: f64,
    pub(super) deadline: f64,
    pub(super) pes: f64,
    pub(super) accepted: bool,
    pub(super) reason: String,
    pub(super) slowdown: Option<f64>,
    /// Whether a promise was broken, where the strategy can break one.
    pub(super) violated: Option<bool>,
}

/// What moves.csv comes to.
pub(super) struct Moves {
    /// Moves made.
    pub(super) made: usize,
    /// Reservations moved at least once.
    pub(super) reservations: usize,
}

/// Reads a result folder.
pub(super) fn folder(dir: &Path) -> Result<Folder> {
    let listed = result_folder::runs(dir)?;
    let has_manifest = Manifest::read(dir)?.is_some();
    let mut missing = Vec::new();
    let claims = claims(&dir.join("claims.csv"), &dir.join("evidence.csv"))?;
    let figures = figure::read(&dir.join("figures.csv"))?;
    let mut runs = Vec::new();
    for one in listed.iter().filter(|one| !one.name.is_empty()) {
        if one.has_begun() {
            runs.push(run(&one.path, &one.name, &mut missing)?);
        } else {
            missing.push(format!("{}/", one.name));
        }
    }
    let reproduction = claims.is_some() || figures.is_some();
    let is_a_run = is_a_run(dir);
    let settings =
        if is_a_run || (runs.is_empty() && !reproduction && dir.join("metrics.json").is_file()) {
            runs.insert(0, run(dir, "", &mut missing)?);
            None
        } else {
            let name = if reproduction {
                "settings.json"
            } else {
                "metrics.json"
            };
            Metrics::read(&dir.join(name))?
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
    // Policies in the order used everywhere, whatever their folders are called.
    runs.sort_by_cached_key(|run| {
        let policy = run.metrics.as_ref().and_then(Metrics::strategy_label);
        palette::rank(&policy.unwrap_or_default())
    });
    label(&mut runs);
    Ok(Folder {
        claims,
        figures,
        settings,
        runs,
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

// timing.json is left out on purpose: it differs between equal runs, and equal runs give equal reports.
fn run(dir: &Path, name: &str, missing: &mut Vec<String>) -> Result<Run> {
    let run = Run {
        folder: name.to_owned(),
        label: name.to_owned(),
        metrics: Metrics::read(&dir.join("metrics.json"))?,
        jobs: jobs(&dir.join("jobs.csv"))?,
        reservations: reservations(&dir.join("reservations.csv"))?,
        moves: moves(&dir.join("moves.csv"))?,
    };
    let there = [
        ("jobs.csv", run.jobs.is_some()),
        ("reservations.csv", run.reservations.is_some()),
        ("metrics.json", run.metrics.is_some()),
    ];
    for (file, _) in there.iter().filter(|f| !f.1) {
        missing.push(match name {
            "" => (*file).to_owned(),
            _ => format!("{name}/{file}"),
        });
    }
    Ok(run)
}

fn claims(file: &Path, evidence: &Path) -> Result<Option<Vec<Claim>>> {
    let needed = [
        "id", "paper", "kind", "claim", "claimed", "measured", "ci95", "verdict", "note",
    ];
    let mut claims = table::read(file, &needed, |row| {
        let text = |column: &str| row.text(column).to_owned();
        Ok(Claim {
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

fn jobs(file: &Path) -> Result<Option<Vec<Job>>> {
    let needed = [
        "job_id",
        "submission_time",
        "success",
        "starting_time",
        "finish_time",
        "allocated_resources",
    ];
    let rows = table::read(file, &needed, |row| {
        if row.one_of("success", &["0", "1"])? == "0" {
            return Ok(None);
        }
        let start = row.number("starting_time")?;
        let finish = row.number("finish_time")?;
        if finish < start {
            return Err(row.wrong("finish_time", "a time not before starting_time"));
        }
        Ok(Some(Job {
            id: row.text("job_id").to_owned(),
            best_effort: row.text("profile") == "best-effort",
            submitted: row.number("submission_time")?,
            start,
            finish,
            pes: row.intervals("allocated_resources")?,
        }))
    })?;
    Ok(rows.map(|rows| rows.into_iter().flatten().collect()))
}

fn reservations(file: &Path) -> Result<Option<Vec<Reservation>>> {
    let needed = [
        "job_id", "arrival", "ready", "duration", "deadline", "pes", "decision", "reason",
        "slowdown",
    ];
    table::read(file, &needed, |row| {
        Ok(Reservation {
            id: row.text("job_id").to_owned(),
            arrival: row.number("arrival")?,
            ready: row.number("ready")?,
            duration: row.number("duration")?,
            deadline: row.number("deadline")?,
            pes: row.number("pes")?,
            accepted: row.one_of("decision", &["accepted", "refused"])? == "accepted",
            reason: row.text("reason").to_owned(),
            slowdown: row.optional_number("slowdown")?,
            violated: match row.text("violated") {
                "" => None,
                _ => Some(
                    ["1", "true"].contains(&row.one_of("violated", &["0", "1", "false", "true"])?),
                ),
            },
        })
    })
}

fn moves(file: &Path) -> Result<Option<Moves>> {
    let moved = table::read(file, &["job_id"], |row| Ok(row.text("job_id").to_owned()))?;
    Ok(moved.map(|moved| Moves {
        made: moved.len(),
        reservations: moved.iter().collect::<BTreeSet<_>>().len(),
    }))
}

/// Runs that differ in their policy alone are known by it, others by policy and binding, else by folder.
fn label(runs: &mut [Run]) {
    let by_policy = |run: &Run| run.metrics.as_ref()?.strategy_label();
    let by_both = |run: &Run| {
        let metrics = run.metrics.as_ref()?;
        Some(format!(
            "{}-{}",
            metrics.strategy_label()?,
            metrics.text("binding")?
        ))
    };
    let labels = distinct(runs, by_policy).or_else(|| distinct(runs, by_both));
    for (run, label) in runs.iter_mut().zip(labels.unwrap_or_default()) {
        run.label = label;
    }
    if let Some(run) = runs.iter_mut().find(|run| run.label.is_empty()) {
        run.label = "this run".to_owned();
    }
}

fn distinct(runs: &[Run], name: impl Fn(&Run) -> Option<String>) -> Option<Vec<String>> {
    let names: Vec<String> = runs.iter().map(name).collect::<Option<_>>()?;
    let different: BTreeSet<&String> = names.iter().collect();
    (different.len() == names.len()).then_some(names)
}
