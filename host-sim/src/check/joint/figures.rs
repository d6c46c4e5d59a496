//! What metrics.json and principals.csv say of quotas and resources, against the tables.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;

use super::super::{
    entries::{near, ratio, same},
    findings::Findings,
    settings::Settings,
};
use crate::{
    error::Result,
    files::{self, Decimal, Job, PrincipalRow, Profile, Reservation},
    output::PRINCIPALS,
    several::{self, chain},
};

/// The entries of metrics.json about them.
#[derive(Deserialize)]
pub(in super::super) struct JointTotals {
    #[serde(default)]
    refused_by: BTreeMap<String, u64>,
    #[serde(default)]
    resource_utilization: BTreeMap<String, Option<f64>>,
    principal_fairness: Option<f64>,
}

impl JointTotals {
    /// Compares them with what the tables come to.
    pub(in super::super) fn check(
        &self,
        reservations: &[Reservation],
        jobs: &[Job<'_>],
        settings: &Settings,
        found: &mut Findings,
    ) {
        let mut refused_by = BTreeMap::new();
        let of_books = reservations.iter().filter(|row| !row.is_accepted());
        for row in of_books.filter(|_| settings.joins()) {
            let by = match (&*row.reason, row.refused_by.as_deref()) {
                ("no-room", Some("") | None) => "none",
                (_, Some("") | None) => continue,
                (_, Some(by)) => by,
            };
            *refused_by.entry(by.to_owned()).or_insert(0) += 1;
        }
        same("refused_by", &self.refused_by, &refused_by, found);
        let resources = settings.resources();
        let first = jobs.iter().map(|job| job.submission_time).min();
        let last = jobs
            .iter()
            .filter_map(|job| job.ran())
            .map(|ran| ran[1])
            .max();
        let length = last
            .zip(first)
            .map_or(0, |(last, first)| last.saturating_sub(first));
        let mut used = vec![0.0; resources.len()];
        for (row, job) in reservations.iter().zip(of_requests(jobs)) {
            let needs = several::needs(row.needs.as_deref().unwrap_or_default(), resources);
            let needs = needs.ok().flatten().unwrap_or_default();
            let [start, finish] = job.ran().unwrap_or_default();
            for (used, need) in used.iter_mut().zip(needs) {
                *used += f64::from(need) * finish.saturating_sub(start) as f64;
            }
        }
        for (resource, used) in resources.iter().zip(used) {
            let name = resource.name.to_string();
            let told = self.resource_utilization.get(&name).copied().flatten();
            let expected = ratio(used, f64::from(resource.units) * length as f64);
            near(
                &format!("resource_utilization.{name}"),
                told,
                expected,
                found,
            );
        }
        let rows = rows(reservations, jobs, settings);
        let expected = files::principal_fairness(&rows);
        near(
            "principal_fairness",
            self.principal_fairness,
            expected,
            found,
        );
    }
}

/// Those of reservations, in the order of their requests.
fn of_requests<'j, 'a>(jobs: &'j [Job<'a>]) -> impl Iterator<Item = &'j Job<'a>> {
    jobs.iter()
        .filter(|job| job.profile == Profile::Reservation)
}

/// The rows that principals.csv must have.
fn rows(reservations: &[Reservation], jobs: &[Job<'_>], settings: &Settings) -> Vec<PrincipalRow> {
    let quotas = settings.quotas();
    if quotas.is_empty() {
        return Vec::new();
    }
    let name = |one: Option<several::Name>| one.map_or(String::new(), |name| name.to_string());
    let names = quotas.iter().map(|one| [Some(one.name), one.parent]);
    let mut rows: Vec<PrincipalRow> = names
        .chain([[None; 2]])
        .map(|names| PrincipalRow {
            principal: name(names[0]).into(),
            parent: name(names[1]).into(),
            requests: 0,
            accepted: 0,
            acceptance_rate: None,
            requested_pe_seconds: 0,
            used_pe_seconds: 0,
            share: None,
        })
        .collect();
    let mut all = 0_u64;
    for (row, job) in reservations.iter().zip(of_requests(jobs)) {
        let principal = several::find(quotas, row.principal.as_deref().unwrap_or_default());
        let charged: Vec<usize> = match principal {
            Some(place) => chain(quotas, place).collect(),
            None => vec![quotas.len()],
        };
        all = all.saturating_add(job.pe_seconds());
        for one in charged {
            let sums = &mut rows[one];
            sums.requests += 1;
            sums.accepted += u64::from(row.is_accepted());
            let asked = row.pes.saturating_mul(row.duration);
            sums.requested_pe_seconds = sums.requested_pe_seconds.saturating_add(asked);
            sums.used_pe_seconds = sums.used_pe_seconds.saturating_add(job.pe_seconds());
        }
    }
    for row in &mut rows {
        let rate = |part: u64, whole: u64| ratio(part as f64, whole as f64).map(Decimal);
        row.acceptance_rate = rate(row.accepted, row.requests);
        row.share = rate(row.used_pe_seconds, all);
    }
    rows.retain(|row| !row.principal.is_empty() || row.requests > 0);
    rows
}

/// Compares principals.csv with the tables.
pub(in super::super) fn principals(
    dir: &Path,
    (reservations, jobs): (&[Reservation], &[Job<'_>]),
    settings: &Settings,
    found: &mut Findings,
) -> Result<()> {
    let expected = rows(reservations, jobs, settings);
    let told = files::read::<PrincipalRow>(&dir.join(PRINCIPALS))?;
    let mut add = |problem: String| found.add(None, format!("{PRINCIPALS}{problem}"));
    match told {
        None if expected.is_empty() => {}
        None => add(" is missing, although there are quotas".to_owned()),
        Some(told) if told.len() != expected.len() => add(format!(
            ": found {} rows, expected {}",
            told.len(),
            expected.len()
        )),
        Some(told) => {
            for (told, expected) in told.iter().zip(&expected) {
                // Shares are written with six decimals.
                let [told, expected] = [told, expected].map(|row| {
                    let cells = serde_json::to_value(row).unwrap_or_default();
                    cells.as_object().cloned().unwrap_or_default()
                });
                for (column, expected) in &expected {
                    let found = told.get(column).cloned().unwrap_or_default();
                    if found != *expected {
                        let name = &told["principal"];
                        add(format!(
                            ", {name}, {column}: found {found}, expected {expected}"
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}
