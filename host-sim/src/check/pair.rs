//! Each request by itself: what was asked, what was promised, what happened. Rules 1 to 5.

use super::{
    Findings,
    rows::{Job, Promise},
    totals::Machine,
};

/// Decimals of slowdown and stretch are cut at the sixth.
const ROUNDING: f64 = 0.000_001;

pub(super) fn check(promises: &[Promise], jobs: &[Job], machine: &Machine, found: &mut Findings) {
    if promises.len() != jobs.len() {
        let (promises, jobs) = (promises.len(), jobs.len());
        let problem = format!("jobs.csv has {jobs} rows, reservations.csv {promises}");
        found.add(None, problem);
    }
    for (promise, job) in promises.iter().zip(jobs) {
        same_request(promise, job, found);
        match promise.accepted {
            true => accepted(promise, job, machine, found),
            false => refused(promise, job, found),
        }
    }
}

fn same_request(promise: &Promise, job: &Job, found: &mut Findings) {
    let id = promise.job_id;
    found.expect(id, "job_id in jobs.csv", job.job_id, id);
    found.expect(id, "submission_time", job.submitted, promise.arrival);
    found.expect(
        id,
        "requested_number_of_resources",
        job.requested_pes,
        promise.pes,
    );
    found.expect(id, "requested_time", job.requested_time, promise.duration);
    found.expect(id, "success", job.success, promise.accepted);
    let state = match promise.accepted {
        true => "COMPLETED_SUCCESSFULLY",
        false => "REJECTED",
    };
    found.expect(id, "final_state", job.final_state.as_str(), state);
}

fn refused(promise: &Promise, job: &Job, found: &mut Findings) {
    let id = promise.job_id;
    found.require(id, !promise.reason.is_empty(), || {
        "refused without a reason".to_owned()
    });
    let empty = promise.booked == [None; 2]
        && promise.slowdown.is_none()
        && job.ran == [None; 2]
        && job.derived == [None; 3]
        && job.stretch.is_none()
        && job.pes.is_empty();
    found.require(id, empty, || {
        "refused, but cells about a start or a run are not empty".to_owned()
    });
}

fn accepted(promise: &Promise, job: &Job, machine: &Machine, found: &mut Findings) {
    let id = promise.job_id;
    found.require(id, promise.reason.is_empty(), || {
        "accepted with a reason for refusal".to_owned()
    });
    let ([Some(start), Some(end)], [Some(began), Some(finish)]) = (promise.booked, job.ran) else {
        found.add(
            Some(id),
            "accepted, but a start or an end is empty".to_owned(),
        );
        return;
    };
    promised(promise, [start, end], machine, found);
    found.require(id, began == start, || {
        format!("starts at {began}, promised {start}")
    });
    found.require(id, finish <= end, || {
        format!("is over at {finish}, promised by {end}")
    });
    happened(job, [began, finish], id, found);
    processing_elements(promise, job, machine, found);
}

/// The promise itself: slot edges inside the window, long enough and no longer.
fn promised(promise: &Promise, [start, end]: [u64; 2], machine: &Machine, found: &mut Findings) {
    let id = promise.job_id;
    let &Promise {
        ready, deadline, ..
    } = promise;
    found.require(id, start >= ready && start >= promise.arrival, || {
        format!("promised {start}, before its ready time {ready}")
    });
    found.require(id, end <= deadline, || {
        format!("promised to end at {end}, after its deadline {deadline}")
    });
    let slot = machine.slot_seconds;
    found.require(id, start.is_multiple_of(slot), || {
        format!("promised {start}, which is no edge of a slot of {slot} s")
    });
    let length = promise.duration.div_ceil(slot).saturating_mul(slot);
    found.expect(id, "booked length", end.checked_sub(start), Some(length));
    near(
        id,
        "slowdown",
        promise.slowdown,
        promise.slowdown_from(start),
        found,
    );
}

/// The times of jobs.csv that follow from others.
fn happened(job: &Job, [began, finish]: [u64; 2], id: u64, found: &mut Findings) {
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

fn near(id: u64, what: &str, cell: Option<f64>, expected: f64, found: &mut Findings) {
    let right = cell.is_some_and(|cell| (cell - expected).abs() <= ROUNDING);
    found.require(id, right, || {
        format!("{what}: found {cell:?}, expected {expected:.6}")
    });
}

fn processing_elements(promise: &Promise, job: &Job, machine: &Machine, found: &mut Findings) {
    let id = promise.job_id;
    let count: u64 = job
        .pes
        .iter()
        .map(|(first, last)| u64::from(last - first) + 1)
        .sum();
    found.expect(id, "processing elements", count, promise.pes);
    let increasing = job.pes.is_sorted_by(|before, after| before.1 < after.0);
    found.require(id, increasing, || {
        "allocated_resources: intervals overlap or are out of order".to_owned()
    });
    let highest = job.pes.iter().map(|(_, last)| *last).max();
    if let Some(highest) = highest.filter(|highest| u64::from(*highest) >= machine.pes) {
        let problem = format!("uses PE {highest} of a machine of {} PEs", machine.pes);
        found.add(Some(id), problem);
    }
}
