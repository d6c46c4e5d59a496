//! A plain replay of conservative backfilling, from its definition: every job has a planned start that no later job may delay. Nothing is reserved, and there is
//! no horizon.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A job, in slots and processing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedJob {
    /// When it comes.
    pub submitted: u64,
    /// For how long it is planned.
    pub estimate: u64,
    /// How long it runs, if that is less.
    pub runs: u64,
    /// How many processing elements it takes.
    pub pes: u64,
}

/// How many processing elements more are taken from a slot on.
#[derive(Default)]
struct Profile(BTreeMap<u64, i64>);

impl Profile {
    fn change(&mut self, slots: Range<u64>, pes: i64) {
        for (slot, more) in [(slots.start, pes), (slots.end, -pes)] {
            let change = self.0.entry(slot).or_insert(0);
            *change += more;
            if *change == 0 {
                self.0.remove(&slot);
            }
        }
    }

    /// The earliest start from `now` on beside what is taken.
    fn earliest(&self, machine: u64, now: u64, job: &QueuedJob) -> u64 {
        let (mut start, mut taken) = (now, 0);
        for (slot, more) in &self.0 {
            if *slot >= start + job.estimate {
                break;
            }
            taken += more;
            if taken + job.pes as i64 > machine as i64 {
                let behind = self.0.range(slot + 1..).next();
                let (behind, _) = behind.expect("what is taken is given back");
                start = start.max(*behind);
            }
        }
        start
    }
}

/// Plans jobs that are in order of their submission on a machine of so many processing elements, runs them, and returns their starts.
///
/// When jobs end early, each of the others is looked at once, in order: it is planned at the earliest start at which it would use one of the slots from the first
/// to the last in which there is more room, if that is earlier than its own.
///
/// # Panics
///
/// For a job that is wider than the machine.
#[must_use]
pub fn replay(machine: u64, jobs: &[QueuedJob]) -> Vec<u64> {
    let mut starts = vec![0; jobs.len()];
    let mut profile = Profile::default();
    // Those who run and will end early, by that end, and those who wait, in order.
    let (mut early, mut waiting) = (BTreeSet::<(u64, usize)>::new(), BTreeSet::<usize>::new());
    let mut next = 0;
    loop {
        let comes = jobs.get(next).map(|job| job.submitted);
        let ends = early.first().map(|(end, _)| *end);
        let begins = waiting.iter().map(|job| starts[*job]).min();
        let Some(now) = [comes, ends, begins].into_iter().flatten().min() else {
            return starts;
        };
        let mut room: Option<Range<u64>> = None;
        while let Some((end, job)) = early.first().copied().filter(|(end, _)| *end <= now) {
            early.pop_first();
            let freed = end..starts[job] + jobs[job].estimate;
            profile.change(freed.clone(), -(jobs[job].pes as i64));
            let all = room.unwrap_or(freed.clone());
            room = Some(all.start.min(freed.start)..all.end.max(freed.end));
        }
        for job in waiting.iter().copied().filter(|_| room.is_some()) {
            let QueuedJob { estimate, pes, .. } = jobs[job];
            let planned = starts[job]..starts[job] + estimate;
            profile.change(planned.clone(), -(pes as i64));
            let used = room.clone().expect("there is some");
            let first = now.max((used.start + 1).saturating_sub(estimate));
            let start = profile.earliest(machine, first, &jobs[job]);
            if start < used.end.min(planned.start) {
                starts[job] = start;
            }
            profile.change(starts[job]..starts[job] + estimate, pes as i64);
        }
        while let Some(job) = jobs.get(next).filter(|job| job.submitted == now) {
            assert!(job.pes <= machine, "job {next} is too wide");
            starts[next] = profile.earliest(machine, now, job);
            profile.change(starts[next]..starts[next] + job.estimate, job.pes as i64);
            waiting.insert(next);
            next += 1;
        }
        let begin: Vec<usize> = waiting
            .iter()
            .copied()
            .filter(|job| starts[*job] == now)
            .collect();
        for job in begin {
            waiting.remove(&job);
            if jobs[job].runs < jobs[job].estimate {
                early.insert((now + jobs[job].runs, job));
            }
        }
    }
}
