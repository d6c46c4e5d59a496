//! No processing element is used by two jobs at once. Rule 6.

use super::findings::Findings;
use crate::files::Job;

/// No machine has more processing elements; numbers beyond are reported elsewhere.
const MOST_PES: u32 = 1 << 16;

/// Goes through the jobs by start and remembers who used each processing element last. O(jobs x log + PEs used).
pub(super) fn check(jobs: &[Job<'_>], found: &mut Findings) {
    let mut uses: Vec<Use> = jobs.iter().flat_map(Use::of).collect();
    uses.sort_by_key(|used| (used.start, used.finish));
    let mut last: Vec<Option<&Use>> = vec![None; MOST_PES as usize];
    for used in &uses {
        let mut clash = None;
        for pe in used.pes() {
            let Some(last) = last.get_mut(pe) else {
                break;
            };
            match last {
                Some(before) if before.finish > used.start => {
                    clash.get_or_insert((pe, before.job.job_id));
                    // Whoever leaves later is the one that others may still run into.
                    if used.finish > before.finish {
                        *last = Some(used);
                    }
                }
                _ => *last = Some(used),
            }
        }
        if let Some((pe, other)) = clash {
            let problem = format!("uses PE {pe} at {}, as job {other} does", used.start);
            found.add(Some(used.job.job_id), problem);
        }
    }
}

/// A job on its processing elements.
struct Use<'a> {
    start: u64,
    finish: u64,
    job: &'a Job<'a>,
    pes: &'a [(u32, u32)],
}

impl<'a> Use<'a> {
    /// What the job kept to its finish, and what it gave back before.
    fn of(job: &'a Job<'a>) -> impl Iterator<Item = Self> {
        let start = job.starting_time;
        let kept = job.finish_time;
        let kept = kept.map(|finish| (finish, job.allocated_resources.0.as_slice()));
        let given_back = job.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, back.pes.0.as_slice()));
        let uses = kept.into_iter().chain(given_back);
        uses.filter_map(move |(finish, pes)| {
            let start = start.filter(|start| *start < finish)?;
            Some(Self {
                start,
                finish,
                job,
                pes,
            })
        })
    }

    fn pes(&self) -> impl Iterator<Item = usize> {
        let intervals = self.pes.iter();
        intervals.flat_map(|&(first, last)| (first..=last.min(MOST_PES)).map(|pe| pe as usize))
    }
}
