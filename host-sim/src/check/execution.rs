//! Every job by itself, however it got its place: its times, and its processing elements. Parts of rules 3, 4 and 5.

use super::{
    findings::{Findings, shown},
    settings::Settings,
};
use crate::files::{Decimal, Job, KILLED, PeRanges};

/// Decimals of slowdown and stretch are cut at the sixth.
const ROUNDING: f64 = 0.000_001;

/// The state that goes with whether it ran, and whether an outage stopped it then.
pub(super) fn state(job: &Job, [ran, broken]: [bool; 2], found: &mut Findings) {
    found.expect(job.job_id, "success", job.success.0, ran && !broken);
    let state = match (ran, broken) {
        (true, true) => KILLED,
        (true, false) => "COMPLETED_SUCCESSFULLY",
        (false, _) => "REJECTED",
    };
    found.expect(job.job_id, "final_state", &*job.final_state, state);
    found.expect(job.job_id, "consumed_energy", &*job.consumed_energy, "-1");
}

/// Whether nothing is said about a start or a run.
pub(super) fn is_empty(job: &Job) -> bool {
    let times = [
        job.starting_time,
        job.execution_time,
        job.finish_time,
        job.waiting_time,
        job.turnaround_time,
    ];
    times == [None; 5] && job.stretch.is_none() && job.allocated_resources.is_empty()
}

/// The times that follow from others.
pub(super) fn times(job: &Job, [began, finish]: [u64; 2], found: &mut Findings) {
    let id = job.job_id;
    let names = ["execution_time", "waiting_time", "turnaround_time"];
    let times = [
        finish.checked_sub(began),
        began.checked_sub(job.submission_time),
        finish.checked_sub(job.submission_time),
    ];
    let cells = [job.execution_time, job.waiting_time, job.turnaround_time];
    for ((name, cell), expected) in names.into_iter().zip(cells).zip(times) {
        found.expect(id, name, cell, expected);
    }
    if let [Some(execution), _, Some(turnaround)] = times
        && execution > 0
    {
        let stretch = turnaround as f64 / execution as f64;
        near(id, "stretch", job.stretch, stretch, found);
    }
}

/// A number of a row with six decimals.
pub(super) fn near(
    id: u64,
    what: &str,
    cell: Option<Decimal>,
    expected: f64,
    found: &mut Findings,
) {
    let cell = cell.map(|cell| cell.0);
    let right = cell.is_some_and(|cell| (cell - expected).abs() <= ROUNDING);
    found.require(id, right, || {
        format!("{what}: found {}, expected {expected:.6}", shown(&cell))
    });
}

/// Exactly `expected` processing elements, all of which the machine has.
pub(super) fn processing_elements(
    job: &Job,
    expected: u64,
    settings: &Settings,
    found: &mut Findings,
) {
    let id = job.job_id;
    let pes = &job.allocated_resources;
    found.expect(id, "processing elements", pes.width(), expected);
    found.require(id, pes.is_increasing(), || {
        "allocated_resources: intervals overlap or are out of order".to_owned()
    });
    on_the_machine(id, pes, settings, found);
}

/// Whether the machine has processing elements of these numbers.
pub(super) fn on_the_machine(id: u64, pes: &PeRanges, settings: &Settings, found: &mut Findings) {
    let highest = pes.0.iter().map(|(_, last)| *last).max();
    // Groups may lack some numbers, which is noted elsewhere.
    let numbers = settings
        .layout()
        .map_or(settings.pes, |layout| layout.numbers().into());
    if let Some(highest) = highest.filter(|highest| u64::from(*highest) >= numbers) {
        let problem = format!("uses PE {highest} of a machine of {} PEs", settings.pes);
        found.add(Some(id), problem);
    }
}
