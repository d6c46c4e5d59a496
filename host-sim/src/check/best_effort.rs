//! The jobs of the queue. Rules 8 and 9.

use bookahead::Discipline;

use super::{Findings, ran, rows::Job, totals::Machine};

pub(super) fn check(jobs: &[Job], machine: &Machine, found: &mut Findings) {
    let queued = || jobs.iter().filter(|job| job.best_effort);
    for job in queued() {
        match job.ran {
            [Some(began), Some(finish)] => served(job, [began, finish], machine, found),
            _ => refused(job, found),
        }
    }
    let named = machine.best_effort.as_deref();
    let mut known = Discipline::ALL.into_iter();
    match known.find(|discipline| Some(discipline.name()) == named) {
        Some(Discipline::Fcfs) => in_order(queued(), found),
        None if queued().next().is_some() => {
            let problem = format!(
                "metrics.json, best_effort: found {named:?}, no known discipline of a queue"
            );
            found.add(None, problem);
        }
        _ => {}
    }
}

fn refused(job: &Job, found: &mut Findings) {
    ran::state(job, false, found);
    found.require(job.job_id, !job.metadata.is_empty(), || {
        "did not run, and metadata gives no reason".to_owned()
    });
    found.require(job.job_id, ran::is_empty(job), || {
        "did not run, but cells about a start or a run are not empty".to_owned()
    });
}

fn served(job: &Job, [began, finish]: [u64; 2], machine: &Machine, found: &mut Findings) {
    let id = job.job_id;
    ran::state(job, true, found);
    found.require(id, began >= job.submitted, || {
        format!(
            "starts at {began}, before its submission at {}",
            job.submitted
        )
    });
    let slot = machine.slot_seconds;
    found.require(id, began.is_multiple_of(slot), || {
        format!("starts at {began}, which is no edge of a slot of {slot} s")
    });
    let stopped = began.saturating_add(job.requested_time);
    found.require(id, finish <= stopped, || {
        format!("is over at {finish}, to be stopped at {stopped}")
    });
    ran::times(job, [began, finish], found);
    ran::processing_elements(job, job.requested_pes, machine, found);
}

/// Nobody starts before one that came earlier.
fn in_order<'a>(jobs: impl Iterator<Item = &'a Job>, found: &mut Findings) {
    let mut latest: Option<(u64, u64)> = None;
    for job in jobs {
        let Some(began) = job.ran[0] else {
            continue;
        };
        match latest {
            Some((start, other)) if began < start => {
                let problem = format!("starts at {began}, before job {other} of the queue");
                found.add(Some(job.job_id), problem);
            }
            _ => latest = Some((began, job.job_id)),
        }
    }
}
