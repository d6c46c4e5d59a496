//! No processing element is used by two jobs at once, nor by a job while it is away or a rule takes it. Rule 6.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    fmt,
    io::{self, Read, Write},
    ops::Range,
    path::Path,
};

use super::{findings::Findings, settings::Settings};
use crate::{
    files::{Job, OutageRow, PeRanges},
    rule::Absent,
    sorting::{Record, Sorter},
};

/// No machine has more processing elements; numbers beyond are reported elsewhere.
const MOST_PES: usize = 1 << 16;

/// Who uses which processing elements.
pub(super) struct Overlap {
    uses: Sorter<Use>,
}

impl Overlap {
    /// Where there is a folder, uses are sorted in files there.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            uses: Sorter::new(folder),
        }
    }

    /// What the job kept to its finish, and what it gave back before.
    pub(super) fn job(&mut self, job: &Job<'_>) {
        let kept = job.finish_time;
        let kept = kept.map(|finish| (finish, &job.allocated_resources));
        let given_back = job.metadata.given_back.iter();
        let given_back = given_back.map(|back| (back.until, &back.pes));
        for (finish, pes) in kept.into_iter().chain(given_back) {
            if let Some(start) = job.starting_time.filter(|start| *start < finish) {
                self.add([start, finish], By::Job(job.job_id), pes);
            }
        }
    }

    /// What an outage took.
    pub(super) fn away(&mut self, outage: &OutageRow) {
        if let Some(times) = outage.effect() {
            self.add(times, By::Outage(outage.id), &outage.pes);
        }
    }

    fn add(&mut self, [start, finish]: [u64; 2], by: By, pes: &PeRanges) {
        self.uses.add(Use {
            start,
            finish,
            number: self.uses.count() as u64,
            by,
            pes: pes.0.clone(),
        });
    }

    /// Goes through all uses by start and remembers until when each processing element is used. O(uses x (log + rules) + PEs used).
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(super) fn finish(self, settings: &Settings, found: &mut Findings) -> io::Result<()> {
        let mut until = Vec::new();
        // By finish and place; of no more use when they are over.
        let mut open: BTreeMap<[u64; 2], Use> = BTreeMap::new();
        // What rules take is compared with all jobs.
        let mut jobs = Vec::new();
        for (place, used) in (0..).zip(self.uses.sorted()?) {
            let used = used?;
            while let Some(first) = open.first_entry()
                && first.key()[0] <= used.start
            {
                first.remove();
            }
            if let Some((pe, end)) = used.take(&mut until) {
                let mut others = open.range([end, 0]..=[end, u64::MAX]).rev();
                let other = others.find(|(_, other)| other.has(pe));
                // Or it names a processing element twice.
                let other = other.map_or(used.by, |(_, other)| other.by);
                let problem = format!("uses PE {pe} at {}, as {other} does", used.start);
                match used.by {
                    By::Job(job_id) => found.add(Some(job_id), problem),
                    By::Outage(_) => found.add(None, format!("{} {problem}", used.by)),
                }
            }
            if !settings.rules().is_empty() && matches!(used.by, By::Job(_)) {
                jobs.push(used.clone());
            }
            open.insert([used.finish, place], used);
        }
        rules(&jobs, settings, found);
        Ok(())
    }
}

/// No job has what a rule takes: none of its set, and all jobs together leave it its number.
fn rules(jobs: &[Use], settings: &Settings, found: &mut Findings) {
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
                let mut taken = intervals(&pes.0).flatten();
                if let Some(pe) = taken.find(|pe| used.has(*pe))
                    && let By::Job(job_id) = used.by
                {
                    let problem = format!("uses PE {pe} at {at}, as rule {} does", rule.name);
                    found.add(Some(job_id), problem);
                }
            }
        }
    }
}

/// Who has processing elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Job(u64),
    Outage(u64),
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Job(id) => write!(f, "job {id}"),
            Self::Outage(id) => write!(f, "outage {id}"),
        }
    }
}

/// Somebody on his processing elements; in order of start and finish, and then as they were added.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    start: u64,
    finish: u64,
    number: u64,
    by: By,
    pes: Vec<(u32, u32)>,
}

/// Intervals of processing elements.
fn intervals(pes: &[(u32, u32)]) -> impl Iterator<Item = Range<usize>> {
    let intervals = pes.iter();
    let intervals = intervals.map(|&(first, last)| (first as usize, last as usize));
    intervals.map(|(first, last)| first.min(MOST_PES)..(last + 1).min(MOST_PES))
}

impl Use {
    fn pes(&self) -> impl Iterator<Item = Range<usize>> {
        intervals(&self.pes)
    }

    fn has(&self, pe: usize) -> bool {
        self.pes().any(|pes| pes.contains(&pe))
    }

    /// Uses its processing elements, of which each is used `until` some time; returns one that is used then, with that time.
    fn take(&self, until: &mut Vec<u64>) -> Option<(usize, u64)> {
        let mut clash = None;
        for pes in self.pes() {
            if until.len() < pes.end {
                until.resize(pes.end, 0);
            }
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

impl Record for Use {
    fn size(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.pes)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (kind, id) = match self.by {
            By::Job(id) => (0, id),
            By::Outage(id) => (1, id),
        };
        let count = self.pes.len() as u64;
        let numbers = [self.start, self.finish, self.number, kind, id, count];
        let pes = self.pes.iter();
        let pes = pes.map(|&(first, last)| u64::from(first) << 32 | u64::from(last));
        let mut numbers = numbers.into_iter().chain(pes);
        numbers.try_for_each(|number| number.write(out))
    }

    fn read(from: &mut impl Read) -> io::Result<Self> {
        let [start, finish, number, kind, id, count] = {
            let mut numbers = [0; 6];
            for number in &mut numbers {
                *number = u64::read(from)?;
            }
            numbers
        };
        let pes = (0..count).map(|_| {
            let pes = u64::read(from)?;
            Ok(((pes >> 32) as u32, pes as u32))
        });
        Ok(Self {
            start,
            finish,
            number,
            by: match kind {
                0 => By::Job(id),
                _ => By::Outage(id),
            },
            pes: pes.collect::<io::Result<_>>()?,
        })
    }
}
