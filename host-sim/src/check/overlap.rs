//! No processing element is used by two jobs at once, nor by a job while it is away or a rule takes it. Rule 6.

use std::{cmp::Reverse, collections::BinaryHeap, fmt, ops::Range};

use super::{findings::Findings, settings::Settings};
use crate::{
    files::{Job, OutageRow},
    rule::{Absent, Name},
};

/// No machine has more processing elements; numbers beyond are reported elsewhere.
const MOST_PES: usize = 1 << 16;

/// Goes through the jobs by start and remembers until when each processing element is used. O(jobs x (log + rules) + PEs used).
pub(super) fn check<'a>(
    jobs: impl Iterator<Item = &'a Job<'a>>,
    outages: &'a [OutageRow],
    settings: &Settings,
    found: &mut Findings,
) {
    let away = outages.iter().filter_map(Use::away);
    let mut uses: Vec<Use> = jobs.flat_map(Use::of).chain(away).collect();
    uses.sort_by_key(|used| (used.start, used.finish));
    let pes = uses.iter().flat_map(Use::pes).map(|pes| pes.end).max();
    let mut until = vec![0; pes.unwrap_or(0)];
    for (place, used) in uses.iter().enumerate() {
        let Some((pe, end)) = used.take(&mut until) else {
            continue;
        };
        let mut others = uses[..place].iter().rev();
        let other = others.find(|other| other.finish == end && other.has(pe));
        // Or it names a processing element twice.
        let other = other.unwrap_or(used).by;
        let problem = format!("uses PE {pe} at {}, as {other} does", used.start);
        match used.by {
            By::Job(job_id) => found.add(Some(job_id), problem),
            By::Outage(_) | By::Rule(_) => found.add(None, format!("{} {problem}", used.by)),
        }
    }
    uses.retain(|used| matches!(used.by, By::Job(_)));
    rules(&uses, settings, found);
}

/// No job has what a rule takes: none of its set, and all jobs together leave it its number.
fn rules(jobs: &[Use<'_>], settings: &Settings, found: &mut Findings) {
    let slot = settings.slots().0;
    // Until when jobs have how many.
    let (mut ends, mut busy) = (BinaryHeap::new(), 0_u64);
    let no_job = u64::MAX;
    for (place, used) in jobs.iter().enumerate() {
        let width: u64 = used.pes().map(|pes| pes.len() as u64).sum();
        ends.push(Reverse((used.finish, width)));
        busy += width;
        let next = jobs.get(place + 1).map_or(no_job, |next| next.start);
        let mut from = used.start;
        while from < next
            && let Some(&Reverse((finish, width))) = ends.peek()
        {
            let to = finish.min(next);
            for rule in settings.rules() {
                if let Absent::Number(pes) = rule.pes
                    && busy + u64::from(pes) > settings.pes
                    && let Some([at, _]) = rule.times([from, to], slot).next()
                {
                    let problem = format!(
                        "at {at}, jobs use {busy} of {} PEs, and rule {} takes {pes}",
                        settings.pes, rule.name
                    );
                    found.add(None, problem);
                }
            }
            if finish <= next {
                ends.pop();
                busy -= width;
            }
            from = to;
        }
        for rule in settings.rules() {
            if let Absent::These(pes) = &rule.pes
                && let Some([at, _]) = rule.times([used.start, used.finish], slot).next()
            {
                let rule = Use {
                    start: at,
                    finish: at,
                    by: By::Rule(rule.name),
                    pes: &pes.0,
                };
                if let Some(pe) = rule.pes().flatten().find(|pe| used.has(*pe))
                    && let By::Job(job_id) = used.by
                {
                    let problem = format!("uses PE {pe} at {at}, as {} does", rule.by);
                    found.add(Some(job_id), problem);
                }
            }
        }
    }
}

/// Who has processing elements.
#[derive(Clone, Copy)]
enum By {
    Job(u64),
    Outage(u64),
    Rule(Name),
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(id) => write!(f, "job {id}"),
            Self::Outage(id) => write!(f, "outage {id}"),
            Self::Rule(name) => write!(f, "rule {name}"),
        }
    }
}

/// Somebody on his processing elements.
struct Use<'a> {
    start: u64,
    finish: u64,
    by: By,
    pes: &'a [(u32, u32)],
}

impl<'a> Use<'a> {
    /// What an outage took.
    fn away(outage: &'a OutageRow) -> Option<Self> {
        let [start, finish] = outage.effect()?;
        Some(Self {
            start,
            finish,
            by: By::Outage(outage.id),
            pes: &outage.pes.0,
        })
    }

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
                by: By::Job(job.job_id),
                pes,
            })
        })
    }

    /// Its intervals of processing elements.
    fn pes(&self) -> impl Iterator<Item = Range<usize>> {
        let intervals = self.pes.iter();
        let intervals = intervals.map(|&(first, last)| (first as usize, last as usize));
        intervals.map(|(first, last)| first.min(MOST_PES)..(last + 1).min(MOST_PES))
    }

    fn has(&self, pe: usize) -> bool {
        self.pes().any(|pes| pes.contains(&pe))
    }

    /// Uses its processing elements, of which each is used `until` some time; returns one that is used then, with that time.
    fn take(&self, until: &mut [u64]) -> Option<(usize, u64)> {
        let mut clash = None;
        for pes in self.pes() {
            let until = &mut until[pes.clone()];
            // All of them, since that is faster than to stop at the first.
            let busy = until
                .iter()
                .fold(false, |busy, until| busy | (*until > self.start));
            if !busy {
                until.fill(self.finish);
                continue;
            }
            for (pe, until) in pes.zip(until) {
                if *until > self.start {
                    clash.get_or_insert((pe, *until));
                }
                // Whoever leaves later is the one that others may still run into.
                *until = self.finish.max(*until);
            }
        }
        clash
    }
}
