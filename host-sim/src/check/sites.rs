//! Several sites: each is judged like a machine of its own. Rule 18.

use std::collections::HashMap;

use super::{
    bookings::Spare,
    findings::{Findings, shown},
    settings::Settings,
};
use crate::files::{Booking, Job, PeRanges, Profile, Replica, Reservation};

/// The rows of one site. What nobody accepted, every site had to refuse.
pub(super) struct Site<'a> {
    pub(super) reservations: Vec<Reservation>,
    pub(super) jobs: Vec<Job<'a>>,
    /// Copies that were not used.
    pub(super) spare: Vec<Spare>,
}

/// Divides the rows among the sites. Something that was accepted is at one of them.
pub(super) fn divide<'a>(
    reservations: &[Reservation],
    jobs: &[Job<'a>],
    replicas: &[Replica],
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Site<'a>> {
    let sites = settings.sites();
    let known = |site: Option<u64>| site.is_some_and(|site| site < sites);
    let reserved = reservations.iter().filter(|row| row.is_accepted());
    let reserved = reserved.map(|row| (row.job_id, row.site.flatten()));
    let ran = jobs.iter().filter(|job| job.ran().is_some());
    for (id, site) in reserved.chain(ran.map(|job| (job.job_id, job.site.flatten()))) {
        found.require(id, known(site), || {
            format!("site: found {}, expected 0 to {}", shown(&site), sites - 1)
        });
    }
    let asked: HashMap<u64, &Reservation> =
        reservations.iter().map(|row| (row.job_id, row)).collect();
    let spare = |copy: &Replica, before: &HashMap<u64, usize>| {
        let row = asked.get(&copy.job_id)?;
        Some(Spare {
            job_id: copy.job_id,
            arrival: row.arrival,
            before: *before.get(&copy.job_id)?,
            booking: Booking {
                start: copy.start,
                end: copy.end,
                pes: row.pes,
            },
            fits: copy.overlaid_pes == 0,
            until: copy.until?,
        })
    };
    let here = |row: Option<u64>, site: u64| row.is_none_or(|row| row == site);
    // Requests and jobs of the same second came in the order of their rows.
    let rows_before = |site: u64| {
        let mut rows = 0;
        let mut before = HashMap::with_capacity(jobs.len());
        for job in jobs.iter().filter(|job| job.profile != Profile::Split) {
            before.insert(job.job_id, rows);
            rows += usize::from(here(job.site.flatten(), site));
        }
        before
    };
    let rows = |site: u64| Site {
        reservations: reservations
            .iter()
            .filter(|row| here(row.site.flatten(), site))
            .cloned()
            .collect(),
        jobs: jobs
            .iter()
            .filter(|job| here(job.site.flatten(), site))
            .map(|job| Job {
                allocated_resources: from(&job.allocated_resources, site * settings.pes),
                ..job.clone()
            })
            .collect(),
        spare: match replicas {
            [] => Vec::new(),
            _ => {
                let before = rows_before(site);
                let own = replicas.iter().filter(|copy| copy.site == site);
                own.filter_map(|copy| spare(copy, &before)).collect()
            }
        },
    };
    (0..sites).map(rows).collect()
}

/// Processing elements as a site counts them, of which `before` come before its first. Those of others have numbers that no machine has.
fn from(pes: &PeRanges, before: u64) -> PeRanges {
    let before = before.try_into().unwrap_or(u32::MAX);
    let own = |pe: u32| pe.checked_sub(before).unwrap_or(u32::MAX);
    let ranges = pes.0.iter();
    PeRanges(
        ranges
            .map(|&(first, last)| (own(first), own(last)))
            .collect(),
    )
}
