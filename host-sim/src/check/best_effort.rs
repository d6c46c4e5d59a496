//! The jobs of the queue. Rules 8 and 9.

use bookahead::Discipline;

use super::{execution, findings::Findings, settings::Settings};
use crate::files::Job;

pub(super) fn check(jobs: &[Job<'_>], settings: &Settings, found: &mut Findings) {
    let queued = || jobs.iter().filter(|job| job.is_best_effort());
    for job in queued() {
        match job.ran() {
            Some(ran) => served(job, ran, settings, found),
            None => refused(job, found),
        }
    }
    let named = settings.best_effort.as_deref();
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

fn refused(job: &Job<'_>, found: &mut Findings) {
    execution::state(job, false, found);
    found.require(job.job_id, !job.metadata.is_empty(), || {
        "did not run, and metadata gives no reason".to_owned()
    });
    found.require(job.job_id, execution::is_empty(job), || {
        "did not run, but cells about a start or a run are not empty".to_owned()
    });
}

fn served(job: &Job<'_>, [began, finish]: [u64; 2], settings: &Settings, found: &mut Findings) {
    let id = job.job_id;
    execution::state(job, true, found);
    found.require(id, began >= job.submission_time, || {
        format!(
            "starts at {began}, before its submission at {}",
            job.submission_time
        )
    });
    let slot = settings.slot_seconds;
    found.require(id, began.is_multiple_of(slot), || {
        format!("starts at {began}, which is no edge of a slot of {slot} s")
    });
    let stopped = began.saturating_add(job.requested_time);
    found.require(id, finish <= stopped, || {
        format!("is over at {finish}, to be stopped at {stopped}")
    });
    execution::times(job, [began, finish], found);
    let width = job.requested_number_of_resources;
    execution::processing_elements(job, width, settings, found);
}

/// Nobody starts before one that came earlier.
fn in_order<'a>(jobs: impl Iterator<Item = &'a Job<'a>>, found: &mut Findings) {
    let mut latest: Option<(u64, u64)> = None;
    for job in jobs {
        let Some(began) = job.starting_time else {
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
