//! The jobs of the queue. Rule 8.

use super::{execution, findings::Findings, refusals::Refusals, settings::Settings};
use crate::files::{Job, STOPPED};

/// The jobs of one queue, of all queues `waiting`.
pub(super) fn check(
    queued: &[&Job<'_>],
    waiting: usize,
    settings: &Settings,
    found: &mut Findings,
) {
    let refusals = Refusals::new(settings, waiting, None);
    for job in queued {
        match job.ran() {
            Some(ran) => {
                served(job, ran, settings, found);
                refusals.ran(job, found);
            }
            None => {
                refused(job, found);
                refusals.queued(job, found);
            }
        }
    }
}

fn refused(job: &Job<'_>, found: &mut Findings) {
    execution::state(job, [false, false], found);
    found.require(job.job_id, job.metadata.reason().is_some(), || {
        "did not run, and metadata gives no reason".to_owned()
    });
    found.require(job.job_id, execution::is_empty(job), || {
        "did not run, but cells about a start or a run are not empty".to_owned()
    });
}

fn served(job: &Job<'_>, [began, finish]: [u64; 2], settings: &Settings, found: &mut Findings) {
    let id = job.job_id;
    execution::state(job, [true, false], found);
    found.require(id, began >= job.submission_time, || {
        format!(
            "starts at {began}, before its submission at {}",
            job.submission_time
        )
    });
    if let Some([ready, deadline]) = job.metadata.window() {
        let slots = settings.slots();
        let latest = slots
            .down(deadline)
            .saturating_sub(slots.up(job.requested_time));
        found.require(id, (ready..=latest).contains(&began), || {
            format!("starts at {began}, outside {ready} to {latest} as its window says")
        });
    }
    let slot = settings.slots().0;
    found.require(id, began.is_multiple_of(slot), || {
        format!("starts at {began}, which is no edge of a slot of {slot} s")
    });
    let stopped = began.saturating_add(job.requested_time);
    found.require(id, finish <= stopped, || {
        format!("is over at {finish}, to be stopped at {stopped}")
    });
    found.require(id, finish == stopped || !job.metadata.says(STOPPED), || {
        format!("is over at {finish}, but is said to be stopped at {stopped}")
    });
    execution::times(job, [began, finish], found);
    let width = job.requested_number_of_resources;
    execution::processing_elements(job, width, settings, found);
}
