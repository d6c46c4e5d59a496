//! The jobs: parts of a log of fifteen days each, or of a model where there is no log, and what they ask for.
//!
//! The paper prints D = Tr + Te p and Tr = D - Te, each by the other. Read here: the deadline lies p durations after the submission, D = submit +
//! Te p with p from a Poisson distribution with mean 5, and a fixed interval is the last that meets it, Tr = D - Te. With p = 0 the job
//! would be over as it is submitted, so p is at least 1. Flexible is a random half of the jobs of each part, at every point the same.
//!
//! Source: `netto`, section 4.1.

use std::{borrow::Cow, path::Path};

use super::points::{FIFTEEN_DAYS, PES, Point, SLOT};
use crate::{
    error::Result,
    experiment::SYNTHETIC,
    report::words::{grouped, plural},
    request::{Demand, JobRequest},
    text_file::{file_name, input_error},
    workload::{
        Job,
        from_swf::{self, Options},
        lublin::{JobType, JobTypes, Lublin},
        reserve::poisson_percent,
        rng::{Purpose, some_of, stream},
        swf::Log,
    },
};

/// Parts of the log that are simulated, at most.
const PARTS: u32 = 49;
/// Parts of which means have intervals.
const FEWEST: usize = 4;
/// The shortest duration (s); shorter jobs are left out.
const SHORTEST: u64 = 60;
/// The mean of p.
const DEADLINE: f64 = 5.0;
/// The mean real run time of a job that overestimates it (% of what it books).
const REAL: f64 = 80.0;
/// Divides the model's gaps, so that it asks for about as much as the paper's log.
const SYNTHETIC_PACE: f64 = 1.18;

/// On which side a flexible interval is longer than a fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opens {
    /// Its release time is earlier, though not before the submission.
    Earlier,
    /// Its deadline is later.
    Later,
}

/// How the paper is read where it leaves the requests open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) opens: Opens,
    /// Whether only those users take a suggestion whose intervals would be flexible.
    pub(super) half_agrees: bool,
}

/// The jobs of all parts.
#[derive(Clone, Debug)]
pub(super) struct Workload {
    /// What it is called.
    pub(super) name: String,
    /// Whether it is a log.
    pub(super) is_log: bool,
    /// Jobs in order of submission, counted from the first.
    jobs: Vec<Job>,
    /// Parts that the log has, at least half of each.
    parts: u32,
    /// Jobs of a part, at most.
    most: usize,
    /// Processors of the log's machine, where it says so, and how many of its jobs are wider than the paper's.
    machine: (Option<u64>, u64),
}

impl Workload {
    /// A log, without jobs of less than a minute.
    pub(super) fn of_log(file: &Path) -> Result<Self> {
        let log = Log::read(file)?;
        let options = Options {
            clip_pes: Some(PES.into()),
            ..Options::default()
        };
        let converted = from_swf::jobs(&log, options)?;
        let workload = Self {
            machine: (log.header().processors(), converted.adjusted.clipped_pes),
            ..Self::new(file_name(file), true, converted.jobs)
        };
        if workload.jobs.is_empty() {
            let problem = "found no job that ran for a minute".to_owned();
            return Err(input_error(file, None, None, problem));
        }
        let parts = workload.parts().count();
        if parts < FEWEST {
            let days = workload.last() / f64::from(24 * 3600);
            let problem = format!(
                "found jobs of {days:.0} days, expected those of {FEWEST} parts of fifteen days or more, of {PARTS} as in the paper"
            );
            return Err(input_error(file, None, None, problem));
        }
        Ok(workload)
    }

    /// The Lublin-Feitelson model on 128 processors, about as loaded as the paper's log.
    pub(super) fn synthetic(seed: u64) -> Result<Self> {
        let model = Lublin {
            types: JobTypes::Combined(JobType::COMBINED),
            time_divisor: SYNTHETIC_PACE,
        };
        let end = (u64::from(PARTS) * FIFTEEN_DAYS) as f64;
        let jobs = model.jobs(seed, 0)?.take_while(|job| job.submit < end);
        let name = "synthetic (Lublin-Feitelson) instead of the paper's log";
        Ok(Self::new(name.to_owned(), false, jobs.collect()))
    }

    fn new(name: String, is_log: bool, mut jobs: Vec<Job>) -> Self {
        jobs.retain(|job| job.run >= SHORTEST);
        let begin = jobs.first().map_or(0.0, |job| job.submit);
        for job in &mut jobs {
            job.submit -= begin;
        }
        let last = jobs.last().map_or(0.0, |job| job.submit);
        let parts = (last / FIFTEEN_DAYS as f64).round() as u32;
        Self {
            name,
            is_log,
            jobs,
            parts: parts.min(PARTS),
            most: usize::MAX,
            machine: (None, 0),
        }
    }

    /// What stands behind every note: nothing for a log of as many parts as the paper's, of a machine of as many PEs.
    pub(super) fn disclaimer(&self) -> Cow<'static, str> {
        if !self.is_log {
            return SYNTHETIC.into();
        }
        let (machine, wider) = self.machine;
        let other = machine.filter(|pes| *pes != u64::from(PES));
        if other.is_none() && wider == 0 && self.parts == PARTS {
            return "".into();
        }
        let of = match other {
            Some(pes) => format!(", of a machine of {} PEs,", grouped(pes as usize)),
            None => String::new(),
        };
        let cut = match wider {
            0 => String::new(),
            _ => format!(
                ", {} of which, wider than that, are cut to it",
                grouped(wider as usize)
            ),
        };
        let short = match self.days_missing() {
            ..0.5 => String::new(),
            days => format!(
                " It ends {days:.1} days before its last part of fifteen days does, so that less of that one is used."
            ),
        };
        format!(
            "This log{of} is not the paper's, whose numbers are of others: here {} of {} run on the paper's {PES} PEs{cut}, and ask for {:.2} times what these can do.{short}",
            plural(self.len(), "job"),
            self.name,
            self.load()
        )
        .into()
    }

    /// How long before the end of the last part the last job is submitted.
    fn days_missing(&self) -> f64 {
        let last = self.jobs.last().map_or(0.0, |job| job.submit);
        let end = (u64::from(self.parts) * FIFTEEN_DAYS) as f64;
        (end - last) / 86_400.0
    }

    /// The parts in which there are jobs.
    pub(super) fn parts(&self) -> impl Iterator<Item = u32> {
        (0..self.parts).filter(|part| self.part(*part, 100).next().is_some())
    }

    /// When the last job is submitted.
    fn last(&self) -> f64 {
        self.jobs.last().map_or(0.0, |job| job.submit)
    }

    /// The same with short parts.
    #[cfg(test)]
    pub(super) fn first(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Jobs in all parts.
    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Work asked for by work that the machine can do in the parts.
    pub(super) fn load(&self) -> f64 {
        let work = |job: &Job| job.pes as f64 * job.run as f64;
        let work: f64 = self.jobs.iter().map(work).sum();
        work / (f64::from(PES) * self.last().max(1.0))
    }

    /// The jobs submitted in fifteen days from the beginning of a part on, when `load` are submitted for a hundred of the log. Behind its end the
    /// log begins once more.
    fn part(&self, part: u32, load: u64) -> impl Iterator<Item = Job> {
        let begin = (u64::from(part) * FIFTEEN_DAYS) as f64;
        let pace = load as f64 / 100.0;
        let whole = (u64::from(self.parts) * FIFTEEN_DAYS) as f64;
        let again = self.jobs.iter().map(move |job| Job {
            submit: job.submit + whole,
            ..*job
        });
        let all = self.jobs.iter().copied().chain(again);
        let since = all.skip_while(move |job| job.submit < begin);
        since
            .map(move |job| Job {
                submit: (job.submit - begin) / pace,
                ..job
            })
            .take_while(|job| job.submit < FIFTEEN_DAYS as f64)
            .take(self.most)
    }

    /// What arrives at a point, in a part.
    pub(super) fn demands(
        &self,
        point: Point,
        reading: Reading,
        seed: u64,
        part: u32,
    ) -> Vec<Demand> {
        let jobs: Vec<Job> = self.part(part, point.load).collect();
        let luck = stream(seed, Purpose::Flexibility, part);
        let flexible = some_of(jobs.len(), jobs.len() / 2, luck);
        let mut luck = stream(seed, Purpose::Reservations, part);
        let demand = |(number, (job, flexible)): (usize, (Job, bool))| {
            // As many draws for each job whatever the point is.
            let p = poisson_percent(DEADLINE, &mut luck).max(1);
            let longer = [25.0, 50.0, 100.0].map(|mean| poisson_percent(mean, &mut luck));
            let real = poisson_percent(REAL, &mut luck).min(100);
            let longer = match point.interval {
                0 => 0,
                25 => longer[0],
                50 => longer[1],
                _ => longer[2],
            };
            let request = request(&job, p, if flexible { longer } else { 0 }, reading.opens);
            Demand::Reserve(JobRequest {
                job_id: number as u64 + 1,
                run: match point.overestimated {
                    true => (job.run.saturating_mul(real) / 100).max(1),
                    false => job.run,
                },
                // Jobs with fixed intervals wait for their turn like the others; they only have nowhere to go.
                flexible: flexible || point.interval > 0 || !reading.half_agrees,
                ..request
            })
        };
        jobs.into_iter()
            .zip(flexible)
            .enumerate()
            .map(demand)
            .collect()
    }
}

/// The request of a job whose deadline is `p` durations away, with an interval `longer` percent longer than its duration; in whole slots, so that
/// none is lost to rounding.
fn request(job: &Job, p: u64, longer: u64, opens: Opens) -> JobRequest {
    let arrival = job.submit as u64;
    let ready = arrival.saturating_add((p - 1).saturating_mul(job.run));
    let [ready, run] = [ready, job.run].map(in_whole_slots);
    let deadline = ready.saturating_add(run);
    let longer = job.run.saturating_mul(longer) / 100 / SLOT * SLOT;
    let (ready, deadline) = match opens {
        Opens::Earlier => {
            let earliest = in_whole_slots(arrival);
            (ready.saturating_sub(longer).max(earliest), deadline)
        }
        Opens::Later => (ready, deadline.saturating_add(longer)),
    };
    JobRequest {
        job_id: job.id,
        arrival,
        ready,
        duration: job.run,
        deadline,
        pes: job.pes,
        run: job.run,
        flexible: true,
        ..JobRequest::default()
    }
}

/// Rounds a time up to an edge of a slot; one that cannot be is beyond every horizon.
fn in_whole_slots(time: u64) -> u64 {
    time.checked_next_multiple_of(SLOT).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Opens, Reading, Workload, request};
    use crate::experiment::netto::points::{FIFTEEN_DAYS, Point, SLOT, point};
    use crate::{
        request::{Demand, JobRequest},
        workload::Job,
    };

    const READING: Reading = Reading {
        opens: Opens::Earlier,
        half_agrees: false,
    };

    fn requests(workload: &Workload, point: Point, part: u32) -> Vec<JobRequest> {
        let demands = workload.demands(point, READING, 1, part);
        let request = |demand: &Demand| demand.request().cloned();
        demands.iter().filter_map(request).collect()
    }

    #[test]
    fn a_deadline_is_some_durations_away_and_intervals_open_on_one_side() {
        let duration = 5 * SLOT + 1;
        let job = Job {
            id: 1,
            submit: 1.4 * SLOT as f64,
            run: duration,
            duration,
            pes: 2,
            queue: None,
            user: None,
            partition: None,
        };
        let slots = |p, longer, opens| {
            let request = request(&job, p, longer, opens);
            assert_eq!((request.ready % SLOT, request.deadline % SLOT), (0, 0));
            (request.ready / SLOT, request.deadline / SLOT)
        };
        // Two durations after 1.4 slots is in the twelfth slot, and a duration takes six.
        assert_eq!(slots(3, 0, Opens::Earlier), (12, 18));
        assert_eq!(slots(3, 50, Opens::Earlier), (10, 18));
        assert_eq!(slots(3, 50, Opens::Later), (12, 20));
        assert_eq!(slots(1, 100, Opens::Earlier), (2, 8));
    }

    #[test]
    fn points_share_their_luck_and_half_of_the_jobs_is_flexible() {
        let workload = Workload::synthetic(1).unwrap();
        let fixed = requests(&workload, point(100, 0, false), 2);
        let long = requests(&workload, point(100, 100, true), 2);
        assert!(fixed.len() > 200 && fixed.len() == long.len());
        let mut wider = 0;
        let (mut asked, mut ran) = (0, 0);
        for (fixed, long) in fixed.iter().zip(&long) {
            assert_eq!(
                (fixed.arrival, fixed.deadline),
                (long.arrival, long.deadline)
            );
            assert!(long.ready <= fixed.ready && long.run <= fixed.run);
            assert!(long.flexible);
            wider += usize::from(long.ready < fixed.ready);
            (asked, ran) = (asked + long.duration, ran + long.run);
        }
        assert!(
            fixed.len() / 4 < wider && wider <= fixed.len() / 2,
            "{wider}"
        );
        assert!((0.78..0.82).contains(&(ran as f64 / asked as f64)));
    }

    #[test]
    fn a_higher_load_brings_more_jobs_in_fifteen_days() {
        let workload = Workload::synthetic(1).unwrap();
        for part in [0, 48] {
            let count = |load| requests(&workload, point(load, 0, false), part).len() as f64;
            let more = count(150) / count(100);
            assert!((1.2..1.9).contains(&more), "{more}");
        }
        let last = requests(&workload, point(150, 0, false), 48);
        assert!(last.iter().all(|request| request.arrival < FIFTEEN_DAYS));
        assert!(
            (0.7..0.95).contains(&workload.load()),
            "{}",
            workload.load()
        );
    }
}
