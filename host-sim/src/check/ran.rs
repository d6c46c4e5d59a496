//! Every job by itself, however it got its place: its times, and its processing elements. Parts of rules 3, 4 and 5.

use super::{Findings, rows::Job, totals::Machine};

/// Decimals of slowdown and stretch are cut at the sixth.
const ROUNDING: f64 = 0.000_001;

/// The state that goes with whether it ran.
pub(super) fn state(job: &Job, ran: bool, found: &mut Findings) {
    found.expect(job.job_id, "success", job.success, ran);
    let state = match ran {
        true => "COMPLETED_SUCCESSFULLY",
        false => "REJECTED",
    };
    let entry = job.final_state.as_str();
    found.expect(job.job_id, "final_state", entry, state);
}

/// Whether nothing is said about a start or a run.
pub(super) fn is_empty(job: &Job) -> bool {
    job.ran == [None; 2] && job.derived == [None; 3] && job.stretch.is_none() && job.pes.is_empty()
}

/// The times that follow from others.
pub(super) fn times(job: &Job, [began, finish]: [u64; 2], found: &mut Findings) {
    let id = job.job_id;
    let names = ["execution_time", "waiting_time", "turnaround_time"];
    let times = [
        finish.checked_sub(began),
        began.checked_sub(job.submitted),
        finish.checked_sub(job.submitted),
    ];
    for ((name, cell), expected) in names.into_iter().zip(job.derived).zip(times) {
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
pub(super) fn near(id: u64, what: &str, cell: Option<f64>, expected: f64, found: &mut Findings) {
    let right = cell.is_some_and(|cell| (cell - expected).abs() <= ROUNDING);
    found.require(id, right, || {
        format!("{what}: found {cell:?}, expected {expected:.6}")
    });
}

/// Exactly `expected` processing elements, all of which the machine has.
pub(super) fn processing_elements(
    job: &Job,
    expected: u64,
    machine: &Machine,
    found: &mut Findings,
) {
    let id = job.job_id;
    found.expect(id, "processing elements", job.width(), expected);
    let increasing = job.pes.is_sorted_by(|before, after| before.1 < after.0);
    found.require(id, increasing, || {
        "allocated_resources: intervals overlap or are out of order".to_owned()
    });
    on_the_machine(id, job.pes.iter(), machine, found);
}

/// Whether the machine has processing elements of these numbers.
pub(super) fn on_the_machine<'a>(
    id: u64,
    pes: impl Iterator<Item = &'a (u32, u32)>,
    machine: &Machine,
    found: &mut Findings,
) {
    let highest = pes.map(|(_, last)| *last).max();
    if let Some(highest) = highest.filter(|highest| u64::from(*highest) >= machine.pes) {
        let problem = format!("uses PE {highest} of a machine of {} PEs", machine.pes);
        found.add(Some(id), problem);
    }
}
