//! jobs.csv: Batsim's job table, which evalys and similar tools read, with the rejected jobs.

use std::path::Path;

use serde::Serialize;

use super::write_csv;
use crate::{
    engine::{
        Operated, Outcome, Placed, Story,
        outcome::{Changed, Ended},
    },
    error::Result,
    request::Demand,
};

/// Batsim asks which profile a job runs; here that is how it got its place.
fn profile(demand: &Demand) -> &'static str {
    match demand {
        Demand::Reserve(_) | Demand::Hold(_) => "reservation",
        Demand::BestEffort(_) => "best-effort",
    }
}

/// The profile of the second part of a reservation that was split.
const SPLIT: &str = "split";

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
    metadata: String,
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
            metadata: String::new(),
        };
        match (&outcome.fate, demand) {
            (Ok(placed), _) if placed.has_run() => rejected.completed(placed),
            (Ok(placed), _) => Self {
                metadata: metadata(placed),
                ..rejected
            },
            // Those of reservations stand in reservations.csv.
            (Err(reason), Demand::BestEffort(_)) => Self {
                metadata: reason.name().to_owned(),
                ..rejected
            },
            (Err(_), Demand::Reserve(_) | Demand::Hold(_)) => rejected,
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
            metadata: metadata(placed),
            ..self
        }
    }
}

/// What the other cells cannot tell: that it was cancelled or expired, and processing elements that it gave back while it ran, with the
/// second until which it had them. Those that it kept to the end stand in `allocated_resources`.
fn metadata(placed: &Placed) -> String {
    let Some(changed) = &placed.changed else {
        return String::new();
    };
    let Changed {
        given_back, ended, ..
    } = changed.as_ref();
    let given_back = given_back
        .iter()
        .map(|back| format!("gave back {} at {}", interval_set(&back.pes), back.until));
    let ended = match ended {
        Ended::Over => None,
        Ended::Cancelled => Some("cancelled".to_owned()),
        Ended::Expired => Some("expired".to_owned()),
    };
    let words: Vec<String> = given_back.chain(ended).collect();
    words.join("; ")
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

pub(super) fn write(file: &Path, workload: &str, story: &Story) -> Result<()> {
    let mut rows = Vec::with_capacity(story.outcomes.len());
    let mut parts = story.operated.iter().peekable();
    for (index, outcome) in story.outcomes.iter().enumerate() {
        while let Some(done) = parts.next_if(|done| done.operation.after <= index) {
            rows.extend(part(workload, done));
        }
        rows.push(Row::new(workload, outcome));
    }
    rows.extend(parts.filter_map(|done| part(workload, done)));
    write_csv(file, rows)
}

/// The row of the second part of a reservation that was split, where the operation stands among the requests.
fn part<'a>(workload: &'a str, done: &Operated) -> Option<Row<'a>> {
    let outcome = done.part.as_ref()?;
    Some(Row {
        profile: SPLIT,
        ..Row::new(workload, outcome)
    })
}
