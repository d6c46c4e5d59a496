//! The jobs: the first two weeks of a log, or of a model where there is no log.
//!
//! Source: `sulistio`, section 4.1.

use std::path::Path;

use super::points::{ComputeNode, HOUR, NODES, RESERVING, TWO_WEEKS};
use crate::{
    error::Result,
    text_file::{file_name, input_error},
    workload::{
        Job,
        from_swf::{self, DurationFrom, Options},
        lublin::{JobType, JobTypes, Lublin, Sizes},
        rng::{Purpose, some_of, stream},
        swf::{Header, Log},
    },
};

/// The shortest duration (s), and the longest.
const DURATIONS: (u64, u64) = (240, 28 * 24 * HOUR);

/// What a job books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Estimates {
    /// As long as it runs.
    Exact,
    /// What its user requested.
    Requested,
}

/// What a log says about the two weeks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// Jobs submitted, by their numbers from the first to the last; a filtered log keeps the numbers of what it left out.
    pub(super) numbered: u64,
    /// Jobs of one processor among those that ran.
    pub(super) one_processor: usize,
    /// Jobs of one node among them.
    pub(super) one_node: usize,
}

/// The jobs of two weeks, submitted from 0 on.
#[derive(Clone, Debug)]
pub(super) struct Workload {
    /// What it is called.
    pub(super) name: String,
    /// What the log says; nothing of a model.
    pub(super) facts: Option<Facts>,
    /// How many processors a node of the machine has.
    pub(super) per_node: u64,
    exact: Vec<Job>,
    /// Empty where nobody requested a time.
    requested: Vec<Job>,
}

impl Workload {
    /// The first two weeks of a log, counted from its first submission.
    pub(super) fn of_log(file: &Path) -> Result<Self> {
        let log = Log::read(file)?;
        let jobs = |duration_from| -> Result<Vec<Job>> {
            let options = Options {
                duration_from,
                ..Options::default()
            };
            Ok(from_swf::jobs(&log, options)?.jobs)
        };
        let numbers = Numbers::of(&log)?;
        let cut = |jobs: Vec<Job>| two_weeks(jobs, numbers.begin);
        let exact = cut(jobs(DurationFrom::Run)?);
        if exact.is_empty() {
            let problem = "found no job that ran among those of the first two weeks";
            return Err(input_error(file, None, None, problem.to_owned()));
        }
        let per_node = per_node(log.header());
        let count = |most: u64| exact.iter().filter(|job| job.pes <= most).count();
        Ok(Self {
            name: file_name(file),
            facts: Some(Facts {
                numbered: numbers.last - numbers.first + 1,
                one_processor: count(1),
                one_node: count(per_node),
            }),
            per_node,
            requested: if numbers.requested_times {
                cut(jobs(DurationFrom::Requested)?)
            } else {
                Vec::new()
            },
            exact,
        })
    }

    /// Two weeks of the Lublin-Feitelson model, on a machine of 64 nodes with 8 processors each and about as loaded as by
    /// the paper's log.
    pub(super) fn synthetic(seed: u64) -> Result<Self> {
        let sizes = Sizes {
            medium: 3.5,
            high: f64::from(NODES).log2(),
            ..Sizes::COMBINED
        };
        let model = Lublin {
            types: JobTypes::Combined(JobType {
                sizes,
                ..JobType::COMBINED
            }),
            time_divisor: SYNTHETIC_PACE,
        };
        let mut jobs = model.jobs(seed, 0)?.peekable();
        let begin = jobs.peek().map_or(0.0, |job| job.submit);
        let near = jobs.take_while(|job| job.submit < begin + TWO_WEEKS as f64);
        let wide = near.map(|job| Job {
            pes: job.pes * SYNTHETIC_PER_NODE,
            ..job
        });
        Ok(Self {
            name: "synthetic (Lublin-Feitelson) instead of the paper's log".to_owned(),
            facts: None,
            per_node: SYNTHETIC_PER_NODE,
            exact: two_weeks(wide.collect(), begin),
            requested: Vec::new(),
        })
    }

    /// The same with its first jobs only.
    #[cfg(test)]
    pub(super) fn first(mut self, jobs: usize) -> Self {
        self.exact.truncate(jobs);
        self.requested.truncate(jobs);
        self
    }

    /// How many jobs there are.
    pub(super) fn len(&self) -> usize {
        self.exact.len()
    }

    /// Whether users said how long their jobs would run.
    pub(super) fn has_requested_times(&self) -> bool {
        !self.requested.is_empty()
    }

    /// The jobs as the paper changes them: sizes in compute nodes and at most all of them, durations clipped.
    pub(super) fn jobs(&self, node: ComputeNode, estimates: Estimates) -> Vec<Job> {
        let jobs = match estimates {
            Estimates::Exact => &self.exact,
            Estimates::Requested => &self.requested,
        };
        let per_node = match node {
            ComputeNode::Node => self.per_node,
            ComputeNode::Processor => 1,
        };
        let (least, most) = DURATIONS;
        jobs.iter()
            .map(|job| Job {
                pes: job.pes.div_ceil(per_node).min(NODES.into()),
                duration: job.duration.clamp(least, most),
                run: job.run.clamp(least, most),
                ..*job
            })
            .collect()
    }

    /// Work asked for by work that the machine can do in two weeks.
    pub(super) fn load(&self, node: ComputeNode) -> f64 {
        let jobs = self.jobs(node, Estimates::Exact);
        let work: u64 = jobs.iter().map(|job| job.pes * job.run).sum();
        work as f64 / (f64::from(NODES) * TWO_WEEKS as f64)
    }

    /// Which jobs reserve in a replication: a random 30 % of them, the same at every point and in every reading.
    pub(super) fn reserving(&self, seed: u64, replication: u32) -> Vec<bool> {
        let count = (RESERVING * self.len() as f64).round() as usize;
        let luck = stream(seed, Purpose::Reservations, replication);
        some_of(self.len(), count, luck)
    }
}

/// Divides the model's gaps, so that two weeks ask for about as much as the machine can do.
const SYNTHETIC_PACE: f64 = 1.6;
/// As many as a node of the paper's log has, so that both readings of a compute node differ as they do there.
const SYNTHETIC_PER_NODE: u64 = 8;

/// Jobs submitted in the two weeks from `begin` on, as seen from there.
fn two_weeks(jobs: Vec<Job>, begin: f64) -> Vec<Job> {
    let since = jobs.into_iter().map(|job| Job {
        submit: job.submit - begin,
        ..job
    });
    since.filter(|job| job.submit < TWO_WEEKS as f64).collect()
}

/// The numbers of the jobs of the first two weeks, run or not.
struct Numbers {
    begin: f64,
    first: u64,
    last: u64,
    /// Whether one that ran says what time was requested.
    requested_times: bool,
}

impl Numbers {
    fn of(log: &Log) -> Result<Self> {
        let mut found: Option<Self> = None;
        for numbered in log.records() {
            let record = numbered?.record;
            if record.is_partial() {
                continue;
            }
            let (submit, number) = (record.submit_time, record.job_number);
            let numbers = found.get_or_insert(Self {
                begin: submit,
                first: number,
                last: number,
                requested_times: false,
            });
            if submit < numbers.begin + TWO_WEEKS as f64 {
                numbers.first = numbers.first.min(number);
                numbers.last = numbers.last.max(number);
                numbers.requested_times |= record.run_time > 0.0 && record.requested_time > 0.0;
            }
        }
        // A log of partial executions alone has no job either.
        Ok(found.unwrap_or(Self {
            begin: 0.0,
            first: 1,
            last: 0,
            requested_times: false,
        }))
    }
}

/// Processors of a node, by what the header says of the machine; one where it says nothing.
fn per_node(header: &Header) -> u64 {
    let processors = header.number("MaxProcs").unwrap_or(0);
    let nodes = header.number("MaxNodes").unwrap_or(0);
    processors.checked_div(nodes).unwrap_or(0).max(1)
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write, path::Path};

    use super::{ComputeNode, Estimates, Facts, Workload};

    fn log(text: &str) -> crate::error::Result<Workload> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("log.swf");
        fs::write(&file, text).unwrap();
        Workload::of_log(&file)
    }

    const REST: &str = "-1 1 -1 -1 -1 -1 -1 -1 -1";

    #[test]
    fn two_weeks_are_cut_clipped_and_counted() {
        let late = 100 + 14 * 86_400;
        let workload = log(&format!(
            "; MaxProcs: 1152\n; MaxNodes: 144 (each an 8-way SMP)\n\
             4 100 -1 60 8 -1 -1 8 120 {REST}\n\
             6 200 -1 900 1152 -1 -1 1152 3600 {REST}\n\
             7 250 -1 0 8 -1 -1 8 120 {REST}\n\
             8 {late} -1 60 8 -1 -1 8 120 {REST}\n"
        ))
        .unwrap();
        let facts = workload.facts.unwrap();
        assert_eq!(
            (facts.numbered, facts.one_processor, facts.one_node),
            (4, 0, 1)
        );
        let of = |node, estimates| -> Vec<(u64, u64, u64, u64)> {
            let jobs = workload.jobs(node, estimates);
            let one =
                |job: &crate::workload::Job| (job.submit as u64, job.pes, job.duration, job.run);
            jobs.iter().map(one).collect()
        };
        let exact = of(ComputeNode::Node, Estimates::Exact);
        assert_eq!(exact, [(0, 1, 240, 240), (100, 64, 900, 900)]);
        let requested = of(ComputeNode::Processor, Estimates::Requested);
        assert_eq!(requested, [(0, 8, 240, 240), (100, 64, 3600, 900)]);
    }

    #[test]
    fn requested_times_are_known_only_where_somebody_requested_one() {
        let known = |first: i32, second: i32| {
            let text = format!(
                "1 0 -1 600 8 -1 -1 8 {first} {REST}\n2 60 -1 600 8 -1 -1 8 {second} {REST}\n"
            );
            log(&text).unwrap().has_requested_times()
        };
        assert_eq!([known(-1, -1), known(-1, 900)], [false, true]);
    }

    #[test]
    fn the_papers_log_has_the_jobs_it_should_have() {
        let Some(traces) = std::env::var_os("BOOKAHEAD_TRACES") else {
            // Straight to the stream: what the macros print is hidden when a test passes.
            let message = b"SKIPPED the_papers_log_has_the_jobs_it_should_have: set BOOKAHEAD_TRACES to a folder of logs\n";
            std::io::stderr().write_all(message).unwrap();
            return;
        };
        let file = Path::new(&traces).join("SDSC-BLUE-2000-4-filtered.swf.gz");
        let workload = Workload::of_log(&file).unwrap();
        let facts = Facts {
            numbered: 3_271,
            one_processor: 0,
            one_node: 679,
        };
        assert_eq!((workload.facts, workload.len()), (Some(facts), 2_673));
        assert_eq!(workload.per_node, 8);
        let loads = [ComputeNode::Node, ComputeNode::Processor].map(|node| workload.load(node));
        assert!(
            (1.0..1.05).contains(&loads[0]) && (4.0..4.2).contains(&loads[1]),
            "{loads:?}"
        );
    }

    #[test]
    fn a_log_without_a_usable_job_is_refused() {
        let error = log(&format!("1 0 -1 0 8 -1 -1 8 120 {REST}\n")).unwrap_err();
        assert_eq!(error.exit_status(), 2);
        assert!(error.to_string().contains("log.swf"), "{error}");
    }

    #[test]
    fn the_model_is_about_as_loaded_as_the_log() {
        let workload = Workload::synthetic(1).unwrap();
        let load = workload.load(ComputeNode::Node);
        assert!(
            (0.8..1.25).contains(&load),
            "{load}, {} jobs",
            workload.len()
        );
        assert!(!workload.has_requested_times());
    }

    #[test]
    fn three_jobs_in_ten_reserve_and_replications_differ() {
        let workload = Workload::synthetic(1).unwrap();
        let draw = |replication| workload.reserving(1, replication);
        let count = draw(0).iter().filter(|reserves| **reserves).count();
        assert_eq!(count, (0.3 * workload.len() as f64).round() as usize);
        assert_eq!(draw(0), draw(0));
        assert_ne!(draw(0), draw(1));
    }
}
