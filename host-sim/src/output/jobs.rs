//! jobs.csv: Batsim's job table, which evalys and similar tools read, with the rejected jobs.

use std::path::Path;

use serde::Serialize;

use super::write_csv;
use crate::{
    engine::{Outcome, Placed},
    error::Result,
    request::Demand,
};

/// Batsim asks which profile a job runs; here that is how it got its place.
fn profile(demand: &Demand) -> &'static str {
    match demand {
        Demand::Reserve(_) => "reservation",
        Demand::BestEffort(_) => "best-effort",
    }
}

/// Columns by name and in order.
#[derive(Serialize)]
struct Row<'a> {
    job_id: u64,
    workload_name: &'a str,
    profile: &'static str,
    submission_time: u64,
    requested_number_of_resources: u64,
    requested_time: u64,
    success: u8,
    final_state: &'static str,
    starting_time: Option<u64>,
    execution_time: Option<u64>,
    finish_time: Option<u64>,
    waiting_time: Option<u64>,
    turnaround_time: Option<u64>,
    stretch: Option<String>,
    allocated_resources: String,
    consumed_energy: i8,
    metadata: &'static str,
}

impl<'a> Row<'a> {
    fn new(workload: &'a str, outcome: &Outcome) -> Self {
        let demand = &outcome.demand;
        let rejected = Self {
            job_id: demand.job_id(),
            workload_name: workload,
            profile: profile(demand),
            submission_time: demand.arrival(),
            requested_number_of_resources: demand.pes(),
            requested_time: demand.duration(),
            success: 0,
            final_state: "REJECTED",
            starting_time: None,
            execution_time: None,
            finish_time: None,
            waiting_time: None,
            turnaround_time: None,
            stretch: None,
            allocated_resources: String::new(),
            consumed_energy: -1,
            metadata: "",
        };
        match (&outcome.fate, demand) {
            (Ok(placed), _) => rejected.completed(placed),
            // Those of reservations stand in reservations.csv.
            (Err(reason), Demand::BestEffort(_)) => Self {
                metadata: reason.name(),
                ..rejected
            },
            (Err(_), Demand::Reserve(_)) => rejected,
        }
    }

    fn completed(self, placed: &Placed) -> Self {
        let turnaround = placed.finish().saturating_sub(self.submission_time);
        let stretch = turnaround as f64 / placed.ran as f64;
        Self {
            success: 1,
            final_state: "COMPLETED_SUCCESSFULLY",
            starting_time: Some(placed.began),
            execution_time: Some(placed.ran),
            finish_time: Some(placed.finish()),
            waiting_time: Some(placed.began.saturating_sub(self.submission_time)),
            turnaround_time: Some(turnaround),
            // Of a job that is over at once there is no stretch.
            stretch: (placed.ran > 0).then(|| format!("{stretch:.6}")),
            allocated_resources: interval_set(&placed.pes),
            ..self
        }
    }
}

/// Inclusive ranges as text such as `0-3 5`.
fn interval_set(ranges: &[(u16, u16)]) -> String {
    let words: Vec<String> = ranges
        .iter()
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    words.join(" ")
}

pub(super) fn write(file: &Path, workload: &str, outcomes: &[Outcome]) -> Result<()> {
    write_csv(
        file,
        outcomes.iter().map(|outcome| Row::new(workload, outcome)),
    )
}
