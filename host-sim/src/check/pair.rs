//! Each request by itself: what was asked, what was promised, what happened. Rules 1 to 5.

use super::{
    Findings, ran,
    rows::{Job, Promise},
    totals::Machine,
};

pub(super) fn check(promises: &[Promise], jobs: &[Job], machine: &Machine, found: &mut Findings) {
    let reserved: Vec<&Job> = jobs.iter().filter(|job| !job.best_effort).collect();
    if promises.len() != reserved.len() {
        let (promises, jobs) = (promises.len(), reserved.len());
        let problem = format!("jobs.csv has {jobs} rows, reservations.csv {promises}");
        found.add(None, problem);
    }
    for (promise, job) in promises.iter().zip(reserved) {
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
    ran::state(job, promise.accepted, found);
}

fn refused(promise: &Promise, job: &Job, found: &mut Findings) {
    let id = promise.job_id;
    found.require(id, !promise.reason.is_empty(), || {
        "refused without a reason".to_owned()
    });
    let empty = promise.booked == [None; 2]
        && promise.slowdown.is_none()
        && promise.price.is_none()
        && ran::is_empty(job);
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
    ran::times(job, [began, finish], found);
    ran::processing_elements(job, promise.granted[1], machine, found);
}

/// The promise itself: slot edges inside the window, long enough and no longer, at its price.
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
    let length = promise.granted[0].div_ceil(slot).saturating_mul(slot);
    found.expect(id, "booked length", end.checked_sub(start), Some(length));
    match machine.reduces() {
        true => reduced(promise, slot, found),
        false => {
            let asked = [promise.duration, promise.pes];
            found.expect(id, "granted seconds and PEs", promise.granted, asked);
        }
    }
    if machine.is_rigid() {
        let first = ready.div_ceil(slot).saturating_mul(slot);
        found.expect(id, "rigid start", start, first);
    }
    price(promise, length / slot, machine, found);
    ran::near(
        id,
        "slowdown",
        promise.slowdown,
        promise.slowdown_from(start),
        found,
    );
}

/// The price of the slots booked, where slots have one.
fn price(promise: &Promise, slots: u64, machine: &Machine, found: &mut Findings) {
    let id = promise.job_id;
    if let Some(rate) = machine.price_per_reserved_pe_slot {
        let price = slots as f64 * promise.granted[1] as f64 * rate;
        // Exact to the sixth decimal, as far as floats go.
        let right = |cell: f64| (cell - price).abs() < 5e-7_f64.max(1e-12 * price);
        found.require(id, promise.price.is_some_and(right), || {
            format!("price: found {:?}, expected {price:.6}", promise.price)
        });
    } else {
        found.require(id, promise.price.is_none(), || {
            "has a price, but metrics.json no price_per_reserved_pe_slot".to_owned()
        });
    }
}

/// Whoever takes less than was asked takes at least half of it, of the time in whole slots.
fn reduced(promise: &Promise, slot: u64, found: &mut Findings) {
    let asked = [promise.duration, promise.pes];
    let units = [slot, 1];
    let names = ["granted_duration", "granted_pes"];
    for (((name, granted), asked), unit) in
        names.into_iter().zip(promise.granted).zip(asked).zip(units)
    {
        let least = asked.div_ceil(unit).div_ceil(2);
        let fair = granted <= asked && granted.div_ceil(unit) >= least;
        found.require(promise.job_id, fair, || {
            format!("{name}: found {granted} of {asked}, expected at least half and no more")
        });
    }
}
