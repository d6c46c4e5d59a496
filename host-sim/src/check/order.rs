//! Every job once, in order of arrival. Rule 1.

use super::findings::Findings;
use crate::files::Job;

/// Rows that stand in the wrong place, and numbers of jobs that occur twice.
pub(super) fn check(jobs: &[Job<'_>], found: &mut Findings) {
    let mut latest = 0;
    for job in jobs {
        let submitted = job.submission_time;
        found.require(job.job_id, submitted >= latest, || {
            format!("submitted at {submitted}, but its row stands below one of {latest}")
        });
        latest = latest.max(submitted);
    }
    let numbers = || jobs.iter().map(|job| job.job_id);
    // Mostly they are counted upwards.
    if numbers().is_sorted_by(|one, other| one < other) {
        return;
    }
    let mut sorted: Vec<u64> = numbers().collect();
    sorted.sort_unstable();
    for same in sorted.chunk_by(|one, other| one == other) {
        if let [job_id, _, ..] = *same {
            let problem = format!("occurs {} times in jobs.csv", same.len());
            found.add(Some(job_id), problem);
        }
    }
}
