//! Each request by itself: what was asked, what was promised, what happened. Rules 1 to 5.

use super::{
    Findings,
    follow::{Ended, Life, Story},
    ran,
    rows::{Job, Promise, width},
    totals::Machine,
};

pub(super) fn check(
    promises: &[Promise],
    jobs: &[Job],
    story: Option<&Story>,
    machine: &Machine,
    found: &mut Findings,
) {
    let reserved = jobs.iter().filter(|job| !job.best_effort && !job.split);
    let reserved: Vec<&Job> = reserved.collect();
    if promises.len() != reserved.len() {
        let (promises, jobs) = (promises.len(), reserved.len());
        let problem = format!("jobs.csv has {jobs} rows, reservations.csv {promises}");
        found.add(None, problem);
    }
    for (promise, job) in promises.iter().zip(reserved) {
        let life = story.and_then(|story| story.of(promise.job_id));
        let asked = [promise.duration, promise.pes];
        same_request(promise.job_id, promise.arrival, asked, job, found);
        let ran = promise.accepted && life.is_none_or(Life::has_run);
        ran::state(job, ran, found);
        match promise.accepted {
            true => accepted(promise, job, life, machine, found),
            false => refused(promise, job, found),
        }
    }
    split(jobs, story, machine, found);
}

/// Second parts of splits, which nobody asked for in a row of reservations.csv.
fn split(jobs: &[Job], story: Option<&Story>, machine: &Machine, found: &mut Findings) {
    let rows: Vec<&Job> = jobs.iter().filter(|job| job.split).collect();
    let parts = story.map(Story::parts).unwrap_or_default();
    if rows.len() != parts.len() {
        let (rows, parts) = (rows.len(), parts.len());
        let problem = format!("jobs.csv has {rows} second parts, operations.csv splits {parts}");
        found.add(None, problem);
    }
    for (life, job) in parts.iter().zip(rows) {
        same_request(life.job_id, life.submitted, life.asked, job, found);
        ran::state(job, life.has_run(), found);
        followed(life, job, machine, found);
    }
}

fn same_request(id: u64, arrival: u64, asked: [u64; 2], job: &Job, found: &mut Findings) {
    let [duration, pes] = asked;
    found.expect(id, "job_id in jobs.csv", job.job_id, id);
    found.expect(id, "submission_time", job.submitted, arrival);
    found.expect(id, "requested_number_of_resources", job.requested_pes, pes);
    found.expect(id, "requested_time", job.requested_time, duration);
}

fn refused(promise: &Promise, job: &Job, found: &mut Findings) {
    let id = promise.job_id;
    found.require(id, !promise.reason.is_empty(), || {
        "refused without a reason".to_owned()
    });
    let empty = promise.booked == [None; 2]
        && promise.slowdown.is_none()
        && promise.price.is_none()
        && [promise.final_start, promise.fixed_at] == [None; 2]
        && ran::is_empty(job);
    found.require(id, empty, || {
        "refused, but cells about a start or a run are not empty".to_owned()
    });
}

fn accepted(
    promise: &Promise,
    job: &Job,
    life: Option<&Life>,
    machine: &Machine,
    found: &mut Findings,
) {
    let id = promise.job_id;
    found.require(id, promise.reason.is_empty(), || {
        "accepted with a reason for refusal".to_owned()
    });
    if let (Some(life), [Some(start), Some(end)]) = (life, promise.booked) {
        let last = life.booking.start;
        promised(promise, [start, end], machine, found);
        slowdown(promise, last, found);
        found.expect(id, "final_start", promise.final_start, Some(last));
        found.expect(id, "fixed_at", promise.fixed_at, Some(last));
        followed(life, job, machine, found);
        return;
    }
    let ([Some(start), Some(end)], [Some(began), Some(finish)]) = (promise.booked, job.ran) else {
        found.add(
            Some(id),
            "accepted, but a start or an end is empty".to_owned(),
        );
        return;
    };
    promised(promise, [start, end], machine, found);
    slowdown(promise, start, found);
    found.require(id, began == start, || {
        format!("starts at {began}, promised {start}")
    });
    found.require(id, finish <= end, || {
        format!("is over at {finish}, promised by {end}")
    });
    ran::times(job, [began, finish], found);
    ran::processing_elements(job, promise.granted[1], machine, found);
}

/// Whether the job did what its booking has become.
fn followed(life: &Life, job: &Job, machine: &Machine, found: &mut Findings) {
    let id = life.job_id;
    let cancelled = matches!(life.ended, Some(Ended::Cancelled { .. }));
    for (word, expected) in [("cancelled", cancelled), ("expired", life.has_expired())] {
        let said = job.metadata.split("; ").any(|part| part == word);
        found.expect(id, &format!("{word} in metadata"), said, expected);
    }
    if !life.has_run() {
        found.require(id, ran::is_empty(job), || {
            "never runs, but cells about a start or a run are not empty".to_owned()
        });
        return;
    }
    let [Some(began), Some(finish)] = job.ran else {
        found.add(Some(id), "runs, but a start or an end is empty".to_owned());
        return;
    };
    let booking = life.booking;
    found.require(id, began == booking.start, || {
        format!("starts at {began}, booked in the end {booking}")
    });
    found.require(
        id,
        finish <= booking.end.max(life.stop.unwrap_or(0)),
        || format!("is over at {finish}, booked in the end {booking}"),
    );
    found.require(id, life.stop.is_none_or(|stop| finish <= stop), || {
        format!("is over at {finish}, stopped at {:?}", life.stop)
    });
    ran::times(job, [began, finish], found);
    ran::processing_elements(job, booking.pes, machine, found);
    let given_back = job.given_back.iter();
    let given_back: Vec<(u64, u64)> = given_back
        .map(|back| (back.until, width(&back.pes)))
        .collect();
    found.require(id, given_back == life.given_back, || {
        format!(
            "gave back (when, how many) {given_back:?}, expected {:?}",
            life.given_back
        )
    });
    ran::on_the_machine(
        id,
        job.given_back.iter().flat_map(|back| &back.pes),
        machine,
        found,
    );
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
}

fn slowdown(promise: &Promise, start: u64, found: &mut Findings) {
    let expected = promise.slowdown_from(start);
    ran::near(
        promise.job_id,
        "slowdown",
        promise.slowdown,
        expected,
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
